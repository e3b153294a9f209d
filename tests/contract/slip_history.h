#pragma once
// Slip histories for friction laws, and a law driven through one.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "bristle/interface/friction_law.h"

namespace bristle::contract {

using Matrix3 = std::array<std::array<double, 3>, 3>;  // rows; the leading D by D part is used

template <int D>
Vec<D> turn(const Matrix3& R, const Vec<D>& a) {
  Vec<D> b;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) b[i] += R[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] * a[j];
  }
  return b;
}
inline Matrix3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
inline Matrix3 minus_identity() { return {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}; }
/// A rotation of the leading D axes (D = 1: none).
template <int D>
Matrix3 some_rotation(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 R = identity();
  if constexpr (D == 1) return R;
  R = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  if constexpr (D == 3) {
    const double e = std::cos(0.7), f = std::sin(0.7);  // a second turn, about the first axis
    const Matrix3 Q = {{{1, 0, 0}, {0, e, -f}, {0, f, e}}};
    Matrix3 P{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) P[i][j] += Q[i][k] * R[k][j];
      }
    }
    return P;
  }
  return R;
}

struct Wave {
  double size, omega, phase;
};

/// Steady slip during kBlockSteps steps of this length.
template <int D>
struct Block {
  Vec<D> slip;
  double step;
};
inline constexpr int kBlockSteps = 40;

/// A random slip history. Either a few sines with random phase: it reverses often and passes through rest, and its size grows
/// and shrinks, so that the law sees everything between creeping and `speed`. Or blocks of steady slip that jump in size and
/// direction.
template <int D>
struct SlipHistory {
  std::array<std::vector<Wave>, D> waves;
  double speed = 1;                   // [m/s]
  double omega_slow = 1;              // [rad/s] of the change of size
  double load = 100, load_swing = 0;  // [N], share
  double load_omega = 0;              // [rad/s] of the load; 0: slow
  std::vector<Block<D>> blocks;       // when given, these instead of the waves
  Matrix3 R = identity();

  SlipHistory(unsigned seed, double top_speed, double omega) : speed(top_speed), omega_slow(0.13 * omega) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(0, 1);
    for (int d = 0; d < D; ++d) {
      for (int k = 0; k < 3; ++k) {
        waves[static_cast<std::size_t>(d)].push_back(
            {0.3 + 0.4 * u(random), omega * (0.3 + 1.2 * u(random)), 2 * std::numbers::pi * u(random)});
      }
    }
  }
  Vec<D> slip(double t, int step_number) const {
    if (!blocks.empty()) return turn(R, blocks[static_cast<std::size_t>(step_number / kBlockSteps) % blocks.size()].slip);
    Vec<D> v;
    const double envelope = std::pow(std::sin(omega_slow * t + 0.5), 2) + 0.01;
    for (int d = 0; d < D; ++d) {
      for (const Wave& w : waves[static_cast<std::size_t>(d)]) v[d] += w.size * std::sin(w.omega * t + w.phase);
      v[d] *= speed * envelope / 3;
    }
    return turn(R, v);
  }
  double step(double usual, int step_number) const {
    return blocks.empty() ? usual : blocks[static_cast<std::size_t>(step_number / kBlockSteps) % blocks.size()].step;
  }
  double normal_load(double t) const {
    return load * (1 + load_swing * std::sin((load_omega > 0 ? load_omega : 1.7 * omega_slow) * t));
  }
};

/// The fastest rate of the memory at this speed [1/s]: what the law says, and what its equations show.
template <int D>
double fastest_rate(const FrictionLaw<D>& law, double speed, double load) {
  const MemorySize size = law.memory();
  std::vector<double> z(static_cast<std::size_t>(size.z) + 1), marks(static_cast<std::size_t>(size.marks) + 1), zdot(z.size());
  law.start(z.data(), marks.data(), 1);
  Patch<D> p;
  p.slip[0] = speed;
  p.load = load;
  Vec<D> F;
  const int columns = rub_columns(D, size.z);
  std::vector<double> data(static_cast<std::size_t>(rub_rows(D, size.z) * columns));
  RubPartials partials{data.data(), columns};
  law.eval(p, z.data(), marks.data(), F, zdot.data(), partials);
  double rate = law.pace(p, z.data(), marks.data()).rate;
  for (int i = 0; i < size.z; ++i) {
    rate = std::max({rate, std::abs(zdot[static_cast<std::size_t>(i)]) / law.reach(), std::abs(partials(D + i, 2 * D + 1 + i))});
  }
  return rate;
}

