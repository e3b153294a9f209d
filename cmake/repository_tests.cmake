# Tests that are no C++ of the library: includes between modules, the installed package, the browser report.
find_program(BRISTLE_PYTHON NAMES /usr/bin/python3 python3 REQUIRED)
add_test(NAME includes COMMAND ${BRISTLE_PYTHON} ${PROJECT_SOURCE_DIR}/script/check_includes.py ${PROJECT_SOURCE_DIR})
set_tests_properties(includes PROPERTIES LABELS quick)

add_test(NAME packaging COMMAND ${PROJECT_SOURCE_DIR}/tests/packaging/run.sh ${PROJECT_BINARY_DIR})
set_tests_properties(packaging PROPERTIES LABELS "long;program" TIMEOUT 600)

find_program(BRISTLE_CLANG clang++)
if(BRISTLE_CLANG)
  add_test(NAME fuzz COMMAND ${PROJECT_SOURCE_DIR}/script/fuzz 20)
  set_tests_properties(fuzz PROPERTIES LABELS long TIMEOUT 600)
endif()

find_program(BRISTLE_NODE node)
if(BRISTLE_NODE AND EXISTS ${PROJECT_SOURCE_DIR}/viewer/node_modules)
  add_test(NAME viewer_unit COMMAND ${BRISTLE_NODE} node_modules/vitest/vitest.mjs run WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/viewer)
  add_test(NAME viewer_report COMMAND ${BRISTLE_NODE} ${PROJECT_SOURCE_DIR}/tests/viewer/report_test.mjs)
  set_tests_properties(viewer_unit viewer_report PROPERTIES LABELS "quick;program" TIMEOUT 300)
  set_tests_properties(viewer_report PROPERTIES COST 500)
endif()

# these start the program
if(TARGET cli_tests)
  add_dependencies(cli_tests bristle_app)
endif()
