#pragma once
#include "bristle/model/model.h"
#include "commands.h"

namespace bristle::app {

/// Checks a model, runs it into a folder and shows what came out; returns the exit code. `text` is the model.yaml of the results.
/// `resume` goes on with the run in the folder.
int run_model(Model model, const std::string& text, const Output& output, bool resume);

}  // namespace bristle::app
