#pragma once
#include <string>

#include "bristle/input/yaml_source.h"

namespace bristle {

/// Is there `key:` at the position, on this line? Refuses keys with '?'.
bool key_ahead(const YamlSource& in);
/// The key at the position; ends at its colon. Only after key_ahead.
std::string read_key(YamlSource& in);
/// The key at the position inside { }; ends at its colon.
std::string read_flow_key(YamlSource& in);
/// A scalar without quotes, to the end of the line, a comment, or inside brackets the next sign. Refuses anchors, aliases, tags.
std::string read_plain(YamlSource& in, bool inside_flow);
/// A scalar in single or double quotes; line breaks in it become blanks.
std::string read_quoted(YamlSource& in);
/// A text after | or >, below a parent indented by `parent`; `where` becomes the place of its first line.
std::string read_block_scalar(YamlSource& in, int parent, Where& where);

}  // namespace bristle
