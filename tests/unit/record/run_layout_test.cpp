#include "bristle/record/run_layout.h"

#include "bristle/body/space.h"
#include "bristle/record/scene.h"
#include "record_fixture.h"

namespace bristle::testing {

namespace {

std::vector<std::string> paths(const std::vector<std::string>& names, bool gather = true) {
  std::vector<Channel> channels;
  for (const std::string& name : names) channels.push_back({name, {}, {}});
  std::vector<std::string> result;
  for (const SampleSet& s : channel_sets(channels, gather)) result.push_back(s.path);
  return result;
}
using Paths = std::vector<std::string>;

}  // namespace

TEST(RunLayout, A_number_stands_between_words) {
  const auto pattern = [](const char* name) {
    const auto found = numbered_name(name);
    return found ? found->pattern + " " + std::to_string(found->number) : std::string("none");
  };
  EXPECT_EQ(pattern("rod.17.position.x"), "rod.*.position.x 17");
  EXPECT_EQ(pattern("rod.element.3.force.1"), "rod.element.*.force.1 3");
  EXPECT_EQ(pattern("mode.0.frequency"), "mode.*.frequency 0");
  EXPECT_EQ(pattern("a.1.b.2.c"), "a.*.b.2.c 1");
  for (const char* name : {"shoe.slip.1", "1.position", "order.0.5.frequency", "rod.01.x", "rod.+1.x", "rod.1e3.x", "rod..1.x",
                           "rod.1..x", "rod.1.", "1", "", ".", "rod.12345678901.x", "plain", "b1.x"})
    EXPECT_EQ(pattern(name), "none") << name;
}

TEST(RunLayout, Numbered_channels_share_a_set_and_others_have_one_each) {
  EXPECT_EQ(paths({"rod.start.x", "rod.1.x", "rod.1.y", "rod.2.x", "rod.2.y", "rod.element.1.force.1", "shoe.slip.1",
                   "energy.kinetic"}),
            (Paths{"/channels/rod/start.x", "/channels/rod/x", "/channels/rod/y", "/channels/rod/element.force.1",
                   "/channels/shoe/slip.1", "/energy/kinetic"}));
  EXPECT_EQ(paths({"rod.1.x", "rod.2.x"}, false), (Paths{"/channels/rod/1.x", "/channels/rod/2.x"}));
  const std::vector<Channel> gaps = {{"rod.9.x", "", ""}, {"a.b", "", ""}, {"rod.2.x", "", ""}, {"rod.40.x", "", ""}};
  const SampleSet set = channel_sets(gaps, true)[0];
  EXPECT_EQ(set.name, "rod.*.x");
  EXPECT_EQ(set.members, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(set.labels, (Paths{"9", "2", "40"}));
}

TEST(RunLayout, Where_a_path_is_taken_numbered_channels_are_under_a_star) {
  EXPECT_EQ(paths({"rod.1.x", "rod.x", "rod.1.y"}), (Paths{"/channels/rod/*.x", "/channels/rod/x", "/channels/rod/y"}));
  EXPECT_EQ(paths({"rod.1.a.x", "rod.a.1.x"}), (Paths{"/channels/rod/*.a.x", "/channels/rod/a.*.x"}));
}

TEST(RunLayout, Nodes_of_a_beam_share_their_poses) {
  std::vector<BodyInfo> bodies(6);
  const char* names[] = {"ground", "rod.start", "rod.1", "crank", "rod.tip", "bar.7"};
  for (std::size_t i = 0; i < 6; ++i) bodies[i].name = names[i];
  bodies[0].kind = "ground";
  const auto sets = frame_sets(bodies, true);
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_EQ(sets[0].path, "/frames/rod");
  EXPECT_EQ(sets[0].members, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(sets[0].labels, (Paths{"start", "1", "tip"}));
  EXPECT_EQ(sets[1].path, "/frames/crank");
  EXPECT_FALSE(sets[1].is_gathered());
  EXPECT_EQ(sets[2].path, "/frames/bar");
  bodies[3].name = "rod";
  EXPECT_EQ(frame_sets(bodies, true)[0].path, "/frames/rod.*");
  EXPECT_EQ(frame_sets(bodies, false).size(), 5u);
}

/// A beam with nodes whose numbers have gaps, a channel in the way of them, and a body beside it.
class GatheredRun : public RecordTest {
 protected:
  static RunHeader beam_header(const std::vector<int>& nodes = {1, 2, 5, 17, 4}) {
    RunHeader h = header();
    h.bodies = {BodyInfo::ground(), space_frame("crank", SpaceBody::Kind::rigid, 0, 0)};
    h.channels = {{"pin.gap", "m", "gap"}, {"rod.velocity.x", "m/s", "of the whole rod"}};
    for (const int n : nodes) {
      const std::string node = "rod." + std::to_string(n);
      h.channels.push_back({node + ".position.x", "m", "of the axis"});
      h.channels.push_back({node + ".velocity.x", "m/s", "velocity"});
      h.bodies.push_back(space_frame(node, SpaceBody::Kind::rigid, 0, 0));
    }
    h.channels.push_back({"energy.kinetic", "J", "kinetic energy"});
    return h;
  }
  static double number(std::size_t c, long long k) { return static_cast<double>(c) * 1e5 + static_cast<double>(k); }
  static void write(RunWriter& run, const RunHeader& h, long long from, long long to) {
    std::vector<double> row(h.channels.size()), poses(7 * (h.bodies.size() - 1));
    for (long long k = from; k < to; ++k) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = number(c, k);
      for (std::size_t c = 0; c < poses.size(); ++c) poses[c] = -number(c, k);
      run.sample(time_of(k), row.data(), poses.data());
    }
  }
  static void expect_whole(const RunFile& run, const RunHeader& h, long long n) {
    ASSERT_EQ(static_cast<long long>(run.time.size()), n);
    ASSERT_EQ(run.channels.size(), h.channels.size());
    ASSERT_EQ(run.frames.size(), h.bodies.size() - 1);
    for (std::size_t c = 0; c < h.channels.size(); ++c) {
      ASSERT_EQ(run.channels[c].channel.name, h.channels[c].name);
      ASSERT_EQ(run.channels[c].channel.unit, h.channels[c].unit);
      ASSERT_EQ(run.channels[c].channel.text, h.channels[c].text);
      for (long long k = 0; k < n; ++k) ASSERT_EQ(run.channels[c].values[static_cast<std::size_t>(k)], number(c, k)) << c;
    }
    for (std::size_t b = 0; b < run.frames.size(); ++b) {
      ASSERT_EQ(run.frames[b].body, h.bodies[b + 1].name);
      for (std::size_t i = 0; i < 7 * static_cast<std::size_t>(n); ++i)
        ASSERT_EQ(run.frames[b].poses[i], -number(7 * b + i % 7, static_cast<long long>(i / 7))) << b;
    }
  }
  std::string write_beam(const RunHeader& h, long long n) const {
    RunWriter run = RunWriter::create(path("run.h5"), h);
    write(run, h, 0, n);
    run.close(finished());
    return path("run.h5");
  }
};

TEST_F(GatheredRun, is_read_back_to_the_bit) { expect_whole(read_run(write_beam(beam_header(), 2500)), beam_header(), 2500); }

TEST_F(GatheredRun, keeps_units_and_texts_that_differ) {
  RunHeader h = beam_header();
  h.channels[2].unit = "mm";
  h.channels[4].text = "ä";
  expect_whole(read_run(write_beam(h, 3)), h, 3);
}

TEST_F(GatheredRun, is_found_by_Python_where_the_layout_says) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_beam(beam_header(), 1500);
  EXPECT_EQ(python(R"(
import h5py, numpy as np
f = h5py.File("run.h5")
assert f.attrs["version"] == 2
assert sorted(f["channels/rod"]) == ["*.velocity.x", "position.x", "velocity.x"]
x = f["channels/rod/position.x"]
assert x.shape == (1500, 5) and list(x.attrs["numbers"]) == [1, 2, 5, 17, 4]
assert x.attrs["name"] == "rod.*.position.x" and x.attrs["unit"] == "m" and x.attrs["text"] == "of the axis"
assert x.compression == "gzip" and x.shuffle
assert np.array_equal(x[:], np.arange(1500)[:, None] + 1e5 * np.arange(2, 12, 2))
assert f["channels/rod/*.velocity.x"].attrs["name"] == "rod.*.velocity.x" and f["channels/rod/velocity.x"].shape == (1500,)
p = f["frames/rod"]
assert p.shape == (1500, 5, 7) and list(p.attrs["nodes"].astype(str)) == ["1", "2", "5", "17", "4"]
assert np.array_equal(p[:].reshape(1500, 35), -(np.arange(1500)[:, None] + 1e5 * np.arange(7, 42)))
assert f["frames/crank"].shape == (1500, 7) and "nodes" not in f["frames/crank"].attrs
print("good")
)"),
            "good\n");
}

TEST_F(GatheredRun, flushed_often_and_with_chunks_in_columns_loses_nothing) {
  std::vector<int> nodes(1500);
  for (int i = 0; i < 1500; ++i) nodes[static_cast<std::size_t>(i)] = i + 1;
  RunHeader h = beam_header(nodes);
  RunWriter run = RunWriter::create(path("run.h5"), h);
  long long at = 0;
  for (const long long next : {1, 2, 3, 20, 33, 64, 65, 130}) {
    write(run, h, at, next);
    run.flush();
    at = next;
  }
  expect_whole(read_run(path("run.h5")), h, 130);
  run.close(finished());
  expect_whole(read_run(path("run.h5")), h, 130);
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  EXPECT_EQ(python("import h5py\nx = h5py.File('run.h5')['channels/rod/position.x']\nprint(x.chunks[1] < x.shape[1])\n"),
            "True\n");
}

TEST_F(GatheredRun, is_gone_on_with_as_if_unbroken) {
  const RunHeader h = beam_header();
  for (const long long cut : {0, 1, 700, 1024, 1500}) {
    {
      RunWriter run = RunWriter::create(path("run.h5"), h);
      write(run, h, 0, 2000);
      run.close({RunStatus::End::interrupted, "stopped", {}, {}, {}});
    }
    RunWriter run = RunWriter::append(path("run.h5"), cut, 0, 0);
    write(run, h, cut, 2300);
    run.close(finished());
    expect_whole(read_run(path("run.h5")), h, 2300);
  }
}

TEST_F(GatheredRun, gives_chosen_channels_without_a_look_at_the_others) {
  write_beam(beam_header(), 1100);
  const RunFile run = read_run(path("run.h5"), {"rod.17.position.x", "rod.2.*"});
  ASSERT_EQ(run.channels.size(), 3u);
  EXPECT_EQ(run.channels[0].channel.name, "rod.17.position.x");
  EXPECT_EQ(run.channels[0].channel.unit, "m");
  EXPECT_EQ(run.channels[2].channel.name, "rod.2.velocity.x");
  for (long long k = 0; k < 1100; ++k) {
    EXPECT_EQ(run.channels[0].values[static_cast<std::size_t>(k)], number(8, k));
    EXPECT_EQ(run.channels[1].values[static_cast<std::size_t>(k)], number(4, k));
    EXPECT_EQ(run.channels[2].values[static_cast<std::size_t>(k)], number(5, k));
  }
  EXPECT_EQ(run.header.channels.size(), beam_header().channels.size());
  EXPECT_NE(complaint([&] { read_run(path("run.h5"), {"rod.3.position.x"}); }).find("no channel 'rod.3.position.x'"),
            std::string::npos);
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  python(
      "import h5py\nf = h5py.File('run.h5', 'a')\ndel f['channels/pin/gap']; del f['channels/rod/*.velocity.x']; del f['frames/rod']\n");
  EXPECT_EQ(read_run(path("run.h5"), {"rod.4.position.x"}).channels[0].values[7], number(10, 7));
  EXPECT_NE(complaint([&] { read_run(path("run.h5")); }).find("damaged"), std::string::npos);
}

TEST_F(GatheredRun, with_columns_missing_is_called_damaged) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_beam(beam_header(), 50);
  python(
      "import h5py\nf = h5py.File('run.h5', 'a')\nx = f['channels/rod/position.x'][:, :4]\ndel f['channels/rod/position.x']\n"
      "f['channels/rod/position.x'] = x\n");
  EXPECT_NE(complaint([&] { read_run(path("run.h5")); }).find("damaged"), std::string::npos);
}

