#include "bristle/enforce/held_solver.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_factors.h"

namespace bristle {

namespace {
constexpr double kFewPivots = 0.3;  // of the usual margin: from here on the rows themselves are looked at
constexpr double kWeak = 1e-5;      // of a diagonal entry: a pivot that small makes one look for a better choice of rows
}  // namespace

double HeldSolver::Orthogonal::spread(const HeldSolver& s, const Workspace& w) {
  const int m = s.m_, n = s.n_;
  if (wide.empty()) return 0;
  const auto each = [&](int k, const auto& use) {
    for (const Piece& p : s.pieces_[u(s.held_[u(k)])]) use(p, s.blocks_[u(p.block)], &w.D[u(p.at)]);
  };
  const auto moves = [](const Inertia& b) {
    return b.count == 3 ? 2 : b.count == 6 ? 3 : b.count;
  };  // numbers before those of a turn
  std::fill(lever.begin(), lever.end(), 0.0);
  for (int k = 0; k < m; ++k) {
    each(k, [&](const Piece& p, const Inertia& b, const double* d) {
      double way = 0, turn = 0;
      for (int c = 0; c < p.count; ++c) (p.offset + c < moves(b) ? way : turn) += d[c] * d[c];
      if (way > 0) lever[u(p.block)] = std::max(lever[u(p.block)], turn / way);
    });
  }
  std::fill(wide.begin(), wide.end(), 0.0);
  for (int k = 0; k < m; ++k) {
    each(k, [&](const Piece& p, const Inertia& b, const double* d) {
      for (int c = 0; c < p.count; ++c) {
        const int i = p.offset + c;
        double mobility = b.inverse[u(i * (b.count + 1))];
        if (i >= moves(b) && lever[u(p.block)] > 0) mobility = std::min(mobility, b.inverse[0] / lever[u(p.block)]);
        wide[u(k * n + p.unknown + c)] += d[c] * std::sqrt(mobility);
      }
    });
  }
  double least = 1;
  for (int j = 0; j < m; ++j) {
    if (masks && choice.leaves_out(j)) continue;
    double size = 0;
    for (int k = 0; k <= j; ++k) {
      if (masks && choice.leaves_out(k)) continue;
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += wide[u(j * n + i)] * wide[u(k * n + i)];
      if (k == j) size = sum;
      for (int i = 0; i < k; ++i) {
        if (!(masks && choice.leaves_out(i))) sum -= gram[u(j * m + i)] * gram[u(k * m + i)];
      }
      if (k == j) {
        least = std::min(least, size > 0 ? sum / size : 1);
        if (!(sum > 1e-15 * size)) return 0;
        gram[u(j * m + j)] = std::sqrt(sum);
      } else {
        gram[u(j * m + k)] = sum / gram[u(k * m + k)];
      }
    }
  }
  return std::isfinite(least) ? least : 0;
}

HeldSolver::HeldSolver() = default;
HeldSolver::~HeldSolver() = default;

/// y += factor M^-1 d, for one piece of a row and the inertia it meets
void HeldSolver::piece_response(const double* values, const Piece& p, double factor, double* y) const {
  const Inertia& b = blocks_[u(p.block)];
  const double *d = values + p.at, *inverse = b.inverse.data();
  if (b.lumped && p.count == 6) {  // a rigid body: mass and inertia do not mix
    for (int i = 0; i < 3; ++i) y[i] += factor * inverse[0] * d[i];
    for (int i = 3; i < 6; ++i)
      y[i] += factor * (inverse[6 * i + 3] * d[3] + inverse[6 * i + 4] * d[4] + inverse[6 * i + 5] * d[5]);
    return;
  }
  for (int i = 0; i < b.count; ++i) {
    double sum = 0;
    for (int c = 0; c < p.count; ++c) sum += inverse[i * b.count + p.offset + c] * d[c];
    y[i] += factor * sum;
  }
}

[[gnu::flatten]] bool HeldSolver::refresh(const System& system, const Workspace& w, const double* slopes, Purpose purpose) {
  const bool correction = purpose == Purpose::correction;
  if (!constant_mass_) renew_mass(system, w.q);
  const auto factored = [&]() -> bool {
    plain_ = correction && (method_.plain_metric || left_ >= 0);
    softness_ = !correction && method_.penalty > 0 ? 1 / method_.penalty : 0;
    symmetric_ = slopes == nullptr;
    orthogonal_ = !correction && work_->asked;
    if (!correction) weakest_ = -1;
    if (m_ == 0) return true;
    work_->least_known = work_->weak = false;
    work_->masks = redundant_ && softness_ == 0 && !(orthogonal_ && symmetric_ && work_->by_values);
    if (work_->masks && correction && storage_ != Storage::dense) work_->choice.review(system, w);
    const auto judged = [&](bool regular) {
      if (!correction) margin_ = regular ? klu_.condition() : 0, weakest_ = -1;
      return regular;
    };
    if (storage_ == Storage::whole) return judged(refresh_whole(system, w, slopes));

    std::fill(E_.begin(), E_.end(), 0.0);
    for (int k = 0; k < m_; ++k) {
      for (const Piece& p : pieces_[u(held_[u(k)])]) {
        double* e = nullptr;
        for (const Response& r : responses_[u(k)]) {
          if (r.block == p.block) e = &E_[u(r.at)];
        }
        if (plain_) {
          for (int c = 0; c < p.count; ++c) {
            if (p.unknown + c != left_) e[p.offset + c] += w.D[u(p.at + c)];
          }
        } else {
          piece_response(w.D.data(), p, 1, e);
        }
      }
    }
    if (slopes != nullptr) {
      const std::vector<LoadSlope>& list = system.reactive().slopes();
      for (std::size_t s = 0; s < list.size(); ++s) {
        if (list[s].slot >= m_ || slopes[s] == 0) continue;
        for (const auto& [piece, at] : add_slope_[s])
          piece_response(w.D.data(), pieces_[u(list[s].row)][u(piece)], slopes[s], &E_[u(at)]);
      }
    }
    std::fill(A_.begin(), A_.end(), 0.0);
    const auto meet = [&](const std::vector<Meeting>& list) {
      for (const Meeting& t : list) {
        const double *d = w.D.data() + t.d, *e = E_.data() + t.e;
        double sum = 0;
        if (t.count == 6) sum = (d[0] * e[0] + d[1] * e[1]) + (d[2] * e[2] + d[3] * e[3]) + (d[4] * e[4] + d[5] * e[5]);
        else if (t.count == 3) sum = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
        else
          for (int c = 0; c < t.count; ++c) sum += d[c] * e[c];
        A_[u(t.entry)] += sum;
      }
    };
    meet(lower_);
    if (storage_ == Storage::rows) {
      meet(upper_);
      return judged(factor_rows());
    }
    if (!symmetric_) meet(upper_);
    for (int i = 0; i < m_; ++i) {
      A_[u(i * m_ + i)] += softness_;
      for (int j = 0; symmetric_ && j < i; ++j) A_[u(j * m_ + i)] = A_[u(i * m_ + j)];
    }
    const double margin = margin_;
    const int weakest = weakest_;
    const bool regular = factor_dense();
    if (correction) margin_ = margin, weakest_ = weakest;
    if (!regular) return false;
    return !work_->weak || !work_->choice.review(system, w) || factor_dense();
  };
  const bool regular = factored();
  if (correction || m_ == 0) return regular;
  // small pivots by inertia alone are no loss of rank
  work_->usual = std::max(work_->usual, margin_);
  if (margin_ < kFewPivots * work_->usual) margin_ = std::max(margin_, work_->usual * work_->spread(*this, w));
  return regular;
}

bool HeldSolver::factor_dense() {
  shifted_ = false;
  const double* A = work_->masks ? work_->mask(A_, m_) : A_.data();
  if (orthogonal_ && symmetric_) {
    work_->A = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(A, m_, m_);
    if (work_->by_values) {
      if (!work_->A.allFinite()) return false;
      work_->values.compute(work_->A);
      // the rank is known where rows follow from others; round-off elsewhere
      const auto none = static_cast<int>(work_->choice.left_out().size());
      const auto& sizes = work_->values.eigenvalues();  // rising
      const double largest = sizes[m_ - 1], least = std::max(sizes[none], 0.0);
      work_->least_value = none > 0 ? std::sqrt(std::max(sizes[none - 1], 0.0)) * std::sqrt(least) : 1e-12 * largest;
      margin_ = largest > 0 ? least / largest : 0;
    } else {
      work_->rotations.setThreshold(1e-12);
      work_->rotations.compute(work_->A);
      const auto pivots = work_->rotations.matrixQTZ().diagonal().cwiseAbs();
      margin_ = pivots[0] > 0 ? pivots[m_ - 1] / pivots[0] : 0;
    }
    return true;
  }
  orthogonal_ = false;
  if (!symmetric_) {
    std::copy_n(A, m_ * m_, lu_.matrix());
    if (!lu_.factor()) return factor_shifted();
    double least = kInfinity, most = 0;
    for (int i = 0; i < m_; ++i) {
      const double pivot = std::abs(lu_.matrix()[i * (m_ + 1)]);
      least = std::min(least, pivot), most = std::max(most, pivot);
    }
    margin_ = least / most;
    return true;
  }
  double* L = L_.data();
  margin_ = 1;
  for (int j = 0; j < m_; ++j) {
    double s = A[j * m_ + j];
    for (int k = 0; k < j; ++k) s -= L[j * m_ + k] * L[j * m_ + k];
    if (s < margin_ * A[j * m_ + j]) margin_ = s / A[j * m_ + j], weakest_ = j;
    if (work_->masks && !(s > kWeak * A[j * m_ + j])) work_->weak = true;
    if (!(s > 1e-13 * A[j * m_ + j])) return factor_shifted();  // rows that depend on each other here
    const double root = std::sqrt(s);
    L[j * m_ + j] = root;
    pivot_[u(j)] = 1 / root;
    for (int i = j + 1; i < m_; ++i) {
      double t = A[i * m_ + j];
      for (int k = 0; k < j; ++k) t -= L[i * m_ + k] * L[j * m_ + k];
      L[i * m_ + j] = t * pivot_[u(j)];
    }
  }
  return true;
}

/// Rows that depend on each other in this position: a small softness, which refinement takes out again where there is something to hold.
bool HeldSolver::factor_shifted() {
  double trace = 0;
  for (int i = 0; i < m_; ++i) trace += std::abs(A_[u(i * m_ + i)]);
  if (!std::isfinite(trace)) return false;
  shift_ = 1e-10 * trace / m_;
  shifted_ = true;
  std::copy_n(work_->masks ? work_->matrix.data() : A_.data(), m_ * m_, lu_.matrix());
  for (int i = 0; i < m_; ++i) lu_.matrix()[i * m_ + i] += shift_ > 0 ? shift_ : 1;
  return lu_.factor();
}

bool HeldSolver::factor_rows() {
  double trace = 0;
  for (int k : diagonal_) trace += std::abs(A_[u(k)]);
  if (!std::isfinite(trace)) return false;
  for (int k : diagonal_) A_[u(k)] += softness_;
  shift_ = 1e-10 * trace / m_;
  shifted_ = false;
  const double* A = work_->masks ? work_->mask(A_, pattern_, 0) : A_.data();
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::copy_n(A, A_.size(), values_.begin());
    if (shifted_) {
      for (int k : diagonal_) values_[u(k)] += shift_;
    }
    if (klu_.factor(values_.data())) return true;
    shifted_ = true;
  }
  return false;
}

