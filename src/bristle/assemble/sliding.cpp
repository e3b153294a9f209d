// The sliding joint: surfaces that rub along scalar coordinates.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

struct SlidingKeys {
  EndKeys ends;
  Signal load;
  std::optional<double> arm, force_arm;
  RubKeys rub;
  void visit(Keys& keys) {
    ends.visit(keys);
    keys.need("load", "say how hard the surfaces press: load: 10 N, or an expression of t and channels");
    keys.signal("load", load, unit::newton, "", "normal force: a number or an expression of t and channels; open where <= 0");
    rub.visit(keys, "", "the law: a name, or a map with type and parameters; see `bristle list friction`");
    keys.number("arm", arm, unit::metre, positive, "1 m", "radius at which a rotary joint rubs; required there");
    keys.number("force_arm", force_arm, unit::metre, positive, "arm",
                "lever arm of the friction force, when it is not the arm of the slip");
  }
};

KindEntry sliding_kind() {
  return {"sliding", "two surfaces that press on each other and rub, along one, two or three coordinates",
          key_fields<SlidingKeys>(),
          "joints:\n  pad:\n    type: sliding\n    between: [ground, block]      # in the plane: [[ground, ground], [x, y]]\n"
          "    load: 10 N\n    friction: {type: coulomb, mu_kinetic: 0.3}\n",
          ""};
}

/// What expressions may read of it.
void announce_sliding(Plan& plan, Reader& reader, const std::string& name) {
  using Kind = Signal::Input::Kind;
  const SlidingKeys keys = read_keys<SlidingKeys>(reader, plan.scope);
  const std::vector<Span> span = spans(plan, reader, keys.ends);
  for (std::size_t d = 0; d < span.size(); ++d) {
    const std::string suffix = span.size() > 1 ? "." + std::to_string(d + 1) : "";
    const double arm = keys.arm.value_or(1);
    std::vector<std::pair<int, double>> terms = span[d].terms;
    for (auto& term : terms) term.second *= arm;
    plan.names.offer(name + ".travel" + suffix, Kind::position, terms);
    plan.names.offer(name + ".slip" + suffix, Kind::velocity, terms);
    plan.names.offer_samples(name, {"friction_force" + suffix});
  }
  plan.names.offer_samples(name, {"normal_force"});
}

template <int D>
void add_place(Plan& plan, PlaceItems<D>& items, Reader& reader, const SlidingKeys& keys, const std::string& name) {
  const std::vector<Span> span = spans(plan, reader, keys.ends);
  const std::string owner = reader.owner();
  const bool rotary = span[0].rotary;
  const double arm = keys.arm.value_or(1), force_arm = keys.force_arm.value_or(arm);
  if (rotary && !keys.arm) reader.fail("arm", "a rotary joint needs arm: the radius at which it rubs, for example arm: 20 mm");
  if (keys.load.is_constant() && keys.load.constant() < 0)
    reader.fail("load", "the load must be >= 0, got " + number_text(keys.load.constant()) + " [N]");
  std::optional<double> constant;
  if (keys.load.is_constant() && keys.load.constant() > 0) constant = keys.load.constant();

  GivenLaw<D> law = read_law<D>(plan, reader, keys.rub, constant);
  std::string law_name;
  reader.finish();
  if (!plan.options.friction) return;

  const auto fill = [&](auto& place) {
    place.load = plan.names.bind(keys.load, name, owner);
    place.arm = arm;
    place.force_arm = force_arm;
    place.lever = force_arm / arm;
    place.account = plan.numbers.account(name, Account::Kind::dissipated);
    place.name = name;
    law_name = law.give(plan, place, owner);
    plan.numbers.place(place, Numbers::Travel::measured, static_cast<int>(items.relative.size() + items.form.size()));
  };
  bool plain = true;
  for (const Span& s : span) plain = plain && s.relative().has_value();
  if (plain) {
    Place<Relative, D> place;
    for (int d = 0; d < D; ++d) place.measure[d] = plan.numbers.on_ground(*span[static_cast<std::size_t>(d)].relative());
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

void add_sliding(Plan& plan, Reader& reader, const std::string& name) {
  const SlidingKeys keys = read_keys<SlidingKeys>(reader, plan.scope);
  switch (keys.ends.components()) {
    case 1: add_place(plan, plan.parts.places1, reader, keys, name); break;
    case 2: add_place(plan, plan.parts.places2, reader, keys, name); break;
    default: add_place(plan, plan.parts.places3, reader, keys, name); break;
  }
}

}  // namespace

ElementEntry sliding_joint() {
  ElementEntry entry{sliding_kind()};
  entry.announce = announce_sliding;
  entry.add = add_sliding;
  return entry;
}

}  // namespace bristle
