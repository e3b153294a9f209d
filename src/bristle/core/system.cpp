#include "bristle/core/system.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace bristle {

System::System(Layout layout, std::vector<std::unique_ptr<Block>> blocks)
    : layout_(std::move(layout)), blocks_(std::move(blocks)) {
  // held rows and places get their slots in lambda for good
  ConstantRows constant(layout_.rows);
  held_ = layout_.held_count();
  int slot = held_, room = 0;
  for (const auto& block : blocks_) {
    add_roles(*block);
    block->set_step_room(room);
    room += block->step_room();
    if (RigidPlaces* places = block->rigid()) add_rigid(*places, slot);
    if (DryPlaces* places = block->dry()) add_dry(*places, constant, slot);
  }
  constant_D_ = constant.values();
  layout_.constant_rows = layout_.rows.count() - constant.first();
  layout_.sizes.lambda = slot;
  free_ = layout_.freedoms = layout_.free();
  velocities_ = layout_.sizes.v;
  spatial_ = layout_.spatial();
  for (std::size_t k = 0; k < layout_.bodies.size(); ++k) {
    if (layout_.bodies[k].is_matrix()) matrices_.push_back(k);
  }
}

/// What a block takes part in.
void System::add_roles(Block& block) {
  const unsigned roles = block.roles();
  if (roles & kDrives) drives_.push_back(&block);
  if (roles & kForces) forces_.push_back(&block);
  if (roles & kKinetic) kinetic_.push_back(&block);
  if (roles & kStored) stored_.push_back(&block);
  if (roles & kPoses) poses_.push_back(&block);
  if (roles & kRows) rows_.push_back(&block);
  masses_.add(block);
  reactive_.add(block);
  readings_.add(block);
  remembers_ = remembers_ || block.remembers();
  if (const FreeContacts* group = block.free_contacts()) groups_.push_back(group);
}

void System::add_rigid(RigidPlaces& places, int& slot) {
  for (int i = 0; i < places.rigid_count(); ++i) {
    RigidPlace p;
    p.owner = &places;
    p.item = i;
    p.gap = places.rigid_gap(i);
    p.slips = places.rigid_slips(i);
    if (p.slips > static_cast<int>(std::size(p.slip)))
      throw std::logic_error(std::string("rigid contact of '") + places.rigid_name(i) + "' slips in " + std::to_string(p.slips) +
                             " directions; methods solve no more than " + std::to_string(std::size(p.slip)));
    for (int d = 0; d < p.slips; ++d) p.slip[d] = places.rigid_slip(i, d);
    p.lambda = slot;
    places.set_rigid_slot(i, slot);
    slot += 1 + p.slips;
    p.law = places.rigid_law(i);
    p.contact_account = places.rigid_account(i, false);
    p.friction_account = places.rigid_account(i, true);
    p.name = places.rigid_name(i);
    rigid_.push_back(std::move(p));
  }
}

void System::add_dry(DryPlaces& places, ConstantRows& constant, int& slot) {
  for (int i = 0; i < places.dry_count(); ++i) {
    DryPlace p;
    p.owner = &places;
    p.item = i;
    p.components = places.dry_components(i);
    p.lambda = slot;
    places.set_slot(i, slot);
    slot += p.components;
    p.account = places.dry_account(i);
    p.mark = places.dry_mark(i);
    p.opens = places.dry_opens(i);
    p.name = places.dry_name(i);
    p.constant = p.driven = true;
    for (int d = 0; d < p.components; ++d) {
      const RestRow row = places.dry_row(i, d, constant);
      p.rows.push_back(row);
      p.constant = p.constant && row.row >= constant.first();
      for (const RowPiece* q = layout_.rows.begin(row.row); q != layout_.rows.end(row.row); ++q)
        p.driven = p.driven && layout_.unknown(q->v) < 0;
    }
    dry_.push_back(std::move(p));
  }
}

State System::make_state() const {
  if (start_) return *start_;
  State x(layout_.sizes);
  for (const FrameCoordinates& f : layout_.frames) x.q()[f.q + 3] = 1;
  for (const auto& block : blocks_) block->start(x);
  for (const Block* block : drives_) block->set_time(x, 0);
  return x;
}

