#include "bristle/place/collision_group.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace bristle {

namespace {

constexpr int kMostPoints = SurfacePair::kMostPoints;

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  return x;
}

/// Cells by their place, in a table of lists. One per thread; keeps its memory.
struct Grid {
  std::vector<int> head, next;
  std::vector<std::int64_t> cell;  // three per shape
  std::vector<Vec3<>> center;
  std::vector<double> reach;
  std::vector<std::pair<int, int>> pairs;
};

}  // namespace

CollisionGroup::CollisionGroup(std::string name, std::vector<Item> items, const std::vector<BodyInfo>& bodies, Laws laws)
    : name_(std::move(name)), items_(std::move(items)), frames_(frame_maps(bodies)), laws_(std::move(laws)) {
  for (const Item& it : items_) {
    constexpr int kMostColumns = static_cast<int>(std::size(FreeContact{}.row[0])) / 2;
    const auto body = static_cast<std::size_t>(it.marker.body);
    if (frames_[body].count > kMostColumns)
      throw std::invalid_argument("collision group '" + name_ + "': body '" + bodies[body].name + "' is moved by more than " +
                                  std::to_string(kMostColumns) + " velocities. Let it touch by joints of the type contact");
  }
  parted_.assign(frames_.size(), 0);
  for (std::size_t i = 0; i + 1 < items_.size(); ++i) {  // the shapes of a body stand in a row
    if (!items_[i].obstacle && items_[i].marker.body == items_[i + 1].marker.body)
      parted_[static_cast<std::size_t>(items_[i].marker.body)] = 1;
  }
  // shapes much larger than the others would make all cells as large as they are
  std::vector<double> reach;
  for (const Item& it : items_) {
    if (!it.obstacle) reach.push_back(it.solid.reach());
  }
  std::sort(reach.begin(), reach.end());
  const double usual = reach.empty() ? 0 : reach[reach.size() / 2];
  double largest = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool large = items_[i].obstacle || items_[i].solid.reach() > 4 * usual;
    (large ? large_ : small_).push_back(i);
    if (!large) largest = std::max(largest, items_[i].solid.reach());
  }
  cell_ = 2 * largest;
  // a friction law that gives the same coefficient at any speed is asked only once
  const auto at = [&](double speed) { return coefficient(Vec<2>{{speed, 0}}); };
  const double rest = at(0);
  bool same = true;
  for (double speed : {1e-6, 1e-3, 0.1, 1.0, 30.0}) same = same && at(speed) == rest;
  if (same) coefficient_ = rest;
}

const char* CollisionGroup::problem(std::size_t& a, std::size_t& b) const {
  // one of each kind stands for all of them
  std::vector<std::size_t> kinds;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const auto same = [&](std::size_t k) {
      return items_[k].obstacle == items_[i].obstacle && items_[k].solid.kind() == items_[i].solid.kind();
    };
    if (std::count_if(kinds.begin(), kinds.end(), same) < 2) kinds.push_back(i);
  }
  for (std::size_t i : kinds) {
    for (std::size_t j : kinds) {
      a = i, b = j;
      if (j <= i || (items_[i].obstacle && items_[j].obstacle) || items_[i].marker.body == items_[j].marker.body) continue;
      if (const char* text = SurfacePair{items_[i].solid, items_[j].solid}.problem()) return text;
    }
  }
  return nullptr;
}

double CollisionGroup::coefficient(const Vec<2>& slip) const {
  if (coefficient_ >= 0) return coefficient_;
  Patch<2> patch;
  patch.slip = slip;
  patch.load = 1;
  if (!(norm(slip) > 1e-9)) return laws_.friction->holding(patch, nullptr);
  Vec<2> F;
  laws_.friction->eval(patch, nullptr, nullptr, F, nullptr);
  return norm(F);
}

Frame<> CollisionGroup::frame(const Eval& e, const Item& it) const {
  const Pose& pose = e.pose[it.marker.body];
  return {pose.R * it.marker.R, pose.p + pose.R * it.marker.s};
}

