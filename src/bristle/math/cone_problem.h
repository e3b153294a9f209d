#pragma once
#include <vector>

#include "bristle/math/dense_lu.h"

namespace bristle {

/// One contact of a cone problem: `slips` tangential numbers behind the normal one, or a single number that is held (bilateral).
struct ConeBlock {
  int at = 0;           ///< first unknown
  int slips = 0;        ///< 0, 1 or 2
  double friction = 0;  ///< coefficient
  double floor = 0;     ///< least normal impulse
  bool held = false;    ///< bilateral: u = 0, any impulse
  int size() const { return held ? 1 : 1 + slips; }
};

/// How well a cone problem was solved.
struct ConeAnswer {
  double residual = 0;  ///< natural map, in the unit of u; see ConeProblem::residual
  int iterations = 0;   ///< of Newton's method and sweeps together
  int sweeps = 0;       ///< of them
  bool converged = false;
};

/// One contact alone: u = W p + b (row-major, 1 + slips rows) with
///   p_n >= floor, u_n >= 0, (p_n - floor) u_n = 0;   |p_t| <= mu p_n, and p_t = -mu p_n u_t/|u_t| where it slides.
/// Exact to round-off for one tangent; for two the direction of sliding is found by Newton's method. The last p is where it starts.
void solve_contact(const double* W, const double* b, int slips, double mu, double floor, double* p);

/// Part of the natural map of one contact, in the unit of u.
double contact_residual(const double* W, const double* u, int slips, double mu, double floor, const double* p);

/// Impulses p at contacts with Coulomb friction and rows that are held, all at once: u = W p + b, each contact as above, u = 0 where
/// held. W is dense, row-major; need not be symmetric. Redundant contacts have many solutions: one of them is given, u is the same.
/// Cannot promise a solution: with friction there may be none, or several that differ.
/// Sources: P. Alart, A. Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution methods" (1991),
/// doi:10.1016/0045-7825(91)90022-X; V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008),
/// doi:10.1007/978-3-540-75392-6.
class ConeProblem {
 public:
  std::vector<ConeBlock> blocks;
  std::vector<double> W, b;  ///< sizes n*n and n
  double tolerance = 1e-12;  ///< [unit of u] residual at which it is solved
  int sweeps = 1000;         ///< most sweeps of Gauss and Seidel
  int newton = 40;           ///< most iterations of Newton's method

  void resize(int n);
  void reserve(int n);  ///< room for n unknowns: up to there nothing is allocated any more
  int size() const { return n_; }
  /// Largest part of the natural map |p - P(p - rho u)|/rho: zero exactly at solutions.
  double residual(const double* p) const;
  /// Newton's method from p, with sweeps before it, and in its place where it fails; the better of both answers.
  ConeAnswer solve(double* p);
  /// Projected Gauss and Seidel: one contact after the other, each solved exactly.
  ConeAnswer solve_sweeps(double* p, int most);
  /// Semi-smooth Newton's method on the map of Alart and Curnier with a line search.
  ConeAnswer solve_newton(double* p);

 private:
  void local(const ConeBlock& c, const double* p, double* w, double* u) const;  // its W and u
  double map(const double* p, double* F, bool slopes);  // map of Alart and Curnier; its norm in the unit of u
  int n_ = 0;
  std::vector<double> F_, J_, step_, trial_, best_, keep_, ahead_, before_;
  DenseLu<double> factors_;
};

}  // namespace bristle
