#include "bristle/integrate/moreau_jean.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

constexpr int kDenseRows = 150;
constexpr double kSettled = 1e-9;  // of speeds and of memory, which is of order one
constexpr double kSlow = 1e-9;     // [m/s] nothing is asked for more exactly than relative to this

/// Derivatives of forces that stay inside the inertia of one body; notes whether others exist.
class BodySink final : public JacobianSink {
 public:
  BodySink(const Layout& layout, ContactSweeps& sweeps, double speed, double position)
      : layout_(layout), sweeps_(sweeps), speed_(speed), position_(position) {}

  void add(Part part, int row, int column, double value) override {
    if (part == Part::mass) return;
    if (part != Part::force_q && part != Part::force_v) {
      coupled = true;
      return;
    }
    const int r = layout_.unknown(row), c = layout_.unknown(column);
    if (r < 0 || c < 0) return;
    const int b = sweeps_.block_of(r);
    if (b < 0 || b != sweeps_.block_of(c)) {
      coupled = true;
      return;
    }
    if (value != 0) sweeps_.add_entry(r, c, -(part == Part::force_v ? speed_ : position_) * value);
  }
  bool coupled = false;

 private:
  const Layout& layout_;
  ContactSweeps& sweeps_;
  double speed_, position_;
};

}  // namespace

void MoreauJean::visit(Visitor& v) {
  v("theta", theta_, unit::one, Range{0.5, 1, false, false},
    "share of the new velocity in the motion of a step: 1/2 keeps energy, 1 damps what is fast");
  v.flag("implicit", implicit_, "forces are taken linear about the middle of the step, so that stiff ones stay stable");
  v.choice_of("solver", solver_, {"automatic", "newton", "sweeps"},
              "of the impulses: newton is exact, sweeps serve thousands of contacts; automatic: by their number");
  v("tolerance", tolerance_, unit::one, positive, "what contacts may miss their laws by, relative to the largest speed in them");
  v("speed_tolerance", speed_tolerance_, unit::metre_per_second, non_negative,
    "what they may miss them by in any case, as a speed; the larger of the two counts");
  v.integer("iterations", iterations_, 1, 1000000, "most sweeps of a step");
  v("accept", accept_, unit::one, positive,
    "more sweeps are made, and then the step smaller, while laws are missed by more than this, relative as well");
  v.choice_of("stabilise", stabilise_, {"projection", "none"},
              "how penetration of resting contacts is taken back: on positions, or not");
  v("share", share_, unit::one, fraction, "of it in every step; non-physical, smaller is softer");
  v("depth", depth_, unit::metre, non_negative, "penetration that is left alone; non-physical");
}

std::string MoreauJean::needs_refused(const System& system) const {
  if (!system.dry().empty())
    return "'" + system.dry()[0].name +
           "' rubs with a jump at rest and is no rigid contact. Give it smoothing, or a law without a jump such as lugre";
  if (!system.masses().constant()) return "it cannot follow bodies whose inertia changes with their position";
  return {};
}

void MoreauJean::prepare(const System& system) {
  const Layout& layout = system.layout();
  n_ = layout.free();
  m_ = layout.sizes.z;
  held_ = system.layout().held_count();
  slots_ = layout.sizes.lambda;
  forces_.prepare(system);
  sweeps_.prepare(system);
  mid_ = system.make_state();
  Workspace w = system.make_workspace();
  BodySink sink(layout, sweeps_, 0, 0);
  system.calc_jacobian(mid_, w, sink);
  sweeps_.reset();
  coupled_ = held_ > 0 || m_ > 0 || (implicit_ && sink.coupled);
  if (coupled_) {
    matrix_.prepare(system);
    factors_.reserve(matrix_);
  }
  b_.assign(u(n_ + m_ + slots_), 0);
  so_far_ = b_;
  iterates_ = implicit_ && system.readings().pace_count() > static_cast<int>(system.rigid().size());
  f_.assign(u(layout.sizes.v), 0);
  dv_.assign(u(n_), 0);
  free_dv_ = dv_;
  free_b_ = b_;
  // places of joints are known; contacts of groups make room as they come
  const int places = static_cast<int>(system.rigid().size()), rows = 3 * places;
  contacts_.reserve(u(places));
  taken_.reserve(u(places));
  given_back_.reserve(3 * u(places) + b_.size() + u(n_));
  plain_.reserve(given_back_.capacity());
  sweeps_.reserve(places, n_);
  problem_.reserve(rows);
  p_.reserve(u(rows));
  response_.reserve(coupled_ ? u(rows) * b_.size() : u(n_));
  rate_.assign(u(layout.order_one()), 0);
  between_ = rate_;
  report_ = {};
  report_.tolerance = speed_tolerance_;
}

