#include "bristle/core/state_motion.h"

namespace bristle {

void StateMotion::chart_rate(const double* step, double* rate, Chart chart) const {
  for (const FrameCoordinates& f : layout_->frames) {
    const int at = f.unknown + 3;
    const Vector3 w = increment_rate({step[at], step[at + 1], step[at + 2]}, {rate[at], rate[at + 1], rate[at + 2]}, chart);
    for (int i = 0; i < 3; ++i) rate[at + i] = w[static_cast<std::size_t>(i)];
  }
}

void StateMotion::move_frames(const State& x, double h, const double* rate, State& out, Chart chart) const {
  const double *q = x.q(), *v = x.v();
  double *oq = out.q(), *ov = out.v();
  for (const FrameCoordinates& f : layout_->frames) {
    const int iq = f.q, iv = f.v, r = f.unknown;
    for (int i = 0; i < 3; ++i) oq[iq + i] = q[iq + i] + h * rate[r + i];
    const Quaternion turn = rotation_of({h * rate[r + 3], h * rate[r + 4], h * rate[r + 5]}, chart);
    const Quaternion moved = normalised(product({q[iq + 3], q[iq + 4], q[iq + 5], q[iq + 6]}, turn));
    for (int i = 0; i < 4; ++i) oq[iq + 3 + i] = moved[static_cast<std::size_t>(i)];
    for (int i = 0; i < 6; ++i) ov[iv + i] = v[iv + i] + h * rate[free_ + r + i];
    for (int i = 0; i < f.more; ++i) {
      oq[iq + 7 + i] = q[iq + 7 + i] + h * rate[r + 6 + i];
      ov[iv + 6 + i] = v[iv + 6 + i] + h * rate[free_ + r + 6 + i];
    }
  }
}

void StateMotion::shift(State& x, const double* by) const {
  for (int i = 0; i < layout_->scalars; ++i) x.q()[i] += by[i];
  for (const FrameCoordinates& f : layout_->frames) {
    double* q = x.q() + f.q;
    const double* d = by + f.v;
    for (int i = 0; i < 3; ++i) q[i] += d[i];
    const Quaternion turn = rotation_of({d[3], d[4], d[5]}, Chart::exponential);
    const Quaternion moved = normalised(product({q[3], q[4], q[5], q[6]}, turn));
    for (std::size_t i = 0; i < 4; ++i) q[3 + i] = moved[i];
    for (int i = 0; i < f.more; ++i) q[7 + i] += d[6 + i];
  }
}

void StateMotion::difference(const State& from, const State& to, double* step, Chart chart) const {
  const int n = layout_->scalars, free = free_;
  for (int i = 0; i < n; ++i) step[i] = to.q()[i] - from.q()[i];
  for (int i = 0; i < free; ++i) {
    const int k = layout_->v_index(i);
    step[free + i] = to.v()[k] - from.v()[k];
  }
  for (int i = 0; i < layout_->sizes.z; ++i) step[2 * free + i] = to.z()[i] - from.z()[i];
  for (const FrameCoordinates& f : layout_->frames) {
    const int iq = f.q, r = f.unknown;
    const double *a = from.q() + iq, *b = to.q() + iq;
    for (int i = 0; i < 3; ++i) step[r + i] = b[i] - a[i];
    const Vector3 turn = increment_of(product(conjugate({a[3], a[4], a[5], a[6]}), {b[3], b[4], b[5], b[6]}), chart);
    for (int i = 0; i < 3; ++i) step[r + 3 + i] = turn[static_cast<std::size_t>(i)];
    for (int i = 0; i < f.more; ++i) step[r + 6 + i] = b[7 + i] - a[7 + i];
  }
}

}  // namespace bristle
