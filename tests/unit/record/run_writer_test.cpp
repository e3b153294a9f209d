#include "bristle/record/run_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "record_fixture.h"

namespace bristle::testing {

class RunWriterTest : public RecordTest {
 protected:
  void expect_whole(const RunFile& run, long long n) const {
    ASSERT_EQ(static_cast<long long>(run.time.size()), n);
    for (long long k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      ASSERT_EQ(run.time[i], time_of(k));
      for (std::size_t c = 0; c < run.channels.size(); ++c)
        ASSERT_EQ(run.channels[c].values[i], value(static_cast<int>(c), time_of(k)));
    }
    ASSERT_EQ(static_cast<long long>(run.steps.size()), n);
    ASSERT_EQ(static_cast<long long>(run.events.size()), (n + 9) / 10);
  }
};

TEST_F(RunWriterTest, What_is_written_is_read_back_to_the_bit) {
  const RunFile run = read_run(write_run(3000));
  expect_whole(run, 3000);
  const RunHeader h = header();
  EXPECT_EQ(run.header.title, h.title);
  EXPECT_EQ(run.header.program, h.program);
  EXPECT_EQ(run.header.command, h.command);
  EXPECT_EQ(run.header.created, h.created);
  EXPECT_EQ(run.header.model_file, h.model_file);
  EXPECT_EQ(run.header.model_text, h.model_text);
  EXPECT_EQ(run.header.integrator, h.integrator);
  ASSERT_EQ(run.header.channels.size(), h.channels.size());
  for (std::size_t i = 0; i < h.channels.size(); ++i) {
    EXPECT_EQ(run.header.channels[i].name, h.channels[i].name);
    EXPECT_EQ(run.header.channels[i].unit, h.channels[i].unit);
    EXPECT_EQ(run.header.channels[i].text, h.channels[i].text);
  }
  ASSERT_EQ(run.header.places.size(), 2u);
  EXPECT_EQ(run.header.places[1].law, "coulomb");
  EXPECT_EQ(run.header.places[1].components, 2);
  EXPECT_EQ(run.status.end, RunStatus::End::finished);
  EXPECT_EQ(run.status.message, "reached the end");
  EXPECT_EQ(run.status.counts, finished().counts);
  EXPECT_EQ(run.status.reasons, finished().reasons);
  EXPECT_EQ(run.status.summary, finished().summary);
  EXPECT_EQ(run.events[5].element, "shoe");  // elements default to the places
  EXPECT_EQ(run.events[5].what, "open");
  EXPECT_EQ(run.steps[7].reason, 1);
  EXPECT_EQ(run.steps[7].h, 1e-3);
}

TEST_F(RunWriterTest, A_run_leaves_one_file_behind) {
  write_run(100);
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(dir())) ++files;
  EXPECT_EQ(files, 1);
}

TEST_F(RunWriterTest, Flushing_often_changes_nothing_in_the_result) {
  {
    RunWriter run = RunWriter::create(path("often.h5"), header());
    // odd distances, within chunks and over their ends
    long long at = 0;
    for (long long next : {1, 2, 3, 10, 1000, 1023, 1024, 1025, 2048, 2049, 4999, 5000}) {
      write_samples(run, at, next);
      run.flush();
      run.flush();
      expect_whole(read_run(path("often.h5")), next);
      at = next;
    }
    run.close(finished());
  }
  expect_whole(read_run(path("often.h5")), 5000);
}

TEST_F(RunWriterTest, A_file_grows_little_by_flushing_often) {
  RunWriter run = RunWriter::create(path("often.h5"), header());
  for (int k = 0; k < 500; ++k) {
    write_samples(run, 20 * k, 20 * k + 20);
    run.flush();
  }
  run.close(finished());
  // rewritten last chunks leave holes; most are used again
  const auto once = std::filesystem::file_size(write_run(10000));
  EXPECT_LT(std::filesystem::file_size(path("often.h5")), 3 * once / 2);
}