/// Change of velocities without contacts, in b_ (coupled: with memory and joints) and dv_. Forces are linear about mid_, which is
/// where the changes in so_far_ lead.
bool MoreauJean::move_freely(StepContext& c, double h) {
  const Layout& layout = c.system.layout();
  Workspace& w = c.work;
  for (int i = 0; i < n_; ++i) b_[u(i)] = h * w.f[u(layout.v_index(i))];
  forces_.take_inertia(so_far_.data(), b_.data());
  const double speed = implicit_ ? theta_ * h : 0, position = implicit_ ? theta_ * theta_ * h * h : 0;
  if (!coupled_) {
    if (implicit_) {
      sweeps_.reset();
      BodySink sink(layout, sweeps_, speed, position);
      c.system.calc_jacobian(mid_, w, sink);
      sweeps_.refresh();
    }
    sweeps_.solve_blocks(b_.data(), dv_.data());
    for (int i = 0; i < n_; ++i) dv_[u(i)] += so_far_[u(i)];
    return true;
  }
  for (int i = 0; i < m_; ++i) b_[u(n_ + i)] = h * w.rate[u(2 * n_ + i)] - so_far_[u(n_ + i)];
  // joints hold on the mean velocity of the step: velocities at its end are corrected with the positions
  for (int s = 0; s < slots_; ++s) b_[u(n_ + m_ + s)] = s < held_ ? -w.row_rate[u(layout.held[u(s)].row)] / theta_ : 0;
  matrix_.refresh(c.system, mid_, w);
  if (!factors_.factor(matrix_, StageMatrix::Weights<double>{1, speed, position, 1})) return false;
  factors_.solve_plain(matrix_, b_.data());
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] += so_far_[i];
  std::copy_n(b_.begin(), n_, dv_.begin());
  return true;
}

/// The middle of the step as the changes in so_far_ make it, and the forces there.
void MoreauJean::look_at_middle(StepContext& c, const State& x0, double h) {
  const Layout& layout = c.system.layout();
  std::fill(rate_.begin(), rate_.end(), 0.0);
  for (int i = 0; i < n_; ++i) rate_[u(i)] = x0.v()[layout.v_index(i)] + theta_ * so_far_[u(i)];
  mid_ = x0;
  c.system.motion().move(x0, theta_ * h, rate_.data(), mid_);
  for (int i = 0; i < n_; ++i) mid_.v()[layout.v_index(i)] = rate_[u(i)];
  for (int i = 0; i < m_; ++i) mid_.z()[i] = x0.z()[i] + theta_ * so_far_[u(n_ + i)];
  for (int s = 0; s < held_; ++s) mid_.lambda()[s] = x0.lambda()[s] + so_far_[u(n_ + m_ + s)] / h;
  c.system.set_time(mid_, x0.t + theta_ * h);
  forces_.evaluate(c.system, mid_, c.work);
}

/// One step for `newton`: forces that are not linear in what it changes (friction outside rigid contacts) are taken about what is known of its
/// middle so far, and the contacts are solved with each of their tangents.
struct MoreauJean::Middle {
  MoreauJean& m;
  StepContext& c;
  const State& x0;
  double h;
  Outcome& out;
  Cause why = Cause::friction_unsettled;
  bool first = true;

