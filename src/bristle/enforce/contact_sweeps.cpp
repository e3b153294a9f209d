#include "bristle/enforce/contact_sweeps.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {

/// Of a body's inertia, which has at most as many numbers as the largest kind of body.
template <int N>
void invert(const double* A, double* out) {
  using Square = Eigen::Matrix<double, N, N, N == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  Eigen::Map<Square> X(out);
  X = Eigen::Map<const Square>(A).inverse();
}
void invert(const std::vector<double>& A, int n, std::vector<double>& out) {
  switch (n) {
    case 1: return invert<1>(A.data(), out.data());
    case 3: return invert<3>(A.data(), out.data());
    case 6: return invert<6>(A.data(), out.data());
    default: {
      using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      Eigen::Map<Square>(out.data(), n, n) = Eigen::Map<const Square>(A.data(), n, n).inverse();
    }
  }
}
}  // namespace

void ContactSweeps::prepare(const System& system) {
  blocks_.clear();
  block_of_.assign(u(system.layout().free()), -1);
  for (const MassBlock& m : system.masses().blocks()) {
    Inertia b;
    b.first = system.layout().unknown(m.v);
    b.count = m.count;
    b.mass = m.mass;
    b.rest.resize(m.mass.size());
    invert(m.mass, m.count, b.rest);
    b.inverse = b.rest;
    b.matrix.reserve(m.mass.size());
    for (int i = 0; i < m.count; ++i) block_of_[u(b.first + i)] = static_cast<int>(blocks_.size());
    blocks_.push_back(std::move(b));
  }
  changed_.reserve(blocks_.size());
  clear();
}

void ContactSweeps::reset() {
  for (int b : changed_) {
    blocks_[u(b)].inverse = blocks_[u(b)].rest;
    blocks_[u(b)].matrix.clear();
  }
  changed_.clear();
}

void ContactSweeps::add_entry(int row, int column, double value) {
  const int at = block_of(row);
  Inertia& b = blocks_[u(at)];
  if (b.matrix.empty()) {
    b.matrix = b.mass;
    changed_.push_back(at);
  }
  b.matrix[u((row - b.first) * b.count + column - b.first)] += value;
}

void ContactSweeps::refresh() {
  for (int b : changed_) invert(blocks_[u(b)].matrix, blocks_[u(b)].count, blocks_[u(b)].inverse);
}

void ContactSweeps::solve_blocks(const double* y, double* x) const {
  for (const Inertia& b : blocks_) {
    for (int i = 0; i < b.count; ++i) {
      double sum = 0;
      for (int j = 0; j < b.count; ++j) sum += b.inverse[u(i * b.count + j)] * y[b.first + j];
      x[b.first + i] = sum;
    }
  }
}

double ContactSweeps::along_inertia(const double* x, const double* y) const {
  double sum = 0;
  for (const Inertia& b : blocks_) {
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) sum += x[b.first + i] * b.mass[u(i * b.count + j)] * y[b.first + j];
    }
  }
  return sum;
}

void ContactSweeps::reserve(int contacts, int unknowns) {
  const std::size_t columns = u(contacts) * u(std::min(unknowns, 12));
  rows_.reserve(u(contacts));
  unknown_.reserve(columns);
  D_.reserve(3 * columns);
  R_.reserve(3 * columns);
  W_.reserve(9 * u(contacts));
  ahead_.reserve(3 * u(contacts));
  before_.reserve(3 * u(contacts));
}

void ContactSweeps::clear() {
  rows_.clear();
  unknown_.clear();
  D_.clear();
}

ContactRow& ContactSweeps::add(int slips, int count, const int* unknown, const double* D) {
  ContactRow r;
  r.first = static_cast<int>(unknown_.size());
  r.count = count;
  r.slips = slips;
  int runs = 0;
  for (int k = 0; k < count; ++k) {
    if (k == 0 || unknown[k] != unknown[k - 1] + 1) {
      if (runs == 2) {
        runs = 3;
        break;
      }
      r.run[runs++] = unknown[k];
    }
    ++r.length[runs - 1];
  }
  if (runs == 3) r.run[0] = -1;
  unknown_.insert(unknown_.end(), unknown, unknown + count);
  D_.insert(D_.end(), D, D + (1 + slips) * count);
  D_.resize(3 * unknown_.size(), 0);
  rows_.push_back(r);
  return rows_.back();
}

double ContactSweeps::read(const ContactRow& r, int row, const double* x) const { return along(r, D(r, row), x); }

