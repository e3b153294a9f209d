#pragma once
#include <memory>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/enforcement.h"
#include "bristle/enforce/held_solver.h"

namespace bristle {

/** What forces at dry places do while held rows stay held: accelerations, slip accelerations of all of them, and multipliers. Components of
slip are rows here, numbered through all places. Forces are conjugate to slips, the law's force times the lever of the place: so what slips
make of forces is symmetric whatever the arms.

Which of two kinds it is, is settled once for a system. Without bodies in space none of its numbers ever changes. With them the pattern is all
that stays: numbers belong to a configuration, and are made for the places that are asked for. */
class Mobilities {
 public:
  static std::unique_ptr<Mobilities> make(const System&, HeldSolver&, const Enforcement&);
  virtual ~Mobilities() = default;

  /// At a state that has not been evaluated: what `renew` needs there.
  virtual void look(const System&, const State&, Workspace&) {}
  /// The numbers of the rows of the given places, among each other.
  virtual void renew(const System&, const Workspace&, const std::vector<int>& places) { (void)places; }
  /// Takes the round-off out of slips (or slip accelerations) that are kept at zero, those of the given rows; the order of the rows changes. False: this
  /// does not go, their forces have to.
  virtual bool settle(const Layout&, std::vector<int>& at_rest, double* value) { return (void)at_rest, (void)value, false; }

  int rows() const { return static_cast<int>(place_of.size()); }
  double mobility(int row, int by) const;                         ///< slip acceleration of a row per force at another
  double mobility(int row) const { return own[size_t_of(row)]; }  ///< and at the row itself
  void push(int row, double force, double* a) const;              ///< a -= acceleration by a force at a row
  /// The slip that velocities make, or the acceleration of it that accelerations make: without what is given over time, and without drift.
  double slip(const Layout& layout, int row, const Workspace& w, const double* v) const {
    const RestRow& r = rest[size_t_of(row)];
    return r.arm * layout.rows.read(r.row, w.D.data(), v);
  }

  const bool changes;  ///< the numbers do
  /// In groups of so many rows there may be some that nearly repeat others, as the feet of a box whose depths differ a little. Rows that
  /// never change repeat each other or do not.
  const int repeats_within;

  std::vector<int> first_row;  // per place, and the end
  std::vector<int> place_of;   // per row
  std::vector<RestRow> rest;
  // Who may move what never changes, and where many places are, most do not feel each other. Per row: what it moves, which rows move each
  // other with it, and which multipliers it changes
  struct Response {
    int v;
    double value;
  };
  std::vector<int> first_response, first_near, near, first_slot, slot;
  std::vector<Response> response;
  std::vector<double> near_value, own, by_force;
  std::vector<int> mirror;   // of the entries of `near`, the one across
  std::vector<int> cluster;  // per place: those that may move each other, over any number of others
  int largest = 0;           // rows of a cluster

 protected:
  Mobilities(const System&, bool changes);
  void find_clusters();
  static std::size_t size_t_of(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace bristle
