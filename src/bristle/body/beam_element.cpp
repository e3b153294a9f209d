#include "bristle/body/beam_element.h"

#include <algorithm>
#include <cmath>

#include "bristle/math/wide.h"

namespace bristle {

namespace {

constexpr int kTerms = 26;
constexpr double kSeries = 0.25;  ///< 1 - c up to which the series serves
constexpr double kNear = 0.02;    ///< steps of c below which quotients lose digits

/// phi = 1 + w A(w), w = 1 - c; A = sum of a_k w^k.
constexpr std::array<double, kTerms> series() {
  std::array<double, kTerms> a{};
  a[0] = 1.0 / 3;
  for (int k = 1; k < kTerms; ++k) a[static_cast<std::size_t>(k)] = a[static_cast<std::size_t>(k - 1)] * (k + 1) / (2 * k + 3);
  return a;
}
constexpr std::array<double, kTerms> kA = series();

/// Values and two derivatives by c, away from c = 1.
struct Closed {
  double phi, phi1, phi2, chi, chi1, chi2;
  explicit Closed(double c) {
    c = std::max(c, -0.99999);  // beyond what an element can answer for, but finite
    const double q = 1 / (1 - c * c);
    phi = std::acos(c) * std::sqrt(q);
    phi1 = (c * phi - 1) * q;
    phi2 = (phi + 3 * c * phi1) * q;
    chi = (1 - phi) * q;
    chi1 = (2 * c * chi - phi1) * q;
    chi2 = (2 * chi + 4 * c * chi1 - phi2) * q;
  }
};

HelixFunctions by_series(double w0, double w1) {
  // quotients of A over (w1, w0) and (w1, w0, w1) by Horner's scheme: no cancellation however short the step
  double A = 0, A01 = 0, A011 = 0;
  for (std::size_t k = std::max(w0, w1) < 0.01 ? 12 : kTerms; k-- > 0;) {
    A011 = A01 + w1 * A011;
    A01 = A + w0 * A01;
    A = kA[k] + w1 * A;
  }
  const double A0 = A - (w1 - w0) * A01, slope = A01 + (w1 - w0) * A011;
  const double r0 = 1 / (2 - w0), r1 = 1 / (2 - w1);
  HelixFunctions h;
  h.phi[0] = 1 + w0 * A0;
  h.phi[1] = 1 + w1 * A;
  h.chi[0] = -A0 * r0;
  h.chi[1] = -A * r1;
  h.phi_step = -(A + w0 * A01);
  h.chi_step = r1 * (A01 + A0 * r0);
  h.phi_slope = -(A + w1 * slope);
  h.chi_slope = r1 * (slope + A * r1);
  h.phi_bend = slope + w0 * A011;
  h.chi_bend = -r1 * (A011 + r1 * (A01 + A0 * r0));
  return h;
}

HelixFunctions by_formula(double c0, double c1) {
  const auto at = [](double c) {
    if (1 - c >= 0.5 * kSeries) return Closed(c);
    const HelixFunctions f = by_series(1 - c, 1 - c);
    Closed x(0);
    x.phi = f.phi[1], x.phi1 = f.phi_slope, x.phi2 = 2 * f.phi_bend;
    x.chi = f.chi[1], x.chi1 = f.chi_slope, x.chi2 = 2 * f.chi_bend;
    return x;
  };
  const Closed a = at(c0), b = at(c1);
  HelixFunctions h{{a.phi, b.phi}, {a.chi, b.chi}, 0, 0, b.phi1, b.chi1, 0, 0};
  const double step = c1 - c0;
  if (std::abs(step) >= kNear) {
    h.phi_step = (b.phi - a.phi) / step;
    h.chi_step = (b.chi - a.chi) / step;
    h.phi_bend = (b.phi1 - h.phi_step) / step;
    h.chi_bend = (b.chi1 - h.chi_step) / step;
    return h;
  }
  // means of the derivatives over the step, by Gauss
  constexpr double at5[5] = {0.046910077030668, 0.23076534494715845, 0.5, 0.7692346550528415, 0.953089922969332};
  constexpr double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                0.11846344252809454};
  for (int i = 0; i < 5; ++i) {
    const Closed x = at(c0 + at5[i] * step);
    h.phi_step += weight[i] * x.phi1;
    h.chi_step += weight[i] * x.chi1;
    h.phi_bend += weight[i] * at5[i] * x.phi2;
    h.chi_bend += weight[i] * at5[i] * x.chi2;
  }
  return h;
}

Vec3<> mean(const Vec3<>& a, const Vec3<>& b) { return 0.5 * (a + b); }
Mat3<> mean(const Mat3<>& a, const Mat3<>& b) {
  Mat3<> c;
  for (std::size_t i = 0; i < 9; ++i) c.m[i] = 0.5 * (a.m[i] + b.m[i]);
  return c;
}
Mat3<> skew(const Vec3<>& a) {
  Mat3<> m;
  m(0, 1) = -a[2], m(0, 2) = a[1];
  m(1, 0) = a[2], m(1, 2) = -a[0];
  m(2, 0) = -a[1], m(2, 1) = a[0];
  return m;
}
void add(Mat3<>& a, double by, const Mat3<>& b) {
  for (std::size_t i = 0; i < 9; ++i) a.m[i] += by * b.m[i];
}
/// a += by (u v' - (u.v) 1): the derivative of (turn x u) x v by the turn.
void add_turned(Mat3<>& a, double by, const Vec3<>& u, const Vec3<>& v) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a(i, j) += by * u[i] * v[j];
  }
  const double s = by * dot(u, v);
  a(0, 0) -= s, a(1, 1) -= s, a(2, 2) -= s;
}
/// A B'
Mat3<> by_transposed(const Mat3<>& A, const Mat3<>& B) {
  Mat3<> C;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(j, 0) + A(i, 1) * B(j, 1) + A(i, 2) * B(j, 2);
  }
  return C;
}
double trace(const Mat3<>& A) { return A(0, 0) + A(1, 1) + A(2, 2); }
bool is_zero(const Vec3<>& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

/// Rates of k and c by the rotation of the first section against the second.
void relative_rows(const Mat3<> D[2], Vec3<> K[4]) {
  const Vec3<> a0 = D[0].column(0), a1 = D[0].column(1), a2 = D[0].column(2);
  const Vec3<> b0 = D[1].column(0), b1 = D[1].column(1), b2 = D[1].column(2);
  K[0] = 0.5 * (cross(a2, b1) - cross(a1, b2));
  K[1] = 0.5 * (cross(a0, b2) - cross(a2, b0));
  K[2] = 0.5 * (cross(a1, b0) - cross(a0, b1));
  K[3] = 0.5 * (cross(a0, b0) + cross(a1, b1) + cross(a2, b2));
}

/// 3 x 3 blocks of the increments of g by the distance and by the two rotations.
struct Reach {
  Mat3<> by_d, by_turn[2];
  Reach(const Mat3<> D[2], const Vec3<>& d) {
    const Mat3<> cross_d = skew(d);
    for (int I = 0; I < 2; ++I) {
      by_turn[I] = transposed(D[I], cross_d);
      for (double& x : by_turn[I].m) x *= 0.5;
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) by_d(i, j) = 0.5 * (D[0](j, i) + D[1](j, i));
    }
  }
};

}  // namespace

