#include "bristle/enforce/space_mobilities.h"

#include <algorithm>

#include "bristle/base/index.h"
#include "bristle/enforce/ties.h"

namespace bristle {

namespace {
constexpr double kImmobile = 1e-10;  // of a mobility while nothing is held: what counts as none

void make_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}
int count_of(const auto& list) { return static_cast<int>(list.size()); }
}  // namespace

SpaceMobilities::SpaceMobilities(const System& system, HeldSolver& held, bool exactly)
    : Mobilities(system, true), held_(held), exactly_(exactly) {
  const Layout& layout = system.layout();
  std::vector<Island> islands;
  const std::vector<int> island_of = find_islands(system, islands);
  find_pieces(layout, island_of, islands);
  find_near(islands);
  find_colours();
  find_clusters();
  near_value.assign(near.size(), 0);
  by_force.assign(slot.size(), 0);
  own.assign(u(rows()), 0);
  alone_ = own;
  reached_.assign(islands.size(), -1);
  y_.assign(u(layout.sizes.v + layout.spare), 0);
  lambda_.assign(u(system.layout().held_count()), 0);
  b_ = lambda_;
  wanted_.assign(u(rows()), 0);
}

/// Islands, and the one of each velocity; -1: not free.
std::vector<int> SpaceMobilities::find_islands(const System& system, std::vector<Island>& islands) const {
  const Layout& layout = system.layout();
  const std::vector<MassBlock>& blocks = system.masses().blocks();
  std::vector<int> block_of(u(layout.sizes.v), -1);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (int v = blocks[b].v; v < blocks[b].v + blocks[b].count; ++v)
      block_of[u(v)] = layout.unknown(v) >= 0 ? static_cast<int>(b) : -1;
  }
  const auto first_of = [&](int row) {
    for (const RowPiece* p = layout.rows.begin(row); p != layout.rows.end(row); ++p) {
      if (block_of[u(p->v)] >= 0) return block_of[u(p->v)];
    }
    return -1;
  };
  Ties ties(blocks.size());
  const auto tie = [&](int to, int row) {
    for (const RowPiece* p = layout.rows.begin(row); p != layout.rows.end(row); ++p) {
      if (to >= 0 && block_of[u(p->v)] >= 0) ties.tie(to, block_of[u(p->v)]);
    }
  };
  const int lambdas = system.layout().held_count();
  for (const HeldRow& h : layout.held) tie(first_of(h.row), h.row);
  for (const LoadSlope& s : system.reactive().slopes()) {
    if (s.slot < lambdas) tie(first_of(layout.held[u(s.slot)].row), s.row);
  }
  std::vector<int> set_of, island_of(u(layout.sizes.v), -1);
  islands.resize(u(ties.number(set_of)));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (int v = blocks[b].v; v < blocks[b].v + blocks[b].count; ++v) {
      islands[u(set_of[b])].velocities.push_back(v);
      if (block_of[u(v)] >= 0) island_of[u(v)] = set_of[b];
    }
  }
  for (int k = 0; k < lambdas; ++k) {
    if (const int b = first_of(layout.held[u(k)].row); b >= 0) islands[u(set_of[u(b)])].slots.push_back(k);
  }
  return island_of;
}

/// Rows by what they meet.
void SpaceMobilities::find_pieces(const Layout& layout, const std::vector<int>& island_of, std::vector<Island>& islands) {
  first_island_.assign(1, 0), first_piece_.assign(1, 0);
  std::vector<int> met, moved;
  for (int r = 0; r < rows(); ++r) {
    met.clear(), moved.clear();
    const int row = rest[u(r)].row;
    for (const RowPiece* q = layout.rows.begin(row); q != layout.rows.end(row); ++q) {
      const int at = island_of[u(q->v)];
      piece_on_.push_back(at);
      if (at >= 0) met.push_back(at);
    }
    make_unique(met);
    for (int i : met) {
      Island& island = islands[u(i)];
      island.rows.push_back(r);
      island_.push_back(i);
      slot.insert(slot.end(), island.slots.begin(), island.slots.end());
      moved.insert(moved.end(), island.velocities.begin(), island.velocities.end());
    }
    std::sort(slot.begin() + first_slot.back(), slot.end());
    std::sort(moved.begin(), moved.end());
    for (int v : moved) response.push_back({v, 0});
    first_piece_.push_back(count_of(piece_on_)), first_island_.push_back(count_of(island_));
    first_slot.push_back(count_of(slot)), first_response.push_back(count_of(response));
  }
}

/// Who shares an island with whom.
void SpaceMobilities::find_near(const std::vector<Island>& islands) {
  std::vector<int> list;
  for (int r = 0; r < rows(); ++r) {
    list.assign(1, r);
    for (int k = first_island_[u(r)]; k < first_island_[u(r + 1)]; ++k) {
      const std::vector<int>& others = islands[u(island_[u(k)])].rows;
      list.insert(list.end(), others.begin(), others.end());
    }
    make_unique(list);
    near.insert(near.end(), list.begin(), list.end());
    first_near.push_back(count_of(near));
  }
  for (int r = 0; r < rows(); ++r) {
    for (int k = first_near[u(r)]; k < first_near[u(r + 1)]; ++k) {
      const auto from = near.begin() + first_near[u(near[u(k)])], to = near.begin() + first_near[u(near[u(k)] + 1)];
      mirror.push_back(static_cast<int>(std::lower_bound(from, to, r) - near.begin()));
    }
  }
}

