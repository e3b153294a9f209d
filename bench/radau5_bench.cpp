// LuGre stick-slip over 25 s: Radau IIA 5 of the engine against SUNDIALS CVODE with a right-hand side and Jacobian written by hand, both
// at the loosest tolerance that keeps the global error of displacement and velocity below 1e-6 of their largest values.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "timing.h"
#include "validation/trial.h"

#ifdef BRISTLE_HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

namespace {

constexpr double kEnd = 25;
constexpr int kPoints = 100;

const char* kModel = R"(bristle: 1
bodies:
  mass: {type: mass, mass: 1 kg}
  end: {type: driven, velocity: 0.1 m/s}
forces:
  spring: {type: spring, between: [mass, end], stiffness: 2 N/m}
joints:
  shoe:
    type: sliding
    between: [ground, mass]
    load: 1 N
    friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, sigma0: 1e5, sigma1: 316.22776601683796, sigma2: 0.4}
analysis: {type: transient, end: 25 s, integrator: {type: radau5, tolerance: 1e-6}}
)";

struct Sampled {
  std::vector<double> x, v;
  long steps = 0;
};

Sampled engine(const std::string& integrator) {
  bristle::Trial trial(kModel, {"analysis.integrator=" + integrator});
  bristle::Run& run = trial.start();
  bristle::State probe = trial.system().make_state();
  Sampled s;
  int next = 1;
  while (run.state().t < kEnd && run.advance(kEnd)) {
    while (next <= kPoints && next * kEnd / kPoints <= run.state().t + 1e-12) {
      const double t = next * kEnd / kPoints;
      if (t >= run.state().t) {
        s.x.push_back(run.state().q()[0]);
        s.v.push_back(run.state().v()[0]);
      } else {
        run.interpolate(t, probe);
        s.x.push_back(probe.q()[0]);
        s.v.push_back(probe.v()[0]);
      }
      ++next;
    }
  }
  s.steps = static_cast<long>(run.counts().accepted);
  return s;
}

double error_of(const Sampled& s, const Sampled& reference) {
  double xmax = 0, vmax = 0, error = 0;
  for (std::size_t i = 0; i < reference.x.size(); ++i) {
    xmax = std::max(xmax, std::abs(reference.x[i]));
    vmax = std::max(vmax, std::abs(reference.v[i]));
  }
  if (s.x.size() != reference.x.size()) return 1e300;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    error = std::max({error, std::abs(s.x[i] - reference.x[i]) / xmax, std::abs(s.v[i] - reference.v[i]) / vmax});
  }
  return error;
}

#ifdef BRISTLE_HAVE_SUNDIALS
int cvode_rate(double t, N_Vector y, N_Vector ydot, void*) {
  const double *u = N_VGetArrayPointer(y), v = u[1], z = u[2];
  double* d = N_VGetArrayPointer(ydot);
  const double r = v * 1e3, g = 1 + 0.5 * std::exp(-r * r), slide = v - std::abs(v) / g * z;
  d[0] = v;
  d[1] = 2 * (0.1 * t - u[0]) - (z + 316.22776601683796 * slide + 0.4 * v);
  d[2] = 1e5 * slide;
  return 0;
}
int cvode_slope(double, N_Vector y, N_Vector, SUNMatrix J, void*, N_Vector, N_Vector, N_Vector) {
  const double *u = N_VGetArrayPointer(y), v = u[1], z = u[2];
  const double r = v * 1e3, e = 0.5 * std::exp(-r * r), g = 1 + e, sign = v > 0 ? 1 : (v < 0 ? -1 : 0);
  const double by_v = 1 - sign * z / g - std::abs(v) * z / (g * g) * (2 * r * 1e3 * e), by_z = -std::abs(v) / g;
  SM_ELEMENT_D(J, 0, 0) = 0, SM_ELEMENT_D(J, 0, 1) = 1, SM_ELEMENT_D(J, 0, 2) = 0;
  SM_ELEMENT_D(J, 1, 0) = -2, SM_ELEMENT_D(J, 1, 1) = -316.22776601683796 * by_v - 0.4,
                     SM_ELEMENT_D(J, 1, 2) = -1 - 316.22776601683796 * by_z;
  SM_ELEMENT_D(J, 2, 0) = 0, SM_ELEMENT_D(J, 2, 1) = 1e5 * by_v, SM_ELEMENT_D(J, 2, 2) = 1e5 * by_z;
  return 0;
}
Sampled cvode(double relative, double absolute) {
  SUNContext sun = nullptr;
  SUNContext_Create(nullptr, &sun);
  N_Vector y = N_VNew_Serial(3, sun);
  N_VConst(0.0, y);
  void* solver = CVodeCreate(CV_BDF, sun);
  CVodeInit(solver, cvode_rate, 0.0, y);
  CVodeSStolerances(solver, relative, absolute);
  CVodeSetMaxNumSteps(solver, -1);
  SUNMatrix A = SUNDenseMatrix(3, 3, sun);
  SUNLinearSolver linear = SUNLinSol_Dense(y, A, sun);
  CVodeSetLinearSolver(solver, linear, A);
  CVodeSetJacFn(solver, cvode_slope);
  Sampled s;
  double t = 0;
  for (int i = 1; i <= kPoints; ++i) {
    if (CVode(solver, i * kEnd / kPoints, y, &t, CV_NORMAL) < 0) break;
    s.x.push_back(N_VGetArrayPointer(y)[0]);
    s.v.push_back(N_VGetArrayPointer(y)[1]);
  }
  CVodeGetNumSteps(solver, &s.steps);
  N_VDestroy(y);
  CVodeFree(&solver);
  SUNMatDestroy(A);
  SUNLinSolFree(linear);
  SUNContext_Free(&sun);
  return s;
}
#endif

}  // namespace

