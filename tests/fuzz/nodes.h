#pragma once
// Short ways to write a model as a tree.
#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "bristle/base/node.h"
#include "bristle/math/space.h"

namespace bristle::fuzz {

/// Four digits: enough for a random number, few enough that no mathematical library rounds them otherwise than another.
inline std::string digits(double x) { return fmt::format("{:.4g}", x); }
/// All digits, for what has to fit something else.
inline std::string exact(double x) { return fmt::format("{:.12g}", std::abs(x) < 1e-12 ? 0.0 : x); }

inline Node text(std::string s) { return Node::scalar(std::move(s)); }
inline Node number(double x) { return text(digits(x)); }
inline Node list(const std::vector<std::string>& items) {
  Node out = Node::list();
  for (const std::string& s : items) out.add(text(s));
  return out;
}
inline Node vector(const Vec3<>& v, bool planar = false) {
  return planar ? list({exact(v[0]), exact(v[1])}) : list({exact(v[0]), exact(v[1]), exact(v[2])});
}
inline Node map(std::initializer_list<std::pair<const char*, Node>> entries) {
  Node out = Node::map();
  for (const auto& [key, value] : entries) out.set(key, value);
  return out;
}

}  // namespace bristle::fuzz
