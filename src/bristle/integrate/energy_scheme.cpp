#include "bristle/integrate/energy_scheme.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

constexpr double kRounding = 2.3e-16;
// when the tangent of the first iteration serves again
constexpr int kWorthKeeping = 40;
constexpr double kSmallChange = 0.05;  // relative change of the first iteration
constexpr double kFast = 0.05;         // contraction
constexpr double kBelowError = 0.01;   // of the tolerance of the error, that of Newton's method at most

/// (1 - [r]/2)^-1 x: half of 1 + Cay(r), times x. With -r its transpose. share: 1/(1 + r.r/4).
Vec3<> halved(const Vec3<>& r, double share, const Vec3<>& x) { return share * (x + 0.5 * cross(r, x) + (0.25 * dot(r, x)) * r); }
/// The same as a matrix.
Mat3<> halver(const Vec3<>& r, double share) {
  Mat3<> H;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    H(k, k) = share * (1 + 0.25 * r[k] * r[k]);
    H(i, j) = share * (0.25 * r[i] * r[j] - 0.5 * r[k]);
    H(j, i) = share * (0.25 * r[i] * r[j] + 0.5 * r[k]);
  }
  return H;
}
Mat3<> skew(const Vec3<>& a, double by) {
  Mat3<> m;
  m(0, 1) = -by * a[2], m(0, 2) = by * a[1];
  m(1, 0) = by * a[2], m(1, 2) = -by * a[0];
  m(2, 0) = -by * a[1], m(2, 1) = by * a[0];
  return m;
}
double share_of(const Vec3<>& r) { return 1 / (1 + 0.25 * dot(r, r)); }

}  // namespace

void EnergyScheme::visit_common(Visitor& v) {
  v("tolerance", tolerances_.relative, unit::one, non_negative, "relative error per step; 0: a fixed step");
  v("absolute_tolerance", tolerances_.absolute, unit::one, non_negative,
    "error below which values do not matter, in SI; 0: tolerance/1000");
  v("newton_tolerance", newton_tolerance_, unit::one, positive, "relative change at which Newton's iteration has converged");
  v.flag("keep_factors", keep_factors_,
         "iterate with the tangent of the first iteration of a step while that converges fast; false: a new one every time");
}

std::string EnergyScheme::needs_refused(const System& system) const {
  if (!system.groups().empty())
    return "it cannot follow a collision group ('" + std::string(system.groups()[0]->group_name()) + "'). Use moreau_jean or rk4";
  if (const std::string who = system.steps().traits().cannot_follow; !who.empty()) return "it cannot follow " + who;
  if (!system.masses().constant()) return "it cannot follow bodies whose inertia changes with their position";
  return {};
}