void SpaceMobilities::find_colours() {
  std::vector<std::vector<int>> by_colour;
  std::vector<int> colour(u(rows()), -1);
  std::vector<char> taken;
  for (int r = 0; r < rows(); ++r) {
    taken.assign(by_colour.size() + 1, 0);
    for (int k = first_near[u(r)]; k < first_near[u(r + 1)]; ++k) {
      if (const int c = colour[u(near[u(k)])]; c >= 0) taken[u(c)] = 1;
    }
    const auto own_colour = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), char{0}) - taken.begin());
    if (own_colour == by_colour.size()) by_colour.emplace_back();
    by_colour[own_colour].push_back(r);
    colour[u(r)] = static_cast<int>(own_colour);
  }
  first_of_colour_.assign(1, 0);
  for (const std::vector<int>& same : by_colour) {
    of_colour_.insert(of_colour_.end(), same.begin(), same.end());
    first_of_colour_.push_back(count_of(of_colour_));
  }
}

void SpaceMobilities::look(const System& system, const State& x, Workspace& w) {
  system.look(x, w);
  held_.refresh(system, w, nullptr, HeldSolver::Purpose::correction);
}

template <class F>
void SpaceMobilities::each_wanted(std::size_t colour, const F& use) const {
  for (int k = first_of_colour_[colour]; k < first_of_colour_[colour + 1]; ++k) {
    if (const int row = of_colour_[u(k)]; wanted_[u(row)] != 0) use(row);
  }
}

/// Rows of different islands at once.
void SpaceMobilities::renew(const System& system, const Workspace& w, const std::vector<int>& places) {
  std::fill(wanted_.begin(), wanted_.end(), char{0});
  for (int i : places) std::fill(wanted_.begin() + first_row[u(i)], wanted_.begin() + first_row[u(i + 1)], char{1});
  for (std::size_t colour = 0; colour + 1 < first_of_colour_.size(); ++colour) {
    if (!react(system, w, colour)) continue;
    each_wanted(colour, [&](int r) { note(system.layout(), w, r); });
    std::fill(y_.begin(), y_.end(), 0.0);
  }
  // a place that no force can move, as a slider at its dead centre: what is left of its mobility is round-off
  for (int r = 0; r < rows(); ++r) {
    if (wanted_[u(r)] != 0 && !(own[u(r)] > kImmobile * alone_[u(r)])) forget(r);
  }
}

/// Accelerations by forces at the wanted rows of a colour, and by the reactions to them. False: there are none.
bool SpaceMobilities::react(const System& system, const Workspace& w, std::size_t colour) {
  const Layout& layout = system.layout();
  double* y = y_.data();
  bool some = false, reactions = false;
  each_wanted(colour, [&](int r) {
    held_.respond(w, rest[u(r)].row, rest[u(r)].arm, y);
    alone_[u(r)] = slip(layout, r, w, y);
    some = true;
    reactions = reactions || first_slot[u(r)] < first_slot[u(r + 1)];
  });
  if (!reactions) return some;
  std::fill(b_.begin(), b_.end(), 0.0);
  each_wanted(colour, [&](int r) {
    for (int k = first_slot[u(r)]; k < first_slot[u(r + 1)]; ++k)
      b_[u(slot[u(k)])] = layout.rows.read(layout.held[u(slot[u(k)])].row, w.D.data(), y);
  });
  held_.solve(b_.data(), lambda_.data(), exactly_);
  held_.push(lambda_.data(), y);
  return some;
}

/// What belongs to a row of the colour at hand.
void SpaceMobilities::note(const Layout& layout, const Workspace& w, int row) {
  for (int k = first_slot[u(row)]; k < first_slot[u(row + 1)]; ++k) by_force[u(k)] = lambda_[u(slot[u(k)])];
  for (int k = first_response[u(row)]; k < first_response[u(row + 1)]; ++k) response[u(k)].value = y_[u(response[u(k)].v)];
  for (int k = first_island_[u(row)]; k < first_island_[u(row + 1)]; ++k) reached_[u(island_[u(k)])] = row;
  for (int k = first_near[u(row)]; k < first_near[u(row + 1)]; ++k) {
    const int other = near[u(k)];
    if (wanted_[u(other)] == 0) continue;  // nobody asks for its slip
    const RestRow& by = rest[u(other)];
    // of another island there may be what another row of this colour does
    double sum = 0;
    const int* on = &piece_on_[u(first_piece_[u(other)])];
    for (const RowPiece* q = layout.rows.begin(by.row); q != layout.rows.end(by.row); ++q, ++on) {
      if (*on < 0 || reached_[u(*on)] != row) continue;
      const double *D = w.D.data() + q->at, *a = y_.data() + q->v;
      for (int c = 0; c < q->count; ++c) sum += D[c] * a[c];
    }
    near_value[u(mirror[u(k)])] = by.arm * sum;
    if (other == row) own[u(row)] = by.arm * sum;
  }
}

void SpaceMobilities::forget(int row) {
  own[u(row)] = 0;
  for (int k = first_near[u(row)]; k < first_near[u(row + 1)]; ++k) near_value[u(k)] = near_value[u(mirror[u(k)])] = 0;
  for (int k = first_response[u(row)]; k < first_response[u(row + 1)]; ++k) response[u(k)].value = 0;
  for (int k = first_slot[u(row)]; k < first_slot[u(row + 1)]; ++k) by_force[u(k)] = 0;
}

}  // namespace bristle
