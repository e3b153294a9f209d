#include "bristle/analyse/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/ledger_limits.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
using ledger_limits::kCreated, ledger_limits::kFall, ledger_limits::kResidual, ledger_limits::kTaken;
// Joints: shares of the size of the mechanism (for angles: of a radian) and of its largest speed.
constexpr double kApart = 1e-3, kSlides = 1e-2, kShakes = 0.2;
constexpr double kSolved = 1e-4;  // in place of kApart where the method solves for the joints: they do not drift
// Speeds of less than so many absolute tolerances have fewer than three digits, unless they lead that far all the same; where fewer digits are asked
// for, it is the absolute tolerance that leaves out some of them
constexpr double kBarelySeen = 3e3, kFar = 1e6;
constexpr double kHeld = 10;  // absolute tolerances: in a mechanism what moves by less is held by the joints
// Rigid contacts: share of the steps in which they did not settle, and what they missed then as a share of the largest speed, from which on it is told
constexpr double kUnsettled = 0.1, kMissed = 1e-4;
constexpr double kPassedOver = 0.01;  // of the steps
constexpr double kSlow = 1e-6;        // [m/s, rad/s] what shakes more slowly is at rest
constexpr double kAtom = 1e-11;       // [m, rad] nobody asks for less: what stands still moves by rounding
constexpr const char* kWays = "Do not trust the motion from there on: try a smaller step or tolerance, or another integrator.";

/// The account whose work has changed most since the last balance; -1 where none has. `before` becomes `now`.
int find_busiest(const std::vector<double>& now, std::vector<double>& before) {
  before.resize(now.size(), 0.0);
  int busiest = -1;
  double most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double change = std::abs(now[i] - before[i]);
    if (change > most) most = change, busiest = static_cast<int>(i);
    before[i] = now[i];
  }
  return busiest;
}
}  // namespace

namespace {
int first_overflow(const std::vector<double>& joules) {
  for (std::size_t i = 0; i < joules.size(); ++i) {
    if (!std::isfinite(joules[i])) return static_cast<int>(i);
  }
  return -1;
}
/// Who has run away: the element whose energy overflows, or where none keeps an account of it, what is the fastest by now.
std::string overflow_text(const Run& run, int account) {
  const Layout& layout = run.system().layout();
  if (account >= 0)
    return fmt::format(
        "that of '{}' is the first. Its memory, or what it acts on, has run away{}.", layout.accounts[u(account)].name,
        run.integrator().traits().is_explicit ? ", as it does where steps of an explicit method are too long for it" : "");
  int who = -1;
  double fastest = 0;
  for (int i = 0; i < layout.free(); ++i) {
    const double speed = std::abs(run.state().v()[layout.v_index(i)]);
    if (!(speed <= fastest)) fastest = speed, who = i;
  }
  if (who < 0) return "the motion has run away.";
  return fmt::format("the motion has run away. Fastest at the end: {}, by {:.2g} per second.", layout.name_of(who), fastest);
}
}  // namespace

std::string contacts_text(const ContactReport& r, const RunCounts& counts) {
  const std::string worst = r.worst > 0 ? fmt::format("worst {:.2g} m/s at t = {:.6g} s{}", r.worst, r.at,
                                                      *r.place ? fmt::format(" in '{}'", r.place) : "")
                                        : std::string("exact");
  if (r.unsettled == 0) return "settled in every step, " + worst;
  return fmt::format("{} of {} steps are not settled to {:.2g} m/s: {}. More iterations or shorter steps may settle them",
                     r.unsettled, counts.accepted, r.tolerance, worst);
}

Trust::Trust(const Run& run, double start) : run_(run), start_(start) {}

double Trust::residual() const {
  const double involved = run_.energy_involved(), worst = run_.ledger().worst_residual();
  if (!std::isfinite(worst)) return kInfinity;
  return involved > 0 ? worst / involved : 0;
}

double Trust::created() const {
  const double involved = run_.energy_involved();
  return involved > 0 ? run_.ledger().created() / involved : 0;
}

