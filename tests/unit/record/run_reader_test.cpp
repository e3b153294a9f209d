#include "bristle/record/run_reader.h"

#include <sys/stat.h>

#include "record_fixture.h"

/// For the sanitizers: HDF5 loses a little of its own where files are damaged or the disk is full.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace bristle::testing {

using RunReaderTest = RecordTest;

TEST_F(RunReaderTest, Patterns_choose_channels_in_their_order_and_each_once) {
  write_run(10);
  const RunFile run = read_run(path("run.h5"), {"energy.*", "*.slip*", "pin.gap", "pin.*"});
  std::vector<std::string> names;
  for (const RunChannel& c : run.channels) names.push_back(c.channel.name);
  EXPECT_EQ(names, (std::vector<std::string>{"energy.kinetic", "energy.residual", "pin.slip", "shoe.slip.1", "shoe.slip.2",
                                             "pin.gap", "pin.friction_force", "pin.mode", "pin.dissipated"}));
  EXPECT_EQ(run.header.channels.size(), 10u);
  ASSERT_NE(run.find("pin.gap"), nullptr);
  EXPECT_EQ(run.find("pin.gap")->channel.unit, "m");
  EXPECT_EQ(run.find("drive.supplied"), nullptr);
  EXPECT_TRUE(read_run(path("run.h5"), {}).channels.empty());
}

TEST_F(RunReaderTest, A_folder_stands_for_its_run) {
  write_run(10);
  EXPECT_EQ(read_run(dir()).time.size(), 10u);
}

TEST_F(RunReaderTest, An_unknown_channel_gets_a_suggestion) {
  write_run(10);
  const std::string sentence = complaint([&] { read_run(path("run.h5"), {"pin.gup"}); });
  EXPECT_NE(sentence.find("there is no channel 'pin.gup'. Did you mean 'pin.gap'?"), std::string::npos) << sentence;
  const std::string none = complaint([&] { read_run(path("run.h5"), {"bolt.*"}); });
  EXPECT_NE(none.find("no channel fits 'bolt.*'. The file has pin.gap, pin.slip, "), std::string::npos) << none;
  EXPECT_NE(none.find(" and 2 more."), std::string::npos) << none;
}

TEST_F(RunReaderTest, Files_that_are_not_ours_are_told_apart) {
  EXPECT_NE(complaint([&] { read_run(path("none.h5")); }).find("there is no such file"), std::string::npos);
  EXPECT_NE(complaint([&] { read_run(dir()); }).find("run.h5  there is no such file"), std::string::npos);
  put_contents(path("text.h5"), "time,gap\n0,1\n");
  EXPECT_NE(complaint([&] { read_run(path("text.h5")); }).find("it is not an HDF5 file"), std::string::npos);
  put_contents(path("empty.h5"), "");
  EXPECT_NE(complaint([&] { read_run(path("empty.h5")); }), "");
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  python("import h5py\nwith h5py.File('other.h5', 'w') as f: f['x'] = [1, 2]\n");
  EXPECT_NE(complaint([&] { read_run(path("other.h5")); }).find("this HDF5 file is not a result file of bristle"),
            std::string::npos);
  write_run(5);
  python("import h5py\nwith h5py.File('run.h5', 'a') as f: f.attrs['version'] = 99.0\n");
  EXPECT_NE(complaint([&] { read_run(path("run.h5")); }).find("format 99, this program reads up to 2"), std::string::npos);
}

TEST_F(RunReaderTest, A_file_with_missing_parts_is_called_damaged) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_run(50, "whole.h5");
  for (const std::string change :
       {"del f['model']", "del f['time']", "del f['channels/pin/gap']", "f['channels/pin/gap'].resize((7,))",
        "del f['events/what']; f['events/what'] = [1.0]", "del f['status']", "f['solver/step'].resize((3,))"}) {
    std::filesystem::copy_file(path("whole.h5"), path("run.h5"), std::filesystem::copy_options::overwrite_existing);
    python("import h5py\nwith h5py.File('run.h5', 'a') as f: " + change + "\n");
    EXPECT_NE(complaint([&] { read_run(path("run.h5")); }).find("damaged"), std::string::npos) << change;
  }
}

TEST_F(RunReaderTest, A_truncated_file_gives_a_sentence) {
  const std::string whole = contents(write_run(2000));
  for (const double share : {0.001, 0.01, 0.3, 0.6, 0.9, 0.999}) {
    put_contents(path("cut.h5"), whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size()))));
    EXPECT_NE(complaint([&] { read_run(path("cut.h5")); }), "") << share;
  }
}

/// HDF5 keeps texts in a heap (collections "GCOL") whose entries it follows without a check: index, count of uses and length of each.
TEST_F(RunReaderTest, Flipped_bits_in_the_heap_of_texts_do_not_crash) {
  const std::string whole = contents(write_run(20));
  int refused = 0, tried = 0;
  for (std::size_t heap = whole.find("GCOL"); heap != std::string::npos; heap = whole.find("GCOL", heap + 1)) {
    std::size_t at = heap + 16;
    for (int entry = 0; entry < 40 && at + 16 < whole.size(); ++entry) {
      const auto length = static_cast<unsigned char>(whole[at + 8]);
      for (const auto& [byte, bit] : {std::pair{8, 3}, {9, 4}, {12, 0}, {15, 7}, {0, 1}}) {
        if (++tried % 3 != 0) continue;  // enough
        std::string bytes = whole;
        bytes[at + static_cast<std::size_t>(byte)] = static_cast<char>(bytes[at + static_cast<std::size_t>(byte)] ^ (1 << bit));
        put_contents(path("flipped.h5"), bytes);
        refused += complaint([&] { read_run(path("flipped.h5")); }).find("damaged") != std::string::npos;
      }
      if (length == 0) break;  // the free rest
      at += 16 + (length + 7u) / 8 * 8;
    }
  }
  EXPECT_GT(tried, 30);
  EXPECT_GT(refused, 5);
}

TEST_F(RunReaderTest, What_is_no_file_is_not_waited_for) {
  ASSERT_EQ(::mkfifo(path("run.h5").c_str(), 0600), 0);
  EXPECT_NE(complaint([&] { read_run(dir()); }).find("not a regular file"), std::string::npos);
  EXPECT_NE(complaint([&] { read_run("/dev/zero"); }).find("not a regular file"), std::string::npos);
}

TEST_F(RunReaderTest, Flipped_bytes_in_the_numbers_of_a_channel_are_noticed) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_run(3000);
  const auto at = static_cast<std::size_t>(
      std::stoull(python("import h5py\nprint(h5py.File('run.h5')['channels/pin/gap'].id.get_chunk_info(1).byte_offset)\n")));
  std::string bytes = contents(path("run.h5"));
  for (std::size_t i = 100; i < 110; ++i) bytes[at + i] = static_cast<char>(~bytes[at + i]);
  put_contents(path("run.h5"), bytes);
  EXPECT_NE(complaint([&] { read_run(path("run.h5")); }).find("damaged"), std::string::npos);
  EXPECT_EQ(complaint([&] { read_run(path("run.h5"), {"pin.slip"}); }), "");  // the others can still be read
}

}  // namespace bristle::testing
