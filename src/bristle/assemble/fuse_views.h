#pragma once
#include "bristle/core/state.h"

namespace bristle {

// What the step of a fused system reads and writes, by type, so that one text of the step serves one coordinate in registers and many in
// arrays, the stages of a step and its end.

/// The free coordinate of a model that has only one: its numbers stay in registers while a step lasts.
struct OneFree {
  double *q_all, *v_all, *f_all, *a_all;
  double q0, v0, f0 = 0, a0 = 0, sum_q0 = 0, sum_v0 = 0;
  OneFree(State& x, double* f, double* a, double*, int)
      : q_all(x.q()), v_all(x.v()), f_all(f), a_all(a), q0(q_all[0]), v0(v_all[0]) {}
  static constexpr bool kOne = true;
  static constexpr int count() { return 1; }
  double read_q(int i) const { return i == 0 ? q0 : q_all[i]; }
  double read_v(int i) const { return i == 0 ? v0 : v_all[i]; }
  void push(int i, double T) {
    if (i == 0) f0 += T;
    else f_all[i] += T;
  }
  double& q(int) { return q0; }
  double& v(int) { return v0; }
  double& f(int) { return f0; }
  double& a(int) { return a0; }
  double& sum_q(int) { return sum_q0; }
  double& sum_v(int) { return sum_v0; }
  void store() const { q_all[0] = q0, v_all[0] = v0, a_all[0] = a0; }
};

/// Any number of free coordinates, in the arrays of the state.
struct ManyFree {
  double *q_all, *v_all, *f_all, *a_all, *sum;
  int n;
  ManyFree(State& x, double* forces, double* accelerations, double* sums, int free)
      : q_all(x.q()), v_all(x.v()), f_all(forces), a_all(accelerations), sum(sums), n(free) {}
  static constexpr bool kOne = false;
  int count() const { return n; }
  double read_q(int i) const { return q_all[i]; }
  double read_v(int i) const { return v_all[i]; }
  void push(int i, double T) { f_all[i] += T; }
  double& q(int i) { return q_all[i]; }
  double& v(int i) { return v_all[i]; }
  double& f(int i) { return f_all[i]; }
  double& a(int i) { return a_all[i]; }
  double& sum_q(int i) { return sum[i]; }
  double& sum_v(int i) { return sum[n + i]; }
  void store() const {}
};

/// Where the rates of memory and the power of an evaluation go: into the workspace.
struct ToWorkspace {
  double *zdot, *power;
  void rate(int z, double value) const { zdot[z] = value; }
  void watt(int account, double value) const { power[account] = value; }
};

/// Inside a step: straight into the work, the sum of rates, and the memory of the next stage.
struct ToNextStage {
  double *work, *sum, *z;
  const double* z0;
  double weight, joule, by;  ///< joule: work per power
  bool end;                  ///< what follows is the end of the step, reached from its start with the sum
  void rate(int i, double value) const {
    sum[i] += weight * value;
    z[i] = z0[i] + by * (end ? sum[i] : value);
  }
  void watt(int account, double value) const { work[account] += joule * value; }
};

}  // namespace bristle
