#pragma once
#include <numeric>
#include <vector>

#include "bristle/base/index.h"

namespace bristle {

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

}  // namespace bristle