HelixFunctions calc_helix_functions(double c_start, double c_end) {
  const double w0 = 1 - c_start, w1 = 1 - c_end;
  return std::max(w0, w1) < kSeries ? by_series(w0, w1) : by_formula(c_start, c_end);
}

BeamForm calc_beam_form(const BeamElement& element, const Pose& first, const Pose& second) {
  BeamForm f;
  const Pose* pose[2] = {&first, &second};
  for (int I = 0; I < 2; ++I) {
    f.D[I] = pose[I]->R * element.end[I].E;
    f.S[I] = pose[I]->R * element.end[I].s;
  }
  f.d = second.p + f.S[1] - first.p - f.S[0];
  f.g = mean(transposed(f.D[0], f.d), transposed(f.D[1], f.d));
  const Mat3<> L = transposed(f.D[0], f.D[1]);
  f.k[0] = 0.5 * (L(2, 1) - L(1, 2));
  f.k[1] = 0.5 * (L(0, 2) - L(2, 0));
  f.k[2] = 0.5 * (L(1, 0) - L(0, 1));
  f.c = 0.5 * (trace(L) - 1);
  return f;
}

namespace {

Vec6 strain_of(const BeamElement& element, const BeamForm& form, double phi, double chi) {
  const double part = chi * dot(form.k, form.g), over = 1 / element.length;
  Vec6 e;
  for (int i = 0; i < 3; ++i) {
    const auto u = static_cast<std::size_t>(i);
    e[u] = over * (phi * form.g[i] + part * form.k[i]) - element.at_rest[u];
    e[3 + u] = over * phi * form.k[i] - element.at_rest[3 + u];
  }
  return e;
}

}  // namespace

