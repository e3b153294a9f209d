#include "bristle/input/yaml_source.h"

#include <algorithm>

#include "bristle/base/text.h"

namespace bristle {

namespace {

/// Bytes of the UTF-8 character that starts here; 0 when it is broken.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char c = byte(i);
  if (c < 0x80) return 1;
  const std::size_t n = c >= 0xF0 && c <= 0xF4 ? 4 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xC2 && c < 0xE0 ? 2 : 0;
  if (n == 0 || i + n > text.size()) return 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  // overlong forms, surrogates, beyond the last character
  const unsigned char d = byte(i + 1);
  if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d >= 0xA0) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d >= 0x90)) return 0;
  return n;
}

}  // namespace

YamlSource::YamlSource(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  if (text_.substr(0, 2) == "\xFF\xFE" || text_.substr(0, 2) == "\xFE\xFF")
    throw InputError({file_, 1, 1}, "the file is UTF-16 text. Save it as UTF-8");
  check_characters();
  find_line_end();
}

void YamlSource::find_line_end() {
  const std::size_t end = text_.find('\n', line_start_);
  line_end_ = end == std::string_view::npos ? text_.size() : end;
}

void YamlSource::check_characters() const {
  int line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text_.size();) {
    const unsigned char c = static_cast<unsigned char>(text_[i]);
    const std::size_t n = utf8_length(text_, i);
    const bool line_end = c == '\n' || (c == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n');
    const bool control = (c < 0x20 && c != '\t' && !line_end) || c == 0x7F;
    if (n == 0 || control) {
      const Where spot{file_, line, 1 + count_characters(text_.substr(start, i - start))};
      if (c == 0) throw InputError(spot, "a zero byte: this is not a text file. A model file is YAML text");
      throw InputError(spot, n == 0 ? "this is not UTF-8 text. A model file is YAML text; save it as UTF-8"
                                    : "a control character (code " + std::to_string(c) + ") in the text. Delete it");
    }
    i += n;
    if (c == '\n') {
      ++line;
      start = i;
    }
  }
}

bool YamlSource::blank_at(std::size_t ahead) const {
  if (pos_ + ahead >= text_.size()) return true;
  const char c = text_[pos_ + ahead];
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void YamlSource::next_line() {
  if (line_end_ < text_.size()) ++line_;
  pos_ = line_start_ = counted_to_ = std::min(line_end_ + 1, text_.size());
  counted_ = 0;
  find_line_end();
}

void YamlSource::skip_spaces() {
  while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\t' || text_[pos_] == '\r')) ++pos_;
}

void YamlSource::skip_to_content(bool inside_flow) {
  while (!at_end()) {
    const std::size_t start = pos_;
    const bool new_line = at_line_start();
    skip_spaces();
    if (at_end()) return;
    const bool behind_blank = pos_ == line_start_ || text_[pos_ - 1] == ' ' || text_[pos_ - 1] == '\t';
    if (text_[pos_] == '\n' || (text_[pos_] == '#' && behind_blank)) {
      next_line();
      continue;
    }
    if (new_line && !inside_flow && between(start, pos_).find('\t') != std::string_view::npos)
      throw InputError(where_at(start), "a tab in the indentation. Indent with spaces");
    return;
  }
}

std::string_view YamlSource::rest_of_line() const {
  std::string_view rest = between(pos_, line_end_);
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

Where YamlSource::where_at(std::size_t pos) const {
  if (pos < counted_to_) counted_to_ = line_start_, counted_ = 0;
  pos = std::max(pos, line_start_);
  counted_ += count_characters(between(counted_to_, pos));
  counted_to_ = pos;
  return {file_, line_, 1 + counted_};
}

}  // namespace bristle
