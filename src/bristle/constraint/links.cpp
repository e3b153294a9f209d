#include "bristle/constraint/links.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "bristle/constraint/wrench.h"

namespace bristle {

namespace {

constexpr double kPole = 1e-3;      // [rad] from where the axes of two turns fall into one
constexpr double kLargestMiss = 2;  // [rad] of a counted angle; half a turn says that it has gone past its pole

/// It has no meaning where two axes are parallel.
bool has_pole(const Relation& r) { return r.kind == Relation::Kind::angle || r.kind == Relation::Kind::cardan; }

/// Sine of the angle between these axes.
double off_pole(const Relation& r, const MarkerPair& p) {
  const bool cardan = r.kind == Relation::Kind::cardan;
  return norm(cross(p.A.R.column(cardan ? 0 : 2), p.B.R.column(cardan ? 2 : 0)));
}

}  // namespace

Lead::Lead(const std::optional<Course>& course, double t, MarkerPair& pair) {
  if (!course) return;
  const Course::At c = course->at(t);
  w = pair.A.R * c.w;
  w_rate = pair.A.R * c.w_rate + cross(pair.pose_A.w, w);
  pair.A.R = pair.A.R * c.R;
}

Links::Links(std::vector<Item> items, const std::vector<BodyInfo>& bodies)
    : items_(std::move(items)), frames_(frame_maps(bodies)) {
  for (Item& it : items_) {
    it.idle = std::all_of(it.rows.begin(), it.rows.end(), [](const Row& r) { return r.idle; });
    it.planar = true;
    for (const Marker* m : {&it.A, &it.B}) it.planar = it.planar && frames_[static_cast<std::size_t>(m->body)].flat();
    for (const Row& r : it.rows) {
      has_marks_ = has_marks_ || r.mark >= 0;
      has_memory_ = has_memory_ || (r.target && r.target->memory >= 0);
      has_poles_ = has_poles_ || (!r.idle && !it.owner.empty() && has_pole(r.relation));
    }
  }
}

void Links::start(State& x) const {
  for (const Item& it : items_) {
    for (const Row& r : it.rows) {
      if (r.mark < 0) continue;
      double* mark = x.marks() + r.mark;
      mark[0] = r.start;
      mark[1] = mark[2] = mark[3] = 0;
    }
  }
}

double Links::turn(const Item& it, const double* q) const {
  const auto angle = [&](const Marker& m) {
    const FrameMap& map = frames_[static_cast<std::size_t>(m.body)];
    return map.turns() == 1 ? q[map.q + map.shifts()] : 0.0;
  };
  return angle(it.B) - angle(it.A);
}

/// An angle is known but for whole turns; the last accepted step says how many. Planar bodies have angles of their own, which count their
/// turns: mark = [value, their difference, 1 once a step is accepted]. Otherwise mark = [value, rate, time], and the mean of the
/// rates then and now tells how far it has come: right while the speed of a body changes by less than a radian per step, see
/// Run::take_step. The fourth number is 1 while it counts, 2 once it has gone past its pole.
double Links::way(const Item& it, const Eval& e, const double* mark, double rate, double sense) const {
  return it.planar ? std::copysign(mark[2], sense) * (turn(it, e.q) - mark[1]) : 0.5 * (mark[1] + rate) * (e.t - mark[2]);
}
double Links::count_on(const Item& it, const Eval& e, const double* mark, double value, double rate, double sense) const {
  const double expected = mark[0] + way(it, e, mark, rate, sense);
  return value + 2 * std::numbers::pi * std::round((expected - value) / (2 * std::numbers::pi));
}

[[gnu::flatten]] void Links::calc_rows(Eval& e) const {
  for (const Item& it : items_) {
    if (it.idle && !e.looks) continue;
    MarkerPair pair(it.A, it.B, frames_, e.pose);
    const Lead lead(it.course, e.t, pair);
    for (const Row& r : it.rows) {
      if (r.idle && !e.looks) continue;
      RelationRow<> row = calc_relation(r.relation, pair.A, pair.B);
      Vec3<> F_rate, M_rate;
      if (!e.looks)
        calc_relation_rates(r.relation, pair.A, pair.B, pair.pose_A.w + lead.w, pair.pose_B.w, pair.vB - pair.vA, F_rate, M_rate);
      if (r.mark >= 0) row.value = count_on(it, e, e.marks + r.mark, row.value, pair.rate(row.F, row.M), row.M[2]);
      if (r.scale != 1) {
        row.value *= r.scale;
        row.F = r.scale * row.F, row.M = r.scale * row.M;
        F_rate = r.scale * F_rate, M_rate = r.scale * M_rate;
      }
      pair.write_row(row.F, row.M, e.D + e.rows->begin(r.row)->at);
      double rate = pair.rate(row.F, row.M);
      double drift = pair.drift(row.F, row.M, F_rate, M_rate);
      double partial = 0;
      if (it.course) {
        partial = -dot(row.M, lead.w);
        rate += partial;
        drift -= dot(M_rate, lead.w) + dot(row.M, lead.w_rate);
      }
      if (r.target) {
        double x = 0, v = 0, a = 0;
        r.target->position.motion(e.t, x, v, a);
        if (r.target->memory >= 0 || !r.relation.holonomic()) {  // the signal is the speed
          a = v;
          v = x;
          x = r.target->memory >= 0 ? e.z[r.target->memory] : 0;
        }
        row.value -= x + r.target->offset;
        partial = -v;
        rate -= v;
        drift -= a;
      }
      e.row_value[r.row] = row.value;
      e.row_rate[r.row] = rate;
      e.row_partial[r.row] = partial;
      e.row_drift[r.row] = drift;
    }
  }
}

void Links::calc_forces(Eval& e) const {
  for (const Item& it : items_) {
    for (const Row& r : it.rows) {
      if (!r.target || r.target->memory < 0) continue;
      double v = 0, a = 0;
      r.target->position.motion(e.t, e.zdot[r.target->memory], v, a);
    }
  }
}

void Links::accept(const Eval& e, State& x) const {
  for (const Item& it : items_) {
    for (const Row& r : it.rows) {
      if (r.mark < 0) continue;
      double value = e.row_value[r.row];
      if (r.target) {  // the mark belongs to the angle itself
        double target = 0, v = 0, a = 0;
        r.target->position.motion(e.t, target, v, a);
        if (r.target->memory >= 0) target = e.z[r.target->memory];
        value += target + r.target->offset;
      }
      double* mark = x.marks() + r.mark;
      value /= r.scale;
      const double rate = (e.row_rate[r.row] - e.row_partial[r.row]) / r.scale;
      if (mark[3] == 0) mark[3] = 1;
      else if (!it.planar && std::abs(value - mark[0] - way(it, e, mark, rate, 1)) > kLargestMiss) mark[3] = 2;
      mark[0] = value;
      mark[1] = it.planar ? turn(it, e.q) : rate;
      mark[2] = it.planar ? 1 : e.t;
    }
  }
}

std::string Links::trouble(const Eval& e) const {
  for (const Item& it : items_) {
    if (it.owner.empty() || it.planar) continue;
    for (const Row& r : it.rows) {
      if (r.idle || !has_pole(r.relation)) continue;
      const MarkerPair pair(it.A, it.B, frames_, e.pose);
      if (off_pole(r.relation, pair) > kPole && (r.mark < 0 || e.marks[r.mark + 3] < 2)) continue;
      return it.owner +
             (r.relation.kind == Relation::Kind::cardan
                  ? ": its angle_y has come to a quarter turn, where angle_x and angle_z have no meaning. Turn its axis "
                    "or x_axis, or give a drive as orientation: [{x: ...}, {y: ...}, {z: ...}]"
                  : ": its x axis on B has come along its z axis on A, where its angle has no meaning. Turn its axis or "
                    "x_axis, or give a drive as orientation: [{z: ...}, {y: ...}, {x: ...}]");
    }
  }
  return {};
}

/// -d(D' T)/dq of all rows between two markers: the force stays on the marker of B while the bodies move.
void Links::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    MarkerPair pair(it.A, it.B, frames_, e.pose);
    const Lead lead(it.course, e.t, pair);
    // all rows together: wrench T F, T M on B, and its slopes
    Vec3<> F, M;
    RelationSlope s;
    for (const Row& r : it.rows) {
      const double T = e.row_force[r.row] * r.scale;
      if (T == 0) continue;
      const RelationRow<> row = calc_relation(r.relation, pair.A, pair.B);
      const RelationSlope one = calc_relation_slope(r.relation, pair.A, pair.B);
      F = F + T * row.F;
      M = M + T * row.M;
      for (std::size_t k = 0; k < 9; ++k) {
        s.F_A.m[k] += T * one.F_A.m[k], s.F_B.m[k] += T * one.F_B.m[k], s.F_d.m[k] += T * one.F_d.m[k];
        s.M_A.m[k] += T * one.M_A.m[k], s.M_B.m[k] += T * one.M_B.m[k], s.M_d.m[k] += T * one.M_d.m[k];
      }
    }
    pair.emit_stiffness(F, M, s, sink);
  }
}

