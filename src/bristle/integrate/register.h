#pragma once
#include <memory>

#include "bristle/integrate/controller.h"
#include "bristle/integrate/integrator.h"

namespace bristle {

/// One line per method: registry.add(integrator<Rk4>("rk4", "...", "Kutta 1901")).
template <class T>
IntegratorEntry integrator(const char* name, const char* summary, const char* reference) {
  IntegratorEntry e{name, summary, reference};
  e.describe = [](Visitor& v) { T{}.visit(v); };
  e.make = [](Visitor& v) -> std::unique_ptr<Integrator> {
    auto made = std::make_unique<T>();
    made->visit(v);
    if constexpr (requires { made->problem(); }) v.check(made->problem());
    return made;
  };
  return e;
}

/// One line per step rule: registry.add(controller<ConstantStep>("constant", "...")).
template <class T>
ControllerEntry controller(const char* name, const char* summary, const char* example = "") {
  ControllerEntry e{name, summary, example};
  e.describe = [](Visitor& v) { T{}.visit(v); };
  e.make = [](Visitor& v) -> std::unique_ptr<StepController> {
    auto made = std::make_unique<T>();
    made->visit(v);
    if constexpr (requires { made->problem(); }) v.check(made->problem());
    return made;
  };
  return e;
}

}  // namespace bristle
