#pragma once
#include <array>

#include "bristle/math/pose.h"

namespace bristle {

/// Symmetric 6 x 6 matrix of a section, row-major: of strains (stretch, two shears, twist, two curvatures), or of velocities.
using Mat6 = std::array<double, 36>;
/// Strains or stresses of a section in its axes: axis 0 along the beam.
using Vec6 = std::array<double, 6>;

/// phi(c) = angle / sin(angle) and chi(c) = (1 - phi) / (1 - c^2) of the cosine c between two sections, at both ends of a step, with
/// what their finite differences need. With equal ends the quotients are derivatives.
struct HelixFunctions {
  double phi[2], chi[2];        ///< at the start and at the end
  double phi_step, chi_step;    ///< difference quotients over the step
  double phi_slope, chi_slope;  ///< derivatives at the end
  double phi_bend, chi_bend;    ///< derivatives of the quotients by the end
};
HelixFunctions calc_helix_functions(double c_start, double c_end);

/** A geometrically exact beam of two nodes with one strain point. Its axis is a helix between the sections at its ends: the strains are
those of the screw motion from one to the other, divided by the length. With the triads D_1, D_2 of the sections and d from end to end

    g = (D_1 + D_2)' d / 2,   k = axial(D_1' D_2),   c = (trace(D_1' D_2) - 1) / 2
    stretch and shear (phi g + chi k (k.g)) / L - at rest,   twist and curvature phi k / L - at rest

g, k, c are bilinear in what the nodes carry. So their increments over a finite step are exact products of means and increments, and a
force with the work of the strain energy over any step follows: f = L B' N, with B from the means of both ends. With equal ends B is the
derivative of the strains. Nodes are rigid frames: an end may stand off the centre of mass of its node. */
struct BeamElement {
  struct End {
    int body = 0;                   ///< index of the pose of its node
    int v = 0;                      ///< first velocity of its node
    Vec3<> s;                       ///< [m] from the centre of mass, in node axes
    Mat3<> E = Mat3<>::identity();  ///< section axes in node axes
  };
  End end[2];
  double length = 1;   ///< [m]
  Mat6 C{};            ///< stiffness
  Vec6 at_rest{};      ///< strain measures of the undeformed shape
  double damping = 0;  ///< [s] stress of strain rates: damping times C
};

/// An element at one configuration.
struct BeamForm {
  Mat3<> D[2];     ///< section axes
  Vec3<> S[2];     ///< from the centres of mass to the ends
  Vec3<> d, g, k;  ///< from end to end; invariants
  double c = 1;
};
BeamForm calc_beam_form(const BeamElement& element, const Pose& first, const Pose& second);
Vec6 calc_beam_strain(const BeamElement& element, const BeamForm& form);

/// 6 x 12: strains from increments of the nodes (first node: displacement of the centre of mass in world axes, rotation in body axes;
/// second node).
using BeamRows = std::array<double, 72>;
/// 12 x 12, row-major.
using BeamBlock = std::array<double, 144>;

/// An element over a step, or at one configuration (start and end the same form).
class BeamStep {
 public:
  /// `end` and `start` must outlive the step.
  BeamStep(const BeamElement& element, const BeamForm& start, const BeamForm& end);

  Vec6 strain(int at) const;  ///< 0: at the start, 1: at the end
  /// Strain increment of increments of the nodes in world axes: displacement of the centre of mass, Cayley vector.
  Vec6 increment(const Vec3<>& x1, const Vec3<>& r1, const Vec3<>& x2, const Vec3<>& r2) const;
  /// Generalised forces that resist, of the stress N: work = f . increments. R: mean rotation matrices of the nodes.
  void resist(const Vec6& N, const Mat3<>& R1, const Mat3<>& R2, double* f) const;
  /// The operator B as a matrix; rotations enter through turn_I: node rotation in world axes from what the caller counts in.
  void rows(const Mat3<>& turn1, const Mat3<>& turn2, BeamRows& B) const;
  /// Derivatives of `resist` by the nodes at the end of the step, where the stress N changes by `by_strain` C times the strain at the
  /// end. R: mean, R_end: at the end; turn: rotation of the end in world axes from what the caller counts in. The result is multiplied
  /// by `factor`: at one configuration both ends move, which counts twice. `end`: the rows of the end alone, if wanted.
  void tangent(const Vec6& N, double by_strain, const Mat3<> R[2], const Mat3<> R_end[2], const Mat3<> turn[2], double factor,
               BeamBlock& K, BeamRows* end = nullptr) const;
  /// At one configuration: derivatives of the strain rate by the nodes, which turn with w (world axes), ends parting with d_rate.
  void rate_slope(const Vec3<>& v1, const Vec3<>& w1, const Vec3<>& v2, const Vec3<>& w2, const Mat3<>& R1, const Mat3<>& R2,
                  BeamRows& slope) const;

 private:
  struct Local {
    double Gg[9], Gk[9], Gc[3], kk, kc[3];
  };
  static Local local(double phi, double chi, double phi_step, double chi_step, double chi_s, double s, const Vec3<>& g,
                     const Vec3<>& k);
  struct Load {
    Vec3<> g, k;
    double c = 0;
  };
  Load load_of(const Vec6& N) const;
  void stress_slope(const Local& Jf, double by_strain, double H[7][7]) const;
  void add_operator_slope(const Vec6& N, double H[7][7]) const;
  void add_turns(const Load&, Vec3<> a[2], Mat3<> T[3][3]) const;
  void turn_to_nodes(const Load&, const Vec3<> a[2], const Mat3<> R[2], const Mat3<> R_end[2], const Mat3<> turn[2],
                     Mat3<> T[3][3]) const;
  void bend(const Vec3<>& g1, const Vec3<>& k1, double c1, double Q[6][7]) const;
  void rate_moves(const Vec3<> w[2], const Vec3<> arm_rate[2], const Vec3<>& d_rate, double Y[7][9], double V[7][9]) const;

  const BeamElement& element_;
  const BeamForm &start_, &end_;
  HelixFunctions h_;
  Mat3<> D_[2];
  Vec3<> S_[2], d_, g_, k_;
  double s_ = 0, chi_s_ = 0, phi_ = 1, chi_ = 0;
  Vec3<> K_[4];  // increments of k and c by the rotation of the first section against the second
  Local J_;
};

/// Product of a section matrix and strains.
inline Vec6 times(const Mat6& C, const Vec6& e) {
  Vec6 N{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) N[i] += C[6 * i + j] * e[j];
  }
  return N;
}
inline double product(const Vec6& a, const Vec6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace bristle