void EnergyScheme::prepare(const System& system) {
  const Layout& layout = system.layout();
  n_ = layout.free();
  held_ = system.layout().held_count();
  memory_ = layout.sizes.z;
  jumps_ = !system.dry().empty() ||
           (jump_ > 0 && (held_ > 0 || system.steps().traits().takes_jump || jump_contact_ != JumpContact::none));
  redundant_ = !layout.redundant.empty();
  inertia_.clear();
  for (const MassBlock& m : system.masses().blocks()) {
    inertia_.push_back({m.v, layout.unknown(m.v), m.count, m.v > layout.ground && m.count == 6, m.mass});
  }
  mass_ = 0;
  for (const Inertia& m : inertia_) mass_ = std::max(mass_, m.mass[0]);
  planar_.clear();
  turns_.assign(u(n_), 0);
  for (const BodyInfo& b : layout.bodies) {
    if (b.turns() != 1) continue;
    planar_.push_back(layout.unknown(b.v + b.shifts()));
    turns_[u(planar_.back())] = 1;
  }
  for (const FrameCoordinates& f : layout.frames) turns_[u(f.unknown + 3)] = 3;
  lightness_.assign(u(n_), 0);
  for (const Inertia& m : inertia_) {
    for (int i = 0; i < m.count; ++i) lightness_[u(m.unknown + i)] = 1 / m.mass[u(i * m.count + i)];
  }
  matrix_.prepare(system, jumps_);
  start_ = end_ = system.make_workspace();
  middle_ = system.make_state();
  half_.resize(layout.bodies.size());
  room_.assign(u(system.steps().traits().room), 0);
  by_step_.assign(u(layout.rows.values()), 0);
  impulse_.assign(u(layout.sizes.v + layout.spare), 0);
  v_jump_ = impulse_;
  increments_.assign(u(n_), 0);
  v_after_ = increments_;
  slots_ = layout.sizes.lambda;
  lambda_.assign(u(slots_), 0);
  mobility_ = lambda_;
  mu_.assign(u(slots_), 0);
  choice_.prepare(system);
  if (redundant_) forces_.prepare(system);
  kept_.assign(system.dry().size(), 0);
  yields_ = let_go_ = returned_ = kept_;
  kept_slot_.assign(u(slots_), 0);
  shared_.prepare(system);
  limit_start_.assign(system.dry().size(), 0);
  creep_.assign(u(slots_), 0);
  b_.assign(u(matrix_.size()), 0);
  step_.assign(u(2 * n_ + memory_), 0);
  z_.assign(u(memory_), 0);
  changes_.reserve(u(3 * (10 + 4 * static_cast<int>(system.dry().size())) * limit_));  // iterations of all rounds of settle
  error_.assign(u(2 * n_ + memory_), 0);
  for (auto* part : {&mean_, &slope_, &bend_, &new_mean_, &new_slope_, &new_bend_, &third_}) part->assign(u(n_ + memory_), 0);
  restart();
}

void EnergyScheme::restart() {
  known_ = equal_ = 0;
  last_h_ = 0;
  std::fill(third_.begin(), third_.end(), 0.0);
  first_ = true;
  rejected_ = false;
}

double EnergyScheme::first_step(const StepContext& c, const State& x0) const {
  const double d = tolerances_.relative * scaled_norm(c.system, tolerances_, x0, x0, c.rate0);
  return d > 1e-10 ? 0.2 * std::cbrt(tolerances_.relative) / d : 1e-6;
}

/// The start of a step: measures there, and what does not change while Newton's method runs.
void EnergyScheme::begin(const System& system, const State& x0, double h) {
  h_ = h;
  const Eval e0 = system.look(x0, start_);
  // What violates a joint is taken out, or nothing is: then stops leave the rates of the joints as they are. Steps of another length than the one before would
  // excite what is reflected
  if (x0.t == finished_.end) accepted_ = finished_;
  keeps_rates_ = jump_ == 0 && !(controls_error() && std::abs(h - last_h_) > 1e-6 * h);
  eval_ = {};
  eval_.h = h;
  eval_.t_ends[0] = x0.t, eval_.t_ends[1] = x0.t + h;
  eval_.q_ends[0] = x0.q();
  eval_.pose_ends[0] = start_.pose.data(), eval_.pose_ends[1] = end_.pose.data();
  eval_.half = half_.data();
  eval_.value_ends[0] = start_.row_value.data(), eval_.value_ends[1] = end_.row_value.data();
  eval_.D_start = e0.D;
  eval_.rate_start = e0.row_rate;
  eval_.by_step = by_step_.data();
  eval_.jump = jumps_ ? jump_ : 0;
  eval_.jump_contact = jump_contact_;
  eval_.v_jump = v_jump_.data();
  eval_.impulse = impulse_.data();
  eval_.numerical = &numerical_;
  eval_.mobility = mobility_.data();
  eval_.room = room_.data();
  middle_ = x0;
  find_mobilities(system);
  choice_.review(system, start_);
  q_scale_ = !system.layout().frames.empty() || !system.layout().bodies.empty() ? 1 : 1e-30;
  for (int i = 0; i < system.layout().scalars; ++i) q_scale_ = std::max(q_scale_, std::abs(x0.q()[i]));
  rest_scale_ = 0;
  for (const DryPlace& p : system.dry()) {
    if (!p.constant) continue;
    RestView view;
    p.owner->view(e0, p.item, view);
    for (const RestRow& row : p.rows) {
      system.layout().rows.each(row.row, e0.D, [&](int v, double c) {
        if (const int i = system.layout().unknown(v); i >= 0)
          rest_scale_ = std::max(rest_scale_, h * h * lightness_[u(i)] * std::abs(row.force_arm * c) * view.limit);
      });
    }
  }
  for (const FrameCoordinates& f : system.layout().frames) {
    for (int i = 0; i < 3; ++i) q_scale_ = std::max(q_scale_, std::abs(x0.q()[f.q + i]));
  }
}

