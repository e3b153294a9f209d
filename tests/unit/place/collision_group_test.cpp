// Collision groups: the grid finds every pair that all pairs find; rows are rates; shapes that meet planes and each other.
#include "bristle/place/collision_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

const std::string kEnd =
    "    contact: {type: rigid, restitution: 0}\n    friction: {type: coulomb, mu_kinetic: 0.3}\n"
    "analysis: {type: transient, end: 1 s, integrator: {type: moreau_jean, step: 1 ms}}\n";

std::vector<FreeContact> contacts_of(const System& system, const State& x, double margin) {
  Workspace w = system.make_workspace();
  const Eval e = system.look(x, w);
  std::vector<FreeContact> list;
  for (const FreeContacts* g : system.groups()) g->find(e, 0, margin, list);
  return list;
}

TEST(CollisionGroup, refuses_a_body_that_more_velocities_move_than_a_contact_has_room_for) {
  const auto make = [](int columns) {
    const std::vector<BodyInfo> bodies = {BodyInfo::ground(), {FrameMap::matrix(0, 0, columns, 0), "boom", "flexible"}};
    std::vector<CollisionGroup::Item> items;
    items.push_back({{1, {}, {}}, Solid::sphere(0.1), false});
    CollisionGroup("crowd", std::move(items), bodies, {});
  };
  EXPECT_THROW(make(7), std::invalid_argument);
}

TEST(CollisionGroup, finds_every_pair_of_a_crowd_once) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5), size(0.01, 0.03);
  std::vector<Vec3<>> center;
  std::vector<double> radius;
  std::string text = "bristle: 1\nbodies:\n";
  for (int i = 0; i < 400; ++i) {
    center.push_back({{place(random), place(random), place(random)}});
    radius.push_back(i % 50 == 0 ? 0.2 : size(random));  // some far larger than the others
    const Vec3<>& c = center.back();
    text += fmt::format(
        "  g{}: {{type: rigid, mass: 1 kg, position: [{:.17g}, {:.17g}, {:.17g}], shape: {{type: sphere, radius: {:.17g}}}}}\n",
        i, c[0], c[1], c[2], radius.back());
  }
  Trial trial(text + "collisions:\n  crowd:\n    bodies: g*\n" + kEnd);
  const double margin = 0.005;
  std::multiset<double> expected, found;
  for (std::size_t i = 0; i < center.size(); ++i) {
    for (std::size_t j = i + 1; j < center.size(); ++j) {
      const double gap = norm(center[j] - center[i]) - radius[i] - radius[j];
      if (gap <= margin) expected.insert(std::round(gap * 1e12));
    }
  }
  std::set<std::uint64_t> keys;
  for (const FreeContact& c : contacts_of(trial.system(), trial.system().make_state(), margin)) {
    found.insert(std::round(c.gap * 1e12));
    EXPECT_TRUE(keys.insert(c.key).second);
  }
  EXPECT_GT(expected.size(), 100u);
  ASSERT_EQ(found.size(), expected.size());
  auto b = expected.begin();
  for (double gap : found) EXPECT_NEAR(gap, *b++, 1);
}

TEST(CollisionGroup, rows_are_the_rates_of_gaps) {
  const std::string text =
      "bristle: 1\nbodies:\n"
      "  box: {type: rigid, mass: 1 kg, position: [0, 0, 0.06], orientation: {axis: [1, 2, 3], angle: 10 deg}, velocity: [0.1, 0.2, -0.3], angular_velocity: [1, -2, 0.5], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "  ball: {type: rigid, mass: 1 kg, position: [0.02, 0.01, 0.15], velocity: [-0.4, 0.1, 0.2], angular_velocity: [3, 1, 2], shape: {type: sphere, radius: 40 mm}}\n"
      "  can: {type: rigid, mass: 1 kg, position: [0.11, 0, 0.06], velocity: [-0.4, 0.1, 0.2], angular_velocity: [3, 1, 2], shape: {type: cylinder, radius: 50 mm, length: 0.1}}\n"
      "collisions:\n  all:\n    bodies: [box, ball, can]\n    with: [{type: plane}, {type: sphere, radius: 0.1, at: [-0.16, 0, 0.05]}]\n" +
      kEnd;
  Trial trial(text);
  const System& system = trial.system();
  const State x = system.make_state();
  const auto list = contacts_of(system, x, 0.05);
  EXPECT_GE(list.size(), 8u);
  const double h = 1e-6;
  std::vector<double> rate(static_cast<std::size_t>(system.layout().order_one()), 0);
  for (int i = 0; i < system.layout().free(); ++i) rate[static_cast<std::size_t>(i)] = x.v()[system.layout().v_index(i)];
  State ahead = x, behind = x;
  system.motion().move(x, h, rate.data(), ahead);
  system.motion().move(x, -h, rate.data(), behind);
  const auto after = contacts_of(system, ahead, 0.06), before = contacts_of(system, behind, 0.06);
  const auto gap_of = [](const std::vector<FreeContact>& all, std::uint64_t key) {
    for (const FreeContact& c : all) {
      if (c.key == key) return c.gap;
    }
    return std::nan("");
  };
  for (const FreeContact& c : list) {
    double u = 0;
    int at = 0;
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < c.count[side]; ++k) u += c.row[0][at++] * x.v()[c.v[side] + k];
    }
    EXPECT_NEAR(u, (gap_of(after, c.key) - gap_of(before, c.key)) / (2 * h), 1e-5) << c.key;
    EXPECT_NEAR(dot(c.axis[0], c.axis[1]), 0, 1e-14);
    EXPECT_EQ(c.friction, 0.3);
  }
}

