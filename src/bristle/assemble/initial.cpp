// Initial assembly: positions and velocities that fulfil the held rows, starting from what the model gives. Values that were given move
// as little as possible, values that were not follow.
#include <fmt/format.h>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseQR>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/analyse/constraint_error.h"
#include "bristle/assemble/space.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/enforce/held_matrix.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

constexpr double kLoose = 1e-6;  ///< weight of values that the model does not give, against one for those it does
constexpr int kDense = 300;      ///< rows up to which dense orthogonal factors are used

struct Rows {
  Eigen::MatrixXd D;      ///< held rows, by free velocity
  Eigen::VectorXd value;  ///< what they are off
};

Rows held_rows(const System& system, const Workspace& w, bool rates) {
  const Layout& layout = system.layout();
  Rows r{held_matrix(system, w), Eigen::VectorXd::Zero(system.layout().held_count())};
  for (int k = 0; k < system.layout().held_count(); ++k) {
    const int row = layout.held[u(k)].row;
    r.value[k] = rates ? w.row_rate[u(row)] : w.row_value[u(row)];
  }
  return r;
}

/// How much each free velocity resists being changed.
Eigen::VectorXd weights(const System& system, const SpaceParts& parts, bool rates) {
  Eigen::VectorXd w = Eigen::VectorXd::Ones(system.layout().free());
  for (const SpaceBodyPlan& b : parts.bodies) {
    const bool place = rates ? b.velocity_given : b.position_given, turn = rates ? b.rate_given : b.orientation_given;
    const FrameMap& map = system.layout().bodies[u(b.body.body)];
    for (int k = 0; k < map.count; ++k) {
      const bool given = k < map.shifts() ? place : turn;
      w[system.layout().unknown(map.v + k)] = given ? 1 : kLoose;
    }
  }
  return w;
}

/// The least change that takes out what the rows are off. Values that the model gives stay as they are when the others can follow;
/// else all change, weighted. Singular values below the threshold ask for nothing.
Eigen::VectorXd least_change(const Rows& rows, const Eigen::VectorXd& weight) {
  const auto solve = [&](const Eigen::VectorXd& ease) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-9);
    solver.compute(rows.D * ease.asDiagonal());
    return Eigen::VectorXd(-(ease.asDiagonal() * solver.solve(rows.value)));
  };
  const Eigen::VectorXd loose = (weight.array() < 1).cast<double>();
  if (loose.sum() > 0 && loose.sum() < static_cast<double>(loose.size())) {
    const Eigen::VectorXd step = solve(loose);
    if ((rows.value + rows.D * step).norm() <= 1e-10 * rows.value.norm()) return step;
  }
  return solve(weight.cwiseInverse().cwiseSqrt());
}

/// The same where the nodes of a beam move as one rigid body, so that the beam starts without strain rates. Empty: the rows ask for more.
Eigen::VectorXd rigid_change(const System& system, const SpaceParts& parts, const State& x, const Rows& rows,
                             const Eigen::VectorXd& weight) {
  const Layout& layout = system.layout();
  const int n = layout.free();
  std::vector<char> node(u(n), 0);
  int columns = n;
  for (const auto& [first, count] : parts.rigid_starts) {
    for (int k = first; k < first + count; ++k) std::fill_n(node.begin() + layout.unknown(parts.bodies[u(k)].body.v), 6, char{1});
    columns -= 6 * (count - 1);
  }
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(n, columns);
  Eigen::VectorXd ease = Eigen::VectorXd::Ones(columns);
  int at = 0;
  for (int i = 0; i < n; ++i) {
    if (node[u(i)]) continue;
    ease[at] = weight[i];
    basis(i, at++) = 1;
  }
  for (const auto& [first, count] : parts.rigid_starts) {
    const double* origin = x.q() + parts.bodies[u(first)].body.q;
    for (int k = first; k < first + count; ++k) {
      const SpaceBody& b = parts.bodies[u(k)].body;
      const double* q = x.q() + b.q;
      const int row = layout.unknown(b.v);
      const Mat3<> R = matrix_of(q + 3);
      const Vec3<> arm{{q[0] - origin[0], q[1] - origin[1], q[2] - origin[2]}};
      for (int c = 0; c < 3; ++c) {
        Vec3<> unit;
        unit[c] = 1;
        const Vec3<> moved = cross(unit, arm), turned = transposed(R, unit);
        basis(row + c, at + c) = 1;
        for (int r = 0; r < 3; ++r) {
          basis(row + r, at + 3 + c) = moved[r];
          basis(row + 3 + r, at + 3 + c) = turned[r];
        }
      }
    }
    ease.segment(at, 6) = weight.segment(layout.unknown(parts.bodies[u(first)].body.v), 6);
    at += 6;
  }
  const Rows reduced{rows.D * basis, rows.value};
  const Eigen::VectorXd step = basis * least_change(reduced, ease);
  if ((rows.value + rows.D * step).lpNorm<Eigen::Infinity>() > 1e-9 * std::max(1.0, rows.value.lpNorm<Eigen::Infinity>()))
    return {};
  return step;
}