/// About how much slip an impulse makes at each dry place: no coupling between bodies is looked at.
void EnergyScheme::find_mobilities(const System& system) {
  const Layout& layout = system.layout();
  for (const DryPlace& p : system.dry()) {
    for (int d = 0; d < p.components; ++d) {
      double W = 0;
      const auto add = [&](int v, double slip, double force) {
        if (const int i = layout.unknown(v); i >= 0) W += slip * force * lightness_[u(i)];
      };
      const RestRow& row = p.rows[u(d)];
      layout.rows.each(row.row, start_.D.data(), [&](int v, double k) { add(v, k * row.arm, k * row.force_arm); });
      mobility_[u(p.lambda + d)] = W > 0 ? W : 1;
    }
  }
}

/// First guess: the motion goes on, or nothing moves.
void EnergyScheme::predict(const State& x0, const double* rate0, double h, bool moving) {
  std::copy_n(x0.lambda(), slots_, lambda_.begin());
  std::fill(mu_.begin(), mu_.end(), 0.0);
  // from nothing to the least forces that hold: what places that repeat each other do against each other is not carried on
  for (int s = held_; s < slots_; ++s) {
    if (kept_slot_[u(s)] != 0) lambda_[u(s)] = 0;
  }
  for (const Inertia& m : inertia_) {
    for (int i = 0; i < m.count; ++i) {
      const double v = x0.v()[m.v + i], a = x0.a()[m.v + i];
      v_after_[u(m.unknown + i)] = v;
      // accelerations of the last step serve while they change the velocity by a part of itself
      increments_[u(m.unknown + i)] = moving ? h * (v + (std::abs(h * a) < std::abs(v) ? 0.5 * h * a : 0)) : 0;
    }
  }
  for (int i = 0; i < memory_; ++i) z_[u(i)] = x0.z()[i] + (moving ? h * rate0[2 * n_ + i] : 0);
}

