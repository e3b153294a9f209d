#pragma once
#include <string>
#include <vector>

#include "bristle/study/analysis.h"

namespace bristle {

/// What there is to say about a transient run that has ended.
class TransientSummary final : public AnalysisResult {
 public:
  std::string model, integrator;  ///< its file; name of the method
  double energy_check = 0;
  TransientResult result;
  std::vector<Account> accounts;  ///< in the order of result.accounts
  std::string mechanism;          ///< of mechanism_text
  std::vector<std::string> redundant, moved, assumed;
  int freedoms = 0;

  void take(TransientResult);
  std::string text(const ResultPlace& = {}) const override;
  std::string json(const ResultPlace& = {}) const override;
};

}  // namespace bristle
