#pragma once
#include <cmath>

namespace bristle {

/// How an iteration closes in: the sizes of its changes, in units of the problem's own.
class Contraction {
 public:
  /// patience: changes after which one that hardly shrinks is taken for a cycle.
  explicit Contraction(int patience = 10) : patience_(patience) {}
  void see(double size) {
    last_ = size_;
    size_ = size;
    ++count_;
  }
  /// What is known of the last change only when it has been taken.
  void widen(double size) { size_ = size > size_ ? size : size_; }
  int count() const { return count_; }
  double size() const { return size_; }
  bool defined() const { return std::isfinite(size_) && size_ < 1e299; }
  /// Of the last change to the one before it; `unknown` where there is none.
  double rate(double unknown = 1) const { return count_ > 1 && last_ > 0 ? size_ / last_ : unknown; }
  /// No longer shrinking as Newton's method does: where changes are small, round-off is all that moves them.
  bool stalls() const { return count_ > 1 && size_ > 0.3 * last_; }
  /// How much of the change is taken: a cycle between two branches of a law goes half way.
  double part() const { return count_ > patience_ && size_ > 0.5 * last_ ? 0.5 : 1.0; }

 private:
  int patience_, count_ = 0;
  double size_ = 0, last_ = 0;
};

enum class NewtonEnd {
  found,
  no_value,  ///< the equations have no value there, or a change is no number
  singular,  ///< no change follows from the tangent
  diverges,
  limit  ///< of iterations
};

enum class NewtonStep { on, found, diverges };

/** Newton's method, whatever the unknowns and however long a tangent is kept. A problem has

      bool evaluate();                  what is missing where the unknowns stand; false: there is no value
      bool settled();                   asked after evaluate: nothing is missing any more (optional)
      bool solve();                     the change of the unknowns; false: singular
      double size();                    of the change
      void take(double part);           takes this much of it
      NewtonStep judge(Contraction&);   is it enough?

Its unknowns may be of any kind: those that live on a manifold are moved by `take`. */
template <class Problem>
NewtonEnd newton(Problem& problem, Contraction& contraction, int limit) {
  for (int k = 0; k < limit; ++k) {
    if (!problem.evaluate()) return NewtonEnd::no_value;
    if constexpr (requires { problem.settled(); }) {
      if (problem.settled()) return NewtonEnd::found;
    }
    if (!problem.solve()) return NewtonEnd::singular;
    contraction.see(problem.size());
    if (!contraction.defined()) return NewtonEnd::no_value;
    problem.take(contraction.part());
    const NewtonStep step = problem.judge(contraction);
    if (step == NewtonStep::found) return NewtonEnd::found;
    if (step == NewtonStep::diverges) return NewtonEnd::diverges;
  }
  return NewtonEnd::limit;
}

}  // namespace bristle
