#pragma once
#include <memory>
#include <vector>

#include "bristle/body/scalar.h"
#include "bristle/ensemble/flat_text.h"

namespace bristle {

/// A small model by type: what it evaluates, and takes whole steps with, without a virtual function in between. Several of the same
/// shape go side by side (Ensemble).
class FlatSystem : public FusedEvaluation {
 public:
  bool steps() const final { return true; }
  const FlatSizes& sizes() const { return sizes_; }
  const DrivenCoordinates* driven() const { return driven_; }  ///< nullptr: there are none
  /// Has the other one the same coordinates, elements and law, so that only numbers differ?
  bool is_like(const FlatSystem& other) const;
  /// Its numbers, in the form that the texts read; kept as long as this.
  virtual const void* numbers() const = 0;
  /// What groups of so many runs do: 1, 2, 4 or 8. nullptr: the law, with these parameters, goes one by one.
  virtual const FlatText* text(int lanes) const = 0;

 protected:
  FlatSystem() = default;
  virtual const void* law() const = 0;  ///< nullptr: no places
  FlatSizes sizes_;
  const DrivenCoordinates* driven_ = nullptr;
  std::vector<FlatEnds> place_ends_;
  std::vector<FlatDrive<double>> drives_;
  std::vector<FlatSpring<double>> springs_;
  std::vector<double> inverse_;  // 1/mass by coordinate

  friend class FlatSystemMaker;
};

/// The flat system of blocks, or nullptr where there is anything else among those that drive, pull and weigh than scalar masses, drives,
/// springs, linear dampers, and places under constant load that all have the same law, one that StepsAlone.
std::unique_ptr<FusedEvaluation> make_flat_system(const std::vector<std::unique_ptr<Block>>& blocks, const Layout& layout);

}  // namespace bristle
