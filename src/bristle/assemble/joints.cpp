#include <iterator>
#include <stdexcept>

#include "bristle/assemble/builder.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/law_node.h"
#include "bristle/assemble/space_contacts.h"
#include "bristle/assemble/usual_friction.h"
#include "bristle/base/text.h"
#include "bristle/friction/lugre.h"
#include "bristle/friction/registry.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/interface/smoothed_law.h"

namespace bristle {

namespace {

/// friction: lugre, or friction: {type: lugre, ...}
template <int D>
std::unique_ptr<FrictionLaw<D>> read_friction(const Node& node, const Scope& scope, const std::string& owner,
                                              std::optional<double> load, std::string& name) {
  LawNode written = read_law_node(node, owner, "friction", "lugre");
  name = written.name;
  const FrictionEntry& entry = friction_registry().find(name, written.where);
  if (node.is_scalar()) written.parameters = usual_friction(entry, written.where);
  Reader reader(written.parameters, scope, {owner + ": friction '" + name + "'", load});
  auto law = entry.make<D>(reader);
  reader.finish({"type"});
  return law;
}

}  // namespace

std::vector<KindEntry> joint_kinds() {
  using enum Field::Kind;
  KindEntry sliding{
      "sliding",
      "two surfaces that press on each other and rub, along one, two or three coordinates",
      joined(
          end_fields(),
          {plain_field(signal, "load", unit::newton, any, "",
                       "normal force: a number or an expression of t and channels; open where <= 0"),
           shaped_field("friction", "", "the law: a name, or a map with type and parameters; see `bristle list friction`"),
           plain_field(number, "arm", unit::metre, positive, "1 m", "radius at which a rotary joint rubs; required there"),
           plain_field(number, "force_arm", unit::metre, positive, "arm",
                       "lever arm of the friction force, when it is not the arm of the slip"),
           shaped_field("smoothing", "none", "replaces the jump of a dry law: {shape: tanh or saturation, velocity: 1 mm/s}")}),
      "joints:\n  pad:\n    type: sliding\n    between: [ground, block]      # in the plane: [[ground, ground], [x, y]]\n"
      "    load: 10 N\n    friction: {type: coulomb, mu_kinetic: 0.3}\n",
      "",
      {{"between", "ends"}, {"on", "end"}, {"friction", "friction"}, {"smoothing", "smoothing"}}};
  std::vector<KindEntry> kinds{sliding};
  for (KindEntry& e : space_joint_kinds()) kinds.push_back(std::move(e));
  for (KindEntry& e : contact_joint_kinds()) kinds.push_back(std::move(e));
  return kinds;
}

template <int D>
std::unique_ptr<FrictionLaw<D>> Builder::read_law(Reader& reader, std::optional<double> load, std::string& law_name) {
  const std::string owner = reader.owner();
  const Node& friction = reader.child("friction", "the law of friction, for example {type: coulomb, mu_kinetic: 0.3}");
  std::unique_ptr<FrictionLaw<D>> law = read_friction<D>(friction, scope_, owner, load, law_name);
  if (const Node* smoothing = reader.optional_child("smoothing")) {
    if (law->set_valued() == nullptr)
      reader.fail("smoothing", "'" + law_name + "' has no jump at zero speed; leave smoothing out");
    Smoothing s;
    if (!smoothing->is_map()) reader.fail("smoothing", "smoothing takes a map, for example {shape: tanh, velocity: 1 mm/s}");
    Reader inner(*smoothing, scope_, {owner + ": smoothing", {}});
    inner.choice_of("shape", s.shape, {"tanh", "saturation"}, "how the force rises");
    inner("velocity", s.velocity, unit::metre_per_second, positive, "speed over which the force rises");
    inner.finish();
    law = std::make_unique<SmoothedLaw<D>>(std::move(law), s);
  }
  return law;
}

template <int D>
void Builder::add_place(PlaceItems<D>& items, Reader& reader, const std::string& name) {
  const std::vector<Span> span = spans(reader);
  const std::string owner = reader.owner();
  const bool rotary = span[0].rotary;
  const double arm = reader.optional_number("arm", unit::metre, positive).value_or(1);
  if (rotary && !reader.has("arm"))
    reader.fail("arm", "a rotary joint needs arm: the radius at which it rubs, for example arm: 20 mm");
  const double force_arm = reader.optional_number("force_arm", unit::metre, positive).value_or(arm);

  Signal load_signal;
  if (!reader.has("load")) reader.fail("load", "say how hard the surfaces press: load: 10 N, or an expression of t and channels");
  reader.signal("load", load_signal, unit::newton, "normal force");
  if (load_signal.is_constant() && load_signal.constant() < 0)
    reader.fail("load", "the load must be >= 0, got " + number_text(load_signal.constant()) + " [N]");
  std::optional<double> constant;
  if (load_signal.is_constant() && load_signal.constant() > 0) constant = load_signal.constant();

  std::string law_name;
  std::unique_ptr<FrictionLaw<D>> law = read_law<D>(reader, constant, law_name);
  reader.finish();
  if (!options_.friction) return;

  const auto fill = [&](auto& place) {
    place.load = names_.bind(load_signal, owner);
    place.arm = arm;
    place.force_arm = force_arm;
    place.lever = force_arm / arm;
    place.account = numbers_.account(name, Account::Kind::dissipated);
    place.name = name;
    place.law = std::move(law);
    numbers_.place(place, Numbers::Travel::measured, static_cast<int>(items.relative.size() + items.form.size()));
  };
  bool plain = true;
  for (const Span& s : span) plain = plain && s.relative().has_value();
  if (plain) {
    Place<Relative, D> place;
    for (int d = 0; d < D; ++d) place.measure[d] = numbers_.on_ground(*span[static_cast<std::size_t>(d)].relative());
    fill(place);
    items.relative.push_back(std::move(place));
    items.relative_laws.push_back(law_name);
  } else {
    Place<LinearForm, D> place;
    for (int d = 0; d < D; ++d) place.measure[d] = LinearForm{span[static_cast<std::size_t>(d)].terms};
    fill(place);
    items.form.push_back(std::move(place));
    items.form_laws.push_back(law_name);
  }
}

template <int D>
void Builder::make_places(PlaceItems<D>& items) {
  const auto announce = [&](const auto& places, const std::vector<std::string>& laws) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string& name = places[i].name;
      const auto vector = [&](const char* quantity, const char* unit_text, const char* text) {
        for (int d = 0; d < D; ++d) {
          channel(D == 1 ? name + "." + quantity : name + "." + quantity + "." + std::to_string(d + 1), unit_text, text);
        }
      };
      vector("slip", "m/s", "slip velocity of B relative to A");
      vector("travel", "m", "displacement of B relative to A");
      channel(name + ".normal_force", "N", "load on the surfaces");
      vector("friction_force", "N", "friction force, positive along the slip it resists");
      channel(name + ".mode", "1", "0 stick, 1 slip, 2 open");
      if (places[i].press) channel(name + ".gap", "m", "distance of the surfaces; negative: they overlap");
      using P = std::decay_t<decltype(places[i])>;
      const int bristles = PlaceBlock<std::decay_t<decltype(P::measure[0])>, D>::bristle_count(*places[i].law);
      for (int m = 0; m < bristles; ++m) {
        channel(bristles == 1 ? name + ".bristle" : name + ".bristle." + std::to_string(m + 1), "1",
                "memory of the friction law, dimensionless");
      }
      layout_.places.push_back({name, laws[i], D});
    }
  };
  // a law that is common in large numbers gets a block of its own, which calls it by type
  if constexpr (D == 1) {
    std::vector<Place<Relative, 1>> grouped, others;
    std::vector<std::string> grouped_laws, other_laws;
    for (std::size_t i = 0; i < items.relative.size(); ++i) {
      const bool by_type = dynamic_cast<const FrictionLawOf<LuGre, 1>*>(items.relative[i].law.get()) != nullptr;
      (by_type ? grouped_laws : other_laws).push_back(items.relative_laws[i]);
      (by_type ? grouped : others).push_back(std::move(items.relative[i]));
    }
    if (!grouped.empty()) {
      announce(grouped, grouped_laws);
      blocks_.push_back(std::make_unique<PlaceBlock<Relative, 1, FrictionLawOf<LuGre, 1>>>(std::move(grouped)));
    }
    items.relative = std::move(others);
    items.relative_laws = std::move(other_laws);
  }
  if (!items.relative.empty()) {
    announce(items.relative, items.relative_laws);
    blocks_.push_back(std::make_unique<PlaceBlock<Relative, D>>(std::move(items.relative)));
  }
  if (!items.form.empty()) {
    announce(items.form, items.form_laws);
    blocks_.push_back(std::make_unique<PlaceBlock<LinearForm, D>>(std::move(items.form)));
  }
  if (!items.row.empty()) {
    announce(items.row, items.row_laws);
    blocks_.push_back(std::make_unique<PlaceBlock<RowMeasure, D>>(std::move(items.row)));
  }
}

