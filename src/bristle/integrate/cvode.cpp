#ifdef BRISTLE_HAVE_SUNDIALS
#include "bristle/integrate/cvode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bristle/integrate/stage_matrix.h"

namespace bristle {

struct Cvode::Impl {
  SUNContext sun = nullptr;
  void* cvode = nullptr;
  N_Vector y = nullptr, weights = nullptr, probe = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  StageMatrix stage;
  std::vector<double> jacobian, power_middle;
  State state, expected;
  bool running = false;
  double taken = 0;  // [s] last step
  int n = 0;
  long steps = 0;
  StepContext* context = nullptr;

  ~Impl() {
    if (cvode) CVodeFree(&cvode);
    if (y) N_VDestroy(y);
    if (weights) N_VDestroy(weights);
    if (probe) N_VDestroy(probe);
    if (matrix) SUNMatDestroy(matrix);
    if (linear) SUNLinSolFree(linear);
    if (sun) SUNContext_Free(&sun);
  }
  void pack(const State& x, N_Vector v) const {
    const Layout& layout = context->system.layout();
    double* p = N_VGetArrayPointer(v);
    p = std::copy_n(x.q(), layout.scalars, p);
    p = std::copy_n(x.v(), layout.scalars, p);
    std::copy_n(x.z(), layout.sizes.z, p);
  }
  void unpack(double t, N_Vector v, State& x) const {
    const Layout& layout = context->system.layout();
    const double* p = N_VGetArrayPointer(v);
    std::copy_n(p, layout.scalars, x.q());
    std::copy_n(p + layout.scalars, layout.scalars, x.v());
    std::copy_n(p + 2 * layout.scalars, layout.sizes.z, x.z());
    context->system.set_time(x, t);
  }
  static int rate(double t, N_Vector y, N_Vector ydot, void* self) {
    Impl& s = *static_cast<Impl*>(self);
    s.unpack(t, y, s.state);
    s.context->kernel.evaluate(s.context->system, s.state, s.context->work);
    std::copy(s.context->work.rate.begin(), s.context->work.rate.end(), N_VGetArrayPointer(ydot));
    for (double r : s.context->work.rate) {
      if (!std::isfinite(r)) return 1;  // a shorter step may avoid it
    }
    return 0;
  }
  static int slope(double t, N_Vector y, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    Impl& s = *static_cast<Impl*>(self);
    s.unpack(t, y, s.state);
    Workspace& w = s.context->work;
    s.context->kernel.evaluate(s.context->system, s.state, w);
    s.stage.refresh(s.context->system, s.state, w);
    s.stage.dense_jacobian(s.context->system, s.state, w, s.context->kernel, s.jacobian.data());
    for (int c = 0; c < s.n; ++c) {
      for (int r = 0; r < s.n; ++r) SM_ELEMENT_D(J, r, c) = s.jacobian[static_cast<std::size_t>(r * s.n + c)];
    }
    return 0;
  }
};

Cvode::Cvode() : impl_(std::make_unique<Impl>()) {}
Cvode::~Cvode() = default;

void Cvode::prepare(const System& system) {
  Impl& s = *impl_;
  s.n = system.layout().order_one();
  s.stage.prepare(system);
  s.state = system.make_state();
  s.expected = s.state;
  s.jacobian.assign(static_cast<std::size_t>(s.n * s.n), 0);
  s.power_middle.assign(system.layout().accounts.size(), 0);
  SUNContext_Create(nullptr, &s.sun);
  s.y = N_VNew_Serial(s.n, s.sun);
  s.probe = N_VNew_Serial(s.n, s.sun);
  s.cvode = CVodeCreate(CV_BDF, s.sun);
  N_VConst(0.0, s.y);
  CVodeInit(s.cvode, &Impl::rate, 0.0, s.y);
  CVodeSStolerances(s.cvode, tolerances_.relative, tolerances_.floor());
  CVodeSetUserData(s.cvode, &s);
  CVodeSetMaxNumSteps(s.cvode, -1);
  s.matrix = SUNDenseMatrix(s.n, s.n, s.sun);
  s.linear = SUNLinSol_Dense(s.y, s.matrix, s.sun);
  CVodeSetLinearSolver(s.cvode, s.linear, s.matrix);
  CVodeSetJacFn(s.cvode, &Impl::slope);
  CVodeSetErrFile(s.cvode, nullptr);
}

void Cvode::restart() { impl_->running = false; }

Outcome Cvode::step(StepContext& c, const State& x0, double h, State& x1) {
  Impl& s = *impl_;
  s.context = &c;
  s.state = x0;
  x1 = x0;
  // the multistep history serves only while nobody else has moved the state
  const bool same = s.running && s.expected.t == x0.t &&
                    std::equal(x0.numbers().begin(), x0.numbers().begin() + x0.sizes().q + x0.sizes().v + x0.sizes().z,
                               s.expected.numbers().begin());
  if (!same) {
    s.pack(x0, s.y);
    CVodeReInit(s.cvode, x0.t, s.y);
    // a law has moved its memory: go on with steps of about the same length. After a jump: let CVODE find out
    CVodeSetInitStep(s.cvode, s.running ? std::min(1.5 * s.taken, h) : 0.0);
    s.running = true;
  }
  if (h < 1e-13 * std::max(1.0, std::abs(x0.t))) {
    // too short for CVODE: a straight line
    c.system.move(x0, h, c.rate0, x1);
    c.system.set_time(x1, x0.t + h);
    c.ledger.add_power(c.power0, h);
    s.running = false;
    return {.next = 1e300, .evaluations = 0};
  }
  CVodeSetStopTime(s.cvode, x0.t + h);
  double t = x0.t;
  const int flag = CVode(s.cvode, x0.t + h, s.y, &t, CV_ONE_STEP);
  Outcome out;
  if (flag < 0) {
    s.running = false;
    out.verdict = Outcome::Verdict::reject;
    out.cause = "CVODE gave up";
    out.next = 0.1 * h;
    return out;
  }
  s.unpack(t, s.y, x1);
  // work over the step by Simpson's rule on CVODE's own polynomial
  const double taken = t - x0.t;
  if (!(taken > 2e-15 * std::max(1.0, std::abs(t))) && taken < h) {
    s.running = false;
    out.verdict = Outcome::Verdict::fail;
    out.cause = "the step of CVODE has shrunk to nothing";
    return out;
  }
  s.taken = taken;
  CVodeGetDky(s.cvode, x0.t + 0.5 * taken, 0, s.probe);
  s.unpack(x0.t + 0.5 * taken, s.probe, s.state);
  c.kernel.evaluate(c.system, s.state, c.work);
  c.ledger.add_power(c.power0, taken / 6);
  c.ledger.add_power(c.work.power.data(), taken * 4 / 6);
  c.kernel.evaluate(c.system, x1, c.work);
  c.ledger.add_power(c.work.power.data(), taken / 6);
  s.expected = x1;
  out.next = 1e300;
  out.evaluations = 1;
  return out;
}

}  // namespace bristle
#endif
