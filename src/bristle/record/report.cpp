#include "bristle/record/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "bristle/record/decimate.h"
#include "bristle/record/file.h"
#include "bristle/record/run_layout.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

using Json = nlohmann::ordered_json;
using Indices = std::vector<std::size_t>;

constexpr int kDigits = 9;      // more than a plot or a readout shows
constexpr int kPoseDigits = 7;  // more than a picture shows
constexpr std::size_t kMostFrames = 1500, kFewestFrames = 200;
constexpr std::size_t kMostPoseNumbers = 400'000;  // of all bodies and frames: about four megabytes
constexpr std::size_t kMostNumbered = 20, kShownNumbered = 11;
constexpr std::size_t kMostNumbers = 2'000'000, kFewestPoints = 200;  // of all channels: about twenty megabytes
constexpr std::string_view kSlot = "\"BRISTLE_DATA\"";
constexpr const char* kEnergy[] = {"kinetic", "stored", "supplied", "dissipated", "numerical", "residual"};

double rounded(double x, int digits = kDigits) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits).ptr;
  std::from_chars(text, end, x);
  return x;
}

// a missing value, or one that is no number, is null
Json number(double x) { return std::isfinite(x) ? Json(rounded(x)) : Json(nullptr); }

Json numbers(const std::vector<double>& values, const Indices& at) {
  Json list = Json::array();
  for (const std::size_t i : at) list.push_back(number(values[i]));
  return list;
}

// times keep all digits, so that they stay ascending
Json times(const std::vector<double>& values, const Indices& at) {
  Json list = Json::array();
  for (const std::size_t i : at) list.push_back(values[i]);
  return list;
}

template <class Pairs>
Json pairs(const Pairs& items) {
  Json list = Json::array();
  for (const auto& [name, value] : items) list.push_back(Json::array({name, value}));
  return list;
}

bool is_energy_section(std::string_view name) {
  return std::any_of(std::begin(kEnergy), std::end(kEnergy),
                     [&](const char* part) { return name == fmt::format("energy.{}", part); });
}

// Of many channels that differ in a number alone the ends and some between; those of friction places all.
Indices shown_channels(const std::vector<Channel>& channels, const std::vector<PlaceInfo>& all_places) {
  std::unordered_set<std::string_view> places;
  for (const PlaceInfo& p : all_places) places.insert(p.name);
  const std::vector<SampleSet> sets = channel_sets(channels, true);
  std::vector<bool> shown(channels.size(), false);
  for (const SampleSet& s : sets) {
    const std::size_t n = s.members.size();
    const auto keep = [&](std::size_t i) { shown[s.members[i]] = true; };
    for (std::size_t i = 0; i < n; ++i) {
      const std::string_view name = channels[s.members[i]].name;
      if (n <= kMostNumbered || places.contains(name.substr(0, name.rfind('.')))) keep(i);
    }
    for (std::size_t k = 0; n > kMostNumbered && k < kShownNumbered; ++k) keep(k * (n - 1) / (kShownNumbered - 1));
  }
  Indices at;
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (shown[i]) at.push_back(i);
  return at;
}

Json channels(const RunFile& run, const Indices& at) {
  Json list = Json::array();
  for (const RunChannel& c : run.channels) {
    if (is_energy_section(c.channel.name)) continue;
    const std::string& name = c.channel.name;
    const std::size_t dot = name.find('.');
    list.push_back({{"name", name},
                    {"element", dot == std::string::npos ? "" : name.substr(0, dot)},
                    {"quantity", dot == std::string::npos ? name : name.substr(dot + 1)},
                    {"unit", c.channel.unit},
                    {"text", c.channel.text},
                    {"values", numbers(c.values, at)}});
  }
  return list;
}

