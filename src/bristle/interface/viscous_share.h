#pragma once
#include <memory>
#include <utility>

#include "bristle/interface/friction_law.h"

namespace bristle {

/// A law beside a viscous film that carries no load: viscosity [N s/m] times the slip, as long as the surfaces touch.
template <int D>
class ViscousShare final : public FrictionLaw<D> {
 public:
  ViscousShare(std::unique_ptr<FrictionLaw<D>> law, double viscosity) : law_(std::move(law)), viscosity_(viscosity) {}

  MemorySize memory() const override { return law_->memory(); }
  void start(double* z, double* marks, int stream) const override { law_->start(z, marks, stream); }
  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot) const override {
    law_->eval(p, z, marks, force, zdot);
    for (int d = 0; d < D; ++d) force[d] += viscosity_ * p.slip[d];
  }
  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot, RubPartials J) const override {
    law_->eval(p, z, marks, force, zdot, J);
    for (int d = 0; d < D; ++d) {
      force[d] += viscosity_ * p.slip[d];
      J(d, d) += viscosity_;
    }
  }
  Vec<D> by_input(const Patch<D>& p, const double* marks) const override { return law_->by_input(p, marks); }
  void project(const Patch<D>& p, double* z, const double* marks) const override { law_->project(p, z, marks); }
  void accept(const Patch<D>& p, double t, double* z, double* marks) const override { law_->accept(p, t, z, marks); }
  bool remembers() const override { return law_->remembers(); }
  double stored(const Patch<D>& p, const double* z, const double* marks) const override { return law_->stored(p, z, marks); }
  bool stores_by_load() const override { return law_->stores_by_load(); }
  double holding(const Patch<D>& p, const double* marks) const override { return law_->holding(p, marks); }
  double bound(const Patch<D>& p, const double* marks) const override {
    return law_->bound(p, marks) + viscosity_ * norm(p.slip);
  }
  double reach() const override { return law_->reach(); }
  Mode mode(const Patch<D>& p, const double* z, const double* marks) const override { return law_->mode(p, z, marks); }
  Pace pace(const Patch<D>& p, const double* z, const double* marks) const override { return law_->pace(p, z, marks); }
  Overrun overrun(const Vec<D>& before, const Patch<D>& after, double h, const double* z0, const double* z1,
                  const double* marks) const override {
    return law_->overrun(before, after, h, z0, z1, marks);
  }
  bool overruns() const override { return law_->overruns(); }
  const SetValued<D>* set_valued() const override { return law_->set_valued(); }

 private:
  std::unique_ptr<FrictionLaw<D>> law_;
  double viscosity_;  // [N s/m]
};

}  // namespace bristle