std::string name_of(const HeldRow& h) { return h.owner + " (" + h.name + ")"; }

const HeldRow& worst_row(const Layout& layout, const Eigen::VectorXd& value) {
  int worst = 0;
  value.cwiseAbs().maxCoeff(&worst);
  return layout.held[u(worst)];
}

/// Where the user wrote the owner of a row.
Where place_of(const SpaceParts& parts, const HeldRow& h, const Where& otherwise) {
  const auto at = parts.places.find(h.owner);
  return at == parts.places.end() ? otherwise : at->second;
}

std::string short_text(double x) { return fmt::format("{:.3g}", x); }

/// Drives by speed start where the joint is.
void follow(const System& system, const SpaceParts& parts, State& x, Workspace& w) {
  system.look(x, w);
  for (std::size_t k = 0; k < parts.speed_memory.size(); ++k) x.z()[parts.speed_memory[k]] += w.row_value[u(parts.speed_rows[k])];
  if (!parts.speed_memory.empty()) system.look(x, w);
}

/// Every column is well away from what the others span, by the pivots of the Gram matrix of columns of length one. That is linear work for chains and
/// trees, where orthogonal factors are not.
bool is_clearly_regular(Eigen::SparseMatrix<double> D) {
  constexpr double kClearly = 1e-8;  // square of a distance; rounding leaves 1e-16
  for (int k = 0; k < D.cols(); ++k) {
    const double size = D.col(k).norm();
    if (!(size > 0)) return false;
    D.col(k) /= size;
  }
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> gram(D.transpose() * D);
  return gram.info() == Eigen::Success && gram.vectorD().minCoeff() > kClearly;
}

/// What makes displacements of the unknowns alike: turns count by the way they make at the size of the mechanism.
Eigen::VectorXd way_scales(const Layout& layout, double size) {
  Eigen::VectorXd scale = Eigen::VectorXd::Constant(layout.free(), size);
  for (const FrameCoordinates& f : layout.frames) scale.segment(f.unknown + 3, 3).setOnes();
  for (const BodyInfo& b : layout.bodies) {
    if (b.turns() == 1) scale[layout.unknown(b.v + b.shifts())] = 1;
  }
  return scale;
}

/// What the rows span, one after the other, so that of two that hold the same it is the later one that is found to follow from the others:
/// its distance from what they span is at most a share of its length.
struct SpannedRows {
  Eigen::MatrixXd basis;     ///< columns of length one
  std::vector<int> follows;  ///< rows
};
SpannedRows spanned_rows(const Eigen::MatrixXd& D, double share) {
  SpannedRows s{Eigen::MatrixXd(D.cols(), D.rows()), {}};
  int rank = 0;
  for (int k = 0; k < static_cast<int>(D.rows()); ++k) {
    Eigen::VectorXd d = D.row(k).transpose();
    const double size = d.norm();
    for (int pass = 0; pass < 2; ++pass) d -= s.basis.leftCols(rank) * (s.basis.leftCols(rank).transpose() * d);
    if (d.norm() > share * size) s.basis.col(rank++) = d.normalized();
    else s.follows.push_back(k);
  }
  s.basis.conservativeResize(Eigen::NoChange, rank);
  return s;
}