// "shoe.slip", or "shoe.slip.1", "shoe.slip.2" where there are several components
Json components(const RunFile& run, const PlaceInfo& place, const char* quantity) {
  Json list = Json::array();
  const std::string name = fmt::format("{}.{}", place.name, quantity);
  if (run.find(name)) {
    list.push_back(name);
    return list;
  }
  for (int i = 1; i <= place.components; ++i) {
    const std::string part = fmt::format("{}.{}", name, i);
    if (!run.find(part)) break;
    list.push_back(part);
  }
  return list;
}

Json places(const RunFile& run) {
  Json list = Json::array();
  for (const PlaceInfo& p : run.header.places) {
    const std::string mode = p.name + ".mode";
    Json place = {{"name", p.name}, {"law", p.law}, {"components", p.components}};
    for (const char* quantity : {"slip", "friction_force", "travel"}) place[quantity] = components(run, p, quantity);
    place["mode"] = run.find(mode) ? mode : "";
    list.push_back(std::move(place));
  }
  return list;
}

Json energy(const RunFile& run, const Indices& at) {
  Json section = Json::object();
  for (const char* part : kEnergy) {
    const RunChannel* c = run.find(fmt::format("energy.{}", part));
    if (c) section[part] = numbers(c->values, at);
  }
  if (section.empty()) return section;
  for (const char* part : kEnergy)
    if (!section.contains(part)) section[part] = Json(at.size(), nullptr);
  section["accounts"] = Json::array();
  for (const RunChannel& c : run.channels)
    for (const std::string_view kind : {"dissipated", "supplied"}) {
      const std::string_view name = c.channel.name;
      if (name.starts_with("energy.") || name.size() <= kind.size() || !name.ends_with(kind) ||
          name[name.size() - kind.size() - 1] != '.')
        continue;
      section["accounts"].push_back(
          {{"name", name.substr(0, name.size() - kind.size() - 1)}, {"kind", kind}, {"values", numbers(c.values, at)}});
    }
  return section;
}

Json solver(const RunFile& run, int max_points) {
  std::vector<double> time, step;
  for (const RunStep& s : run.steps) {
    time.push_back(s.t);
    step.push_back(s.h);
  }
  const std::vector<double>* series[] = {&step};
  const Indices at = thin(time.size(), series, max_points);
  return {{"integrator", run.header.integrator},
          {"counts", pairs(run.status.counts)},
          {"time", times(time, at)},
          {"step", numbers(step, at)},
          {"reasons", pairs(run.status.reasons)}};
}

// bodies and joints as the file describes them, and where the bodies are
Json scene(const RunFile& run) {
  if (run.frames.empty()) return {};
  const std::size_t per_frame = kPose * run.frames.size();
  const std::size_t most = std::clamp(kMostPoseNumbers / per_frame, kFewestFrames, kMostFrames);
  const Indices at = thin(run.time.size(), {}, static_cast<int>(most));
  Json section = Json::parse(scene_text(run.header.bodies, run.header.joints));
  section["t"] = times(run.time, at);
  section["poses"] = Json::object();
  for (const RunFrames& f : run.frames) {
    Json list = Json::array();
    for (const std::size_t i : at)
      for (std::size_t k = 0; k < kPose; ++k) {
        const double x = f.poses[i * kPose + k];
        list.push_back(std::isfinite(x) ? Json(rounded(x, kPoseDigits)) : Json(nullptr));
      }
    section["poses"][f.body] = std::move(list);
  }
  return section;
}

/// Samples along something that falls on the way, as the load of a static path does, are shown one after the other, and that is a channel.
bool falls(const RunFile& run) { return run.header.axis != "time" && !std::is_sorted(run.time.begin(), run.time.end()); }
RunFile over_points(RunFile run) {
  run.channels.insert(run.channels.begin(), {{run.header.axis, run.header.axis_unit, "what the samples go along"}, run.time});
  run.header.channels.insert(run.header.channels.begin(), run.channels[0].channel);
  for (std::size_t i = 0; i < run.time.size(); ++i) run.time[i] = static_cast<double>(i);
  run.header.axis = "point";
  run.header.axis_unit = "";
  return run;
}

