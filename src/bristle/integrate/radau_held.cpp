// Held rows in the stages of Radau's method: their multipliers, and the positions that form ggl moves.
#include <algorithm>

#include "bristle/base/index.h"
#include "bristle/integrate/radau.h"

namespace bristle {

void Radau::guess_multipliers(double h, const State& x0) {
  for (int i = 0; i < s_; ++i) {
    std::fill(E_[i].begin(), E_[i].end(), 0.0);
    if (!has_last_) {
      std::copy_n(x0.lambda(), multipliers_, L_[i].begin());
      continue;
    }
    // the polynomial through the last stages, continued
    const double x = 1 + c_[i] * h / last_h_;
    std::fill(L_[i].begin(), L_[i].end(), 0.0);
    for (int j = 0; j < s_; ++j) {
      double l = 1;
      for (int k = 0; k < s_; ++k) {
        if (k != j) l *= (x - c_[k]) / (c_[j] - c_[k]);
      }
      for (int m = 0; m < multipliers_; ++m) L_[i][u(m)] += l * last_L_[j][u(m)];
    }
  }
  if (!redundant_ || reactive_) return;
  // rows that follow from others stay without multipliers; what theirs did is found with the first iteration, as all are linear
  for (int m = 0; m < constraints_; ++m) {
    for (int i = 0; i < s_ && !matrix_.resting(m); ++i) L_[i][u(m)] = 0;
  }
}

/// Rates of a stage with its own multipliers, and what is missing in its rows.
void Radau::evaluate_held(StepContext& c, const State&, double, int i, State& x1) {
  const Layout& layout = c.system.layout();
  Workspace& w = c.work;
  const int n = layout.free();
  std::copy_n(L_[i].begin(), multipliers_, x1.lambda());
  held_.evaluate(c.system, x1, w);
  std::copy_n(x1.lambda(), multipliers_, L_[i].begin());
  c.system.masses().solve(x1.q(), w.f.data(), w.a.data());
  for (int m = 0; m < n; ++m) {
    const int k = layout.v_index(m);
    w.rate[u(m)] = x1.v()[k];
    w.rate[u(n + m)] = w.a[u(k)];
  }
  for (int s = 0; s < constraints_; ++s) {
    const auto r = u(layout.held[u(s)].row);
    P_[i][u(s)] = w.row_value[r];
    R_[i][u(s)] = level_ == StageMatrix::Level::position ? -w.row_value[r] : -w.row_rate[r];
  }
  for (int s = constraints_; s < multipliers_; ++s) R_[i][u(s)] = held_.rests(s) ? -held_.slip(c.system, w, s) : 0;
  if (form_ != Form::ggl || constraints_ == 0) return;
  std::fill(w.f.begin(), w.f.end(), 0.0);
  for (int s = 0; s < constraints_; ++s) layout.rows.push(layout.held[u(s)].row, E_[i][u(s)], w.D.data(), w.f.data());
  c.system.masses().solve(x1.q(), w.f.data(), w.a.data());
  for (int m = 0; m < n; ++m) w.rate[u(m)] += w.a[u(layout.v_index(m))];
}

/// Of what is known per stage, in the coordinates in which they decouple.
double Radau::decoupled(const std::vector<double>* x, int i, std::size_t m) const {
  double sum = 0;
  for (int j = 0; j < s_; ++j) sum += TI_[i][j] * x[j][m];
  return sum;
}

/// The same way back: x += T change.
void Radau::add_coupled(std::vector<double>* x, const std::vector<double>* change, std::size_t size) const {
  for (std::size_t s = 0; s < size; ++s) {
    for (int i = 0; i < s_; ++i) {
      for (int j = 0; j < s_; ++j) x[i][s] += T_[i][j] * change[j][s];
    }
  }
}

/// Solves the decoupled systems for real_rhs_ and complex_; where the stages have multipliers, moves those.
void Radau::solve_stages(const System& system, double h) {
  if (form_ == Form::index1) {
    if (s_ == 3) real_factors_.solve(matrix_, real_rhs_.data());
    pair_factors_.solve(matrix_, complex_.data());
    return;
  }
  const int p = s_ == 3 ? 1 : 0;
  const bool corrects = form_ == Form::ggl && constraints_ > 0;
  if (corrects) {  // positions come back onto the rows at once, and the rates of the rows are asked for there
    for (int i = 0; i < s_; ++i) std::fill(shift_[i].begin(), shift_[i].end(), 0.0);
    correct_positions(system, h, true);
  }
  for (std::size_t s = 0; s < rows_[0].size(); ++s) {
    if (s_ == 3) rows_[0][s] = decoupled(R_, 0, s);
    complex_rows_[s] = {decoupled(R_, p, s), decoupled(R_, p + 1, s)};
  }
  if (s_ == 3) real_factors_.solve(matrix_, real_rhs_.data(), rows_[0].data());
  pair_factors_.solve(matrix_, complex_.data(), complex_rows_.data());
  for (std::size_t s = 0; s < complex_rows_.size(); ++s) {
    rows_[p][s] = complex_rows_[s].real();
    rows_[p + 1][s] = complex_rows_[s].imag();
  }
  if (redundant_ && reactive_) {  // friction asks for the least of them; others serve the stages as well
    for (int i = 0; i < s_; ++i) held_.least(system, rows_[i].data());
  }
  add_coupled(L_, rows_, u(multipliers_));
  if (!corrects) return;
  correct_positions(system, h, false);  // what the velocities leave of the violation
  add_coupled(E_, shift_, u(constraints_));
}

/// Moves the positions of the decoupled systems along M^-1 D' onto the rows, and adds to `shift_` what their multipliers have to change by. `ahead`: of the
/// right-hand sides, which count per time; else of the solutions.
void Radau::correct_positions(const System& system, double h, bool ahead) {
  const int p = s_ == 3 ? 1 : 0, n = system.layout().free();
  const std::complex<double> real = real_ / h, pair = pair_ / h;
  const auto missing = [&](int i, std::size_t s, const std::complex<double>& g) {
    const std::complex<double> off = i == 0 && s_ == 3 ? std::complex<double>(decoupled(P_, 0, s))
                                                       : std::complex<double>(decoupled(P_, p, s), decoupled(P_, p + 1, s));
    return ahead ? g * off : off;
  };
  const auto moved = [&](std::size_t s, const std::complex<double>& g) {
    const std::complex<double> mu{mu_[0][s], mu_[1][s]};
    return ahead ? mu : g * mu;
  };
  if (s_ == 3) {
    for (std::size_t s = 0; s < u(constraints_); ++s) missing_[0][s] = missing(0, s, real).real();
    held_.correct(system, missing_[0].data(), real_rhs_.data(), mu_[0].data());
    std::fill(mu_[1].begin(), mu_[1].end(), 0.0);
    for (std::size_t s = 0; s < u(constraints_); ++s) shift_[0][s] += moved(s, real).real();
  }
  for (std::size_t s = 0; s < u(constraints_); ++s) {
    const std::complex<double> off = missing(p, s, pair);
    missing_[0][s] = off.real(), missing_[1][s] = off.imag();
  }
  for (int m = 0; m < n; ++m) part_[0][u(m)] = complex_[u(m)].real(), part_[1][u(m)] = complex_[u(m)].imag();
  for (int k = 0; k < 2; ++k) held_.correct(system, missing_[k].data(), part_[k].data(), mu_[k].data());
  for (int m = 0; m < n; ++m) complex_[u(m)] = {part_[0][u(m)], part_[1][u(m)]};
  for (std::size_t s = 0; s < u(constraints_); ++s) {
    const std::complex<double> mu = moved(s, pair);
    shift_[p][s] += mu.real(), shift_[p + 1][s] += mu.imag();
  }
}

}  // namespace bristle