/// Rows that follow from others at a state, but no longer beside it. Looked for a little way off, in a direction that all rows allow and that is
/// like no other: to first order of the way where the state is singular; rows that always follow from others are off by its square.
std::vector<std::string> singular_rows(const System& system, const State& x, Workspace& w, const SpannedRows& here) {
  constexpr double kWay = 1e-4;  // [rad], or of the size of the mechanism
  const Layout& layout = system.layout();
  const double size = calc_size(layout, system.look(x, w).pose);
  const int n = layout.free();
  Eigen::VectorXd way(n);
  const Eigen::VectorXd scale = way_scales(layout, size);
  for (int i = 0; i < n; ++i) way[i] = std::sin(12.9898 * (i + 1));
  way -= here.basis * (here.basis.transpose() * way);
  const double longest = way.cwiseQuotient(scale).cwiseAbs().maxCoeff();
  if (!(longest > 0)) return {};
  State beside = x;
  Eigen::VectorXd by = Eigen::VectorXd::Zero(layout.sizes.v);
  for (int i = 0; i < n; ++i) by[layout.v_index(i)] = kWay / longest * way[i];
  system.motion().shift(beside, by.data());
  system.look(beside, w);
  const SpannedRows there = spanned_rows(held_rows(system, w, false).D * scale.asDiagonal(), 1e-2 * kWay);
  system.look(x, w);
  std::vector<std::string> names;
  for (const int k : here.follows) {
    if (std::find(there.follows.begin(), there.follows.end(), k) == there.follows.end())
      names.push_back(name_of(layout.held[u(k)]));
  }
  return there.follows.size() < here.follows.size() ? names : std::vector<std::string>();
}

/// Rank of the held rows, which of them follow from others, and which of those here alone.
int rank_of(const System& system, const State& x, Workspace& w, std::vector<std::string>& redundant,
            std::vector<std::string>& singular) {
  const Layout& layout = system.layout();
  const int m = system.layout().held_count(), n = layout.free();
  const auto name = [&](int k) { return name_of(layout.held[u(k)]); };
  if (m <= kDense) {
    const SpannedRows here = spanned_rows(held_rows(system, w, false).D, 1e-9);
    for (const int k : here.follows) redundant.push_back(name(k));
    if (!redundant.empty()) singular = singular_rows(system, x, w, here);
    return static_cast<int>(here.basis.cols());
  }
  const auto each = [&](auto use) {
    for (int k = 0; k < m; ++k) {
      layout.rows.each(layout.held[u(k)].row, w.D.data(), [&](int v, double c) {
        if (layout.unknown(v) >= 0 && c != 0) use(layout.unknown(v), k, c);
      });
    }
  };
  SparsePattern pattern;
  each([&](int i, int k, double) { pattern.add(i, k); });
  pattern.compress(m);
  std::vector<double> values(u(pattern.count()), 0);
  each([&](int i, int k, double c) { values[u(pattern.at(i, k))] += c; });
  const Eigen::SparseMatrix<double> D = Eigen::Map<const Eigen::SparseMatrix<double>>(
      n, m, pattern.count(), pattern.starts().data(), pattern.rows().data(), values.data());
  // with turns and shifts as they come a long chain is nearly a lever of any length, and its last rows nearly follow from the others
  if (is_clearly_regular(D) || is_clearly_regular(way_scales(layout, calc_size(layout, system.look(x, w).pose)).asDiagonal() * D))
    return m;
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(1e-9);
  qr.compute(D);
  for (int i = static_cast<int>(qr.rank()); i < m; ++i) redundant.push_back(name(qr.colsPermutation().indices()[i]));
  return static_cast<int>(qr.rank());
}