void ContactSweeps::respond() {
  R_.assign(D_.size(), 0);
  W_.assign(9 * rows_.size(), 0);
  for (ContactRow& r : rows_) {
    const int* at = unknown(r);
    const int n = 1 + r.slips;
    for (int from = 0; from < r.count;) {
      // columns of one body stand together
      const Inertia& b = blocks_[u(block_of_[u(at[from])])];
      int end = from + 1;
      while (end < r.count && block_of_[u(at[end])] == block_of_[u(at[from])]) ++end;
      for (int i = 0; i < n; ++i) {
        const double* d = D(r, i);
        double* out = R_.data() + 3 * r.first + i * r.count;
        for (int k = from; k < end; ++k) {
          const double* inverse = b.inverse.data() + (at[k] - b.first) * b.count - b.first;
          double sum = 0;
          for (int j = from; j < end; ++j) sum += inverse[at[j]] * d[j];
          out[k] = sum;
        }
      }
      from = end;
    }
    double* w = W_.data() + 9 * (&r - rows_.data());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < r.count; ++k) sum += D(r, i)[k] * R(r, j)[k];
        w[i * n + j] = sum;
      }
    }
    if (n == 3) {
      const double coupling =
          std::abs(w[1]) + std::abs(w[2]) + std::abs(w[3]) + std::abs(w[6]) + std::abs(w[5]) + std::abs(w[4] - w[8]);
      r.round = coupling <= 1e-12 * w[0];
    }
  }
}

void ContactSweeps::push(double* dv) const {
  for (const ContactRow& r : rows_) {
    const int* at = unknown(r);
    for (int i = 0; i <= r.slips; ++i) {
      if (r.p[i] == 0) continue;
      const double* response = R(r, i);
      for (int k = 0; k < r.count; ++k) dv[at[k]] += response[k] * r.p[i];
    }
  }
}

double ContactSweeps::along(const ContactRow& r, const double* d, const double* x) const {
  double sum = 0;
  if (r.run[0] < 0) {
    const int* at = unknown(r);
    for (int k = 0; k < r.count; ++k) sum += d[k] * x[at[k]];
    return sum;
  }
  for (int side = 0; side < 2; ++side) {
    const double* y = x + r.run[side];
    for (int k = 0; k < r.length[side]; ++k) sum += d[k] * y[k];
    d += r.length[side];
  }
  return sum;
}

void ContactSweeps::spread(const ContactRow& r, const double* response, double p, double* x) const {
  if (r.run[0] < 0) {
    const int* at = unknown(r);
    for (int k = 0; k < r.count; ++k) x[at[k]] += response[k] * p;
    return;
  }
  for (int side = 0; side < 2; ++side) {
    double* y = x + r.run[side];
    for (int k = 0; k < r.length[side]; ++k) y[k] += response[k] * p;
    response += r.length[side];
  }
}

double ContactSweeps::visit_any(ContactRow& r, double* dv) const {
  const int n = 1 + r.slips, active = r.friction > 0 || r.p[1] != 0 || r.p[2] != 0 ? n : 1;
  const double* w = own(r);
  if (!(w[0] > 0)) return 0;
  double b[3] = {0, 0, 0}, last[3], change = 0;
  b[0] = r.bias[0] + along(r, D(r, 0), dv);
  if (r.p[0] == 0 && r.floor == 0 && b[0] >= 0) return 0;  // open, and stays so
  for (int i = 1; i < active; ++i) b[i] = r.bias[i] + along(r, D(r, i), dv);
  for (int i = 0; i < active; ++i) {
    last[i] = r.p[i];
    for (int j = 0; j < active; ++j) b[i] -= w[i * n + j] * r.p[j];
  }
  if (active == 1) r.p[0] = std::max(r.floor, -b[0] / w[0]);
  else solve_contact(w, b, r.slips, r.friction, r.floor, r.p);
  for (int i = 0; i < active; ++i) {
    const double step = r.p[i] - last[i];
    change = std::max(change, std::abs(step) * w[i * n + i]);
    if (step != 0) spread(r, R(r, i), step, dv);
  }
  return change;
}

