// Assembles a model from a text and runs it: a block slides to rest, after v^2 / (2 mu g).
#include <bristle/assemble/assemble.h>

#include <cmath>
#include <cstdio>

int main() {
  const bristle::Model model = bristle::read_model_text(R"(
bristle: 1
bodies:
  block: {type: mass, mass: 2 kg, velocity: 1 m/s}
joints:
  floor: {type: sliding, on: block, load: 19.62 N, friction: {type: coulomb, mu_kinetic: 0.25}}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince}}
)",
                                                        "block.yaml");
  bristle::check_model(model);
  const bristle::System system = bristle::assemble(model);
  const bristle::TransientPlan plan = bristle::plan_transient(model);
  const auto run = bristle::make_run(model, system, plan);
  run->start(system.make_state());
  if (!run->advance_to(plan.end)) {
    std::puts(run->message().c_str());
    return 1;
  }
  const double expected = 1.0 / (2 * 0.25 * 9.81), got = run->state().q()[0];
  std::printf("the block came to rest after %.9f m, expected %.9f m\n", got, expected);
  return std::abs(got - expected) < 1e-6 ? 0 : 1;
}
