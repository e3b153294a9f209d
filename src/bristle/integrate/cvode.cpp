#ifdef BRISTLE_HAVE_SUNDIALS
#include "bristle/integrate/cvode.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
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
  StageMatrix::Factors<double> factors;  // of many unknowns: the sparse matrix stands for the dense one
  double gamma = 0;                      // [s] CVODE solves (1 - gamma J) x = b
  std::vector<double> jacobian, power0, turned_at;
  State state, expected, reference;
  double step = 0;                 // [s] of the run
  double relative = 0, floor = 0;  // tolerances: the second is the error below which values do not matter
  double time = 0;                 // [s] at the start of the step
  bool projects = false, decided = false;
  bool keeps_rest = false;  // the run sets the slip of stuck places to zero after every step
  bool running = false;
  double taken = 0;                               // [s] last step
  double from = 0, to = -1;                       // [s] what CVODE's polynomial covers: the last step
  double trial_from = kInfinity, trial_step = 0;  // [s] where steps were last made anew, and how long the first of them began
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
  /// Numbers of the first-order form: positions, velocities and memory themselves, attitudes as increments from the reference.
  void pack(const State& x, N_Vector v) const {
    const Layout& layout = context->system.layout();
    double* p = N_VGetArrayPointer(v);
    context->system.motion().difference(reference, x, p);
    for (int i = 0; i < layout.scalars; ++i) p[i] = x.q()[i];
    const int free = layout.free();
    for (const FrameCoordinates& f : layout.frames) {
      std::copy_n(x.q() + f.q, 3, p + f.unknown);
      std::copy_n(x.q() + f.q + 7, f.more, p + f.unknown + 6);
    }
    for (int i = 0; i < free; ++i) p[free + i] = x.v()[layout.v_index(i)];
    std::copy_n(x.z(), layout.sizes.z, p + 2 * free);
  }
  void unpack(double t, N_Vector v, State& x) const {
    const Layout& layout = context->system.layout();
    const double* p = N_VGetArrayPointer(v);
    const int free = layout.free();
    std::copy_n(p, layout.scalars, x.q());
    for (int i = 0; i < free; ++i) x.v()[layout.v_index(i)] = p[free + i];
    for (const FrameCoordinates& f : layout.frames) {
      double* q = x.q() + f.q;
      const double *r = reference.q() + f.q, *s = p + f.unknown;
      std::copy_n(s, 3, q);
      const Quaternion turned =
          normalised(product({r[3], r[4], r[5], r[6]}, rotation_of({s[3], s[4], s[5]}, Chart::exponential)));
      for (std::size_t i = 0; i < 4; ++i) q[3 + i] = turned[i];
      std::copy_n(s + 6, f.more, q + 7);
    }
    std::copy_n(p + 2 * free, layout.sizes.z, x.z());
    context->system.set_time(x, t);
  }
  /// At the first step: what depends on how the run holds joints and resting places.
  void decide() {
    if (decided) return;
    const StepContext& c = *context;
    decided = true;
    projects = c.system.layout().held_count() > 0 && (c.kernel.enforcement().corrects || c.kernel.enforcement().completes);
    keeps_rest = !c.system.dry().empty() && c.work.rest == RestRule::events;
    if (projects || keeps_rest) CVodeSetProjFn(cvode, &Impl::project);
    // The direction of a slip turns at a rate of friction over speed, at the start from nothing 1e12 times that of some steps later. With
    // derivatives from there Newton's corrections across the slip would be next to nothing, and pass for convergence: every step has its own
    bool turns = false;
    for (const DryPlace& p : c.system.dry()) turns = turns || p.components > 1;
    if (turns) CVodeSetLSetupFrequency(cvode, 1), CVodeSetJacEvalFrequency(cvode, 1);
  }
  /// Does the multistep history serve? Only while nobody else has moved the state.
  bool goes_on(const State& x0) {
    if (!running || expected.t != x0.t || turned(y) >= 1.5) return false;
    const auto equals = [&](int first, int count) {
      return std::equal(x0.numbers().begin() + first, x0.numbers().begin() + first + count, expected.numbers().begin() + first);
    };
    const Sizes& sizes = x0.sizes();
    const bool laws_alone = !projects && !keeps_rest;  // who else may have moved it
    if (!projects && !equals(0, sizes.q)) return false;
    if (laws_alone && !equals(sizes.q, sizes.v)) return false;
    if (laws_alone && equals(sizes.q + sizes.v, sizes.z)) return true;
    // corrected again after the step, within round-off, which is no small part of the tightest tolerances. A law cuts its memory at the limit, in the plane
    // after every step, and beyond it by no more than a step may be off
    context->system.motion().difference(expected, x0, N_VGetArrayPointer(probe));
    if (weights == nullptr) weights = N_VClone(probe);
    error_weights(y, weights, this);
    return N_VWrmsNorm(probe, weights) < (laws_alone ? 1.0 : 0.1);
  }
  /// Weights of errors: the tolerances, and no less than rounding. A held row that follows an angle of many turns is as exact as that angle is, and so are the positions
  /// and velocities that it holds, also those that pass through zero.
  static int error_weights(N_Vector y, N_Vector weight, void* self) {
    constexpr double kRounding = 10 * std::numeric_limits<double>::epsilon();
    const Impl& s = *static_cast<const Impl*>(self);
    const double* p = N_VGetArrayPointer(y);
    double* w = N_VGetArrayPointer(weight);
    double length = 0, speed = 0, turned = 1;
    int free = 0;
    if (s.projects) {
      const Layout& layout = s.context->system.layout();
      free = layout.free();
      for (int i = 0; i < free; ++i) length = std::max(length, std::abs(p[i])), speed = std::max(speed, std::abs(p[free + i]));
      double spin = 0;
      for (const FrameCoordinates& f : layout.frames) {
        const double* r = p + free + f.unknown + 3;
        spin = std::max(spin, std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
      }
      turned = std::max({1.0, length, spin * std::abs(s.time)});
    }
    for (int i = 0; i < s.n; ++i) {
      const double most = i < free ? std::max(length, turned) : i < 2 * free ? speed * turned : 0;
      w[i] = 1 / (s.relative * std::abs(p[i]) + std::max(s.floor, kRounding * most));
    }
    return 0;
  }
  /// How far any body has turned from the reference [rad].
  double turned(N_Vector v) const {
    const Layout& layout = context->system.layout();
    double most = 0;
    for (const FrameCoordinates& f : layout.frames) {
      const double* r = N_VGetArrayPointer(v) + f.unknown + 3;
      most = std::max(most, std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
    }
    return most;
  }
  static int rate(double t, N_Vector y, N_Vector ydot, void* self) {
    Impl& s = *static_cast<Impl*>(self);
    Workspace& w = s.context->work;
    s.unpack(t, y, s.state);
    s.context->kernel.held().complete(s.context->system, s.state, w);
    s.context->kernel.evaluate(s.context->system, s.state, w);
    s.context->system.motion().chart_rate(N_VGetArrayPointer(y), w.rate.data());
    std::copy(w.rate.begin(), w.rate.end(), N_VGetArrayPointer(ydot));
    for (double r : w.rate) {
      if (!std::isfinite(r)) return 1;  // a shorter step may avoid it
    }
    return s.context->kernel.converged() ? 0 : 1;
  }
  /// New derivatives at a state.
  void refresh(double t, N_Vector v) {
    unpack(t, v, state);
    Workspace& w = context->work;
    context->kernel.evaluate(context->system, state, w);
    std::copy(w.lambda.begin(), w.lambda.end(), state.lambda());
    const Enforcement& held = context->kernel.enforcement();
    stage.refresh(context->system, state, w, {held.damping(step), held.stiffness(step)});
    stage.follow_drift(context->system, state);
  }
  static int slope(double t, N_Vector y, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    Impl& s = *static_cast<Impl*>(self);
    s.refresh(t, y);
    Workspace& w = s.context->work;
    s.stage.dense_jacobian(s.context->system, s.state, w, s.context->kernel, s.jacobian.data());
    s.to_chart(N_VGetArrayPointer(y));
    for (int c = 0; c < s.n; ++c) {
      for (int r = 0; r < s.n; ++r) SM_ELEMENT_D(J, r, c) = s.jacobian[static_cast<std::size_t>(r * s.n + c)];
    }
    return 0;
  }
  /// CVODE wants a matrix and a solver for it. Where there are many unknowns both are the sparse matrix of all implicit steps, whose memory
  /// grows with the number of connections, not with the square of the unknowns.
  static int system_matrix(double t, N_Vector y, N_Vector, SUNMatrix, booleantype known, booleantype* renewed, double gamma,
                           void* self, N_Vector, N_Vector, N_Vector) {
    Impl& s = *static_cast<Impl*>(self);
    *renewed = known ? SUNFALSE : SUNTRUE;
    if (!known) s.refresh(t, y);
    s.gamma = gamma;
    s.turned_at.assign(N_VGetArrayPointer(y), N_VGetArrayPointer(y) + s.context->system.layout().free());
    return 0;
  }
  static int factor(SUNLinearSolver solver, SUNMatrix) {
    Impl& s = *static_cast<Impl*>(solver->content);
    return s.factors.factor(s.stage, 1 / s.gamma) ? 0 : 1;  // a shorter step may avoid it
  }
  /// (1/gamma - J) x = b/gamma in body turns; how the rate of the increments changes with them costs Newton's iteration a factor of the
  /// angle turned in a step.
  static int solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, double) {
    Impl& s = *static_cast<Impl*>(solver->content);
    N_VScale(1 / s.gamma, b, x);
    double* p = N_VGetArrayPointer(x);
    s.for_each_turn([&](int first, const Matrix3&, const Matrix3& T) { multiply(T, p + first); });
    s.factors.solve(s.stage, p);
    s.for_each_turn([&](int first, const Matrix3& inverse, const Matrix3&) { multiply(inverse, p + first); });
    return 0;
  }
  using Matrix3 = std::array<std::array<double, 3>, 3>;
  static void multiply(const Matrix3& m, double* v) {
    const Vector3 x{v[0], v[1], v[2]};
    for (std::size_t i = 0; i < 3; ++i) v[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
  }
  /// With the number of its first increment: the matrices that lead from body turns to increments and back.
  template <class Work>
  void for_each_turn(Work&& work) const {
    const Layout& layout = context->system.layout();
    for (const FrameCoordinates& f : layout.frames) {
      const int first = f.unknown + 3;
      Matrix3 inverse, T;
      chart_matrices(turned_at.data() + first, inverse, T);
      work(first, inverse, T);
    }
  }
  static void chart_matrices(const double* increments, Matrix3& inverse, Matrix3& T) {
    const Vector3 r{increments[0], increments[1], increments[2]};
    for (std::size_t c = 0; c < 3; ++c) {
      Vector3 unit{};
      unit[c] = 1;
      const Vector3 column = increment_rate(r, unit, Chart::exponential);
      for (std::size_t i = 0; i < 3; ++i) inverse[i][c] = column[i];
    }
    const auto minor = [&](std::size_t i, std::size_t j) {
      const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      return inverse[a][c] * inverse[b][d] - inverse[a][d] * inverse[b][c];
    };
    const double det = inverse[0][0] * minor(0, 0) + inverse[0][1] * minor(0, 1) + inverse[0][2] * minor(0, 2);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) T[i][j] = minor(j, i) / det;
    }
  }
  /// Derivatives by body turns and of body rates become those by and of the increments.
  void to_chart(const double* increments) {
    const Layout& layout = context->system.layout();
    const auto at = [&](int r, int c) -> double& { return jacobian[static_cast<std::size_t>(r * n + c)]; };
    for (const FrameCoordinates& f : layout.frames) {
      const int first = f.unknown + 3, speed = layout.free() + first;
      const Vector3 r{increments[first], increments[first + 1], increments[first + 2]};
      const double* v = state.v() + f.v + 3;
      Matrix3 inverse, T;
      chart_matrices(increments + first, inverse, T);
      for (int row = layout.free(); row < n; ++row) {  // columns of the turn
        double sum[3] = {0, 0, 0};
        for (std::size_t j = 0; j < 3; ++j) {
          for (std::size_t i = 0; i < 3; ++i) sum[j] += at(row, first + static_cast<int>(i)) * T[i][j];
        }
        for (int j = 0; j < 3; ++j) at(row, first + j) = sum[j];
      }
      for (std::size_t c = 0; c < 3; ++c) {  // rows of the increment: rate = inverse(r) w
        constexpr double kStep = 1e-6;
        Vector3 up = r, down = r;
        up[c] += kStep, down[c] -= kStep;
        const Vector3 a = increment_rate(up, {v[0], v[1], v[2]}, Chart::exponential);
        const Vector3 b = increment_rate(down, {v[0], v[1], v[2]}, Chart::exponential);
        for (std::size_t i = 0; i < 3; ++i) {
          at(first + static_cast<int>(i), first + static_cast<int>(c)) = (a[i] - b[i]) / (2 * kStep);
          at(first + static_cast<int>(i), speed + static_cast<int>(c)) = inverse[i][c];
        }
      }
    }
  }
  /// A state of the last step, from CVODE's polynomial.
  void look_back(double t, State& x) {
    CVodeGetDky(cvode, t, 0, probe);
    unpack(t, probe, x);
  }
  /// Trials of several lengths from one state must be one motion: they begin alike, as the first of them. 0: none has been made yet.
  double trial_step_from(double t) const { return t == trial_from ? trial_step : 0.0; }
  /// The number with the largest local error, for sentences; -1 where none is known.
  int worst() {
    if (weights == nullptr) weights = N_VClone(probe);
    if (CVodeGetEstLocalErrors(cvode, probe) != CV_SUCCESS || CVodeGetErrWeights(cvode, weights) != CV_SUCCESS) return -1;
    const double *error = N_VGetArrayPointer(probe), *weight = N_VGetArrayPointer(weights);
    int most = -1;
    double size = 0;
    for (int i = 0; i < n; ++i) {
      if (std::abs(error[i] * weight[i]) > size) most = i, size = std::abs(error[i] * weight[i]);
    }
    return most;
  }
  /// Work from the time t0, where the power is known, to the state x1: Simpson's rule, the middle from CVODE's polynomial. Leaves the
  /// evaluation at x1 in the workspace.
  void add_work(const double* at_start, double t0, State& x1) {
    StepContext& c = *context;
    const double h = x1.t - t0;
    c.ledger.add_power(at_start, h / 6);
    look_back(t0 + 0.5 * h, state);
    c.kernel.evaluate(c.system, state, c.work);
    c.ledger.add_power(c.work.power.data(), h * 4 / 6);
    c.kernel.evaluate(c.system, x1, c.work);
    c.ledger.add_power(c.work.power.data(), h / 6);
  }
  /// Back onto the held rows and to no slip where places stick, as a correction of the numbers. Both are what the run does after a step: the
  /// history must know of it, or each step would be the first one again.
  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    Impl& s = *static_cast<Impl*>(self);
    s.unpack(t, y, s.state);
    Workspace& w = s.context->work;
    Multipliers& kernel = s.context->kernel;
    if (s.projects && kernel.held().near()) {
      kernel.held().bring_back(s.context->system, s.state, w);
    } else if (s.projects) {
      // violations are taken away before they are seen in the error of a step, where they would jump
      const double left = kernel.held().correct_positions(s.context->system, s.state, w, 10, 0.01 * s.floor);
      kernel.held().correct_velocities(s.context->system, s.state, w);
      if (!(left < 1e-6)) return 1;
    }
    if (s.keeps_rest) kernel.keep_rest(s.context->system, s.state, w);
    s.pack(s.state, correction);
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return 0;
  }
};

