#pragma once
#include <string>
#include <string_view>

namespace bristle {

/// What a joint holds, leaves and rubs on, for `bristle info joint` and the reference pages; "" for types without a page.
std::string joint_page(std::string_view type);

}  // namespace bristle
