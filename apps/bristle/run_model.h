#pragma once
#include "bristle/model/model.h"
#include "commands.h"

namespace bristle::app {

/// Does what the model asks for, writes the results into the folder of `output`, says what came out. `text` is the model as it is kept
/// beside the results. Resume: from the checkpoint in that folder.
int run_model(const Model& model, const std::string& text, const Output& output, bool resume);

}  // namespace bristle::app
