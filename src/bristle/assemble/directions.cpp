// Vectors, directions and frames as users write them.
#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

double number_of(const Node& node, const Scope& scope, const Unit& unit) {
  const Quantity q = parse_quantity(node.text, scope, node.where_of_text());
  require_dimension(q.dimension, unit, node.where);
  return q.value;
}

}  // namespace

Vec3<> vector_of(const std::vector<double>& numbers) {
  Vec3<> v;
  for (std::size_t k = 0; k < numbers.size() && k < 3; ++k) v[static_cast<int>(k)] = numbers[k];
  return v;
}

std::optional<Vec3<>> read_vector3(Reader& reader, const char* key, const Unit& unit) {
  const Node* node = reader.optional_child(key);
  if (node == nullptr) return {};
  const std::size_t count = node->is_list() && node->size() == 2 ? 2 : 3;
  return vector_of(reader.numbers(key, count, unit, "a vector"));
}

Vec3<> read_direction(const Node& node, const Scope& scope, const std::string& owner) {
  Vec3<> v;
  if (node.is_scalar()) {
    std::string word = node.text;
    double sign = 1;
    if (!word.empty() && word[0] == '-') sign = -1, word.erase(0, 1);
    const std::string_view axes = "xyz";
    if (word.size() != 1 || axes.find(word[0]) == std::string_view::npos)
      throw InputError(node.where,
                       owner + ": a direction is x, y, z, -x, -y, -z or three numbers, got '" + shortened(node.text) + "'");
    v[static_cast<int>(axes.find(word[0]))] = sign;
    return v;
  }
  if (!node.is_list() || node.size() < 2 || node.size() > 3)
    throw InputError(node.where, owner + ": a direction is x, y, z or three numbers");
  for (std::size_t k = 0; k < node.size(); ++k) v[static_cast<int>(k)] = number_of(node[k], scope, unit::one);
  const double length = norm(v);
  if (!(length > 0) || !std::isfinite(length)) throw InputError(node.where, owner + ": a direction must not be zero");
  return (1 / length) * v;
}

Mat3<> frame_along(const Vec3<>& z, const std::optional<Vec3<>>& x) {
  Vec3<> side;
  if (x) {
    side = *x - dot(*x, z) * z;
  }
  if (!x || norm(side) < 1e-6) {
    // the coordinate axis that follows the one nearest to z
    int k = 0;
    for (int i = 1; i < 3; ++i) {
      if (std::abs(z[i]) > std::abs(z[k]) + 1e-12) k = i;
    }
    Vec3<> next;
    next[(k + 1) % 3] = 1;
    side = next - dot(next, z) * z;
  }
  side = (1 / norm(side)) * side;
  Mat3<> R;
  R.set_column(0, side);
  R.set_column(1, cross(z, side));
  R.set_column(2, z);
  return R;
}

std::optional<Quaternion> read_orientation(Reader& reader, const char* key, const Scope& scope) {
  const Node* node = reader.optional_child(key);
  if (node == nullptr) return {};
  if (node->is_map()) {
    Reader inner(*node, scope, {reader.owner() + ": " + key, {}});
    const Vec3<> axis = read_direction(inner.child("axis", "axis of rotation"), scope, inner.owner());
    const double angle = inner.number("angle", unit::one, any, "angle of rotation");
    inner.finish();
    return rotation_of({angle * axis[0], angle * axis[1], angle * axis[2]}, Chart::exponential);
  }
  const std::vector<double> p = reader.numbers(key, 4, unit::one, "unit quaternion [w, x, y, z]");
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  if (std::abs(length - 1) > 1e-3)
    reader.fail(key, "a unit quaternion [w, x, y, z] has the length 1, this one " + fmt::format("{:.6g}", length) +
                         "; or write {axis: z, angle: 30 deg}");
  return normalised({p[0], p[1], p[2], p[3]});
}

}  // namespace bristle