  bool evaluate() {
    m.look_at_middle(c, x0, h);
    ++out.evaluations;
    return true;
  }
  bool solve() {
    if (!m.move_freely(c, h)) return fail(Cause::singular_matrix);
    // who touches, and with which impulses
    if (first) m.find_contacts(c, x0, h);
    if (!m.contacts_.empty()) {
      m.respond();
      if (first) m.recall(x0, h);
      const ConeAnswer answer = m.solve_impacts();
      out.newton += answer.iterations - answer.sweeps;
      out.sweeps += answer.sweeps;
      m.note_residual(c, answer.residual, x0.t + h);
      if (!(answer.residual <= m.bearable())) return fail(Cause::impulses);
    }
    first = false;
    return true;
  }
  /// How far b_ is from what the forces were taken about, relative to speeds and to memory of order one.
  double size() {
    ++out.newton;
    if (!m.coupled_) std::copy(m.dv_.begin(), m.dv_.end(), m.b_.begin());
    const Layout& layout = c.system.layout();
    double speed = kSlow, change = 0;
    for (int i = 0; i < m.n_; ++i) speed = std::max({speed, std::abs(x0.v()[layout.v_index(i)]), std::abs(m.b_[u(i)])});
    for (int i = 0; i < m.n_ + m.m_; ++i)
      change = std::max(change, std::abs(m.b_[u(i)] - m.so_far_[u(i)]) / (i < m.n_ ? speed : 1));
    return change;
  }
  void take(double part) {
    for (std::size_t i = 0; i < m.b_.size(); ++i) m.so_far_[i] += part * (m.b_[i] - m.so_far_[i]);
  }
  static NewtonStep judge(const Contraction& contraction) {
    return contraction.size() <= kSettled ? NewtonStep::found : NewtonStep::on;
  }

 private:
  bool fail(Cause cause) {
    why = cause;
    return false;
  }
};

/// Is this contact part of the step, and what is it asked for?
bool MoreauJean::consider(Contact& k, const Unilateral& law, int slips, int count, const int* unknown, const double* D,
                          double friction, double h) {
  double free = 0;
  for (int i = 0; i < count; ++i) free += D[i] * dv_[u(unknown[i])];
  const double before = k.before[0];
  // slower than what forces do within the step: no bounce that the step could resolve
  k.hit = -before > std::max(law.rest_speed, std::abs(free));
  const bool bounces = law.restitution > 0 && k.hit;
  k.restitution = bounces ? law.restitution : 0;
  k.poisson = law.impact == Unilateral::Impact::poisson;
  if (k.gap > (bounces ? 0.0 : margin_ + h * std::max(0.0, -before))) return false;
  deepest_ = std::max(deepest_, -k.gap);
  ContactRow& r = sweeps_.add(slips, count, unknown, D);
  r.friction = friction;
  for (int i = 0; i <= slips; ++i) r.bias[i] = k.before[i];
  // gap at the end: gap here + h (theta u1 + (1 - 2 theta) u0)
  const double room = (k.gap + h * (1 - 2 * theta_) * before) / (h * theta_);
  if (!bounces) r.bias[0] += std::max(0.0, room);
  else if (!k.poisson) r.bias[0] += k.restitution * before;
  contacts_.push_back(k);
  for (int i = 0; i <= slips; ++i) scale_ = std::max({scale_, std::abs(k.before[i])});
  scale_ = std::max({scale_, std::abs(free), kSlow});
  return true;
}

