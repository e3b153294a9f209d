// Surfaces that may touch: rows of gaps and slips, and the places that press and rub on them.
#include "bristle/assemble/contact.h"
#include "bristle/assemble/ends.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/friction/frictionless.h"
#include "bristle/interface/friction_law_of.h"

namespace bristle {

template <int D>
bool add_press_place(Plan& plan, PlaceItems<D>& items, const Reader& reader, const PressKeys& keys, const std::string& name,
                     int gap, const int* slip, const ContactPair& pair, bool placed) {
  Press press;
  std::string contact_name, law_name = "none";
  press.law = read_contact(*keys.contact, plan.scope, reader.owner(), contact_name, plan.elements.contacts);
  if (const char* missing = press.law->bind(pair)) reader.fail("contact", "where " + name + " touches, " + missing);
  press.gap = gap;
  press.marks = plan.numbers.marks(press.law->marks());
  press.account = plan.numbers.account(name + ".contact", Account::Kind::dissipated);

  Place<RowMeasure, D> place;
  for (int d = 0; d < D; ++d) place.measure[d].row = slip[d];
  const bool rubs = keys.friction != nullptr && plan.options.friction;
  place.name = name;
  if (rubs) law_name = read_law<D>(plan, reader, keys, {}).give(plan, place, reader.owner());
  else place.law = std::make_unique<FrictionLawOf<Frictionless, D>>(Frictionless{});
  place.account = rubs ? plan.numbers.account(name, Account::Kind::dissipated) : press.account;
  const bool dry = place.law->set_valued() != nullptr, hard = press.law->rigid() != nullptr;
  place.press = std::move(press);
  plan.numbers.place(place, placed ? Numbers::Travel::for_law : Numbers::Travel::shown, static_cast<int>(items.row.size()));
  if (place.way >= 0) plan.space.clocks.push_back(place.way + PlaceBlock<RowMeasure, D>::kWay - 1);
  if (hard && rubs && !dry)
    reader.fail("friction",
                "rigid contact takes a dry law (coulomb, stiction, ...), not '" + law_name +
                    (keys.smoothing != nullptr ? "' with smoothing; leave smoothing out, or use" : "'; use one of these, or") +
                    " a contact law with stiffness");
  if (hard && keys.viscosity)
    reader.fail("viscosity", "rigid contact takes a dry law alone; leave viscosity out, or use a contact law with stiffness");
  items.row.push_back(std::move(place));
  items.row_laws.push_back(law_name);
  return dry && !hard;
}

template bool add_press_place<1>(Plan&, PlaceItems<1>&, const Reader&, const PressKeys&, const std::string&, int, const int*,
                                 const ContactPair&, bool);
template bool add_press_place<2>(Plan&, PlaceItems<2>&, const Reader&, const PressKeys&, const std::string&, int, const int*,
                                 const ContactPair&, bool);

void finish_touch(Plan& plan, const Reader& reader, const OverlapKeys& keys, const std::string& name, int gap) {
  using enum OverlapKeys::Overlap;
  if (keys.overlap != keep) plan.space.gaps.push_back({gap, name, reader.owner(), reader.node().where, keys.overlap == resolve});
  plan.names.offer_samples(name, {"normal_force", "gap"});
}

void add_touch(Plan& plan, const Reader& reader, const TouchKeys& keys, const std::string& name,
               std::unique_ptr<Geometry> geometry, const Marker& A, const Marker& B) {
  const bool planar = in_plane(plan, A, B);
  Touches::Item item;
  item.name = reader.owner();
  item.A = A;
  item.B = B;
  item.shift = keys.overlap.shift();
  item.marks = plan.numbers.marks(Touches::marks_needed(*geometry));
  for (int k = 0; k < geometry->points(); ++k) {
    Touches::Point p;
    p.gap = plan.numbers.row(A, B);
    p.slip[0] = plan.numbers.row(A, B);
    if (!planar) {
      p.slip[1] = plan.numbers.row(A, B);
      p.basis = plan.numbers.marks(3);
    }
    const std::string point = geometry->point_name(k), full = point.empty() ? name : name + "." + point;
    const ContactPair pair = geometry->pair(k);
    const bool dry = planar ? add_press_place(plan, plan.parts.places1, reader, keys.press, full, p.gap, p.slip, pair)
                            : add_press_place(plan, plan.parts.places2, reader, keys.press, full, p.gap, p.slip, pair);
    item.held = item.held || dry;
    finish_touch(plan, reader, keys.overlap, full, p.gap);
    item.points.push_back(p);
    plan.space.axes.push_back({full, A.body, B.body, p.gap, p.slip[0]});
  }
  item.geometry = std::move(geometry);
  plan.space.touches.push_back(std::move(item));
}

void add_play(Plan& plan, Reader& reader, const PlayKeys& keys, const std::string& name, const std::vector<int>& rows,
              const std::vector<double>& factors, double center, bool rotary) {
  if (rotary && !keys.arm) reader.fail("clearance", "play in a turn is measured at a radius: give arm, for example arm: 20 mm");
  if (!rotary && keys.arm)
    reader.fail("arm", "arm is the radius at which a turn is stopped, and nothing turns here; leave it out");
  if (keys.press.contact == nullptr)
    reader.fail("clearance",
                "clearance needs contact: how the surfaces press, for example contact: {type: linear, stiffness: 1 MN/m}");
  const double clearance = *keys.clearance, arm = keys.arm.value_or(1);
  for (double side : {1.0, -1.0}) {
    std::vector<double> scaled = factors, slip = factors;
    for (double& f : scaled) f *= -side * arm;
    for (double& f : slip) f *= arm;
    const int gap = add_combination(plan, linear_rows(rows, scaled, -side * arm * center - clearance));
    const int along = add_combination(plan, linear_rows(rows, slip, arm * center));
    const std::string full = name + (side > 0 ? ".upper" : ".lower");
    add_press_place(plan, plan.parts.places1, reader, keys.press, full, gap, &along, {}, true);
    plan.names.offer_samples(full, {"normal_force", "gap"});
  }
  finish_rubbing(reader, keys.press);
}

}  // namespace bristle
