#include "bristle/ensemble/flat_system.h"

#include <algorithm>
#include <utility>

#include "bristle/ensemble/law_lists.h"
#include "bristle/force/pull.h"
#include "bristle/friction/frictionless.h"
#include "bristle/friction/lugre.h"
#include "bristle/place/place.h"

namespace bristle {

namespace {

using Springs = PullBlock<Spring, Relative>;
using Dampers = PullBlock<Damper, Relative>;
using Places = PlaceBlock<Relative, 1>;
using PlaceItem = Place<Relative, 1>;

/// What a flat system is made of.
struct Parts {
  const DrivenCoordinates* drives = nullptr;
  const Springs* springs = nullptr;
  const Dampers* dampers = nullptr;
  const ScalarMasses* masses = nullptr;
  const std::vector<PlaceItem>* places = nullptr;
};

/// A load that varies is a signal, and one that may vanish opens the place: both stay with their block.
bool is_plain(const PlaceItem& p) {
  return p.constant_load > 0 && p.rest == nullptr && !p.press && !p.bearing && p.travel < 0 && p.way < 0;
}

}  // namespace

bool FlatSystem::is_like(const FlatSystem& other) const {
  const auto same_ends = [](const FlatEnds& x, const FlatEnds& y) {
    const Relative &m = x.measure, &n = y.measure;
    return x.z == y.z && x.account == y.account && m.a == n.a && m.b == n.b && m.push_a == n.push_a && m.push_b == n.push_b;
  };
  const auto same_spring = [&](const FlatSpring<double>& x, const FlatSpring<double>& y) { return same_ends(x.ends, y.ends); };
  FlatSizes s = other.sizes_;  // whether numbers are needed that are all one, or drives move alike, is no matter of shape
  s.sliding = sizes_.sliding, s.steady = sizes_.steady;
  return sizes_ == s && law() == other.law() && std::ranges::equal(springs_, other.springs_, same_spring) &&
         std::ranges::equal(place_ends_, other.place_ends_, same_ends);
}

/// Fills what does not depend on the law.
class FlatSystemMaker {
 public:
  static void fill(FlatSystem& system, const Parts& parts, const Layout& layout) {
    FlatSizes& s = system.sizes_;
    s.free = layout.scalars, s.driven = layout.driven, s.coordinates = layout.sizes.q;
    s.forces = layout.sizes.v + layout.spare;
    s.memory = layout.sizes.z, s.accounts = static_cast<int>(layout.accounts.size());
    system.driven_ = parts.drives;
    system.drives_.resize(static_cast<std::size_t>(s.driven));
    if (parts.drives != nullptr) {
      for (const auto& d : parts.drives->items()) {
        s.steady = s.steady && d.rate;
        system.drives_[static_cast<std::size_t>(d.index - s.free)] = {d.start, d.rate ? d.velocity.signal().constant() : 0};
      }
    }
    if (parts.springs != nullptr) {
      for (const auto& it : parts.springs->items()) {
        system.springs_.push_back({{it.measure, 0, it.account}, it.law});
      }
    }
    if (parts.dampers != nullptr) {  // springs without stiffness
      for (const auto& it : parts.dampers->items()) {
        system.springs_.push_back({{it.measure, 0, it.account}, {0, 0, it.law.linear, 0}});
      }
    }
    s.springs = static_cast<int>(system.springs_.size());
    s.sliding = true;
    if (parts.places != nullptr) {
      for (const PlaceItem& p : *parts.places) {
        system.place_ends_.push_back({p.measure[0], p.z, p.account});
        s.sliding = s.sliding && p.arm == 1 && p.force_arm == 1 && p.lever == 1;
      }
    }
    s.places = static_cast<int>(system.place_ends_.size());
    system.inverse_.resize(static_cast<std::size_t>(s.free));
    for (const auto& m : parts.masses->items()) system.inverse_[static_cast<std::size_t>(m.index)] = m.inverse;
  }
};

namespace {

/// With a law L whose places are asked by Form.
template <class L, class Form>
class FlatSystemOf final : public FlatSystem {
 public:
  FlatSystemOf(const Parts& parts, const Layout& layout) {
    FlatSystemMaker::fill(*this, parts, layout);
    if (parts.places != nullptr) {
      for (const PlaceItem& p : *parts.places) {
        const auto* law = static_cast<const FrictionLawOf<L, 1>*>(p.law.get());
        modes_.push_back({law, p.arm, p.constant_load, p.measure[0].a, p.measure[0].b, p.z, p.marks});
        if constexpr (kFlat)
          places_.push_back({place_ends_[places_.size()], {p.arm, p.force_arm, p.lever, p.constant_load, law->law().flat()}});
        else places_.push_back({place_ends_[places_.size()], {p.arm, p.force_arm, p.lever, p.constant_load, law}});
      }
    }
    model_.sizes = sizes_;
    model_.inverse = inverse_.data(), model_.drives = drives_.data();
    model_.springs = springs_.data(), model_.places = places_.data();
  }