void MoreauJean::find_contacts(StepContext& c, const State& x0, double h) {
  const System& system = c.system;
  const Layout& layout = system.layout();
  Workspace& w = c.work;
  contacts_.clear();
  sweeps_.clear();
  scale_ = deepest_ = 0;
  double fastest = 0;
  for (double d : dv_) fastest = std::max(fastest, std::abs(d));
  margin_ = 2 * h * fastest;
  Eval e = system.view(mid_, w);
  for (std::size_t i = 0; i < system.rigid().size(); ++i) {
    const RigidPlace& p = system.rigid()[i];
    const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
    columns_.clear();
    for (int r = 0; r <= p.slips; ++r) {
      layout.rows.each(rows[r], w.D.data(), [&](int v, double) {
        const int at = layout.unknown(v);
        if (at >= 0 && std::find(columns_.begin(), columns_.end(), at) == columns_.end()) columns_.push_back(at);
      });
    }
    if (columns_.empty()) continue;
    std::sort(columns_.begin(), columns_.end());  // those of a body stand together
    const std::size_t n = columns_.size();
    D_.assign(n * u(1 + p.slips), 0);
    Contact k;
    for (int r = 0; r <= p.slips; ++r) {
      layout.rows.each(rows[r], w.D.data(), [&](int v, double d) {
        const int at = layout.unknown(v);
        if (at >= 0) D_[n * u(r) + u(static_cast<int>(std::find(columns_.begin(), columns_.end(), at) - columns_.begin()))] += d;
      });
      k.before[r] = w.row_rate[u(rows[r])];
    }
    k.place = static_cast<int>(i);
    k.slot = p.lambda;
    k.gap = w.row_value[u(p.gap)];
    k.contact_account = p.contact_account;
    k.friction_account = p.friction_account;
    consider(k, p.law, p.slips, static_cast<int>(n), columns_.data(), D_.data(), p.owner->rigid_friction(e, p.item), h);
  }
  for (std::size_t number = 0; number < system.groups().size(); ++number) {
    const FreeContacts* group = system.groups()[number];
    if (group->group_law() == nullptr) continue;
    found_.clear();
    group->find(e, h, margin_, found_);
    for (const FreeContact& f : found_) {
      int unknown[12], n = 0;
      for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < f.count[side]; ++i) unknown[n++] = layout.unknown(f.v[side] + i);
      }
      double D[36];
      Contact k;
      for (int r = 0; r <= f.slips; ++r) {
        for (int i = 0; i < n; ++i) {
          D[r * n + i] = f.row[r][i];
          k.before[r] += f.row[r][i] * x0.v()[layout.v_index(unknown[i])];
        }
        k.axis[r] = f.axis[r];
      }
      k.group = static_cast<int>(number);
      k.key = f.key;
      k.gap = f.gap;
      k.contact_account = group->group_account(false);
      k.friction_account = group->group_account(true);
      consider(k, *group->group_law(), f.slips, n, unknown, D, f.friction, h);
    }
  }
}

/// Impulses of the last step are where the solution starts.
void MoreauJean::recall(const State& x0, double h) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    ContactRow& r = sweeps_.rows()[i];
    if (k.place >= 0) {
      for (int d = 0; d <= r.slips; ++d) r.p[d] = (d == 0 ? h : -h) * x0.lambda()[k.slot + d];
      continue;
    }
    const Impulse wanted{static_cast<std::uint64_t>(k.group), k.key, {}};
    const auto at = std::lower_bound(remembered_.begin(), remembered_.end(), wanted);
    if (at == remembered_.end() || wanted < *at) continue;
    for (int d = 0; d <= r.slips; ++d) {
      for (int j = 0; j < 3; ++j) r.p[d] += k.axis[d][j] * at->axis[j];
    }
    r.p[0] = std::max(0.0, r.p[0]);
  }
}

bool MoreauJean::dense() const {
  if (coupled_ || solver_ == Solver::newton) return true;
  if (solver_ == Solver::sweeps) return false;
  int rows = 0;
  for (const ContactRow& r : sweeps_.rows()) rows += 1 + r.slips;
  return rows <= kDenseRows;
}

