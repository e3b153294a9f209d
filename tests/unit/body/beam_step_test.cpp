// Beams over whole steps: a small integrator of free beams, written here, that uses what the block gives for energy schemes.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "bristle/body/beam.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Dice;
using M3 = Eigen::Matrix3d;
using V3 = Eigen::Vector3d;

M3 skew(const V3& a) {
  M3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}
M3 cayley(const V3& r) { return (M3::Identity() - 0.5 * skew(r)).inverse() * (M3::Identity() + 0.5 * skew(r)); }
Mat3<> to_mat3(const M3& A) {
  Mat3<> B;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) B(i, j) = A(i, j);
  }
  return B;
}
Vec3<> to_vec3(const V3& a) { return {{a[0], a[1], a[2]}}; }

struct Node {
  double mass = 1;
  M3 J = M3::Identity();
  V3 x = V3::Zero(), v = V3::Zero(), w = V3::Zero();
  M3 R = M3::Identity();
};

class Sink final : public JacobianSink {
 public:
  explicit Sink(int n) {
    for (MatrixXd& m : part) m = MatrixXd::Zero(n, n);
  }
  void add(Part p, int row, int column, double value) override {
    ASSERT_GE(p, Part::force_step);
    part[static_cast<int>(p) - static_cast<int>(Part::force_step)](row, column) += value;
  }
  MatrixXd part[4];
};

/// Free beams: nodes, elements, loads at the middle of a step (generalised: world force, world moment per node).
struct FreeBeam {
  std::vector<Node> nodes;
  std::vector<BeamElement> elements;
  std::function<VectorXd(double)> load;  ///< of the time of the middle
  double t = 0, work = 0, numerical = 0, damped = 0;
  int worst_iterations = 0;

  int size() const { return 6 * static_cast<int>(nodes.size()); }

