#pragma once
#include <string>
#include <string_view>

#include "bristle/base/error.h"

namespace bristle {

/// The characters of a YAML text with a position that moves forward, line by line.
class YamlSource {
 public:
  /// Refuses what is not text: zero bytes, control characters, broken UTF-8, UTF-16.
  YamlSource(std::string_view text, std::string file);

  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  bool at_line_end() const { return at_end() || text_[pos_] == '\n'; }
  /// Is the character `ahead` a blank, a line end or the end of the text?
  bool blank_at(std::size_t ahead) const;
  bool looking_at(std::string_view word) const { return text_.substr(pos_, word.size()) == word; }
  bool at_line_start() const { return pos_ == line_start_; }

  void advance(std::size_t bytes = 1) { pos_ += bytes; }  ///< inside a line
  void next_line();                                       ///< from anywhere in a line to the start of the next
  void skip_spaces();                                     ///< blanks of this line, tabs too
  /// Over blanks, comments and empty lines to the next content. Tabs before block content are refused.
  void skip_to_content(bool inside_flow);
  /// The rest of the current line from the position on, without the line end.
  std::string_view rest_of_line() const;

  std::size_t pos() const { return pos_; }
  std::string_view between(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }
  int line() const { return line_; }
  int indent() const { return static_cast<int>(pos_ - line_start_); }  ///< bytes before the position in its line
  Where here() const { return where_at(pos_); }
  Where where_at(std::size_t pos) const;  ///< of a position in the current line
  const std::string& file() const { return file_; }

  [[noreturn]] void fail(const std::string& sentence) const { throw InputError(here(), sentence); }

 private:
  void check_characters() const;
  void find_line_end();

  std::string_view text_;
  std::string file_;
  std::size_t pos_ = 0, line_start_ = 0, line_end_ = 0;
  int line_ = 1;
  // columns are counted on from the last one asked for: very long lines stay cheap
  mutable std::size_t counted_to_ = 0;
  mutable int counted_ = 0;
};

}  // namespace bristle
