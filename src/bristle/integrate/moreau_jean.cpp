#include "bristle/integrate/moreau_jean.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {

constexpr int kDenseRows = 150;
constexpr double kSlow = 1e-9;  // [m/s] nothing is asked for more exactly than relative to this

/// Derivatives of forces that stay inside the inertia of one body; notes whether others exist.
class BodySink final : public JacobianSink {
 public:
  BodySink(const Layout& layout, ContactSweeps& sweeps, double speed, double place)
      : layout_(layout), sweeps_(sweeps), speed_(speed), place_(place) {}

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
    if (value != 0) sweeps_.add_entry(r, c, -(part == Part::force_v ? speed_ : place_) * value);
  }
  bool coupled = false;

 private:
  const Layout& layout_;
  ContactSweeps& sweeps_;
  double speed_, place_;
};

}  // namespace

void MoreauJean::visit(Visitor& v) {
  v("theta", theta_, unit::one, Range{0.5, 1, false, false},
    "share of the new velocity in the motion of a step: 1/2 keeps energy, 1 damps what is fast");
  v.flag("implicit", implicit_, "forces are taken linear about the middle of the step, so that stiff ones stay stable");
  v.choice_of("solver", solver_, {"automatic", "newton", "sweeps"},
              "of the impulses: newton is exact, sweeps serve thousands of contacts; automatic: by their number");
  v("tolerance", tolerance_, unit::one, positive, "what contacts may miss their laws by, relative to the largest speed in them");
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
  return {};
}

void MoreauJean::prepare(const System& system) {
  const Layout& layout = system.layout();
  n_ = layout.free();
  m_ = layout.sizes.z;
  held_ = system.held_count();
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
  f_.assign(u(layout.sizes.v), 0);
  dv_.assign(u(n_), 0);
  shift_.assign(u(m_), 0);
  free_dv_ = dv_;
  free_b_ = b_;
  // places of joints are known; contacts of groups make room as they come
  const int places = static_cast<int>(system.rigid().size()), rows = 3 * places;
  contacts_.reserve(u(places));
  sweeps_.reserve(places, n_);
  problem_.reserve(rows);
  p_.reserve(u(rows));
  response_.reserve(coupled_ ? u(rows) * b_.size() : u(n_));
  rate_.assign(u(layout.order_one()), 0);
  between_ = rate_;
  worst_residual_ = 0;
}

/// Change of velocities without contacts, in b_ (coupled: with memory and joints) and f_.
bool MoreauJean::move_freely(StepContext& c, double h) {
  const Layout& layout = c.system.layout();
  Workspace& w = c.work;
  for (int i = 0; i < n_; ++i) b_[u(i)] = h * w.f[u(layout.v_index(i))];
  const double speed = implicit_ ? theta_ * h : 0, place = implicit_ ? theta_ * theta_ * h * h : 0;
  if (!coupled_) {
    if (implicit_) {
      sweeps_.reset();
      BodySink sink(layout, sweeps_, speed, place);
      c.system.calc_jacobian(mid_, w, sink);
      sweeps_.refresh();
    }
    sweeps_.solve_blocks(b_.data(), dv_.data());
    return true;
  }
  for (int pass = 0; pass < (m_ > 0 ? 2 : 1); ++pass) {
    if (pass > 0) {
      // memory that is clipped has forces that are not linear in it: once more, about its middle
      for (int i = 0; i < m_; ++i) mid_.z()[i] += shift_[u(i)] = theta_ * b_[u(n_ + i)];
      forces_.evaluate(c.system, mid_, w);
    }
    for (int i = 0; i < n_; ++i) b_[u(i)] = h * w.f[u(layout.v_index(i))];
    for (int i = 0; i < m_; ++i) b_[u(n_ + i)] = h * w.rate[u(2 * n_ + i)];
    // joints hold on the mean velocity of the step: velocities at its end are corrected with the positions
    for (int s = 0; s < slots_; ++s) b_[u(n_ + m_ + s)] = s < held_ ? -w.row_rate[u(layout.held[u(s)].row)] / theta_ : 0;
    matrix_.refresh(c.system, mid_, w);
    if (pass > 0 && implicit_) {
      for (double& by : shift_) by *= h;
      matrix_.subtract_by_memory(shift_.data(), b_.data());
    }
    if (!factors_.factor(matrix_, StageMatrix::Weights<double>{1, speed, place, 1})) return false;
    factors_.solve_plain(matrix_, b_.data());
  }
  std::copy_n(b_.begin(), n_, dv_.begin());
  return true;
}

