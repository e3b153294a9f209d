// What systems are put together by: numbers, names, and the entries of types.
#include "bristle/assemble/elements.h"

#include <gtest/gtest.h>

#include "bristle/assemble/plan.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/input/yaml.h"
#include "bristle/study/analysis.h"

namespace bristle {
namespace {

/// The sentence of an InputError; empty when there is none.
template <class F>
std::string sentence(F f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Numbers, are_consecutive_and_have_the_name_of_their_owner) {
  Layout layout;
  Numbers numbers(layout);
  EXPECT_EQ(numbers.memory("a", 2), 0);
  EXPECT_EQ(numbers.memory("b"), 2);
  EXPECT_EQ(numbers.marks(3), 0);
  EXPECT_EQ(numbers.marks(), 3);
  EXPECT_EQ(layout.memory, (std::vector<std::string>{"a", "a", "b"}));
  EXPECT_EQ(layout.sizes.z, 3);
  EXPECT_EQ(layout.sizes.marks, 4);
}

TEST(Names, are_claimed_once) {
  Layout layout;
  Numbers numbers(layout);
  Names names(layout, numbers);
  names.claim("pad", {}, "joint");
  EXPECT_NE(sentence([&] { names.claim("pad", {}, "force"); }).find("there is a joint of that name already"), std::string::npos);
  EXPECT_NE(sentence([&] { names.claim("ground", {}, "body"); }).find("reserved"), std::string::npos);
  EXPECT_NE(sentence([&] { names.claim("a.b", {}, "body"); }).find("dot"), std::string::npos);
}

TEST(Elements, have_names_of_their_own_and_know_how_they_are_read) {
  for (const ElementRegistry* registry : {&all_elements().bodies, &all_elements().forces, &all_elements().joints}) {
    for (const ElementEntry& entry : registry->all()) {
      EXPECT_EQ(registry->find(entry.name), &entry) << entry.name;
      EXPECT_TRUE(entry.announce) << entry.name;
      EXPECT_FALSE(entry.summary.empty()) << entry.name;
    }
  }
}

TEST(Elements, of_a_copy_are_known_to_those_who_take_it) {
  const Model model =
      read_model_text("bristle: 1\nbodies: {m: {type: mass, mass: 1}}\nforces: {f: {type: nothing, size: 3}}\n", "model.yaml");
  EXPECT_NE(sentence([&] { assemble(model); }).find("unknown type 'nothing'"), std::string::npos);
  Elements mine = all_elements();
  ElementEntry nothing{{"nothing", "acts on nobody", {shaped_field("size", "", "of it")}, "", "", {}}};
  int seen = 0;
  nothing.add = [&](Plan&, Reader& reader, const std::string&) {
    seen = static_cast<int>(reader.number("size", unit::one, any, "of it"));
    reader.finish({"type"});
  };
  mine.forces.add(nothing);
  EXPECT_EQ(assemble(model, {.elements = &mine}).layout().scalars, 1);
  EXPECT_EQ(seen, 3);
}

/// drive: {locked: true} holds the first motion of a joint at zero.
DriveEntry locked_drive() {
  DriveEntry entry{{"locked", "holds the first motion at zero", {}, "", ""}};
  entry.keys = [](const JointPlan& joint) -> std::vector<Field> {
    if (joint.motions.empty()) return {};
    return {shaped_field("locked", "none", "holds the first motion at zero")};
  };
  entry.add = [](Plan& plan, Reader& drive, const DrivenJoint& joint, const std::string& key) {
    bool held = true;
    drive.flag(key.c_str(), held, "holds the first motion at zero");
    if (!held) return;
    const RelationPlan& motion = joint.plan.motions[0];
    const int row = add_row(plan, joint.A, joint.B, motion, Target{BoundSignal(0.0), -1, 0});
    hold_drive(plan, row, joint.name + ".lock", joint.owner, motion.name, motion.relation.rotary());
  };
  return entry;
}

TEST(Elements, of_a_copy_may_have_drives_of_their_own) {
  const Model model = read_model_text(R"(bristle: 1
bodies: {arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1]}}
joints: {hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], drive: {locked: true}}}
)",
                                      "model.yaml");
  EXPECT_NE(sentence([&] { assemble(model); }).find("this joint has no motion 'locked'. It has: angle, speed"),
            std::string::npos);
  Elements mine = all_elements();
  mine.drives.add(locked_drive());
  EXPECT_EQ(assemble(model, {.elements = &mine}).layout().freedoms, 0);
  EXPECT_NE(model_schema(analysis_registry(), mine).find("\"locked\""), std::string::npos);
  EXPECT_EQ(model_schema().find("\"locked\""), std::string::npos);
}

}  // namespace
}  // namespace bristle
