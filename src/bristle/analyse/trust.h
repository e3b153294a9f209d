#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/constraint_error.h"
#include "bristle/analyse/paradox.h"
#include "bristle/analyse/run.h"

namespace bristle {

/// "3 of 1500 steps are not settled to 1e-09 m/s: worst 2e-07 m/s at t = 0.31 s in 'all'", or that all are.
std::string contacts_text(const ContactReport&, const RunCounts&);

/// What speaks against the result of a run: gathered while it goes, judged when it ends. A run with doubts has reached its end and its
/// results are kept, but it does not count as fine.
class Trust {
 public:
  Trust(const Run& run, double start);

  /// After every balance of the ledger that is struck.
  void look();
  /// A sample that is recorded, with what the joints were off by then.
  void sampled(double t, const ConstraintError&);
  /// A recorded number that is not finite.
  void undefined(double t, const std::string& channel);

  /// Sentences; empty: nothing speaks against it. `judge_ledger` false: a check of its own decides about the residual.
  std::vector<std::string> doubts(bool judge_ledger) const;
  /// What a reader of the result should know, though nothing is wrong.
  std::vector<std::string> notes() const;
  double residual() const;  ///< largest, as a share of the energy that moved
  double created() const;   ///< most that the method itself had brought in, as such a share
  const ConstraintError& worst_constraints() const { return off_.worst; }

  void save(Archive&) const;
  void load(Archive&);

 private:
  std::string ledger_doubt() const;
  std::string joint_doubt() const;
  std::string busiest_text(int account) const;
  std::string small_motion(double tolerance) const;

  const Run& run_;
  double start_;               // [s]
  std::vector<double> first_;  // coordinates at the first balance
  struct Reach {
    double way = 0, speed = 0;  // largest displacement and speed
  };
  std::vector<Reach> reach_;  // of every scalar coordinate
  struct Loss {
    double residual = 0, t = -1e300;    // at the last balance
    double most = 0, from = 0, to = 0;  // largest change of the residual [J], and when
    int row = -1, account = -1;         // held row with the largest reaction then, and who took or gave most meanwhile
  } loss_;
  std::vector<double> work_;  // of every account at the last balance [J]
  struct Turn {               // since when, of what was below the limit before
    double fall = -1e300, created = -1e300, infinite = -1e300;
    int overflows = -1;  // account whose energy was the first without a finite value
    int busiest = -1;    // account that took or gave most before the method had brought in too much
  } since_;
  struct Off {
    ConstraintError worst;
    double t = 0, rolling_t = 0, velocity_t = 0;
  } off_;
  Paradox paradox_;
  double moved_ = 0, fastest_ = 0;  // largest displacement and speed of a coordinate
  std::string undefined_;           // channel
  double undefined_t_ = 0;
};

}  // namespace bristle
