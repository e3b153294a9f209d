// Structures by their mass, damping and stiffness matrices.
#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/body_kinds.h"
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
Eigen::MatrixXd read_matrix(Reader& reader, const char* key, int n, const Unit& unit, const Scope& scope, bool required) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  const Node* node = required ? &reader.child(key, "matrix: a list of rows, or the diagonal") : reader.optional_child(key);
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

Eigen::VectorXd read_vector(Reader& reader, const char* key, int n, const Unit& unit) {
  const auto values = reader.optional_numbers(key, static_cast<std::size_t>(n), unit);
  if (!values) return Eigen::VectorXd::Zero(n);
  return Eigen::Map<const Eigen::VectorXd>(values->data(), n);
}

KindEntry matrix_kind() {
  return {
      "matrices",
      "a structure by its mass, damping and stiffness matrices",
      {shaped_field("coordinates", "", "names of the coordinates; elsewhere they are called <body>.<coordinate>", "names"),
       shaped_field("mass", "", "mass matrix [kg]: rows, or the diagonal", "matrix"),
       shaped_field("stiffness", "", "stiffness matrix [N/m]", "matrix"),
       shaped_field("damping", "0", "damping matrix [N s/m]", "matrix"),
       shaped_field("position", "0", "positions at the start [m]", "vector"),
       shaped_field("velocity", "0", "velocities at the start [m/s]", "vector")},
      "bodies:\n  frame:\n    type: matrices\n    coordinates: [top, foot]\n    mass: [2, 1]\n    stiffness: [[300, -100], [-100, 100]]\n",
      ""};
}

struct MatrixBodies {
  std::vector<MatrixBody> items;
};

void read_matrix_body(Plan& plan, Reader& reader, const std::string& name) {
  MatrixBody b;
  b.where = reader.node().where;
  b.name = name;
  b.coordinates = reader.names("coordinates", "names of the coordinates");
  const int n = static_cast<int>(b.coordinates.size());
  if (n == 0) reader.fail("coordinates", "the list of coordinates is empty; name at least one");
  b.M = read_matrix(reader, "mass", n, unit::kilogram, plan.scope, true);
  b.C = read_matrix(reader, "damping", n, unit::newton_second_per_metre, plan.scope, false);
  b.K = read_matrix(reader, "stiffness", n, unit::newton_per_metre, plan.scope, true);
  b.q = read_vector(reader, "position", n, unit::metre);
  b.v = read_vector(reader, "velocity", n, unit::metre_per_second);
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