bool HeldSolver::refresh_whole(const System& system, const Workspace& w, const double* slopes) {
  std::copy(base_.begin(), base_.end(), values_.begin());
  if (plain_) {
    std::fill(values_.begin(), values_.end(), 0.0);
    for (int i = 0; i < n_; ++i) {
      for (int k = pattern_.begin(i); k < pattern_.end(i); ++k) {
        if (pattern_.row(k) == i) values_[u(k)] = 1;
      }
    }
  }
  // what the shift is measured by: the mobility of each row alone
  shifted_ = false;
  shift_ = 0;
  for (int k = 0; k < m_; ++k) {
    std::size_t next = 0;
    double mobility = 0;
    for (const Piece& p : pieces_[u(held_[u(k)])]) {
      const Inertia& b = blocks_[u(p.block)];
      for (int c = 0; c < p.count; ++c, ++next) {
        const double d = w.D[u(p.at + c)];
        values_[u(down_[u(k)][next])] += d;
        if (p.unknown + c != left_) values_[u(across_[u(k)][next])] += d;
        mobility += d * d * (plain_ ? 1 : b.inverse[u((p.offset + c) * (b.count + 1))]);
      }
    }
    shift_ += 1e-10 * mobility / m_;
  }
  for (int k = 0; k < m_; ++k) values_[u(diagonal_[u(k)])] = -softness_;
  if (slopes != nullptr) {
    const std::vector<LoadSlope>& list = system.reactive().slopes();
    for (std::size_t s = 0; s < list.size(); ++s) {
      if (list[s].slot >= m_ || slopes[s] == 0) continue;
      std::size_t next = 0;
      for (const Piece& p : pieces_[u(list[s].row)]) {
        for (int c = 0; c < p.count; ++c) values_[u(slope_slots_[s][next++])] += slopes[s] * w.D[u(p.at + c)];
      }
    }
  }
  const auto factor = [&] { return klu_.factor(work_->masks ? work_->mask(values_, pattern_, n_) : values_.data()); };
  if (factor()) return true;
  shifted_ = true;
  for (int k = 0; k < m_; ++k) values_[u(diagonal_[u(k)])] = -(softness_ + shift_);
  return factor();
}

