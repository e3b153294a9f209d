// Contact laws as they stand in a model file.
#include "bristle/assemble/contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/base/error.h"
#include "bristle/input/yaml.h"
#include "bristle/model/scope.h"

namespace bristle {
namespace {

double force_of(const std::string& text, double depth, double rate = 0) {
  const Node node = read_yaml_text(text, "m.yaml");
  std::string name;
  const std::unique_ptr<ContactLaw> law = read_contact(node, ParameterScope(), "joint 'pin'", name);
  double marks[4] = {};
  return law->force(depth, rate, marks);
}
std::string refusal(const std::string& text) {
  const Node node = read_yaml_text(text, "m.yaml");
  std::string name;
  try {
    read_contact(node, ParameterScope(), "joint 'pin'", name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
void refuses(const std::string& text, const std::string& words) {
  EXPECT_NE(refusal(text).find(words), std::string::npos) << text << "\n" << refusal(text);
}

TEST(ReadContact, has_a_stiffness_whose_unit_follows_the_exponent) {
  const double d = 1e-5;
  EXPECT_NEAR(force_of("{type: hertz, stiffness: 66 GN/m^1.5}", d), 66e9 * std::pow(d, 1.5), 1e-9);
  EXPECT_NEAR(force_of("{type: hertz, stiffness: 66 GN/m^(3/2)}", d), 66e9 * std::pow(d, 1.5), 1e-9);
  EXPECT_NEAR(force_of("{type: hertz, stiffness: 66e9}", d), 66e9 * std::pow(d, 1.5), 1e-9);
  // whatever the order of the keys
  EXPECT_NEAR(force_of("{type: hertz, stiffness: 5 GN/m^1.3, exponent: 1.3}", d), 5e9 * std::pow(d, 1.3), 1e-9);
  EXPECT_NEAR(force_of("{type: hertz, stiffness: 50 MN/m, exponent: 1}", d), 500, 1e-9);
  EXPECT_NEAR(force_of("{type: hertz, exponent: 1.5, stiffness: 2 kN/mm^1.5}", d), 2e3 * std::pow(d * 1e3, 1.5), 1e-9);
  refuses("{type: hertz, stiffness: 66 GN/m}", "N/m^1.5");
  refuses("{type: flores, restitution: 0.5, stiffness: 66 GN/m^1.5, exponent: 1.2}", "N/m^1.2");
  refuses("{type: linear, stiffness: 66 GN/m^1.5}", "N/m");
}

TEST(ReadContact, has_a_damping_whose_unit_follows_its_own_exponent) {
  const double d = 1e-5, elastic = 1e9 * std::pow(d, 1.5);
  EXPECT_NEAR(force_of("{type: viscoelastic, stiffness: 1 GN/m^1.5, damping: 3 GN s/m^2.5}", d, 0.1),
              elastic + 0.1 * 3e9 * std::pow(d, 1.5), 1e-12);
  EXPECT_NEAR(force_of("{type: viscoelastic, stiffness: 1 GN/m^1.5, damping: 3 MN s/m^2, damping_exponent: 1}", d, 0.1),
              elastic + 0.1 * 3e6 * d, 1e-12);
  refuses("{type: viscoelastic, stiffness: 1 GN/m^1.5, damping: 3 GN s/m^2}", "N s/m^2.5");
}

TEST(ReadContact, takes_material_in_place_of_a_stiffness) {
  const Node node = read_yaml_text("{type: hertz, young: 210 GPa, poisson: 0.3, young_b: 110 GPa, poisson_b: 0.34}", "m.yaml");
  std::string name;
  const auto law = read_contact(node, ParameterScope(), "joint 'pin'", name);
  EXPECT_EQ(name, "hertz");
  ASSERT_EQ(law->bind({0.01, 0, 0}), nullptr);
  const double E = 1 / (0.91 / 210e9 + (1 - 0.34 * 0.34) / 110e9);
  EXPECT_NEAR(law->force(1e-5, 0, nullptr), 4.0 / 3 * E * std::sqrt(0.01) * std::pow(1e-5, 1.5), 1e-9);
}

TEST(ReadContact, refuses_with_place_and_way_out) {
  refuses("herz", "unknown contact 'herz'. Did you mean 'hertz'?");
  refuses("{type: herz}", "m.yaml:1:8");
  refuses("{stiffness: 1}", "contact needs a type");
  refuses("[hertz]", "the name of a law or a map");
  refuses("hertz", "joint 'pin': contact 'hertz': missing key 'stiffness'. Write stiffness: 1e9 N/m^1.5");
  refuses("{type: hertz, stifness: 1e9}", "unknown key 'stifness'. Did you mean 'stiffness'?");
  refuses("{type: hertz, stiffness: 1e9, restitution: 0.5}", "unknown key 'restitution'");
  refuses("{type: flores, stiffness: 1e9}", "missing key 'restitution'");
  refuses("{type: flores, stiffness: 1e9, restitution: 0}", "restitution must be > 0 and <= 1, got 0");
  refuses("{type: hunt_crossley, stiffness: 1e9, restitution: 1.2}", "restitution must be between 0 and 1");
  refuses("{type: johnson}", "missing key 'young'");
  refuses("{type: table, depth: [1 mm], force: [1 N, 2 N]}", "depth has 1 points and force 2");
  refuses("{type: rigid, restitution: 0.5, impact: newtons}", "Did you mean 'newton'?");
}

}  // namespace
}  // namespace bristle
