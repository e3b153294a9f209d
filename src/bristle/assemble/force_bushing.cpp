// Bushings: soft connections of two frames.
#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/ends.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/force/bushing.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

constexpr Unit kTurnDamping{"N m s", {2, 1, -1, 0}};
const char* const kBushingAxes[] = {"x", "y", "z"};

struct BushingItems {
  std::vector<BushingBlock::Item> items;
  std::vector<std::string> names;
};

RelationPlan bushing_row(Relation::Kind kind, int k) { return {{kind, k, 0}, ""}; }

/// One number for all three axes, or three; none: zero.
std::array<double, 3> read_three(Reader& reader, const char* key, const Unit& unit) {
  const Node* node = reader.optional_child(key);
  if (node == nullptr) return {0, 0, 0};
  if (node->is_list()) {
    const std::vector<double> n = reader.numbers(key, 3, unit, "one number, or three along x, y, z");
    return {n[0], n[1], n[2]};
  }
  const double n = reader.number(key, unit, any, "one number, or three along x, y, z");
  return {n, n, n};
}

/// Six rows of six numbers: displacements first, then rotations.
std::array<double, 36> six_of(const Reader& reader, const char* key, const Node& rows, const Unit& force, const Unit& mixed,
                              const Unit& turn, const Scope& scope) {
  std::array<double, 36> A{};
  if (!rows.is_list() || rows.size() != 6) reader.fail(key, std::string(key) + " needs six rows of six numbers");
  for (std::size_t i = 0; i < 6; ++i) {
    if (!rows[i].is_list() || rows[i].size() != 6) reader.fail(key, std::string(key) + " needs six rows of six numbers");
    for (std::size_t j = 0; j < 6; ++j) {
      const Node& entry = rows[i][j];
      const Quantity q = parse_quantity(entry.text, scope, entry.where_of_text());
      require_dimension(q.dimension, i < 3 && j < 3 ? force : i >= 3 && j >= 3 ? turn : mixed, entry.where);
      A[6 * i + j] = q.value;
    }
  }
  return A;
}

Eigen::Matrix<double, 6, 6> six_by_six(const std::array<double, 36>& A) {
  return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(A.data());
}

/// Stiffness, or damping: along the axes, about them, or the whole matrix.
struct BushingMatrixKeys {
  const char *along_key, *about_key, *matrix_key;
  std::array<double, 3> along = {}, about = {};
  const Node* matrix = nullptr;
  void visit(Keys& keys, const Unit& force, const Unit& turn, const char* along_text, const char* about_text) {
    keys.form(along_key, "one_or_three", zero(force).c_str(), along_text,
              [&](Reader& reader, const Scope&) { along = read_three(reader, along_key, force); });
    keys.form(about_key, "one_or_three", zero(turn).c_str(), about_text,
              [&](Reader& reader, const Scope&) { about = read_three(reader, about_key, turn); });
  }
  void visit_matrix(Keys& keys, const char* text) {
    keys.node(matrix_key, "matrix", matrix, "none", text);
    for (const char* key : {along_key, about_key}) {
      if (matrix != nullptr && keys.has(key)) keys.refuse(key, std::string("give ") + matrix_key + " or " + key + ", not both");
    }
  }

 private:
  static std::string zero(const Unit& unit) { return std::string("0 ") + unit.text; }
};

struct BushingKeys {
  JointEnds ends;
  BushingMatrixKeys stiffness{"stiffness", "rotational_stiffness", "stiffness_matrix"};
  BushingMatrixKeys damping{"damping", "rotational_damping", "damping_matrix"};
  void visit(Keys& keys) {
    ends.visit(keys, {.between = "two bodies [A, B], or frames of them, as for joints",
                      .at = "where it is at the start, in the world; frames of bodies need none",
                      .axis = "its z axis at the start, in the world",
                      .x_axis = "its x axis"});
    stiffness.visit(keys, unit::newton_per_metre, unit::newton_metre, "along x, y, z: three numbers, or one for all",
                    "about x, y, z");
    damping.visit(keys, unit::newton_second_per_metre, kTurnDamping, "along x, y, z", "about x, y, z");
    stiffness.visit_matrix(keys, "instead: six rows of six numbers, displacements first; symmetric");
    damping.visit_matrix(keys, "instead: the same for damping; must not supply power");
  }
};

KindEntry bushing_kind() {
  return {
      "bushing", "a soft connection of two frames: stiffness and damping along and about three axes", key_fields<BushingKeys>(),
      std::string(kPushedArm) +
          "forces:\n  mount: {type: bushing, between: [ground, arm], at: [0, 0, 0], stiffness: [1e5, 1e5, 1e6], "
          "rotational_stiffness: 100 N m, damping: 50 N s/m}\n",
      R"(T = K u + C u' with u = displacement of the frame on B from the frame on A along the axes of A (three numbers), and the rotation
vector from A to B in the axes of A (three numbers). u is zero where both frames coincide. Stored energy u' K u / 2.

The moments are those that do work on the rotation vector; they are the usual ones while the rotation is small. The rotation must stay
below half a turn.

Channels: displacement.x|y|z, rotation.x|y|z, force.x|y|z and moment.x|y|z that resist them.
)"};
}