void Trust::look() {
  const Ledger& ledger = run_.ledger();
  const State& x = run_.state();
  if (first_.empty()) first_.assign(x.q(), x.q() + x.sizes().q);
  const int scalars = run_.system().layout().scalars;
  reach_.resize(u(scalars));
  for (int i = 0; i < scalars; ++i) {
    Reach& r = reach_[u(i)];
    r.way = std::max(r.way, std::abs(x.q()[i] - first_[u(i)]));
    r.speed = std::max(r.speed, std::abs(x.v()[i]));
  }
  for (int i = 0; i < x.sizes().q; ++i) moved_ = std::max(moved_, std::abs(x.q()[i] - first_[u(i)]));
  for (int i = 0; i < x.sizes().v; ++i) fastest_ = std::max(fastest_, std::abs(x.v()[i]));

  const double involved = run_.energy_involved();
  const auto note = [&](double& since, bool wrong) {
    if (wrong && since == -1e300) since = x.t;
  };
  note(since_.infinite, !std::isfinite(ledger.worst_residual()));
  if (since_.infinite == x.t && since_.overflows < 0) since_.overflows = first_overflow(ledger.by_account());
  note(since_.fall, ledger.worst_fall().joule > kFall * involved);
  const int busiest = find_busiest(ledger.by_account(), work_);
  if (since_.created == -1e300) since_.busiest = busiest;
  note(since_.created, ledger.created() > kCreated * involved);

  // between two balances: how much the residual changed, and which joint carried most then
  const double residual = ledger.residual(), change = residual - loss_.residual, before = std::max(loss_.t, start_);
  loss_.residual = residual, loss_.t = x.t;
  if (!(std::abs(change) > std::abs(loss_.most))) return;
  loss_.most = change, loss_.from = before, loss_.to = loss_.t, loss_.row = -1, loss_.account = busiest;
  for (int k = 0; k < run_.system().layout().held_count(); ++k) {
    if (loss_.row < 0 || std::abs(x.lambda()[k]) > std::abs(x.lambda()[loss_.row])) loss_.row = k;
  }
}

void Trust::sampled(double t, const ConstraintError& e) {
  paradox_.look(run_.system(), run_.state());
  ConstraintError& worst = off_.worst;
  if (e.velocity > worst.velocity) worst.velocity = e.velocity, off_.velocity_t = t;
  worst.position = std::max(worst.position, e.position);
  if (e.share_row >= 0 && (worst.share_row < 0 || !(e.share <= worst.share)))
    worst.share = e.share, worst.share_row = e.share_row, off_.t = t;
  if (e.rolling_row >= 0 && (worst.rolling_row < 0 || !(e.rolling <= worst.rolling)))
    worst.rolling = e.rolling, worst.rolling_row = e.rolling_row, off_.rolling_t = t;
}

void Trust::undefined(double t, const std::string& channel) {
  if (undefined_.empty()) undefined_ = channel, undefined_t_ = t;
}

std::string Trust::busiest_text(int account) const {
  if (account < 0) return "";
  return fmt::format(" Most energy went through '{}' there.", run_.system().layout().accounts[u(account)].name);
}

std::string Trust::ledger_doubt() const {
  if (since_.infinite != -1e300)
    return fmt::format("t = {:.9g} s: the energies have no finite value from here on: {} {}", since_.infinite,
                       overflow_text(run_, since_.overflows), kWays);
  std::string carries;
  if (loss_.row >= 0) {
    const HeldRow& held = run_.system().layout().held[u(loss_.row)];
    carries = fmt::format(" The largest reaction there is that of {} ({}).", held.owner, held.name);
  } else {
    carries = busiest_text(loss_.account);
  }
  return fmt::format(
      "t = {:.9g} s: the energy ledger does not close. {:.3g} of the energy involved is not explained; what is missing grew most ({:.3g} J) "
      "between {:.9g} s and here.{} {}",
      loss_.to, residual(), loss_.most, loss_.from, carries, kWays);
}

