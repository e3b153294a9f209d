#pragma once
#include <memory>
#include <optional>
#include <string>

#include "bristle/interface/contact_law.h"
#include "bristle/math/dual.h"
#include "bristle/measure/relation.h"

namespace bristle {

/// Where two surfaces are closest. The gap grows while B moves along the normal at the point: its rate is
/// normal . (velocity of B - velocity of A) of the material points there, whatever happens to the point itself.
template <class T = double>
struct Touch {
  T gap{};         ///< [m] < 0: depth of penetration
  Vec3<T> normal;  ///< unit, world: the force on B points along it
  Vec3<T> point;   ///< [m] world: where the force acts
};

/// Directions in which frames move, for derivatives: displacement of B from A (A stays), turn of A, turn of B, all in world axes.
inline constexpr int kTouchDirections = 9;

/// Two balls or circles around the origins of their markers, side by side or one in the other: the gap is a distance of two points,
///   gap = s |d| - a - b,  d from A to B;  normal = s d/|d|;  s = 1 side by side, -1 where one of the radii is negative: hollow
struct RoundPair {
  enum class Seen { whole, along_a, along_b };  ///< along: without the part of d along the z axis of that marker
  double a = 0, b = 0;                          ///< [m] radii
  Seen seen = Seen::whole;

  double side() const { return a < 0 || b < 0 ? -1 : 1; }
};

/// A pair of surfaces, one fixed to each of two markers, with a fixed number of points at which they may touch. Gaps are finite
/// numbers also where surfaces are far apart. Between two accepts a plain function of the frames and its marks.
class Geometry {
 public:
  virtual ~Geometry() = default;
  virtual int points() const = 0;
  virtual std::string point_name(int point) const = 0;  ///< "" for the only one
  virtual ContactPair pair(int point) const = 0;
  virtual std::optional<RoundPair> round() const = 0;  ///< the gap of its only point is a distance of two points
  virtual int marks() const = 0;                       ///< start values of inner solves
  virtual void start(const Frame<>& A, const Frame<>& B, double* marks) const = 0;
  virtual void touch(const Frame<>& A, const Frame<>& B, const double* marks, Touch<>* out) const = 0;
  virtual void touch(const Frame<Dual<1>>& A, const Frame<Dual<1>>& B, const double* marks, Touch<Dual<1>>* out) const = 0;
  virtual void touch(const Frame<Dual<kTouchDirections>>& A, const Frame<Dual<kTouchDirections>>& B, const double* marks,
                     Touch<Dual<kTouchDirections>>* out) const = 0;
  virtual void accept(const Frame<>& A, const Frame<>& B, double* marks) const = 0;  ///< renews the start values
  /// Is this pose one the geometry can answer for? A sentence about what is wrong, or null.
  virtual const char* trouble(const Frame<>& A, const Frame<>& B, const double* marks) const = 0;
};

/// Makes a Geometry of a plain struct G with
///   kPoints (or points()), touch<T>(A, B, marks, out)
/// and, where they apply, point_name(i), pair(i), round(), kMarks, start(A, B, marks), accept(A, B, marks), trouble(A, B, marks).
template <class G>
class GeometryOf final : public Geometry {
 public:
  explicit GeometryOf(G g) : g_(std::move(g)) {}
  int points() const override {
    if constexpr (requires { g_.points(); }) return g_.points();
    else return G::kPoints;
  }
  std::string point_name(int point) const override {
    if constexpr (requires { g_.point_name(point); }) return g_.point_name(point);
    else return points() == 1 ? "" : std::to_string(point + 1);
  }
  ContactPair pair(int point) const override {
    if constexpr (requires { g_.pair(point); }) return g_.pair(point);
    else return {};
  }
  std::optional<RoundPair> round() const override {
    if constexpr (requires { g_.round(); }) return g_.round();
    else return {};
  }
  int marks() const override {
    if constexpr (requires { g_.marks(); }) return g_.marks();
    else if constexpr (requires { G::kMarks; }) return G::kMarks;
    else return 0;
  }
  void start(const Frame<>& A, const Frame<>& B, double* marks) const override {
    if constexpr (requires { g_.start(A, B, marks); }) g_.start(A, B, marks);
    else (void)A, (void)B, (void)marks;
  }
  void touch(const Frame<>& A, const Frame<>& B, const double* marks, Touch<>* out) const override { g_.touch(A, B, marks, out); }
  void touch(const Frame<Dual<1>>& A, const Frame<Dual<1>>& B, const double* marks, Touch<Dual<1>>* out) const override {
    g_.touch(A, B, marks, out);
  }
  void touch(const Frame<Dual<kTouchDirections>>& A, const Frame<Dual<kTouchDirections>>& B, const double* marks,
             Touch<Dual<kTouchDirections>>* out) const override {
    g_.touch(A, B, marks, out);
  }
  void accept(const Frame<>& A, const Frame<>& B, double* marks) const override {
    if constexpr (requires { g_.accept(A, B, marks); }) g_.accept(A, B, marks);
    else (void)A, (void)B, (void)marks;
  }
  const char* trouble(const Frame<>& A, const Frame<>& B, const double* marks) const override {
    if constexpr (requires { g_.trouble(A, B, marks); }) return g_.trouble(A, B, marks);
    else return (void)A, (void)B, (void)marks, nullptr;
  }

 private:
  G g_;
};

template <class G>
std::unique_ptr<Geometry> make_geometry(G g) {
  return std::make_unique<GeometryOf<G>>(std::move(g));
}

}  // namespace bristle