void HeldSolver::multiply(const double* x, double* y) const {
  if (storage_ == Storage::rows) {
    std::fill_n(y, m_, 0.0);
    for (int j = 0; j < m_; ++j) {
      for (int k = pattern_.begin(j); k < pattern_.end(j); ++k) y[pattern_.row(k)] += A_[u(k)] * x[j];
    }
    return;
  }
  if (storage_ == Storage::dense) {
    for (int i = 0; i < m_; ++i) {
      double sum = 0;
      for (int j = 0; j < m_; ++j) sum += A_[u(i * m_ + j)] * x[j];
      y[i] = sum;
    }
    return;
  }
  // D M^-1 E' x + softness x, by the columns of the sparse matrix
  double* f = wide_.data();
  std::fill(wide_.begin(), wide_.end(), 0.0);
  for (int k = 0; k < m_; ++k) {
    for (int s = pattern_.begin(n_ + k); s < pattern_.end(n_ + k); ++s) {
      if (pattern_.row(s) < n_) f[pattern_.row(s)] += values_[u(s)] * x[k];
    }
    y[k] = softness_ * x[k];
  }
  if (!plain_) {
    for (const Inertia& b : blocks_) {
      for (int i = 0; i < b.count; ++i) {
        double sum = 0;
        for (int c = 0; c < b.count; ++c) sum += b.inverse[u(i * b.count + c)] * f[b.unknown + c];
        narrow_[u(i)] = sum;
      }
      std::copy_n(narrow_.data(), b.count, f + b.unknown);
    }
  }
  for (int i = 0; i < n_; ++i) {
    for (int s = pattern_.begin(i); s < pattern_.end(i); ++s) {
      if (pattern_.row(s) >= n_) y[pattern_.row(s) - n_] += values_[u(s)] * f[i];
    }
  }
}

