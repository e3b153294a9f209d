// Runs a model into memory: a block slides to rest, after v^2 / (2 mu g). First all at once, then step by step.
#include <bristle/record/memory_sink.h>
#include <bristle/study/plans.h>
#include <bristle/study/study.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* kModel = R"(
bristle: 1
bodies:
  block: {type: mass, mass: 2 kg, velocity: 1 m/s}
joints:
  floor: {type: sliding, on: block, load: 19.62 N, friction: {type: coulomb, mu_kinetic: 0.25}}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince}}
)";
constexpr double kExpected = 1.0 / (2 * 0.25 * 9.81);

bool is_right(const char* way, double got) {
  std::printf("%s: the block came to rest after %.9f m, expected %.9f m\n", way, got, kExpected);
  return std::abs(got - kExpected) < 1e-6;
}

bool run_into_memory() {
  bristle::Study study(bristle::read_model_text(kModel, "block.yaml"));
  bristle::MemorySink results;
  const auto result = study.run(results);
  std::fputs(result->text().c_str(), stdout);
  return result->exit_code() == bristle::kOk && is_right("in memory", results.channel("block.position").back());
}

bool run_by_hand() {
  const bristle::Model model = bristle::read_model_text(kModel, "block.yaml");
  const bristle::System system = bristle::assemble(model);
  const bristle::TransientPlan plan = bristle::plan_transient(model);
  const auto run = bristle::make_run(model, system, plan);
  run->start(system.make_state());
  if (!run->advance_to(plan.end)) {
    std::puts(run->message().c_str());
    return false;
  }
  return is_right("by hand", run->state().q()[0]);
}

}  // namespace

int main() {
  const bool in_memory = run_into_memory(), by_hand = run_by_hand();
  return in_memory && by_hand ? 0 : 1;
}