std::string Trust::joint_doubt() const {
  const auto row_text = [&](int k) {
    const HeldRow& held = run_.system().layout().held[u(k)];
    return held.owner + " (" + held.name + ")";
  };
  const ConstraintError& e = off_.worst;
  const bool solved = run_.integrator().traits().enforces;
  if (e.share_row >= 0 && !(e.share <= (solved ? kSolved : kApart))) {
    const bool length = run_.system().layout().held[u(e.share_row)].length;
    return fmt::format(
        "t = {:.9g} s: the joints are not kept together: {} is off by {:.3g}{}. {}", off_.t, row_text(e.share_row),
        length ? e.share * run_.size() : e.share, length ? fmt::format(" m in a mechanism of {:.3g} m", run_.size()) : "",
        solved
            ? "Either joints or drives contradict each other, as two drives of one motion that are not quite the same: leave one "
              "of them out; or steps are too long: use a smaller step or tolerance."
            : "Use an enforcement that corrects positions (projection, partitioning), a stiffer penalty, or a smaller step.");
  }
  if (e.rolling_row >= 0 && !(e.rolling <= kSlides * fastest_))
    return fmt::format("t = {:.9g} s: {} is not kept: it slides at {:.3g}, more than {:g} of the largest speed. {}",
                       off_.rolling_t, row_text(e.rolling_row), e.rolling, kSlides, kWays);
  if (e.velocity > std::max(kShakes * fastest_, kSlow))
    return fmt::format(
        "t = {:.9g} s: the velocities do not fit the joints: they are off by {:.3g}, more than {:g} of the largest speed. {}",
        off_.velocity_t, e.velocity, kShakes, kWays);
  return "";
}

std::vector<std::string> Trust::doubts(bool judge_ledger) const {
  std::vector<std::string> list;
  // energies overflow where a motion has run away: no expression has
  const bool energy = undefined_.rfind("energy.", 0) == 0 && since_.infinite != -1e300;
  if (!undefined_.empty() && !energy)
    list.push_back(
        fmt::format("t = {:.9g} s: '{}' has no finite value. Check the expression that gives it, or what it divides by.",
                    undefined_t_, undefined_));
  if ((judge_ledger && !(residual() <= kResidual)) || since_.infinite != -1e300) list.push_back(ledger_doubt());
  const Ledger& ledger = run_.ledger();
  const double involved = run_.energy_involved();
  const Ledger::Fall fall = ledger.worst_fall();
  if (!(fall.joule <= kFall * involved)) {
    list.push_back(fmt::format(
        "t = {:.9g} s: '{}' gives back energy that it has dissipated: {:.3g} J, {:.3g} of the energy involved. Either steps are too "
        "long for it, which a smaller step or tolerance shows; or its law is not passive with these parameters or under this load, as its page says "
        "(bristle info): then give it others. Do not trust the motion from there on.",
        since_.fall, run_.system().layout().accounts[u(fall.account)].name, fall.joule, fall.joule / involved));
  }
  if (!(ledger.created() <= kCreated * involved)) {
    list.push_back(fmt::format(
        "t = {:.9g} s: the method itself has brought energy in: {:.3g} J, {:.3g} of the energy involved (energy.numerical).{} {}",
        since_.created, ledger.created(), ledger.created() / involved, busiest_text(since_.busiest), kWays));
  }
  if (!(ledger.numerical() <= involved + std::abs(ledger.supplied()))) {
    list.push_back(fmt::format(
        "the method itself has taken out {:.3g} J, more than there ever was (energy.numerical). Do not trust the motion: try another step, "
        "tolerance or integrator.",
        ledger.numerical()));
  }
  if (std::string joint = joint_doubt(); !joint.empty()) list.push_back(std::move(joint));
  if (std::string several = paradox_.doubt(run_.system().layout()); !several.empty()) list.push_back(std::move(several));
  return list;
}

