#pragma once
#include "bristle/body/space.h"
#include "bristle/record/scene.h"
#include "record_fixture.h"

namespace bristle::testing {

/// A layout with a body of every kind, made by hand.
class SceneTest : public RecordTest {
 protected:
  static Shape shape(Shape::Kind kind, double a, double b, double c) {
    Shape s;
    s.kind = kind;
    s.size[0] = a, s.size[1] = b, s.size[2] = c;
    return s;
  }
  static Layout make_layout() {
    Layout layout;
    layout.sizes.q = 15;
    layout.bodies.resize(4);
    layout.bodies[0] = BodyInfo::ground();
    layout.bodies[1] = space_frame("rod/1", SpaceBody::Kind::rigid, 2, 2);
    layout.bodies[2] = space_frame("plate", SpaceBody::Kind::planar, 9, 8);
    layout.bodies[3] = space_frame("bob", SpaceBody::Kind::point, 12, 11);
    Shape mesh = shape(Shape::Kind::mesh, 0, 0, 0);
    mesh.points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    layout.bodies[1].shapes = {shape(Shape::Kind::box, 1, 0.1, 0.2), shape(Shape::Kind::cylinder, 0.3, 0.4, 0),
                               shape(Shape::Kind::sphere, 0.5, 0, 0), shape(Shape::Kind::tube, 0.6, 0.5, 0.7), mesh};
    JointInfo pin;
    pin.name = "pin";
    pin.type = "revolute";
    pin.body[1] = 1;
    pin.frame[1][0] = -0.5;
    layout.joints = {pin};
    return layout;
  }
  static RunHeader space_header() {
    RunHeader h = header();
    h.bodies = make_layout().bodies;
    h.joints = make_layout().joints;
    return h;
  }
  /// The rod goes in a circle and turns, the plate falls, the bob stays.
  static State state(double t) {
    const Layout layout = make_layout();
    State x(layout.sizes);
    x.t = t;
    const double q[] = {std::cos(t), std::sin(t), 0, std::cos(t), 0, 0, std::sin(t), 2, -t * t, 3 * t, 5, 6, 7};
    std::copy_n(q, 13, x.q() + 2);
    return x;
  }
  static void write_space(RunWriter& run, long long from, long long to) {
    const Layout layout = make_layout();
    std::vector<double> row(10), poses(21);
    for (long long k = from; k < to; ++k) {
      for (int c = 0; c < 10; ++c) row[static_cast<std::size_t>(c)] = value(c, time_of(k));
      calc_poses(layout.bodies, state(time_of(k)), nullptr, poses.data());
      run.sample(time_of(k), row.data(), poses.data());
    }
  }
  void write_space_run(long long n) const {
    RunWriter run = RunWriter::create(path("run.h5"), space_header());
    write_space(run, 0, n);
    run.close(finished());
  }
  static void expect_space(const RunFile& run, long long n) {
    const Layout layout = make_layout();
    ASSERT_EQ(static_cast<long long>(run.time.size()), n);
    ASSERT_EQ(run.frames.size(), 3u);
    std::vector<double> poses(21);
    for (long long k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      calc_poses(layout.bodies, state(time_of(k)), nullptr, poses.data());
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t j = 0; j < 7; ++j) ASSERT_EQ(run.frames[b].poses[7 * i + j], poses[7 * b + j]) << k;
      for (std::size_t c = 0; c < run.channels.size(); ++c)
        ASSERT_EQ(run.channels[c].values[i], value(static_cast<int>(c), time_of(k)));
    }
  }
};

}  // namespace bristle::testing