[[noreturn]] void refuse_open(const System& system, const SpaceParts& parts, const Workspace& w, const Where& where) {
  const Layout& layout = system.layout();
  Eigen::VectorXd value(system.layout().held_count());
  for (int k = 0; k < system.layout().held_count(); ++k) value[k] = w.row_value[u(layout.held[u(k)].row)];
  const HeldRow& worst = worst_row(layout, value);
  throw InputError(place_of(parts, worst, where),
                   "the joints cannot be closed: " + name_of(worst) + " is off by " +
                       short_text(value.lpNorm<Eigen::Infinity>()) +
                       " after the best fit. Check the positions of its bodies and the joints around it");
}

/// Positions at the start for `newton`, which goes downhill here: what the rows are off in all falls with every change.
struct Placing {
  const System& system;
  const SpaceParts& parts;
  State& x;
  Workspace& w;
  const Eigen::VectorXd weight;
  Rows rows;
  double off = rows.value.norm();
  Eigen::VectorXd by = Eigen::VectorXd::Zero(system.layout().sizes.v), step = {};

  double largest() const { return rows.value.lpNorm<Eigen::Infinity>(); }
  static bool evaluate() { return true; }  // rows are evaluated where a change is tried
  bool settled() const { return !(largest() > 1e-13); }
  bool solve() {
    step = least_change(rows, weight);
    return true;
  }
  double size() const { return step.norm(); }
  void take(double) {
    double turn = 0;  // no body turns by more than half a radian at once
    for (const FrameCoordinates& f : system.layout().frames) turn = std::max(turn, step.segment(f.unknown + 3, 3).norm());
    double part = turn > 0.5 ? 0.5 / turn : 1;
    const State before = x;
    for (int halvings = 0;; ++halvings) {
      x = before;
      for (int i = 0; i < system.layout().free(); ++i) by[system.layout().v_index(i)] = part * step[i];
      system.motion().shift(x, by.data());
      follow(system, parts, x, w);
      rows = held_rows(system, w, false);
      if (rows.value.norm() < off * (1 - 1e-4 * part) || halvings > 12) break;
      part *= 0.5;
    }
  }
  NewtonStep judge(const Contraction&) {
    const double next = rows.value.norm();
    if (next > 0.9 * off && next < 1e-9) return NewtonStep::found;  // round-off
    if (!(next < off * (1 - 1e-9)) && next > 1e-9) return NewtonStep::diverges;
    off = next;
    return NewtonStep::on;
  }
};

void place(const System& system, const SpaceParts& parts, State& x, Workspace& w, const Where& where) {
  if (system.layout().held_count() > kDense) {
    Multipliers kernel;
    kernel.prepare(system, Enforcement{.corrects = true});
    const double off = kernel.held().correct_positions(system, x, w, 50);
    if (!(off < 1e-8)) refuse_open(system, parts, w, where);
    return;
  }
  Placing placing{system, parts, x, w, weights(system, parts, false), held_rows(system, w, false)};
  Contraction contraction;
  newton(placing, contraction, 100);
  if (!(placing.largest() < 1e-8)) refuse_open(system, parts, w, where);
}

