// Which dry places may move what, and each other: found once, when a run is prepared.
#include "bristle/enforce/sharing.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "bristle/base/index.h"

namespace bristle {

namespace {
/// Numbers that are tied together, over any number of others.
class Ties {
 public:
  explicit Ties(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[u(i)] != i) i = parent_[u(i)] = parent_[u(parent_[u(i)])];
    return i;
  }
  void tie(int a, int b) { parent_[u(root(b))] = root(a); }
  /// Every number's set, from 0 on in the order of their first members; returns how many there are.
  int number(std::vector<int>& set_of) {
    int sets = 0;
    std::vector<int> set(parent_.size(), -1);
    set_of.clear();
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      int& own = set[u(root(static_cast<int>(i)))];
      if (own < 0) own = sets++;
      set_of.push_back(own);
    }
    return sets;
  }

 private:
  std::vector<int> parent_;
};

void make_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}
}  // namespace

void Multipliers::Sharing::prepare_islands(const System& system, int lambdas) {
  const Layout& layout = system.layout();
  std::vector<int> block_of(u(layout.sizes.v), -1);
  const std::vector<MassBlock>& blocks = system.mass_blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    std::fill_n(block_of.begin() + blocks[b].v, blocks[b].count, static_cast<int>(b));
  const auto on = [&](const RowPiece& p) { return layout.unknown(p.v) >= 0 ? block_of[u(p.v)] : -1; };
  const auto first_block = [&](int row) {
    for (const RowPiece* p = layout.rows.begin(row); p != layout.rows.end(row); ++p) {
      if (on(*p) >= 0) return on(*p);
    }
    return -1;
  };

  Ties ties(blocks.size());
  const auto tie = [&](int to, int row) {
    for (const RowPiece* p = layout.rows.begin(row); p != layout.rows.end(row); ++p) {
      if (to >= 0 && on(*p) >= 0) ties.tie(to, on(*p));
    }
  };
  for (int k = 0; k < lambdas; ++k) tie(first_block(layout.held[u(k)].row), layout.held[u(k)].row);
  for (const LoadSlope& s : system.load_slopes()) {
    if (s.slot < lambdas) tie(first_block(layout.held[u(s.slot)].row), s.row);
  }
  std::vector<int> island_of;
  const int islands = ties.number(island_of);
  std::vector<std::vector<int>> velocities(u(islands)), slots(u(islands)), rows_of(u(islands));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (int i = 0; i < blocks[b].count; ++i) velocities[u(island_of[b])].push_back(blocks[b].v + i);
  }
  for (int k = 0; k < lambdas; ++k) {
    if (const int b = first_block(layout.held[u(k)].row); b >= 0) slots[u(island_of[u(b)])].push_back(k);
  }

  // rows by what they meet
  for (auto* list : {&first_island, &first_piece, &first_slot, &first_response, &first_near}) list->assign(1, 0);
  for (auto* list : {&island, &piece_on, &slot, &near, &mirror}) list->clear();
  response.clear();
  const auto close = [](std::vector<int>& first, const auto& list) { first.push_back(static_cast<int>(list.size())); };
  std::vector<int> own_islands, list;
  int row = 0;
  for (const DryPlace& p : system.dry()) {
    for (int d = 0; d < p.components; ++d, ++row) {
      own_islands.clear();
      for (const RowPiece* q = layout.rows.begin(p.row[u(d)]); q != layout.rows.end(p.row[u(d)]); ++q) {
        const int at = on(*q) < 0 ? -1 : island_of[u(on(*q))];
        piece_on.push_back(at);
        if (at >= 0) own_islands.push_back(at);
      }
      make_unique(own_islands);
      island.insert(island.end(), own_islands.begin(), own_islands.end());
      for (int i : own_islands) rows_of[u(i)].push_back(row), slot.insert(slot.end(), slots[u(i)].begin(), slots[u(i)].end());
      std::sort(slot.begin() + first_slot.back(), slot.end());
      list.clear();
      for (int i : own_islands) list.insert(list.end(), velocities[u(i)].begin(), velocities[u(i)].end());
      std::sort(list.begin(), list.end());
      for (int v : list) response.push_back({v, 0});
      close(first_piece, piece_on), close(first_island, island), close(first_slot, slot), close(first_response, response);
    }
  }
  // who shares an island with whom
  const int rows = row;
  std::vector<int> colour(u(rows), -1);
  std::vector<char> taken;
  int colours = 0;
  for (int r = 0; r < rows; ++r) {
    list.assign(1, r);
    for (int k = first_island[u(r)]; k < first_island[u(r + 1)]; ++k)
      list.insert(list.end(), rows_of[u(island[u(k)])].begin(), rows_of[u(island[u(k)])].end());
    make_unique(list);
    near.insert(near.end(), list.begin(), list.end());
    close(first_near, near);
    taken.assign(u(colours + 1), 0);
    for (int other : list) {
      if (colour[u(other)] >= 0) taken[u(colour[u(other)])] = 1;
    }
    colour[u(r)] = static_cast<int>(std::find(taken.begin(), taken.end(), char{0}) - taken.begin());
    colours = std::max(colours, colour[u(r)] + 1);
  }
  for (int r = 0; r < rows; ++r) {
    for (int k = first_near[u(r)]; k < first_near[u(r + 1)]; ++k) {
      const auto from = near.begin() + first_near[u(near[u(k)])], to = near.begin() + first_near[u(near[u(k)] + 1)];
      mirror.push_back(static_cast<int>(std::lower_bound(from, to, r) - near.begin()));
    }
  }
  first_of_colour.assign(1, 0);
  of_colour.clear();
  std::vector<std::vector<int>> by_colour(u(colours));
  for (int r = 0; r < rows; ++r) by_colour[u(colour[u(r)])].push_back(r);
  for (const std::vector<int>& same : by_colour) {
    of_colour.insert(of_colour.end(), same.begin(), same.end());
    close(first_of_colour, of_colour);
  }
  near_value.assign(near.size(), 0);
  by_force.assign(slot.size(), 0);
  own.assign(u(rows), 0);
  reached.assign(u(islands), -1);
  y.assign(u(layout.sizes.v + layout.spare), 0);
  lambda.assign(u(lambdas), 0);
  wanted.assign(u(rows), 0);
}

int Multipliers::Sharing::prepare_clusters(std::size_t count) {
  Ties ties(count);
  const auto rows = static_cast<int>(place_of.size());
  for (int r = 0; r < rows; ++r) {
    for (int k = first_near[u(r)]; k < first_near[u(r + 1)]; ++k) ties.tie(place_of[u(r)], place_of[u(near[u(k)])]);
  }
  std::vector<int> size(u(ties.number(cluster)), 0);
  for (int r = 0; r < rows; ++r) ++size[u(cluster[u(place_of[u(r)])])];
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

}  // namespace bristle