int main() {
  const Sampled reference = engine("{type: radau5, tolerance: 1e-12, absolute_tolerance: 1e-13}");
  // the loosest tolerances that meet the error; absolute ones in proportion
  const double goal = 1e-6;
  const auto loosest = [&](auto&& run, double ratio, double& tolerance, double& error) {
    for (double tol = 1e-3; tol > 1e-13; tol /= std::pow(10.0, 0.25)) {
      error = error_of(run(tol, tol * ratio), reference);
      if (error <= goal) {
        tolerance = tol;
        return;
      }
    }
  };
  const auto radau = [](double tol, double abs) {
    return engine(fmt::format("{{type: radau5, tolerance: {:.6g}, absolute_tolerance: {:.6g}}}", tol, abs));
  };
  double tol_r = 0, err_r = 0;
  loosest(radau, 1e-3, tol_r, err_r);
  fmt::print(
      "LuGre stick-slip, 25 s, global error <= 1e-6\n\n| solver | tolerance | error | steps | time | ratio |\n|---|---|---|---|---|---|\n");
#ifdef BRISTLE_HAVE_SUNDIALS
  double tol_c = 0, err_c = 0, best_c = 1e300, ratio_c = 1;
  Sampled last_c;
  for (double ratio : {1.0, 1e-1, 1e-2, 1e-3, 1e-4}) {  // CVODE gets the ratio of tolerances that suits it best
    double tol = 0, err = 0;
    loosest(cvode, ratio, tol, err);
    if (tol == 0) continue;
    const double t = best_of(5, {[&] { cvode(tol, tol * ratio); }})[0];
    if (t < best_c) best_c = t, tol_c = tol, err_c = err, ratio_c = ratio;
  }
  long steps_r = 0, steps_c = 0;
  const std::vector<double> t =
      best_of(25, {[&] { steps_r = radau(tol_r, tol_r * 1e-3).steps; }, [&] { steps_c = cvode(tol_c, tol_c * ratio_c).steps; }});
  fmt::print("| SUNDIALS CVODE, BDF | {:.1e} | {:.1e} | {} | {:.2f} ms | 1 |\n", tol_c, err_c, steps_c, t[1] * 1e3);
  fmt::print("| Bristle radau5, model file read included | {:.1e} | {:.1e} | {} | {:.2f} ms | {:.2f} |\n", tol_r, err_r, steps_r,
             t[0] * 1e3, t[0] / t[1]);
#else
  const double t = best_of(10, {[&] { radau(tol_r, tol_r * 1e-3); }})[0];
  fmt::print("| Bristle radau5 | {:.1e} | {:.1e} | - | {:.2f} ms | - |\n", tol_r, err_r, t * 1e3);
#endif
  return 0;
}
