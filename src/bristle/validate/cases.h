#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/study/plans.h"
#include "bristle/validate/validation.h"

namespace bristle {

std::vector<ValidationRow> validate_lugre();
std::vector<ValidationRow> validate_belt();
std::vector<ValidationRow> validate_energy_transfer();
std::vector<ValidationRow> validate_slider_crank();
std::vector<ValidationRow> validate_translational_joint();
std::vector<ValidationRow> validate_clearance_joint();
std::vector<ValidationRow> validate_sleeve_joint();
std::vector<ValidationRow> validate_spatial_mechanism();
std::vector<ValidationRow> validate_supercritical_rotor();
std::vector<ValidationRow> validate_critical_speeds();
/// All runs of the energy map over load and tuning, one after the other; the largest dissipated energy [J].
double energy_map_peak();

/// A model text with overrides, assembled and ready to run.
class Trial {
 public:
  Trial(const std::string& text, const std::vector<std::string>& overrides = {});
  Run& start();  ///< a new run from the initial state
  Run& start(State x);
  const System& system() const { return *system_; }
  const TransientPlan& plan() const { return plan_; }
  int channel(const std::string& name) const;  ///< index into outputs
  /// Value of a channel at the present state.
  double read(int channel);
  const std::vector<double>& outputs();  ///< all channels at the present state

 private:
  Model model_;
  std::unique_ptr<System> system_;
  TransientPlan plan_;
  std::unique_ptr<Run> run_;
  std::vector<double> outputs_;
};

/// The spatial slider-crank of "Frictional Contacts in Multibody Dynamics", section 2.4.
struct SliderCrank {
  enum class Cross { natural, rod_axis, tilted_rod };
  Cross cross = Cross::rod_axis;  ///< axes of the universal joint, which the source does not print; this one gives its table
  std::string guide;              ///< further keys of the guide, such as its friction
  std::string worn = {};          ///< keys of a main bearing with clearance, a hole in the crank around a pin of the ground
  double end = 20, step = 1e-3;   ///< [s]
  std::string text() const;
};

/// Collects rows; a figure passes when it is within its tolerance.
class Rows {
 public:
  void relative(const std::string& quantity, double published, double ours, double tolerance, const std::string& note = "");
  void absolute(const std::string& quantity, double published, double ours, double tolerance, const std::string& note = "");
  void truth(const std::string& quantity, const std::string& published, const std::string& ours, bool pass,
             const std::string& note = "");
  /// For the record: not held against the published figure.
  void shown(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& note = "");
  /// For the record: a figure that does not come out, with the reason.
  void differs(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& reason);
  std::vector<ValidationRow> take() { return std::move(rows_); }

 private:
  std::vector<ValidationRow> rows_;
};

}  // namespace bristle
