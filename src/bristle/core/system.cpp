#include "bristle/core/system.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace bristle {

std::string Layout::name_of(int i) const {
  const int n = free();
  const auto coordinate = [&](int k) {
    if (k < scalars) return coordinates[static_cast<std::size_t>(k)];
    const int v = v_index(k);
    for (const BodyInfo& b : bodies) {
      if (v >= b.v && v < b.v + b.count) return b.name;
    }
    std::size_t frame = 0;
    while (frame + 1 < frames.size() && frames[frame + 1].unknown <= k) ++frame;
    return "frame " + std::to_string(frame);
  };
  if (i < 0) return "nothing";
  if (i < n) return "position of '" + coordinate(i) + "'";
  if (i < 2 * n) return "force balance of '" + coordinate(i - n) + "'";
  const auto m = static_cast<std::size_t>(i - 2 * n);
  return m < memory.size() ? "memory of '" + memory[m] + "'" : "memory";
}

const FrameCoordinates& Layout::add_frame(int more) {
  FrameCoordinates f;
  f.q = frames.empty() ? ground + 1 : frames.back().q + 7 + frames.back().more;
  f.v = frames.empty() ? ground + 1 : frames.back().v + 6 + frames.back().more;
  f.unknown = unknown(f.v);
  f.more = more;
  sizes.q = f.q + 7 + more;
  sizes.v = f.v + 6 + more;
  frames.push_back(f);
  return frames.back();
}

System::System(Layout layout, std::vector<std::unique_ptr<Block>> blocks)
    : layout_(std::move(layout)), blocks_(std::move(blocks)) {
  // held rows and places get their slots in lambda for good
  held_ = static_cast<int>(layout_.held.size());
  spatial_ = !layout_.frames.empty() || !layout_.bodies.empty() || layout_.rows.count() > 0;
  ConstantRows constant(layout_.rows);
  int slot = held_;
  for (const auto& block : blocks_) {
    add_roles(*block);
    if (RigidPlaces* places = block->rigid()) add_rigid(*places, slot);
    if (DryPlaces* places = block->dry()) add_dry(*places, constant, slot);
  }
  constant_D_ = constant.values();
  layout_.sizes.lambda = slot;
  free_ = layout_.freedoms = layout_.free();
  velocities_ = layout_.sizes.v;
  constant_mass_ = std::all_of(mass_blocks_.begin(), mass_blocks_.end(), [](const MassBlock& m) { return m.constant; });
  for (std::size_t k = 0; k < layout_.bodies.size(); ++k) {
    if (layout_.bodies[k].is_matrix()) matrices_.push_back(k);
  }
}

/// What a block takes part in.
void System::add_roles(Block& block) {
  const unsigned roles = block.roles();
  if (roles & kDrives) drives_.push_back(&block);
  if (roles & kForces) forces_.push_back(&block);
  if (roles & kMass) masses_.push_back(&block);
  if (roles & kKinetic) kinetic_.push_back(&block);
  if (roles & kStored) stored_.push_back(&block);
  if (roles & kPoses) poses_.push_back(&block);
  if (roles & kRows) rows_.push_back(&block);
  if (roles & kReactive) {
    reactive_.push_back(&block);
    block.load_slopes(load_slopes_);
  }
  block.mass_blocks(mass_blocks_);
  mass_owners_.resize(mass_blocks_.size(), &block);
  pace_count_ += block.pace_count();
  watch_count_ += block.watch_count();
  block.set_step_room(step_room_);
  step_room_ += block.step_room();
  remembers_ = remembers_ || block.remembers();
  troubled_ = troubled_ || block.may_be_troubled();
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

std::string System::cannot_step() const {
  for (const auto& block : blocks_) {
    if (std::string who = block->cannot_step(); !who.empty()) return who;
  }
  return {};
}

bool System::has_stage() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->has_stage(); });
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

void System::chart_rate(const double* step, double* rate, Chart chart) const {
  for (const FrameCoordinates& f : layout_.frames) {
    const int at = f.unknown + 3;
    const Vector3 w = increment_rate({step[at], step[at + 1], step[at + 2]}, {rate[at], rate[at + 1], rate[at + 2]}, chart);
    for (int i = 0; i < 3; ++i) rate[at + i] = w[static_cast<std::size_t>(i)];
  }
}

void System::move_frames(const State& x, double h, const double* rate, State& out, Chart chart) const {
  const double *q = x.q(), *v = x.v();
  double *oq = out.q(), *ov = out.v();
  for (const FrameCoordinates& f : layout_.frames) {
    const int iq = f.q, iv = f.v, r = f.unknown;
    for (int i = 0; i < 3; ++i) oq[iq + i] = q[iq + i] + h * rate[r + i];
    const Quaternion turn = rotation_of({h * rate[r + 3], h * rate[r + 4], h * rate[r + 5]}, chart);
    const Quaternion moved = normalised(product({q[iq + 3], q[iq + 4], q[iq + 5], q[iq + 6]}, turn));
    for (int i = 0; i < 4; ++i) oq[iq + 3 + i] = moved[static_cast<std::size_t>(i)];
    for (int i = 0; i < 6; ++i) ov[iv + i] = v[iv + i] + h * rate[free_ + r + i];
    for (int i = 0; i < f.more; ++i) {
      oq[iq + 7 + i] = q[iq + 7 + i] + h * rate[r + 6 + i];
      ov[iv + 6 + i] = v[iv + 6 + i] + h * rate[free_ + r + 6 + i];
    }
  }
}

