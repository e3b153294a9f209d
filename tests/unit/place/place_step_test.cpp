// Places over a whole step of an energy scheme: their laws are asked once per iteration, whoever reads the answer.
#include "bristle/place/place_step.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "bristle/interface/friction_law_of.h"
#include "bristle/place/place.h"

namespace bristle {
namespace {

class CountedContact final : public ContactLaw {
 public:
  static inline int calls = 0;
  int marks() const override { return 0; }
  void start(double*) const override {}
  double potential(double depth, const double*) const override { return ++calls, depth > 0 ? 0.5e4 * depth * depth : 0; }
  double force(double depth, double, const double*, double* slope) const override {
    ++calls;
    if (slope != nullptr) slope[0] = depth > 0 ? 1e4 : 0, slope[1] = 0;
    return depth > 0 ? 1e4 * depth : 0;
  }
  void accept(double, double, double*) const override {}
  bool damped() const override { return false; }
};

struct CountedDry {
  static inline int calls = 0;
  static constexpr bool kSetValued = true;
  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    ++calls;
    F = (0.3 * p.load) * direction(p.slip);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return 0.3 * p.load;
  }
};

struct CountedBristle {
  static inline int calls = 0;
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;
  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    ++calls;
    const T speed = norm(p.slip);
    for (int d = 0; d < D; ++d) {
      zdot[d] = 1e3 * (p.slip[d] - speed * z[d]);
      F[d] = 0.3 * p.load * z[d];
    }
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return 0.3 * p.load;
  }
};

class Sum final : public JacobianSink {
 public:
  void add(Part, int, int, double value) override { sum += value; }
  double sum = 0;
};

/// One place with a row for its gap and one for its slip, over a step that presses the surfaces on each other.
template <class Law>
struct Step {
  RowPattern rows;
  PlaceBlock<RowMeasure, 1> block{places()};
  double D[2] = {1, 1}, by_step[2] = {1, 1}, q[2] = {0, 0}, v[2] = {-0.1, 2}, z[1] = {0.2}, z_end[1] = {0.2}, lambda[1] = {0.5};
  double marks[8] = {}, f[2] = {}, zdot[1] = {}, power[2] = {}, value[2][2] = {{-0.01, 0}, {-0.011, 0}}, mean[2] = {-0.0105, 0};
  double rate[2] = {-0.1, 2}, force[2] = {}, impulse[2] = {}, numerical = 0, mobility[1] = {1};
  std::vector<double> scratch, room;
  StepEval e;

  static std::vector<Place<RowMeasure, 1>> places() {
    Place<RowMeasure, 1> p;
    p.measure[0].row = 1;
    p.press.emplace();
    p.press->law = std::make_unique<CountedContact>();
    p.press->account = 1;
    p.law = std::make_unique<FrictionLawOf<Law, 1>>(Law());
    std::vector<Place<RowMeasure, 1>> list;
    list.push_back(std::move(p));
    return list;
  }
  Step() {
    rows.add({{0, 1}});
    rows.add({{1, 1}});
    scratch.resize(static_cast<std::size_t>(block.scratch_needed()));
    room.resize(static_cast<std::size_t>(block.step_room()) + 3);
    block.set_step_room(3);  // others come before it
    if (block.dry() != nullptr) {
      block.dry()->set_slot(0, 0);
      DryMarks(marks, 1).set_mode(DryMode::slip);
    }
    e.q = q, e.v = v, e.z = z, e.lambda = lambda, e.marks = marks, e.f = f, e.zdot = zdot, e.power = power;
    e.scratch = scratch.data(), e.room = room.data();
    e.rows = &rows, e.D = D, e.row_value = mean, e.row_rate = rate, e.row_force = force;
    e.h = 0.01;
    e.z_ends[0] = z, e.z_ends[1] = z_end, e.value_ends[0] = value[0], e.value_ends[1] = value[1];
    e.D_start = D, e.rate_start = rate, e.by_step = by_step, e.v_jump = v;
    e.impulse = impulse, e.numerical = &numerical, e.mobility = mobility;
    e.jump = 1.0 / 6, e.jump_contact = JumpContact::pushing;
    CountedContact::calls = Law::calls = 0;
  }
};

template <class Law>
void asks_the_contact_law_once() {
  Step<Law> s;
  const Place<RowMeasure, 1>& p = s.block.items()[0];
  const PressStep press = p.press->over_step(s.e);
  const int once = CountedContact::calls;
  EXPECT_GT(once, 0);
  EXPECT_GT(press.mean, 0);

  CountedContact::calls = 0;
  s.block.calc_step(s.e);
  EXPECT_EQ(CountedContact::calls, once);
  EXPECT_EQ(s.force[0], press.stress - press.load);

  Sum sink;
  s.block.calc_step_jacobian(s.e, sink);
  s.block.calc_turn(s.e, s.e);
  EXPECT_NE(sink.sum, 0);
  if (DryPlaces* dry = s.block.dry()) {
    RestView view;
    double residual = 0, along = 0;
    dry->step_view(s.e, 0, view);
    dry->step_rest(s.e, 0, &residual, &along);
    dry->step_rest_jacobian(s.e, 0, sink);
    EXPECT_NEAR(view.limit, 0.3 * press.mean, 1e-12);
    EXPECT_EQ(along, 1);
  }
  EXPECT_EQ(CountedContact::calls, once);
}

TEST(PlaceStep, asks_its_contact_law_once_per_iteration) {
  asks_the_contact_law_once<CountedDry>();
  asks_the_contact_law_once<CountedBristle>();
}

TEST(PlaceStep, asks_its_dry_law_once_per_iteration) {
  Step<CountedDry> s;
  s.block.calc_step(s.e);
  EXPECT_EQ(CountedDry::calls, 1);
  Sum sink;
  double residual = 0, along = 0;
  s.block.calc_step_jacobian(s.e, sink);
  s.block.dry()->step_rest(s.e, 0, &residual, &along);
  s.block.dry()->step_rest_jacobian(s.e, 0, sink);
  EXPECT_EQ(CountedDry::calls, 1);
}

TEST(PlaceStep, solves_for_its_memory_once_per_iteration) {
  Step<CountedBristle> s;
  s.block.calc_step(s.e);
  const int solved = CountedBristle::calls;
  EXPECT_GE(solved, 5);  // at both ends in two passes, and the mean
  Sum sink;
  s.block.calc_step_jacobian(s.e, sink);
  EXPECT_EQ(CountedBristle::calls, solved + 3);  // derivatives at both ends and of the mean, without a search
}

TEST(PlaceStep, leaves_out_derivatives_that_nobody_wants) {
  Step<CountedBristle> s;
  s.block.calc_step(s.e);
  const int with = CountedContact::calls;
  const double force = s.force[0];
  s.e.tangent = false;
  s.force[0] = s.force[1] = 0;
  CountedContact::calls = 0;
  s.block.calc_step(s.e);
  EXPECT_LT(CountedContact::calls, with);
  EXPECT_EQ(s.force[0], force);
}

}  // namespace
}  // namespace bristle
