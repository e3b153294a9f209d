// Long: a run is killed many times at random moments; its file must open with a foreign reader each time.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "bristle/body/space.h"
#include "bristle/record/run_writer.h"
#include "record_fixture.h"

namespace bristle::testing {

class LongKilledRunTest : public RecordTest {
 protected:
  static constexpr int kChannels = 24;
  static RunHeader wide_header() {
    RunHeader h;
    h.places = {{"pin", "lugre", 1}};
    h.step_reasons = {"contact"};
    for (int c = 0; c < kChannels; ++c)
      h.channels.push_back(
          {c < 16 ? "e" + std::to_string(c / 4) + ".q" + std::to_string(c % 4) : "beam." + std::to_string(c) + ".q", "m", ""});
    h.bodies = {BodyInfo::ground(), space_frame("rod", SpaceBody::Kind::rigid, 0, 0),
                space_frame("beam.start", SpaceBody::Kind::rigid, 0, 0), space_frame("beam.tip", SpaceBody::Kind::rigid, 0, 0)};
    return h;
  }
  // channel c at sample k is c + k, and so is number c of the poses: the reader sees whether anything is missing or old
  [[noreturn]] static void write_for_ever(RunWriter run, long long first, int flush_every) {
    std::vector<double> row(kChannels);
    for (long long k = first;; ++k) {
      for (int c = 0; c < kChannels; ++c) row[static_cast<std::size_t>(c)] = static_cast<double>(c + k);
      run.sample(static_cast<double>(k), row.data(), row.data());
      run.step(static_cast<double>(k), 1, 0);
      if (k % 3 == 0) run.event(static_cast<double>(k), 0, 1);
      if (k % flush_every == 0) run.flush();
    }
  }
  template <class Start>
  void kill_after(std::chrono::microseconds time, const std::string& file, Start&& start) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        start();
      } catch (...) {}
      ::_exit(1);
    }
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::microseconds(100));
    std::this_thread::sleep_for(time);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
  }
};

TEST_F(LongKilledRunTest, A_run_that_is_killed_at_any_moment_opens_and_can_be_gone_on_with) {
  BRISTLE_NEEDS(have_python(), "python3 with h5py and numpy");
  std::mt19937 random(11);
  constexpr int kRuns = 50;
  for (int i = 0; i < kRuns; ++i) {
    const std::string file = path(std::to_string(i) + ".h5");
    // most of the time is spent flushing, the worst moment to be killed in
    const int flush_every = std::vector<int>{3, 40, 300}[random() % 3];
    kill_after(std::chrono::microseconds(random() % 200000), file,
               [&] { write_for_ever(RunWriter::create(file, wide_header()), 0, flush_every); });
    // every other one goes on from where it was, and is killed again
    if (i % 2 == 0) continue;
    const RunFile before = read_run(file, {});
    const auto n = static_cast<long long>(before.time.size());
    kill_after(std::chrono::microseconds(random() % 100000), file, [&] {
      write_for_ever(
          RunWriter::append(file, n, static_cast<long long>(before.events.size()), static_cast<long long>(before.steps.size())),
          n, flush_every);
    });
  }
  const std::string printed = python(R"(
import h5py, numpy as np
lengths = []
for i in range(50):
    with h5py.File(f"{i}.h5") as f:
        t = f["time"][:]
        assert np.array_equal(t, np.arange(len(t))), i
        for c in range(16):
            assert np.array_equal(f[f"channels/e{c//4}/q{c%4}"][:], t + c), (i, c)
        assert np.array_equal(f["channels/beam/q"][:], t[:, None] + np.arange(16, 24)), i
        poses = np.hstack([f["frames/rod"][:], f["frames/beam"][:].reshape(-1, 14)])
        assert np.array_equal(poses, t[:, None] + np.arange(21)) and "rod" in f["scene"].asstr()[()], i
        e = f["events/time"][:]
        assert np.array_equal(e, 3.0 * np.arange(len(e))) and abs(len(e) - len(t) / 3) <= 1, i
        assert (f["events/what"][:] == b"slip").all() and len(f["events/element"]) == len(e)
        s = f["solver/time"][:]
        assert np.array_equal(s, np.arange(len(s))) and abs(len(s) - len(t)) <= 1
        assert (f["solver/reason"][:] == b"contact").all() and len(f["solver/step"]) == len(s)
        assert f["status"].attrs["end"] == "running"
        lengths.append(len(t))
assert max(lengths) > 1000, lengths
print("good")
)");
  EXPECT_EQ(printed, "good\n");
}

}  // namespace bristle::testing