/// That something moves so little that the error control does not follow it closely; "" where nothing does.
std::string Trust::small_motion(double tolerance) const {
  const double seen = std::min(kBarelySeen, 1 / run_.integrator().traits().relative_tolerance);
  const auto barely = [&](double way, double speed) { return speed < seen * tolerance && way < kFar * tolerance; };
  if (moved_ > kAtom && barely(moved_, fastest_)) {
    return fmt::format(
        "nothing moves by more than {:.2g}, at {:.2g} per second at most, where the absolute tolerance is {:.2g}: such small motions are not followed "
        "closely. Where they matter, set absolute_tolerance to {:.0e} or less.",
        moved_, fastest_, tolerance, 1e-6 * std::max(moved_, fastest_));
  }
  const double atom = run_.system().layout().held_count() > 0 ? std::max(kAtom, kHeld * tolerance) : kAtom;
  const auto small = [&](const Reach& r) { return std::max(r.way, r.speed) > atom && barely(r.way, r.speed); };
  const auto first = std::find_if(reach_.begin(), reach_.end(), small);
  if (first == reach_.end()) return {};
  const auto others = std::count_if(first + 1, reach_.end(), small);
  return fmt::format(
      "'{}'{} moves by no more than {:.2g}, at {:.2g} per second at most, where the absolute tolerance is {:.2g}: so small a motion is not followed "
      "closely. Where it matters, set absolute_tolerance to {:.0e} or less.",
      run_.system().layout().coordinates[static_cast<std::size_t>(first - reach_.begin())],
      others > 0 ? fmt::format(" (and {} more)", others) : "", first->way, first->speed, tolerance,
      1e-6 * std::max(first->way, first->speed));
}

std::vector<std::string> Trust::notes() const {
  std::vector<std::string> list;
  const double tolerance = run_.integrator().traits().absolute_tolerance;
  if (std::string small = small_motion(tolerance); !small.empty()) list.push_back(std::move(small));
  if (std::string impact = run_.choice().course().note(); !impact.empty()) list.push_back(std::move(impact));
  if (!run_.note().empty()) list.push_back(run_.note());
  const Layout& layout = run_.system().layout();
  if (!layout.sampled.empty()) {
    list.push_back(fmt::format(
        "'{}'{} enters an expression as it was at the end of the step before{}. A shorter {} shows whether it matters.",
        layout.channels[u(layout.sampled.front().second)].name,
        layout.sampled.size() > 1 ? fmt::format(" and {} more", layout.sampled.size() - 1) : "",
        tolerance > 0 ? "; the tolerance does not cover that delay" : "", tolerance > 0 ? "largest step (max_step)" : "step"));
  }
  if (const ContactReport* contacts = run_.integrator().contact_report()) {
    const bool often = static_cast<double>(contacts->unsettled) > kUnsettled * static_cast<double>(run_.counts().accepted);
    if (often && contacts->worst > kMissed * fastest_)
      list.push_back("contacts: " + contacts_text(*contacts, run_.counts()) + ".");
  }
  if (const RunCounts& counts = run_.counts();
      static_cast<double>(counts.passed_over) > kPassedOver * static_cast<double>(counts.accepted)) {
    list.push_back(fmt::format(
        "in {} of {} steps bonds of a friction law break that the step does not see: it holds them to its end, and friction comes out too large. Use a "
        "tolerance, which follows them, shorter steps, or another integrator such as rk4.",
        counts.passed_over, counts.accepted));
  }
  const double taken = run_.ledger().numerical(), involved = run_.energy_involved();
  if (taken > kTaken * involved) {
    list.push_back(fmt::format(
        "the method itself has taken out {:.3g} J, {:.2g} of the energy involved (energy.numerical): vibrations or impacts faster than "
        "the steps. A shorter step shows whether they matter.",
        taken, taken / involved));
  }
  return list;
}

void Trust::save(Archive& a) const {
  a.put(first_), a.put(reach_), a.put(loss_), a.put(work_), a.put(since_), a.put(off_), a.put(moved_), a.put(fastest_),
      a.put(undefined_t_);
  paradox_.save(a);
  a.put(std::vector<char>(undefined_.begin(), undefined_.end()));
}

void Trust::load(Archive& a) {
  std::vector<char> name;
  a.get(first_), a.get(reach_), a.get(loss_), a.get(work_), a.get(since_), a.get(off_), a.get(moved_), a.get(fastest_),
      a.get(undefined_t_);
  paradox_.load(a);
  a.get(name);
  undefined_.assign(name.begin(), name.end());
}

}  // namespace bristle
