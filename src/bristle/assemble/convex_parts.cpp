#include "bristle/assemble/convex_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "bristle/assemble/surfaces.h"

namespace bristle {

namespace {

/// All x with n.x <= d.
struct HalfSpace {
  Vec3<> n;
  double d = 0;
  double over(const Vec3<>& x) const { return dot(n, x) - d; }
};
using Loop = std::vector<Vec3<>>;  // corners of a convex polygon, in order
struct Facet {
  HalfSpace plane;
  Loop loop;
};
/// Two faces of the mesh meet in it with the solid on more than half of the way round.
struct InwardEdge {
  std::array<Vec3<>, 2> end;
  std::array<HalfSpace, 2> faces;
};
/// A convex piece of space with what of the mesh is inside of it.
struct Cell {
  std::vector<Facet> facets, triangles;
  std::vector<InwardEdge> edges;
};

HalfSpace flipped(const HalfSpace& h) { return {Vec3<>{} - h.n, -h.d}; }

/// What of a convex polygon is in a half-space.
Loop clipped(const Loop& loop, const HalfSpace& by, double small) {
  Loop kept;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3<>&p = loop[i], &q = loop[(i + 1) % loop.size()];
    const double a = by.over(p), b = by.over(q);
    if (a <= small) kept.push_back(p);
    if ((a > small && b < -small) || (a < -small && b > small)) kept.push_back(p + (a / (a - b)) * (q - p));
  }
  return kept;
}

/// Cuts convex cells until what of the mesh is in each of them is convex.
class ConvexCuts {
 public:
  ConvexCuts(const Mesh& mesh, std::size_t most) : mesh_(mesh), most_(most) {
    for (const Vec3<>& p : mesh.points) {
      for (int k = 0; k < 3; ++k) low_[k] = std::min(low_[k], p[k]), high_[k] = std::max(high_[k], p[k]);
    }
    size_ = norm(high_ - low_);
    small_ = 1e-9 * size_;
  }

  std::vector<Solid> solve() {
    std::vector<Cell> left{whole()};
    for (std::size_t rounds = 0; !left.empty() && rounds < 50 * most_ && parts_.size() <= most_; ++rounds) {
      const Cell cell = std::move(left.back());
      left.pop_back();
      HalfSpace cut;
      if (!find_cut(cell, cut)) {
        keep(cell);
        continue;
      }
      for (const HalfSpace& side : {cut, flipped(cut)}) {
        Cell half = part_of(cell, side);
        if (half.facets.size() >= 4) left.push_back(std::move(half));
      }
    }
    const double volume = solid_mesh(mesh_).mass;
    if (!left.empty() || parts_.size() > most_ || !(std::abs(filled_ - volume) < 1e-6 * volume)) return {};
    return std::move(parts_);
  }

 private:
  Vec3<> corner(std::size_t triangle, std::size_t k) const {
    return mesh_.points[static_cast<std::size_t>(mesh_.triangles[3 * triangle + k % 3])];
  }
  /// Around everything, and all of the mesh.
  Cell whole() const {
    Cell cell;
    for (int k = 0; k < 3; ++k) {
      for (const double side : {1.0, -1.0}) {
        Facet f;
        f.plane.n[k] = side, f.plane.d = 0.1 * size_ + (side > 0 ? high_[k] : -low_[k]);
        for (const auto& [u, v] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
          Vec3<> p;
          p[k] = side * f.plane.d;
          const int i = (k + 1) % 3, j = (k + 2) % 3;
          p[i] = u == 0 ? low_[i] - 0.1 * size_ : high_[i] + 0.1 * size_;
          p[j] = v == 0 ? low_[j] - 0.1 * size_ : high_[j] + 0.1 * size_;
          f.loop.push_back(p);
        }
        cell.facets.push_back(std::move(f));
      }
    }
    std::map<std::pair<int, int>, std::pair<std::size_t, std::size_t>>
        beside;  // of an edge: its triangle, and the corner opposite
    for (std::size_t t = 0; 3 * t < mesh_.triangles.size(); ++t) {
      const Vec3<> across = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
      if (!(norm(across) > small_ * size_)) continue;  // without an area
      Facet f;
      f.plane.n = direction(across), f.plane.d = dot(f.plane.n, corner(t, 0));
      f.loop = {corner(t, 0), corner(t, 1), corner(t, 2)};
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = mesh_.triangles[3 * t + k], b = mesh_.triangles[3 * t + (k + 1) % 3];
        const auto twin = beside.find({b, a});
        if (twin == beside.end()) {
          beside[{a, b}] = {cell.triangles.size(), 3 * t + (k + 2) % 3};
          continue;
        }
        const HalfSpace& other = cell.triangles[twin->second.first].plane;
        const Vec3<> opposite = mesh_.points[static_cast<std::size_t>(mesh_.triangles[twin->second.second])];
        if (f.plane.over(opposite) > small_) cell.edges.push_back({{corner(t, k), corner(t, k + 1)}, {f.plane, other}});
        beside.erase(twin);
      }
      cell.triangles.push_back(std::move(f));
    }
    return cell;
  }

