// Which dry places may move what, and each other; and how much, where that never changes.
#include "bristle/enforce/mobilities.h"

#include <algorithm>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/enforce/space_mobilities.h"
#include "bristle/enforce/ties.h"

namespace bristle {

namespace {
constexpr int kRepeats = 300;  // rows: more would take too long

/// On scalar coordinates alone.
class ConstantMobilities final : public Mobilities {
 public:
  explicit ConstantMobilities(const System& system) : Mobilities(system, false) {
    const Layout& layout = system.layout();
    const std::vector<double> D = system.make_workspace().D;
    for (const RestRow& row : rest) {
      layout.rows.each(row.row, D.data(), [&](int v, double c) { terms_.push_back({v, c}); });
      first_term_.push_back(static_cast<int>(terms_.size()));
    }
    for (int k = 0; k < layout.sizes.v; ++k) given_.push_back(layout.unknown(k) < 0);
    known_ = given_;
    if (rows() > 0) find_near(find_responses(system));
    find_clusters();
  }

  /// A coordinate that rests on known ones follows from them exactly, and is then known itself. To and fro over what is left, so that stacks
  /// of places are followed from either end.
  bool settle(const Layout&, std::vector<int>& at_rest, double* value) override {
    std::copy(given_.begin(), given_.end(), known_.begin());
    std::reverse(at_rest.begin(), at_rest.end());
    for (bool found = true; found && !at_rest.empty();) {
      found = false;
      std::reverse(at_rest.begin(), at_rest.end());
      std::size_t left = 0;
      for (int r : at_rest) {
        int only = -1, count = 0;
        double sum = 0, coefficient = 1;
        each(r, [&](int v, double c) {
          if (known_[u(v)]) sum += c * value[v];
          else if (c != 0) only = v, coefficient = c, ++count;
        });
        if (count > 1) at_rest[left++] = r;
        if (count != 1) continue;
        value[only] = -sum / coefficient + 0.0;
        known_[u(only)] = 1;
        found = true;
      }
      at_rest.resize(left);
    }
    return true;
  }

 private:
  using Values = std::vector<std::pair<int, double>>;  // row and value

  /// What each row moves; returns by which rows each velocity is moved.
  std::vector<Values> find_responses(const System& system) {
    const Layout& layout = system.layout();
    const int nv = layout.sizes.v;
    const State x = system.make_state();
    std::vector<double> f(u(nv)), a(u(nv));
    std::vector<Values> moved_by(u(nv));
    for (int r = 0; r < rows(); ++r) {
      std::fill(f.begin(), f.end(), 0.0);
      std::fill(a.begin(), a.end(), 0.0);
      each(r, [&](int v, double c) {
        if (given_[u(v)] == 0) f[u(v)] += rest[u(r)].arm * c;
      });
      system.masses().solve(x.q(), f.data(), a.data());
      for (int k = 0; k < nv; ++k) {
        if (a[u(k)] == 0) continue;
        response.push_back({k, a[u(k)]});
        moved_by[u(k)].push_back({r, a[u(k)]});
      }
      first_response.push_back(static_cast<int>(response.size()));
    }
    return moved_by;
  }

  /// W by rows, with the pattern of W + W'.
  void find_near(const std::vector<Values>& moved_by) {
    std::vector<Values> list(u(rows()));
    std::vector<double> sum(u(rows()));
    std::vector<char> met(u(rows()));
    for (int r = 0; r < rows(); ++r) {
      const auto meet = [&](int s) {
        if (!std::exchange(met[u(s)], char{1})) list[u(r)].push_back({s, 0});
      };
      meet(r);
      each(r, [&](int v, double c) {
        for (const auto& [s, value] : moved_by[u(v)]) meet(s), sum[u(s)] += rest[u(r)].arm * c * value;
      });
      for (auto& [s, value] : list[u(r)]) value = std::exchange(sum[u(s)], 0.0), met[u(s)] = 0;
    }
    for (Values& own_list : list) std::sort(own_list.begin(), own_list.end());
    for (int k = 0; k < rows(); ++k) {
      const std::size_t count = list[u(k)].size();
      for (std::size_t i = 0; i < count; ++i) {
        Values& back = list[u(list[u(k)][i].first)];
        const auto at = std::lower_bound(back.begin(), back.end(), k, [](const auto& e, int key) { return e.first < key; });
        if (at == back.end() || at->first != k) back.insert(at, {k, 0});
      }
    }
    for (int k = 0; k < rows(); ++k) {
      for (const auto& [s, value] : list[u(k)]) {
        near.push_back(s), near_value.push_back(value);
        if (s == k) own.push_back(value);
      }
      first_near.push_back(static_cast<int>(near.size()));
    }
  }

  struct Term {
    int v;
    double coefficient;
  };
  template <class F>
  void each(int row, const F& use) const {
    for (int k = first_term_[u(row)]; k < first_term_[u(row + 1)]; ++k) use(terms_[u(k)].v, terms_[u(k)].coefficient);
  }

  std::vector<int> first_term_{0};
  std::vector<Term> terms_;          // of the measures of the rows, without their arms
  std::vector<char> given_, known_;  // per velocity
};
}  // namespace

std::unique_ptr<Mobilities> Mobilities::make(const System& system, HeldSolver& held, const Enforcement& enforcement) {
  if (!system.layout().spatial()) return std::make_unique<ConstantMobilities>(system);
  held.prepare(system, enforcement);
  return std::make_unique<SpaceMobilities>(system, held, enforcement.iterations > 1);
}

Mobilities::Mobilities(const System& system, bool changes_) : changes(changes_), repeats_within(changes_ ? kRepeats : 0) {
  for (auto* list : {&first_response, &first_near, &first_slot}) list->assign(1, 0);
  first_row.assign(1, 0);
  int place = 0;
  for (const DryPlace& p : system.dry()) {
    rest.insert(rest.end(), p.rows.begin(), p.rows.end());
    place_of.insert(place_of.end(), p.rows.size(), place++);
    first_row.push_back(rows());
  }
}

double Mobilities::mobility(int row, int by) const {
  const int from = first_near[u(row)], to = first_near[u(row + 1)];
  if (to - from == rows()) return near_value[u(from + by)];
  const auto first = near.begin() + from, last = near.begin() + to;
  const auto at = std::lower_bound(first, last, by);
  return at != last && *at == by ? near_value[static_cast<std::size_t>(at - near.begin())] : 0;
}

void Mobilities::push(int row, double force, double* a) const {
  for (int k = first_response[u(row)]; k < first_response[u(row + 1)]; ++k) a[response[u(k)].v] -= response[u(k)].value * force;
}

void Mobilities::find_clusters() {
  Ties ties(first_row.size() - 1);
  for (int r = 0; r < rows(); ++r) {
    for (int k = first_near[u(r)]; k < first_near[u(r + 1)]; ++k) ties.tie(place_of[u(r)], place_of[u(near[u(k)])]);
  }
  std::vector<int> size(u(ties.number(cluster)), 0);
  for (int r = 0; r < rows(); ++r) largest = std::max(largest, ++size[u(cluster[u(place_of[u(r)])])]);
}

}  // namespace bristle