TEST(CollisionGroup, parts_of_a_body_that_stand_flush_count_once) {
  // two cubes side by side are a bar: eight corners below, of which two pairs coincide
  const std::string text =
      "bristle: 1\nbodies:\n  bar: {type: rigid, mass: 1 kg, position: [0, 0, 0.05], shapes: [{type: box, size: [0.1, 0.1, 0.1], position: [-0.05, 0, 0]}, "
      "{type: box, size: [0.1, 0.1, 0.1], position: [0.05, 0, 0]}]}\n"
      "  ball: {type: rigid, mass: 1 kg, position: [0, 0.02, 0.12], shape: {type: sphere, radius: 20 mm}}\n"
      "collisions:\n  all:\n    bodies: [bar, ball]\n    with: [{type: plane}]\n" +
      kEnd;
  Trial trial(text);
  const auto list = contacts_of(trial.system(), trial.system().make_state(), 1e-3);
  EXPECT_EQ(list.size(), 7u);  // and the ball over the seam once
}

TEST(CollisionGroup, ring_of_shapes_is_hollow) {
  // a tray of a floor and four walls with a ball in it, and a tube with a shaft through it
  const std::string text =
      "bristle: 1\nbodies:\n  tray: {type: rigid, density: 1000, position: [0, 0, 0.005], shapes: [{type: box, size: [0.2, 0.2, 0.01]}, "
      "{type: box, size: [0.01, 0.2, 0.05], position: [0.095, 0, 0.03]}, {type: box, size: [0.01, 0.2, 0.05], position: [-0.095, 0, 0.03]}, "
      "{type: box, size: [0.18, 0.01, 0.05], position: [0, 0.095, 0.03]}, {type: box, size: [0.18, 0.01, 0.05], position: [0, -0.095, 0.03]}]}\n"
      "  ball: {type: rigid, mass: 1 kg, position: [0.0701, 0, 0.03], shape: {type: sphere, radius: 20 mm}}\n"
      "  ring: {type: rigid, density: 1000, position: [1, 0, 0], shape: {type: tube, outer_radius: 0.1, inner_radius: 0.05, length: 0.1}}\n"
      "  pin: {type: rigid, density: 1000, position: [1.0002, 0, 0], shape: {type: cylinder, radius: 0.0495, length: 0.4}}\n"
      "collisions:\n  all:\n    bodies: [tray, ball, ring, pin]\n" +
      kEnd;
  Trial trial(text);
  std::vector<double> gaps;
  for (const FreeContact& c : contacts_of(trial.system(), trial.system().make_state(), 1e-3)) gaps.push_back(c.gap);
  std::sort(gaps.begin(), gaps.end());
  ASSERT_EQ(gaps.size(), 4u);  // the ball on the floor and at a wall, the pin at two mouths
  EXPECT_NEAR(gaps[0], -1e-4, 1e-12);
  EXPECT_NEAR(gaps[1], 0, 1e-12);
  EXPECT_NEAR(gaps[2], 3e-4, 1e-12);
  EXPECT_NEAR(gaps[3], 3e-4, 1e-12);
}

TEST(CollisionGroup, planar_bodies_slip_in_one_direction) {
  const std::string text =
      "bristle: 1\nbodies:\n  d: {type: planar, mass: 1 kg, inertia: 0.001 kg m^2, position: [0, 0.05], velocity: [1, 0]}\n"
      "collisions:\n  disk:\n    bodies: d\n    surface: {type: sphere, radius: 50 mm}\n    with: [{type: plane, axis: y}]\n" +
      kEnd;
  Trial trial(text);
  const auto list = contacts_of(trial.system(), trial.system().make_state(), 1e-3);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].slips, 1);
  EXPECT_EQ(list[0].count[0], 0);
  EXPECT_EQ(list[0].count[1], 3);
  EXPECT_NEAR(list[0].gap, 0, 1e-15);
}

}  // namespace
}  // namespace bristle