  /// A plane through an inward edge; without one, a face that has another one of the mesh on its outer side. False where neither is there.
  bool find_cut(const Cell& cell, HalfSpace& cut) const {
    double best = 1e300;
    for (const InwardEdge& e : cell.edges) {
      for (const HalfSpace& plane : e.faces) {
        // few triangles in two, many inward edges at once
        double score = 0;
        for (const Facet& t : cell.triangles) {
          const auto [least, most] = range(t.loop, plane);
          if (least < -small_ && most > small_) score += 1;
        }
        for (const InwardEdge& other : cell.edges) {
          if (std::abs(plane.over(other.end[0])) < small_ && std::abs(plane.over(other.end[1])) < small_) score -= 2;
        }
        if (score < best) best = score, cut = plane;
      }
    }
    if (best < 1e300) return true;
    for (const Facet& t : cell.triangles) {
      for (const Facet& other : cell.triangles) {
        if (range(other.loop, t.plane).second > 10 * small_) {
          cut = t.plane;
          return true;
        }
      }
    }
    return false;
  }
  static std::pair<double, double> range(const Loop& loop, const HalfSpace& plane) {
    std::pair<double, double> r{1e300, -1e300};
    for (const Vec3<>& p : loop) r.first = std::min(r.first, plane.over(p)), r.second = std::max(r.second, plane.over(p));
    return r;
  }

  /// What of a cell is in a half-space; what lies in its plane is at the border and no longer inside.
  Cell part_of(const Cell& cell, const HalfSpace& by) const {
    Cell part;
    part.facets = cut_off(cell.facets, by);
    for (const Facet& t : cell.triangles) {
      if (!(range(t.loop, by).first < -small_)) continue;
      Loop loop = clipped(t.loop, by, small_);
      if (loop.size() > 2) part.triangles.push_back({t.plane, std::move(loop)});
    }
    for (InwardEdge e : cell.edges) {
      double a = by.over(e.end[0]), b = by.over(e.end[1]);
      if (a > b) std::swap(a, b), std::swap(e.end[0], e.end[1]);
      if (!(a < -small_)) continue;
      if (b > small_) e.end[1] = e.end[0] + (a / (a - b)) * (e.end[1] - e.end[0]);
      part.edges.push_back(e);
    }
    return part;
  }
  /// The facets of what is left of a convex body, with the one that closes it.
  std::vector<Facet> cut_off(const std::vector<Facet>& facets, const HalfSpace& by) const {
    std::vector<Facet> left;
    Loop rim;
    for (const Facet& f : facets) {
      const auto [least, most] = range(f.loop, by);
      if (!(least < -small_)) continue;  // outside, or in the plane itself
      Facet kept{f.plane, clipped(f.loop, by, small_)};
      for (const Vec3<>& p : kept.loop) {
        if (std::abs(by.over(p)) > 2 * small_) continue;
        const bool known = std::any_of(rim.begin(), rim.end(), [&](const Vec3<>& q) { return norm(p - q) < 10 * small_; });
        if (!known) rim.push_back(p);
      }
      if (kept.loop.size() > 2) left.push_back(std::move(kept));
    }
    if (rim.size() < 3) return left;
    Vec3<> middle;
    for (const Vec3<>& p : rim) middle = middle + (1.0 / static_cast<double>(rim.size())) * p;
    const Vec3<> x = direction(rim[0] - middle), y = cross(by.n, x);
    std::sort(rim.begin(), rim.end(), [&](const Vec3<>& p, const Vec3<>& q) {
      return std::atan2(dot(y, p - middle), dot(x, p - middle)) < std::atan2(dot(y, q - middle), dot(x, q - middle));
    });
    left.push_back({by, std::move(rim)});
    return left;
  }