  double kinetic(const VectorXd* velocities = nullptr) const {
    double E = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(6 * k);
      const V3 v = velocities ? V3(velocities->segment<3>(at)) : nodes[k].v,
               w = velocities ? V3(velocities->segment<3>(at + 3)) : nodes[k].w;
      E += 0.5 * nodes[k].mass * v.squaredNorm() + 0.5 * w.dot(nodes[k].J * w);
    }
    return E;
  }
  std::vector<Pose> poses() const {
    std::vector<Pose> list;
    for (const Node& n : nodes) list.push_back({to_mat3(n.R), to_vec3(n.x), {}, {}});
    return list;
  }
  double stored() const {
    double E = 0;
    const std::vector<Pose> pose = poses();
    for (const BeamElement& el : elements) {
      const Vec6 e = calc_beam_strain(
          el, calc_beam_form(el, pose[static_cast<std::size_t>(el.end[0].body)], pose[static_cast<std::size_t>(el.end[1].body)]));
      E += 0.5 * el.length * product(e, times(el.C, e));
    }
    return E;
  }
  double energy() const { return kinetic() + stored(); }
  V3 momentum() const {
    V3 p = V3::Zero();
    for (const Node& n : nodes) p += n.mass * n.v;
    return p;
  }
  V3 angular_momentum() const {
    V3 L = V3::Zero();
    for (const Node& n : nodes) L += n.mass * n.x.cross(n.v) + n.R * n.J * n.w;
    return L;
  }
  V3 end(int element, int I) const {
    const BeamElement::End& e = elements[static_cast<std::size_t>(element)].end[I];
    const Node& n = nodes[static_cast<std::size_t>(e.body)];
    return n.x + n.R * V3(e.s[0], e.s[1], e.s[2]);
  }

  /// One step: a = 0 energy-preserving, 1/6 energy-decaying.
  void step(double h, double a) {
    const int n = size();
    Beams::Beam beam;
    beam.name = "beam";
    beam.elements = elements;
    for (const BeamElement& el : elements) beam.account = el.damping > 0 ? 0 : beam.account;
    const Beams block({beam});
    VectorXd step = VectorXd::Zero(n), jump(n), start(n);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(6 * k);
      start.segment<3>(at) = nodes[k].v;
      start.segment<3>(at + 3) = nodes[k].w;
    }
    jump = start;
    step = h * start;
    const std::vector<Pose> pose0 = poses();
    std::vector<Pose> pose1 = pose0, middle = pose0;
    VectorXd f(n), impulse(n), rate(n);
    double power = 0, taken = 0;
    StepEval e;
    std::vector<double> room(static_cast<std::size_t>(block.step_room()));
    e.room = room.data();
    e.h = h;
    e.pose_ends[0] = pose0.data(), e.pose_ends[1] = pose1.data();
    e.jump = a;
    e.t = t + 0.5 * h;
    e.pose = middle.data();
    const VectorXd loads = load ? load(t + 0.5 * h) : VectorXd::Zero(n);
    const auto ends = [&] {
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto at = static_cast<Eigen::Index>(6 * k);
        const M3 R1 = nodes[k].R * cayley(step.segment<3>(at + 3));
        pose1[k] = {to_mat3(R1), to_vec3(nodes[k].x + step.segment<3>(at)), {}, {}};
        middle[k] = {to_mat3(0.5 * (nodes[k].R + R1)), to_vec3(nodes[k].x + 0.5 * step.segment<3>(at)), {}, {}};
      }
    };
    const auto residual = [&](VectorXd& r) {
      ends();
      f.setZero(), impulse.setZero();
      taken = 0;
      rate = step / h;
      e.v = rate.data(), e.f = f.data(), e.power = &power;
      e.v_jump = a > 0 ? jump.data() : nullptr;
      e.impulse = impulse.data(), e.numerical = &taken;
      block.calc_step(e);
      r.resize(2 * n);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto at = static_cast<Eigen::Index>(6 * k);
        const Node& node = nodes[k];
        const V3 rho = step.segment<3>(at + 3), vj = jump.segment<3>(at), wj = jump.segment<3>(at + 3);
        const V3 vf = 2 / h * step.segment<3>(at) - vj, wf = 2 / h * rho - wj;
        const M3 A = (M3::Identity() - 0.5 * skew(rho)).inverse();  // mean rotation from the start
        const M3 R1 = node.R * cayley(rho);
        r.segment<3>(at) = node.mass * (vf - vj) / h - f.segment<3>(at) - loads.segment<3>(at);
        r.segment<3>(at + 3) =
            (node.R * A).transpose() * ((R1 * node.J * wf - node.R * node.J * wj) / h - loads.segment<3>(at + 3)) -
            f.segment<3>(at + 3);
        r.segment<3>(n + at) = node.mass * (vj - V3(start.segment<3>(at))) - impulse.segment<3>(at);
        r.segment<3>(n + at + 3) = node.J * (wj - V3(start.segment<3>(at + 3))) - impulse.segment<3>(at + 3);
      }
    };
    VectorXd r;
    residual(r);
    int pass = 0;
    double last = 1e300;
    for (; pass < 40; ++pass) {
      MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
      Sink sink(n);
      block.calc_step_jacobian(e, sink);
      A.topLeftCorner(n, n) = -sink.part[0];
      A.topRightCorner(n, n) = -sink.part[1];
      A.bottomLeftCorner(n, n) = -sink.part[2];
      A.bottomRightCorner(n, n) = -sink.part[3];
      // inertia, node by node, by differences of what is left of the residual without beams
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto at = static_cast<Eigen::Index>(6 * k);
        const Node& node = nodes[k];
        const auto inertia = [&](const VectorXd& y) {  // step, jump of one node
          VectorXd g(12);
          const V3 rho = y.segment<3>(3), vj = y.segment<3>(6), wj = y.segment<3>(9);
          const V3 vf = 2 / h * y.segment<3>(0) - vj, wf = 2 / h * rho - wj;
          const M3 B = (M3::Identity() - 0.5 * skew(rho)).inverse();
          g.segment<3>(0) = node.mass * (vf - vj) / h;
          g.segment<3>(3) = (node.R * B).transpose() *
                            ((node.R * cayley(rho) * node.J * wf - node.R * node.J * wj) / h - loads.segment<3>(at + 3));
          g.segment<3>(6) = node.mass * vj;
          g.segment<3>(9) = node.J * wj;
          return g;
        };
        VectorXd y(12);
        y << step.segment<6>(at), jump.segment<6>(at);
        for (int c = 0; c < 12; ++c) {
          VectorXd p = y, q = y;
          const double d = 1e-6 * std::max(1.0, std::abs(y[c]));
          p[c] += d, q[c] -= d;
          const VectorXd slope = (inertia(p) - inertia(q)) / (2 * d);
          const Eigen::Index column = c < 6 ? at + c : n + at + c - 6;
          for (int i = 0; i < 12; ++i) A(i < 6 ? at + i : n + at + i - 6, column) += slope[i];
        }
      }
      const VectorXd x = A.partialPivLu().solve(-r);
      step += x.head(n);
      jump += x.tail(n);
      residual(r);
      const double now = x.cwiseAbs().maxCoeff();
      if (now < 1e-13 || (now < 1e-10 && now >= 0.5 * last)) break;
      last = now;
    }
    EXPECT_LT(pass, 20) << "the iteration does not converge";
    worst_iterations = std::max(worst_iterations, pass + 1);
    // what happened
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(6 * k);
      Node& node = nodes[k];
      const V3 rho = step.segment<3>(at + 3), dv = V3(jump.segment<3>(at)) - node.v, dw = V3(jump.segment<3>(at + 3)) - node.w;
      work += loads.segment<3>(at).dot(step.segment<3>(at)) + loads.segment<3>(at + 3).dot(node.R * rho);
      taken += 0.5 * node.mass * dv.squaredNorm() + 0.5 * dw.dot(node.J * dw);
      node.v = 2 / h * step.segment<3>(at) - V3(jump.segment<3>(at));
      node.w = 2 / h * rho - V3(jump.segment<3>(at + 3));
      node.x += step.segment<3>(at);
      node.R = node.R * cayley(rho);
    }
    numerical += taken;
    damped += power * h;
    t += h;
  }
};