  [[gnu::flatten]] void evaluate(State& x, bool drive, Eval& e, int, double* a) const override {
    if (drive) set_time(x);
    model_.evaluate(x.q(), x.v(), e.f, e.z, e.zdot, e.power, a);
  }
  void step(const ChainStep& s) const override {
    State& x1 = s.x1;
    const FlatArrays<double> arrays{s.x0.q(), s.x0.v(), s.x0.z(), s.rate0, s.power0, x1.q(), x1.v(),
                                    x1.z(),   s.rate,   s.power,  s.f,     s.sum,    s.work};
    model_.step(s.chain, s.x0.t, s.h, arrays, [&](double t) {
      if (x1.t == t) return;
      x1.t = t;
      set_time(x1);
    });
  }
  bool calc_modes(const State& x, Mode* mode) const override {
    const double *v = x.v(), *z = x.z(), *marks = x.marks();
    for (const ModeOf& p : modes_) {
      Patch<1> patch;
      patch.slip[0] = (v[p.b] - v[p.a]) * p.arm;
      patch.load = p.load;
      *mode++ = p.law->mode(patch, z + p.z, marks + p.marks);
    }
    return true;
  }

  const void* numbers() const override { return &model_; }
  const FlatText* text(int lanes) const override {
    if (lanes == 1) return &FlatTextOf<Form, Form>::kText;
    if constexpr (!kFlat) return nullptr;
    return lanes == 2 ? flat_text_2(law()) : lanes == 4 ? flat_text_4(law()) : lanes == 8 ? flat_text_8(law()) : nullptr;
  }

 private:
  static constexpr bool kFlat = std::is_same_v<Form, FlatForm<L, double>>;
  const void* law() const override { return &kLawTag<L>; }
  void set_time(State& x) const {
    if (!sizes_.steady) {
      set_signals(x);
      return;
    }
    model_.set_time(x.t, x.q(), x.v());
    double* a = x.a() + sizes_.free;
    for (int i = 0; i < sizes_.driven; ++i) a[i] = 0;
  }
  [[gnu::noinline]] void set_signals(State& x) const { driven_->set_time(x, x.t); }

  struct ModeOf {
    const FrictionLawOf<L, 1>* law;
    double arm, load;
    int a, b, z, marks;
  };
  std::vector<ModeOf> modes_;
  std::vector<typename FlatModel<Form>::Place> places_;
  FlatModel<Form> model_;
};

/// Finds the law that all places have.
struct SystemSearch {
  const Parts& parts;
  const Layout& layout;
  std::unique_ptr<FusedEvaluation> found;
};
template <class L>
void add_law(SystemSearch& search, const char*, const char*) {
  if constexpr (StepsAlone<L>) {
    if (search.found) return;
    bool flat = true;
    for (const PlaceItem& p : *search.parts.places) {
      const auto* law = dynamic_cast<const FrictionLawOf<L, 1>*>(p.law.get());
      if (law == nullptr || !is_plain(p)) return;
      flat = flat && is_flat(law->law());
    }
    if constexpr (HasFlat<L>) {
      if (flat) search.found = std::make_unique<FlatSystemOf<L, FlatForm<L, double>>>(search.parts, search.layout);
    }
    if (!search.found) search.found = std::make_unique<FlatSystemOf<L, WholeForm<L>>>(search.parts, search.layout);
  }
}

/// Takes the one block of its type.
template <class B>
bool take(const Block& block, const B*& into) {
  const auto* found = dynamic_cast<const B*>(&block);
  if (found == nullptr || into != nullptr) return false;
  into = found;
  return true;
}

}  // namespace

std::unique_ptr<FusedEvaluation> make_flat_system(const std::vector<std::unique_ptr<Block>>& blocks, const Layout& layout) {
  Parts parts;
  for (const auto& b : blocks) {
    if (!(b->roles() & (kDrives | kForces | kMass))) continue;
    if (take(*b, parts.masses) || take(*b, parts.drives)) continue;
    // in the order in which the blocks add their forces
    if (parts.dampers == nullptr && parts.places == nullptr && take(*b, parts.springs)) continue;
    if (parts.places == nullptr && take(*b, parts.dampers)) continue;
    const std::vector<PlaceItem>* items = nullptr;
    if (const auto* p = dynamic_cast<const Places*>(b.get())) items = &p->items();
    else if (const auto* l = dynamic_cast<const PlaceBlock<Relative, 1, FrictionLawOf<LuGre, 1>>*>(b.get())) items = &l->items();
    if (items == nullptr || parts.places != nullptr) return nullptr;
    parts.places = items;
  }
  const auto is_linear = [](const Dampers::Item& it) { return it.law.quadratic == 0; };
  if (parts.dampers != nullptr && !std::ranges::all_of(parts.dampers->items(), is_linear)) return nullptr;
  if (parts.masses == nullptr || static_cast<int>(parts.masses->items().size()) != layout.scalars) return nullptr;
  if (parts.places == nullptr) return nullptr;
  return find_law(SystemSearch{parts, layout, nullptr}).found;
}

}  // namespace bristle
