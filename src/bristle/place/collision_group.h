#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/interface/contact_law.h"
#include "bristle/interface/friction_law.h"
#include "bristle/measure/surface_surface.h"

namespace bristle {

/// Bodies of which any two may meet, and obstacles that all of them may meet: pairs come from a grid of cells, contact points from the
/// shapes of each pair (measure/surface_surface.h). With rigid contact only methods that step over impacts solve it; a law
/// with stiffness and a friction law without memory push by themselves, for explicit methods.
/// A body has one or several shapes; shapes of one body never meet, nor do obstacles among each other. Points at which several
/// shapes of a body touch the same thing alike, as where parts of it meet flush, count once.
/// Cannot: laws with memory, as contacts have no place of their own; Jacobians; shapes that pass through each other within a step.
class CollisionGroup final : public Block, private FreeContacts {
 public:
  struct Item {
    Marker marker;
    Solid solid;
    bool obstacle = false;
  };
  struct Laws {
    std::unique_ptr<ContactLaw> contact;
    std::unique_ptr<FrictionLaw<2>> friction;
    int contact_account = 0, friction_account = 0;
  };
  CollisionGroup(std::string name, std::vector<Item> items, const std::vector<BodyInfo>& bodies, Laws laws);

  /// What is wrong with two shapes of it, or null; `a` and `b` say which.
  const char* problem(std::size_t& a, std::size_t& b) const;

  unsigned roles() const override { return laws_.contact->rigid() ? 0U : kForces | kStored; }
  void calc_forces(Eval& e) const override;
  double stored(const Eval& e, double* by_account) const override;
  int output_count() const override { return 2; }
  void calc_outputs(const Eval& e, double* out) const override;
  static std::vector<Channel> channels(const std::string& name);
  const FreeContacts* free_contacts() const override { return this; }

  void find(const Eval& e, double horizon, double margin, std::vector<FreeContact>& list) const override;

 private:
  const char* group_name() const override { return name_.c_str(); }
  const Unilateral* group_law() const override { return laws_.contact->rigid(); }
  int group_account(bool friction) const override { return friction ? laws_.friction_account : laws_.contact_account; }
  struct Seen {
    int a = 0, b = 0;  // bodies
    Touch<> touch;
  };
  double coefficient(const Vec<2>& slip) const;
  void meet(const Eval& e, std::size_t i, std::size_t j, double horizon, double margin, std::vector<FreeContact>& list,
            std::vector<Seen>& seen) const;
  Frame<> frame(const Eval& e, const Item& it) const;
  bool is_seen(const Item& a, const Item& b, const Touch<>& t, std::vector<Seen>& seen) const;

  std::string name_;
  std::vector<Item> items_;
  std::vector<char> parted_;  // of the bodies: several shapes
  std::vector<FrameMap> frames_;
  Laws laws_;
  std::vector<std::size_t> small_, large_;  // small: sorted into the grid; large: tried with all
  double cell_ = 0;                         // [m] of the small ones' largest diameter
  double coefficient_ = -1;                 // of friction that depends on nothing; -1: it does
};

}  // namespace bristle