void CollisionGroup::meet(const Eval& e, std::size_t i, std::size_t j, double horizon, double margin,
                          std::vector<FreeContact>& list, std::vector<Seen>& seen) const {
  const Item *a = &items_[i], *b = &items_[j];
  if (a->marker.body == b->marker.body) return;
  const FrameMap &A = frames_[static_cast<std::size_t>(a->marker.body)], &B = frames_[static_cast<std::size_t>(b->marker.body)];
  const Pose &pose_A = e.pose[a->marker.body], &pose_B = e.pose[b->marker.body];
  const bool planar = A.flat() && B.flat();
  Touch<> touch[kMostPoints];
  int points = 1;
  if (a->solid.kind() == Solid::Kind::sphere && b->solid.kind() == Solid::Kind::sphere) {
    const Vec3<> from = pose_A.p + pose_A.R * a->marker.s, way = pose_B.p + pose_B.R * b->marker.s - from;
    const double distance = norm(way), ra = a->solid.radius(), gap = distance - ra - b->solid.radius();
    if (gap > margin + horizon * (norm(pose_A.v) + norm(pose_B.v) + ra * norm(pose_A.w) + b->solid.radius() * norm(pose_B.w)))
      return;
    Vec3<> n;
    n[2] = 1;
    if (distance > 0) n = (1 / distance) * way;
    touch[0] = {gap, n, from + (ra + 0.5 * gap) * n};
  } else {
    SurfacePair pair{a->solid, b->solid};
    pair.stands = laws_.contact->rigid() != nullptr;
    points = pair.points();
    pair.touch(frame(e, *a), frame(e, *b), nullptr, touch);
  }
  for (int k = 0; k < points; ++k) {
    const Touch<>& t = touch[k];
    const Vec3<> arm_A = t.point - pose_A.p, arm_B = t.point - pose_B.p;
    const Vec3<> speed = pose_B.v + cross(pose_B.w, arm_B) - pose_A.v - cross(pose_A.w, arm_A);
    const double rate = dot(t.normal, speed);
    if (t.gap > margin + horizon * std::max(0.0, -rate)) continue;
    if (is_seen(*a, *b, t, seen)) continue;
    FreeContact& c = list.emplace_back();
    c.key = (static_cast<std::uint64_t>(i) * items_.size() + j) * kMostPoints + static_cast<std::uint64_t>(k);
    c.gap = t.gap;
    c.slips = planar ? 1 : 2;
    c.axis[0] = t.normal;
    if (planar) {
      c.axis[1] = Vec3<>{{-t.normal[1], t.normal[0], 0}};
    } else {
      int least = 0;
      for (int d = 1; d < 3; ++d) {
        if (std::abs(t.normal[d]) < std::abs(t.normal[least])) least = d;
      }
      Vec3<> spare;
      spare[least] = 1;
      c.axis[1] = direction(cross(t.normal, spare));
      c.axis[2] = cross(t.normal, c.axis[1]);
    }
    c.v[0] = A.v, c.v[1] = B.v;
    c.count[0] = A.count, c.count[1] = B.count;
    Vec<2> slip;
    for (int d = 0; d <= c.slips; ++d) {
      project(A, pose_A, -1, c.axis[d], cross(arm_A, c.axis[d]), c.row[d]);
      project(B, pose_B, 1, c.axis[d], cross(arm_B, c.axis[d]), c.row[d] + c.count[0]);
      if (d > 0) slip[d - 1] = dot(c.axis[d], speed);
    }
    c.friction = coefficient(slip);
  }
}

bool CollisionGroup::is_seen(const Item& a, const Item& b, const Touch<>& t, std::vector<Seen>& seen) const {
  int first = a.marker.body, second = b.marker.body;
  if (parted_[static_cast<std::size_t>(first)] == 0 && parted_[static_cast<std::size_t>(second)] == 0) return false;
  Vec3<> n = t.normal;
  if (first > second) std::swap(first, second), n = times(-1, n);
  const double close = 1e-6 * std::min(a.solid.reach() > 0 ? a.solid.reach() : b.solid.reach(),
                                       b.solid.reach() > 0 ? b.solid.reach() : a.solid.reach());
  for (const Seen& s : seen) {
    if (s.a == first && s.b == second && std::abs(s.touch.gap - t.gap) < close && norm(s.touch.point - t.point) < close &&
        dot(s.touch.normal, n) > 1 - 1e-6)
      return true;
  }
  seen.push_back({first, second, {t.gap, n, t.point}});
  return false;
}