void HeldSolver::solve_once(const double* b, double* x) {
  if (storage_ == Storage::rows) {
    if (x != b) std::copy_n(b, m_, x);
    klu_.solve(x);
    return;
  }
  if (storage_ == Storage::whole) {
    // M y + E' x = 0, D y - softness x = -b
    std::fill(wide_.begin(), wide_.end(), 0.0);
    for (int k = 0; k < m_; ++k) wide_[u(n_ + k)] = -b[k];
    klu_.solve(wide_.data());
    for (int k = 0; k < m_; ++k) x[k] = wide_[u(n_ + k)];
    return;
  }
  if (orthogonal_) {
    const Eigen::Map<const Eigen::VectorXd> in(b, m_);
    Eigen::Map<Eigen::VectorXd> out(x, m_);
    if (work_->by_values) {
      work_->components.noalias() = work_->values.eigenvectors().transpose() * in;
      for (int k = 0; k < m_; ++k) {
        const double size = work_->values.eigenvalues()[k];
        work_->components[k] = size > work_->least_value ? work_->components[k] / size : 0;
      }
      out.noalias() = work_->values.eigenvectors() * work_->components;
    } else {
      out = work_->rotations.solve(in);
    }
    return;
  }
  if (x != b) std::copy_n(b, m_, x);
  if (!symmetric_ || shifted_) {
    lu_.solve(x);
    return;
  }
  const double* L = L_.data();
  for (int i = 0; i < m_; ++i) {
    double s = x[i];
    for (int k = 0; k < i; ++k) s -= L[i * m_ + k] * x[k];
    x[i] = s * pivot_[u(i)];
  }
  for (int i = m_ - 1; i >= 0; --i) {
    double s = x[i];
    for (int k = i + 1; k < m_; ++k) s -= L[k * m_ + i] * x[k];
    x[i] = s * pivot_[u(i)];
  }
}