void System::shift(State& x, const double* by) const {
  for (int i = 0; i < layout_.scalars; ++i) x.q()[i] += by[i];
  for (const FrameCoordinates& f : layout_.frames) {
    double* q = x.q() + f.q;
    const double* d = by + f.v;
    for (int i = 0; i < 3; ++i) q[i] += d[i];
    const Quaternion turn = rotation_of({d[3], d[4], d[5]}, Chart::exponential);
    const Quaternion moved = normalised(product({q[3], q[4], q[5], q[6]}, turn));
    for (std::size_t i = 0; i < 4; ++i) q[3 + i] = moved[i];
    for (int i = 0; i < f.more; ++i) q[7 + i] += d[6 + i];
  }
}

void System::difference(const State& from, const State& to, double* step, Chart chart) const {
  const int n = layout_.scalars, free = layout_.free();
  for (int i = 0; i < n; ++i) step[i] = to.q()[i] - from.q()[i];
  for (int i = 0; i < free; ++i) {
    const int k = layout_.v_index(i);
    step[free + i] = to.v()[k] - from.v()[k];
  }
  for (int i = 0; i < layout_.sizes.z; ++i) step[2 * free + i] = to.z()[i] - from.z()[i];
  for (const FrameCoordinates& f : layout_.frames) {
    const int iq = f.q, r = f.unknown;
    const double *a = from.q() + iq, *b = to.q() + iq;
    for (int i = 0; i < 3; ++i) step[r + i] = b[i] - a[i];
    const Vector3 turn = increment_of(product(conjugate({a[3], a[4], a[5], a[6]}), {b[3], b[4], b[5], b[6]}), chart);
    for (int i = 0; i < 3; ++i) step[r + 3 + i] = turn[static_cast<std::size_t>(i)];
    for (int i = 0; i < f.more; ++i) step[r + 6 + i] = b[7 + i] - a[7 + i];
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

void System::calc_step_jacobian(StepEval& e, JacobianSink& sink) const {
  for (auto block = rows_.rbegin(); block != rows_.rend(); ++block) (*block)->pass_step_forces(e);
  clear_loads(e);
  for (const auto& block : blocks_) block->calc_step_jacobian(e, sink);
  if (matrices_.empty()) return;
  for (const Block* block : poses_) block->calc_map_jacobian(e, sink);
}

/// No wrench on frames that are moved by a matrix yet.
void System::clear_loads(const Eval& e) const {
  for (std::size_t k : matrices_) std::fill_n(layout_.bodies[k].load(e.pose[k]), 6, 0.0);
}

/// Adds what depends on multipliers, and the multipliers themselves, to the forces on the rows: how they turn depends on all of it.
void System::load_rows(Eval& e) const {
  for (const Block* block : reactive_) block->calc_reactive(e);
  hold_rows(e);
}

void System::hold_rows(Eval& e) const {
  for (int k = 0; k < held_; ++k) e.row_force[layout_.held[static_cast<std::size_t>(k)].row] += e.lambda[k];
}

void System::calc_step(StepEval& e) const {
  std::fill_n(e.f, velocities_, 0.0);
  std::fill_n(e.row_force, layout_.rows.count(), 0.0);
  for (const Block* block : rows_) block->calc_step_rows(e);
  for (const Block* block : forces_) block->calc_step(e);
  for (const Block* block : reactive_) block->calc_step_reactive(e);
  hold_rows(e);
  spread(e);
}

void System::calc_watched(const State& x, Workspace& w, double* slip) const {
  const Eval e = look(x, w);
  for (const auto& block : blocks_) {
    if (block->watch_count() == 0) continue;
    block->calc_watched(e, slip);
    slip += block->watch_count();
  }
}

Overrun System::calc_overrun(const State& x0, const State& x1, Workspace& w, const double* slip) const {
  const Eval e = look(x1, w);
  Overrun worst;
  for (const auto& block : blocks_) {
    if (block->watch_count() == 0) continue;
    worst.merge(block->calc_overrun(e, x1.t - x0.t, slip, x0.z()));
    slip += block->watch_count();
  }
  return worst;
}

Overrun System::calc_turn(const StepEval& e, const Eval& end) const {
  Overrun worst;
  for (const Block* block : forces_) {
    const Overrun o = block->calc_turn(e, end);
    if (o.error > worst.error) worst = o;
  }
  return worst;
}

std::string System::trouble(const State& x, Workspace& w) const {
  Eval e = view(x, w);
  for (const Block* block : poses_) block->calc_poses(e);  // where bodies are is all it takes
  for (const auto& block : blocks_) {
    if (!block->may_be_troubled()) continue;
    const std::string sentence = block->trouble(e);
    if (!sentence.empty()) return sentence;
  }
  return {};
}

void System::calc_paces(const State& x, Workspace& w, Pace* pace, double* speed) const {
  const Eval e = look(x, w);
  for (const auto& block : blocks_) {
    block->calc_paces(e, pace, speed);
    pace += block->pace_count();
    speed += block->pace_count();
  }
}

void System::calc_modes(const State& x, Workspace& w, Mode* mode) const {
  if (fused_ && fused_->calc_modes(x, mode)) return;
  const Eval e = look(x, w);
  for (const auto& block : blocks_) {
    block->calc_modes(e, mode);
    mode += block->pace_count();
  }
}

void System::calc_outputs(const State& x, Workspace& w, double* out) const {
  const Eval e = look(x, w);
  for (const auto& block : blocks_) {
    block->calc_outputs(e, out);
    out += block->output_count();
  }
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

}  // namespace bristle