/// State and measures at the end, means of both ends.
void EnergyScheme::put_ends(const System& system, Workspace& w, const State& x0, State& x1) {
  const Layout& layout = system.layout();
  for (int i = 0; i < n_; ++i) {
    step_[u(i)] = increments_[u(i)];
    step_[u(n_ + i)] = 2 / h_ * increments_[u(i)] - v_after_[u(i)] - x0.v()[layout.v_index(i)];
    v_jump_[u(layout.v_index(i))] = v_after_[u(i)];
  }
  for (int i : planar_) step_[u(i)] = 2 * std::atan(0.5 * increments_[u(i)]);
  for (int i = 0; i < memory_; ++i) step_[u(2 * n_ + i)] = z_[u(i)] - x0.z()[i];
  x1 = x0;
  system.motion().move(x0, 1, step_.data(), x1, Chart::cayley);
  system.set_time(x1, eval_.t_ends[1]);
  for (int i = 0; i < layout.driven; ++i) v_jump_[u(layout.scalars + i)] = x0.v()[layout.scalars + i];
  system.look(x1, end_);
  eval_.q_ends[1] = x1.q();
  eval_.z_ends[0] = x0.z(), eval_.z_ends[1] = z_.data();

  // derivatives of the measures at the end by the increments
  std::copy(end_.D.begin(), end_.D.end(), by_step_.begin());
  for (int r = 0; r < layout.rows.count(); ++r) {
    for (const RowPiece* p = layout.rows.begin(r); p != layout.rows.end(r); ++p) {
      const int k = layout.unknown(p->v);
      if (k < 0) continue;
      double* d = by_step_.data() + p->at;
      for (int i = k; i < k + p->count; ++i) {
        if (turns_[u(i)] == 1) d[i - k] /= 1 + 0.25 * increments_[u(i)] * increments_[u(i)];
        if (turns_[u(i)] != 3) continue;
        const Vec3<> rho = vec3(increments_.data() + i), turn = vec3(d + i - k);
        const Vec3<> by = (1 / (1 + 0.25 * dot(rho, rho))) * (turn + 0.5 * cross(rho, turn));
        for (int j = 0; j < 3; ++j) d[i - k + j] = by[j];
      }
    }
  }

  // the middle
  middle_.t = 0.5 * (eval_.t_ends[0] + eval_.t_ends[1]);
  const double *q0 = x0.q(), *q1 = x1.q();
  for (int i = 0; i <= layout.ground; ++i) {
    middle_.q()[i] = 0.5 * (q0[i] + q1[i]);
    middle_.v()[i] = (q1[i] - q0[i]) / h_;
  }
  for (int i = 0; i < n_; ++i) middle_.v()[layout.v_index(i)] = increments_[u(i)] / h_;
  for (int i = 0; i < memory_; ++i) middle_.z()[i] = 0.5 * (x0.z()[i] + z_[u(i)]);
  std::copy(lambda_.begin(), lambda_.end(), middle_.lambda());
  for (std::size_t k = 0; k < half_.size(); ++k) {
    const FrameMap& map = layout.bodies[k];
    const double* increments = map.moves() ? increments_.data() + layout.unknown(map.v) : nullptr;
    map.mean_of_step(start_.pose[k], end_.pose[k], q0, q1, increments, h_, w.pose[k], half_[k]);
  }
  Eval& middle = eval_;
  middle = system.view(middle_, w);
}

/// Forces of the step as the increments stand, reactions included; memory at its end.
void EnergyScheme::evaluate(const System& system, Workspace& w, const State& x0, State& x1) {
  put_ends(system, w, x0, x1);
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  numerical_ = 0;
  system.steps().calc(eval_);
  z_change_ = 0;
  for (int i = 0; i < memory_; ++i) {
    const double z = x0.z()[i] + h_ * eval_.zdot[i];
    z_change_ = std::max(z_change_, std::abs(z - z_[u(i)]) / std::max(1.0, std::abs(z)));
    z_[u(i)] = z;
  }
}

