// Bodies in space: poses from states, the description in the file, frames in the file and what is made of them.
#include "bristle/record/scene.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bristle/record/convert.h"
#include "bristle/record/report.h"
#include "bristle/record/triangulate.h"
#include "scene_fixture.h"

namespace bristle::testing {

using nlohmann::json;

TEST_F(SceneTest, Poses_come_from_the_coordinates_of_rigid_planar_and_point_bodies) {
  const Layout layout = make_layout();
  State x(layout.sizes);
  const double rigid[] = {1, 2, 3, 2, 0, 0, 0}, planar[] = {4, 5, std::numbers::pi / 2}, point[] = {6, 7, 8};
  std::copy_n(rigid, 7, x.q() + 2);
  std::copy_n(planar, 3, x.q() + 9);
  std::copy_n(point, 3, x.q() + 12);
  ASSERT_EQ(moving_bodies(layout.bodies), 3);
  std::vector<double> poses(21);
  calc_poses(layout.bodies, x, nullptr, poses.data());
  const double half = std::sqrt(0.5);
  // the quaternion of the first is made a unit one
  const std::vector<double> expected = {1, 2, 3, 1, 0, 0, 0, 4, 5, 0, half, 0, 0, half, 6, 7, 8, 1, 0, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(poses[i], expected[i], 1e-15) << i;
}

TEST_F(SceneTest, The_description_reads_back) {
  const Layout layout = make_layout();
  std::vector<BodyInfo> bodies;
  std::vector<JointInfo> joints;
  const std::string text = scene_text(layout.bodies, layout.joints);
  read_scene(text, bodies, joints);
  EXPECT_EQ(scene_text(bodies, joints), text);
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_EQ(bodies[2].kind, "planar");
  ASSERT_EQ(bodies[1].shapes.size(), 5u);
  EXPECT_EQ(bodies[1].shapes[3].size[2], 0.7);
  EXPECT_EQ(bodies[1].shapes[4].triangles, (std::vector<int>{0, 1, 2, 0, 2, 3}));
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_EQ(joints[0].type, "revolute");
  EXPECT_EQ(joints[0].body[1], 1);
  EXPECT_EQ(joints[0].frame[1][0], -0.5);
  EXPECT_EQ(joints[0].clearance, 0);
}

TEST_F(SceneTest, A_joint_with_clearance_says_how_much_and_an_ideal_one_nothing) {
  Layout layout = make_layout();
  EXPECT_FALSE(json::parse(scene_text(layout.bodies, layout.joints))["joints"][0].contains("clearance"));
  layout.joints[0].clearance = 5e-4;
  const std::string text = scene_text(layout.bodies, layout.joints);
  EXPECT_EQ(json::parse(text)["joints"][0]["clearance"], 5e-4);
  std::vector<BodyInfo> bodies;
  std::vector<JointInfo> joints;
  read_scene(text, bodies, joints);
  EXPECT_EQ(joints[0].clearance, 5e-4);
}

TEST_F(SceneTest, The_description_explains_itself) {
  const Layout layout = make_layout();
  const json scene = json::parse(scene_text(layout.bodies, layout.joints));
  EXPECT_EQ(scene["bodies"][0], json::parse(R"({"name": "ground", "kind": "ground", "shapes": []})"));
  const json& shapes = scene["bodies"][1]["shapes"];
  EXPECT_EQ(shapes[0]["size"], json::parse("[1.0, 0.1, 0.2]"));
  EXPECT_EQ(shapes[1]["radius"], 0.3);
  EXPECT_EQ(shapes[1]["length"], 0.4);
  EXPECT_FALSE(shapes[2].contains("length"));
  EXPECT_EQ(shapes[3]["outer_radius"], 0.6);
  EXPECT_EQ(shapes[3]["inner_radius"], 0.5);
  EXPECT_EQ(shapes[4]["points"].size(), 12u);
  EXPECT_EQ(scene["joints"][0]["bodies"], json::parse(R"(["ground", "rod/1"])"));
  EXPECT_EQ(scene["joints"][0]["frames"][1], json::parse("[-0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]"));
}

TEST_F(SceneTest, A_text_that_is_no_scene_is_refused) {
  std::vector<BodyInfo> bodies;
  std::vector<JointInfo> joints;
  for (
      const char* text :
      {"", "[]", R"({"bodies": [{"name": "a", "kind": "", "shapes": []}], "joints": []})",
       R"({"bodies": [{"name": "a", "kind": 3, "shapes": []}], "joints": []})",
       R"({"bodies": [{"name": "a", "kind": "rigid", "shapes": [{"kind": "odd", "position": [0, 0, 0], "rotation": [1, 0, 0, 0]}]}], "joints": []})",
       R"({"bodies": [], "joints": [{"name": "j", "type": "t", "bodies": ["a", "b"], "frames": []}]})",
       R"({"bodies": [{"name": "a", "kind": "rigid", "shapes": [{"kind": "mesh", "position": [0, 0, 0], "rotation": [1, 0, 0, 0],
            "points": [0, 0, 0], "triangles": [0, 0, 1]}]}], "joints": []})"})
    EXPECT_THROW(read_scene(text, bodies, joints), std::exception) << text;
}

