#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "bristle/interface/friction_law_of.h"

namespace bristle {

/** A law with memory whose stiffness is that at one load, whatever the load: the load enters the limit alone. Laws here are per load,
F = N phi(z); the memory of this form is Z = z N / R, the force over that at the reference load R, and has the law's own rate at z = Z R / N:

    F = N phi(Z R / N),    Z' = rate of the law at Z R / N,    stored: R U(Z)

For LuGre this is the form in which the sources print it, F = k d + ..., d' = v - k |v| d / (N g), k = sigma0 R. What is stored does not
depend on the load, so that a load that varies puts nothing in; where the load falls below what the bristles carry they are cut, which
only takes energy out. So F v - d(R U)/dt >= 0 for every history of the load, and a place that sticks does not move while its load
varies above what it holds. Price: the rate of the memory grows as R / N. Below a hundredth of R the stiffness follows the load as in the form per load, so that surfaces
can part; what that may bring in is less than R U(0.01). */
template <int D>
class ForceForm final : public FrictionLaw<D> {
 public:
  ForceForm(std::unique_ptr<FrictionLaw<D>> law, double reference)
      : law_(std::move(law)), reference_(reference), most_(law_->largest_stretch()), size_(law_->memory()) {}

  MemorySize memory() const override { return size_; }
  void start(double* z, double* marks, int stream) const override { law_->start(z, marks, stream); }
  void eval(const Patch<D>& p, const double* Z, const double* marks, Vec<D>& force, double* zdot) const override {
    double z[kMaxMemory];
    read(p, Z, z);
    law_->eval(p, z, marks, force, zdot);
  }
  void eval(const Patch<D>& p, const double* Z, const double* marks, Vec<D>& force, double* zdot, RubPartials J) const override {
    double z[kMaxMemory];
    read(p, Z, z);
    law_->eval(p, z, marks, force, zdot, J);
    constexpr int kFirst = 2 * D + 1;
    const double r = gain(p);
    for (int row = 0; row < rub_rows(D, size_.z); ++row) {
      for (int i = 0; i < size_.z; i += D) {
        double by[D], along = 0;
        const double length = size_of(Z + i) * r;
        const bool cut = length > most_;
        for (int d = 0; d < D; ++d) by[d] = J(row, kFirst + i + d);
        for (int d = 0; d < D; ++d) along += by[d] * z[i + d];
        if (!cut && p.load > kLeast * reference_) J(row, D) -= along / p.load;
        for (int d = 0; d < D; ++d)
          J(row, kFirst + i + d) = cut ? r * (most_ / length) * (by[d] - along * z[i + d] / (most_ * most_)) : r * by[d];
      }
    }
  }
  void project(const Patch<D>& p, double* Z, const double* marks) const override {
    with(p, Z, [&](double* z) { law_->project(p, z, marks); });
  }
  void accept(const Patch<D>& p, double t, double* Z, double* marks) const override {
    with(p, Z, [&](double* z) { law_->accept(p, t, z, marks); });
  }
  bool remembers() const override { return true; }
  double stored(const Patch<D>& p, const double* Z, const double* marks) const override {
    double z[kMaxMemory];
    read(p, Z, z);
    Patch<D> q = p;
    q.load = effective(p);
    return law_->stored(q, z, marks) * q.load / reference_;  // what the law stores is quadratic in z
  }
  bool stores_by_load() const override { return false; }
  double holding(const Patch<D>& p, const double* marks) const override { return law_->holding(p, marks); }
  double bound(const Patch<D>& p, const double* marks) const override { return law_->bound(p, marks); }
  double reach() const override { return std::numeric_limits<double>::infinity(); }
  Mode mode(const Patch<D>& p, const double* Z, const double* marks) const override {
    double z[kMaxMemory];
    read(p, Z, z);
    return law_->mode(p, z, marks);
  }
  Pace pace(const Patch<D>& p, const double* Z, const double* marks) const override {
    double z[kMaxMemory];
    read(p, Z, z);
    Pace pace = law_->pace(p, z, marks);
    pace.rate *= gain(p);
    return pace;
  }
  Overrun overrun(const Vec<D>& before, const Patch<D>& after, double h, const double* Z0, const double* Z1,
                  const double* marks) const override {
    double z0[kMaxMemory];
    double z1[kMaxMemory];
    read(after, Z0, z0);
    for (int i = 0; i < size_.z; ++i) z1[i] = Z1[i] * gain(after);
    return law_->overrun(before, after, h, z0, z1, marks);
  }
  bool overruns() const override { return law_->overruns(); }

 private:
  static constexpr double kLeast =
      0.01;  // of the reference load: below it the stiffness follows the load, so that surfaces can part
  double effective(const Patch<D>& p) const { return std::max(p.load, kLeast * reference_); }
  double gain(const Patch<D>& p) const { return reference_ / effective(p); }
  static double size_of(const double* vector) {
    Vec<D> a;
    for (int d = 0; d < D; ++d) a[d] = vector[d];
    return norm(a);
  }
  /// The memory of the law at the load of the patch, cut where the load does not carry it.
  void read(const Patch<D>& p, const double* Z, double* z) const {
    const double r = gain(p);
    for (int i = 0; i < size_.z; i += D) {
      const double length = size_of(Z + i) * r, factor = length > most_ ? r * (most_ / length) : r;
      for (int d = 0; d < D; ++d) z[i + d] = factor * Z[i + d];
    }
  }
  template <class Do>
  void with(const Patch<D>& p, double* Z, Do change) const {
    double z[kMaxMemory];
    read(p, Z, z);
    change(z);
    for (int i = 0; i < size_.z; ++i) Z[i] = z[i] / gain(p);
  }

  std::unique_ptr<FrictionLaw<D>> law_;
  double reference_;  // [N]
  double most_;       // length of each vector of the law's memory
  MemorySize size_;
};

}  // namespace bristle