/// What unit impulses do: to the bodies alone, or through the matrix of all.
void MoreauJean::respond() {
  sweeps_.respond();
  if (!dense()) return;
  int rows = 0;
  for (const ContactRow& r : sweeps_.rows()) rows += 1 + r.slips;
  problem_.resize(rows);
  const int all = n_ + m_ + slots_;
  response_.assign(coupled_ ? u(rows) * u(all) : u(n_), 0);
  p_.assign(u(rows), 0);
  int at = 0;
  for (const ContactRow& r : sweeps_.rows()) {
    problem_.blocks.push_back({at, r.slips, r.friction, 0, false});
    at += 1 + r.slips;
  }
  int column = 0;
  for (const ContactRow& r : sweeps_.rows()) {
    for (int d = 0; d <= r.slips; ++d, ++column) {
      double* x = response_.data() + (coupled_ ? u(column) * u(all) : 0);
      const int* unknown = sweeps_.unknown(r);
      if (coupled_) {
        for (int i = 0; i < r.count; ++i) x[unknown[i]] += sweeps_.D(r, d)[i];
        factors_.solve_plain(matrix_, x);
      } else {
        for (int i = 0; i < r.count; ++i) x[unknown[i]] += sweeps_.R(r, d)[i];
      }
      int row = 0;
      for (const ContactRow& s : sweeps_.rows()) {
        for (int k = 0; k <= s.slips; ++k, ++row) problem_.W[u(row) * u(rows) + u(column)] = sweeps_.read(s, k, x);
      }
      if (!coupled_) {
        for (int i = 0; i < r.count; ++i) x[unknown[i]] = 0;
      }
    }
  }
}

/// Impulses of all contacts; dv_ goes from the free change to the whole one.
ConeAnswer MoreauJean::settle() {
  std::vector<ContactRow>& rows = sweeps_.rows();
  const double tolerance = allowed();
  if (!dense()) {
    sweeps_.push(dv_.data());
    ConeAnswer answer = sweeps_.solve(dv_.data(), tolerance, iterations_);
    // a smaller step would only be the same problem again: more sweeps are what helps
    for (int more = 0; more < 20 && answer.residual > bearable(); ++more) {
      const int before = answer.iterations;
      answer = sweeps_.solve(dv_.data(), tolerance, iterations_);
      answer.iterations += before;
      answer.sweeps += before;
    }
    return answer;
  }
  int at = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem_.blocks[i].floor = rows[i].floor;
    for (int d = 0; d <= rows[i].slips; ++d, ++at) {
      problem_.b[u(at)] = rows[i].bias[d] + sweeps_.read(rows[i], d, dv_.data());
      p_[u(at)] = rows[i].p[d];
    }
  }
  problem_.tolerance = tolerance;
  problem_.sweeps = iterations_;
  const ConeAnswer answer = solver_ == Solver::sweeps ? problem_.solve_sweeps(p_.data(), iterations_) : problem_.solve(p_.data());
  at = 0;
  for (ContactRow& r : rows) {
    for (int d = 0; d <= r.slips; ++d, ++at) r.p[d] = p_[u(at)];
  }
  push_impulses();
  return answer;
}

/// What the impulses of all contacts change, onto dv_ (and b_).
void MoreauJean::push_impulses() {
  if (!dense()) return sweeps_.push(dv_.data());
  const int all = n_ + m_ + slots_;
  int at = 0;
  for (const ContactRow& r : sweeps_.rows()) {
    for (int d = 0; d <= r.slips; ++d, ++at) {
      if (r.p[d] == 0) continue;
      if (coupled_) {
        const double* x = response_.data() + u(at) * u(all);
        for (int i = 0; i < all; ++i) b_[u(i)] += r.p[d] * x[i];
      } else {
        for (int i = 0; i < r.count; ++i) dv_[u(sweeps_.unknown(r)[i])] += r.p[d] * sweeps_.R(r, d)[i];
      }
    }
  }
  if (coupled_) std::copy_n(b_.begin(), n_, dv_.begin());
}