RunFile only(RunFile run, const Indices& shown) {
  for (std::size_t i = 0; i < shown.size(); ++i) std::swap(run.channels[i], run.channels[shown[i]]);
  run.channels.resize(shown.size());
  return run;
}

// Nothing in the data may end the script element that holds it, nor open a comment in it.
std::string safe_in_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char next = i + 1 < json.size() ? json[i + 1] : '\0';
    if (json[i] == '<' && next == '!') {
      safe += "\\u003c";
    } else {
      safe += json[i];
      if (json[i] == '<' && next == '/') safe += '\\';
    }
  }
  return safe;
}

}  // namespace

RunFile read_run_for_report(const std::string& path) {
  return read_run(
      path, [](const RunFile& run) { return shown_channels(run.header.channels, run.header.places); }, true);
}

std::string report_data(const RunFile& run, int max_points) {
  if (falls(run)) return report_data(over_points(run), max_points);
  std::vector<Channel> there;
  for (const RunChannel& c : run.channels) there.push_back(c.channel);
  if (const Indices shown = shown_channels(there, run.header.places); shown.size() < there.size())
    return report_data(only(run, shown), max_points);
  const std::size_t fitting = kMostNumbers / std::max<std::size_t>(run.channels.size(), 1);
  max_points = std::min(max_points, static_cast<int>(std::clamp(fitting, kFewestPoints, std::size_t{1} << 30)));
  std::vector<const std::vector<double>*> series;
  for (const RunChannel& c : run.channels) series.push_back(&c.values);
  const Indices at = thin(run.time.size(), series, max_points);
  const Indices events = thin(run.events.size(), {}, 5 * max_points);

  Json data = {{"format", 1},
               {"title", run.header.title},
               {"program", run.header.program},
               {"command", run.header.command},
               {"created", run.header.created},
               {"input", run.header.model_text},
               {"summary", pairs(run.status.summary)}};
  // what is not shown is said
  if (at.size() < run.time.size())
    data["summary"].push_back({"samples shown", fmt::format("{} of {}", at.size(), run.time.size())});
  if (run.channels.size() < run.header.channels.size())
    data["summary"].push_back({"channels shown", fmt::format("{} of {}; the rest by 'bristle plot' or 'bristle convert'",
                                                             run.channels.size(), run.header.channels.size())});
  if (events.size() < run.events.size())
    data["summary"].push_back({"events shown", fmt::format("{} of {}", events.size(), run.events.size())});

  const bool running = run.status.end == RunStatus::End::running;
  data["status"] = name_of(running ? RunStatus::End::interrupted : run.status.end);
  data["message"] = running && run.status.message.empty()
                        ? "The run was still going on when this report was made, or it was killed."
                        : run.status.message;
  data["time"] = times(run.time, at);
  data["axis"] = {{"name", run.header.axis}, {"unit", run.header.axis_unit}};
  data["channels"] = channels(run, at);
  data["places"] = places(run);
  if (Json section = energy(run, at); !section.empty()) data["energy"] = std::move(section);
  data["events"] = Json::array();
  for (const std::size_t i : events)
    data["events"].push_back({{"t", run.events[i].t}, {"element", run.events[i].element}, {"what", run.events[i].what}});
  data["solver"] = solver(run, max_points);
  if (Json section = scene(run); !section.empty()) data["scene"] = std::move(section);
  // text that is not UTF-8 is shown with a replacement character
  return safe_in_script(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void write_report(const RunFile& run, const std::string& path) {
  const std::string_view page = report_template();
  const std::size_t slot = page.find(kSlot);
  if (slot == std::string_view::npos) throw std::logic_error("the template of the report has no place for the data");
  WholeFile file(path);
  file.put(page.substr(0, slot));
  file.put(report_data(run));
  file.put(page.substr(slot + kSlot.size()));
  file.commit();
}

}  // namespace bristle
