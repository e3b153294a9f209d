#pragma once
#include <optional>
#include <string>

#include "bristle/assemble/plan.h"

namespace bristle {

/// A measure of two markers as a row; the same one is made once.
int add_row(Plan& plan, const Marker& A, const Marker& B, const RelationPlan& measure, std::optional<Target> target = {});
/// A row that is made of others.
int add_combination(Plan& plan, BoundSignal value, bool curved = false);
inline void use_row(Plan& plan, int row) { plan.shown_only.erase(row); }  ///< somebody acts on it or reads it in a step
void hold_row(Plan& plan, int row, const std::string& owner, const std::string& name, int account = -1);
/// Is the row zero wherever the bodies are, because they cannot move that way? Then `value` is what it is kept at.
bool vanishes(const Plan& plan, const Marker& A, const Marker& B, const RelationPlan& measure, double& value);
/// Channels of a motion of a joint.
void offer_motion(Plan& plan, const std::string& joint, const RelationPlan& measure, int row);
/// Makes a row for "<body>.position.x", which an expression asks for.
bool offer_body(Plan& plan, const std::string& channel);
/// All that it offers.
std::vector<std::string> body_channels(const Plan& plan);
/// factor_0 row_0 + factor_1 row_1 + ... - offset
BoundSignal linear_rows(const std::vector<int>& rows, const std::vector<double>& factors, double offset = 0);

}  // namespace bristle
