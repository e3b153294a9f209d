#pragma once
#include "bristle/body/beam_element.h"
#include "bristle/core/block.h"

// What beams need of their elements, at an instant and over a step.

namespace bristle {

inline Vec6 sum(double a, const Vec6& x, double b, const Vec6& y) {
  Vec6 z;
  for (std::size_t i = 0; i < 6; ++i) z[i] = a * x[i] + b * y[i];
  return z;
}

/// Rates of strains that the velocities of the nodes make: velocity of the centre of mass in world axes, rotation in body axes.
inline Vec6 strain_rate(const BeamElement& el, const BeamStep& step, const Mat3<>& R1, const Mat3<>& R2, const double* v) {
  const double *v1 = v + el.end[0].v, *v2 = v + el.end[1].v;
  return step.increment(vec3(v1), R1 * vec3(v1 + 3), vec3(v2), R2 * vec3(v2 + 3));
}

inline void push(const BeamElement& el, const double* force, double by, double* f) {
  for (int i = 0; i < 6; ++i) {
    f[el.end[0].v + i] += by * force[i];
    f[el.end[1].v + i] += by * force[6 + i];
  }
}

/// Adds a block of both nodes.
inline void emit(const BeamElement& el, const BeamBlock& K, JacobianSink::Part part, JacobianSink& sink) {
  int index[12];
  for (int i = 0; i < 6; ++i) {
    index[i] = el.end[0].v + i;
    index[6 + i] = el.end[1].v + i;
  }
  sink.add_block(part, index, 12, K.data());
}

/// A' (by C) B, in beam.cpp
void sandwich(const BeamRows& A, double by, const Mat6& C, const BeamRows& B, BeamBlock& out);

}  // namespace bristle
