#pragma once
#include <array>
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/measure/form.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/** A force per length along a beam, a bar or a cable, by three expressions of time and channels, in axes of the world or of the sections of
a beam: wind, thrust, weight of a fluid. Every node carries what acts on the halves of its elements. It supplies energy. */
class LineLoads final : public Block {
 public:
  struct Node {
    int body = 0, v = 0;
    Vec3<> s;           ///< [m] from its centre of mass to the axis of the beam
    double length = 0;  ///< [m] that it carries
    bool turns = true;  ///< a particle does not
  };
  struct Item {
    std::vector<Node> nodes;
    std::array<BoundSignal, 3> force{};  ///< [N/m]
    bool follows = false;                ///< components in section axes
    int account = 0;
  };
  explicit LineLoads(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      Vec3<> q;
      for (int k = 0; k < 3; ++k) q[k] = e.load_factor * it.force[static_cast<std::size_t>(k)].value(e);
      double power = 0;
      for (const Node& n : it.nodes) {
        const Mat3<>& R = e.pose[n.body].R;
        const Vec3<> F = n.length * (it.follows ? R * q : q);
        if (!n.turns) {
          for (int k = 0; k < 3; ++k) {
            e.f[n.v + k] += F[k];
            power += F[k] * e.v[n.v + k];
          }
          continue;
        }
        const Vec3<> M = transposed(R, cross(R * n.s, F));
        for (int k = 0; k < 3; ++k) {
          e.f[n.v + k] += F[k];
          e.f[n.v + 3 + k] += M[k];
          power += F[k] * e.v[n.v + k] + M[k] * e.v[n.v + 3 + k];
        }
      }
      e.power[it.account] = power;
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    emit(
        e, Part::force_q, [&](const Node& n, const Vec3<>& turn) { return turned(e.pose[n.body].R, turn); }, sink);
  }
  /// The force of the middle; the mean of the rotation matrices changes by half of what that at the end does.
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override {
    const auto by_step = [&](const Node& n, const Vec3<>& turn) {
      const Vec3<> rho = e.h * Vec3<>{{e.v[n.v + 3], e.v[n.v + 4], e.v[n.v + 5]}};
      return turned(e.pose_ends[1][n.body].R, (0.5 / (1 + 0.25 * dot(rho, rho))) * (turn - 0.5 * cross(rho, turn)));
    };
    emit(e, Part::force_step, by_step, sink);
  }
  int output_count() const override { return 3 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      for (const BoundSignal& q : it.force) *out++ = e.load_factor * q.value(e);
    }
  }

 private:
  using Part = JacobianSink::Part;

  /// turned_by(node, turn): derivative of the rotation matrix by a turn in body axes, or by an increment of one.
  template <class Turned>
  void emit(const Eval& e, Part by, const Turned& turned_by, JacobianSink& sink) const {
    using Kind = Signal::Input::Kind;
    for (const Item& it : items_) {
      Vec3<> q;
      double slope[3][BoundSignal::kMaxReadings] = {};
      for (int k = 0; k < 3; ++k) q[k] = it.force[static_cast<std::size_t>(k)].value(e, slope[k]);
      q = e.load_factor * q;
      for (const Node& n : it.nodes) {
        const Mat3<>& R = e.pose[n.body].R;
        const Vec3<> F0 = n.length * (it.follows ? R * q : q), arm = R * n.s;
        for (int c = 0; c < 3 && n.turns; ++c) {  // turn of the body
          Vec3<> turn;
          turn[c] = 1;
          const Mat3<> dR = turned_by(n, turn);
          const Vec3<> F = it.follows ? n.length * (dR * q) : Vec3<>{};
          const Vec3<> M = transposed(dR, cross(arm, F0)) + transposed(R, cross(dR * n.s, F0) + cross(arm, F));
          for (int r = 0; r < 3; ++r) {
            sink.add(by, n.v + r, n.v + 3 + c, F[r]);
            sink.add(by, n.v + 3 + r, n.v + 3 + c, M[r]);
          }
        }
        for (int k = 0; k < 3; ++k) {
          Vec3<> unit;
          unit[k] = e.load_factor * n.length;
          const Vec3<> F = it.follows ? R * unit : unit, M = transposed(R, cross(R * n.s, F));
          const auto& readings = it.force[static_cast<std::size_t>(k)].readings();
          for (std::size_t i = 0; i < readings.size(); ++i) {
            each_column(readings[i], e, [&](Kind kind, int column, double factor) {
              const Part part = kind == Kind::position ? Part::force_q : kind == Kind::velocity ? Part::force_v : Part::force_z;
              for (int r = 0; r < 3; ++r) {
                sink.add(part, n.v + r, column, F[r] * factor * slope[k][i]);
                if (n.turns) sink.add(part, n.v + 3 + r, column, M[r] * factor * slope[k][i]);
              }
            });
          }
        }
      }
    }
  }

  static Mat3<> turned(const Mat3<>& R, const Vec3<>& turn) {
    Mat3<> skew;
    skew(0, 1) = -turn[2], skew(0, 2) = turn[1];
    skew(1, 0) = turn[2], skew(1, 2) = -turn[0];
    skew(2, 0) = -turn[1], skew(2, 1) = turn[0];
    return R * skew;
  }
  std::vector<Item> items_;
};

}  // namespace bristle
