#include "bristle/input/yaml_scalar.h"

#include <algorithm>

#include "bristle/base/text.h"

namespace bristle {

namespace {

bool is_flow_sign(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Bytes of a plain scalar in a line: up to ": ", " #", inside brackets also up to a bracket or comma.
std::size_t plain_length(std::string_view line, bool inside_flow) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inside_flow && is_flow_sign(c)) return i;
    if (c == '#' && i > 0 && is_blank(line[i - 1])) return i;
    if (c != ':') continue;
    if (i + 1 == line.size() || is_blank(line[i + 1]) || (inside_flow && is_flow_sign(line[i + 1]))) return i;
  }
  return line.size();
}

/// Bytes of a quoted scalar that ends on this line; 0 when it does not.
std::size_t quoted_length(std::string_view line) {
  const char quote = line[0];
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (quote == '"' && line[i] == '\\') {
      ++i;
    } else if (line[i] == quote) {
      if (quote == '\'' && i + 1 < line.size() && line[i + 1] == '\'') ++i;
      else return i + 1;
    }
  }
  return 0;
}

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void refuse_indicator(const YamlSource& in) {
  const char c = in.peek();
  if (c == '&' || c == '*')
    in.fail(
        "anchors and aliases (& and *) are not taken. Write the value out, name it under parameters:, or put the text into quotes");
  if (c == '!') in.fail("tags (!) are not taken. Delete it, or put the text into quotes");
  if (c == '@' || c == '`' || c == '%') in.fail(std::string("a text can not start with '") + c + "'. Put it into quotes");
  if (is_flow_sign(c)) in.fail(std::string("unexpected '") + c + "'");
  if (c == '#') in.fail("a comment needs a space before '#'; a text that starts with '#' needs quotes");
  if (c == '|' || c == '>') in.fail("a block text (| or >) can not stand here. Put the text into quotes");
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6)), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12)), put(0x80 | ((code >> 6) & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18)), put(0x80 | ((code >> 12) & 0x3F)), put(0x80 | ((code >> 6) & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

/// Behind a backslash in double quotes.
void read_escape(YamlSource& in, std::string& out) {
  constexpr std::string_view letters = "\"\\/nrtbfae ", values = "\"\\/\n\r\t\b\f\a\x1b ";
  const char c = in.peek();
  const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (const std::size_t i = letters.find(c); i != std::string_view::npos) {
    out += values[i];
    in.advance();
    return;
  }
  unsigned code = 0;
  if (digits == 0)
    in.fail(std::string("unknown escape '\\") + (in.at_line_end() ? ' ' : c) +
            "'. Write \\\\ for a backslash, or use single quotes");
  in.advance();
  for (std::size_t i = 0; i < digits; ++i, in.advance()) {
    const char d = in.peek();
    const int value = d >= '0' && d <= '9'   ? d - '0'
                      : d >= 'a' && d <= 'f' ? d - 'a' + 10
                      : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                             : -1;
    if (value < 0) in.fail("the escape needs " + std::to_string(digits) + " hexadecimal digits");
    code = (code << 4) | static_cast<unsigned>(value);
  }
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) in.fail("the escape is not a character");
  append_utf8(out, code);
}

}  // namespace

bool key_ahead(const YamlSource& in) {
  const std::string_view line = in.rest_of_line();
  if (line.empty()) return false;
  std::size_t i = 0;
  if (line[0] == '"' || line[0] == '\'') {
    i = quoted_length(line);
    if (i == 0) return false;
    while (i < line.size() && is_blank(line[i])) ++i;
  } else {
    if (std::string_view("[]{},&*!|>%@`#").find(line[0]) != std::string_view::npos) return false;
    if (line[0] == '?' && in.blank_at(1)) in.fail("keys with '?' are not taken. Write key: value");
    i = plain_length(line, false);
  }
  return i < line.size() && line[i] == ':' && (i + 1 == line.size() || is_blank(line[i + 1]));
}

std::string read_key(YamlSource& in) {
  const char c = in.peek();
  std::string key;
  if (c == '"' || c == '\'') {
    key = read_quoted(in);
  } else {
    const std::size_t n = plain_length(in.rest_of_line(), false);
    key = std::string(trim_right(in.rest_of_line().substr(0, n)));
    in.advance(n);
  }
  in.skip_spaces();
  return key;
}

