# Debian 12 packages; script/setup installs them.
find_package(Eigen3 3.4 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Threads REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

# KLU alone of SuiteSparse
find_path(KLU_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
foreach(lib klu amd colamd btf suitesparseconfig)
  string(TOUPPER ${lib} LIB)
  find_library(${LIB}_LIBRARY ${lib} REQUIRED)
  list(APPEND KLU_LIBRARIES ${${LIB}_LIBRARY})
endforeach()

# optional: SUNDIALS CVODE as a back end and oracle
find_path(SUNDIALS_INCLUDE cvode/cvode.h)
find_library(SUNDIALS_CVODE sundials_cvode)
find_library(SUNDIALS_NVEC sundials_nvecserial)
if(SUNDIALS_INCLUDE AND SUNDIALS_CVODE AND SUNDIALS_NVEC)
  set(BRISTLE_HAVE_SUNDIALS ON)
else()
  set(BRISTLE_HAVE_SUNDIALS OFF)
endif()
