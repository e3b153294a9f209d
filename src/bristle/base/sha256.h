#pragma once
#include <string>
#include <string_view>

namespace bristle {

/// SHA-256 of bytes (FIPS 180-4) as 64 lower-case hexadecimal digits: what `sha256sum` prints.
std::string sha256(std::string_view bytes);

}  // namespace bristle
