#include "bristle/constraint/links.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace bristle {

namespace {

using Kind = BodyInfo::Kind;

int freedoms(const BodyInfo& b) { return b.kind == Kind::ground ? 0 : b.kind == Kind::rigid ? 6 : 3; }

/// Row entries of one body: the wrench (F, moment m about its centre of mass) in its coordinates.
void project(const BodyInfo& b, const Pose& pose, double sign, const Vec3<>& F, const Vec3<>& m, double* D) {
  switch (b.kind) {
    case Kind::ground: return;
    case Kind::rigid: {
      const Vec3<> turn = transposed(pose.R, m);
      for (int k = 0; k < 3; ++k) {
        D[k] = sign * F[k];
        D[3 + k] = sign * turn[k];
      }
      return;
    }
    case Kind::planar: D[0] = sign * F[0], D[1] = sign * F[1], D[2] = sign * m[2]; return;
    case Kind::point:
      for (int k = 0; k < 3; ++k) D[k] = sign * F[k];
      return;
  }
}

/// Coordinate c of a body, as a motion of it: shift of the centre of mass and turn in world axes.
void unit_motion(const BodyInfo& b, const Pose& pose, int c, Vec3<>& shift, Vec3<>& turn) {
  shift = turn = {};
  if (b.kind == Kind::planar && c == 2) turn[2] = 1;
  else if (c < 3) shift[c] = 1;
  else turn = pose.R.column(c - 3);
}

}  // namespace

Links::Links(std::vector<Item> items, std::vector<BodyInfo> bodies) : items_(std::move(items)), bodies_(std::move(bodies)) {
  for (Item& it : items_) {
    it.idle = std::all_of(it.rows.begin(), it.rows.end(), [](const Row& r) { return r.idle; });
    for (const Row& r : it.rows) {
      has_marks_ = has_marks_ || r.mark >= 0;
      has_memory_ = has_memory_ || (r.target && r.target->memory >= 0);
    }
  }
}

std::vector<std::pair<int, int>> Links::columns(const BodyInfo& A, const BodyInfo& B) {
  std::vector<std::pair<int, int>> list;
  if (freedoms(A) > 0) list.push_back({A.v, freedoms(A)});
  if (freedoms(B) > 0) list.push_back({B.v, freedoms(B)});
  return list;
}

void Links::start(State& x) const {
  for (const Item& it : items_) {
    for (const Row& r : it.rows) {
      if (r.mark >= 0) x.marks()[r.mark] = r.start;
    }
  }
}

