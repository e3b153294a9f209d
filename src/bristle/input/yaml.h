#pragma once
#include <string>
#include <string_view>

#include "bristle/base/node.h"

namespace bristle {

/** Reads the part of YAML that model files need, and refuses the rest with a sentence and a place: block and flow maps and lists,
plain, 'single' and "double" quoted scalars, block scalars | and >, comments. Not taken: anchors, aliases, merge keys, tags,
several documents, directives, texts without quotes over several lines, keys that are not plain words or quoted texts, tabs as
indentation. Duplicate keys are errors. Every scalar stays text; `~`, `null` and nothing are null.

Limits: 16 MB, 64 levels, 500 000 values. No input crashes it or makes it slow; time is proportional to size. */
Node read_yaml_text(std::string_view text, const std::string& file_name);
Node read_yaml_file(const std::string& path);
/// The text of a file, with a sentence for all that can be wrong with it: missing, a folder, too large.
std::string read_text_file(const std::string& path, const Where& asked_from = {});

inline constexpr std::size_t kMaxYamlBytes = 16u << 20;
inline constexpr int kMaxYamlDepth = 64;
inline constexpr int kMaxYamlValues = 500000;

}  // namespace bristle
