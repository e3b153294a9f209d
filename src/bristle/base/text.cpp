#include "bristle/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace bristle {

namespace {

constexpr std::size_t kLongestWord = 64;  // longer words are not typing errors

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b; upper and lower case are alike.
int edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<int, kLongestWord + 1>, 3> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& now = row[i % 3];
    const auto& before = row[(i - 1) % 3];
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        now[j] = std::min(now[j], row[(i - 2) % 3][j - 2] + 1);
    }
  }
  return row[a.size() % 3][b.size()];
}

bool starts_with_alike(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         std::equal(start.begin(), start.end(), text.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return "";
  std::string_view best, longer;
  // one error in short words, one in three letters in long ones; a single letter must agree but for its case
  const int allowed = word.size() < 2 ? 0 : std::max(1, static_cast<int>(word.size()) / 3);
  int best_distance = allowed + 1;
  for (std::string_view c : candidates) {
    if (c.empty() || c.size() > kLongestWord) continue;
    const int d = edit_distance(word, c);
    if (d < best_distance) {
      best = c;
      best_distance = d;
    }
    const bool extends = word.size() >= 3 && (starts_with_alike(c, word) || (c.size() >= 3 && starts_with_alike(word, c)));
    if (extends && longer.empty()) longer = c;
  }
  return std::string(best.empty() ? longer : best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : " Did you mean '" + near + "'?";
}

std::string known_names(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t kShown = 20;
  if (names.empty()) return "";
  const std::size_t shown = std::min(names.size(), kShown);
  return did_you_mean(word, names) + " Known: " + join_words(names.first(shown)) +
         (names.size() > shown ? " and " + std::to_string(names.size() - shown) + " more" : "");
}

std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  std::string text(buffer.data(), end);
  // 1e+05 -> 1e5, 1e-05 -> 1e-5
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    std::size_t i = e + 1;
    if (text[i] == '+') text.erase(i, 1);
    if (text[i] == '-') ++i;
    while (i + 1 < text.size() && text[i] == '0') text.erase(i, 1);
  }
  return text;
}

bool is_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double x = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), x);
  return !text.empty() && end.ec == std::errc() && end.ptr == text.data() + text.size();
}

bool wildcard_match(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string join_words(std::span<const std::string_view> words, std::string_view separator) {
  std::string text;
  for (std::string_view w : words) {
    if (!text.empty()) text += separator;
    text += w;
  }
  return text;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return std::string(text.substr(0, limit)) + "...";
}

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), inner);
}

int count_characters(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace bristle