/// What is missing in the balances of forces and impulses and in the held rows: the right-hand side.
void EnergyScheme::balance(const System& system, const Workspace& w, const State& x0) {
  const Layout& layout = system.layout();
  const double half = 0.5 * h_ * h_;
  std::fill(b_.begin(), b_.end(), 0.0);
  for (int i = 0; i < n_; ++i) b_[u(i)] = half * w.f[u(layout.v_index(i))];
  for (const Inertia& m : inertia_) {
    const double *d = increments_.data() + m.unknown, *vj = v_after_.data() + m.unknown, *v0 = x0.v() + m.v;
    double *force = b_.data() + m.unknown, *impulse = jumps_ ? b_.data() + matrix_.jump(m.unknown) : nullptr;
    const int linear = m.frame ? 3 : m.count;
    for (int i = 0; i < linear; ++i) {
      for (int j = 0; j < linear; ++j) {
        const double mass = m.mass[u(i * m.count + j)];
        force[i] -= mass * (d[j] - h_ * vj[j]);
        if (jumps_) impulse[i] -= h_ * mass * (vj[j] - v0[j]);
      }
    }
    if (!m.frame) continue;
    const Vec3<> rho = vec3(d + 3), before = vec3(vj + 3), after = (2 / h_) * rho - before;
    const auto times = [&](const Vec3<>& x) {
      Vec3<> y;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) y[i] += m.mass[u((3 + i) * 6 + 3 + j)] * x[j];
      }
      return y;
    };
    const double share = share_of(rho);
    const Vec3<> moment = halved(rho, share, times(after)) - halved(-1.0 * rho, share, times(before));
    const Vec3<> turn = times(before - vec3(v0 + 3));
    for (int i = 0; i < 3; ++i) {
      force[3 + i] -= 0.5 * h_ * moment[i];
      if (jumps_) impulse[3 + i] -= h_ * turn[i];
    }
  }
  for (int k = 0; k < held_; ++k) {
    const HeldRow& row = layout.held[u(k)];
    if (choice_.leaves_out(k)) continue;
    b_[u(matrix_.multiplier(k))] = row.holonomic ? -end_.row_value[u(row.row)] : -h_ * eval_.row_rate[row.row];
  }
  calc_creep(lambda_);
  for (const DryPlace& p : system.dry()) {
    double residual[3], along[3];
    p.owner->step_rest(eval_, p.item, residual, along);
    for (int d = 0; d < p.components; ++d) {
      residual[d] -= h_ * h_ * creep_[u(p.lambda + d)];
      // a slip that is round-off of the positions is none: places that repeat each other would blow it up
      const bool nothing = kept_slot_[u(p.lambda + d)] != 0 && std::abs(residual[d]) <= 4 * kRounding * q_scale_;
      b_[u(matrix_.multiplier(p.lambda + d))] = nothing ? 0.0 : -residual[d];
    }
  }
  if (!jumps_) return;
  for (int i = 0; i < n_; ++i) b_[u(matrix_.jump(i))] += h_ * impulse_[u(layout.v_index(i))];
  for (int k = 0; k < held_; ++k) {
    const int row = layout.held[u(k)].row;
    double rate = keeps_rates_ ? 0 : start_.row_partial[u(row)];
    layout.rows.each(row, eval_.D_start, [&](int v, double d) {
      rate += d * (v_jump_[u(v)] - (keeps_rates_ ? x0.v()[v] : 0.0));
      if (const int i = layout.unknown(v); i >= 0) b_[u(matrix_.jump(i))] -= h_ * h_ * d * mu_[u(k)];
    });
    if (!choice_.leaves_out(k)) b_[u(matrix_.jump_multiplier(k))] = -h_ * rate;
  }
  balance_stops(system);
}

/// A new tangent, and the change of the unknowns by it.
bool EnergyScheme::linearise(const System& system) {
  const Layout& layout = system.layout();
  matrix_.begin(h_, b_.data());
  for (const Inertia& m : inertia_) {
    const double *d = increments_.data() + m.unknown, *vj = v_after_.data() + m.unknown;
    const int linear = m.frame ? 3 : m.count;
    for (int i = 0; i < linear; ++i) {
      for (int j = 0; j < linear; ++j) {
        const double mass = m.mass[u(i * m.count + j)];
        if (mass == 0) continue;
        matrix_.put(m.unknown + i, m.unknown + j, mass);
        if (!jumps_) continue;
        matrix_.put(m.unknown + i, matrix_.jump(m.unknown + j), -mass);
        matrix_.put(matrix_.jump(m.unknown + i), matrix_.jump(m.unknown + j), mass);
      }
    }
    if (!m.frame) continue;
    const Vec3<> rho = vec3(d + 3), before = vec3(vj + 3), after = (2 / h_) * rho - before;
    Mat3<> J;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) J(i, j) = m.mass[u((3 + i) * 6 + 3 + j)];
    }
    const double share = share_of(rho);
    const Mat3<> H = halver(rho, share);
    Mat3<> X = skew(H * (J * after), -0.25 * h_), both;  // of the momentum at the end, by the increment
    for (std::size_t i = 0; i < 9; ++i) X.m[i] += J.m[i];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) both(i, j) = 0.5 * (H(i, j) + H(j, i));
    }
    const Mat3<> by_end = H * X, by_start = transposed(H, skew(transposed(H, J * before), 0.25 * h_)), by_jump = both * J;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        matrix_.put(m.unknown + 3 + i, m.unknown + 3 + j, by_end(i, j) - by_start(i, j));
        if (!jumps_) continue;
        matrix_.put(m.unknown + 3 + i, matrix_.jump(m.unknown + 3 + j), -by_jump(i, j));
        matrix_.put(matrix_.jump(m.unknown + 3 + i), matrix_.jump(m.unknown + 3 + j), J(i, j));
      }
    }
  }
  system.steps().calc_jacobian(eval_, matrix_);
  for (const DryPlace& p : system.dry()) p.owner->step_rest_jacobian(eval_, p.item, matrix_);
  shared_.each([&](int slot, int other, double C) { matrix_.put(matrix_.multiplier(slot), matrix_.multiplier(other), -2 * C); });
  for (int k = 0; k < held_; ++k) {
    const int row = layout.held[u(k)].row, at = matrix_.multiplier(k);
    layout.rows.each(row, eval_.D, [&](int v, double d) {
      if (const int i = layout.unknown(v); i >= 0) matrix_.put(i, at, d);
    });
    const double asks = choice_.leaves_out(k) ? 0 : 1;  // a row that follows from others does not
    layout.rows.each(row, eval_.by_step, [&](int v, double d) {
      if (const int i = layout.unknown(v); i >= 0) matrix_.put(at, i, asks * d);
    });
    if (redundant_) matrix_.put(at, at, 1 - asks);
    if (!jumps_) continue;
    const int after = matrix_.jump_multiplier(k);
    layout.rows.each(row, eval_.D_start, [&](int v, double d) {
      const int i = layout.unknown(v);
      if (i < 0) return;
      matrix_.put(matrix_.jump(i), after, d);
      matrix_.put(after, matrix_.jump(i), asks * d);
    });
    if (redundant_) matrix_.put(after, after, 1 - asks);
  }
  linearise_stops(system);
  return matrix_.finish();
}