TEST_F(SceneTest, Frames_are_read_back_to_the_bit_at_any_length_and_after_any_flush) {
  RunWriter run = RunWriter::create(path("run.h5"), space_header());
  long long at = 0;
  for (const long long next : {1, 3, 1000, 1023, 1024, 1025, 2500}) {
    write_space(run, at, next);
    run.flush();
    expect_space(read_run(path("run.h5")), next);
    at = next;
  }
  run.close(finished());
  const RunFile read = read_run(path("run.h5"));
  expect_space(read, 2500);
  EXPECT_EQ(scene_text(read.header.bodies, read.header.joints), scene_text(space_header().bodies, space_header().joints));
}

TEST_F(SceneTest, Appending_cuts_frames_too) {
  for (const long long cut : {0, 1, 700, 1024, 1500}) {
    {
      RunWriter run = RunWriter::create(path("run.h5"), space_header());
      write_space(run, 0, 2000);
      run.close({RunStatus::End::interrupted, "stopped", {}, {}, {}});
    }
    RunWriter run = RunWriter::append(path("run.h5"), cut, 0, 0);
    write_space(run, cut, 2300);
    run.close(finished());
    expect_space(read_run(path("run.h5")), 2300);
  }
}

TEST_F(SceneTest, Frames_are_read_when_everything_is) {
  write_space_run(10);
  EXPECT_EQ(read_run(path("run.h5")).frames.size(), 3u);
  EXPECT_EQ(read_run(path("run.h5"), {}).frames.size(), 0u);
  EXPECT_EQ(read_run(path("run.h5"), {"pin.gap"}).frames.size(), 0u);
  EXPECT_EQ(read_run(path("run.h5"), {}).header.bodies.size(), 4u);
}

TEST_F(SceneTest, A_run_without_bodies_has_neither_frames_nor_scene) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_run(10);
  EXPECT_EQ(python("import h5py\nf = h5py.File('run.h5')\nprint(sorted(f))\n"),
            "['channels', 'energy', 'events', 'model', 'solver', 'status', 'time']\n");
  EXPECT_FALSE(json::parse(report_data(read_run(path("run.h5")))).contains("scene"));
}

TEST_F(SceneTest, Bodies_that_would_share_a_place_are_refused) {
  RunHeader h = space_header();
  h.bodies[2].name = "rod|1";
  EXPECT_NE(complaint([&] { RunWriter::create(path("run.h5"), h); }).find("body 'rod|1' would be written twice"),
            std::string::npos);
}

