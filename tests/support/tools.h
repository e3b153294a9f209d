#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

/// For tests that work with a foreign program: leaves the test where that is missing. script/test sets BRISTLE_ALL_TOOLS after
/// script/setup has installed everything; a missing tool is a failure then, so that no test is left out unnoticed.
#define BRISTLE_NEEDS(have, what)                                                                                          \
  do {                                                                                                                     \
    if (!(have)) {                                                                                                         \
      if (std::getenv("BRISTLE_ALL_TOOLS") != nullptr) FAIL() << what << " is missing, although script/setup installs it"; \
      GTEST_SKIP() << what << " is missing";                                                                               \
    }                                                                                                                      \
  } while (false)