TEST_F(GatheredRun, refuses_a_number_that_comes_twice) {
  EXPECT_NE(complaint([&] {
              RunWriter::create(path("run.h5"), beam_header({1, 2, 1}));
            }).find("'rod.1.position.x' would be written twice"),
            std::string::npos);
  RunHeader h = beam_header();
  h.channels.clear();
  h.bodies.push_back(space_frame("rod.17", SpaceBody::Kind::rigid, 0, 0));
  EXPECT_NE(complaint([&] { RunWriter::create(path("run.h5"), h); }).find("body 'rod.17' would be written twice"),
            std::string::npos);
}

// h5py writes what the first version of the program wrote: a data set for each channel and body, texts of fixed length here
TEST_F(GatheredRun, of_version_1_is_read_and_gone_on_with) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  RunHeader h = beam_header();
  std::string names, bodies;
  for (const Channel& c : h.channels) names += "    ('" + c.name + "', '" + c.unit + "', '" + c.text + "'),\n";
  for (std::size_t b = 1; b < h.bodies.size(); ++b) bodies += "'" + h.bodies[b].name + "', ";
  put_contents(path("scene.json"), scene_text(h.bodies, h.joints));
  python("import h5py, numpy as np\nchannels = [\n" + names + "]\nbodies = [" + bodies + "]\n" + R"(
n, t = 1300, np.arange(1300)
f = h5py.File("run.h5", "w")
f.attrs["format"] = "bristle run"; f.attrs["version"] = 1.0
def put(path, data, kind="f8", **attributes):
    d = f.create_dataset(path, data=np.array(data, dtype=kind), maxshape=(None,) + np.shape(data)[1:], compression=1, shuffle=True,
                         chunks=(1024,) + np.shape(data)[1:])
    for key, value in attributes.items(): d.attrs[key] = np.bytes_(value.encode())
put("time", 1e-3 * t, name="time", unit="s")
for c, (name, unit, text) in enumerate(channels):
    element, quantity = name.split(".", 1)
    put(("energy/" if element == "energy" else f"channels/{element}/") + quantity, 1e5 * c + t, name=name, unit=unit, text=text)
for b, name in enumerate(bodies): put("frames/" + name, -(1e5 * np.arange(7 * b, 7 * b + 7) + t[:, None]), name=name, unit="m")
for path in ("events/time", "solver/time", "solver/step"): put(path, np.zeros(0))
for path in ("events/element", "events/what", "solver/reason"): put(path, [], "S5")
f["scene"] = open("scene.json").read()
f.create_group("status").attrs["end"] = "interrupted"
f.create_group("solver/reasons")
m = f.create_group("model")
m["text"] = "bristle: 1"
m["channels"] = np.array([[c[0].encode()] for c in channels])
for key in ("event_elements", "event_kinds", "step_reasons"): m[key] = np.array([[b"slip"]])
)");
  expect_whole(read_run(path("run.h5")), h, 1300);
  EXPECT_EQ(read_run(path("run.h5"), {"rod.17.position.x"}).channels[0].values[9], number(8, 9));
  RunWriter run = RunWriter::append(path("run.h5"), 1100, 0, 0);
  write(run, h, 1100, 1200);
  run.flush();
  write(run, h, 1200, 2500);
  run.close(finished());
  expect_whole(read_run(path("run.h5")), h, 2500);
  EXPECT_EQ(python("import h5py\nprint(h5py.File('run.h5')['channels/rod/17.position.x'].shape)\n"), "(2500,)\n");
}