  /// What of the mesh is in a cell without inward edges.
  void keep(const Cell& cell) {
    std::vector<Facet> facets = cell.facets;
    for (const Facet& t : cell.triangles) facets = cut_off(facets, t.plane);
    if (facets.size() < 4) return;
    // corners by their places, faces as fans
    std::vector<Vec3<>> corners;
    std::vector<std::array<int, 3>> faces;
    for (const Facet& f : facets) {
      std::vector<int> at;
      for (const Vec3<>& p : f.loop) {
        std::size_t i = 0;
        while (i < corners.size() && norm(corners[i] - p) > 20 * small_) ++i;
        if (i == corners.size()) corners.push_back(p);
        if (at.empty() || (at.back() != static_cast<int>(i) && at.front() != static_cast<int>(i)))
          at.push_back(static_cast<int>(i));
      }
      for (std::size_t k = 2; k < at.size(); ++k) faces.push_back({at[0], at[k - 1], at[k]});
      for (std::size_t k = faces.size() - (at.size() < 3 ? 0 : at.size() - 2); k < faces.size(); ++k)
        turn_out(corners, f.plane.n, faces[k]);
    }
    Vec3<> middle;
    for (const Vec3<>& p : corners) middle = middle + (1.0 / static_cast<double>(corners.size())) * p;
    double volume = 0;
    for (const auto& f : faces)
      volume += dot(at(corners, f[0]) - middle, cross(at(corners, f[1]) - middle, at(corners, f[2]) - middle)) / 6;
    if (!(volume > 1e-12 * size_ * size_ * size_) || !(winding(middle) > 0.5)) return;
    filled_ += volume;
    parts_.push_back(Solid::mesh(std::move(corners), std::move(faces)));
  }
  static const Vec3<>& at(const std::vector<Vec3<>>& corners, int i) { return corners[static_cast<std::size_t>(i)]; }
  static void turn_out(const std::vector<Vec3<>>& corners, const Vec3<>& n, std::array<int, 3>& f) {
    const Vec3<> across = cross(at(corners, f[1]) - at(corners, f[0]), at(corners, f[2]) - at(corners, f[0]));
    if (dot(across, n) < 0) std::swap(f[1], f[2]);
  }
  /// How often the mesh goes around a point: its solid angles (Van Oosterom and Strackee, 1983).
  double winding(const Vec3<>& p) const {
    double sum = 0;
    for (std::size_t t = 0; 3 * t < mesh_.triangles.size(); ++t) {
      const Vec3<> a = corner(t, 0) - p, b = corner(t, 1) - p, c = corner(t, 2) - p;
      const double ra = norm(a), rb = norm(b), rc = norm(c);
      sum += 2 * std::atan2(dot(a, cross(b, c)), ra * rb * rc + dot(a, b) * rc + dot(b, c) * ra + dot(c, a) * rb);
    }
    return sum / (4 * std::numbers::pi);
  }

  const Mesh& mesh_;
  std::size_t most_;
  Vec3<> low_{{1e300, 1e300, 1e300}}, high_{{-1e300, -1e300, -1e300}};
  double size_ = 0, small_ = 0, filled_ = 0;
  std::vector<Solid> parts_;
};

/// Triangles that hang together by their corners, each as a mesh.
std::vector<Mesh> shells_of(const Mesh& mesh) {
  std::vector<int> root(mesh.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[static_cast<std::size_t>(i)] != i)
      i = root[static_cast<std::size_t>(i)] = root[static_cast<std::size_t>(root[static_cast<std::size_t>(i)])];
    return i;
  };
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    for (std::size_t i = 1; i < 3; ++i) root[static_cast<std::size_t>(find(mesh.triangles[k + i]))] = find(mesh.triangles[k]);
  }
  std::map<int, Mesh> by_root;
  std::vector<int> place(mesh.points.size(), -1);
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const auto i = static_cast<std::size_t>(mesh.triangles[k]);
    Mesh& shell = by_root[find(mesh.triangles[k])];
    if (place[i] < 0) place[i] = static_cast<int>(shell.points.size()), shell.points.push_back(mesh.points[i]);
    shell.triangles.push_back(place[i]);
  }
  std::vector<Mesh> shells;
  for (auto& [unused, shell] : by_root) shells.push_back(std::move(shell));
  return shells;
}

}  // namespace

std::vector<Solid> convex_parts(const Mesh& mesh, std::size_t most) {
  if (auto one = convex_mesh(mesh)) return {std::move(*one)};
  std::vector<Solid> parts;
  const std::vector<Mesh> shells = shells_of(mesh);
  for (const Mesh& shell : shells) {
    Mesh outwards = shell;
    auto part = close_mesh(outwards).empty() && outwards.triangles == shell.triangles ? convex_mesh(shell) : std::nullopt;
    if (!part) break;
    parts.push_back(std::move(*part));
  }
  if (parts.size() == shells.size() && parts.size() <= most) return parts;
  return ConvexCuts(mesh, most).solve();
}

}  // namespace bristle
