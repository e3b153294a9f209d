#include "bristle/body/beam.h"

#include <cmath>
#include <utility>

#include "bristle/body/beam_parts.h"
#include "bristle/math/wide.h"

namespace bristle {

namespace {

constexpr double kLargestTurn = -0.8660254037844387;  // cosine of 150 degrees between the sections of one element

}  // namespace

BRISTLE_WIDE void sandwich(const BeamRows& A, double by, const Mat6& C, const BeamRows& B, BeamBlock& out) {
  using Row = WideRow<12>;
  double CB[6][12];
  for (int i = 0; i < 6; ++i) {
    Row row{};
    for (int l = 0; l < 6; ++l) {
      const double c = C[static_cast<std::size_t>(6 * i + l)];
      if (c != 0) row.add(by * c, &B[static_cast<std::size_t>(12 * l)]);
    }
    row.store(CB[i]);
  }
  // displacements of the two nodes count with opposite signs: the first three rows follow from the third three
  for (int r = 3; r < 12; ++r) {
    Row row{};
    for (int i = 0; i < 6; ++i) row.add(A[static_cast<std::size_t>(12 * i + r)], CB[i]);
    row.store(&out[static_cast<std::size_t>(12 * r)]);
  }
  for (std::size_t k = 0; k < 36; ++k) out[k] = -out[72 + k];
}

Beams::Beams(std::vector<Beam> beams) : beams_(std::move(beams)) {
  for (const Beam& b : beams_) outputs_ += static_cast<int>(channels(b).size());
}

void Beams::calc_forces(Eval& e) const {
  double force[12];
  for (const Beam& beam : beams_) {
    double power = 0;
    for (const BeamElement& el : beam.elements) {
      const Mat3<>&R1 = e.pose[el.end[0].body].R, &R2 = e.pose[el.end[1].body].R;
      const BeamForm form = calc_beam_form(el, e.pose[el.end[0].body], e.pose[el.end[1].body]);
      const BeamStep step(el, form, form);
      Vec6 strain = step.strain(1);
      if (el.damping > 0) {
        const Vec6 rate = strain_rate(el, step, R1, R2, e.v);
        power += el.length * el.damping * product(rate, times(el.C, rate));
        strain = sum(1, strain, el.damping, rate);
      }
      step.resist(times(el.C, strain), R1, R2, force);
      push(el, force, -1, e.f);
    }
    if (beam.account >= 0) e.power[beam.account] = power;
  }
}

void Beams::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  BeamBlock K;
  for (const Beam& beam : beams_) {
    for (const BeamElement& el : beam.elements) {
      const Mat3<> R[2] = {e.pose[el.end[0].body].R, e.pose[el.end[1].body].R};
      const BeamForm form = calc_beam_form(el, e.pose[el.end[0].body], e.pose[el.end[1].body]);
      const BeamStep step(el, form, form);
      Vec6 strain = step.strain(1);
      if (el.damping > 0) strain = sum(1, strain, el.damping, strain_rate(el, step, R[0], R[1], e.v));
      step.tangent(times(el.C, strain), 0.5, R, R, R, -2, K);
      if (el.damping > 0) {
        BeamRows B, slope;
        BeamBlock more;
        step.rows(R[0], R[1], B);
        const Vec3<> v1 = vec3(e.v + el.end[0].v), v2 = vec3(e.v + el.end[1].v);
        const Vec3<> w1 = R[0] * vec3(e.v + el.end[0].v + 3), w2 = R[1] * vec3(e.v + el.end[1].v + 3);
        step.rate_slope(v1, w1, v2, w2, R[0], R[1], slope);
        sandwich(B, -el.length * el.damping, el.C, slope, more);
        for (std::size_t i = 0; i < K.size(); ++i) K[i] += more[i];
        sandwich(B, -el.length * el.damping, el.C, B, more);
        emit(el, more, JacobianSink::Part::force_v, sink);
      }
      emit(el, K, JacobianSink::Part::force_q, sink);
    }
  }
}

double Beams::stored(const Eval& e, double*) const {
  double energy = 0;
  for (const Beam& beam : beams_) {
    for (const BeamElement& el : beam.elements) {
      const Vec6 strain = calc_beam_strain(el, calc_beam_form(el, e.pose[el.end[0].body], e.pose[el.end[1].body]));
      energy += 0.5 * el.length * product(strain, times(el.C, strain));
    }
  }
  return energy;
}

std::string Beams::node_name(int node, int elements) {
  return node == 0 ? "start" : node == elements ? "tip" : std::to_string(node);
}

std::vector<Channel> Beams::channels(const Beam& beam) {
  std::vector<Channel> list;
  const auto vector = [&](const std::string& name, const char* unit, const char* text, const char* axes = "xyz") {
    for (int k = 0; k < 3; ++k) list.push_back({name + "." + axes[k], unit, text});
  };
  const int n = static_cast<int>(beam.elements.size());
  for (int k = 0; k <= n; ++k) {
    const std::string node = beam.name + "." + node_name(k, n);
    vector(node + ".position", "m", "of the beam's axis at the node");
    for (const char* part : {"w", "x", "y", "z"})
      list.push_back({node + ".orientation." + part, "1", "unit quaternion from the section's axes to the world"});
    vector(node + ".velocity", "m/s", "of the beam's axis at the node");
    vector(node + ".angular_velocity", "rad/s", "angular velocity of the section in world axes");
  }
  for (int k = 1; k <= n; ++k) {
    const std::string element = beam.name + ".element." + std::to_string(k);
    vector(element + ".force", "N", "force in the section: 1 along the beam, 2 and 3 shear", "123");
    vector(element + ".moment", "N m", "moment in the section: 1 torsion, 2 and 3 bending", "123");
    vector(element + ".strain", "1", "1 stretch, 2 and 3 shear", "123");
    vector(element + ".curvature", "1/m", "1 twist, 2 and 3 bending, against the undeformed shape", "123");
  }
  return list;
}

void Beams::calc_outputs(const Eval& e, double* out) const {
  const auto put = [&](const Vec3<>& x) {
    for (int k = 0; k < 3; ++k) *out++ = x[k];
  };
  for (const Beam& beam : beams_) {
    for (const BeamElement::End& node : beam.nodes) {
      const Pose& pose = e.pose[node.body];
      const Vec3<> arm = pose.R * node.s;
      put(pose.p + arm);
      for (double x : quaternion_of(pose.R * node.E)) *out++ = x;
      put(pose.v + cross(pose.w, arm));
      put(pose.w);
    }
    for (const BeamElement& el : beam.elements) {
      const Pose &first = e.pose[el.end[0].body], &second = e.pose[el.end[1].body];
      const BeamForm form = calc_beam_form(el, first, second);
      const BeamStep step(el, form, form);
      const Vec6 strain = step.strain(1);
      Vec6 all = strain;
      if (el.damping > 0) all = sum(1, strain, el.damping, strain_rate(el, step, first.R, second.R, e.v));
      for (double x : times(el.C, all)) *out++ = x;
      for (double x : strain) *out++ = x;
    }
  }
}

std::string Beams::trouble(const Eval& e) const {
  for (const Beam& beam : beams_) {
    for (std::size_t k = 0; k < beam.elements.size(); ++k) {
      const BeamElement& el = beam.elements[k];
      const double c = calc_beam_form(el, e.pose[el.end[0].body], e.pose[el.end[1].body]).c;
      if (c < kLargestTurn)
        return "beam '" + beam.name + "': the ends of element " + std::to_string(k + 1) +
               " are turned by more than 150 degrees against each other. Use more elements";
    }
  }
  return {};
}

}  // namespace bristle
