# Compiler options shared by all targets of this project.
add_library(bristle_options INTERFACE)
# no errno from functions like exp: loops around them keep more in registers; the bits are the same
target_compile_options(bristle_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-maybe-uninitialized -ffp-contract=off -fno-math-errno -fno-tree-loop-distribute-patterns)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(bristle_options INTERFACE -Wno-sign-conversion -Wno-implicit-int-float-conversion)
endif()
if(BRISTLE_WARNINGS_AS_ERRORS)
  target_compile_options(bristle_options INTERFACE -Werror)
endif()

# What the library for tests under the sanitizers is compiled with instead. Checks of every pointer that the address sanitizer makes as
# well are left out: they are a third of the compile time.
add_library(bristle_sanitizers INTERFACE)
target_compile_options(bristle_sanitizers INTERFACE -UNDEBUG -g1 -fsanitize=address,undefined
  -fno-sanitize=null,alignment,object-size,pointer-overflow -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# as Eigen takes it for granted elsewhere: what one part of a program allocates another one may free
target_compile_definitions(bristle_sanitizers INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
