#include "bristle/record/scene.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bristle {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kShapeKinds[] = {"box", "cylinder", "sphere", "tube", "mesh"};
// names of the numbers in Shape::size; a box has all three under one name
constexpr const char* kSizes[][3] = {{"size", nullptr, nullptr},
                                     {"radius", "length", nullptr},
                                     {"radius", nullptr, nullptr},
                                     {"outer_radius", "inner_radius", "length"},
                                     {nullptr, nullptr, nullptr}};

template <std::size_t N>
Json list(const double (&numbers)[N]) {
  return Json(std::vector<double>(numbers, numbers + N));
}

template <std::size_t N>
void take(const Json& from, double (&numbers)[N]) {
  if (from.size() != N) throw std::runtime_error("a list of numbers in the scene has a wrong length");
  for (std::size_t i = 0; i < N; ++i) numbers[i] = from[i].get<double>();
}

template <class Kind, std::size_t N>
Kind kind_of(const std::string& name, const char* const (&names)[N]) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) throw std::runtime_error("the scene has the unknown kind '" + name + "'");
  return static_cast<Kind>(found - std::begin(names));
}

Json to_json(const Shape& s) {
  const auto kind = static_cast<std::size_t>(s.kind);
  Json shape = {{"kind", kShapeKinds[kind]}};
  if (s.kind == Shape::Kind::box) {
    shape["size"] = list(s.size);
  } else {
    for (int i = 0; i < 3 && kSizes[kind][i]; ++i) shape[kSizes[kind][i]] = s.size[i];
  }
  shape["position"] = list(s.position);
  shape["rotation"] = list(s.rotation);
  if (s.kind == Shape::Kind::mesh) {
    shape["points"] = s.points;
    shape["triangles"] = s.triangles;
  }
  return shape;
}

Shape to_shape(const Json& from) {
  Shape s;
  s.kind = kind_of<Shape::Kind>(from.at("kind"), kShapeKinds);
  const auto kind = static_cast<std::size_t>(s.kind);
  if (s.kind == Shape::Kind::box) {
    take(from.at("size"), s.size);
  } else {
    for (int i = 0; i < 3 && kSizes[kind][i]; ++i) s.size[i] = from.at(kSizes[kind][i]).get<double>();
  }
  take(from.at("position"), s.position);
  take(from.at("rotation"), s.rotation);
  if (s.kind == Shape::Kind::mesh) {
    s.points = from.at("points").get<std::vector<double>>();
    s.triangles = from.at("triangles").get<std::vector<int>>();
    const auto corners = static_cast<long long>(s.points.size() / 3);
    if (s.points.size() % 3 != 0 || s.triangles.size() % 3 != 0 ||
        std::any_of(s.triangles.begin(), s.triangles.end(), [&](int i) { return i < 0 || i >= corners; }))
      throw std::runtime_error("a mesh in the scene has triangles without corners");
  }
  return s;
}

}  // namespace

int moving_bodies(const std::vector<BodyInfo>& bodies) {
  return static_cast<int>(std::count_if(bodies.begin(), bodies.end(), is_moving));
}

void calc_poses(const std::vector<BodyInfo>& bodies, const State& x, const Pose* evaluated, double* pose) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (!bodies[k].moves()) continue;
    bodies[k].write_pose(x.q(), evaluated == nullptr ? nullptr : evaluated + k, pose);
    pose += kPose;
  }
}

std::string scene_text(const std::vector<BodyInfo>& bodies, const std::vector<JointInfo>& joints) {
  Json scene = {{"bodies", Json::array()}, {"joints", Json::array()}};
  for (const BodyInfo& b : bodies) {
    Json shapes = Json::array();
    for (const Shape& s : b.shapes) shapes.push_back(to_json(s));
    scene["bodies"].push_back({{"name", b.name}, {"kind", b.kind}, {"shapes", shapes}});
  }
  for (const JointInfo& j : joints) {
    const auto name = [&](int side) { return bodies.at(static_cast<std::size_t>(j.body[side])).name; };
    scene["joints"].push_back({{"name", j.name},
                               {"type", j.type},
                               {"bodies", {name(0), name(1)}},
                               {"frames", Json::array({list(j.frame[0]), list(j.frame[1])})}});
    if (j.clearance > 0) scene["joints"].back()["clearance"] = j.clearance;
  }
  // text that is not UTF-8 is written with a replacement character
  return scene.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void read_scene(std::string_view text, std::vector<BodyInfo>& bodies, std::vector<JointInfo>& joints) {
  const Json scene = Json::parse(text);
  bodies.clear();
  joints.clear();
  for (const Json& b : scene.at("bodies")) {
    BodyInfo body;
    body.name = b.at("name");
    body.kind = b.at("kind");
    if (body.kind.empty()) throw std::runtime_error("the scene has a body of no kind");
    for (const Json& s : b.at("shapes")) body.shapes.push_back(to_shape(s));
    bodies.push_back(std::move(body));
  }
  for (const Json& j : scene.at("joints")) {
    JointInfo joint;
    joint.name = j.at("name");
    joint.type = j.at("type");
    joint.clearance = j.value("clearance", 0.0);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto found =
          std::find_if(bodies.begin(), bodies.end(), [&](const BodyInfo& b) { return b.name == j.at("bodies").at(side); });
      if (found == bodies.end()) throw std::runtime_error("a joint of the scene is at a body that is not there");
      joint.body[side] = static_cast<int>(found - bodies.begin());
      take(j.at("frames").at(side), joint.frame[side]);
    }
    joints.push_back(std::move(joint));
  }
}

}  // namespace bristle
