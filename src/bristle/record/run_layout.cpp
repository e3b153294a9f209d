#include "bristle/record/run_layout.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "bristle/record/scene.h"

namespace bristle {

namespace {

// a slash would open a group, and "." means the group itself
std::string part(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '/', '|');
  return result.find_first_not_of('.') == std::string::npos ? "_" + result : result;
}

std::string frame_path(std::string_view body) { return "/frames/" + part(body); }

std::string channel_path(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return "/channels/" + part(name);
  if (name.substr(0, dot) == "energy") return "/energy/" + part(name.substr(dot + 1));
  return "/channels/" + part(name.substr(0, dot)) + "/" + part(name.substr(dot + 1));
}

// "7", not "07" or "+7": a number has one way to be written
bool is_digits(std::string_view text) {
  return !text.empty() && text.size() <= 9 && (text[0] != '0' || text.size() == 1) &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Collects names into sets, in the order in which they come first.
class Gathering {
 public:
  explicit Gathering(std::string (*path_of)(std::string_view)) : path_of_(path_of) {}

  void add_alone(const std::string& name, std::size_t member) { sets_.push_back({path_of_(name), name, {member}, {}}); }
  /// The path of `short_name()` is taken where nobody else wants it.
  template <class ShortName>
  void add(std::string pattern, std::string label, std::size_t member, ShortName&& short_name) {
    const auto [found, is_new] = known_.try_emplace(pattern, sets_.size());
    if (is_new) sets_.push_back({path_of_(short_name()), std::move(pattern), {}, {}});
    SampleSet& set = sets_[found->second];
    set.members.push_back(member);
    set.labels.push_back(std::move(label));
  }
  std::vector<SampleSet> finish() {
    std::unordered_map<std::string, int> wanted;
    for (const SampleSet& s : sets_) ++wanted[s.path];
    for (SampleSet& s : sets_)
      if (s.is_gathered() && wanted[s.path] > 1) s.path = path_of_(s.name);
    return std::move(sets_);
  }

 private:
  std::string (*path_of_)(std::string_view);
  std::vector<SampleSet> sets_;
  std::unordered_map<std::string, std::size_t> known_;
};

}  // namespace

std::optional<NumberedName> numbered_name(std::string_view name) {
  const auto is_word = [](std::string_view text) { return !text.empty() && !is_digits(text); };
  std::string_view before, here;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string_view after = name.substr(at, end - at);
    if (is_digits(here) && is_word(before) && is_word(after)) {
      NumberedName result;
      std::from_chars(here.data(), here.data() + here.size(), result.number);
      const auto start = static_cast<std::size_t>(here.data() - name.data());
      result.pattern.append(name.substr(0, start)).append("*").append(name.substr(start + here.size()));
      return result;
    }
    before = here;
    here = after;
    at = end + 1;
  }
  return std::nullopt;
}

std::vector<SampleSet> channel_sets(const std::vector<Channel>& channels, bool gather) {
  Gathering sets(channel_path);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    auto numbered = gather ? numbered_name(name) : std::nullopt;
    if (!numbered) {
      sets.add_alone(name, i);
      continue;
    }
    const auto without_number = [&] {
      std::string text = numbered->pattern;
      return text.erase(text.find(".*."), 2);
    };
    sets.add(numbered->pattern, std::to_string(numbered->number), i, without_number);
  }
  return sets.finish();
}

std::vector<SampleSet> frame_sets(const std::vector<BodyInfo>& bodies, bool gather) {
  Gathering sets(frame_path);
  std::size_t moving = 0;
  for (const BodyInfo& b : bodies) {
    if (!is_moving(b)) continue;
    const std::size_t dot = b.name.rfind('.');
    if (!gather || dot == std::string::npos || dot == 0 || dot + 1 == b.name.size()) {
      sets.add_alone(b.name, moving++);
      continue;
    }
    const std::string beam = b.name.substr(0, dot);
    sets.add(beam + ".*", b.name.substr(dot + 1), moving++, [&] { return beam; });
  }
  return sets.finish();
}

}  // namespace bristle
