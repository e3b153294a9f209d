# `cmake --install build/release --prefix DIR`: program, library, headers, and the package that find_package(bristle) reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
install(TARGETS bristle EXPORT bristle_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS bristle_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# record/h5.h and study/json_text.h are for the library alone: they need the headers of HDF5 and of nlohmann-json
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/bristle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "h5.h" EXCLUDE PATTERN "json_text.h" EXCLUDE)
install(EXPORT bristle_targets NAMESPACE bristle:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/bristle-config.cmake.in
  ${PROJECT_BINARY_DIR}/bristle-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bristle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bristle-config.cmake ${PROJECT_BINARY_DIR}/bristle-config-version.cmake DESTINATION ${package_dir})
if(EXISTS ${PROJECT_SOURCE_DIR}/LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

if(BRISTLE_TESTS)
  include(${CMAKE_CURRENT_LIST_DIR}/repository_tests.cmake)
endif()
