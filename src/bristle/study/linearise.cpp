#include "bristle/study/linearise.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "bristle/assemble/elements.h"
#include "bristle/base/text.h"
#include "bristle/math/decompositions.h"
#include "bristle/record/convert.h"
#include "bristle/study/json_text.h"
#include "bristle/study/modes.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

/// Column names, then one row each; numbers read back to the same bits.
std::string matrix_csv(const std::vector<std::string>& columns, const Eigen::MatrixXd& m) {
  std::string out;
  for (std::size_t j = 0; j < columns.size(); ++j) out += (j == 0 ? "" : ",") + csv_text(columns[j]);
  out += "\n";
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) out += fmt::format("{}{}", j == 0 ? "" : ",", m(i, j));
    out += "\n";
  }
  return out;
}

NamedMatrix named_matrix(const char* name, const Eigen::MatrixXd& m) {
  NamedMatrix one{name, static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()), {}};
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) one.numbers.push_back(m(i, j));
  }
  return one;
}

class LineariseSummary final : public AnalysisResult {
 public:
  LinearPlan::Write write = LinearPlan::Write::json;
  StateSpace result;

  std::string text(const ResultPlace& place) const override {
    const Linearisation& lin = result.linear;
    std::string out = title + "\n";
    out += fmt::format("  {:<18}{} coordinates, {} of memory\n", "states", lin.coordinates.size(), lin.memory.size());
    for (const std::string& name : lin.coordinates) out += fmt::format("    {}\n", name);
    out += fmt::format("  {:<18}{} inputs, {} outputs\n", "signals", result.inputs.size(), lin.outputs.size());
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(lin.A, false);
    out += "  eigenvalues of A [1/s]\n";
    for (Eigen::Index i = 0; i < lin.A.rows(); ++i) {
      const std::complex<double> v = solver.eigenvalues()[i];
      if (v.imag() < 0) continue;
      out += v.imag() > 0 ? fmt::format("    {:.7g} +- {:.7g} i\n", v.real(), v.imag()) : fmt::format("    {:.7g}\n", v.real());
    }
    return out + place_text(place, "linear.json");
  }
  std::string json(const ResultPlace&) const override {
    Json values = Json::array();
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(result.linear.A, false);
    for (Eigen::Index i = 0; i < result.linear.A.rows(); ++i)
      values.push_back({solver.eigenvalues()[i].real(), solver.eigenvalues()[i].imag()});
    return json_text({{"title", title},
                      {"states", result.linear.states()},
                      {"inputs", result.inputs},
                      {"outputs", result.linear.outputs},
                      {"A", json_rows(result.linear.A)},
                      {"B", json_rows(result.B)},
                      {"C", json_rows(result.linear.C)},
                      {"D", json_rows(result.D)},
                      {"eigenvalues", values}});
  }
  std::vector<ResultFile> files() const override {
    std::vector<ResultFile> list = {text_file("linear.json", json({}))};
    const Linearisation& linear = result.linear;
    if (write == LinearPlan::Write::csv) {
      list.push_back(text_file("A.csv", matrix_csv(linear.states(), linear.A)));
      if (!result.inputs.empty()) list.push_back(text_file("B.csv", matrix_csv(result.inputs, result.B)));
      if (!linear.outputs.empty()) {
        list.push_back(text_file("C.csv", matrix_csv(linear.states(), linear.C)));
        if (!result.inputs.empty()) list.push_back(text_file("D.csv", matrix_csv(result.inputs, result.D)));
      }
    }
    if (write == LinearPlan::Write::npz) {
      std::vector<NamedMatrix> matrices = {named_matrix("A", linear.A), named_matrix("B", result.B), named_matrix("C", linear.C),
                                           named_matrix("D", result.D)};
      list.push_back(
          {"linear.npz", [matrices = std::move(matrices)](const std::string& path) { write_matrices_npz(matrices, path); }});
    }
    return list;
  }
};

}  // namespace

void LineariseAnalysis::visit(Keys& keys) {
  elements_ = &keys.elements();
  visit_state(keys, plan_);
  keys.names("inputs", plan_.inputs, "none", "names of loads whose forces are u");
  keys.names("outputs", plan_.outputs, "none", "channels that are y, with * for any characters");
  keys.choice_of("write", plan_.write, {"json", "csv", "npz"},
                 "beside linear.json: each matrix as a table, or all in linear.npz");
}

/// The inputs are loads of the model.
void LineariseAnalysis::read(const Model& model) {
  const Node* forces = model.root.find("forces");
  std::vector<std::string> loads;
  for (std::size_t i = 0; forces != nullptr && forces->is_map() && i < forces->size(); ++i) {
    const auto& [name, force] = forces->children[i];
    const Node* type = force.is_map() ? force.find("type") : nullptr;
    const ElementEntry* entry = type == nullptr ? nullptr : elements_->forces.find(type->text);
    if (entry != nullptr && entry->input) loads.push_back(name);
  }
  for (const std::string& name : plan_.inputs) {
    if (std::find(loads.begin(), loads.end(), name) == loads.end())
      throw InputError(analysis_node(model).find("inputs")->where,
                       "analysis: there is no load '" + shortened(name) + "'." + known_names(name, loads));
  }
}

void LineariseAnalysis::check(const Assembled& a) {
  if (plan_.outputs.empty()) return;
  check_channels(*analysis_node(a.model).find("outputs"), plan_.outputs, a.system.layout().channels, "outputs");
}

std::unique_ptr<AnalysisResult> LineariseAnalysis::run(const Assembled& a, Sink&, const RunControl&) {
  auto summary = std::make_unique<LineariseSummary>();
  summary->write = plan_.write;
  summary->result = linearise_model(a.model, a.system, plan_, a.elements);
  return summary;
}

StateSpace linearise_model(const Model& model, const System& system, const LinearPlan& plan, const Elements& elements) {
  const State x = linear_state(system, plan);
  StateSpace result;
  result.linear = linearise(system, x, {plan.axes, true, plan.outputs});
  result.inputs = plan.inputs;
  const auto count = static_cast<Eigen::Index>(plan.inputs.size());
  result.B = Eigen::MatrixXd::Zero(result.linear.A.rows(), count);
  result.D = Eigen::MatrixXd::Zero(result.linear.C.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    // forces enter linearly: what one newton changes
    const std::string& name = plan.inputs[static_cast<std::size_t>(k)];
    Model without = model, with = model;
    apply_override(without.root, "forces." + name + ".force=0");
    apply_override(with.root, "forces." + name + ".force=1");
    const AssembleOptions options{.friction = false, .elements = &elements};
    const System none = assemble(without, options), one = assemble(with, options);
    if (!(none.layout().sizes == system.layout().sizes))
      throw InputError(
          analysis_node(model).where,
          "inputs: load '" + name + "' reads forces of the last step; give it an expression without them to make it an input");
    Eigen::VectorXd B, D;
    calc_input(none, one, x, result.linear, plan.axes, B, D);
    result.B.col(k) = B;
    result.D.col(k) = D;
  }
  return result;
}

StateSpace linearise_model(const Model& model, const LinearPlan& plan) {
  return linearise_model(model, assemble(model, {.friction = false}), plan);
}

}  // namespace bristle