Vec6 calc_beam_strain(const BeamElement& element, const BeamForm& form) {
  const HelixFunctions h = calc_helix_functions(form.c, form.c);
  return strain_of(element, form, h.phi[1], h.chi[1]);
}

Vec6 BeamStep::strain(int at) const { return strain_of(element_, at == 0 ? start_ : end_, h_.phi[at], h_.chi[at]); }

BeamStep::Local BeamStep::local(double phi, double chi, double phi_step, double chi_step, double chi_s, double s, const Vec3<>& g,
                                const Vec3<>& k) {
  Local J;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      J.Gg[3 * i + j] = chi * k[i] * k[j];
      J.Gk[3 * i + j] = chi * k[i] * g[j];
    }
    J.Gg[4 * i] += phi;
    J.Gk[4 * i] += chi_s;
    J.Gc[i] = phi_step * g[i] + s * chi_step * k[i];
    J.kc[i] = phi_step * k[i];
  }
  J.kk = phi;
  return J;
}

BeamStep::BeamStep(const BeamElement& element, const BeamForm& start, const BeamForm& end)
    : element_(element), start_(start), end_(end), h_(calc_helix_functions(start.c, end.c)) {
  const double s0 = dot(start.k, start.g), s1 = dot(end.k, end.g);
  if (&start == &end) {
    D_[0] = end.D[0], D_[1] = end.D[1];
    S_[0] = end.S[0], S_[1] = end.S[1];
    d_ = end.d, g_ = end.g, k_ = end.k;
  } else {
    for (int I = 0; I < 2; ++I) {
      D_[I] = mean(start.D[I], end.D[I]);
      S_[I] = mean(start.S[I], end.S[I]);
    }
    d_ = mean(start.d, end.d), g_ = mean(start.g, end.g), k_ = mean(start.k, end.k);
  }
  s_ = 0.5 * (s0 + s1);
  phi_ = 0.5 * (h_.phi[0] + h_.phi[1]);
  chi_ = 0.5 * (h_.chi[0] + h_.chi[1]);
  chi_s_ = 0.5 * (h_.chi[0] * s0 + h_.chi[1] * s1);
  relative_rows(D_, K_);
  J_ = local(phi_, chi_, h_.phi_step, h_.chi_step, chi_s_, s_, g_, k_);
}

Vec6 BeamStep::increment(const Vec3<>& x1, const Vec3<>& r1, const Vec3<>& x2, const Vec3<>& r2) const {
  const Vec3<> part = x2 - x1 + cross(r2, S_[1]) - cross(r1, S_[0]), turn = r1 - r2;
  const Vec3<> g = mean(transposed(D_[0], part - cross(r1, d_)), transposed(D_[1], part - cross(r2, d_)));
  const Vec3<> k{{dot(K_[0], turn), dot(K_[1], turn), dot(K_[2], turn)}};
  const double c = dot(K_[3], turn), over = 1 / element_.length;
  Vec6 e;
  for (int i = 0; i < 3; ++i) {
    const auto u = static_cast<std::size_t>(i);
    double sum = J_.Gc[i] * c;
    for (int j = 0; j < 3; ++j) sum += J_.Gg[3 * i + j] * g[j] + J_.Gk[3 * i + j] * k[j];
    e[u] = over * sum;
    e[3 + u] = over * (J_.kk * k[i] + J_.kc[i] * c);
  }
  return e;
}

