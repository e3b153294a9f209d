#pragma once
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "bristle/base/error.h"
#include "bristle/record/run_reader.h"
#include "bristle/record/run_writer.h"
#include "support/tools.h"

namespace bristle::testing {

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
inline void put_contents(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// What an action complains of; "" when it does not.
template <class Action>
std::string complaint(Action&& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

/// Files cannot grow beyond a length: what writes then sees what it sees on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

/// A folder of its own for each test, and Python as a foreign reader.
class RecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "record-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  std::string dir() const { return dir_.string(); }
  /// In the folder.
  int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(dir_), std::filesystem::directory_iterator()));
  }

  static bool have_python(const std::string& modules = "h5py, numpy") {
    return std::system(("/usr/bin/python3 -c 'import " + modules + "' >/dev/null 2>&1").c_str()) == 0;
  }
  /// What a script prints; it runs in the folder of the test.
  std::string python(const std::string& script) const {
    put_contents(path("check.py"), script);
    const std::string command = "cd '" + dir() + "' && /usr/bin/python3 check.py > printed 2>&1";
    const int code = std::system(command.c_str());
    const std::string printed = contents(path("printed"));
    EXPECT_EQ(code, 0) << printed;
    return printed;
  }

  static RunHeader header() {
    RunHeader h;
    h.title = "Slider with a \"worn\" pin, 50 µm";
    h.program = "bristle 0.1.0";
    h.command = "bristle run model.yaml";
    h.created = "2024-05-06T07:08:09";
    h.model_file = "model.yaml";
    h.model_text = "bristle: 1\ntitle: </script><!-- odd -->\n";
    h.integrator = "radau";
    h.channels = {{"pin.gap", "m", "gap"},
                  {"pin.slip", "m/s", "slip velocity"},
                  {"pin.friction_force", "N", "friction force"},
                  {"pin.mode", "", "0 stick, 1 slip, 2 open"},
                  {"pin.dissipated", "J", "dissipated energy"},
                  {"shoe.slip.1", "m/s", "slip velocity, direction 1"},
                  {"shoe.slip.2", "m/s", "slip velocity, direction 2"},
                  {"drive.supplied", "J", "supplied energy"},
                  {"energy.kinetic", "J", "kinetic energy"},
                  {"energy.residual", "J", "what nobody explains"}};
    h.places = {{"pin", "lugre", 1}, {"shoe", "coulomb", 2}};
    h.step_reasons = {"local_error", "contact"};
    return h;
  }
  static double value(int channel, double t) { return std::sin((channel + 1) * t) * std::pow(10.0, channel - 4); }
  static double time_of(long long k) { return 1e-3 * static_cast<double>(k); }

  static void write_samples(RunWriter& run, long long from, long long to, int channels = 10) {
    std::vector<double> row(static_cast<std::size_t>(channels));
    for (long long k = from; k < to; ++k) {
      for (int c = 0; c < channels; ++c) row[static_cast<std::size_t>(c)] = value(c, time_of(k));
      run.sample(time_of(k), row.data());
      run.step(time_of(k), 1e-3, static_cast<int>(k % 2));
      if (k % 10 == 0) run.event(time_of(k), static_cast<int>(k / 10 % 2), static_cast<int>(k / 10 % 3));
    }
  }
  static RunStatus finished() {
    return {RunStatus::End::finished,
            "reached the end",
            {{"steps", 3000}, {"newton iterations", 4711}, {"a count", 1}},
            {{"local_error", 12}, {"contact", 3}},
            {{"wall time", "1.2 s"}, {"energy residual", "1e-9 J"}}};
  }
  std::string write_run(long long n, const std::string& name = "run.h5") const {
    RunWriter run = RunWriter::create(path(name), header());
    write_samples(run, 0, n);
    run.close(finished());
    return path(name);
  }

  std::filesystem::path dir_;
};

}  // namespace bristle::testing