Mat6 diagonal(const Vec6& d) {
  Mat6 C{};
  for (std::size_t i = 0; i < 6; ++i) C[7 * i] = d[i];
  return C;
}

FreeBeam straight(const V3& from, const V3& to, int count, const Vec6& stiffness, double mass, const V3& rotary) {
  FreeBeam beam;
  const V3 along = (to - from).normalized(), third = V3::UnitZ();
  M3 R;
  R << along, third.cross(along), third;
  const double L = (to - from).norm() / count;
  for (int k = 0; k <= count; ++k) {
    Node n;
    const double share = k == 0 || k == count ? 0.5 : 1;
    n.mass = share * mass * L;
    n.J = (share * L * rotary).asDiagonal();
    n.x = from + k * L * along;
    n.R = R;
    beam.nodes.push_back(n);
  }
  for (int k = 0; k < count; ++k) {
    BeamElement el;
    for (int I = 0; I < 2; ++I) el.end[I].body = k + I, el.end[I].v = 6 * (k + I);
    el.length = L;
    el.C = diagonal(stiffness);
    el.at_rest = {1, 0, 0, 0, 0, 0};
    beam.elements.push_back(el);
  }
  return beam;
}

FreeBeam soft_beam() {
  FreeBeam b = straight(V3::Zero(), V3(4, 0, 0), 4, {100, 50, 50, 8, 10, 12}, 1, V3(0.4, 0.2, 0.2));
  for (Node& n : b.nodes) {
    const double X = n.x[0], pi = std::acos(-1.0);
    n.v = V3(0, 1.5 * (X - 2) + 0.3 * std::sin(pi * X / 4), 0.4 * std::cos(pi * X / 4));
    n.w = V3(X / 8, 0.2, 1.5);
  }
  return b;
}

void expect_vector(const V3& got, const V3& want, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(got[i], want[i], tolerance) << "component " << i;
}