/// The same for two tangents and a number of unknowns that the compiler knows.
template <int A, int B>
double ContactSweeps::visit(ContactRow& r, double* dv) const {
  using Column = Eigen::Matrix<double, A + B, 1>;
  using Row = Eigen::Map<const Column>;
  const double* w = own(r);
  if (!(w[0] > 0)) return 0;
  Eigen::Map<Eigen::Matrix<double, A, 1>> first(dv + r.run[0]);
  Eigen::Map<Eigen::Matrix<double, B, 1>> second(dv + (B > 0 ? r.run[1] : r.run[0]));
  Column x;
  x.template head<A>() = first;
  if constexpr (B > 0) x.template tail<B>() = second;
  const double *d = D(r, 0), *response = R(r, 0);
  double b[3] = {r.bias[0] + Row(d).dot(x), 0, 0};
  if (r.p[0] == 0 && r.floor == 0 && b[0] >= 0) return 0;  // open, and stays so
  const double last[3] = {r.p[0], r.p[1], r.p[2]};
  double change;
  if (r.friction > 0 || last[1] != 0 || last[2] != 0) {
    b[1] = r.bias[1] + Row(d + A + B).dot(x);
    b[2] = r.bias[2] + Row(d + 2 * (A + B)).dot(x);
    if (r.round) {
      r.p[0] = std::max(r.floor, last[0] - b[0] / w[0]);
      r.p[1] -= b[1] / w[4], r.p[2] -= b[2] / w[4];
      const double square = r.p[1] * r.p[1] + r.p[2] * r.p[2], most = r.friction * r.p[0];
      if (square > most * most) {
        const double cut = most / std::sqrt(square);
        r.p[1] *= cut, r.p[2] *= cut;
      }
    } else {
      for (int i = 0; i < 3; ++i) b[i] -= w[3 * i] * last[0] + w[3 * i + 1] * last[1] + w[3 * i + 2] * last[2];
      solve_contact(w, b, 2, r.friction, r.floor, r.p);
    }
    const double step[3] = {r.p[0] - last[0], r.p[1] - last[1], r.p[2] - last[2]};
    change = std::max({std::abs(step[0]) * w[0], std::abs(step[1]) * w[4], std::abs(step[2]) * w[8]});
    x += step[0] * Row(response) + step[1] * Row(response + A + B) + step[2] * Row(response + 2 * (A + B));
  } else {
    r.p[0] = std::max(r.floor, last[0] - b[0] / w[0]);
    change = std::abs(r.p[0] - last[0]) * w[0];
    x += (r.p[0] - last[0]) * Row(response);
  }
  first = x.template head<A>();
  if constexpr (B > 0) second = x.template tail<B>();
  return change;
}

/// Conjugate gradients on top of the sweeps, see ConeProblem::solve_sweeps; `size` is what the sweep before changed.
void ContactSweeps::look_ahead(double* dv, double& size) {
  double now = 0;
  const std::size_t count = rows_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const double* w = own(rows_[k]);
    const int n = 1 + rows_[k].slips;
    for (int i = 0; i < n; ++i) {
      const double step = rows_[k].p[i] - before_[3 * k + u(i)];
      now += w[i * n + i] * step * step;
    }
  }
  const double share = size > 0 ? now / size : 2;
  size = now;
  for (std::size_t k = 0; k < count; ++k) {
    ContactRow& r = rows_[k];
    for (int i = 0; i <= r.slips; ++i) {
      const std::size_t at = 3 * k + u(i);
      const double step = r.p[i] - before_[at], more = share * ahead_[at];
      if (share <= 1 && more != 0) {
        r.p[i] += more;
        spread(r, R(r, i), more, dv);
      }
      ahead_[at] = share <= 1 ? more + step : 0;
    }
  }
}

ConeAnswer ContactSweeps::solve(double* dv, double tolerance, int most) {
  ConeAnswer answer;
  double size = 0;
  ahead_.assign(3 * rows_.size(), 0);
  before_.assign(3 * rows_.size(), 0);
  for (answer.iterations = 0; answer.iterations < most;) {
    ++answer.iterations;
    double change = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) std::copy_n(rows_[k].p, 3, before_.begin() + static_cast<long>(3 * k));
    // to and fro: what presses at one end of a pile is felt at the other after two sweeps
    const std::size_t count = rows_.size();
    for (std::size_t k = 0; k < count; ++k) {
      ContactRow& r = rows_[answer.iterations % 2 == 1 ? k : count - 1 - k];
      const bool plain = r.run[0] >= 0 && r.slips == 2;
      double moved;
      if (plain && r.length[0] == 6 && r.length[1] == 6) moved = visit<6, 6>(r, dv);
      else if (plain && r.length[0] == 6 && r.length[1] == 0) moved = visit<6, 0>(r, dv);
      else if (plain && r.length[0] == 12) moved = visit<12, 0>(r, dv);  // neighbours in the list of unknowns
      else moved = visit_any(r, dv);
      change = std::max(change, moved);
    }
    if (change <= tolerance || answer.iterations == most) break;
    look_ahead(dv, size);
  }
  answer.sweeps = answer.iterations;
  answer.residual = residual(dv);
  answer.converged = answer.iterations < most;
  return answer;
}

double ContactSweeps::residual(const double* dv) const {
  double worst = 0;
  for (const ContactRow& r : rows_) {
    double v[3] = {0, 0, 0};
    for (int i = 0; i <= r.slips; ++i) v[i] = r.bias[i] + read(r, i, dv);
    const double off = contact_residual(own(r), v, r.slips, r.friction, r.floor, r.p);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}

}  // namespace bristle