/// The balances of a step; its unknowns are increments, velocities after the jump and multipliers. Memory follows them in `evaluate`.
struct EnergyScheme::Balance {
  EnergyScheme& m;
  const System& system;
  Workspace& w;
  const State& x0;
  State& x1;
  Outcome& out;
  // what iteration leaves in the increments must not show in the differences that the error is read from
  double enough = m.controls_error() ? std::min(m.newton_tolerance_, kBelowError* m.tolerances_.relative) : m.newton_tolerance_;
  bool may_keep = m.keep_factors_ && m.n_ > kWorthKeeping&& system.dry().empty();
  int pass = 0;
  bool kept = false, was_kept = false;  // the tangent of the first iteration, in this one and in the last one
  bool done = false, rounded = false;   // nothing but memory may still have to settle; round-off is all that is left
  double off = 0, shift = 0, way = 0;   // of the held rows; largest change of an increment; largest increment
  double pull = 0, most = 0;            // the same of multipliers
  double last_shift = 0, z_last = 0;

  bool evaluate();
  /// Stiff bristles show the round-off of the increments up to a million times larger: nothing settles them any further.
  bool settled() const {
    return done && (m.z_change_ <= 1e-12 || (rounded && m.z_change_ <= 1e-8 && m.z_change_ > 0.3 * z_last));
  }
  bool solve();
  double size();
  void take(double part);
  NewtonStep judge(const Contraction&);
};

bool EnergyScheme::Balance::evaluate() {
  ++pass;
  m.eval_.tangent = !kept;
  z_last = m.z_change_;
  m.evaluate(system, w, x0, x1);
  ++out.evaluations;
  return true;
}

bool EnergyScheme::Balance::solve() {
  m.balance(system, w, x0);
  off = 0;
  for (int s = 0; s < m.held_; ++s) off = std::max(off, std::abs(m.b_[u(m.matrix_.multiplier(s))]));
  if (kept) m.matrix_.solve(m.b_.data());
  else if (!m.linearise(system)) return false;
  ++out.newton;
  return true;
}