Cvode::Cvode() : impl_(std::make_unique<Impl>()) {}
Cvode::~Cvode() = default;

void Cvode::prepare(const System& system) {
  Impl& s = *impl_;
  s.n = system.layout().order_one();
  s.relative = tolerances_.relative, s.floor = tolerances_.floor();
  s.stage.prepare(system);
  s.state = system.make_state();
  s.expected = s.state;
  s.reference = s.state;
  s.power0.assign(system.layout().accounts.size(), 0);
  SUNContext_Create(nullptr, &s.sun);
  s.y = N_VNew_Serial(s.n, s.sun);
  s.probe = N_VNew_Serial(s.n, s.sun);
  s.cvode = CVodeCreate(CV_BDF, s.sun);
  if (!s.y || !s.probe || !s.cvode) throw std::bad_alloc();
  N_VConst(0.0, s.y);
  CVodeInit(s.cvode, &Impl::rate, 0.0, s.y);
  CVodeWFtolerances(s.cvode, &Impl::error_weights);
  CVodeSetUserData(s.cvode, &s);
  CVodeSetMaxNumSteps(s.cvode, -1);
  if (s.stage.sparse()) {
    s.factors.reserve(s.stage);
    s.turned_at.assign(static_cast<std::size_t>(system.layout().free()), 0);
    s.matrix = SUNMatNewEmpty(s.sun);
    s.linear = SUNLinSolNewEmpty(s.sun);
    if (!s.matrix || !s.linear) throw std::bad_alloc();
    s.matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    s.matrix->ops->destroy = [](SUNMatrix m) { SUNMatFreeEmpty(m); };
    s.linear->content = &s;
    s.linear->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    s.linear->ops->setup = &Impl::factor;
    s.linear->ops->solve = &Impl::solve;
    s.linear->ops->free = [](SUNLinearSolver l) {
      l->content = nullptr;
      SUNLinSolFreeEmpty(l);
      return 0;
    };
    CVodeSetLinearSolver(s.cvode, s.linear, s.matrix);
    CVodeSetLinSysFn(s.cvode, &Impl::system_matrix);
  } else {
    s.jacobian.assign(static_cast<std::size_t>(s.n) * static_cast<std::size_t>(s.n), 0);
    s.matrix = SUNDenseMatrix(s.n, s.n, s.sun);
    s.linear = SUNLinSol_Dense(s.y, s.matrix, s.sun);
    if (!s.matrix || !s.linear) throw std::bad_alloc();
    CVodeSetLinearSolver(s.cvode, s.linear, s.matrix);
    CVodeSetJacFn(s.cvode, &Impl::slope);
  }
  CVodeSetErrFile(s.cvode, nullptr);
}

