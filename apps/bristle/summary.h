#pragma once
#include <string>

#include "bristle/analyse/campbell.h"
#include "bristle/analyse/modes.h"
#include "bristle/analyse/transient.h"
#include "bristle/assemble/assemble.h"

namespace bristle::app {

/// What there is to say about a transient run that has ended.
struct Summary {
  std::string title, model, folder, report;  ///< report: path, empty when none was written
  TransientPlan plan;
  TransientResult result;
  std::vector<Account> accounts;  ///< in the order of result.accounts
  std::string mechanism;          ///< of mechanism_text
  std::vector<std::string> redundant, moved, assumed;
  int freedoms = 0;
  int exit_code = 0;
};

/// Bodies in space, their joints, freedoms and what is held twice; "" where there are none. Values start behind `column` characters.
std::string mechanism_text(const Layout&, int column);
/// A list under a name, as of bodies that overlap: resolve has moved; "" where it is empty.
std::string list_text(const char* name, const std::vector<std::string>& list, int column);

std::string summary_text(const Summary&);
std::string summary_json(const Summary&);
std::string campbell_json(const CampbellResult&, const std::string& title);
std::string modes_json(const ModesResult&, const std::string& title);
std::string statics_json(const System&, const Equilibrium&, const std::string& title);
std::string kinematics_json(const KinematicsResult&, const std::string& title, const std::string& analysis,
                            const std::string& folder, int exit_code);
std::string linear_json(const StateSpace&, const std::string& title);
std::string linear_text(const StateSpace&, const std::string& title);  ///< sizes and eigenvalues
/// Column names, then one row each; numbers read back to the same bits.
std::string matrix_csv(const std::vector<std::string>& columns, const Eigen::MatrixXd&);

}  // namespace bristle::app