[[gnu::flatten]] void Links::calc_rows(Eval& e) const {
  for (const Item& it : items_) {
    const Pose &PA = e.pose[it.A.body], &PB = e.pose[it.B.body];
    const BodyInfo &bA = bodies_[static_cast<std::size_t>(it.A.body)], &bB = bodies_[static_cast<std::size_t>(it.B.body)];
    if (it.idle && !e.looks) continue;
    Frame<> A, B;
    A.R = PA.R * it.A.R;
    B.R = PB.R * it.B.R;
    const Vec3<> sA = PA.R * it.A.s, sB = PB.R * it.B.s;
    A.p = PA.p + sA;
    B.p = PB.p + sB;
    const Vec3<> arm = B.p - PA.p;  // from the centre of A to where the wrench acts
    const Vec3<> vB = PB.v + cross(PB.w, sB), vA = PA.v + cross(PA.w, sA);
    const Vec3<> w = PB.w - PA.w;                                               // angular velocity seen from A
    const Vec3<> u = vB - PA.v - cross(PA.w, arm);                              // velocity of B's marker seen from A
    const Vec3<> bias = cross(PB.w, cross(PB.w, sB)) - cross(PA.w, vB - PA.v);  // its rate while accelerations are zero
    for (const Row& r : it.rows) {
      if (r.idle && !e.looks) continue;
      RelationRow<> row = calc_relation(r.relation, A, B);
      Vec3<> F_rate, M_rate;
      if (!e.looks) calc_relation_rates(r.relation, A, B, PA.w, PB.w, vB - vA, F_rate, M_rate);
      if (r.mark >= 0) {
        const double* last = e.marks + r.mark;
        const double about = last[0] + last[1] * (e.t - last[2]);
        const double turns = std::round((about - row.value) / (2 * std::numbers::pi));
        row.value += 2 * std::numbers::pi * turns;
      }
      if (r.scale != 1) {
        row.value *= r.scale;
        row.F = r.scale * row.F, row.M = r.scale * row.M;
        F_rate = r.scale * F_rate, M_rate = r.scale * M_rate;
      }
      double* D = e.D + e.rows->begin(r.row)->at;
      project(bA, PA, -1, row.F, cross(arm, row.F) + row.M, D);
      project(bB, PB, 1, row.F, cross(sB, row.F) + row.M, D + freedoms(bA));
      double rate = dot(row.F, u) + dot(row.M, w);
      double drift = dot(F_rate, u) + dot(row.F, bias) + dot(M_rate, w);
      double partial = 0;
      if (r.target) {
        double x = 0, v = 0, a = 0;
        r.target->position.motion(e.t, x, v, a);
        if (r.target->memory >= 0) {  // the signal is the speed
          a = v;
          v = x;
          x = e.z[r.target->memory];
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
      mark[0] = value / r.scale;
      mark[1] = (e.row_rate[r.row] - e.row_partial[r.row]) / r.scale;
      mark[2] = e.t;
    }
  }
}

/// -d(D' T)/dq of all rows between two markers: the force stays on the marker of B while the bodies move.
void Links::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    const Pose &PA = e.pose[it.A.body], &PB = e.pose[it.B.body];
    const BodyInfo &bA = bodies_[static_cast<std::size_t>(it.A.body)], &bB = bodies_[static_cast<std::size_t>(it.B.body)];
    const int nA = freedoms(bA), nB = freedoms(bB);
    Frame<> A, B;
    A.R = PA.R * it.A.R;
    B.R = PB.R * it.B.R;
    const Vec3<> sA = PA.R * it.A.s, sB = PB.R * it.B.s;
    A.p = PA.p + sA;
    B.p = PB.p + sB;
    const Vec3<> arm = B.p - PA.p;
    // all rows together: wrench T F, T M on B, and its slopes
    Vec3<> F, M;
    RelationSlope s;
    for (const Row& r : it.rows) {
      const double T = e.row_force[r.row] * r.scale;
      if (T == 0) continue;
      const RelationRow<> row = calc_relation(r.relation, A, B);
      const RelationSlope one = calc_relation_slope(r.relation, A, B);
      F = F + T * row.F;
      M = M + T * row.M;
      for (std::size_t k = 0; k < 9; ++k) {
        s.F_A.m[k] += T * one.F_A.m[k], s.F_B.m[k] += T * one.F_B.m[k], s.F_d.m[k] += T * one.F_d.m[k];
        s.M_A.m[k] += T * one.M_A.m[k], s.M_B.m[k] += T * one.M_B.m[k], s.M_d.m[k] += T * one.M_d.m[k];
      }
    }
    const Vec3<> mA = cross(arm, F) + M, mB = cross(sB, F) + M;
    const auto change = [&](const BodyInfo& b, const Pose& pose, const Vec3<>& dF, const Vec3<>& m, const Vec3<>& dm,
                            const Vec3<>& turn, double sign, int column) {
      double D[6] = {};
      project(b, pose, sign, dF, b.kind == Kind::rigid ? dm - cross(turn, m) : dm, D);
      for (int k = 0; k < freedoms(b); ++k) sink.add(JacobianSink::Part::force_q, b.v + k, column, D[k]);
    };
    for (int c = 0; c < nA + nB; ++c) {
      Vec3<> shift_A, turn_A, shift_B, turn_B;
      if (c < nA) unit_motion(bA, PA, c, shift_A, turn_A);
      else unit_motion(bB, PB, c - nA, shift_B, turn_B);
      const int column = c < nA ? bA.v + c : bB.v + c - nA;
      const Vec3<> to_B = shift_B + cross(turn_B, sB);
      const Vec3<> d = to_B - shift_A - cross(turn_A, sA);
      const Vec3<> dF = s.F_A * turn_A + s.F_B * turn_B + s.F_d * d;
      const Vec3<> dM = s.M_A * turn_A + s.M_B * turn_B + s.M_d * d;
      change(bA, PA, dF, mA, cross(to_B - shift_A, F) + cross(arm, dF) + dM, turn_A, 1, column);
      change(bB, PB, dF, mB, cross(cross(turn_B, sB), F) + cross(sB, dF) + dM, turn_B, -1, column);
    }
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
    std::map<int, int> at;  // velocity index -> place of its value
    for (const RowPiece* p = rows.begin(it.row); p != rows.end(it.row); ++p) {
      for (int k = 0; k < p->count; ++k) at[p->v + k] = p->at + k;
    }
    std::vector<int> place;
    for (const BoundSignal::Reading& r : it.value.readings()) {
      if (r.kind == Signal::Input::Kind::position) {
        for (const auto& [index, factor] : r.terms) place.push_back(at.at(index));
      }
      if (r.kind != Signal::Input::Kind::row) continue;
      for (const auto& [row, factor] : r.terms) {
        for (const RowPiece* p = rows.begin(row); p != rows.end(row); ++p) {
          for (int k = 0; k < p->count; ++k) place.push_back(at.at(p->v + k));
        }
      }
    }
    place_.push_back(std::move(place));
  }
}

void Combinations::calc_rows(Eval& e) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& it = items_[i];
    double slope[BoundSignal::kMaxReadings] = {};
    it.value.value(e, slope);
    for (const RowPiece* p = e.rows->begin(it.row); p != e.rows->end(it.row); ++p) std::fill_n(e.D + p->at, p->count, 0.0);
    const int* place = place_[i].data();
    const auto& readings = it.value.readings();
    double rate = 0;  // without the partial derivative by time
    for (std::size_t k = 0; k < readings.size(); ++k) {
      each_column(readings[k], e, [&](Signal::Input::Kind, int column, double factor) {
        e.D[*place++] += slope[k] * factor;
        rate += slope[k] * factor * e.v[column];
      });
    }
    double value = 0, speed = 0, drift = 0;
    it.value.motion_along(e, value, speed, drift);
    e.row_value[it.row] = value;
    e.row_rate[it.row] = speed;
    e.row_partial[it.row] = speed - rate;
    e.row_drift[it.row] = drift;
  }
}

void Combinations::pass_forces(Eval& e) const {
  for (const Item& it : items_) {
    const double T = e.row_force[it.row];
    if (T == 0) continue;
    double slope[BoundSignal::kMaxReadings] = {};
    it.value.value(e, slope);
    const auto& readings = it.value.readings();
    for (std::size_t k = 0; k < readings.size(); ++k) {
      if (readings[k].kind != Signal::Input::Kind::row) continue;
      for (const auto& [row, factor] : readings[k].terms) e.row_force[row] += T * slope[k] * factor;
    }
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
