// Blocks of beams and bars.
#include "bristle/assemble/beams.h"
#include "bristle/assemble/plan.h"

namespace bristle {

namespace {

Bars::Bar bar_of(Plan& plan, const BeamPlan& from) {
  Bars::Bar bar{from.name, from.members, -1};
  for (BarElement& el : bar.elements) {
    for (int I = 0; I < 2; ++I) {
      const SpaceBody& node = plan.space.bodies[static_cast<std::size_t>(from.first + el.body[I])].body;
      el.body[I] = node.body;
      el.v[I] = node.v;
    }
  }
  if (from.members[0].damping > 0) bar.account = plan.numbers.account(from.name, Account::Kind::dissipated);
  return bar;
}

Beams::Beam beam_of(Plan& plan, const BeamPlan& from) {
  Beams::Beam beam{from.name, from.elements, {}, -1};
  for (BeamElement& el : beam.elements) {
    for (BeamElement::End& end : el.end) {
      const SpaceBody& node = plan.space.bodies[static_cast<std::size_t>(from.first + end.body)].body;
      end.body = node.body;
      end.v = node.v;
    }
  }
  for (int k = 0; k < from.nodes(); ++k) {
    const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(from.first + k)];
    beam.nodes.push_back({node.body.body, node.body.v, Vec3<>{} - node.center, Mat3<>::identity()});
  }
  if (from.elements[0].damping > 0) beam.account = plan.numbers.account(from.name, Account::Kind::dissipated);
  return beam;
}

}  // namespace

void make_beams(Plan& plan) {
  std::vector<Beams::Beam> beams;
  std::vector<Bars::Bar> bars;
  for (const BeamPlan& from : plan.beams) {
    if (from.bar) {
      bars.push_back(bar_of(plan, from));
      continue;
    }
    beams.push_back(beam_of(plan, from));
    for (Channel& c : Beams::channels(beams.back())) plan.layout.channels.push_back(std::move(c));
  }
  if (!beams.empty()) plan.blocks.push_back(std::make_unique<Beams>(std::move(beams)));
  if (bars.empty()) return;
  for (const Bars::Bar& bar : bars) {
    for (Channel& c : Bars::channels(bar)) plan.layout.channels.push_back(std::move(c));
  }
  plan.blocks.push_back(std::make_unique<Bars>(std::move(bars)));
}

}  // namespace bristle