Workspace System::make_workspace() const {
  Workspace w;
  const Sizes& s = layout_.sizes;
  w.f.assign(static_cast<std::size_t>(s.v + layout_.spare), 0);
  w.a.assign(static_cast<std::size_t>(s.v), 0);
  w.lambda.assign(static_cast<std::size_t>(s.lambda), 0);
  w.power.assign(layout_.accounts.size(), 0);
  w.stored.assign(layout_.accounts.size(), 0);
  w.rate.assign(static_cast<std::size_t>(layout_.order_one()), 0);
  w.resting.assign(dry_.size(), 0);
  int scratch = 0;
  for (const auto& block : blocks_) scratch = std::max(scratch, block->scratch_needed());
  w.scratch.assign(static_cast<std::size_t>(scratch), 0);
  w.step.assign(static_cast<std::size_t>(layout_.order_one()), 0);
  w.pose.resize(layout_.bodies.size());
  for (Pose& p : w.pose) p.R = Mat3<>::identity();
  w.map.assign(static_cast<std::size_t>(layout_.map_numbers), 0);
  w.D.assign(static_cast<std::size_t>(layout_.rows.values()), 0);
  std::copy_backward(constant_D_.begin(), constant_D_.end(), w.D.end());
  const auto rows = static_cast<std::size_t>(layout_.rows.count());
  for (auto* part : {&w.row_value, &w.row_rate, &w.row_partial, &w.row_drift, &w.row_force}) part->assign(rows, 0);
  return w;
}

void System::calc_rows(Eval& e) const {
  for (const Block* block : poses_) block->calc_poses(e);
  for (const Block* block : rows_) block->calc_rows(e);
}

Eval System::look(const State& x, Workspace& w) const {
  Eval e = view(x, w);
  e.looks = true;
  if (spatial_) calc_rows(e);
  return e;
}

void System::spread(Eval& e) const {
  const int n = layout_.rows.count();
  for (int r = 0; r < n; ++r) {
    if (e.row_force[r] != 0) layout_.rows.push(r, e.row_force[r], e.D, e.f);
  }
}

void System::calc_jacobian(const State& x, Workspace& w, JacobianSink& sink) const {
  Eval e = view(x, w);
  if (spatial_) {
    calc_forces(e);
    load_rows(e);
  }
  calc_jacobian(e, sink);
}

void System::calc_jacobian(Eval& e, JacobianSink& sink) const {
  for (auto block = rows_.rbegin(); block != rows_.rend(); ++block) (*block)->pass_forces(e);
  clear_loads(e);
  for (const auto& block : blocks_) block->calc_jacobian(e, sink);
  if (matrices_.empty()) return;
  for (const Block* block : poses_) block->calc_map_jacobian(e, sink);  // once all wrenches on their frames are summed up
}

/// No wrench on frames that are moved by a matrix yet.
void System::clear_loads(const Eval& e) const {
  for (std::size_t k : matrices_) std::fill_n(layout_.bodies[k].load(e.pose[k]), 6, 0.0);
}

/// Adds what depends on multipliers, and the multipliers themselves, to the forces on the rows: how they turn depends on all of it.
void System::load_rows(Eval& e) const {
  reactive_.calc(e);
  hold_rows(e);
}

void System::hold_rows(Eval& e) const {
  for (int k = 0; k < held_; ++k) e.row_force[layout_.held[static_cast<std::size_t>(k)].row] += e.lambda[k];
}

void System::calc_modes(const State& x, Workspace& w, Mode* mode) const {
  if (fused_ && fused_->calc_modes(x, mode)) return;
  readings_.calc_modes(look(x, w), mode);
}

Energy System::calc_energy(const State& x, Workspace& w) const { return calc_energy(look(x, w), w); }

Energy System::calc_energy(const Eval& e, Workspace& w) const {
  for (double& joule : w.stored) joule = 0;
  Energy energy;
  for (const Block* block : kinetic_) energy.kinetic += block->kinetic(e);
  for (const Block* block : stored_) energy.stored += block->stored(e, w.stored.data());
  return energy;
}

void System::accept(State& x, Workspace& w) const {
  const Eval e = look(x, w);
  for (const auto& block : blocks_) block->accept(e, x);
}

void System::keep_elastic(State& x) const {
  for (const auto& block : blocks_) block->keep_elastic(x);
}

void System::follow(State& x, Workspace& w) const {
  const Eval e = look(x, w);
  for (const auto& block : blocks_) block->follow(e, x);
}

}  // namespace bristle
