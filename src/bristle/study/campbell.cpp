#include "bristle/study/campbell.h"

#include "bristle/base/text.h"
#include "bristle/study/json_text.h"
#include "bristle/study/rotation.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

class CampbellSummary final : public AnalysisResult {
 public:
  CampbellResult result;

  std::string text(const ResultPlace& place) const override {
    return title + "\n" + campbell_text(result) + place_text(place, "run.h5, campbell.json");
  }
  std::string json(const ResultPlace&) const override {
    Json modes = Json::array(), critical = Json::array();
    const std::size_t count = result.modes.empty() ? 0 : result.modes[0].size();
    for (std::size_t k = 0; k < count; ++k) {
      Json frequency = Json::array(), growth = Json::array(), ratio = Json::array(), whirl = Json::array();
      for (const auto& at : result.modes) {
        frequency.push_back(at[k].s.imag());
        growth.push_back(at[k].s.real());
        ratio.push_back(damping_ratio_of(at[k]));
        whirl.push_back(at[k].whirl);
      }
      modes.push_back({{"angular_frequency", frequency}, {"growth", growth}, {"damping_ratio", ratio}, {"whirl", whirl}});
    }
    for (const CriticalSpeed& c : result.critical)
      critical.push_back(
          {{"speed", c.speed}, {"order", c.order}, {"whirl", c.whirl}, {"across", c.across}, {"largest", c.largest}});
    return json_text({{"title", title},
                      {"frame", result.frame == RotationFrame::turning ? "turning" : "stationary"},
                      {"speeds", result.speeds},
                      {"modes", modes},
                      {"critical_speeds", critical}});
  }
  std::vector<ResultFile> files() const override { return {text_file("campbell.json", json({}))}; }
};

/// Rising: {from, to, count}, or a list.
std::vector<double> read_speeds(Reader& reader, const Scope& scope) {
  std::vector<double> list;
  const Node& speeds = reader.child("speeds", "speeds of rotation, for example {from: 0, to: 3000 rpm, count: 31}");
  if (!speeds.is_map()) {
    reader.list("speeds", list, unit::radian_per_second, any, "speeds of rotation");
    if (list.size() < 2) reader.fail("speeds", "a list of speeds needs at least two, rising");
    for (std::size_t k = 1; k < list.size(); ++k) {
      if (!(list[k] > list[k - 1])) reader.fail("speeds", "a list of speeds must rise");
    }
    return list;
  }
  Reader inner(speeds, scope, {"analysis: speeds", {}});
  const double from = inner.number("from", unit::radian_per_second, any, "lowest speed"),
               to = inner.number("to", unit::radian_per_second, any, "highest speed");
  int count = 31;
  inner.integer("count", count, 2, 100000, "number of speeds");
  inner.finish();
  if (!(to > from))
    inner.fail("to", "the highest speed must be above the lowest (" + number_text(from) + " rad/s), got " + number_text(to) +
                         " [rad/s]");
  for (int k = 0; k < count; ++k) list.push_back(from + (to - from) * k / (count - 1));
  return list;
}

}  // namespace

void CampbellAnalysis::visit(Keys& keys) {
  keys.form("speeds", "speeds", "", "of rotation: {from, to, count}, or a list [rad/s]",
            [&](Reader& reader, const Scope& scope) { plan_.speeds = read_speeds(reader, scope); });
  keys.list("orders", plan_.orders, unit::one, non_negative, "1, in the turning frame 0",
            "of critical speeds: forces that turn so many times as fast as the rotor, as seen in the frame");
  keys.integer("modes", plan_.modes, 1, 1000, "that are followed, the lowest ones");
  keys.number("time", plan_.time, unit::second, any, "0 s", "for loads and drives that change with t");
  visit_rotation(keys, plan_.axis);
  if (!keys.has("orders")) plan_.orders = {plan_.axis.frame == RotationFrame::turning ? 0.0 : 1.0};
}

void CampbellAnalysis::check(const Assembled& a) { check_still(a.model, a.system, plan_.axis); }

std::unique_ptr<AnalysisResult> CampbellAnalysis::run(const Assembled& a, Sink& sink, const RunControl& control) {
  auto summary = std::make_unique<CampbellSummary>();
  summary->result = calc_campbell(a.system, plan_);
  record_campbell(a.system, summary->result, control.header, sink);
  return summary;
}

CampbellPlan plan_campbell(const Model& model) { return read_analysis<CampbellAnalysis>(model).plan(); }

}  // namespace bristle