/// A law driven along a history by the classical Runge-Kutta method, with the work done on it.
template <int D>
class Drive {
 public:
  Drive(const FrictionLaw<D>& law, const SlipHistory<D>& history, double step) : law_(law), history_(history), usual_(step) {
    const MemorySize size = law.memory();
    z.assign(static_cast<std::size_t>(size.z) + 1, 0);
    y_ = sum_ = zdot_ = z;
    marks.assign(static_cast<std::size_t>(size.marks) + 1, 0);
    law.start(z.data(), marks.data(), 7);
    now_ = moment_at(0);
    patch = patch_of(now_, Vec<D>{});
    law.accept(patch, 0, z.data(), marks.data());
    stored_at_start = law.stored(patch, z.data(), marks.data());
  }
  /// One step and accept; `before_accept` sees the raw memory.
  template <class Hook>
  void step(Hook&& before_accept) {
    const std::size_t n = z.size();
    std::vector<double>&y = y_, &sum = sum_, &zdot = zdot_;
    std::fill(sum.begin(), sum.end(), 0.0);
    h_ = history_.step(usual_, count_);
    const Vec<D> x0 = patch.travel;
    // most of the time of these tests goes into the sines of the history: each instant once
    const double half = 0.5 * h_;
    const Moment begin = history_.blocks.empty() ? now_ : moment_at(t), middle = moment_at(t + half), end = moment_at(t + h_);
    const Vec<D> x_middle = travelled(x0, half, begin.slip, history_.slip(t + 0.5 * half, count_), middle.slip),
                 x1 = travelled(x0, h_, begin.slip, middle.slip, end.slip);
    const Patch<D> patches[4] = {patch_of(begin, x0), patch_of(middle, x_middle), patch_of(middle, x_middle), patch_of(end, x1)};
    double work_sum = 0;
    const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      for (std::size_t i = 0; i + 1 < n; ++i) y[i] = z[i] + share[stage] * h_ * zdot[i];
      const Patch<D>& p = patches[stage];
      Vec<D> F;
      law_.eval(p, y.data(), marks.data(), F, zdot.data());
      const double power = dot(F, p.slip);
      work_sum += weight[stage] * power;
      most_step_work = std::max(most_step_work, h_ * norm(F) * norm(p.slip));
      for (std::size_t i = 0; i + 1 < n; ++i) sum[i] += weight[stage] * zdot[i];
    }
    for (std::size_t i = 0; i + 1 < n; ++i) z[i] += h_ / 6 * sum[i];
    work += h_ / 6 * work_sum;
    work_size += h_ / 6 * std::abs(work_sum);
    t += h_;
    now_ = end;
    patch = patches[3];
    ++count_;
    before_accept();
    law_.accept(patch, t, z.data(), marks.data());
  }
  void step() {
    step([] {});
  }
  Vec<D> force() {
    Vec<D> F;
    law_.eval(patch, z.data(), marks.data(), F, zdot_.data());
    return F;
  }
  double stored() const { return law_.stored(patch, z.data(), marks.data()); }

  std::vector<double> z, marks;
  Patch<D> patch;
  double t = 0, work = 0, work_size = 0, most_step_work = 0, stored_at_start = 0;

 private:
  struct Moment {
    Vec<D> slip;
    double load = 0;
  };
  Moment moment_at(double time) const { return {history_.slip(time, count_), history_.normal_load(time)}; }
  /// Travel h later, from the slip at the ends and in the middle: Simpson's rule.
  static Vec<D> travelled(const Vec<D>& x0, double h, const Vec<D>& a, const Vec<D>& b, const Vec<D>& c) {
    Vec<D> x = x0;
    for (int d = 0; d < D; ++d) x[d] += h / 6 * (a[d] + 4 * b[d] + c[d]);
    return x;
  }
  static Patch<D> patch_of(const Moment& m, const Vec<D>& travel) {
    Patch<D> p;
    p.slip = m.slip;
    p.travel = travel;
    p.load = m.load;
    p.gap = -1e-6;
    return p;
  }
  const FrictionLaw<D>& law_;
  const SlipHistory<D>& history_;
  double usual_, h_ = 0;
  int count_ = 0;
  Moment now_;  ///< at t, before the number of the step went on
  std::vector<double> y_, sum_, zdot_;
};

}  // namespace bristle::contract