void CollisionGroup::find(const Eval& e, double horizon, double margin, std::vector<FreeContact>& list) const {
  static thread_local Grid g;
  const std::size_t n = items_.size();
  g.center.resize(n);
  g.reach.resize(n);
  double widest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Item& it = items_[i];
    const Pose& pose = e.pose[it.marker.body];
    g.center[i] = pose.p + pose.R * it.marker.s;
    g.reach[i] =
        it.solid.reach() + 0.5 * margin + horizon * (norm(pose.v) + norm(pose.w) * (norm(it.marker.s) + it.solid.reach()));
    if (!it.obstacle) widest = std::max(widest, g.reach[i]);
  }
  g.pairs.clear();
  const auto near = [&](std::size_t i, std::size_t j) {
    const Vec3<> d = g.center[j] - g.center[i];
    const double reach = g.reach[i] + g.reach[j];
    return dot(d, d) <= reach * reach;
  };
  // everything small, by cells; a fast one makes the cells larger
  double size = cell_;
  for (std::size_t i : small_) size = std::max(size, 2 * g.reach[i]);
  if (!small_.empty() && size > 0) {
    std::size_t table = 16;
    while (table < 2 * small_.size()) table *= 2;
    g.head.assign(table, -1);
    g.next.assign(n, -1);
    g.cell.resize(3 * n);
    const auto slot = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const auto place = static_cast<std::uint64_t>(x * 73856093) ^ static_cast<std::uint64_t>(y * 19349663) ^
                         static_cast<std::uint64_t>(z * 83492791);
      return static_cast<std::size_t>(mix(place)) & (table - 1);
    };
    for (std::size_t i : small_) {
      std::int64_t* c = &g.cell[3 * i];
      for (int k = 0; k < 3; ++k) c[k] = static_cast<std::int64_t>(std::floor(g.center[i][k] / size));
      // neighbours that are in the table already: each pair once
      for (std::int64_t x = c[0] - 1; x <= c[0] + 1; ++x) {
        for (std::int64_t y = c[1] - 1; y <= c[1] + 1; ++y) {
          for (std::int64_t z = c[2] - 1; z <= c[2] + 1; ++z) {
            for (int j = g.head[slot(x, y, z)]; j >= 0; j = g.next[static_cast<std::size_t>(j)]) {
              const std::int64_t* o = &g.cell[3 * static_cast<std::size_t>(j)];
              if (o[0] == x && o[1] == y && o[2] == z && near(static_cast<std::size_t>(j), i))
                g.pairs.emplace_back(j, static_cast<int>(i));
            }
          }
        }
      }
      int& head = g.head[slot(c[0], c[1], c[2])];
      g.next[i] = head;
      head = static_cast<int>(i);
    }
  }
  // what is large, with everybody
  for (std::size_t a = 0; a < large_.size(); ++a) {
    const std::size_t i = large_[a];
    const bool endless = items_[i].solid.kind() == Solid::Kind::plane || items_[i].solid.kind() == Solid::Kind::hollow_sphere;
    Vec3<> normal;
    if (endless) normal = frame(e, items_[i]).R.column(2);
    const auto attempt = [&](std::size_t j) {
      if (items_[i].solid.kind() == Solid::Kind::plane && dot(normal, g.center[j] - g.center[i]) > g.reach[j] + 0.5 * margin)
        return;
      if (!endless && !near(i, j)) return;
      g.pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
    };
    for (std::size_t j : small_) attempt(j);
    for (std::size_t b = a + 1; b < large_.size(); ++b) {
      if (!(items_[i].obstacle && items_[large_[b]].obstacle)) attempt(large_[b]);
    }
  }
  // in a fixed order, whatever the cells were
  std::sort(g.pairs.begin(), g.pairs.end());
  static thread_local std::vector<Seen> seen;
  seen.clear();
  for (const auto& [i, j] : g.pairs)
    meet(e, static_cast<std::size_t>(i), static_cast<std::size_t>(j), horizon, margin, list, seen);
}

void CollisionGroup::calc_forces(Eval& e) const {
  static thread_local std::vector<FreeContact> list;
  list.clear();
  find(e, 0, 0, list);
  double pressed = 0, rubbed = 0;
  for (const FreeContact& c : list) {
    double u[3] = {0, 0, 0};
    for (int d = 0; d <= c.slips; ++d) {
      for (int side = 0, at = 0; side < 2; ++side) {
        for (int k = 0; k < c.count[side]; ++k) u[d] += c.row[d][at++] * e.v[c.v[side] + k];
      }
    }
    Patch<2> patch;
    patch.gap = c.gap, patch.gap_rate = u[0];
    patch.load = laws_.contact->force(-c.gap, -u[0], nullptr);
    if (!(patch.load > 0)) continue;
    for (int d = 0; d < c.slips; ++d) patch.slip[d] = u[1 + d];
    Vec<2> F;
    laws_.friction->eval(patch, nullptr, nullptr, F, nullptr);
    const double force[3] = {patch.load, -F[0], -F[1]};
    for (int d = 0; d <= c.slips; ++d) {
      for (int side = 0, at = 0; side < 2; ++side) {
        for (int k = 0; k < c.count[side]; ++k) e.f[c.v[side] + k] += force[d] * c.row[d][at++];
      }
      (d == 0 ? pressed : rubbed) -= force[d] * u[d];
    }
  }
  e.power[laws_.contact_account] = pressed;
  if (laws_.friction_account != laws_.contact_account) e.power[laws_.friction_account] = rubbed;
  else e.power[laws_.contact_account] += rubbed;
}

double CollisionGroup::stored(const Eval& e, double* by_account) const {
  static thread_local std::vector<FreeContact> list;
  list.clear();
  find(e, 0, 0, list);
  double sum = 0;
  for (const FreeContact& c : list) sum += laws_.contact->stored(-c.gap, nullptr);
  by_account[laws_.contact_account] += sum;
  return sum;
}

std::vector<Channel> CollisionGroup::channels(const std::string& name) {
  return {{name + ".contacts", "1", "points at which shapes touch"},
          {name + ".penetration", "m", "depth of the deepest of them"}};
}

void CollisionGroup::calc_outputs(const Eval& e, double* out) const {
  static thread_local std::vector<FreeContact> list;
  list.clear();
  find(e, 0, 0, list);
  double deepest = 0;
  for (const FreeContact& c : list) deepest = std::max(deepest, -c.gap);
  out[0] = static_cast<double>(list.size());
  out[1] = deepest;
}

}  // namespace bristle