/// Forces on g, k, c.
[[gnu::always_inline]] inline BeamStep::Load BeamStep::load_of(const Vec6& N) const {
  Load f;
  for (int j = 0; j < 3; ++j) {
    const auto u = static_cast<std::size_t>(j);
    for (std::size_t i = 0; i < 3; ++i) {
      f.g[j] += J_.Gg[3 * i + u] * N[i];
      f.k[j] += J_.Gk[3 * i + u] * N[i];
    }
    f.k[j] += J_.kk * N[3 + u];
    f.c += J_.Gc[j] * N[u] + J_.kc[j] * N[3 + u];
  }
  return f;
}

void BeamStep::resist(const Vec6& N, const Mat3<>& R1, const Mat3<>& R2, double* f) const {
  const Load on = load_of(N);
  const Vec3<> a1 = 0.5 * (D_[0] * on.g), a2 = 0.5 * (D_[1] * on.g), F = a1 + a2;
  const Vec3<> M = on.k[0] * K_[0] + on.k[1] * K_[1] + on.k[2] * K_[2] + on.c * K_[3];
  const Vec3<> m1 = transposed(R1, cross(a1, d_) + M - cross(S_[0], F)), m2 = transposed(R2, cross(a2, d_) - M + cross(S_[1], F));
  for (int i = 0; i < 3; ++i) {
    f[i] = -F[i];
    f[3 + i] = m1[i];
    f[6 + i] = F[i];
    f[9 + i] = m2[i];
  }
}

namespace {

/// The operator B from the derivatives J of the strains by g, k, c and how those move with the nodes.
template <class Local>
[[gnu::always_inline]] inline void fill_rows(const Local& J, const Reach& reach, const Vec3<> K[4], const Vec3<> S[2],
                                             const Mat3<>& turn1, const Mat3<>& turn2, double over, BeamRows& B) {
  Mat3<> turned[2] = {reach.by_turn[0], reach.by_turn[1]};
  for (int I = 0; I < 2; ++I) {
    if (!is_zero(S[I])) add(turned[I], I == 0 ? 1 : -1, reach.by_d * skew(S[I]));
  }
  turned[0] = turned[0] * turn1;
  turned[1] = turned[1] * turn2;
  double Y[7][12];  // how g, k, c move with the nodes
  for (int i = 0; i < 7; ++i) {
    const Vec3<> first = i < 3 ? Vec3<>{} : transposed(turn1, K[i - 3]), second = i < 3 ? Vec3<>{} : transposed(turn2, K[i - 3]);
    for (int j = 0; j < 3; ++j) {
      const double by_d = i < 3 ? reach.by_d(i, j) : 0;
      Y[i][j] = -by_d;
      Y[i][3 + j] = i < 3 ? turned[0](i, j) : first[j];
      Y[i][6 + j] = by_d;
      Y[i][9 + j] = i < 3 ? turned[1](i, j) : -second[j];
    }
  }
  for (int i = 0; i < 3; ++i) {
    WideRow<12> upper{}, lower{};
    for (int l = 0; l < 3; ++l) upper.add(J.Gg[3 * i + l], Y[l]), upper.add(J.Gk[3 * i + l], Y[3 + l]);
    upper.add(J.Gc[i], Y[6]);
    lower.add(J.kk, Y[3 + i]), lower.add(J.kc[i], Y[6]);
    upper.scale(over), lower.scale(over);
    upper.store(&B[static_cast<std::size_t>(12 * i)]);
    lower.store(&B[static_cast<std::size_t>(12 * (3 + i))]);
  }
}

/// How g, k, c move with the distance and the two rotations; the last three columns are zero.
[[gnu::always_inline]] inline void fill_moves(const Reach& reach, const Vec3<> K[4], double Y[7][12]) {
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 3; ++j) {
      Y[i][j] = i < 3 ? reach.by_d(i, j) : 0;
      Y[i][3 + j] = i < 3 ? reach.by_turn[0](i, j) : K[i - 3][j];
      Y[i][6 + j] = i < 3 ? reach.by_turn[1](i, j) : -K[i - 3][j];
      Y[i][9 + j] = 0;
    }
  }
}

}  // namespace

