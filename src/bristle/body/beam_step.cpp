// Beams over a whole step of an energy scheme.
#include "bristle/body/beam.h"
#include "bristle/body/beam_parts.h"
#include "bristle/core/step_room.h"

namespace bristle {

namespace {

using Part = JacobianSink::Part;

/// Rotation at the end of a step, in world axes, from the change of its Cayley vector in body axes.
Mat3<> turn_of(const Mat3<>& R_start, const Vec3<>& rho) {
  const double scale = 1 / (1 + 0.25 * dot(rho, rho));
  Mat3<> T;
  for (int i = 0; i < 3; ++i) T(i, i) = scale;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    T(i, j) = -0.5 * scale * rho[k];
    T(j, i) = 0.5 * scale * rho[k];
  }
  return R_start * T;
}

/// An element over a step of an energy scheme; stays where it is made.
struct StepForm {
  BeamForm start, end;
  BeamStep step;
  Vec3<> rho[2];
  Vec6 change;  ///< of the strains
  Vec6 stress;  ///< that acts over the step

  StepForm(const BeamElement& el, const StepEval& e)
      : start(calc_beam_form(el, e.pose_ends[0][el.end[0].body], e.pose_ends[0][el.end[1].body])),
        end(calc_beam_form(el, e.pose_ends[1][el.end[0].body], e.pose_ends[1][el.end[1].body])),
        step(el, start, end) {
    for (int I = 0; I < 2; ++I) rho[I] = e.h * vec3(e.v + el.end[I].v + 3);
    const Mat3<>&R1 = e.pose[el.end[0].body].R, &R2 = e.pose[el.end[1].body].R;
    change = step.increment(e.h * vec3(e.v + el.end[0].v), R1 * rho[0], e.h * vec3(e.v + el.end[1].v), R2 * rho[1]);
    const Vec6 middle = sum(0.5, step.strain(0), 0.5, step.strain(1));
    stress = sum(1, middle, el.damping / e.h, change);
  }
};

/// The same with a jump.
struct JumpForm : StepForm {
  BeamStep at_start;  ///< where the jump acts
  Vec6 rate;          ///< of the strains, after the jump

  JumpForm(const BeamElement& el, const StepEval& e)
      : StepForm(el, e),
        at_start(el, start, start),
        rate(strain_rate(el, at_start, e.pose_ends[0][el.end[0].body].R, e.pose_ends[0][el.end[1].body].R, e.v_jump)) {
    const double a = e.jump;
    stress = sum(1, stress, 1, sum(2 * a * a, change, a * (1 - 2 * a) * e.h, rate));
  }
};
constexpr int kRoom = room_for<JumpForm>();
// elements: what is known of more of them does not stay in the caches, and is found out sooner than read
constexpr int kKept = 1000;

}  // namespace

int Beams::step_room() const {
  std::size_t count = 0;
  for (const Beam& beam : beams_) count += beam.elements.size();
  return count > kKept ? 0 : kRoom * static_cast<int>(count);
}

void Beams::calc_step(StepEval& e) const {
  double force[12], own[kRoom];
  const bool keeps = step_room() > 0;
  double* room = keeps ? e.room + room_ : own;
  for (const Beam& beam : beams_) {
    double power = 0;
    for (const BeamElement& el : beam.elements) {
      const Mat3<>&R1 = e.pose[el.end[0].body].R, &R2 = e.pose[el.end[1].body].R;
      const StepForm& form = e.jump > 0 ? make_in_room<JumpForm>(room, el, e) : make_in_room<StepForm>(room, el, e);
      if (el.damping > 0) power += el.length * el.damping * product(form.change, times(el.C, form.change)) / (e.h * e.h);
      if (e.jump > 0) {
        const double a = e.jump;
        const auto& jump = in_room<JumpForm>(room);
        const Mat3<>&S1 = e.pose_ends[0][el.end[0].body].R, &S2 = e.pose_ends[0][el.end[1].body].R;
        const Vec6 lag = sum(1, form.change, -e.h, jump.rate);
        *e.numerical += 2 * a * a * el.length * product(lag, times(el.C, lag));
        jump.at_start.resist(times(el.C, sum(1, form.change, 2 * a, lag)), S1, S2, force);
        push(el, force, a * e.h, e.impulse);
      }
      form.step.resist(times(el.C, form.stress), R1, R2, force);
      push(el, force, -1, e.f);
      if (keeps) room += kRoom;
    }
    if (beam.account >= 0) e.power[beam.account] = power;
  }
}

void Beams::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  BeamBlock K;
  double own[kRoom];
  const bool keeps = step_room() > 0;
  double* room = keeps ? e.room + room_ : own;
  for (const Beam& beam : beams_) {
    for (const BeamElement& el : beam.elements) {
      const auto at = [&](int end, int I) -> const Mat3<>& { return e.pose_ends[end][el.end[I].body].R; };
      const Mat3<> R[2] = {e.pose[el.end[0].body].R, e.pose[el.end[1].body].R}, R_end[2] = {at(1, 0), at(1, 1)};
      const double a = e.jump, h = e.h;
      if (!keeps && a > 0) make_in_room<JumpForm>(room, el, e);
      if (!keeps && !(a > 0)) make_in_room<StepForm>(room, el, e);
      const StepForm& form = a > 0 ? in_room<JumpForm>(room) : in_room<StepForm>(room);
      const Mat3<> turn[2] = {turn_of(at(0, 0), form.rho[0]), turn_of(at(0, 1), form.rho[1])};
      const double by_strain = 0.5 + 2 * a * a + el.damping / h;
      BeamRows middle, start, end;
      form.step.tangent(times(el.C, form.stress), by_strain, R, R_end, turn, -1, K, a > 0 ? &end : nullptr);
      emit(el, K, Part::force_step, sink);
      if (a > 0) {
        form.step.rows(R[0], R[1], middle);
        in_room<JumpForm>(room).at_start.rows(at(0, 0), at(0, 1), start);
        const double L = el.length;
        sandwich(middle, -L * a * (1 - 2 * a) * h, el.C, start, K);
        emit(el, K, Part::force_jump, sink);
        sandwich(start, L * a * (1 + 2 * a) * h, el.C, end, K);
        emit(el, K, Part::impulse_step, sink);
        sandwich(start, -2 * L * a * a * h * h, el.C, start, K);
        emit(el, K, Part::impulse_jump, sink);
      }
      if (keeps) room += kRoom;
    }
  }
}

}  // namespace bristle
