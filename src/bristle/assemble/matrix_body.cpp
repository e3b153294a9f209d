// Structures by their mass, damping and stiffness matrices.
#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/body/matrices.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

struct MatrixBody {
  Where where;
  std::string name;
  std::vector<std::string> coordinates;
  Eigen::MatrixXd M, C, K;
  Eigen::VectorXd q, v;
  int first = 0;
};

/// A square matrix: a list of rows, or a list of numbers for a diagonal one.
Eigen::MatrixXd matrix_in(const Reader& reader, const char* key, const Node* node, int n, const Unit& unit, const Scope& scope) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  if (node == nullptr) return m;
  const auto wrong = [&] {
    reader.fail(key, std::string(key) + " needs " + std::to_string(n) + " rows of " + std::to_string(n) +
                         " numbers, or a diagonal of " + std::to_string(n));
  };
  const auto entry_of = [&](const Node& entry) {
    const Quantity q = parse_quantity(entry.text, scope, entry.where_of_text());
    require_dimension(q.dimension, unit, entry.where);
    return q.value;
  };
  if (!node->is_list() || static_cast<int>(node->size()) != n) wrong();
  for (int i = 0; i < n; ++i) {
    const Node& row = (*node)[static_cast<std::size_t>(i)];
    if (row.is_scalar()) {
      m(i, i) = entry_of(row);
      continue;
    }
    if (!row.is_list() || static_cast<int>(row.size()) != n) wrong();
    for (int j = 0; j < n; ++j) {
      const Node& entry = row[static_cast<std::size_t>(j)];
      if (!entry.is_scalar()) wrong();
      m(i, j) = entry_of(entry);
    }
  }
  if (const std::string off = asymmetry_text(m, 1e-12); !off.empty())
    reader.fail(key, std::string(key) + " must be symmetric: " + off);
  return 0.5 * (m + m.transpose());
}

/// One number for every coordinate; none: zero.
Eigen::VectorXd vector_in(const Reader& reader, const char* key, const std::vector<double>& values, int n) {
  if (!reader.has(key)) return Eigen::VectorXd::Zero(n);
  if (static_cast<int>(values.size()) != n)
    reader.fail(key, std::string(key) + " needs " + std::to_string(n) + " numbers, one for each coordinate, got " +
                         std::to_string(values.size()));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), n);
}

struct MatrixKeys {
  std::vector<std::string> coordinates;
  const Node *mass = nullptr, *stiffness = nullptr, *damping = nullptr;
  std::vector<double> position, velocity;
  void visit(Keys& keys) {
    keys.names("coordinates", coordinates, "", "names of the coordinates; elsewhere they are called <body>.<coordinate>");
    keys.node("mass", "matrix", mass, "", "mass matrix [kg]: rows, or the diagonal");
    keys.node("stiffness", "matrix", stiffness, "", "stiffness matrix [N/m]");
    keys.node("damping", "matrix", damping, "0", "damping matrix [N s/m]");
    keys.list("position", position, unit::metre, any, "0", "positions at the start");
    keys.list("velocity", velocity, unit::metre_per_second, any, "0", "velocities at the start");
  }
};

KindEntry matrix_kind() {
  return {
      "matrices", "a structure by its mass, damping and stiffness matrices", key_fields<MatrixKeys>(),
      "bodies:\n  frame:\n    type: matrices\n    coordinates: [top, foot]\n    mass: [2, 1]\n    stiffness: [[300, -100], [-100, 100]]\n",
      ""};
}

struct MatrixBodies {
  std::vector<MatrixBody> items;
};

void read_matrix_body(Plan& plan, Reader& reader, const std::string& name) {
  const MatrixKeys keys = read_keys<MatrixKeys>(reader, plan.scope);
  MatrixBody b;
  b.where = reader.node().where;
  b.name = name;
  b.coordinates = keys.coordinates;
  const int n = static_cast<int>(b.coordinates.size());
  if (n == 0) reader.fail("coordinates", "the list of coordinates is empty; name at least one");
  b.M = matrix_in(reader, "mass", keys.mass, n, unit::kilogram, plan.scope);
  b.C = matrix_in(reader, "damping", keys.damping, n, unit::newton_second_per_metre, plan.scope);
  b.K = matrix_in(reader, "stiffness", keys.stiffness, n, unit::newton_per_metre, plan.scope);
  b.q = vector_in(reader, "position", keys.position, n);
  b.v = vector_in(reader, "velocity", keys.velocity, n);
  reader.finish();
  if (b.M.llt().info() != Eigen::Success) {
    reader.fail("mass", "the mass matrix is not positive definite: some motion has no inertia. Give every coordinate a mass");
  }
  plan.list<MatrixBodies>().items.push_back(std::move(b));
}

void number_matrices(Plan& plan) {
  for (MatrixBody& b : plan.list<MatrixBodies>().items) {
    b.first = static_cast<int>(plan.coordinates.size());
    for (const std::string& c : b.coordinates) {
      const std::string full = b.name + "." + c;
      for (const Coordinate& other : plan.coordinates) {
        if (other.name == full) throw InputError(b.where, "body '" + b.name + "': coordinate '" + c + "' is named twice");
      }
      plan.add_coordinate(full, false);
    }
  }
}

void make_matrices(Plan& plan) {
  for (const MatrixBody& b : plan.list<MatrixBodies>().items) {
    const int account = plan.numbers.account(b.name, Account::Kind::dissipated);
    plan.blocks.push_back(std::make_unique<MatrixStructure>(b.first, account, b.M, b.C, b.K, b.q, b.v));
  }
}

}  // namespace

ElementEntry matrix_body() {
  ElementEntry entry{matrix_kind()};
  entry.announce = read_matrix_body;
  entry.number = number_matrices;
  entry.make = make_matrices;
  return entry;
}

}  // namespace bristle
