#pragma once
#include <array>
#include <string>

#include "bristle/measure/disk_in_cylinder.h"

namespace bristle {

/// Pin of B in a bearing of A with play across and along its axis (z of both markers, at the middles of pin and bearing).
/// Four points: "A.radial", "B.radial" are the rims of the two ends of the pin in the bearing's bore (disk_in_cylinder); "A.axial",
/// "B.axial" are the same ends against the end walls of the bearing. A is the end at +z, B the one at -z. With s = +1 (A), -1 (B):
///   axial gap = L/2 - s (E.a_i) - r (sqrt(sin^2 + eps^2) - eps),   E: centre of the end from the bearing's, sin: of the tilt
///   point of the end = E + s r w/sqrt(sin^2 + eps^2),  w = a_i - (a_i.a_j) a_j
/// which is the rim point of the closed form of eqs. (4.19)-(4.23), moving to the centre of the face as the axes align, eqs. (4.17)-(4.18).
/// `smoothing` eps is not physical: it turns the jump of the point at alignment into a fast change over tilts of that size and opens the
/// axial gap by at most r eps. Smaller is closer to the jump.
/// Without axial points it is the journal bearing of two disks. Cannot: a pin that reaches out of its bearing (edges of the bore on the
/// pin); trouble() speaks when an end without a wall leaves.
/// Sources: spatial revolute joint with axial and radial clearance, eqs. (4.9)-(4.29); Bauchau and Ju, fig. 4.
struct JournalInBearing {
  double bearing_radius = 0, journal_radius = 0;  ///< [m] R, r
  double bearing_length = 0, journal_length = 0;  ///< [m]
  bool axial = true;                              ///< end walls
  double smoothing = 1e-6;                        ///< [rad] non-physical

  int points() const { return axial ? 4 : 2; }
  static std::string point_name(int point) {
    static constexpr std::array<const char*, 4> kNames{"A.radial", "B.radial", "A.axial", "B.axial"};
    return kNames[static_cast<std::size_t>(point)];
  }
  ContactPair pair(int point) const {
    if (point < 2) return {-bearing_radius, journal_radius, 0.5 * journal_length};
    return {0, journal_radius, 0};
  }

  DiskInCylinder end(int point) const {
    return {bearing_radius, journal_radius, (point % 2 == 0 ? 0.5 : -0.5) * journal_length, axial ? 0.0 : bearing_length, 0};
  }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* out) const {
    for (int i = 0; i < 2; ++i) end(i).touch(A, B, marks, out + i);
    if (!axial) return;
    for (int i = 0; i < 2; ++i) out[2 + i] = touch_wall(A, B, i == 0 ? 1.0 : -1.0);
  }

  const char* trouble(const Frame<>& A, const Frame<>& B, const double* marks) const {
    for (int i = 0; i < 2; ++i) {
      if (const char* what = end(i).trouble(A, B, marks)) return what;
    }
    return nullptr;
  }

  static constexpr double kAligned = 1e-9;  ///< sine of the tilt below which axes count as parallel, eq. (4.13)
  static bool aligned(const Frame<>& A, const Frame<>& B) { return norm(cross(A.R.column(2), B.R.column(2))) < kAligned; }

  /// Which of the thirteen contact scenarios (fig. 4.7) a set of active points is: 1 none ... 13 all four.
  static int scenario(bool a_radial, bool b_radial, bool a_axial, bool b_axial, bool is_aligned) {
    const int radial = a_radial + b_radial, ends = a_axial + b_axial;
    if (radial + ends == 0) return 1;
    if (is_aligned) return ends == 0 ? 2 : (radial == 0 ? 3 : 4);
    if (ends == 0) return radial == 1 ? 5 : 7;
    if (radial == 0) return ends == 1 ? 6 : 8;
    if (radial == 1 && ends == 1) return a_radial == a_axial ? 9 : 10;
    if (radial == 2 && ends == 1) return 11;
    if (radial == 1) return 12;
    return 13;
  }
  /// The same for a pose: points with a gap of no more than zero are active.
  int scenario(const Frame<>& A, const Frame<>& B) const {
    std::array<Touch<>, 4> t;
    t[2].gap = t[3].gap = 1;
    touch(A, B, nullptr, t.data());
    return scenario(t[0].gap <= 0, t[1].gap <= 0, t[2].gap <= 0, t[3].gap <= 0, aligned(A, B));
  }

 private:
  template <class T>
  Touch<T> touch_wall(const Frame<T>& A, const Frame<T>& B, double side) const {
    using std::sqrt;
    const Vec3<T> ai = A.R.column(2), aj = B.R.column(2);
    const Vec3<T> centre = B.p + times(0.5 * side * journal_length, aj), w = ai - dot(ai, aj) * aj;
    const T reach = sqrt(dot(w, w) + smoothing * smoothing);
    const T gap = 0.5 * bearing_length - side * dot(centre - A.p, ai) - journal_radius * (reach - smoothing);
    return touch_of_b(gap, times(-side, ai), centre + (side * journal_radius / reach) * w);
  }
};

}  // namespace bristle