/// Resting contacts that are in each other move apart, on positions alone.
void MoreauJean::correct_positions(StepContext& c, double h, State& x1) {
  std::vector<ContactRow>& rows = sweeps_.rows();
  double deepest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ContactRow& r = rows[i];
    const Contact& k = contacts_[i];
    const double after = k.before[0] + sweeps_.read(r, 0, dv_.data());
    double gap = k.gap + h * (theta_ * after + (1 - 2 * theta_) * k.before[0]);
    if (k.restitution > 0 || !(r.p[0] > 0)) gap = std::max(gap, 0.0);
    deepest = std::max(deepest, -gap);
    for (int d = 0; d <= r.slips; ++d) r.p[d] = r.bias[d] = 0;
    r.bias[0] = gap < 0 ? share_ * std::min(0.0, gap + depth_) : gap;
    r.friction = r.floor = 0;
  }
  if (!(deepest > depth_)) return;
  for (ConeBlock& b : problem_.blocks) b.friction = b.floor = 0;
  std::fill(dv_.begin(), dv_.end(), 0.0);
  std::fill(b_.begin(), b_.end(), 0.0);
  scale_ = deepest;
  const double kept = tolerance_, kept_speed = speed_tolerance_;
  const int most = iterations_;
  tolerance_ = std::max(tolerance_, 1e-3);  // what is left is taken in the next step
  speed_tolerance_ = 0;
  iterations_ = std::min(iterations_, 15);
  settle();
  tolerance_ = kept;
  speed_tolerance_ = kept_speed;
  iterations_ = most;
  const Layout& layout = c.system.layout();
  std::fill(f_.begin(), f_.end(), 0.0);
  for (int i = 0; i < n_; ++i) f_[u(layout.v_index(i))] = dv_[u(i)];
  const double before = c.system.calc_energy(x1, c.work).stored;
  c.system.motion().shift(x1, f_.data());
  c.ledger.add_numerical(before - c.system.calc_energy(x1, c.work).stored);
}

/// Work of everybody else, from the forces at the middle of the step, on its way v0 + theta dv. What the rule did beside it is
/// numerical: its forces are linear about the start, so that they differ, and kinetic energy changes with the mean velocity, not with
/// that of the way. M dv less the impulses of contacts is what forces and joints did.
void MoreauJean::account(StepContext& c, const State& x0, double h, const State& x1) {
  const System& system = c.system;
  const Layout& layout = system.layout();
  Workspace& w = c.work;
  system.motion().difference(x0, x1, rate_.data());
  mid_ = x1;
  system.motion().move(x0, 0.5, rate_.data(), mid_);
  for (int i = 0; i < n_; ++i) {
    const int v = layout.v_index(i);
    f_[u(i)] = mid_.v()[v] = x0.v()[v] + theta_ * dv_[u(i)];
  }
  system.set_time(mid_, x0.t + 0.5 * h);
  forces_.evaluate(system, mid_, w);
  double* work = c.ledger.step_work();
  for (std::size_t i = 0; i < layout.accounts.size(); ++i) work[i] += h * w.power[i];
  const auto done = [&](const double* way) {
    double sum = sweeps_.along_inertia(dv_.data(), way);
    for (const ContactRow& r : sweeps_.rows()) {
      for (int d = 0; d <= r.slips; ++d) sum -= r.p[d] * sweeps_.read(r, d, way);
    }
    return sum;
  };
  double meant = 0;
  for (int i = 0; i < n_; ++i) meant += h * w.f[u(layout.v_index(i))] * f_[u(i)];
  c.ledger.add_numerical(meant - done(f_.data()) + (theta_ - 0.5) * done(dv_.data()));
}

