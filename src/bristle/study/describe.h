#pragma once
#include <string>
#include <vector>

#include "bristle/study/study.h"

namespace bristle {

/// What a model consists of and is to be asked, as `bristle check` shows it.
std::string describe(const Study&);

/// Bodies in space, their joints, freedoms and what is held twice; "" where there are none. Values start behind `column` characters.
std::string mechanism_text(const Layout&, int column);
/// A list under a name, as of bodies that overlap: resolve has moved; "" where it is empty.
std::string list_text(const char* name, const std::vector<std::string>& list, int column);

}  // namespace bristle
