#pragma once
#include <string>

#include "bristle/analyse/modes.h"
#include "bristle/analyse/transient.h"

namespace bristle::app {

/// What there is to say about a transient run that has ended.
struct Summary {
  std::string title, model, folder, report;  ///< report: path, empty when none was written
  TransientPlan plan;
  TransientResult result;
  std::vector<Account> accounts;  ///< in the order of result.accounts
  int exit_code = 0;
};

std::string summary_text(const Summary&);
std::string summary_json(const Summary&);
std::string modes_json(const ModesResult&, const std::string& title);

}  // namespace bristle::app
