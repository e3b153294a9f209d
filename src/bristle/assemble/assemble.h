#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/analyse/transient.h"
#include "bristle/core/system.h"
#include "bristle/model/model.h"

namespace bristle {

struct AssembleOptions {
  bool friction = true;  ///< false: leave out all friction, as for linear modes
};

/// Makes the System of a model: numbers the state, makes blocks, checks names, units and combinations. Throws InputError.
System assemble(const Model&, AssembleOptions = {});

/// What the model says about a transient analysis.
TransientPlan plan_transient(const Model&);

/// A run as the model asks for it, ready to start. The System must outlive it.
std::unique_ptr<Run> make_run(const Model&, const System&, const TransientPlan&);

/// Kind of analysis: "transient" or "modes".
std::string analysis_type(const Model&);
std::string title_of(const Model&);
/// Everything of the model is looked at, so that every mistake is found; used by `bristle check`.
void check_model(const Model&);

}  // namespace bristle
