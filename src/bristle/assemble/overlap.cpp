// Surfaces that overlap at the start, and are to be moved apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/assemble/space.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/enforce/held_matrix.h"
#include "bristle/math/cone_problem.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

constexpr double kClosed = 1e-12;  ///< [m] what may be left

/// How easily each free velocity changes: the inverse of the inertia of every body over its mass, so that turns count at the radius of
/// gyration and heavy bodies as much as light ones.
Eigen::MatrixXd ease_of(const System& system) {
  const int n = system.layout().free();
  Eigen::MatrixXd ease = Eigen::MatrixXd::Identity(n, n);
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const MassBlock& b : system.masses().blocks()) {
    const int at = system.layout().unknown(b.v);
    if (at >= 0)
      ease.block(at, at, b.count, b.count) = b.mass[0] * Eigen::Map<const Square>(b.mass.data(), b.count, b.count).inverse();
  }
  return ease;
}

/// The body's name, how far its centre went and how far it turned.
std::string told(const BodyInfo& b, const Pose& there, const Pose& here, const State& from, const State& to) {
  const double *p = from.q() + b.q, *q = to.q() + b.q;
  const double way = norm(here.p - there.p);
  double turn = 0;
  if (b.turns() == 1) turn = std::abs(q[b.shifts()] - p[b.shifts()]);
  if (b.turns() == 3) {
    double cosine = 0, size = 0;  // of half the angle; the sine from the difference, which is exact for small turns
    for (int k = 3; k < 7; ++k) cosine += p[k] * q[k];
    for (int k = 3; k < 7; ++k) size += std::pow(q[k] - (cosine < 0 ? -1 : 1) * p[k], 2);
    turn = 4 * std::asin(std::min(1.0, 0.5 * std::sqrt(size)));
  }
  if (b.is_matrix()) {
    double square = 0;  // of the difference of the matrices: eight times that of the sine of half the angle
    for (std::size_t k = 0; k < 9; ++k) square += std::pow(here.R.m[k] - there.R.m[k], 2);
    turn = 2 * std::asin(std::min(1.0, std::sqrt(square / 8)));
  }
  if (way <= kClosed && turn <= kClosed) return "";
  return fmt::format("'{}' by {:.4g} mm", b.name, 1e3 * way) +
         (turn > 1e-9 ? fmt::format(" and {:.3g} deg", turn * 180 / 3.14159265358979323846) : "");
}

}  // namespace

std::vector<std::string> part_surfaces(const System& system, const SpaceParts& parts, State& x, Workspace& w) {
  const Layout& layout = system.layout();
  const bool asked = std::any_of(parts.gaps.begin(), parts.gaps.end(), [](const SpaceParts::Gap& g) { return g.resolve; });
  if (!asked) return {};
  system.follow(x, w);  // geometries with an inner solve look around
  system.look(x, w);
  const auto deepest = [&]() -> const SpaceParts::Gap* {
    const SpaceParts::Gap* worst = nullptr;
    for (const SpaceParts::Gap& g : parts.gaps) {
      if (g.resolve && (worst == nullptr || w.row_value[u(g.row)] < w.row_value[u(worst->row)])) worst = &g;
    }
    return worst;
  };
  const auto off = [&] {
    double most = -w.row_value[u(deepest()->row)];
    for (const HeldRow& h : layout.held) most = std::max(most, std::abs(w.row_value[u(h.row)]));
    return most;
  };
  if (!(-w.row_value[u(deepest()->row)] > kClosed)) return {};
  const State given = x;
  const int n = layout.free(), m = system.layout().held_count();
  const Eigen::MatrixXd ease = ease_of(system);
  std::vector<double> by(u(layout.sizes.v), 0);
  for (int pass = 0; pass < 60 && off() > kClosed; ++pass) {
    std::vector<int> rows;
    for (const SpaceParts::Gap& g : parts.gaps) {
      if (w.row_value[u(g.row)] < 1e6 && (g.resolve || w.row_value[u(g.row)] >= 0)) rows.push_back(g.row);
    }
    const int all = m + static_cast<int>(rows.size());
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(all, n);
    if (m > 0) D.topRows(m) = held_matrix(system, w);
    ConeProblem problem;
    problem.resize(all);
    for (int i = 0; i < all; ++i) {
      const int row = i < m ? layout.held[u(i)].row : rows[u(i - m)];
      problem.b[u(i)] = w.row_value[u(row)];
      problem.blocks.push_back({i, 0, 0, 0, i < m});
      if (i < m) continue;
      layout.rows.each(row, w.D.data(), [&](int v, double c) {
        if (layout.unknown(v) >= 0) D(i, layout.unknown(v)) += c;
      });
    }
    // least motion under rows that are held and gaps that may open: a contact problem without friction
    const Eigen::MatrixXd response = ease * D.transpose(), W = D * response;
    for (int i = 0; i < all; ++i) {
      for (int j = 0; j < all; ++j) problem.W[u(i) * u(all) + u(j)] = W(i, j);
    }
    problem.tolerance = 1e-3 * kClosed;
    std::vector<double> push(u(all), 0);
    problem.solve(push.data());
    const Eigen::VectorXd step = response * Eigen::Map<const Eigen::VectorXd>(push.data(), all);
    double turn = 0;  // no body turns by more than half a radian at once
    for (const FrameCoordinates& f : layout.frames) turn = std::max(turn, step.segment(f.unknown + 3, 3).norm());
    for (int i = 0; i < n; ++i) by[u(layout.v_index(i))] = step[i] * (turn > 0.5 ? 0.5 / turn : 1);
    system.motion().shift(x, by.data());
    system.follow(x, w);
    system.look(x, w);
  }
  if (!(off() <= 1e-9)) {
    const SpaceParts::Gap& worst = *deepest();
    throw InputError(worst.where,
                     worst.owner + ": the surfaces at '" + worst.place + "' overlap at the start by " +
                         fmt::format("{:.6g}", -w.row_value[u(worst.row)]) +
                         " m, and no motion of the bodies that keeps the joints takes them apart. Check positions and "
                         "sizes, or write overlap: keep");
  }
  std::vector<std::string> moved;
  Workspace before = system.make_workspace();
  system.look(given, before);
  for (std::size_t k = 0; k < layout.bodies.size(); ++k) {
    const BodyInfo& b = layout.bodies[k];
    if (!b.moves()) continue;
    if (std::string words = told(b, before.pose[k], w.pose[k], given, x); !words.empty()) moved.push_back(std::move(words));
  }
  return moved;
}

}  // namespace bristle