BRISTLE_WIDE void BeamStep::rows(const Mat3<>& turn1, const Mat3<>& turn2, BeamRows& B) const {
  fill_rows(J_, Reach(D_, d_), K_, S_, turn1, turn2, 1 / element_.length, B);
}

/// How the forces on g, k, c change with g, k, c at the end, of which J_end are the derivatives of the strains: by the stress, J' C J_end.
[[gnu::always_inline]] inline void BeamStep::stress_slope(const Local& Jf, double by_strain, double H[7][7]) const {
  double CJ[6][7];
  const double scale = by_strain / element_.length;
  for (int i = 0; i < 6; ++i) {
    const double* C = &element_.C[static_cast<std::size_t>(6 * i)];
    for (int j = 0; j < 3; ++j) {
      CJ[i][j] = scale * (C[0] * Jf.Gg[j] + C[1] * Jf.Gg[3 + j] + C[2] * Jf.Gg[6 + j]);
      CJ[i][3 + j] = scale * (C[0] * Jf.Gk[j] + C[1] * Jf.Gk[3 + j] + C[2] * Jf.Gk[6 + j] + C[3 + j] * Jf.kk);
    }
    CJ[i][6] =
        scale * (C[0] * Jf.Gc[0] + C[1] * Jf.Gc[1] + C[2] * Jf.Gc[2] + C[3] * Jf.kc[0] + C[4] * Jf.kc[1] + C[5] * Jf.kc[2]);
  }
  for (int j = 0; j < 7; ++j) {
    for (int i = 0; i < 3; ++i) {
      H[i][j] = J_.Gg[i] * CJ[0][j] + J_.Gg[3 + i] * CJ[1][j] + J_.Gg[6 + i] * CJ[2][j];
      H[3 + i][j] = J_.Gk[i] * CJ[0][j] + J_.Gk[3 + i] * CJ[1][j] + J_.Gk[6 + i] * CJ[2][j] + J_.kk * CJ[3 + i][j];
    }
    H[6][j] = J_.Gc[0] * CJ[0][j] + J_.Gc[1] * CJ[1][j] + J_.Gc[2] * CJ[2][j] + J_.kc[0] * CJ[3][j] + J_.kc[1] * CJ[4][j] +
              J_.kc[2] * CJ[5][j];
  }
}

/// And by the operator.
[[gnu::always_inline]] inline void BeamStep::add_operator_slope(const Vec6& N, double H[7][7]) const {
  const Vec3<> n{{N[0], N[1], N[2]}}, m{{N[3], N[4], N[5]}};
  const double s_end = dot(end_.k, end_.g);
  const double kn = dot(k_, n);
  const double chi_half = 0.5 * chi_, end_half = 0.5 * h_.chi[1], phi_step = 0.5 * h_.phi_step, chi_step = 0.5 * h_.chi_step;
  const double phi_slope = 0.5 * h_.phi_slope, chi_slope = 0.5 * h_.chi_slope;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      H[i][3 + j] += chi_half * k_[i] * n[j];
      H[3 + i][j] += end_half * n[i] * end_.k[j];
      H[3 + i][3 + j] += end_half * n[i] * end_.g[j] + chi_half * g_[i] * n[j];
    }
    H[i][3 + i] += chi_half * kn;
    H[3 + i][i] += chi_half * kn;
    H[i][6] += phi_slope * n[i] + chi_slope * kn * k_[i];
    H[3 + i][6] += chi_slope * (s_end * n[i] + kn * g_[i]) + phi_slope * m[i];
    H[6][i] += phi_step * n[i] + chi_step * kn * end_.k[i];
    H[6][3 + i] += phi_step * m[i] + chi_step * (kn * end_.g[i] + s_ * n[i]);
  }
  H[6][6] += h_.phi_bend * (dot(g_, n) + dot(k_, m)) + h_.chi_bend * s_ * kn;
}

