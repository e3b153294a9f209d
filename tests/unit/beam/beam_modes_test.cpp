// Small vibrations of beams against closed forms and against published frequencies.
#include <cmath>

#include "beam_models.h"
#include "bristle/analyse/modes.h"

namespace bristle {
namespace {

using namespace test;

const double kPi = std::acos(-1.0);

std::vector<double> frequencies(const System& system) {
  std::vector<double> list;
  for (const LinearMode& m : calc_modes(system, system.make_state()).modes) list.push_back(m.frequency);
  std::sort(list.begin(), list.end());
  return list;
}

/// Slender: shear and rotary inertia do not count. Distinct bending stiffnesses tell the planes apart.
std::string slender(int elements, const std::string& joints) {
  return "sections:\n  s: {type: general, EA: 1e7, GA2: 1e7, GJ: 1e3, EI2: 4, EI3: 1, mass_per_length: 1, rotary_inertia: [2e-6, 1e-6, 1e-6]}\n"
         "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], up: y, elements: " +
         std::to_string(elements) + ", section: s}\njoints:\n" + joints;
}

TEST(BeamModes, cantilever) {
  const double exact = 3.5160152685;  // cos(b) cosh(b) = -1, b^2
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const auto w =
        frequencies(system_of(slender(8 << i, "  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n")));
    error[i] = w[0] - exact;
    EXPECT_NEAR(w[1], 2 * w[0], 1e-4 * w[1]);  // the stiff plane
  }
  // lumped masses: second order
  EXPECT_LT(std::abs(error[0]), 0.01 * exact);
  EXPECT_NEAR(error[0] / error[1], 4, 0.15);
  EXPECT_NEAR(error[1] - (error[0] - error[1]) / 3, 0, 2e-5 * exact);
}

TEST(BeamModes, pinned_at_both_ends) {
  const auto w =
      frequencies(system_of(slender(10,
                                    "  left: {type: spherical, between: [ground, rod.start], at: [0, 0, 0]}\n"
                                    "  right: {type: point_on_line, between: [ground, rod.tip], at: [1, 0, 0], axis: x}\n")));
  // the turn about its own axis is free
  EXPECT_LT(std::abs(w[0]), 1e-3);
  EXPECT_NEAR(w[1], kPi * kPi, 2e-4 * w[1]);
  EXPECT_NEAR(w[2], 2 * kPi * kPi, 2e-4 * w[2]);
  EXPECT_NEAR(w[3], 4 * kPi * kPi, 2e-3 * w[3]);
}

/// Shaft with a disk at mid-span, clamped at one end and pinned at the other; digits of an independent program with the same element.
TEST(BeamModes, rotor_shaft_with_a_disk) {
  const auto shaft = [](int elements, bool residual) {
    return frequencies(system_of(
        "sections:\n  s: {type: general, EA: 22.7 MN, GA2: 2 MN, GJ: 22.1e3, EI2: 28.2e3, EI3: 28.7e3, mass_per_length: 0.848, "
        "rotary_inertia: [\"0.848*0.05^2\", \"0.848*0.05^2/2\", \"0.848*0.05^2/2\"]}\n"
        "bodies:\n  shaft: {type: beam, from: [0, 0, 0], to: [6, 0, 0], section: s, elements: " +
        std::to_string(elements) + (residual ? "" : ", residual_flexibility: false") +
        "}\n  disk: {type: rigid, mass: 5, inertia: [\"2.5*0.015^2\", \"1.25*0.015^2\", \"1.25*0.015^2\"], position: [3, 0, 0]}\n"
        "joints:\n  clamp: {type: fixed, between: [ground, shaft.start], at: [0, 0, 0]}\n"
        "  pin: {type: point_on_line, between: [ground, shaft.tip], at: [6, 0, 0], axis: x}\n"
        "  hub: {type: fixed, between: [shaft, disk], at: [3, 0, 0]}\n"));
  };
  const auto coarse = shaft(8, true), fine = shaft(16, true), plain = shaft(8, false);
  EXPECT_NEAR(coarse[0], 44.06613432, 2e-7);
  EXPECT_NEAR(coarse[1], 44.45059922, 2e-7);
  EXPECT_NEAR(fine[0], 44.06824385, 2e-7);
  EXPECT_NEAR(fine[1], 44.45274652, 2e-7);
  EXPECT_NEAR(plain[0], 44.92248433, 2e-7);
  EXPECT_NEAR(plain[1], 45.31424157, 2e-7);
}

TEST(BeamModes, damping_is_a_time) {
  const System system = assemble(read_model_text(
      "bristle: 1\nsections:\n  s: {type: general, EA: 1e5, GA2: 1e5, GJ: 1e3, EI2: 4, EI3: 1, mass_per_length: 1}\n"
      "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], up: y, elements: 4, section: s, damping: 1 ms}\n"
      "joints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\nanalysis: {type: modes}\n",
      "model"));
  const ModesResult result = calc_modes(system, system.make_state());
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(result.modes[k].damping_ratio, 0.5e-3 * result.modes[k].frequency, 1e-6 * result.modes[k].frequency);
}

}  // namespace
}  // namespace bristle
