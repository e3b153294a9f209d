#pragma once
#include <array>
#include <string>

#include "bristle/measure/disk_in_cylinder.h"
#include "bristle/measure/rim_on_wall.h"

namespace bristle {

/// Pin of B in a bearing of A with play across and along its axis (z of both markers, at the middles of pin and bearing).
/// Four points: "A.radial", "B.radial" are the rims of the two ends of the pin in the bearing's bore (disk_in_cylinder);
/// "A.axial", "B.axial" are the same ends against the end walls of the bearing (touch_rim_on_wall). A is the end at +z, B the one
/// at -z. Without axial points it is the journal bearing of two disks.
/// Cannot: a pin that reaches out of its bearing (edges of
/// the bore on the pin); trouble() speaks when an end without a wall leaves.
/// Sources: Frictional Contacts in Multibody Dynamics (University of Minho, 2015), eqs. (4.9)-(4.29); Bauchau and Ju, Modeling
/// Friction Phenomena in Flexible Multibody Dynamics, fig. 4.
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
    for (int i = 0; i < 2; ++i)
      out[2 + i] = touch_rim_on_wall(A, B, i == 0 ? 1.0 : -1.0, bearing_length, journal_length, journal_radius, smoothing);
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
};

}  // namespace bristle