/// Relative: of the increments and of the multipliers, each of the largest.
double EnergyScheme::Balance::size() {
  shift = way = 0;
  for (int i = 0; i < m.n_; ++i) {
    const double part = std::abs(m.b_[u(i)]);
    if (!(part <= shift)) shift = part, out.worst = m.n_ + i;
    way = std::max(way, std::abs(m.increments_[u(i)] + m.b_[u(i)]));
  }
  if (!std::isfinite(shift)) return kInfinity;
  // multipliers that nothing moves by (a driven mechanism) must settle, too: friction depends on them. Those of places at rest need
  // not: what places that repeat each other do against each other is round-off over the softness of their forces
  pull = 0, most = m.mass_ * way;
  for (int s = 0; s < m.slots_; ++s) {
    const double part = m.kept_slot_[u(s)] != 0 ? 0.0 : m.b_[u(m.matrix_.multiplier(s))];
    pull = std::max(pull, std::abs(part));
    most = std::max(most, std::abs(0.5 * m.h_ * m.h_ * m.lambda_[u(s)] + part));
  }
  const double size = std::max(shift / std::max(way, kRounding * m.q_scale_), pull > 0 ? pull / most : 0.0);
  m.changes_.push_back(size);
  return size;
}

void EnergyScheme::Balance::take(double part) {
  const double h = m.h_;
  for (int i = 0; i < m.n_; ++i) {
    m.increments_[u(i)] += part * m.b_[u(i)];
    if (m.jumps_) m.v_after_[u(i)] += part * m.b_[u(m.matrix_.jump(i))] / h;
  }
  for (int s = 0; s < m.slots_; ++s) m.lambda_[u(s)] += part * m.b_[u(m.matrix_.multiplier(s))] * 2 / (h * h);
  for (int s = 0; s < m.slots_ && m.jumps_; ++s) m.mu_[u(s)] += part * m.b_[u(m.matrix_.jump_multiplier(s))] / (h * h);
  // friction that reactions load: those of rows that follow from others stand after two iterations, near enough to the least ones
  if (m.redundant_ && pass <= 2 && !system.reactive().empty() && m.forces_.refresh(system, w))
    m.forces_.least(system, m.lambda_.data());
}

NewtonStep EnergyScheme::Balance::judge(const Contraction& contraction) {
  const int k = contraction.count();
  const double size = contraction.size(), theta = contraction.rate(), q_scale = m.q_scale_;
  was_kept = kept;
  // the tangent of a change so small holds for the next one, too, as long as the iteration says so
  kept = may_keep && (k == 1 ? size < kSmallChange : kept ? theta < kFast : false);
  m.noise_ = 8 * kRounding * std::max(q_scale, way);
  // Rows that are off by no more than their coordinates are rounded cannot be kept any better. What that leaves of the multipliers grows with
  // the length of a chain, to the power 1.5; friction that they load would follow it
  const bool kept_rows = m.held_ > 0 && system.reactive().empty() && off <= 8 * kRounding * q_scale;
  rounded = shift <= 1e3 * kRounding * std::max(q_scale, way) &&
            (kept_rows || pull <= 1e4 * kRounding * std::max(most, m.mass_ * q_scale));
  const bool stands = k > 2 && shift > 0.3 * last_shift && shift <= 1e3 * kRounding * m.rest_scale_ &&
                      pull <= 1e4 * kRounding * std::max(most, m.mass_ * m.rest_scale_);
  last_shift = shift;
  done = size <= enough || (shift <= 4 * kRounding * q_scale && pull <= 4 * kRounding * m.mass_ * q_scale) ||
         (contraction.part() == 1 && k > 1 && theta < 0.3 && (was_kept ? theta : theta * theta) * size <= 1e-2 * enough) ||
         (k > 2 && theta > 0.3 && rounded) || stands;
  if (done && (rounded || stands) && size > enough) m.noise_ = std::max(m.noise_, shift);
  return NewtonStep::on;  // memory is that of the unknowns before: see settled
}

bool EnergyScheme::iterate(const System& system, Workspace& w, const State& x0, State& x1, Outcome& out) {
  Balance balance{*this, system, w, x0, x1, out};
  Contraction contraction;
  return newton(balance, contraction, limit_) == NewtonEnd::found;
}