void HeldSolver::solve(const double* b, double* lambda, bool exactly) {
  if (m_ == 0) return;
  const bool masks = work_->masks;
  if (masks) b = work_->mask(b, m_);
  solve_once(b, lambda);
  const int passes = shifted_ ? 3 : exactly && softness_ > 0 ? method_.iterations - 1 : 0;
  for (int pass = 0; pass < passes; ++pass) {
    multiply(lambda, r_.data());
    double change = 0;
    for (int k = 0; k < m_; ++k) {
      r_[u(k)] = b[k] - r_[u(k)] + (exactly ? softness_ * lambda[k] : 0);
      change = std::max(change, std::abs(r_[u(k)]));
    }
    if (masks) work_->drop(r_.data());
    if (change <= method_.tolerance && !shifted_) break;
    solve_once(r_.data(), x_.data());
    for (int k = 0; k < m_; ++k) lambda[k] += x_[u(k)];
  }
  // What no row asks for is round-off, blown up by the small softness, and friction would follow it. It passes through the shifted
  // factors as it is, while the rest all but vanishes there: take it out, twice, since it is known to a few digits only.
  for (int pass = 0; pass < 2 && shifted_ && !symmetric_ && shift_ > 0; ++pass) {
    std::copy_n(lambda, m_, x_.data());
    for (int filter = 0; filter < 2; ++filter) {
      solve_once(x_.data(), r_.data());
      for (int k = 0; k < m_; ++k) x_[u(k)] = shift_ * r_[u(k)];
    }
    for (int k = 0; k < m_; ++k) lambda[k] -= x_[u(k)];
  }
  if (masks) work_->least(*this, lambda);
}

void HeldSolver::push(const double* lambda, double* a) const {
  if (storage_ != Storage::whole) {
    for (int k = 0; k < m_; ++k) {
      for (const Response& r : responses_[u(k)]) {
        const Inertia& b = blocks_[u(r.block)];
        for (int i = 0; i < b.count; ++i) a[b.v + i] -= lambda[k] * E_[u(r.at + i)];
      }
    }
    return;
  }
  double* f = wide_.data();
  std::fill(wide_.begin(), wide_.end(), 0.0);
  for (int k = 0; k < m_; ++k) {
    for (int s = pattern_.begin(n_ + k); s < pattern_.end(n_ + k); ++s) {
      if (pattern_.row(s) < n_) f[pattern_.row(s)] += values_[u(s)] * lambda[k];
    }
  }
  if (plain_) {
    for (int i = 0; i < n_; ++i) a[v_index_[u(i)]] -= f[i];
    return;
  }
  for (const Inertia& b : blocks_) {
    for (int i = 0; i < b.count; ++i) {
      double sum = 0;
      for (int c = 0; c < b.count; ++c) sum += b.inverse[u(i * b.count + c)] * f[b.unknown + c];
      a[b.v + i] -= sum;
    }
  }
}

void HeldSolver::respond(const Workspace& w, int row, double factor, double* a) const {
  for (const Piece& p : pieces_[u(row)]) piece_response(w.D.data(), p, factor, a + blocks_[u(p.block)].v);
}

void HeldSolver::save(Archive& a) const { work_->choice.save(a); }
void HeldSolver::load(Archive& a) { work_->choice.load(a); }

}  // namespace bristle