template <int D>
void Builder::add_row_place(PlaceItems<D>& items, Reader& reader, const std::string& name, const BearingPlan& plan,
                            const Marker& A, const Marker& B, const std::vector<int>& slots, const std::vector<int>& slip_rows) {
  std::string law_name;
  std::unique_ptr<FrictionLaw<D>> law = read_law<D>(reader, {}, law_name);
  if (!options_.friction) return;
  Place<RowMeasure, D> place;
  for (int d = 0; d < D; ++d) place.measure[d].row = slip_rows[static_cast<std::size_t>(d)];
  Bearing bearing;
  bearing.preload = plan.preload;
  for (const LoadPlan& load : plan.load) {
    BearingTerm term;
    term.count = 0;
    term.factor = load.factor;
    for (int row : load.rows) {
      const int slot = slots[static_cast<std::size_t>(row)];
      if (slot < 0) continue;
      if (term.count == static_cast<int>(std::size(term.slot)))
        throw std::logic_error("joint " + name + ": a share of its load is made of more reactions than BearingTerm has room for");
      term.slot[term.count++] = slot;
    }
    if (term.count > 0) bearing.terms.push_back(term);
  }
  for (const MomentPlan& m : plan.moments) {
    const int slot = slots[static_cast<std::size_t>(m.row)];
    double value = 0;
    if (slot < 0 || vanishes(A, B, m.relation, value)) continue;
    bearing.moments.push_back({add_row(A, B, m.relation), slot, m.factor});
  }
  place.bearing = std::move(bearing);
  place.account = numbers_.account(name, Account::Kind::dissipated);
  place.name = name;
  place.law = std::move(law);
  const bool by_rate = !plan.slip.empty() && !plan.slip[0].relation.holonomic();
  numbers_.place(place, by_rate ? Numbers::Travel::for_law : Numbers::Travel::measured, static_cast<int>(items.row.size()));
  items.row.push_back(std::move(place));
  items.row_laws.push_back(law_name);
}

