#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bristle/analyse/trust.h"
#include "bristle/record/sink.h"

namespace bristle {

/// A transient analysis as the model asks for it.
struct TransientPlan {
  double start = 0, end = 0;  ///< [s]
  std::string integrator;     ///< name in the registry
  RunOptions options;
  double every = 0;                   ///< [s] between samples; 0: every step
  std::vector<std::string> channels;  ///< patterns of what is recorded; empty: everything
  double energy_check = 0;            ///< relative residual of the ledger that is still right; 0: not checked
  bool from_equilibrium = false;      ///< begin at rest in an equilibrium near the start of the model
};

/// Where a run stands, for a progress line.
struct Progress {
  double t = 0, start = 0, end = 0, step = 0;
  double wall = 0;  ///< [s] since this run began
  int sticking = 0, open = 0, places = 0;
};

struct TransientResult {
  RunStatus::End end = RunStatus::End::finished;
  std::string message;  ///< why it ended as it did, doubts and failed checks included
  RunCounts counts;
  double t = 0;                      ///< [s] reached
  double wall = 0, processor = 0;    ///< [s] spent
  double energy_residual = 0;        ///< largest, relative to the energy that moved
  double energy_created = 0;         ///< most that the method itself had brought in, likewise
  bool energy_failed = false;        ///< the check the model asked for
  ConstraintError constraint_error;  ///< largest of every kind
  std::vector<std::string> doubts;   ///< why the end is `untrusted`
  std::vector<std::string> notes;    ///< worth knowing, nothing wrong
  std::string
      failed_check;  ///< of what the model asked for: a sentence; empty where it holds, or the run has not reached its end
  Energy energy;
  double supplied = 0, dissipated = 0, numerical = 0;
  std::vector<std::pair<std::string, double>> accounts;  ///< name and what it dissipated, or minus what it supplied [J]
  long long samples = 0, events = 0;
  std::optional<ContactReport> contacts;  ///< of a method that solves rigid contact
};

/// "1.2e-11 m or rad, 3.4e-10 m/s or rad/s"
std::string constraint_text(const ConstraintError&);
/// "1200 accepted, 3 rejected (2: local error; 1: Newton did not converge), 2900 Newton iterations"
std::string steps_text(const RunCounts&);

/// Leads a run from its start, or from what the sink has kept of it, to its end. `stop` is looked at after every step: the run then
/// ends, and can go on where the sink keeps runs. A failed or stopped run has given the sink everything computed so far.
TransientResult run_transient(Run& run, const TransientPlan& plan, const RunHeader& header, Sink& sink,
                              const std::atomic<bool>* stop = nullptr, const std::function<void(const Progress&)>& progress = {});

/// All channels a run can record: those of the system, the ledger, and what every account took or gave.
std::vector<Channel> recordable_channels(const Layout&);

}  // namespace bristle