/// And the forces on the ends by how the means turn, with half of the end. `a`: on g, at the middle of either section.
[[gnu::always_inline]] inline void BeamStep::add_turns(const Load& f, Vec3<> a[2], Mat3<> T[3][3]) const {
  Mat3<> Q = skew(f.k);
  Q(0, 0) = Q(1, 1) = Q(2, 2) = f.c;
  Mat3<> P1 = by_transposed(end_.D[0] * Q, D_[1]), P2 = by_transposed(end_.D[1], D_[0] * Q);
  const double t1 = trace(P1), t2 = trace(P2);
  for (int i = 0; i < 3; ++i) P1(i, i) -= t1, P2(i, i) -= t2;
  add(T[1][1], 0.25, P1);
  add(T[1][2], -0.25, P2);
  add(T[2][1], -0.25, P1);
  add(T[2][2], 0.25, P2);
  for (int I = 0; I < 2; ++I) {
    a[I] = D_[I] * f.g;
    const Vec3<> a_end = end_.D[I] * f.g;
    add(T[0][1 + I], -0.25, skew(a_end));
    add_turned(T[1 + I][1 + I], 0.25, a_end, d_);
    add(T[1 + I][0], 0.25, skew(a[I]));
  }
}

/// From the ends to the centres of mass, from world to body axes.
[[gnu::always_inline]] inline void BeamStep::turn_to_nodes(const Load& f, const Vec3<> a[2], const Mat3<> R[2],
                                                           const Mat3<> R_end[2], const Mat3<> turn[2], Mat3<> T[3][3]) const {
  const Vec3<> F = 0.5 * (a[0] + a[1]), M = f.k[0] * K_[0] + f.k[1] * K_[1] + f.k[2] * K_[2] + f.c * K_[3];
  for (int I = 0; I < 2; ++I) {
    const double sign = I == 0 ? -1 : 1;
    Vec3<> moment = 0.5 * cross(a[I], d_) - sign * M;
    if (!is_zero(end_.S[I]) || !is_zero(S_[I])) {
      const Mat3<> arm_end = skew(end_.S[I]), arm = skew(S_[I]);
      for (int r = 0; r < 3; ++r) add(T[r][1 + I], -sign, T[r][0] * arm_end);
      for (int c = 0; c < 3; ++c) add(T[1 + I][c], sign, arm * T[0][c]);
      moment = moment + sign * cross(S_[I], F);
      add_turned(T[1 + I][1 + I], 0.5 * sign, end_.S[I], F);
    }
    for (int r = 0; r < 3; ++r) T[r][1 + I] = T[r][1 + I] * turn[I];
    for (int c = 0; c < 3; ++c) T[1 + I][c] = transposed(R[I], T[1 + I][c]);
    add(T[1 + I][1 + I], 0.5, transposed(R_end[I], skew(moment) * turn[I]));
  }
}

namespace {

/// Forces on g, k, c, whose derivatives by the same at the end are H, by the distance and the two rotations at the end: rows are the force on the
/// second end and the moments on both.
[[gnu::always_inline]] inline void by_ends(const double H[7][7], const Reach& at_end, const Vec3<> Z[4], const Reach& middle,
                                           const Vec3<> K[4], Mat3<> T[3][3]) {
  double Y_end[7][12], Y[7][12], W[7][12];
  fill_moves(at_end, Z, Y_end);
  fill_moves(middle, K, Y);
  for (int i = 0; i < 7; ++i) {
    WideRow<12> row{};
    for (int l = 0; l < 7; ++l) row.add(H[i][l], Y_end[l]);
    row.store(W[i]);
  }
  for (int r = 0; r < 9; ++r) {
    WideRow<12> row{};
    for (int l = 0; l < (r < 3 ? 3 : 7); ++l) row.add(Y[l][r], W[l]);
    double t[12];
    row.store(t);
    for (int c = 0; c < 9; ++c) T[r / 3][c / 3](r % 3, c % 3) = t[c];
  }
}

[[gnu::always_inline]] inline void fill_block(const Mat3<> T[3][3], double factor, BeamBlock& out) {
  for (int i = 0; i < 3; ++i) {
    double *f1 = &out[static_cast<std::size_t>(12 * i)], *m1 = f1 + 36, *f2 = f1 + 72, *m2 = f1 + 108;
    for (int j = 0; j < 3; ++j) {
      const double dd = factor * T[0][0](i, j), dm1 = factor * T[1][0](i, j), dm2 = factor * T[2][0](i, j);
      const double d1 = factor * T[0][1](i, j), d2 = factor * T[0][2](i, j);
      f1[j] = f2[6 + j] = dd;
      f1[6 + j] = f2[j] = -dd;
      f1[3 + j] = -d1, f2[3 + j] = d1;
      f1[9 + j] = -d2, f2[9 + j] = d2;
      m1[j] = -dm1, m1[6 + j] = dm1;
      m2[j] = -dm2, m2[6 + j] = dm2;
      m1[3 + j] = factor * T[1][1](i, j), m1[9 + j] = factor * T[1][2](i, j);
      m2[3 + j] = factor * T[2][1](i, j), m2[9 + j] = factor * T[2][2](i, j);
    }
  }
}

}  // namespace

