#include "bristle/assemble/beam_start.h"

#include <algorithm>
#include <cmath>

namespace bristle {

void BeamStartKeys::visit(Keys& keys) {
  keys.vector("displacement", displacement, unit::metre, "0 m", "of the axis, from its shape at rest");
  keys.vector("rotation", rotation, unit::one, "as the axis turns", "of the sections: a rotation vector [rad]");
  keys.vector("velocity", velocity, unit::metre_per_second, "0 m/s", "beside that of the beam as a rigid body");
  keys.vector("angular_velocity", angular_velocity, unit::radian_per_second, "as the axis turns",
              "of the sections, beside that of the beam");
}

namespace {

/// What expressions along a beam may name.
class AlongBeam final : public Scope {
 public:
  AlongBeam(const Scope& model, double s, double length) : model_(model), s_(s), length_(length) {}
  std::optional<Quantity> find(std::string_view name) const override {
    if (name == "s") return Quantity{s_, unit::metre.dimension};
    if (name == "xi") return Quantity{s_ / length_, {}};
    return model_.find(name);
  }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> list = model_.names();
    list.insert(list.end(), {"s", "xi"});
    return list;
  }

 private:
  const Scope& model_;
  double s_, length_;
};

BeamStartKeys fields_at(const Reader& beam, const Node& start, const Scope& scope, double s, double length) {
  const AlongBeam along(scope, s, length);
  Reader reader(start, along, {beam.owner() + ": start", {}});
  const BeamStartKeys keys = read_keys<BeamStartKeys>(reader, along);
  reader.finish();
  return keys;
}

Mat3<> turned(const Vec3<>& rotation) {
  return matrix_of(rotation_of({rotation[0], rotation[1], rotation[2]}, Chart::exponential));
}

}  // namespace

void start_section(const Reader& reader, const Node& start, const Scope& scope, double s, double length, SectionStart& section) {
  const auto at = [&](double where) { return fields_at(reader, start, scope, where, length); };
  const BeamStartKeys here = at(s);
  const Vec3<> along = section.D.column(0);
  // derivatives along the beam by differences over a part of it that loses half of the digits
  const double h = 1e-5 * length, from = std::max(0.0, s - h), to = std::min(length, s + h);
  const BeamStartKeys before = at(from), behind = at(to);
  const auto slope = [&](const std::optional<Vec3<>> BeamStartKeys::*field) {
    return (1 / (to - from)) * ((behind.*field).value_or(Vec3<>{}) - (before.*field).value_or(Vec3<>{}));
  };
  const Vec3<> tangent = along + slope(&BeamStartKeys::displacement);
  const double stretch = norm(tangent);
  if (!(stretch > 0))
    reader.fail("start", "the axis has no direction where s = " + std::to_string(s) + " m. Make the displacement smaller");
  const Vec3<> t = (1 / stretch) * tangent;
  if (here.rotation) {
    section.D = turned(*here.rotation) * section.D;
  } else {
    const Vec3<> n = cross(along, t);
    const double sine = norm(n), angle = std::atan2(sine, dot(along, t));
    if (sine > 0) section.D = turned((angle / sine) * n) * section.D;
  }
  section.p = section.p + here.displacement.value_or(Vec3<>{});
  section.v = section.v + here.velocity.value_or(Vec3<>{});
  section.w =
      section.w + (here.angular_velocity ? *here.angular_velocity : (1 / stretch) * cross(t, slope(&BeamStartKeys::velocity)));
}

}  // namespace bristle
