#include "bristle/record/convert.h"

#include <limits>

#include "record_fixture.h"

namespace bristle::testing {

class ConvertTest : public RecordTest {
 protected:
  static RunFile odd_run() {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    RunFile run;
    run.time = {0, 0.1, 0.2};
    run.channels = {{{"pin.gap", "m", ""}, {1.0 / 3, -0.0, 5e-324}},
                    {{"a,\"b\"", "N", ""}, {nan, inf, -inf}},
                    {{"pin.mode", "", ""}, {0, 1, 1.7976931348623157e308}}};
    return run;
  }
};

TEST_F(ConvertTest, A_csv_file_has_units_quotes_and_all_digits) {
  write_csv(odd_run(), path("run.csv"));
  EXPECT_EQ(contents(path("run.csv")),
            "time [s],pin.gap [m],\"a,\"\"b\"\" [N]\",pin.mode\n"
            "0,0.3333333333333333,nan,0\n"
            "0.1,-0,inf,1\n"
            "0.2,5e-324,-inf,1.7976931348623157e+308\n");
}

TEST_F(ConvertTest, What_samples_go_along_keeps_its_name_and_unit) {
  RunHeader header;
  header.axis = "speed";
  header.axis_unit = "rad/s";
  header.channels = {{"mode.1.frequency", "rad/s", ""}};
  RunWriter writer = RunWriter::create(path("run.h5"), header);
  const double frequency = 7;
  writer.sample(100, &frequency);
  writer.close({});
  const RunFile run = read_run(path("run.h5"));
  EXPECT_EQ(run.header.axis, "speed");
  EXPECT_EQ(run.header.axis_unit, "rad/s");
  write_csv(run, path("run.csv"));
  EXPECT_EQ(contents(path("run.csv")), "speed [rad/s],mode.1.frequency [rad/s]\n100,7\n");
}

TEST_F(ConvertTest, Texts_are_no_formulas) {
  EXPECT_EQ(csv_text("pin.gap [m]"), "pin.gap [m]");
  EXPECT_EQ(csv_text("=1+1"), "'=1+1");
  EXPECT_EQ(csv_text("@sum(a1, b1)"), "\"'@sum(a1, b1)\"");
  EXPECT_EQ(csv_text("+x"), "'+x");
  EXPECT_EQ(csv_text("-x"), "'-x");
  EXPECT_EQ(csv_text("say \"a\""), "\"say \"\"a\"\"\"");
}

TEST_F(ConvertTest, Python_reads_the_csv_file_back_to_the_bit) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_csv(read_run(write_run(1500)), path("run.csv"));
  EXPECT_EQ(python(R"(
import csv, h5py, numpy as np
rows = list(csv.reader(open("run.csv", newline="")))
assert rows[0][:2] == ["time [s]", "pin.gap [m]"] and len(rows) == 1501
f = h5py.File("run.h5")
table = np.array(rows[1:], dtype=float)
assert np.array_equal(table[:, 0], f["time"][:]) and np.array_equal(table[:, 3], f["channels/pin/friction_force"][:])
print("good")
)"),
            "good\n");
}

TEST_F(ConvertTest, NumPy_loads_the_archive_back_to_the_bit) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_npz(read_run(write_run(1500)), path("run.npz"));
  write_npz(odd_run(), path("odd.npz"));
  write_npz({}, path("empty.npz"));
  EXPECT_EQ(python(R"(
import h5py, numpy as np, zipfile
assert zipfile.ZipFile("run.npz").testzip() is None
d, f = np.load("run.npz"), h5py.File("run.h5")
assert d.files == ["time"] + [n[0].decode() for n in f["model/channels"][:]]
for key in d.files: assert d[key].dtype == np.float64 and d[key].shape == (1500,)
assert np.array_equal(d["shoe.slip.1"], f["channels/shoe/slip.1"][:])
odd = np.load("odd.npz")
assert np.isnan(odd['a,"b"'][0]) and odd["pin.gap"][2] == 5e-324
assert np.load("empty.npz")["time"].shape == (0,)
print("good")
)"),
            "good\n");
}

TEST_F(ConvertTest, A_place_that_cannot_be_written_is_told) {
  EXPECT_NE(complaint([&] { write_csv(odd_run(), path("none/run.csv")); }).find("cannot be written"), std::string::npos);
  EXPECT_NE(complaint([&] { write_npz(odd_run(), dir()); }).find("a folder has the name"), std::string::npos);
}

TEST_F(ConvertTest, A_full_disk_is_told) { EXPECT_THROW(write_csv(odd_run(), "/dev/full"), std::runtime_error); }

}  // namespace bristle::testing
