#pragma once
#include <string>
#include <string_view>

namespace bristle {

enum class Durable { no, yes };

/// Writes a file as a whole: under its name there is the old contents or the new one, never a part. Durable: also after a loss of
/// power. Throws InputError when the place cannot be written, std::runtime_error when the disk is full.
void write_file(const std::string& path, std::string_view contents, Durable durable = Durable::no);

}  // namespace bristle
