#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle {

/// The candidate that a mistyped word most likely meant; empty when none is near.
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);
/// " Did you mean 'clearance'?", or "" when no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// The same for any container of texts.
template <class Candidates>
std::string nearest(std::string_view word, const Candidates& candidates) {
  const std::vector<std::string_view> views(std::begin(candidates), std::end(candidates));
  return nearest(word, std::span<const std::string_view>(views));
}
template <class Candidates>
std::string did_you_mean(std::string_view word, const Candidates& candidates) {
  const std::vector<std::string_view> views(std::begin(candidates), std::end(candidates));
  return did_you_mean(word, std::span<const std::string_view>(views));
}
/// The same, and what names there are: " Did you mean 'pin.angle'? Known: pin.angle, rod.angle"; of many the first ones.
std::string known_names(std::string_view word, std::span<const std::string_view> names);
template <class Names>
std::string known_names(std::string_view word, const Names& names) {
  const std::vector<std::string_view> views(std::begin(names), std::end(names));
  return known_names(word, std::span<const std::string_view>(views));
}

/// Shortest text that reads back to the same number: "0.1", "1e5", "-2.5e-7".
std::string number_text(double x);

/// Is all of the text one number, without a unit?
bool is_number(std::string_view text);

/// Does the name fit the pattern? `*` stands for any characters (dots too), `?` for one: "pin.*", "*.gap".
bool wildcard_match(std::string_view pattern, std::string_view name);

/// "a, b, c"
std::string join_words(std::span<const std::string_view> words, std::string_view separator = ", ");
/// Without blanks at both ends.
std::string_view trim(std::string_view text);
/// At most `limit` bytes for use in a message, cut at a character with "..." behind it.
std::string shortened(std::string_view text, std::size_t limit = 60);
/// A name usable in expressions: a letter or _, then letters, digits, _.
bool is_identifier(std::string_view text);
/// Number of characters (not bytes) of UTF-8 text.
int count_characters(std::string_view text);

}  // namespace bristle