void announce_bushing(Plan& plan, Reader& reader, const std::string& name) {
  using Kind = Signal::Input::Kind;
  const auto [A, B] = read_markers(plan, reader, read_keys<BushingKeys>(reader, plan.scope).ends, false);
  for (int k = 0; k < 3; ++k) {
    const int along = add_row(plan, A, B, bushing_row(Relation::Kind::along, k)),
              turn = add_row(plan, A, B, bushing_row(Relation::Kind::turn, k));
    plan.names.offer(name + ".displacement." + kBushingAxes[k], Kind::row, {{along, 1.0}});
    plan.names.offer(name + ".rotation." + kBushingAxes[k], Kind::row, {{turn, 1.0}});
    plan.names.offer_samples(name, {std::string("force.") + kBushingAxes[k], std::string("moment.") + kBushingAxes[k]});
  }
}

void add_bushing(Plan& plan, Reader& reader, const std::string& name) {
  const BushingKeys keys = read_keys<BushingKeys>(reader, plan.scope);
  const auto [A, B] = read_markers(plan, reader, keys.ends, false);
  BushingBlock::Item item;
  for (int k = 0; k < 3; ++k) {
    item.row[static_cast<std::size_t>(k)] = add_row(plan, A, B, bushing_row(Relation::Kind::along, k));
    item.row[static_cast<std::size_t>(3 + k)] = add_row(plan, A, B, bushing_row(Relation::Kind::turn, k));
  }
  const auto matrix = [&](const BushingMatrixKeys& k, const Unit& force, const Unit& mixed, const Unit& turn) {
    std::array<double, 36> M{};
    if (k.matrix != nullptr) M = six_of(reader, k.matrix_key, *k.matrix, force, mixed, turn, plan.scope);
    for (std::size_t i = 0; i < 3 && k.matrix == nullptr; ++i) {
      M[7 * i] = k.along[i];
      M[7 * (3 + i)] = k.about[i];
    }
    const Eigen::Matrix<double, 6, 6> m = six_by_six(M);
    const char* key = k.matrix != nullptr ? k.matrix_key : reader.has(k.along_key) ? k.along_key : k.about_key;
    if (const std::string off = asymmetry_text(m, 1e-9); !off.empty()) reader.fail(key, "the matrix must be symmetric: " + off);
    if (&k == &keys.damping) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen{Eigen::MatrixXd(m)};
      if (eigen.eigenvalues()[0] < -1e-9 * (1 + m.norm())) reader.fail(key, "negative damping would supply power");
    }
    if (std::any_of(M.begin(), M.end(), [](double x) { return x != 0; })) {
      for (const Marker& marker : {A, B}) {
        const BodyInfo& b = plan.layout.bodies[static_cast<std::size_t>(marker.body)];
        if (b.moves() && !b.can_turn() && m.bottomRows(3).norm() > 0)
          reader.fail(key, "'" + b.name + "' is a particle: nothing can resist its rotation");
      }
    }
    return M;
  };
  item.K = matrix(keys.stiffness, unit::newton_per_metre, unit::newton, unit::newton_metre);
  item.C = matrix(keys.damping, unit::newton_second_per_metre, unit::newton_second, kTurnDamping);
  reader.finish({"type"});
  const auto zero = [](const std::array<double, 36>& M) {
    return std::all_of(M.begin(), M.end(), [](double x) { return x == 0; });
  };
  if (zero(item.K) && zero(item.C)) reader.fail("stiffness", "a bushing needs stiffness or damping");
  if (!zero(item.C)) item.account = plan.numbers.account(name, Account::Kind::dissipated);
  auto& list = plan.list<BushingItems>();
  list.items.push_back(item);
  list.names.push_back(name);
}

void make_bushings(Plan& plan) {
  auto& list = plan.list<BushingItems>();
  if (list.items.empty()) return;
  for (const std::string& name : list.names) {
    vector_channels(plan, name + ".displacement", "m", "of B from A, along the axes of A");
    vector_channels(plan, name + ".rotation", "rad", "rotation vector from A to B, in the axes of A");
    vector_channels(plan, name + ".force", "N", "force that resists the displacement");
    vector_channels(plan, name + ".moment", "N m", "moment that resists the rotation vector");
  }
  plan.blocks.push_back(std::make_unique<BushingBlock>(std::move(list.items)));
}

}  // namespace

ElementEntry bushing_force() {
  ElementEntry entry{bushing_kind()};
  entry.announce = announce_bushing;
  entry.add = add_bushing;
  entry.make = make_bushings;
  return entry;
}

}  // namespace bristle