std::vector<std::pair<int, int>> Combinations::columns(const BoundSignal& value, const RowPattern& rows) {
  std::map<int, int> pieces;  // v -> count
  for (const BoundSignal::Reading& r : value.readings()) {
    if (r.kind == Signal::Input::Kind::position) {
      for (const auto& [index, factor] : r.terms) pieces.emplace(index, 1);
    }
    if (r.kind != Signal::Input::Kind::row) continue;
    for (const auto& [row, factor] : r.terms) {
      for (const RowPiece* p = rows.begin(row); p != rows.end(row); ++p) {
        int& count = pieces[p->v];
        count = std::max(count, p->count);
      }
    }
  }
  // coordinates of one body read one by one and as a whole: the whole covers them
  std::vector<std::pair<int, int>> list;
  for (const auto& [v, count] : pieces) {
    if (!list.empty() && v < list.back().first + list.back().second) continue;
    list.push_back({v, count});
  }
  return list;
}

Combinations::Combinations(std::vector<Item> items, const RowPattern& rows) : items_(std::move(items)) {
  for (const Item& it : items_) {
    std::map<int, int> at;  // velocity index -> where its value stands
    for (const RowPiece* p = rows.begin(it.row); p != rows.end(it.row); ++p) {
      for (int k = 0; k < p->count; ++k) at[p->v + k] = p->at + k;
    }
    std::vector<int> where;
    for (const BoundSignal::Reading& r : it.value.readings()) {
      if (r.kind == Signal::Input::Kind::position) {
        for (const auto& [index, factor] : r.terms) where.push_back(at.at(index));
      }
      if (r.kind != Signal::Input::Kind::row) continue;
      for (const auto& [row, factor] : r.terms) {
        for (const RowPiece* p = rows.begin(row); p != rows.end(row); ++p) {
          for (int k = 0; k < p->count; ++k) where.push_back(at.at(p->v + k));
        }
      }
    }
    where_.push_back(std::move(where));
  }
}