/// Is this contact part of the step, and what is it asked for?
bool MoreauJean::consider(Contact& k, const Unilateral& law, int slips, int count, const int* unknown, const double* D,
                          double friction, double h) {
  double free = 0;
  for (int i = 0; i < count; ++i) free += D[i] * dv_[u(unknown[i])];
  const double before = k.before[0];
  // slower than what forces do within the step: no bounce that the step could resolve
  const bool bounces = law.restitution > 0 && -before > std::max(law.rest_speed, std::abs(free));
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
  const double tolerance = tolerance_ * scale_;
  if (!dense()) {
    sweeps_.push(dv_.data());
    ConeAnswer answer = sweeps_.solve(dv_.data(), tolerance, iterations_);
    // a smaller step would only be the same problem again: more sweeps are what helps
    for (int more = 0; more < 20 && answer.residual > accept_ * scale_; ++more) {
      const int before = answer.iterations;
      answer = sweeps_.solve(dv_.data(), tolerance, iterations_);
      answer.iterations += before;
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
  const int all = n_ + m_ + slots_;
  at = 0;
  for (ContactRow& r : rows) {
    for (int d = 0; d <= r.slips; ++d, ++at) {
      r.p[d] = p_[u(at)];
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
  return answer;
}

ConeAnswer MoreauJean::solve_impacts() {
  bool poisson = false;
  for (const Contact& k : contacts_) poisson = poisson || (k.poisson && k.restitution > 0);
  if (!poisson) return settle();
  // compression, then what it gives back
  free_dv_ = dv_;
  free_b_ = b_;
  ConeAnswer first = settle();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    ContactRow& r = sweeps_.rows()[i];
    if (!k.poisson || k.restitution == 0) continue;
    r.floor = (1 + k.restitution) * r.p[0];
    r.p[0] = std::max(r.p[0], r.floor);
  }
  dv_ = free_dv_;
  b_ = free_b_;
  ConeAnswer second = settle();
  second.iterations += first.iterations;
  second.residual = std::max(first.residual, second.residual);
  return second;
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
  const double kept = tolerance_;
  const int most = iterations_;
  tolerance_ = std::max(tolerance_, 1e-3);  // what is left is taken in the next step
  iterations_ = std::min(iterations_, 15);
  settle();
  tolerance_ = kept;
  iterations_ = most;
  const Layout& layout = c.system.layout();
  std::fill(f_.begin(), f_.end(), 0.0);
  for (int i = 0; i < n_; ++i) f_[u(layout.v_index(i))] = dv_[u(i)];
  const double before = c.system.calc_energy(x1, c.work).stored;
  c.system.shift(x1, f_.data());
  c.ledger.add_numerical(before - c.system.calc_energy(x1, c.work).stored);
}

/// Work of everybody else, from the forces at the mean place of the step, on its way v0 + theta dv. What the rule did beside it is
/// numerical: its forces are linear about the start, so that they differ, and kinetic energy changes with the mean velocity, not with
/// that of the way. M dv less the impulses of contacts is what forces and joints did.
void MoreauJean::account(StepContext& c, const State& x0, double h, const State& x1) {
  const System& system = c.system;
  const Layout& layout = system.layout();
  Workspace& w = c.work;
  system.difference(x0, x1, rate_.data());
  mid_ = x1;
  system.move(x0, 0.5, rate_.data(), mid_);
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
  // the middle of the step, as far as the velocities before it lead
  std::fill(rate_.begin(), rate_.end(), 0.0);
  for (int i = 0; i < n_; ++i) rate_[u(i)] = x0.v()[layout.v_index(i)];
  mid_ = x0;
  system.move(x0, theta_ * h, rate_.data(), mid_);
  system.set_time(mid_, x0.t + theta_ * h);
  forces_.evaluate(system, mid_, c.work);
  ++out.evaluations;
  if (!move_freely(c, h)) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = "the matrix of the step is singular";
    return out;
  }
  // who touches, and with which impulses
  find_contacts(c, x0, h);
  if (!contacts_.empty()) {
    respond();
    recall(x0, h);
    const ConeAnswer answer = solve_impacts();
    out.newton += answer.iterations;
    worst_residual_ = std::max(worst_residual_, answer.residual);
    if (!(answer.residual <= accept_ * scale_)) {
      out.verdict = Outcome::Verdict::reject;
      out.cause = "the impulses of the contacts were not found";
      out.next = 0.5 * h;
      return out;
    }
  }
  // the state after it
  x1 = x0;
  for (int i = 0; i < n_; ++i) {
    const double v = x0.v()[layout.v_index(i)], d = dv_[u(i)];
    rate_[u(i)] = v + theta_ * d;
    rate_[u(n_ + i)] = d / h;
  }
  for (int i = 0; i < m_; ++i) rate_[u(2 * n_ + i)] = b_[u(n_ + i)] / h;
  system.move(x0, h, rate_.data(), x1);
  system.set_time(x1, x0.t + h);
  for (int i = 0; i < n_; ++i) x1.a()[layout.v_index(i)] = dv_[u(i)] / h;
  for (int s = 0; s < slots_; ++s) x1.lambda()[s] = s < held_ ? x0.lambda()[s] + b_[u(n_ + m_ + s)] / h : 0;
  // what contacts gave and took: impulse times mean velocity
  double* work = c.ledger.step_work();
  account(c, x0, h, x1);
  remembered_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    const ContactRow& r = sweeps_.rows()[i];
    Impulse impulse{static_cast<std::uint64_t>(k.group), k.key, {}};
    for (int d = 0; d <= r.slips; ++d) {
      const double mean = k.before[d] + 0.5 * sweeps_.read(r, d, dv_.data());
      work[d == 0 ? k.contact_account : k.friction_account] -= r.p[d] * mean;
      if (k.slot >= 0) x1.lambda()[k.slot + d] = (d == 0 ? r.p[d] : -r.p[d]) / h;
      for (int j = 0; j < 3; ++j) impulse.axis[j] += r.p[d] * k.axis[d][j];
    }
    if (k.place < 0 && r.p[0] > 0) remembered_.push_back(impulse);
  }
  if (stabilise_ == Stabilise::projection && !contacts_.empty()) correct_positions(c, h, x1);
  return out;
}

void MoreauJean::interpolate(const StepContext& c, const State& x0, const State& x1, const double*, double part, State& x) const {
  c.system.difference(x0, x1, between_.data());
  x = x1;
  c.system.move(x0, part, between_.data(), x);
  c.system.set_time(x, x0.t + part * (x1.t - x0.t));
}

void MoreauJean::save(Archive& a) const { a.put(remembered_), a.put(worst_residual_); }

void MoreauJean::load(Archive& a) { a.get(remembered_), a.get(worst_residual_); }

}  // namespace bristle
