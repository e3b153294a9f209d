#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/// What all variants of an ensemble do: rk4 at a fixed step.
struct EnsemblePlan {
  double start = 0, end = 0, step = 0;  ///< [s]
  int every = 0;                        ///< steps from sample to sample; 0: samples at the start and at the end alone
  std::vector<std::string> channels{};  ///< that are sampled, by name
  bool keep_samples = false;            ///< all of them; otherwise only what ChannelRange says
  /// One by one, with the bits of single runs. Otherwise variants go side by side, with an exponential of their own.
  bool same_bits = false;
  int lanes = 0;  ///< variants side by side: 2, 4 or 8; 0: as many as the processor has room for
};

/// A channel over the samples of a run.
struct ChannelRange {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity(), last = 0;
};

struct VariantResult {
  State state;                         ///< at the end
  Ledger ledger;                       ///< its balance there
  std::vector<ChannelRange> channels;  ///< in the order of the plan
  std::vector<double> samples;         ///< where they are kept: sample by sample, the channels of the plan
  std::string message;  ///< "": all numbers are finite and the ledger closes; otherwise what speaks against the result
};

struct EnsembleResult {
  std::vector<VariantResult> variants;
  std::vector<double> times;  ///< [s] of the samples
  long long steps = 0;        ///< of each variant
  int lanes = 1;              ///< that went side by side, where the law has a form for it
};

/** Many runs of one small model that differ in numbers: masses, stiffnesses, loads, parameters of the law, speeds, start. The model is what rk4's
fast path takes (see make_flat_system); an Ensemble runs as many variants at once as the processor's wide registers hold, where the law has a
flat form (HasFlat), and the others one by one.

    Ensemble ensemble;
    for (const Model& model : variants) ensemble.add(assemble(model));
    const EnsembleResult result = ensemble.run({.end = 10, .step = 1e-4, .channels = {"mass.velocity"}});

May be run again, and by several threads at once. */
class Ensemble {
 public:
  /// A variant, with its initial values or others. Throws InputError, with the reason, where it cannot take part or is of another shape than
  /// those before it.
  void add(System system);
  void add(System system, State start);
  /// Why a model cannot take part, in a sentence; "" when it can.
  static std::string refusal(const System&);

  int size() const { return static_cast<int>(systems_.size()); }
  const System& system(int variant) const { return *systems_[static_cast<std::size_t>(variant)]; }

  EnsembleResult run(const EnsemblePlan&) const;

 private:
  std::vector<std::unique_ptr<System>> systems_;
  std::vector<State> starts_;
};

/// Variants that this processor takes side by side: 2, 4 or 8.
int widest_lanes();

}  // namespace bristle