void set_going(const System& system, const SpaceParts& parts, State& x, Workspace& w, const Where& where) {
  const Layout& layout = system.layout();
  system.look(x, w);
  if (system.layout().held_count() > kDense) {
    Multipliers kernel;
    kernel.prepare(system, Enforcement{.corrects = true});
    kernel.held().correct_velocities(system, x, w);
    system.look(x, w);
    for (const HeldRow& h : layout.held) {
      if (!(std::abs(w.row_rate[u(h.row)]) < 1e-6 * std::max(1.0, std::abs(w.row_partial[u(h.row)]))))
        throw InputError(
            place_of(parts, h, where),
            "no velocities fulfil " + name_of(h) + " at the start; two drives may contradict each other: leave one of them out");
    }
    return;
  }
  const Rows rows = held_rows(system, w, true);
  const double off = rows.value.lpNorm<Eigen::Infinity>();
  if (off == 0) return;
  const Eigen::VectorXd weight = weights(system, parts, true);
  Eigen::VectorXd step;
  if (!parts.rigid_starts.empty()) step = rigid_change(system, parts, x, rows, weight);
  if (step.size() == 0) step = least_change(rows, weight);
  const Eigen::VectorXd left = rows.value + rows.D * step;
  double fastest = 0, changed = 0;
  int worst = -1;
  for (int i = 0; i < layout.free(); ++i) {
    double& v = x.v()[layout.v_index(i)];
    if (weight[i] == 1) {
      fastest = std::max(fastest, std::abs(v));
      if (std::abs(step[i]) > changed) changed = std::abs(step[i]), worst = i;
    }
    v += step[i];
  }
  if (left.lpNorm<Eigen::Infinity>() > 1e-8 * std::max(1.0, off)) {
    const HeldRow& h = worst_row(layout, left);
    throw InputError(place_of(parts, h, where), "no velocities fulfil " + name_of(h) +
                                                    " at the start; two drives may contradict each other: leave one of them out");
  }
  if (fastest > 0 && changed > 0.01 * fastest) {
    std::string body;
    for (const BodyInfo& b : layout.bodies) {
      if (layout.v_index(worst) >= b.v && layout.v_index(worst) < b.v + b.count) body = b.name;
    }
    Where here = where;
    for (const SpaceBodyPlan& b : parts.bodies) {
      if (b.name == body) here = b.where;
    }
    throw InputError(here, "the velocities given at the start contradict the joints: that of body '" + body +
                               "' would have to change by " + short_text(changed) + " to fulfil " +
                               name_of(worst_row(layout, rows.value)) +
                               ". Leave out what follows from the joints, or correct it");
  }
}

}  // namespace

std::vector<std::string> assemble_start(System& system, const SpaceParts& parts, const Where& where) {
  State x = system.make_state();
  Workspace w = system.make_workspace();
  std::vector<std::string> redundant, singular;
  int rank = 0;
  if (system.layout().held_count() > 0) {
    follow(system, parts, x, w);
    for (const HeldRow& h : system.layout().held) {
      if (!std::isfinite(w.row_value[u(h.row)] + w.row_rate[u(h.row)] + w.row_drift[u(h.row)]))
        throw InputError(place_of(parts, h, where),
                         name_of(h) + ": value, speed or acceleration at t = 0 is not a finite number");
    }
    place(system, parts, x, w, where);
  }
  std::vector<std::string> moved = part_surfaces(system, parts, x, w);
  if (system.layout().held_count() > 0) {
    system.look(x, w);
    rank = rank_of(system, x, w, redundant, singular);
    set_going(system, parts, x, w, where);
  }
  // bodies that cannot move at all, and start values that are no numbers
  for (double number : x.numbers()) {
    if (!std::isfinite(number)) throw InputError(where, "a start value is not a finite number");
  }
  system.look(x, w);
  for (const SpaceParts::Line& line : parts.distances) {
    if (!(w.row_value[u(line.row)] > 1e-9))
      throw InputError(line.where, line.owner +
                                       ": its two points coincide at the start, so that the line between them has no direction. "
                                       "Move one of them, or use a bushing");
  }
  for (const SpaceParts::Gap& gap : parts.gaps) {
    if (w.row_value[u(gap.row)] < -1e-9)
      throw InputError(
          gap.where,
          gap.owner + ": the surfaces at '" + gap.place + "' overlap by " + fmt::format("{:.6g}", -w.row_value[u(gap.row)]) +
              " m at the start. Move the bodies apart, or write overlap: resolve to have them moved, overlap: keep to start with "
              "the energy that this stores");
  }
  system.accept(x, w);  // angles count from where they are
  for (int mark : parts.clocks) x.marks()[mark] = std::numeric_limits<double>::lowest();
  system.set_start(std::move(x), std::move(redundant), std::move(singular), system.layout().free() - rank);
  return moved;
}

}  // namespace bristle
