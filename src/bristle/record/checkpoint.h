#pragma once
#include <string>

#include "bristle/core/archive.h"

namespace bristle {

/// Writes `checkpoint.bin` of a folder: either the new one is there in full afterwards or the old one still is, whatever happens
/// in between. `owner` says whose it is: the run, and the program that wrote it.
void write_checkpoint(const std::string& dir, const Archive& archive, const std::string& owner = "");
/// Throws InputError when there is none, or when it is truncated, damaged, of another owner or of another version.
Archive read_checkpoint(const std::string& dir, const std::string& owner = "");
bool has_checkpoint(const std::string& dir);

}  // namespace bristle
