#pragma once

namespace bristle {

// What a step of a flat model reads and writes, by type, so that one text of the step serves one coordinate in registers and many in
// arrays, the stages of a step and its end, one run (R is double) and several side by side.

/// The free coordinate of a model that has only one: its numbers stay in registers while a step lasts.
template <class R>
struct OneFree {
  R *q_all, *v_all, *f_all, *a_all;
  R q0, v0, f0{}, a0{}, sum_q0{}, sum_v0{};
  OneFree(R* of_q, R* of_v, R* of_f, R* of_a, R*, int)
      : q_all(of_q), v_all(of_v), f_all(of_f), a_all(of_a), q0(of_q[0]), v0(of_v[0]) {}
  static constexpr bool kOne = true;
  static constexpr int count() { return 1; }
  R read_q(int i) const { return i == 0 ? q0 : q_all[i]; }
  R read_v(int i) const { return i == 0 ? v0 : v_all[i]; }
  void push(int i, const R& T) {
    if (i == 0) f0 += T;
    else f_all[i] += T;
  }
  R& q(int) { return q0; }
  R& v(int) { return v0; }
  R& f(int) { return f0; }
  R& a(int) { return a0; }
  R& sum_q(int) { return sum_q0; }
  R& sum_v(int) { return sum_v0; }
  void store() const { q_all[0] = q0, v_all[0] = v0, a_all[0] = a0; }
};

/// Any number of free coordinates, in arrays.
template <class R>
struct ManyFree {
  R *q_all, *v_all, *f_all, *a_all, *sum;
  int n;
  ManyFree(R* of_q, R* of_v, R* of_f, R* of_a, R* sums, int free)
      : q_all(of_q), v_all(of_v), f_all(of_f), a_all(of_a), sum(sums), n(free) {}
  static constexpr bool kOne = false;
  int count() const { return n; }
  R read_q(int i) const { return q_all[i]; }
  R read_v(int i) const { return v_all[i]; }
  void push(int i, const R& T) { f_all[i] += T; }
  R& q(int i) { return q_all[i]; }
  R& v(int i) { return v_all[i]; }
  R& f(int i) { return f_all[i]; }
  R& a(int i) { return a_all[i]; }
  R& sum_q(int i) { return sum[i]; }
  R& sum_v(int i) { return sum[n + i]; }
  void store() const {}
};

/// Where the rates of memory and the power of an evaluation go: into arrays.
template <class R>
struct ToArrays {
  R *zdot, *power;
  void rate(int z, const R& value) const { zdot[z] = value; }
  void watt(int account, const R& value) const { power[account] = value; }
};

/// Inside a step: straight into the work, the sum of rates, and the memory of the next stage.
template <class R>
struct ToNextStage {
  R *work, *sum, *z;
  const R* z0;
  double weight, joule, by;  ///< joule: work per power
  bool end;                  ///< what follows is the end of the step, reached from its start with the sum
  void rate(int i, const R& value) const {
    sum[i] += weight * value;
    z[i] = z0[i] + by * (end ? sum[i] : value);
  }
  void watt(int account, const R& value) const { work[account] += joule * value; }
};

}  // namespace bristle
