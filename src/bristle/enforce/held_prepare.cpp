// What the solver of the held rows makes once: inertias, who meets whom, room and patterns of its matrices.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_factors.h"

namespace bristle {

namespace {
constexpr int kDenseRepeated = 60;  // rows, where some follow from others: dense factors show how near the kept ones come to it

/// The inverse of a symmetric positive matrix.
void invert(const double* A, int n, double* X) {
  std::copy_n(A, n * n, X);
  for (int k = 0; k < n; ++k) {
    double* pivot = X + k * n;
    const double by = 1 / pivot[k];
    pivot[k] = 1;
    for (int j = 0; j < n; ++j) pivot[j] *= by;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double* row = X + i * n;
      const double factor = row[k];
      row[k] = 0;
      for (int j = 0; j < n; ++j) row[j] -= factor * pivot[j];
    }
  }
}
}  // namespace

/// Inertias and their inverses; the number of that of every unknown.
std::vector<int> HeldSolver::prepare_blocks(const System& system) {
  const Layout& layout = system.layout();
  blocks_.clear();
  std::vector<int> block_of(u(n_), -1);
  for (const MassBlock& b : system.masses().blocks()) {
    Inertia inertia{layout.unknown(b.v), b.v, b.count, {}, {}, {}, false};
    if (!b.constant) inertia.inertia = b;
    Eigen::MatrixXd M(b.count, b.count);
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) M(i, j) = b.mass[u(i * b.count + j)];
    }
    const Eigen::MatrixXd inverse = M.ldlt().solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(b.count, b.count)));
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) inertia.inverse.push_back(inverse(i, j));
      block_of[u(inertia.unknown + i)] = static_cast<int>(blocks_.size());
    }
    inertia.lumped = b.count == 6 && b.constant;
    for (int i = 0; i < 3 && inertia.lumped; ++i) {
      for (int j = 0; j < 6; ++j) {
        if (j != i && inertia.inverse[u(6 * i + j)] != 0) inertia.lumped = false;
      }
      if (inertia.inverse[u(7 * i)] != inertia.inverse[0]) inertia.lumped = false;
    }
    blocks_.push_back(std::move(inertia));
  }
  return block_of;
}

/// Rows by the inertias that they meet.
void HeldSolver::prepare_pieces(const Layout& layout, const std::vector<int>& block_of) {
  pieces_.clear();
  for (int r = 0; r < layout.rows.count(); ++r) {
    std::vector<Piece> list;
    for (const RowPiece* p = layout.rows.begin(r); p != layout.rows.end(r); ++p) {
      const int unknown = layout.unknown(p->v);
      if (unknown < 0) continue;  // driven, ground
      const int block = block_of[u(unknown)];
      list.push_back({p->at, p->count, unknown, block, unknown - blocks_[u(block)].unknown});
    }
    pieces_.push_back(std::move(list));
  }
  held_.clear();
  for (const HeldRow& h : layout.held) held_.push_back(h.row);
}

/// Room for M^-1 times the rows, one piece per inertia that a row or its friction meets.
void HeldSolver::prepare_responses(const System& system) {
  int next = 0;
  responses_.assign(u(m_), {});
  const auto room = [&](int slot, int block) {
    for (const Response& r : responses_[u(slot)]) {
      if (r.block == block) return r.at;
    }
    responses_[u(slot)].push_back({block, next});
    next += blocks_[u(block)].count;
    return responses_[u(slot)].back().at;
  };
  for (int k = 0; k < m_; ++k) {
    for (const Piece& p : pieces_[u(held_[u(k)])]) room(k, p.block);
  }
  add_slope_.clear();
  for (const LoadSlope& s : system.reactive().slopes()) {
    std::vector<std::pair<int, int>> list;
    for (std::size_t k = 0; k < pieces_[u(s.row)].size() && s.slot < m_; ++k)
      list.push_back({static_cast<int>(k), room(s.slot, pieces_[u(s.row)][k].block)});
    add_slope_.push_back(std::move(list));
  }
  E_.assign(u(next), 0);
}

/// The matrix of the rows alone: dense, or by those that meet at an inertia.
void HeldSolver::prepare_rows(const Meetings& on_block) {
  if (storage_ == Storage::rows) {
    pattern_.clear();
    for (int i = 0; i < m_; ++i) {
      pattern_.add(i, i);
      for (const Piece& p : pieces_[u(held_[u(i)])]) {
        for (const auto& [j, r] : on_block[u(p.block)]) pattern_.add(i, j);
      }
    }
    pattern_.compress(m_);
    diagonal_.clear();
    for (int i = 0; i < m_; ++i) diagonal_.push_back(pattern_.at(i, i));
    klu_.analyse(pattern_);
  }
  lower_.clear(), upper_.clear();
  for (int i = 0; i < m_; ++i) {
    for (const Piece& p : pieces_[u(held_[u(i)])]) {
      for (const auto& [j, r] : on_block[u(p.block)]) {
        const int at = storage_ == Storage::dense ? i * m_ + j : pattern_.at(i, j);
        (j <= i ? lower_ : upper_).push_back({at, p.at, r->at + p.offset, p.count});
      }
    }
  }
  A_.assign(storage_ == Storage::dense ? u(m_ * m_) : u(pattern_.count()), 0);
  if (storage_ == Storage::rows) {
    values_.assign(u(pattern_.count()), 0);
    return;
  }
  L_.assign(u(m_ * m_), 0);
  pivot_.assign(u(m_), 0);
  lu_.reserve(m_);
}

