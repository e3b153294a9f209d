// Places where elements rub, and the laws that they have.
#include "bristle/assemble/places.h"

#include <iterator>
#include <stdexcept>

#include "bristle/assemble/law_node.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/assemble/usual_friction.h"
#include "bristle/base/text.h"
#include "bristle/friction/lugre.h"
#include "bristle/interface/force_form.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/interface/smoothed_law.h"
#include "bristle/interface/viscous_share.h"

namespace bristle {

namespace {

/// friction: lugre, or friction: {type: lugre, ...}
template <int D>
GivenLaw<D> read_friction(const Plan& plan, const Node& node, const std::string& owner, std::optional<double> load) {
  LawNode written = read_law_node(node, owner, "friction", "lugre");
  const std::string name = written.name;
  const FrictionEntry& entry = plan.elements.friction.find(name, written.where);
  if (node.is_scalar()) written.parameters = usual_friction(entry, written.where);
  Reader reader(written.parameters, plan.scope, {owner + ": friction '" + name + "'", load});
  auto law = entry.make<D>(reader);
  reader.finish({"type"});
  return {std::move(law), name, reader.given_input()};
}

}  // namespace

PlaceInput bind_input(Plan& plan, const GivenInput& given, const std::string& place, const std::string& owner) {
  const Range& r = given.range;
  return {plan.names.bind(given.signal, place.substr(0, place.find('.')), owner + ": " + given.key),
          r.low_open ? std::nextafter(r.low, kInfinity) : r.low, r.high_open ? std::nextafter(r.high, -kInfinity) : r.high,
          given.key, r.text()};
}

void RubKeys::visit(Keys& keys, const char* usual, const char* text) {
  keys.node("friction", "friction", friction, usual, text);
  keys.node("smoothing", "smoothing", smoothing, "none",
            "replaces the jump of a dry law: {shape: tanh, saturation or exponential, velocity: 1 mm/s}");
  keys.number("stiffness_at", stiffness_at, unit::newton, positive, "stiffness follows the load",
              "laws with memory: the load whose stiffness they keep, whatever the load (the force form)");
  keys.number("viscosity", viscosity, unit::newton_second_per_metre, non_negative, "none",
              "of a film beside the law: a force that does not follow the load, as long as the surfaces touch");
}

void PressKeys::visit(Keys& keys, const char* usual, const char* text, const char* friction_text) {
  keys.node("contact", "contact", contact, usual, text);
  RubKeys::visit(keys, "none", friction_text);
}

void OverlapKeys::visit(Keys& keys) {
  keys.choice_of("overlap", overlap, {"refuse", "keep", "resolve"},
                 "what to do with surfaces that overlap at the start; resolve moves the bodies apart");
  keys.choice_of("acts_on", acts_on, {"middle", "first", "second"},
                 "where in the overlap the forces act: in its middle, or on the surface of the first or second body");
}

template <int D>
GivenLaw<D> read_law(const Plan& plan, const Reader& reader, const RubKeys& rub, std::optional<double> load) {
  const std::string owner = reader.owner();
  GivenLaw<D> given = read_friction<D>(plan, *rub.friction, owner, load);
  std::unique_ptr<FrictionLaw<D>>& law = given.law;
  if (const Node* smoothing = rub.smoothing) {
    if (law->set_valued() == nullptr)
      reader.fail("smoothing", "'" + given.name + "' has no jump at zero speed; leave smoothing out");
    Smoothing s;
    if (!smoothing->is_map()) reader.fail("smoothing", "smoothing takes a map, for example {shape: tanh, velocity: 1 mm/s}");
    Reader inner(*smoothing, plan.scope, {owner + ": smoothing", {}});
    s.visit(inner);
    inner.finish();
    law = std::make_unique<SmoothedLaw<D>>(std::move(law), s);
  }
  if (rub.stiffness_at) {
    if (!(law->largest_stretch() > 0)) {
      const Node* form = rub.friction->is_map() ? rub.friction->find("vector_form") : nullptr;
      const std::string memory = "the memory of '" + given.name + "'";
      if (form != nullptr)
        reader.fail("stiffness_at",
                    memory + " is not the force of springs alone with vector_form: " + shortened(form->text, 30) +
                        ", and has no stiffness to keep. Write vector_form: isotropic, or leave stiffness_at out");
      reader.fail(
          "stiffness_at",
          memory +
              " is not the force of springs alone; laws that can keep their stiffness: lugre, dahl, elasto_plastic, iwan, "
              "parallel_series_iwan, generalised_maxwell_slip (the first three with vector_form: isotropic)");
    }
    law = std::make_unique<ForceForm<D>>(std::move(law), *rub.stiffness_at);
  }
  if (rub.viscosity) law = std::make_unique<ViscousShare<D>>(std::move(law), *rub.viscosity);
  return given;
}

void finish_rubbing(Reader& reader, const RubKeys& rub) {
  if (rub.smoothing != nullptr && rub.friction == nullptr)
    reader.fail(
        "smoothing",
        "smoothing is for the jump of a dry law at zero speed, and there is no friction here; give friction, or leave it out");
  const auto needs_friction = [&](const char* key, bool given, const char* why) {
    if (given && rub.friction == nullptr)
      reader.fail(key, std::string(key) + why + ", and there is no friction here; give friction, or leave it out");
  };
  needs_friction("stiffness_at", rub.stiffness_at.has_value(), " is for friction with memory");
  needs_friction("viscosity", rub.viscosity.has_value(), " goes beside a law of friction");
  reader.finish({"type"});
}

KindEntry smoothing_map() { return {"smoothing", "replaces the jump of a dry law", fields_of<Smoothing>(), "", ""}; }

template GivenLaw<1> read_law<1>(const Plan&, const Reader&, const RubKeys&, std::optional<double>);
template GivenLaw<2> read_law<2>(const Plan&, const Reader&, const RubKeys&, std::optional<double>);
template GivenLaw<3> read_law<3>(const Plan&, const Reader&, const RubKeys&, std::optional<double>);

namespace {

template <int D>
void add_row_place(Plan& plan, PlaceItems<D>& items, const Reader& reader, const RubKeys& keys, const std::string& name,
                   const BearingPlan& rub, const Marker& A, const Marker& B, const std::vector<int>& slots,
                   const std::vector<int>& slip_rows) {
  GivenLaw<D> law = read_law<D>(plan, reader, keys, {});
  if (!plan.options.friction) return;
  Place<RowMeasure, D> place;
  for (int d = 0; d < D; ++d) place.measure[d].row = slip_rows[static_cast<std::size_t>(d)];
  Bearing bearing;
  bearing.preload = rub.preload;
  for (const LoadPlan& load : rub.load) {
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
  for (const MomentPlan& m : rub.moments) {
    const int slot = slots[static_cast<std::size_t>(m.row)];
    double value = 0;
    if (slot < 0 || vanishes(plan, A, B, m.relation, value)) continue;
    bearing.moments.push_back({add_row(plan, A, B, m.relation), slot, m.factor});
  }
  place.bearing = std::move(bearing);
  place.account = plan.numbers.account(name, Account::Kind::dissipated);
  place.name = name;
  std::string law_name = law.give(plan, place, reader.owner());
  const bool by_rate = !rub.slip.empty() && !rub.slip[0].relation.holonomic();
  plan.numbers.place(place, by_rate ? Numbers::Travel::for_law : Numbers::Travel::measured, static_cast<int>(items.row.size()));
  items.row.push_back(std::move(place));
  items.row_laws.push_back(std::move(law_name));
}

}  // namespace

void add_bearing(Plan& plan, const Reader& reader, const RubKeys& law, const std::string& name, const BearingPlan& rub,
                 const Marker& A, const Marker& B, const std::vector<int>& slots, const std::vector<int>& slip_rows) {
  const std::string full = *rub.name == 0 ? name : name + "." + rub.name;
  switch (slip_rows.size()) {
    case 1: add_row_place(plan, plan.parts.places1, reader, law, full, rub, A, B, slots, slip_rows); break;
    case 2: add_row_place(plan, plan.parts.places2, reader, law, full, rub, A, B, slots, slip_rows); break;
    default: add_row_place(plan, plan.parts.places3, reader, law, full, rub, A, B, slots, slip_rows); break;
  }
}

namespace {

template <int D>
void make_places(Plan& plan, PlaceItems<D>& items) {
  const auto announce = [&](const auto& places, const std::vector<std::string>& laws) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string& name = places[i].name;
      const auto vector = [&](const char* quantity, const char* unit_text, const char* text) {
        for (int d = 0; d < D; ++d) {
          plan.channel(D == 1 ? name + "." + quantity : name + "." + quantity + "." + std::to_string(d + 1), unit_text, text);
        }
      };
      vector("slip", "m/s", "slip velocity of B relative to A");
      vector("travel", "m", "displacement of B relative to A");
      plan.channel(name + ".normal_force", "N", "load on the surfaces");
      vector("friction_force", "N", "friction force, positive along the slip it resists");
      plan.channel(name + ".mode", "1", "0 stick, 1 slip, 2 open");
      if (places[i].press) plan.channel(name + ".gap", "m", "distance of the surfaces; negative: they overlap");
      if (places[i].press && places[i].press->law->dents())
        plan.channel(name + ".indentation", "m", "depth of the dent that is left where the surfaces have yielded");
      using P = std::decay_t<decltype(places[i])>;
      const int bristles = PlaceBlock<std::decay_t<decltype(P::measure[0])>, D>::bristle_count(*places[i].law);
      for (int m = 0; m < bristles; ++m) {
        plan.channel(bristles == 1 ? name + ".bristle" : name + ".bristle." + std::to_string(m + 1), "1",
                     "memory of the friction law, dimensionless");
      }
      plan.layout.places.push_back({name, laws[i], D});
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
      plan.blocks.push_back(std::make_unique<PlaceBlock<Relative, 1, FrictionLawOf<LuGre, 1>>>(std::move(grouped)));
    }
    items.relative = std::move(others);
    items.relative_laws = std::move(other_laws);
  }
  if (!items.relative.empty()) {
    announce(items.relative, items.relative_laws);
    plan.blocks.push_back(std::make_unique<PlaceBlock<Relative, D>>(std::move(items.relative)));
  }
  if (!items.form.empty()) {
    announce(items.form, items.form_laws);
    plan.blocks.push_back(std::make_unique<PlaceBlock<LinearForm, D>>(std::move(items.form)));
  }
  if (!items.row.empty()) {
    announce(items.row, items.row_laws);
    plan.blocks.push_back(std::make_unique<PlaceBlock<RowMeasure, D>>(std::move(items.row)));
  }
}

}  // namespace

void make_places(Plan& plan) {
  make_places(plan, plan.parts.places1);
  make_places(plan, plan.parts.places2);
  make_places(plan, plan.parts.places3);
}

}  // namespace bristle