// Reference numbers of the soft free beam come from an independent program; ten digits of them.
TEST(BeamStep, soft_free_beam_energy_preserving) {
  FreeBeam b = soft_beam();
  EXPECT_NEAR(b.energy(), 7.98475, 1e-12);
  const V3 L = b.angular_momentum(), p = b.momentum();
  expect_vector(L, V3(0.4, 1.525685424949, 11.648528137424), 1e-11);
  b.step(0.05, 0);
  expect_vector(b.nodes[4].x, V3(3.999744661683, 0.150549835544, -0.020137668172), 1e-11);
  for (int k = 1; k < 40; ++k) b.step(0.05, 0);
  expect_vector(b.nodes[4].x, V3(-0.02207262029, 0.987462783496, 0.088509663163), 2e-10);
  EXPECT_NEAR(b.stored(), 0.831122009600, 1e-10);
  EXPECT_NEAR(b.energy(), 7.98475, 1e-12);
  expect_vector(b.angular_momentum(), L, 1e-12);
  expect_vector(b.momentum(), p, 1e-13);
  EXPECT_LE(b.worst_iterations, 8);
}

TEST(BeamStep, soft_free_beam_energy_decaying) {
  FreeBeam b = soft_beam();
  const V3 L = b.angular_momentum(), p = b.momentum();
  const double E0 = b.energy();
  b.step(0.05, 1.0 / 6);
  expect_vector(b.nodes[4].x, V3(3.999904513232, 0.150446875529, -0.020141110154), 1e-11);
  EXPECT_NEAR(b.energy(), 7.984390550949, 1e-11);
  double before = b.energy();
  for (int k = 1; k < 40; ++k) {
    b.step(0.05, 1.0 / 6);
    EXPECT_LT(b.energy(), before);
    before = b.energy();
  }
  expect_vector(b.nodes[4].x, V3(-0.015338096423, 0.986091974133, 0.088559043562), 2e-10);
  EXPECT_NEAR(b.energy(), 7.972526055337, 1e-10);
  EXPECT_NEAR(b.energy() + b.numerical, E0, 2e-13);  // the loss is what the scheme says it takes
  expect_vector(b.angular_momentum(), L, 1e-12);
  expect_vector(b.momentum(), p, 1e-13);
}

FreeBeam flying_beam(bool residual) {
  Vec6 C{1e4, 1e4, 1e4, 500, 500, 500};
  if (residual) C[1] = C[2] = 1 / (1 / 1e4 + 1.0 / (12 * 500));  // elements of length 1
  FreeBeam b = straight(V3(6, 0, 0), V3(0, 8, 0), 10, C, 1, V3(20, 10, 10));
  const int n = b.size();
  b.load = [n](double t) {
    VectorXd f = VectorXd::Zero(n);
    const double T = t < 2.5 ? 80 * t : t < 5 ? 80 * (5 - t) : 0;
    f[0] = T / 10;
    f[4] = -T / 2;
    f[5] = -T;
    return f;
  };
  return b;
}

TEST(BeamStep, stiff_flying_beam_energy_preserving) {
  FreeBeam b = flying_beam(false);
  for (int k = 0; k < 50; ++k) b.step(0.1, 0);
  EXPECT_NEAR(b.energy(), 724.177997555625, 1e-8);
  EXPECT_NEAR(b.work, b.energy(), 1e-10);
  expect_vector(b.nodes[0].x, V3(19.189548996436, 1.828727318629, -2.374464629411), 1e-9);
  expect_vector(b.nodes[10].x, V3(13.020184447908, 6.722883866573, 3.14900620767), 1e-9);
  for (int k = 50; k < 100; ++k) b.step(0.1, 0);
  expect_vector(b.nodes[0].x, V3(41.835379419032, 4.079353526471, -4.772656861389), 1e-8);
  expect_vector(b.momentum(), V3(50, 0, 0), 1e-10);
  expect_vector(b.angular_momentum(), V3(0, -308.444262, -531.886995), 1e-5);
}