/// [M E'; D -softness] in compressed columns.
void HeldSolver::prepare_whole(const System& system) {
  const Layout& layout = system.layout();
  pattern_.clear();
  for (const Inertia& b : blocks_) {
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) pattern_.add(b.unknown + i, b.unknown + j);
    }
  }
  const auto touch = [&](int row, int k) {
    for (const Piece& p : pieces_[u(row)]) {
      for (int c = 0; c < p.count; ++c) pattern_.add(p.unknown + c, n_ + k);
    }
  };
  for (int k = 0; k < m_; ++k) {
    touch(held_[u(k)], k);
    for (const Piece& p : pieces_[u(held_[u(k)])]) {
      for (int c = 0; c < p.count; ++c) pattern_.add(n_ + k, p.unknown + c);
    }
    pattern_.add(n_ + k, n_ + k);
  }
  for (const LoadSlope& s : system.reactive().slopes()) {
    if (s.slot < m_) touch(s.row, s.slot);
  }
  pattern_.compress(n_ + m_);
  base_.assign(u(pattern_.count()), 0);
  values_.assign(u(pattern_.count()), 0);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const MassBlock& b = system.masses().blocks()[k];
    const int first = layout.unknown(b.v);
    blocks_[k].base.clear();
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) {
        const int slot = pattern_.at(first + i, first + j);
        base_[u(slot)] = b.mass[u(i * b.count + j)];
        if (!b.constant) blocks_[k].base.push_back(slot);
      }
    }
  }
  down_.clear(), across_.clear(), diagonal_.clear(), slope_slots_.clear();
  for (int k = 0; k < m_; ++k) {
    std::vector<int> down, across;
    for (const Piece& p : pieces_[u(held_[u(k)])]) {
      for (int c = 0; c < p.count; ++c) {
        down.push_back(pattern_.at(n_ + k, p.unknown + c));
        across.push_back(pattern_.at(p.unknown + c, n_ + k));
      }
    }
    down_.push_back(std::move(down));
    across_.push_back(std::move(across));
    diagonal_.push_back(pattern_.at(n_ + k, n_ + k));
  }
  for (const LoadSlope& s : system.reactive().slopes()) {
    std::vector<int> slots;
    if (s.slot < m_) {
      for (const Piece& p : pieces_[u(s.row)]) {
        for (int c = 0; c < p.count; ++c) slots.push_back(pattern_.at(p.unknown + c, n_ + s.slot));
      }
    }
    slope_slots_.push_back(std::move(slots));
  }
  klu_.analyse(pattern_);
}

void HeldSolver::prepare(const System& system, const Enforcement& method) {
  const Layout& layout = system.layout();
  method_ = method;
  n_ = layout.free();
  m_ = system.layout().held_count();
  redundant_ = !layout.redundant.empty();
  constant_mass_ = system.masses().constant();
  v_index_.clear();
  for (int i = 0; i < n_; ++i) v_index_.push_back(layout.v_index(i));
  prepare_pieces(layout, prepare_blocks(system));
  x_.assign(u(m_), 0);
  r_.assign(u(m_), 0);
  wide_.assign(u(n_ + m_), 0);
  narrow_.assign(u(n_), 0);
  prepare_responses(system);

  // who meets whom: rows that touch one body
  Meetings on_block(blocks_.size());
  for (int k = 0; k < m_; ++k) {
    for (const Response& r : responses_[u(k)]) on_block[u(r.block)].push_back({k, &r});
  }
  std::size_t meetings = 0;
  for (int k = 0; k < m_; ++k) {
    for (const Piece& p : pieces_[u(held_[u(k)])]) meetings += on_block[u(p.block)].size();
  }
  const bool orthogonal = method_.algebra != Enforcement::Algebra::cholesky;
  work_ = std::make_unique<Orthogonal>();
  work_->asked = orthogonal;
  work_->by_values = method_.algebra == Enforcement::Algebra::pseudo_inverse;
  work_->choice.prepare(system);
  if (m_ <= Orthogonal::kGeometric) {
    work_->wide.assign(u(m_ * n_), 0);
    work_->gram.assign(u(m_ * m_), 0);
    work_->lever.assign(blocks_.size(), 0);
  }
  storage_ = m_ <= (redundant_ ? kDenseRepeated : kDenseRows) || orthogonal ? Storage::dense
             : meetings <= u(40 * m_)                                       ? Storage::rows
                                                                            : Storage::whole;
  work_->prepare_least(*this);
  if (storage_ == Storage::whole) prepare_whole(system);
  else prepare_rows(on_block);
}

/// The inertias that change, at a configuration.
void HeldSolver::renew_mass(const System& system, const double* q) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Inertia& b = blocks_[i];
    if (b.inertia.constant) continue;
    system.masses().calc(i, q, b.inertia);
    invert(b.inertia.mass.data(), b.count, b.inverse.data());
    if (storage_ != Storage::whole) continue;
    for (int r = 0; r < b.count; ++r) {
      for (int c = 0; c < b.count; ++c) base_[u(b.base[u(r * b.count + c)])] = b.inertia.mass[u(r * b.count + c)];
    }
  }
}

}  // namespace bristle
