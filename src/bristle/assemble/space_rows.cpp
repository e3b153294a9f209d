// Measures of bodies in space become rows of the system, each once.
#include <cmath>
#include <random>

#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {

/// The axes of a frame renamed in turn: with 1 the old y becomes x, with 2 the old z.
Mat3<> renamed(const Mat3<>& R, int turn) {
  Mat3<> out;
  for (int k = 0; k < 3; ++k) out.set_column(k, R.column((k + turn) % 3));
  return out;
}

void orient(const RelationPlan& measure, Marker& A, Marker& B) {
  if (measure.swap) std::swap(A, B);
  A.R = renamed(A.R, measure.turn_a);
  B.R = renamed(B.R, measure.turn_b);
}

/// c0 x0 + c1 x1 + ... - offset
Signal linear_signal(const std::vector<double>& coefficients, double offset) {
  using Code = Signal::Op::Code;
  std::vector<Signal::Op> tape;
  std::vector<Signal::Input> inputs;
  int sum = -1;
  const auto push = [&](Code code, int a, int b, double number) {
    Signal::Op op;
    op.code = code;
    op.a = a, op.b = b;
    op.number = number;
    tape.push_back(op);
    return static_cast<int>(tape.size()) - 1;
  };
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    Signal::Input input;
    input.kind = Signal::Input::Kind::row;
    inputs.push_back(input);
    const int x = push(Code::input, static_cast<int>(k), -1, 0), c = push(Code::constant, -1, -1, coefficients[k]);
    const int term = push(Code::multiply, x, c, 0);
    sum = sum < 0 ? term : push(Code::add, sum, term, 0);
  }
  const int c = push(Code::constant, -1, -1, offset);
  push(Code::subtract, sum, c, 0);
  return Signal(std::move(tape), std::move(inputs), "");
}

}  // namespace

BoundSignal linear_rows(const std::vector<int>& rows, const std::vector<double>& coefficients, double offset) {
  std::vector<BoundSignal::Reading> readings;
  for (int row : rows) readings.push_back({Signal::Input::Kind::row, {{row, 1.0}}});
  return BoundSignal(linear_signal(coefficients, offset), std::move(readings));
}

bool vanishes(const Plan& plan, const Marker& A, const Marker& B, const RelationPlan& measure, double& value) {
  Marker a = A, b = B;
  orient(measure, a, b);
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto pose = [&](int body) {
    Pose p;
    p.R = Mat3<>::identity();
    const FrameMap& map = plan.layout.bodies[static_cast<std::size_t>(body)];
    if (!map.moves()) return p;
    for (int k = 0; k < (map.flat() ? 2 : 3); ++k) p.p[k] = number(random);
    if (map.flat()) p.R = matrix_of(rotation_of({0, 0, 3 * number(random)}, Chart::exponential));
    else if (map.can_turn())
      p.R = matrix_of(rotation_of({2 * number(random), 2 * number(random), 2 * number(random)}, Chart::exponential));
    return p;
  };
  const auto size = [&](int body, const Vec3<>& F, const Vec3<>& m) {
    const FrameMap& map = plan.layout.bodies[static_cast<std::size_t>(body)];
    if (!map.moves()) return 0.0;
    if (map.flat()) return std::abs(F[0]) + std::abs(F[1]) + std::abs(m[2]);
    return norm(F) + (map.can_turn() ? norm(m) : 0.0);
  };
  for (int trial = 0; trial < 4; ++trial) {
    const Pose PA = pose(a.body), PB = pose(b.body);
    Frame<> FA, FB;
    FA.R = PA.R * a.R, FB.R = PB.R * b.R;
    FA.p = PA.p + PA.R * a.s, FB.p = PB.p + PB.R * b.s;
    const RelationRow<> row = calc_relation(measure.relation, FA, FB);
    value = row.value;
    if (size(a.body, row.F, cross(FB.p - PA.p, row.F) + row.M) + size(b.body, row.F, cross(FB.p - PB.p, row.F) + row.M) > 1e-10)
      return false;
  }
  return true;
}

