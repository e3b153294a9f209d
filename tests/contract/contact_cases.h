#pragma once
// Parameter sets and surfaces for any registered contact law, by the names of keys and units: no law is named here.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "bristle/contact/registry.h"
#include "support/recipes.h"

namespace bristle::contract {

/// Sizes of the forces at a depth of 10 um are some hundred newtons to some kilonewtons, whatever the law.
class ContactFiller final : public Visitor {
 public:
  enum class Set { plain, damped, material, other_exponent };
  explicit ContactFiller(Set set, double restitution = 0.7) : set_(set), restitution_(restitution) {}
  std::string problem;
  bool touched = false;  ///< does the set differ from the plain one for this law?

  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char*) override {
    const std::string k = key, u = unit.text;
    const bool required = std::isnan(value);
    if (k == "exponent") {
      if (set_ == Set::other_exponent) value = 1.3, touched = true;
      power_ = value;
    } else if (k == "stiffness") {
      if (set_ == Set::material && !required) touched = true;
      else value = 1e3 / std::pow(1e-5, power_of(u));
    } else if (k == "young") {
      if (required || set_ == Set::material) value = 210e9;
    } else if (k == "restitution") {
      value = restitution_;
    } else if (required || (set_ == Set::damped && value == 0 && range.low == 0 && k != "young_b")) {
      touched = touched || !required;
      value = u == "m"       ? 2e-5
              : u == "Pa"    ? 1e9  // a pressure at which a surface yields
              : u == "s/m"   ? 0.4
              : u == "N s/m" ? 2e3
              : u == "N/m^3" ? 3e17
                             : 4e2 / std::pow(1e-5, power_of(u) - 1);
    }
  }
  void per_load(const char*, double&, const Unit&, const Range&, const char*) override { ADD_FAILURE(); }
  void integer(const char*, int&, int, int, const char*) override {}
  void flag(const char*, bool&, const char*) override {}
  void choice(const char*, int&, std::initializer_list<const char*>, const char*) override {}
  void list(const char*, std::vector<double>& value, const Unit& unit, const Range&, const char*) override {
    if (std::string(unit.text) == "m") value = {2e-6, 7e-6, 2e-5, 5e-5};
    else value = {50, 400, 2e3, 9e3};
  }
  void signal(const char*, Signal&, const Unit&, const char*) override { ADD_FAILURE(); }
  void check(const std::string& p) override { problem = p; }
  void reference_load() override {}

 private:
  /// N/m^1.5 has 1.5.
  static double power_of(const std::string& unit) {
    const std::size_t caret = unit.find("m^");
    return caret == std::string::npos ? 1 : std::stod(unit.substr(caret + 2));
  }
  Set set_;
  double restitution_, power_ = 1.5;
};

inline constexpr ContactPair kPoint{0.02, -0.05, 0};         // a ball in a cup
inline constexpr ContactPair kLine{0.01, -0.0101, 0.02};     // a pin in its bore
inline constexpr double kDepths[] = {1.3e-7, 3e-6, 2.9e-5};  // [m] away from the points of the table above

struct ContactCase {
  const ContactEntry* entry = nullptr;
  ContactFiller::Set set = ContactFiller::Set::plain;
};
inline std::ostream& operator<<(std::ostream& out, const ContactCase& c) {
  return out << c.entry->name << " " << static_cast<int>(c.set);
}

/// The law, bound to surfaces it can take.
inline std::unique_ptr<ContactLaw> make_law(const ContactCase& c, double restitution = 0.7) {
  ContactFiller filler(c.set, restitution);
  std::unique_ptr<ContactLaw> law = c.entry->make(filler);
  EXPECT_EQ(filler.problem, "") << c;
  const char* missing = law->bind(kPoint);
  if (missing != nullptr) missing = law->bind(kLine);
  EXPECT_EQ(missing, nullptr) << c << ": " << (missing ? missing : "");
  return law;
}

inline std::vector<ContactCase> all_contact_cases() {
  std::vector<ContactCase> cases;
  using Set = ContactFiller::Set;
  for (const ContactEntry& entry : test::with_recipes().contacts.all()) {
    for (const Set set : {Set::plain, Set::damped, Set::material, Set::other_exponent}) {
      ContactFiller filler(set);
      entry.make(filler);
      if (set == Set::plain || (filler.touched && filler.problem.empty())) cases.push_back({&entry, set});
    }
  }
  return cases;
}
inline std::string name_of(const ContactCase& c) {
  constexpr const char* sets[] = {"plain", "damped", "material", "other_exponent"};
  return c.entry->name + "_" + sets[static_cast<int>(c.set)];
}

}  // namespace bristle::contract