/// Values of the row, from the slopes by the readings; returns the rate without the partial derivative by time.
double Combinations::write_row(std::size_t i, const double* slope, Eval& e) const {
  const Item& it = items_[i];
  for (const RowPiece* p = e.rows->begin(it.row); p != e.rows->end(it.row); ++p) std::fill_n(e.D + p->at, p->count, 0.0);
  const int* where = where_[i].data();
  const auto& readings = it.value.readings();
  double rate = 0;
  for (std::size_t k = 0; k < readings.size(); ++k) {
    each_column(readings[k], e, [&](Signal::Input::Kind, int column, double factor) {
      e.D[*where++] += slope[k] * factor;
      rate += slope[k] * factor * e.v[column];
    });
  }
  return rate;
}

void Combinations::calc_rows(Eval& e) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& it = items_[i];
    double slope[BoundSignal::kMaxReadings] = {};
    it.value.value(e, slope);
    const double rate = write_row(i, slope, e);
    double value = 0, speed = 0, drift = 0;
    it.value.motion_along(e, value, speed, drift);
    e.row_value[it.row] = value;
    e.row_rate[it.row] = speed;
    e.row_partial[it.row] = speed - rate;
    e.row_drift[it.row] = drift;
  }
}

void Combinations::pass(const Item& it, const double* slope, Eval& e) {
  const double T = e.row_force[it.row];
  const auto& readings = it.value.readings();
  for (std::size_t k = 0; k < readings.size(); ++k) {
    if (readings[k].kind != Signal::Input::Kind::row) continue;
    for (const auto& [row, factor] : readings[k].terms) e.row_force[row] += T * slope[k] * factor;
  }
}

void Combinations::pass_forces(Eval& e) const {
  for (const Item& it : items_) {
    if (e.row_force[it.row] == 0) continue;
    double slope[BoundSignal::kMaxReadings] = {};
    it.value.value(e, slope);
    pass(it, slope, e);
  }
}

/// -D_k' T (second derivative by readings k and l) D_l; how the rows that are read turn is up to them, see pass_forces.
void Combinations::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    if (!it.curved) continue;
    const double T = e.row_force[it.row];
    const auto& readings = it.value.readings();
    const int n = static_cast<int>(readings.size());
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) {
        const double slope = -T * it.value.second(e, k, l);
        each_column(readings[static_cast<std::size_t>(k)], e, [&](Signal::Input::Kind, int at, double c) {
          each_column(readings[static_cast<std::size_t>(l)], e, [&](Signal::Input::Kind, int column, double d) {
            sink.add(JacobianSink::Part::force_q, at, column, slope * c * d);
          });
        });
      }
    }
  }
}

}  // namespace bristle