void Builder::add_bearing(Reader& reader, const std::string& name, const BearingPlan& plan, const Marker& A, const Marker& B,
                          const std::vector<int>& slots, const std::vector<int>& slip_rows) {
  const std::string full = *plan.name == 0 ? name : name + "." + plan.name;
  switch (slip_rows.size()) {
    case 1: add_row_place(parts_.places1, reader, full, plan, A, B, slots, slip_rows); break;
    case 2: add_row_place(parts_.places2, reader, full, plan, A, B, slots, slip_rows); break;
    default: add_row_place(parts_.places3, reader, full, plan, A, B, slots, slip_rows); break;
  }
}

template std::unique_ptr<FrictionLaw<1>> Builder::read_law<1>(Reader&, std::optional<double>, std::string&);
template std::unique_ptr<FrictionLaw<2>> Builder::read_law<2>(Reader&, std::optional<double>, std::string&);

void Builder::read_joints() {
  each("joints", "joint", [&](const std::string& name, const Where&, Reader& reader) {
    if (read_kind(reader, "joint").name != "sliding") return;
    switch (components(reader)) {
      case 1: add_place(parts_.places1, reader, name); break;
      case 2: add_place(parts_.places2, reader, name); break;
      default: add_place(parts_.places3, reader, name); break;
    }
  });
  make_places(parts_.places1);
  make_places(parts_.places2);
  make_places(parts_.places3);
}

}  // namespace bristle
