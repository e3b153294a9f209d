#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "bristle/math/pose.h"
#include "bristle/measure/rim_on_line.h"

namespace bristle {

/** The centre line of a beam: a cubic between neighbouring nodes, whose tangents there are the axes of the sections,
  c = w0 x_1 + w1 t_1 + w2 x_2 + w3 t_2,   c, c' continuous over the nodes.
It is linear in what the nodes carry (places and vectors fixed on them), and its weights are those by which the exact element of a straight beam hands a force
between its nodes on to them. Beyond its ends it goes on straight. */
class BentLine {
 public:
  struct Node {
    int body = 0;   ///< pose
    Vec3<> s;       ///< [m] from the centre of mass to the line, in node axes
    Vec3<> t;       ///< along the line, of length one, in node axes
    double at = 0;  ///< [m] along the undeformed line
  };
  BentLine() = default;
  explicit BentLine(std::vector<Node> nodes) : nodes_(std::move(nodes)) {
    for (std::size_t k = 1; k < nodes_.size(); ++k) longest_ = std::max(longest_, nodes_[k].at - nodes_[k - 1].at);
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  int elements() const { return static_cast<int>(nodes_.size()) - 1; }
  double length() const { return nodes_.back().at; }
  double longest() const { return longest_; }

  /// Where a place along the line is: between which nodes, and how far each counts.
  struct Weights {
    int element = 0;
    double w[4] = {1, 0, 0, 0}, d1[4] = {}, d2[4] = {};  ///< and their derivatives along the line
    double share = 0, share_d1 = 0;                      ///< of the second node in how the section turns
  };
  Weights weights(double along) const {
    Weights out;
    const auto next =
        std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, along, [](double x, const Node& n) { return x < n.at; });
    out.element = static_cast<int>(next - nodes_.begin()) - 1;
    const double start = (next - 1)->at, L = next->at - start, x = (along - start) / L;
    if (x < 0 || x > 1) {
      const int end = x < 0 ? 0 : 2;
      out.w[0] = 0;
      out.w[end] = 1, out.w[end + 1] = (x < 0 ? x : x - 1) * L, out.d1[end + 1] = 1;
      out.share = x < 0 ? 0 : 1;
      return out;
    }
    out.w[0] = 1 + x * x * (2 * x - 3), out.w[1] = L * x * (1 - x) * (1 - x), out.w[2] = x * x * (3 - 2 * x);
    out.w[3] = L * x * x * (x - 1);
    out.d1[0] = 6 * x * (x - 1) / L, out.d1[1] = 1 + x * (3 * x - 4), out.d1[2] = -out.d1[0], out.d1[3] = x * (3 * x - 2);
    out.d2[0] = (12 * x - 6) / (L * L), out.d2[1] = (6 * x - 4) / L, out.d2[2] = -out.d2[0], out.d2[3] = (6 * x - 2) / L;
    out.share = x, out.share_d1 = 1 / L;
    return out;
  }

  /// The line between two nodes, whose bodies stand in these frames.
  template <class T>
  LinePoint<T> at(const Weights& w, const Frame<T>& first, const Frame<T>& second) const {
    const Node &a = nodes_[static_cast<std::size_t>(w.element)], &b = nodes_[static_cast<std::size_t>(w.element) + 1];
    const Vec3<T> x[4] = {place_of(first, a.s), to_world(first, a.t), place_of(second, b.s), to_world(second, b.t)};
    const auto sum = [&](const double* by) {
      Vec3<T> y = times(by[0], x[0]);
      for (int k = 1; k < 4; ++k) y = y + times(by[k], x[k]);
      return y;
    };
    return {sum(w.w), sum(w.d1), sum(w.d2)};
  }

 private:
  std::vector<Node> nodes_;
  double longest_ = 0;
};

/// The same where its nodes are now. `open`: a rim slides off its ends; else it goes on beyond them.
struct PlacedLine {
  const BentLine& line;
  const Pose* pose;
  bool open = true;

  double first() const { return open ? 0 : -std::numeric_limits<double>::infinity(); }
  double last() const { return open ? line.length() : std::numeric_limits<double>::infinity(); }
  double longest() const { return line.longest(); }
  Frame<> frame(int node) const {
    const Pose& p = pose[line.nodes()[static_cast<std::size_t>(node)].body];
    return {p.R, p.p};
  }
  LinePoint<> at(double along) const {
    const BentLine::Weights w = line.weights(along);
    return line.at(w, frame(w.element), frame(w.element + 1));
  }
  /// The node next to a point.
  double nearest(const Vec3<>& point) const {
    double best = 0, away = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= line.elements(); ++k) {
      const BentLine::Node& node = line.nodes()[static_cast<std::size_t>(k)];
      const double far = norm(place_of(frame(k), node.s) - point);
      if (far < away) best = node.at, away = far;
    }
    return best;
  }
};

}  // namespace bristle