Outcome MoreauJean::step(StepContext& c, const State& x0, double h, State& x1) {
  const System& system = c.system;
  const Layout& layout = system.layout();
  Outcome out;
  std::fill(so_far_.begin(), so_far_.end(), 0.0);
  constexpr int kPasses = 41;
  Middle middle{*this, c, x0, h, out};
  Contraction contraction;
  const bool solved = iterates_ ? newton(middle, contraction, kPasses) == NewtonEnd::found : middle.evaluate() && middle.solve();
  if (!solved) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = middle.why;
    out.next = 0.5 * h;
    return out;
  }
  // the state after it
  x1 = x0;
  for (int i = 0; i < n_; ++i) {
    const double v = x0.v()[layout.v_index(i)], d = dv_[u(i)];
    rate_[u(i)] = v + theta_ * d;
    rate_[u(n_ + i)] = d / h;
  }
  for (int i = 0; i < m_; ++i) rate_[u(2 * n_ + i)] = b_[u(n_ + i)] / h;
  system.motion().move(x0, h, rate_.data(), x1);
  system.set_time(x1, x0.t + h);
  for (int i = 0; i < n_; ++i) x1.a()[layout.v_index(i)] = dv_[u(i)] / h;
  for (int s = 0; s < slots_; ++s) x1.lambda()[s] = s < held_ ? x0.lambda()[s] + b_[u(n_ + m_ + s)] / h : 0;
  account(c, x0, h, x1);
  book_contacts(c, h, x1);
  if (stabilise_ == Stabilise::projection && !contacts_.empty()) correct_positions(c, h, x1);
  return out;
}

/// What contacts gave and took: impulse times mean velocity.
void MoreauJean::book_contacts(StepContext& c, double h, State& x1) {
  remembered_.clear();
  taken_.assign(contacts_.size(), {});
  bool hit = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const ContactRow& r = sweeps_.rows()[i];
    hit = hit || k.hit;
    Impulse impulse{static_cast<std::uint64_t>(k.group), k.key, {}};
    for (int d = 0; d <= r.slips; ++d) {
      const double mean = k.before[d] + 0.5 * sweeps_.read(r, d, dv_.data());
      (d == 0 ? taken_[i].contact : taken_[i].friction) -= r.p[d] * mean;
      if (k.slot >= 0) x1.lambda()[k.slot + d] = (d == 0 ? r.p[d] : -r.p[d]) / h;
      for (int j = 0; j < 3; ++j) impulse.axis[j] += r.p[d] * k.axis[d][j];
    }
    if (k.place < 0 && r.p[0] > 0) remembered_.push_back(impulse);
  }
  if (hit) share_impact_work(taken_);
  double* work = c.ledger.step_work();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    work[contacts_[i].contact_account] += taken_[i].contact;
    work[contacts_[i].friction_account] += taken_[i].friction;
  }
}

void MoreauJean::interpolate(const StepContext& c, const State& x0, const State& x1, const double*, double part, State& x) const {
  c.system.motion().difference(x0, x1, between_.data());
  x = x1;
  c.system.motion().move(x0, part, between_.data(), x);
  c.system.set_time(x, x0.t + part * (x1.t - x0.t));
}

/// Keeps the worst answer of the run, and where it was.
void MoreauJean::note_residual(const StepContext& c, double residual, double t) {
  if (residual > allowed()) ++report_.unsettled;
  if (!(residual > report_.worst)) return;
  report_.worst = residual;
  report_.at = t;
  double most = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactRow& r = sweeps_.rows()[i];
    double v[3] = {0, 0, 0};
    for (int d = 0; d <= r.slips; ++d) v[d] = r.bias[d] + sweeps_.read(r, d, dv_.data());
    const double off = contact_residual(sweeps_.own(r), v, r.slips, r.friction, r.floor, r.p);
    if (!(off > most)) continue;
    most = off;
    const Contact& k = contacts_[i];
    report_.place = k.place >= 0 ? c.system.rigid()[u(k.place)].owner->rigid_name(c.system.rigid()[u(k.place)].item)
                                 : c.system.groups()[u(k.group)]->group_name();
  }
}

void MoreauJean::save(Archive& a) const { a.put(remembered_), a.put(report_.worst), a.put(report_.at), a.put(report_.unsettled); }

void MoreauJean::load(Archive& a) { a.get(remembered_), a.get(report_.worst), a.get(report_.at), a.get(report_.unsettled); }

}  // namespace bristle