BRISTLE_WIDE void BeamStep::tangent(const Vec6& N, double by_strain, const Mat3<> R[2], const Mat3<> R_end[2],
                                    const Mat3<> turn[2], double factor, BeamBlock& out, BeamRows* end) const {
  const BeamForm& b = end_;
  const double s_end = dot(b.k, b.g);
  const Local Jf = local(h_.phi[1], h_.chi[1], h_.phi_slope, h_.chi_slope, h_.chi[1] * s_end, s_end, b.g, b.k);
  double H[7][7];
  stress_slope(Jf, by_strain, H);
  add_operator_slope(N, H);

  // increments of g, k, c at the end
  const Reach at_end(b.D, b.d), middle(D_, d_);
  Vec3<> Z[4];
  relative_rows(b.D, Z);
  if (end != nullptr) fill_rows(Jf, at_end, Z, b.S, turn[0], turn[1], 1 / element_.length, *end);
  Mat3<> T[3][3];
  by_ends(H, at_end, Z, middle, K_, T);

  const Load f = load_of(N);
  Vec3<> a[2];
  add_turns(f, a, T);
  turn_to_nodes(f, a, R, R_end, turn, T);
  fill_block(T, factor, out);
}

/// Second derivatives of the strains by (g, k, c), once along their rates.
void BeamStep::bend(const Vec3<>& g1, const Vec3<>& k1, double c1, double Q[6][7]) const {
  const double s1 = dot(k1, g_) + dot(k_, g1);
  const double p1 = h_.phi_slope, p2 = 2 * h_.phi_bend, x0 = h_.chi[1], x1 = h_.chi_slope, x2 = 2 * h_.chi_bend;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Q[i][j] = x1 * c1 * k_[i] * k_[j] + x0 * (k_[i] * k1[j] + k1[i] * k_[j]);
      Q[i][3 + j] = x1 * c1 * k_[i] * g_[j] + x0 * (k_[i] * g1[j] + k1[i] * g_[j]);
    }
    Q[i][i] += p1 * c1;
    Q[i][3 + i] += x1 * c1 * s_ + x0 * s1;
    Q[i][6] = p1 * g1[i] + p2 * c1 * g_[i] + x2 * c1 * s_ * k_[i] + x1 * (s1 * k_[i] + s_ * k1[i]);
    Q[3 + i][3 + i] = p1 * c1;
    Q[3 + i][6] = p1 * k1[i] + p2 * c1 * k_[i];
  }
}