TEST(BeamStep, stiff_flying_beam_energy_decaying) {
  FreeBeam b = flying_beam(false);
  for (int k = 0; k < 50; ++k) b.step(0.1, 1.0 / 6);
  EXPECT_NEAR(b.energy(), 722.558391333521, 1e-8);
  EXPECT_NEAR(b.work, 723.047000223566, 1e-8);
  EXPECT_NEAR(b.energy() + b.numerical, b.work, 1e-10);
  for (int k = 50; k < 100; ++k) b.step(0.1, 1.0 / 6);
  EXPECT_NEAR(b.energy(), 721.649851594594, 1e-8);
  expect_vector(b.nodes[0].x, V3(41.874570272245, 4.079232377028, -4.770290884908), 1e-8);
}

TEST(BeamStep, stiff_flying_beam_with_residual_flexibility) {
  for (double a : {0.0, 1.0 / 6}) {
    FreeBeam b = flying_beam(true);
    for (int k = 0; k < 50; ++k) b.step(0.1, a);
    EXPECT_NEAR(b.energy(), a == 0 ? 723.623541912358 : 721.995218446709, 1e-8);
  }
}

/// Stretching of one element is a linear oscillator: the scheme multiplies it by a known matrix.
TEST(BeamStep, an_axial_oscillation_is_multiplied_as_in_the_time_discontinuous_galerkin_method) {
  struct Row {
    double x, u, v;
  };
  for (const Row& row : {Row{1, 0.53658537, -0.82926829}, Row{2, -0.29411765, -1.64705882}}) {
    FreeBeam b = straight(V3::Zero(), V3(1, 0, 0), 1, {1, 1, 1, 1, 1, 1}, 2, V3(1, 1, 1));
    const double frequency = std::sqrt(2.0);  // two masses of 1 on a spring of 1
    const double h = row.x / frequency;
    b.nodes[0].x[0] = -0.05;
    b.nodes[1].x[0] = 1.05;
    b.step(h, 1.0 / 6);
    EXPECT_NEAR((b.nodes[1].x - b.nodes[0].x).norm() - 1, 0.1 * row.u, 1e-9);
    EXPECT_NEAR(h * (b.nodes[1].v - b.nodes[0].v)[0], 0.1 * row.v, 1e-9);
  }
}

TEST(BeamStep, energy_balance_with_offsets_curvature_damping_and_any_step) {
  Dice dice(11);
  for (double a : {0.0, 0.0857864376, 1.0 / 6}) {
    FreeBeam b = straight(V3::Zero(), V3(3, 0, 0), 3, {300, 150, 150, 12, 10, 14}, 1, V3(0.3, 0.2, 0.25));
    // turn the node axes and move the centres of mass: the ends stand off them
    for (BeamElement& el : b.elements) {
      el.damping = 0.01;
      el.at_rest[5] = 0.1;
    }
    for (std::size_t k = 0; k < b.nodes.size(); ++k) {
      const V3 s(0.05 * static_cast<double>(k), 0.1, -0.04);
      const M3 Q = cayley(V3(0.3, -0.2, 0.5));
      Node& n = b.nodes[k];
      const M3 section = n.R;
      n.R = n.R * Q;
      n.x -= n.R * s;
      for (BeamElement& el : b.elements) {
        for (BeamElement::End& end : el.end) {
          if (end.body != static_cast<int>(k)) continue;
          end.s = to_vec3(s);
          end.E = to_mat3(n.R.transpose() * section);
        }
      }
      n.v = V3(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1));
      n.w = V3(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1));
    }
    const V3 L = b.angular_momentum(), p = b.momentum();
    const double E = b.energy();
    for (double h : {0.01, 0.05, 0.2, 0.02, 0.1}) b.step(h, a);
    EXPECT_NEAR(b.energy() + b.numerical + b.damped, E, 1e-12 * E);
    EXPECT_GT(b.damped, 0);
    expect_vector(b.angular_momentum(), L, 1e-12);
    expect_vector(b.momentum(), p, 1e-12);
    EXPECT_LE(b.worst_iterations, 10);
  }
}

}  // namespace
}  // namespace bristle