TEST_F(SceneTest, Python_finds_frames_and_scene_where_the_layout_says) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_space_run(1500);
  write_npz(read_run(path("run.h5")), path("run.npz"));
  EXPECT_EQ(python(R"(
import h5py, json, numpy as np
f = h5py.File("run.h5")
assert sorted(f["frames"]) == ["bob", "plate", "rod|1"]
p = f["frames/rod|1"]
assert p.shape == (1500, 7) and p.dtype == np.float64 and p.compression == "gzip"
assert p.attrs["name"] == "rod/1" and "quaternion" in p.attrs["text"]
t = f["time"][:]
assert max(np.abs(p[:, 0] - np.cos(t)).max(), np.abs((p[:, 3:] ** 2).sum(1) - 1).max()) < 1e-14  # some roundings
scene = json.loads(f["scene"].asstr()[()])
assert [b["name"] for b in scene["bodies"]] == ["ground", "rod/1", "plate", "bob"]
d = np.load("run.npz")
assert d["frames/rod/1"].shape == (1500, 7) and np.array_equal(d["frames/rod/1"], p[:])
assert d["frames/bob"].dtype == np.float64 and d["pin.gap"].shape == (1500,)
print("good")
)"),
            "good\n");
}

TEST_F(SceneTest, The_report_shows_bodies_joints_and_thinned_poses) {
  write_space_run(5000);
  const json data = json::parse(report_data(read_run(path("run.h5"))));
  const json& scene = data["scene"];
  EXPECT_EQ(scene["bodies"].size(), 4u);
  EXPECT_EQ(scene["bodies"][1]["shapes"][1]["kind"], "cylinder");
  EXPECT_EQ(scene["joints"][0]["name"], "pin");
  const std::size_t frames = scene["t"].size();
  EXPECT_LE(frames, 1500u);
  EXPECT_GE(frames, 1000u);
  EXPECT_EQ(scene["t"].front(), 0.0);
  EXPECT_EQ(scene["t"].back(), time_of(4999));
  EXPECT_EQ(scene["poses"].size(), 3u);
  for (const auto& [body, list] : scene["poses"].items()) EXPECT_EQ(list.size(), 7 * frames) << body;
  EXPECT_NEAR(scene["poses"]["rod/1"][7 * 10].get<double>(), std::cos(scene["t"][10].get<double>()), 1e-7);
}

TEST_F(SceneTest, Many_bodies_have_fewer_frames_in_the_report) {
  RunFile run;
  for (int b = 0; b < 200; ++b) {
    BodyInfo body;
    body.name = fmt::format("b{}", b);
    run.header.bodies.push_back(body);
    run.frames.push_back({body.name, std::vector<double>(7 * 2000, 1.0)});
  }
  run.time.resize(2000);
  for (std::size_t i = 0; i < 2000; ++i) run.time[i] = static_cast<double>(i);
  const json scene = json::parse(report_data(run))["scene"];
  EXPECT_LE(scene["t"].size(), 300u);
  EXPECT_GE(scene["t"].size(), 200u);
}

// volume inside a closed surface, and whether every edge is used once in either direction
void expect_closed(const Shape& shape, double volume, double tolerance) {
  Triangles t;
  triangulate(shape, t);
  std::map<std::pair<int, int>, int> edges;
  double inside = 0;
  for (std::size_t i = 0; i < t.corners.size(); i += 3) {
    const double* p[3];
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = t.points.data() + 3 * t.corners[i + k];
      ++edges[{t.corners[i + k], t.corners[i + (k + 1) % 3]}];
    }
    inside += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
              6;
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  EXPECT_NEAR(inside / volume, 1, tolerance);
}