TEST_F(RunWriterTest, A_run_can_be_read_while_it_goes_on_and_says_so) {
  RunWriter run = RunWriter::create(path("run.h5"), header());
  write_samples(run, 0, 50);
  EXPECT_TRUE(read_run(path("run.h5")).time.empty());
  run.flush();
  const RunFile read = read_run(path("run.h5"));
  EXPECT_EQ(read.time.size(), 50u);
  EXPECT_EQ(read.status.end, RunStatus::End::running);
}

TEST_F(RunWriterTest, What_is_written_appears_in_the_file_after_about_a_second) {
  RunWriter run = RunWriter::create(path("run.h5"), header());
  for (long long k = 0; k < 15; ++k) {
    write_samples(run, k, k + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_GE(read_run(path("run.h5")).time.size(), 5u);
}

TEST_F(RunWriterTest, A_file_that_somebody_reads_is_left_alone) {
  RunWriter run = RunWriter::create(path("run.h5"), header());
  write_samples(run, 0, 500);
  run.flush();
  // as HDF5 does while it reads
  const int reader = ::open(path("run.h5").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(reader, LOCK_SH | LOCK_NB), 0);
  const auto bytes_now = [&] {
    std::string bytes(static_cast<std::size_t>(::lseek(reader, 0, SEEK_END)), '\0');
    EXPECT_EQ(::pread(reader, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    // HDF5 notes here whether somebody has the file open for writing, and the checksum of the block it is in; readers ignore it
    for (const std::size_t i : {11, 44, 45, 46, 47}) bytes[i] = 0;
    return bytes;
  };
  const std::string before = bytes_now();
  for (int k = 1; k < 6; ++k) {
    write_samples(run, 500 * k, 500 * k + 500);
    run.flush();
  }
  EXPECT_TRUE(bytes_now() == before);
  ::close(reader);
  run.close(finished());
  expect_whole(read_run(path("run.h5")), 3000);
}

TEST_F(RunWriterTest, Where_hard_links_cannot_be_made_the_file_is_copied_instead) {
  RunWriter run = RunWriter::create(path("run.h5"), header());
  std::filesystem::create_directory(path("run.h5.old"));  // in the way of the link
  for (int k = 0; k < 6; ++k) {
    write_samples(run, 500 * k, 500 * k + 500);
    run.flush();
    expect_whole(read_run(path("run.h5")), 500 * k + 500);
  }
  run.close(finished());
  expect_whole(read_run(path("run.h5")), 3000);
}

TEST_F(RunWriterTest, When_the_disk_is_full_the_file_keeps_what_was_flushed) {
  std::string sentence;
  {
    RunWriter run = RunWriter::create(path("run.h5"), header());
    write_samples(run, 0, 1500);
    run.flush();
    const FullDisk full(std::filesystem::file_size(path("run.h5")) + 20000);
    try {
      write_samples(run, 1500, 100000);
    } catch (const std::runtime_error& e) {
      sentence = e.what();
    }
    EXPECT_THROW(run.flush(), std::runtime_error);
  }
  EXPECT_NE(sentence.find("cannot write"), std::string::npos);
  EXPECT_NE(sentence.find("Is there room on the disk?"), std::string::npos) << sentence;
  expect_whole(read_run(path("run.h5")), 1500);
}

TEST_F(RunWriterTest, A_second_writer_of_the_same_file_is_refused) {
  RunWriter run = RunWriter::create(path("run.h5"), header());
  EXPECT_NE(complaint([&] { RunWriter::create(path("run.h5"), header()); }).find("another run is writing"), std::string::npos);
  EXPECT_NE(complaint([&] { RunWriter::append(path("run.h5"), 0, 0, 0); }).find("another run is writing"), std::string::npos);
}

TEST_F(RunWriterTest, Appending_needs_the_model_and_the_channels_of_the_file) {
  write_run(30);
  RunHeader other = header();
  other.model_text += "# edited\n";
  EXPECT_NE(complaint([&] { RunWriter::append(path("run.h5"), other, 10, 1, 10); }).find("another model"), std::string::npos);
  other = header();
  other.channels.push_back({"pin.load", "N", "load"});
  EXPECT_NE(complaint([&] { RunWriter::append(path("run.h5"), other, 10, 1, 10); }).find("other channels"), std::string::npos);
  expect_whole(read_run(path("run.h5")), 30);
  const std::string id = read_run_head(path("run.h5")).header.id;
  EXPECT_EQ(id.size(), 32u);
  RunWriter run = RunWriter::append(path("run.h5"), header(), 10, 1, 10);
  EXPECT_EQ(run.id(), id);
  write_samples(run, 10, 40);
  run.close(finished());
  expect_whole(read_run(path("run.h5")), 40);
}

TEST_F(RunWriterTest, A_full_disk_is_an_error_wherever_it_comes) {
  for (const rlim_t bytes : {0, 600, 5000, 20000, 50000}) {
    const FullDisk full(bytes);
    EXPECT_THROW(
        {
          RunWriter run = RunWriter::create(path("run.h5"), header());
          write_samples(run, 0, 20000);
          run.close(finished());
        },
        std::runtime_error)
        << bytes;
  }
  write_run(20);
  expect_whole(read_run(path("run.h5")), 20);
}

TEST_F(RunWriterTest, Files_beside_it_do_not_lead_elsewhere) {
  put_contents(path("mine"), "precious");
  for (const char* name : {"run.h5.spare", "run.h5.old"}) std::filesystem::create_symlink(path("mine"), path(name));
  write_run(2000);
  EXPECT_EQ(contents(path("mine")), "precious");
  std::filesystem::create_symlink(path("mine"), path("run.h5.spare"));
  RunWriter run = RunWriter::append(path("run.h5"), 100, 1, 100);
  std::filesystem::remove(path("run.h5.old"));
  std::filesystem::create_symlink(path("mine"), path("run.h5.old"));
  write_samples(run, 100, 200);
  run.flush();
  run.close(finished());
  EXPECT_EQ(contents(path("mine")), "precious");
}

TEST_F(RunWriterTest, An_existing_file_is_replaced) {
  write_run(300);
  write_run(20);
  expect_whole(read_run(path("run.h5")), 20);
}

TEST_F(RunWriterTest, Appending_cuts_to_the_checkpoint_and_goes_on_as_if_unbroken) {
  for (const long long cut : {0, 1, 700, 1024, 1500, 2900}) {
    {
      RunWriter run = RunWriter::create(path("run.h5"), header());
      write_samples(run, 0, 2900);
      run.close({RunStatus::End::interrupted, "stopped", {}, {}, {}});
    }
    RunWriter run = RunWriter::append(path("run.h5"), cut, (cut + 9) / 10, cut);
    EXPECT_EQ(run.samples(), cut);
    expect_whole(read_run(path("run.h5")), cut);
    EXPECT_EQ(read_run(path("run.h5")).status.end, RunStatus::End::running);
    write_samples(run, cut, 4000);
    run.close(finished());
    const RunFile read = read_run(path("run.h5"));
    expect_whole(read, 4000);
    EXPECT_EQ(read.status.end, RunStatus::End::finished);
    EXPECT_EQ(read.events.back().element, "shoe");
  }
}

TEST_F(RunWriterTest, Appending_to_a_file_that_lacks_samples_is_refused) {
  write_run(100);
  const std::string sentence = complaint([&] { RunWriter::append(path("run.h5"), 101, 0, 0); });
  EXPECT_NE(sentence.find("has 100 samples but the checkpoint knows of 101"), std::string::npos) << sentence;
  EXPECT_EQ(read_run(path("run.h5")).time.size(), 100u);
  EXPECT_FALSE(std::filesystem::exists(path("run.h5.spare")));
}

TEST_F(RunWriterTest, Appending_to_nothing_or_to_a_foreign_file_is_refused) {
  EXPECT_NE(complaint([&] { RunWriter::append(path("none.h5"), 0, 0, 0); }).find("no such file"), std::string::npos);
  put_contents(path("text.h5"), "hello");
  EXPECT_NE(complaint([&] { RunWriter::append(path("text.h5"), 0, 0, 0); }).find("not a result file"), std::string::npos);
  EXPECT_EQ(contents(path("text.h5")), "hello");
}

TEST_F(RunWriterTest, A_writer_that_is_dropped_keeps_its_samples) {
  {
    RunWriter run = RunWriter::create(path("run.h5"), header());
    write_samples(run, 0, 33);
  }
  expect_whole(read_run(path("run.h5")), 33);
  EXPECT_FALSE(std::filesystem::exists(path("run.h5.spare")));
}

TEST_F(RunWriterTest, A_run_without_channels_places_or_names_is_written) {
  RunWriter run = RunWriter::create(path("run.h5"), {});
  run.sample(0.5, nullptr);
  run.event(0.5, 3, 99);
  run.step(0.5, 0.1, -1);
  run.close({});
  const RunFile read = read_run(path("run.h5"));
  EXPECT_EQ(read.time, std::vector<double>{0.5});
  EXPECT_EQ(read.events[0].element, "");
  EXPECT_EQ(read.steps[0].reason, -1);
}

TEST_F(RunWriterTest, Odd_channel_names_survive) {
  RunHeader h;
  h.channels = {{"a/b.c/d", "m", ""}, {"plain", "", ""}, {"x..y", "", ""}, {".hidden", "", ""}, {"Bremse ä.Kraft", "N", "größte"},
                {"...", "", ""}};
  RunWriter run = RunWriter::create(path("run.h5"), h);
  const double row[] = {1, 2, 3, 4, 5, 6};
  run.sample(0, row);
  run.close({});
  const RunFile read = read_run(path("run.h5"));
  ASSERT_EQ(read.channels.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(read.channels[i].channel.name, h.channels[i].name);
    EXPECT_EQ(read.channels[i].values, std::vector<double>{row[i]});
  }
}

TEST_F(RunWriterTest, Channels_that_would_share_a_place_are_refused) {
  RunHeader h;
  h.channels = {{"pin.gap", "m", ""}, {"pin.gap", "m", ""}};
  EXPECT_NE(complaint([&] { RunWriter::create(path("run.h5"), h); }).find("'pin.gap' would be written twice"), std::string::npos);
  h.channels = {{"pin", "m", ""}, {"pin.gap", "m", ""}};
  EXPECT_NE(complaint([&] { RunWriter::create(path("run.h5"), h); }).find("'pin' has the name of an element"), std::string::npos);
}

TEST_F(RunWriterTest, A_place_that_cannot_be_written_is_told) {
  EXPECT_NE(complaint([&] { RunWriter::create(path("no/such/run.h5"), header()); }).find("cannot be written: No such file"),
            std::string::npos);
  EXPECT_NE(complaint([&] { RunWriter::create(dir(), header()); }).find("a folder has the name"), std::string::npos);
}

TEST_F(RunWriterTest, Python_finds_channels_energy_events_and_attributes_where_the_layout_says) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  write_run(2500);
  const std::string printed = python(R"(
import h5py, numpy as np
f = h5py.File("run.h5")
t = f["time"][:]
assert t.dtype == np.float64 and len(t) == 2500 and f["time"].attrs["unit"] == "s"
gap = f["channels/pin/gap"]
assert gap.attrs["unit"] == "m" and gap.attrs["text"] == "gap" and gap.attrs["name"] == "pin.gap"
assert gap.dtype == np.float64 and gap.compression == "gzip" and gap.compression_opts == 1 and gap.shuffle
assert np.abs(gap[:] - np.sin(t) * 1e-4).max() < 1e-18
assert f["channels/shoe/slip.1"].shape == (2500,)
assert f["energy/kinetic"].shape == (2500,) and "energy" not in f["channels"]
assert list(f["events/what"].asstr()[:3]) == ["stick", "slip", "open"] and len(f["events/time"]) == 250
assert f["events/element"][1] == b"shoe"
assert f["solver/reason"].asstr()[1] == "contact" and f["solver/step"][5] == 1e-3
assert f["solver"].attrs["newton iterations"] == 4711 and f["solver"].attrs["integrator"] == "radau"
assert f["solver/reasons"].attrs["contact"] == 3
assert f["model/text"].asstr()[()].startswith("bristle: 1\n") and f["model"].attrs["title"].endswith("50 µm")
for key in ("file", "command", "program", "created"): assert f["model"].attrs[key]
assert f["status"].attrs["end"] == "finished" and f["status/summary"].asstr()[0, 1] == "1.2 s"
print("good")
)");
  EXPECT_EQ(printed, "good\n");
}

}  // namespace bristle::testing
