#pragma once
#include <vector>

#include "bristle/enforce/mobilities.h"

namespace bristle {

/// With bodies in space. Inertias that held rows tie together are one island. A row moves the islands that it meets and nothing else. Rows of one
/// colour share none, so that the reactions to all of them are found at once.
class SpaceMobilities final : public Mobilities {
 public:
  /// `exactly`: without the softness of the held rows.
  SpaceMobilities(const System&, HeldSolver&, bool exactly);
  void look(const System&, const State&, Workspace&) override;
  void renew(const System&, const Workspace&, const std::vector<int>& places) override;

 private:
  /// What belongs to an island.
  struct Island {
    std::vector<int> velocities, slots, rows;
  };
  std::vector<int> find_islands(const System&, std::vector<Island>&) const;
  void find_pieces(const Layout&, const std::vector<int>& island_of, std::vector<Island>&);
  void find_near(const std::vector<Island>&);
  void find_colours();
  template <class F>
  void each_wanted(std::size_t colour, const F& use) const;
  bool react(const System&, const Workspace&, std::size_t colour);
  void note(const Layout&, const Workspace&, int row);
  void forget(int row);

  HeldSolver& held_;
  bool exactly_;
  std::vector<int> first_island_, island_;        // per row
  std::vector<int> first_piece_, piece_on_;       // per row and piece: its island, -1: nothing that is free
  std::vector<int> first_of_colour_, of_colour_;  // rows
  std::vector<int> reached_;                      // per island: the row
  std::vector<double> y_, b_, lambda_;            // of one colour; y is zero between uses
  std::vector<double> alone_;                     // per row: its own mobility while nothing is held
  std::vector<char> wanted_;                      // per row
};

}  // namespace bristle