TEST_F(SceneTest, Surfaces_of_shapes_are_closed_and_look_outward) {
  constexpr double pi = std::numbers::pi;
  const auto shape = [](Shape::Kind kind, double a, double b, double c) {
    Shape s;
    s.kind = kind;
    s.size[0] = a, s.size[1] = b, s.size[2] = c;
    s.position[0] = 0.3;
    s.rotation[0] = s.rotation[1] = std::sqrt(0.5);
    return s;
  };
  expect_closed(shape(Shape::Kind::box, 1, 2, 3), 6, 1e-12);
  // 32 corners around: the area of a circle is short by 1 - sin(x)/x with x = 2 pi/32, that is 0.64 %
  expect_closed(shape(Shape::Kind::cylinder, 0.5, 2, 0), pi * 0.25 * 2, 0.01);
  expect_closed(shape(Shape::Kind::tube, 0.5, 0.3, 2), pi * (0.25 - 0.09) * 2, 0.01);
  expect_closed(shape(Shape::Kind::sphere, 0.5, 0, 0), 4 * pi / 3 * 0.125, 0.03);
}

TEST_F(SceneTest, A_collection_for_ParaView_has_a_file_of_surfaces_for_each_time) {
  BRISTLE_NEEDS(have_python("numpy"), "python3 with numpy");
  write_space_run(40);
  EXPECT_EQ(write_vtk(read_run(path("run.h5")), path("run.pvd")), 40);
  EXPECT_EQ(write_vtk(read_run(path("run.h5")), path("run.pvd"), 11), 11);
  EXPECT_EQ(python(R"(
import os, xml.etree.ElementTree as ET, numpy as np
sets = ET.parse("run.pvd").getroot().find("Collection").findall("DataSet")
times = [float(s.get("timestep")) for s in sets]
assert len(times) == 11 and times[0] == 0 and abs(times[-1] - 0.039) < 1e-15 and times == sorted(times)
assert sorted(os.listdir("run_vtk")) == [f"{i:06}.vtp" for i in range(11)]  # those of the longer run are gone
def numbers(element): return np.array(element.text.split(), dtype=float)
for s, t in zip(sets, times):
    root = ET.parse(s.get("file")).getroot()
    poly = root.find("PolyData"); piece = poly.find("Piece")
    n = {k: int(piece.get("NumberOf" + k)) for k in ("Points", "Verts", "Lines", "Polys")}
    assert n["Verts"] == 2 and n["Lines"] == 0 and n["Polys"] > 100
    assert numbers(poly.find("FieldData/DataArray"))[0] == t
    p = numbers(piece.find("Points/DataArray")).reshape(-1, 3)
    assert len(p) == n["Points"]
    for kind in ("Verts", "Lines", "Polys"):
        a = {d.get("Name"): numbers(d) for d in piece.find(kind)}
        assert len(a["offsets"]) == n[kind] and (len(a["connectivity"]) == a["offsets"][-1] if n[kind] else True)
        assert not n[kind] or a["connectivity"].max() < n["Points"]
    body = numbers(piece.find("CellData/DataArray"))
    assert len(body) == n["Verts"] + n["Lines"] + n["Polys"] and set(body) == {1, 2, 3}
    # the box is the first shape of the rod: its middle is the centre of mass
    assert np.abs(p[:8].mean(0) - [np.cos(t), np.sin(t), 0]).max() < 1e-6
print("good")
)"),
            "good\n");
}

TEST_F(SceneTest, Bodies_without_shapes_are_lines_to_their_joints_in_ParaView) {
  RunFile run;
  run.time = {0};
  run.header = space_header();
  run.header.bodies[1].shapes.clear();
  for (const char* name : {"rod/1", "plate", "bob"}) run.frames.push_back({name, {0, 0, 0, 1, 0, 0, 0}});
  EXPECT_EQ(write_vtk(run, path("bare.pvd")), 1);
  const std::string text = contents(path("bare_vtk/000000.vtp"));
  EXPECT_NE(text.find("NumberOfPoints=\"4\" NumberOfVerts=\"3\" NumberOfLines=\"1\""), std::string::npos) << text;
}

TEST_F(SceneTest, A_run_without_bodies_in_space_is_nothing_for_ParaView) {
  const RunFile run = read_run(write_run(5));
  EXPECT_NE(complaint([&] { write_vtk(run, path("run.pvd")); }).find("no bodies in space"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("run_vtk")));
}

}  // namespace bristle::testing