Outcome EnergyScheme::step(StepContext& c, const State& x0, double h, State& x1) {
  Outcome out;
  changes_.clear();
  begin(c.system, x0, h);
  if (!settle(c, x0, x1, out)) {
    rejected_ = true;
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::newton;
    out.next = 0.5 * h;
    return out;
  }
  if (controls_error()) {
    out.error = estimate(c, x0, x1, &out.worst);
    if (memory_ > 0 && !c.forced && turns_back(c.system, x1, out)) return out;
    control(c, x0, out);
    if (out.verdict != Outcome::Verdict::ok) return out;
  }
  finish(c, x0, x1);
  out.evaluated = true;
  return out;
}

/// The accepted step: energy by account, and what results show of it.
void EnergyScheme::finish(StepContext& c, const State& x0, State& x1) {
  const Layout& layout = c.system.layout();
  Workspace& w = c.work;
  finished_ = {x1.t, h_};
  c.system.calc_drive_power(eval_);
  for (int i = 0; i < memory_; ++i) x1.z()[i] = z_[u(i)];
  c.ledger.add_power(w.power.data(), h_);
  double taken = numerical_;
  if (jumps_) {
    taken -= finish_stops(c, x0);
    for (const Inertia& m : inertia_) {
      for (int i = 0; i < m.count; ++i) {
        const double di = v_after_[u(m.unknown + i)] - x0.v()[m.v + i];
        for (int j = 0; j < m.count; ++j)
          taken += 0.5 * m.mass[u(i * m.count + j)] * di * (v_after_[u(m.unknown + j)] - x0.v()[m.v + j]);
      }
    }
    for (int i = 0; i < layout.driven; ++i)
      c.ledger.step_work()[i] -= impulse_[u(layout.scalars + i)] * x0.v()[layout.scalars + i];
    for (int k = 0; k < held_; ++k) {
      const HeldRow& row = layout.held[u(k)];
      if (row.account >= 0) c.ledger.step_work()[row.account] += h_ * mu_[u(k)] * start_.row_partial[u(row.row)];
      if (jump_ > 0) continue;
      double rate = start_.row_partial[u(row.row)];  // which the stops have left as it was
      layout.rows.each(row.row, eval_.D_start, [&](int v, double d) { rate += d * v_jump_[u(v)]; });
      taken += h_ * mu_[u(k)] * rate;
    }
  }
  c.ledger.add_numerical(taken);
  for (int s = 0; s < slots_; ++s) x1.lambda()[s] = lambda_[u(s)] + mu_[u(s)];
  if (redundant_ && forces_.refresh(c.system, w)) forces_.least(c.system, x1.lambda());
  std::copy_n(x1.lambda(), slots_, w.lambda.begin());
  for (std::size_t i = 0; i < c.system.dry().size(); ++i) {
    const DryPlace& p = c.system.dry()[i];
    double residual[3], along[3];
    bool rests = p.owner->step_rest(eval_, p.item, residual, along);
    RestView view;
    p.owner->step_view(eval_, p.item, view);
    rests = yields_[i] != 0 || (rests && (kept_[i] != 0 || stands_still(c.system, p, x1, view.limit)));
    DryMarks marks = p.marks(x1);
    marks.set_mode(view.open ? DryMode::open : rests ? DryMode::stick : DryMode::slip);
    for (int d = 0; d < p.components; ++d) marks.set_direction(d, rests ? 0.0 : along[d]);
  }
  for (int i = 0; i < n_; ++i) {
    const int k = layout.v_index(i);
    w.rate[u(i)] = x1.v()[k];
    w.rate[u(n_ + i)] = x1.a()[k] = (x1.v()[k] - x0.v()[k]) / h_;
    // what the estimate of the next step is held against: over a short step the jump at its start would be all of it
    if (jumps_ && controls_error()) w.rate[u(n_ + i)] = (x1.v()[k] - v_after_[u(i)]) / h_;
  }
  // rates of memory are its change per time: evaluate left them
}

}  // namespace bristle
