#include "bristle/assemble/plan.h"

#include "bristle/assemble/space_rows.h"

namespace bristle {

Plan::Plan(const Model& model_, const AssembleOptions& options_)
    : model(model_),
      options(options_),
      elements(options_.elements ? *options_.elements : all_elements()),
      scope(parameters_of(model_)) {
  names.offer_late = [this](const std::string& channel) { return offer_body(*this, channel); };
  names.late = [this] { return body_channels(*this); };
  names.on_read = [this](int row) { use_row(*this, row); };
}

}  // namespace bristle