TEST_F(GatheredRun, of_many_nodes_takes_little_more_than_its_numbers) {
  std::vector<int> nodes(4000);
  for (int i = 0; i < 4000; ++i) nodes[static_cast<std::size_t>(i)] = i + 1;
  const RunHeader h = beam_header(nodes);
  write_beam(h, 2);
  const std::size_t numbers = 2 * (h.channels.size() + 7 * h.bodies.size());
  // beside the numbers: the scene, the numbers of the nodes, names in a compressed table
  EXPECT_LT(std::filesystem::file_size(path("run.h5")), 8 * numbers + scene_text(h.bodies, h.joints).size() + 200'000);
  expect_whole(read_run(path("run.h5")), h, 2);
}

TEST_F(GatheredRun, of_more_nodes_than_a_short_attribute_can_name_is_written) {
  RunHeader h;
  for (int n = 1; n <= 20000; ++n) h.channels.push_back({"rod." + std::to_string(n) + ".x", "m", ""});
  RunWriter run = RunWriter::create(path("run.h5"), h);
  std::vector<double> row(h.channels.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
  run.sample(0, row.data());
  run.close({});
  EXPECT_EQ(read_run(path("run.h5"), {"rod.20000.x"}).channels[0].values[0], 19999.0);
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  EXPECT_EQ(python("import h5py\nprint(h5py.File('run.h5')['channels/rod/x'].attrs['numbers'][[0, -1]])\n"), "[    1 20000]\n");
}

// a thousand bodies have 20 000 data sets
TEST_F(RecordTest, A_data_set_with_few_samples_takes_less_than_800_bytes_where_there_are_many) {
  constexpr std::size_t kBodies = 200;
  RunHeader h;
  h.bodies = {BodyInfo::ground()};
  for (std::size_t b = 0; b < kBodies; ++b) {
    const std::string name = "ball" + std::to_string(b);
    h.bodies.push_back(space_frame(name, SpaceBody::Kind::rigid, 0, 0));
    for (const char* what : {"position", "velocity", "acceleration", "angular_velocity", "angular_acceleration"})
      for (const char* axis : {"x", "y", "z"})
        h.channels.push_back({name + "." + what + "." + axis, "m/s", std::string(what) + " of the centre of mass"});
    for (const char* axis : {"w", "x", "y", "z"}) h.channels.push_back({name + ".orientation." + axis, "1", "unit quaternion"});
  }
  {
    RunWriter run = RunWriter::create(path("run.h5"), h);
    std::vector<double> row(h.channels.size()), poses(7 * kBodies);
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = value(static_cast<int>(i % 7), static_cast<double>(i) + k);
      for (std::size_t i = 0; i < poses.size(); ++i) poses[i] = value(static_cast<int>(i % 7), static_cast<double>(i) + k);
      run.sample(k, row.data(), poses.data());
    }
    run.close({});
  }
  EXPECT_LT(std::filesystem::file_size(path("run.h5")), 20 * kBodies * 800);
}

// of 64 rows each cost more than what was in it: a chain of a thousand bodies took 3.9 GB
TEST_F(RecordTest, Many_data_sets_have_chunks_of_some_length) {
  RunHeader h;
  for (int i = 0; i < 9000; ++i) h.channels.push_back({"c" + std::to_string(i) + ".x", "m", ""});
  {
    RunWriter run = RunWriter::create(path("run.h5"), h);
    const std::vector<double> row(h.channels.size(), 1.5);
    for (int k = 0; k < 3; ++k) run.sample(k, row.data());
    run.close({});
  }
  EXPECT_EQ(python("import h5py\nprint(h5py.File('run.h5')['channels/c17/x'].chunks)\n"), "(512,)\n");
}

}  // namespace bristle::testing