int add_row(Plan& plan, const Marker& A, const Marker& B, const RelationPlan& measure, std::optional<Target> target) {
  Marker a = A, b = B;
  orient(measure, a, b);
  const auto same = [](const Marker& x, const Marker& y) { return x.body == y.body && x.s.x == y.s.x && x.R.m == y.R.m; };
  Links::Item* item = nullptr;
  for (Links::Item& it : plan.space.links) {
    if (!it.course && same(it.A, a) && same(it.B, b)) item = &it;
  }
  if (item == nullptr) {
    plan.space.links.push_back({a, b, {}});
    item = &plan.space.links.back();
  }
  for (const Links::Row& r : item->rows) {
    if (!target && !r.target && r.relation.kind == measure.relation.kind && r.relation.i == measure.relation.i &&
        r.relation.j == measure.relation.j && r.scale == measure.scale) {
      use_row(plan, r.row);
      return r.row;
    }
  }
  Links::Row row;
  row.relation = measure.relation;
  row.scale = measure.scale;
  row.target = std::move(target);
  row.row = plan.numbers.row(a, b);
  if (measure.relation.counts_turns()) row.mark = plan.numbers.marks(Links::kMarks);
  item->rows.push_back(row);
  return row.row;
}

int add_combination(Plan& plan, BoundSignal value, bool curved) {
  for (const BoundSignal::Reading& r : value.readings()) {
    for (const auto& [row, factor] : r.terms) {
      if (r.kind == Signal::Input::Kind::row) use_row(plan, row);
    }
  }
  const int row = plan.layout.rows.add(Combinations::columns(value, plan.layout.rows));
  plan.space.combinations.push_back({std::move(value), row, curved});
  return row;
}

void hold_row(Plan& plan, int row, const std::string& owner, const std::string& name, int account) {
  plan.layout.held.push_back({row, owner, name, account});
}

void offer_motion(Plan& plan, const std::string& joint, const RelationPlan& measure, int row) {
  const std::string name = joint + "." + measure.name, rate = joint + "." + rate_name(measure);
  const bool rotary = measure.relation.rotary();
  plan.space.motions[name] = {row, rotary};
  plan.names.offer(name, Signal::Input::Kind::row, {{row, 1.0}});
  plan.names.offer(rate, Signal::Input::Kind::row_rate, {{row, 1.0}});
  plan.channel(name, rotary ? "rad" : "m", "motion of the joint");
  plan.channel(rate, rotary ? "rad/s" : "m/s", "rate of the motion");
  plan.motion_rows.push_back(row);
}

namespace {
/// What scalar coordinates move is offered with them.
bool offered_late(const Plan& plan, const SpaceBodyPlan& b) { return b.frame || b.body.v >= plan.layout.ground; }
}  // namespace

std::vector<std::string> body_channels(const Plan& plan) {
  std::vector<std::string> names;
  for (const SpaceBodyPlan& b : plan.space.bodies) {
    if (!offered_late(plan, b)) continue;
    for (const char* quantity : {".position", ".velocity"}) {
      for (const char* axis : {".x", ".y", ".z"}) names.push_back(b.name + quantity + axis);
    }
  }
  return names;
}

bool offer_body(Plan& plan, const std::string& name) {
  for (const SpaceBodyPlan& b : plan.space.bodies) {
    if (!offered_late(plan, b)) continue;
    for (int k = 0; k < 3; ++k) {
      const std::string axis = std::string(".") + "xyz"[k];
      const bool position = name == b.name + ".position" + axis, velocity = name == b.name + ".velocity" + axis;
      if (!position && !velocity) continue;
      const Vec3<> shown = b.node ? Vec3<>{} - b.center : Vec3<>{};  // of beams the axis, of bodies the centre of mass
      const int row =
          add_row(plan, Marker{}, Marker{b.body.body, shown, Mat3<>::identity()}, {{Relation::Kind::along, k, 0}, ""});
      plan.names.offer(b.name + ".position" + axis, Signal::Input::Kind::row, {{row, 1.0}});
      plan.names.offer(b.name + ".velocity" + axis, Signal::Input::Kind::row_rate, {{row, 1.0}});
      return true;
    }
  }
  return false;
}

}  // namespace bristle