/// Increments Y of (g, k, c), and V of their rates while body rates stay, by the distance and the two rotations.
void BeamStep::rate_moves(const Vec3<> w[2], const Vec3<> arm_rate[2], const Vec3<>& d_rate, double Y[7][9],
                          double V[7][9]) const {
  const Reach reach(D_, d_);
  for (int I = 0; I < 2; ++I) {
    const double sign = I == 0 ? 1 : -1;
    const int at = 3 + 3 * I;
    Mat3<> inner = skew(d_rate - cross(w[I], d_));
    const double along = dot(w[I], d_);
    for (int i = 0; i < 3; ++i) {
      inner(i, i) += along;
      for (int j = 0; j < 3; ++j) inner(i, j) -= w[I][i] * d_[j];
    }
    const Mat3<> turned = transposed(D_[I], inner), moved = transposed(D_[I], skew(w[I]));
    const Mat3<> arm = reach.by_d * skew(arm_rate[I]), Ytheta = reach.by_turn[I];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        Y[i][j] = reach.by_d(i, j);
        Y[i][at + j] = Ytheta(i, j);
        V[i][j] -= 0.5 * moved(i, j);
        V[i][at + j] = 0.5 * turned(i, j) + sign * arm(i, j);
      }
    }
    for (int z = 0; z < 4; ++z) {
      for (int j = 0; j < 3; ++j) Y[3 + z][at + j] = sign * K_[z][j];
    }
  }
  const Mat3<> W1 = skew(transposed(D_[0], w[0])), W2 = skew(transposed(D_[1], w[1]));
  for (int j = 0; j < 3; ++j) {
    Vec3<> unit;
    unit[j] = -1;
    const Mat3<> L = transposed(D_[0], skew(unit) * D_[1]);
    Mat3<> rate = L * W2;
    add(rate, -1, W1 * L);
    const double z[4] = {0.5 * (rate(2, 1) - rate(1, 2)), 0.5 * (rate(0, 2) - rate(2, 0)), 0.5 * (rate(1, 0) - rate(0, 1)),
                         0.5 * trace(rate)};
    for (int i = 0; i < 4; ++i) V[3 + i][3 + j] = z[i], V[3 + i][6 + j] = -z[i];
  }
}

void BeamStep::rate_slope(const Vec3<>& v1, const Vec3<>& w1, const Vec3<>& v2, const Vec3<>& w2, const Mat3<>& R1,
                          const Mat3<>& R2, BeamRows& slope) const {
  const Vec3<> w[2] = {w1, w2}, arm_rate[2] = {cross(w1, S_[0]), cross(w2, S_[1])};
  const Vec3<> d_rate = v2 - v1 + arm_rate[1] - arm_rate[0], turn = w1 - w2;
  const Vec3<> g1 = mean(transposed(D_[0], d_rate - cross(w1, d_)), transposed(D_[1], d_rate - cross(w2, d_)));
  const Vec3<> k1{{dot(K_[0], turn), dot(K_[1], turn), dot(K_[2], turn)}};
  const double c1 = dot(K_[3], turn);
  double Q[6][7] = {}, Y[7][9] = {}, V[7][9] = {};
  bend(g1, k1, c1, Q);
  rate_moves(w, arm_rate, d_rate, Y, V);
  const double over = 1 / element_.length;
  const Mat3<> R[2] = {R1, R2};
  for (int i = 0; i < 6; ++i) {
    Vec3<> part[3];
    for (int c = 0; c < 3; ++c) {
      for (int j = 0; j < 3; ++j) {
        const int at = 3 * c + j;
        double sum = 0;
        for (int l = 0; l < 7; ++l) sum += Q[i][l] * Y[l][at];
        if (i < 3) {
          for (int l = 0; l < 3; ++l) sum += J_.Gg[3 * i + l] * V[l][at] + J_.Gk[3 * i + l] * V[3 + l][at];
          sum += J_.Gc[i] * V[6][at];
        } else {
          sum += J_.kk * V[i][at] + J_.kc[i - 3] * V[6][at];
        }
        part[c][j] = over * sum;
      }
    }
    double* row = &slope[static_cast<std::size_t>(12 * i)];
    for (int I = 0; I < 2; ++I) {
      const double sign = I == 0 ? -1 : 1;
      // the end moves with the turn of its node: d changes by sign * turn x S
      const Vec3<> turned = transposed(R[I], part[1 + I] + sign * cross(S_[I], part[0]));
      for (int j = 0; j < 3; ++j) {
        row[6 * I + j] = sign * part[0][j];
        row[6 * I + 3 + j] = turned[j];
      }
    }
  }
}

}  // namespace bristle