void Cvode::restart() { impl_->running = false; }

Outcome Cvode::step(StepContext& c, const State& x0, double h, State& x1) {
  Impl& s = *impl_;
  s.context = &c;
  s.state = x0;
  s.step = h, s.time = x0.t;
  x1 = x0;
  s.decide();
  const double end = x0.t + h;
  if (c.forced && !c.anew && s.from == x0.t && end <= s.to) {
    // inside the last step: its polynomial is the solution
    s.look_back(end, x1);
    s.add_work(c.power0, x0.t, x1);
    return {.next = 1e300, .evaluations = 1};
  }
  const bool same = s.goes_on(x0);
  if (!same) {
    s.reference = x0;
    s.pack(x0, s.y);
    CVodeReInit(s.cvode, x0.t, s.y);
    s.to = -kInfinity;
    // a law has moved its memory: go on with steps of about the same length. After a jump: let CVODE find out
    CVodeSetInitStep(s.cvode, s.running ? std::min(1.5 * s.taken, h) : c.anew ? std::min(s.trial_step_from(x0.t), h) : 0.0);
    s.running = true;
  }
  if (h < 1e-13 * std::max(1.0, std::abs(x0.t))) {
    // too short for CVODE: a straight line
    c.system.motion().move(x0, h, c.rate0, x1);
    c.system.set_time(x1, end);
    c.ledger.add_power(c.power0, h);
    s.running = false;
    return {.next = 1e300, .evaluations = 0};
  }
  CVodeSetStopTime(s.cvode, end);
  Outcome out;
  out.next = 1e300;
  std::copy_n(c.power0, s.power0.size(), s.power0.begin());
  // one step of CVODE, or as many as it takes to the end where that is asked for
  // some first steps are too short to move the clock: they grow
  constexpr int kFirstSteps = 20;
  int tiny = 0;
  do {
    double t = x1.t;
    s.from = x1.t;
    if (CVode(s.cvode, end, s.y, &t, CV_ONE_STEP) < 0) {
      s.running = false;
      s.to = -kInfinity;
      out.verdict = Outcome::Verdict::reject;
      out.cause = Cause::gave_up;
      out.worst = s.worst();
      out.next = 0.1 * h;
      return out;
    }
    s.to = t;
    s.taken = t - s.from;
    if (c.anew && s.from == x0.t && s.trial_from != x0.t) s.trial_from = x0.t, s.trial_step = s.taken;
    if (!(s.taken > 2e-15 * std::max(1.0, std::abs(t))) && t < end) {
      if (++tiny <= kFirstSteps) continue;
      s.running = false;
      out.verdict = Outcome::Verdict::fail;
      out.cause = Cause::shrunk;
      out.worst = s.worst();
      return out;
    }
    s.unpack(t, s.y, x1);
    s.add_work(s.power0.data(), s.from, x1);
    std::copy(c.work.power.begin(), c.work.power.end(), s.power0.begin());
    ++out.evaluations;
  } while (x1.t < end && (c.forced || c.anew || !(x1.t > x0.t)));
  s.expected = x1;
  return out;
}

}  // namespace bristle
#endif
