// Expressions of motions that are kept at zero.
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {

struct ConstraintKeys {
  Signal zero;
  void visit(Keys& keys) {
    keys.need("zero", "a constraint needs zero: an expression that is kept at zero");
    keys.signal("zero", zero, unit::one, "", "expression of motions, positions of bodies and t");
  }
};

KindEntry constraint_kind() {
  return {"constraint", "keeps an expression of channels and t at zero", key_fields<ConstraintKeys>(),
          std::string(kTwoWheels) +
              "  follower: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
              "  cam: {type: constraint, zero: \"follower.displacement - 0.01*sin(input.angle)\"}\n",
          "Row: the expression itself, with its exact derivatives. It may read motions of joints, positions of bodies, scalar\n"
          "coordinates and t, but no speeds. Where it depends on t explicitly, its reaction does work.\n"};
}

void announce_constraint(Plan& plan, Reader& reader, const std::string& name) {
  const ConstraintKeys keys = read_keys<ConstraintKeys>(reader, plan.scope);
  reader.finish();
  const BoundSignal bound = plan.names.bind(keys.zero, name, reader.owner());
  bool by_time = false;  // then its reaction does work
  for (const auto& r : bound.readings()) {
    using Kind = Signal::Input::Kind;
    by_time = by_time || r.kind == Kind::time;
    if (r.kind != Kind::row && r.kind != Kind::position && r.kind != Kind::time)
      reader.fail("zero", "a constraint may read motions of joints, positions of bodies and t, but no speeds, forces or states");
  }
  if (Combinations::columns(bound, plan.layout.rows).empty()) reader.fail("zero", "the expression reads nothing that moves");
  hold_row(plan, add_combination(plan, bound, true), reader.owner(), "expression",
           by_time ? plan.numbers.account(name, Account::Kind::supplied) : -1);
}

}  // namespace

ElementEntry constraint_coupling() {
  ElementEntry entry{constraint_kind()};
  entry.acts_on = ElementEntry::ActsOn::motions;
  entry.announce = announce_constraint;
  return entry;
}

}  // namespace bristle
