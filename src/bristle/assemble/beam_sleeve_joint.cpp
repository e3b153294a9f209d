// What slides along a beam in space: a tube around it, a disk in its bore.
#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/base/text.h"
#include "bristle/constraint/beam_touches.h"

namespace bristle {

namespace {

/// All of them, until they become a block.
struct BeamTouchItems {
  std::vector<BeamTouches::Item> items;
  std::vector<std::string> names;  ///< of the points
};

struct BeamSleeveKeys {
  BeamSleeveKeys() = default;
  explicit BeamSleeveKeys(bool tube) : around(tube) {}
  bool around = true;  ///< a tube around the beam; else a disk in it
  const Node* between = nullptr;
  std::optional<Vec3<>> at;
  AxesKeys axes;
  std::optional<double> bore, diameter;
  double length = 0;
  int stations = 2;
  bool ends = false;
  TouchKeys touch;
  void visit(Keys& keys) {
    keys.node("between", "bodies", between, "",
              around ? "[tube, beam]: a body or a frame of it, and the name of a beam"
                     : "[beam, disk]: the name of a beam, and a body or a frame of it");
    keys.vector("at", at, unit::metre, "where the frame is",
                around ? "middle of the tube at the start, in the world" : "middle of the disk at the start, in the world");
    axes.visit(keys, "along the beam at the start", "any direction square to it");
    if (around) {
      keys.number("bore", bore, unit::metre, positive, "", "inner diameter of the tube");
      keys.number("diameter", diameter, unit::metre, positive, "that of a round section", "of the beam");
      keys.required("length", length, unit::metre, non_negative, "of the tube, half to each side; 0 m: a ring");
      keys.integer(
          "stations", stations, 2, BeamTouches::kMostPoints - 2,
          "where a tube may touch: rims at its mouths and, with more than two, evenly between them; more than two for tubes in which the "
          "beam bends");
      keys.flag("ends", ends, "the ends of the beam may slide into the tube, and touch its bore");
    } else {
      keys.number("bore", bore, unit::metre, positive, "that of a section of type tube", "inner diameter of the beam");
      keys.number("diameter", diameter, unit::metre, positive, "", "of the disk");
    }
    touch.visit(keys);
  }
};

/// The whole beam that an end names.
const BeamPlan& beam_to_slide_on(const Plan& plan, const Reader& reader, const Node& node) {
  const std::string name = node.is_scalar() ? node.text : "";
  const BeamPlan* beam = find_beam(plan, name);
  if (beam == nullptr) {
    std::vector<std::string> known;
    for (const BeamPlan& b : plan.beams) {
      if (!b.bar) known.push_back(b.name);
    }
    const std::string first = name.substr(0, name.find('.'));
    if (const BeamPlan* whole = find_beam(plan, first); whole != nullptr && !whole->bar)
      reader.fail("between", "'" + shortened(name) + "' is one node; name the whole beam: " + first);
    reader.fail("between",
                "there is no beam '" + shortened(name) + "'." + known_names(name, known) +
                    " This joint slides along a body of type beam; along rigid bodies use sleeve or cylindrical with clearance");
  }
  if (beam->bar)
    reader.fail("between",
                "'" + name + "' is a bar: its nodes are particles, and its line has corners. Make it a beam to slide along it");
  return *beam;
}

BentLine slide_line(const Plan& plan, const Reader& reader, const BeamPlan& beam) {
  std::vector<BentLine::Node> nodes;
  double at = 0;
  const int n = beam.nodes() - 1;
  for (int k = 0; k <= n; ++k) {
    const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(beam.first + k)];
    const auto tangent = [&](int element, int end) {
      return beam.elements[static_cast<std::size_t>(element)].end[end].E.column(0);
    };
    const Vec3<> t = k < n ? tangent(k, 0) : tangent(n - 1, 1);
    if (k > 0 && norm(t - tangent(k - 1, 1)) > 1e-6)
      reader.fail("between", "beam '" + beam.name + "' has a corner at " + node.name +
                                 ", where nothing can slide on. Make an arc of it, or two beams with a sleeve on each");
    nodes.push_back({node.body.body, Vec3<>{} - node.center, t, at});
    if (k < n) at += beam.length_of(k);
  }
  return BentLine(std::move(nodes));
}

/// The frame of the tube or disk on its body.
Marker rim_marker(const Plan& plan, const Reader& reader, const BeamSleeveKeys& keys, const Node& node) {
  const SpaceEnd end = read_end(plan, node, reader.owner());
  if (end.frame) {
    for (const char* key : {"at", "axis", "x_axis"}) {
      if (reader.has(key))
        reader.fail(key, std::string("the frame says where the ") + (keys.around ? "tube" : "disk") + " is: leave out " + key);
    }
    return *end.frame;
  }
  if (!keys.at)
    reader.fail("at", std::string("say where the ") + (keys.around ? "tube" : "disk") +
                          " is: at: [x, y, z] at the start, or name a frame of its body");
  const Marker m = marker_at(plan, end.body, *keys.at, keys.axes.frame());
  check_particle(plan, reader, m);
  return m;
}

/// Does the beam pass through the tube where both are given to start?
void check_beam_start(const Plan& plan, const Reader& reader, const BeamTouches::Item& item, const BeamPlan& beam) {
  std::vector<Pose> pose(plan.layout.bodies.size());
  for (std::size_t b = 0; b < pose.size(); ++b) {
    const Frame<> F = start_frame(plan, {static_cast<int>(b), {}, Mat3<>::identity()});
    pose[b].R = F.R, pose[b].p = F.p;
  }
  const char* what = item.rim.side > 0 ? "tube" : "disk";
  const char* key = reader.has("at") ? "at" : "between";
  for (const BeamTouches::Point& p : item.points) {
    if (p.kind != BeamTouches::Point::Kind::rim) continue;
    Frame<> rim = start_frame(plan, item.A);
    rim.p = rim.p + p.offset * rim.R.column(2);
    const PlacedLine line{item.line, pose.data(), item.rim.side > 0};
    const RimSpot spot = find_rim_spot(item.rim, rim, line, line.nearest(rim.p));
    const LinePoint<> at = line.at(spot.along);
    const Vec3<> u = transposed(rim.R, at.p - rim.p), t = transposed(rim.R, at.d1);
    const double away = std::hypot(u[0], u[1]), most = item.rim.side > 0 ? item.rim.radius : item.rim.line_radius;
    if (!spot.at_end && away > most)
      reader.fail(
          key, fmt::format(
                   "at the start the axis of beam '{}' is {:.3g} m away from that of the {}; put it within {:.3g} m, on the beam",
                   beam.name, away, what, most));
    if (!spot.at_end && std::abs(t[2]) < 0.5 * norm(t))
      reader.fail(reader.has("axis") ? "axis" : key,
                  std::string("the axis of the ") + what + " stands across the beam at the start; it is to lie along it");
  }
}

void add_beam_rim(Plan& plan, const Reader& reader, const BeamSleeveKeys& keys, const std::string& full,
                  const std::vector<std::pair<int, int>>& columns, BeamTouches::Item& item, BeamTouches::Point p) {
  p.gap = plan.layout.rows.add(columns);
  for (int& row : p.slip) row = plan.layout.rows.add(columns);
  p.basis = plan.numbers.marks(BeamTouches::kMarksOfPoint);
  const double outer = keys.around ? item.rim.radius : item.rim.line_radius,
               inner = keys.around ? item.rim.line_radius : item.rim.radius;
  const bool dry = add_press_place(plan, plan.parts.places2, reader, keys.touch.press, full, p.gap, p.slip, {-outer, inner, 0});
  item.held = item.held || dry;
  const int nodes = static_cast<int>(item.line.nodes().size());
  plan.parts.places2.row.back().chain = {plan.layout.bodies[static_cast<std::size_t>(item.line.nodes()[0].body)].v, nodes};
  finish_touch(plan, reader, keys.touch.overlap, full, p.gap);
  plan.names.offer_samples(full, {"along"});
  plan.list<BeamTouchItems>().names.push_back(full);
  item.points.push_back(p);
}

void add_beam_joint(Plan& plan, Reader& reader, const std::string& name, bool around) {
  BeamSleeveKeys keys = read_keys(reader, plan.scope, BeamSleeveKeys(around));
  const Node& between = *keys.between;
  if (!between.is_list() || between.size() != 2)
    reader.fail("between", around ? "between takes the tube and the beam, for example [trolley, boom]"
                                  : "between takes the beam and the disk, for example [boom, piston]");
  const BeamPlan& beam = beam_to_slide_on(plan, reader, between[around ? 1 : 0]);
  BeamTouches::Item item;
  item.name = reader.owner();
  item.A = rim_marker(plan, reader, keys, between[around ? 0 : 1]);
  item.line = slide_line(plan, reader, beam);
  for (const BentLine::Node& node : item.line.nodes()) {
    if (node.body == item.A.body)
      reader.fail("between", "both ends are on beam '" + beam.name + "'; nothing slides along itself");
  }
  using Outline = BeamSection::Outline;
  const BeamSection& s = beam.section;
  if (around && !keys.diameter) {
    if (s.outline != Outline::circle && s.outline != Outline::tube)
      reader.fail("diameter", "the section of '" + beam.name + "' is not round: give the diameter on which the tube slides");
    keys.diameter = 2 * s.size[0];
  }
  if (around && !keys.bore) reader.fail("bore", "give the bore of the tube, for example bore: 20.4 mm");
  if (!around && !keys.diameter) reader.fail("diameter", "give the diameter of the disk, for example diameter: 19.6 mm");
  if (!around && !keys.bore) {
    if (s.outline != Outline::tube || !(s.size[1] > 0))
      reader.fail("bore", "the section of '" + beam.name + "' is no tube: give the bore in which the disk slides");
    keys.bore = 2 * s.size[1];
  }
  if (!(*keys.bore > *keys.diameter))
    reader.fail(reader.has("bore") || around ? "bore" : "diameter", "the bore must be larger than the diameter");
  if (around && keys.length == 0 && reader.has("stations"))
    reader.fail("stations", "a ring, of length 0, has one rim; leave stations out, or give a length");
  if (around && keys.length == 0 && keys.ends)
    reader.fail("ends", "a ring, of length 0, has no bore for the ends of the beam; leave ends out, or give a length");
  if (around) item.rim = {0.5 * *keys.bore, 0.5 * *keys.diameter, 1};
  else item.rim = {0.5 * *keys.diameter, 0.5 * *keys.bore, -1};
  item.shift = (around ? 1 : -1) * keys.touch.overlap.shift();
  item.started = plan.numbers.marks();

  std::vector<std::pair<int, int>> columns;
  const BodyInfo& tube = plan.layout.bodies[static_cast<std::size_t>(item.A.body)];
  if (tube.moves()) columns.push_back({tube.v, tube.count});
  for (const BentLine::Node& node : item.line.nodes())
    columns.push_back({plan.layout.bodies[static_cast<std::size_t>(node.body)].v, 6});
  const int rims = around && keys.length > 0 ? keys.stations : 1;
  for (int k = 0; k < rims; ++k) {
    BeamTouches::Point p;
    p.offset = rims == 1 ? 0 : keys.length * (static_cast<double>(k) / (rims - 1) - 0.5);
    add_beam_rim(plan, reader, keys, rims == 1 ? name : name + "." + std::to_string(k + 1), columns, item, p);
  }
  item.half_length = 0.5 * keys.length;
  for (const bool tip : {false, true}) {
    if (!keys.ends) break;
    BeamTouches::Point p;
    p.kind = tip ? BeamTouches::Point::Kind::tip : BeamTouches::Point::Kind::start;
    add_beam_rim(plan, reader, keys, name + (tip ? ".tip" : ".start"), columns, item, p);
  }
  finish_rubbing(reader, keys.touch.press);
  check_beam_start(plan, reader, item, beam);
  plan.list<BeamTouchItems>().items.push_back(std::move(item));
}

void make_beam_touches(Plan& plan) {
  auto& list = plan.list<BeamTouchItems>();
  if (list.items.empty()) return;
  for (const std::string& name : list.names) {
    for (const char* axis : {"x", "y", "z"})
      plan.channel(name + ".normal." + axis, "1", "direction in which the beam moves when the gap grows, world axes");
    for (const char* axis : {"x", "y", "z"})
      plan.channel(name + ".tangent." + axis, "1",
                   "direction of the first slip component, world axes; the second is normal x tangent");
    plan.channel(name + ".along", "m", "where it touches, along the undeformed beam from its start");
  }
  plan.blocks.push_back(std::make_unique<BeamTouches>(std::move(list.items), plan.layout.bodies));
}

const char* const kBoom =
    "sections:\n  pipe: {type: tube, outer_radius: 20 mm, inner_radius: 17 mm, young: 70 GPa, density: 2700 kg/m^3}\n"
    "bodies:\n  boom: {type: beam, from: [0, 0, 0], to: [2, 0, 0], elements: 8, section: pipe}\n";

KindEntry beam_sleeve_kind() {
  return {
      "beam_sleeve", "a tube that slides along a flexible beam: its mouths press on the beam and rub",
      key_fields<BeamSleeveKeys>(),
      std::string(kBoom) +
          "  trolley: {type: rigid, mass: 1 kg, shape: {type: tube, outer_radius: 25 mm, inner_radius: 20.2 mm, length: 80 mm}, position: [0.5, 0, 0], orientation: "
          "{axis: y, angle: 90 deg}}\n"
          "joints:\n  root: {type: fixed, between: [ground, boom.start], at: [0, 0, 0]}\n"
          "  carriage: {type: beam_sleeve, between: [trolley, boom], at: [0.5, 0, 0], axis: x, bore: 40.4 mm, length: 80 mm,\n"
          "    contact: {type: linear, stiffness: 1 MN/m}}\n",
      "Rows: none. Points: `<joint>.1` at the mouth on the side of -axis, ..., the last one at the other mouth; `<joint>` alone of a ring. For each gap,\n"
      "normal_force, slip, friction_force, mode, normal, tangent, and `along`: where on the beam it is. Between the nodes the beam's line is a cubic; forces there\n"
      "go to the two nodes beside. A mouth that passes the end of the beam slides off it; `<joint>.start` and `.tip`\n"
      "with `ends`: an end of the beam in the bore.\n"};
}

KindEntry beam_shoe_kind() {
  return {
      "beam_shoe", "a round disk that slides in the bore of a flexible hollow beam", key_fields(BeamSleeveKeys(false)),
      std::string(kBoom) +
          "  piston: {type: rigid, mass: 0.2 kg, inertia: [1e-4, 1e-4, 1e-4], position: [0.5, 0, 0]}\n"
          "joints:\n  root: {type: fixed, between: [ground, boom.start], at: [0, 0, 0]}\n"
          "  shoe: {type: beam_shoe, between: [boom, piston], at: [0.5, 0, 0], axis: x, diameter: 33.6 mm, contact: {type: linear, stiffness: 1 MN/m}}\n",
      "Rows: none. One point, `<joint>`, with gap, normal_force, slip, friction_force, mode, normal, tangent and `along`. With a `beam_sleeve` at the mouth\n"
      "of the outer beam it makes a telescopic boom. A disk that leaves the beam ends the run with a sentence.\n"};
}

ElementEntry beam_joint(KindEntry kind, bool around) {
  ElementEntry entry{std::move(kind)};
  entry.acts_on = ElementEntry::ActsOn::bodies;
  entry.announce = [around](Plan& plan, Reader& reader, const std::string& name) { add_beam_joint(plan, reader, name, around); };
  return entry;
}

}  // namespace

ElementEntry beam_sleeve_joint() {
  ElementEntry entry = beam_joint(beam_sleeve_kind(), true);
  entry.make = make_beam_touches;  // of both
  return entry;
}
ElementEntry beam_shoe_joint() { return beam_joint(beam_shoe_kind(), false); }

}  // namespace bristle