std::string read_flow_key(YamlSource& in) {
  const char c = in.peek();
  const Where start = in.here();
  std::string key;
  const bool quoted = c == '"' || c == '\'';
  if (quoted) {
    key = read_quoted(in);
  } else {
    refuse_indicator(in);
    const std::size_t n = plain_length(in.rest_of_line(), true);
    key = std::string(trim_right(in.rest_of_line().substr(0, n)));
    in.advance(n);
  }
  in.skip_spaces();
  if (in.peek() != ':') {
    const bool squeezed = !quoted && key.find(':') != std::string::npos;
    throw InputError(start, "'" + shortened(key, 30) + "' has no value. " +
                                (squeezed ? "A space must follow the colon"
                                          : "Write key: value; texts with , [ ] { } in them need quotes here"));
  }
  return key;
}

std::string read_plain(YamlSource& in, bool inside_flow) {
  refuse_indicator(in);
  if (in.peek() == '?' && in.blank_at(1)) in.fail("a text can not start with '? '. Put it into quotes");
  if (in.peek() == '-' && in.blank_at(1)) in.fail("a list with '-' can not stand here. Use [a, b]");
  const std::string_view line = in.rest_of_line();
  const std::size_t n = plain_length(line, inside_flow);
  if (n < line.size() && line[n] == ':') {
    in.advance(n);
    in.fail("unexpected ': ' in a value. Put a text with a colon into quotes, or start a map on its own line");
  }
  // blanks behind the text are left: a comment is known by the blank before it
  const std::string_view text = trim_right(line.substr(0, n));
  in.advance(text.size());
  return std::string(text);
}

std::string read_quoted(YamlSource& in) {
  const char quote = in.peek();
  const Where open = in.here();
  in.advance();
  std::string out;
  while (true) {
    if (in.at_end()) throw InputError(open, std::string("this quote is never closed. A ") + quote + " is missing");
    const char c = in.peek();
    if (c == '\n' || (c == '\r' && in.peek(1) == '\n')) {
      // one line break becomes a blank, further ones stay
      out.resize(trim_right(out).size());
      in.skip_spaces();
      int breaks = 0;
      while (!in.at_end() && in.at_line_end()) {
        in.next_line();
        in.skip_spaces();
        ++breaks;
      }
      if (breaks > 1) out.append(static_cast<std::size_t>(breaks - 1), '\n');
      else out += ' ';
      continue;
    }
    in.advance();
    if (c == quote) {
      if (quote == '"' || in.peek() != '\'') return out;
      in.advance();
      out += '\'';
    } else if (c == '\\' && quote == '"') {
      read_escape(in, out);
    } else {
      out += c;
    }
  }
}

std::string read_block_scalar(YamlSource& in, int parent, Where& where) {
  const bool folded = in.peek() == '>';
  in.advance();
  char keep = ' ';
  if (in.peek() == '-' || in.peek() == '+') {
    keep = in.peek();
    in.advance();
  }
  if (in.peek() >= '0' && in.peek() <= '9') in.fail("an indentation number behind | or > is not taken. Delete it");
  in.skip_spaces();
  if (!in.at_line_end() && in.peek() != '#') in.fail("a block text starts on the line below | or >");
  in.next_line();

  // lines deeper than the parent belong to the text; the first non-empty one sets its indentation
  int indent = -1;
  std::string out;
  std::size_t breaks = 0;
  bool started = false, last_was_deeper = false;
  while (!in.at_end()) {
    const std::string_view line = in.rest_of_line();
    const std::size_t first = line.find_first_not_of(' ');
    const int depth = first == std::string_view::npos ? 0 : static_cast<int>(first);
    const bool empty = first == std::string_view::npos;
    if (!empty) {
      if (depth <= parent || (indent >= 0 && depth < indent)) break;
      if (indent < 0) {
        indent = depth;
        where = in.where_at(in.pos() + first);
      }
      const std::string_view content = line.substr(static_cast<std::size_t>(indent));
      const bool deeper = is_blank(content[0]);
      if (started || breaks > 0) {
        const bool fold = folded && started && !deeper && !last_was_deeper;
        if (fold && breaks == 1) out += ' ';
        else out.append(fold ? breaks - 1 : breaks, '\n');
      }
      out += content;
      started = true;
      last_was_deeper = deeper;
      breaks = 0;
    }
    ++breaks;
    in.next_line();
  }
  if (keep == '+') out.append(breaks, '\n');
  else if (keep == ' ' && started) out += '\n';
  return out;
}

}  // namespace bristle
