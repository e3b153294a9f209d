#pragma once
#include <fmt/format.h>

#include "bristle/study/analysis.h"

namespace bristle {

/// Kinetic and stored energy of a model at its start.
class StartEnergy final : public Analysis {
 public:
  static constexpr const char* kName = "start_energy";
  static constexpr const char* kSummary = "kinetic and stored energy at the start";
  static constexpr const char* kExample = "analysis: {type: start_energy}\n";
  static constexpr const char* kPage = "Energies count from the rest positions of springs; weights from the height zero.\n";

  struct Found final : AnalysisResult {
    Energy energy;
    std::string text(const ResultPlace& place) const override {
      return fmt::format("{}\n  kinetic {:g} J, stored {:g} J\n", title, energy.kinetic, energy.stored) +
             place_text(place, "run.h5");
    }
    std::string json(const ResultPlace&) const override {
      return fmt::format("{{\"kinetic\": {:.17g}, \"stored\": {:.17g}}}\n", energy.kinetic, energy.stored);
    }
  };

  void visit(Keys& keys) override { keys.number("time", time_, unit::second, any, "0 s", "for drives that change with t"); }

  std::unique_ptr<AnalysisResult> run(const Assembled& assembled, Sink& sink, const RunControl& control) override {
    const System& system = assembled.system;
    State x = system.make_state();
    system.set_time(x, time_);
    Workspace work = system.make_workspace();
    auto found = std::make_unique<Found>();
    found->energy = system.calc_energy(x, work);

    RunHeader header = control.header;
    header.channels = {{"energy.kinetic", "J", "kinetic energy"}, {"energy.stored", "J", "energy of springs and weights"}};
    sink.begin(header);
    const double values[] = {found->energy.kinetic, found->energy.stored};
    sink.sample(x.t, values);
    RunStatus status;
    status.end = found->end = RunStatus::End::finished;
    sink.end(status);
    return found;
  }

 private:
  double time_ = 0;  // [s]
};

}  // namespace bristle
