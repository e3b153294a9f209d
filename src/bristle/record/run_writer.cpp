#include "bristle/record/run_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <stdexcept>

#include "bristle/base/error.h"
#include "bristle/record/h5.h"
#include "bristle/record/scene.h"
#include "bristle/record/twin_file.h"

namespace bristle {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFlushSeconds = 1.0;
constexpr double kFlushShare = 0.05;  // of the wall time, at most: slow disks are flushed less often

Clock::duration seconds(double s) { return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s)); }

std::size_t longest(const std::vector<std::string>& names) {
  std::size_t n = 1;
  for (const std::string& name : names) n = std::max(n, name.size());
  return n;
}

void put_status(hid_t file, const RunStatus& status) {
  h5::Handle group = h5::make_group(file, "/status");
  h5::put_attribute(group, "end", std::string(name_of(status.end)));
  h5::put_attribute(group, "message", status.message);
  h5::Rows rows;
  for (const auto& [name, value] : status.summary) rows.push_back({name, value});
  h5::put_rows(group, "summary", 2, rows);
  h5::Handle solver = h5::make_group(file, "/solver");
  for (const auto& [name, value] : status.counts) h5::put_attribute(solver, name.c_str(), value);
  h5::Handle reasons = h5::make_group(file, "/solver/reasons");
  for (const auto& [name, value] : status.reasons) h5::put_attribute(reasons, name.c_str(), value);
}

void put_header(hid_t file, const RunHeader& header) {
  h5::Handle root = h5::open_group(file, "/");
  h5::put_attribute(root, "format", std::string(h5::kFormat));
  h5::put_attribute(root, "version", h5::kVersion);
  h5::Handle model = h5::make_group(file, "/model");
  h5::put_attribute(model, "title", header.title);
  h5::put_attribute(model, "program", header.program);
  h5::put_attribute(model, "command", header.command);
  h5::put_attribute(model, "created", header.created);
  h5::put_attribute(model, "file", header.model_file);
  h5::put_text(model, "text", header.model_text);
  std::vector<std::string> names;
  for (const Channel& c : header.channels) names.push_back(c.name);
  h5::put_names(model, "channels", names);
  h5::Rows places;
  for (const PlaceInfo& p : header.places) places.push_back({p.name, p.law, std::to_string(p.components)});
  h5::put_rows(model, "places", 3, places);
  h5::put_names(model, "event_elements", header.event_elements);
  h5::put_names(model, "event_kinds", header.event_kinds);
  h5::put_names(model, "step_reasons", header.step_reasons);
  if (moving_bodies(header.bodies) > 0) h5::put_text(file, "/scene", scene_text(header.bodies, header.joints));
  h5::make_group(file, "/channels");
  h5::Handle solver = h5::make_group(file, "/solver");
  h5::put_attribute(solver, "integrator", header.integrator);
}

void refuse_odd_bodies(const std::string& path, const std::vector<BodyInfo>& bodies) {
  std::set<std::string> paths;
  for (const BodyInfo& b : bodies)
    if (!paths.insert(h5::frame_path(b.name)).second)
      throw InputError({path}, fmt::format("the poses of body '{}' would be written twice", b.name));
}

void refuse_odd_channels(const std::string& path, const std::vector<Channel>& channels) {
  std::set<std::string> paths;
  for (const Channel& c : channels)
    if (!paths.insert(h5::channel_path(c.name)).second)
      throw InputError({path}, fmt::format("channel '{}' would be written twice", c.name));
  for (const Channel& c : channels)
    if (const auto next = paths.upper_bound(h5::channel_path(c.name) + "/");
        next != paths.end() && next->starts_with(h5::channel_path(c.name) + "/"))
      throw InputError({path}, fmt::format("channel '{}' has the name of an element that has channels of its own", c.name));
}

}  // namespace

const char* name_of(RunStatus::End end) {
  switch (end) {
    case RunStatus::End::running: return "running";
    case RunStatus::End::finished: return "finished";
    case RunStatus::End::interrupted: return "interrupted";
    case RunStatus::End::failed: return "failed";
  }
  return "failed";
}

struct RunWriter::Impl {
  explicit Impl(const std::string& path) : file(path, {&samples, &events, &steps}) {}

  std::vector<std::string> event_elements, event_kinds, step_reasons;
  Table samples, events, steps;
  std::size_t values = 0, poses = 0;  // numbers of a sample beside its time
  TwinFile file;
  bool broken = false;  // a write failed: the file stays as it is
  int countdown = 1, interval = 1;
  Clock::time_point looked = Clock::now(), due = looked + seconds(kFlushSeconds);

  void lay_out(const std::vector<Channel>& channels, const std::vector<BodyInfo>& bodies) {
    samples.add({"/time"});
    for (const Channel& c : channels) samples.add({h5::channel_path(c.name)});
    values = channels.size();
    for (const BodyInfo& b : bodies)
      if (is_moving(b)) samples.add({h5::frame_path(b.name), nullptr, sizeof(double), kPose});
    poses = samples.numbers - 1 - values;
    events.add({"/events/time"});
    events.add({"/events/element", &event_elements, longest(event_elements)});
    events.add({"/events/what", &event_kinds, longest(event_kinds)});
    steps.add({"/solver/time"});
    steps.add({"/solver/step"});
    steps.add({"/solver/reason", &step_reasons, longest(step_reasons)});
    samples.choose_chunk(1024);
    events.choose_chunk(256);
    steps.choose_chunk(4096);
  }

  void refuse_other_writer() {
    if (file.locked_by_another_writer())
      throw InputError({file.path()}, "another run is writing this file. Choose another folder, or stop that run.");
  }

  // every failure while writing ends here
  template <class Work>
  void guarded(Work&& work) {
    if (broken)
      throw std::runtime_error(
          fmt::format("'{}' could not be written before; it holds what was written up to then", file.path()));
    const h5::Quiet quiet;
    try {
      work();
    } catch (const std::exception& e) {
      broken = true;
      throw std::runtime_error(fmt::format(
          "cannot write '{}' ({}). Is there room on the disk? The file holds what was flushed before.", file.path(), e.what()));
    }
  }

  void row_done(Table& t) {
    ++t.n;
    if (static_cast<std::size_t>(t.n) % t.chunk == 0) guarded([&] { file.write(t); });
    if (--countdown <= 0) look_at_clock();
  }

  // The clock is read the more seldom the faster rows come, but several times per second.
  void look_at_clock() {
    const Clock::time_point now = Clock::now();
    const double passed = std::chrono::duration<double>(now - looked).count();
    if (passed < 0.01) interval = std::min(2 * interval, 1024);
    if (passed > 0.1) interval = std::max(interval / 8, 1);
    looked = now;
    countdown = interval;
    if (now >= due) flush();
  }

  void flush() {
    const Clock::time_point begin = Clock::now();
    guarded([&] { file.flush(); });
    const Clock::time_point end = Clock::now();
    const double took = std::chrono::duration<double>(end - begin).count();
    due = end + seconds(std::max(kFlushSeconds, took / kFlushShare));
  }
};

RunWriter::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;

RunWriter& RunWriter::operator=(RunWriter&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

RunWriter::~RunWriter() {
  if (!impl_ || !impl_->file.is_open()) return;
  const h5::Quiet quiet;
  try {
    if (!impl_->broken) impl_->flush();
  } catch (const std::exception&) {
    // the file keeps what was flushed before
  }
  impl_->file.drop();
  ::unlink(impl_->file.spare_path().c_str());
}

RunWriter RunWriter::create(const std::string& path, const RunHeader& given) {
  const h5::Quiet quiet;
  RunHeader header = given;
  if (header.event_elements.empty())
    for (const PlaceInfo& p : header.places) header.event_elements.push_back(p.name);
  refuse_odd_channels(path, header.channels);
  refuse_odd_bodies(path, header.bodies);

  if (std::filesystem::is_directory(path)) throw InputError({path}, "a folder has the name of the file that is to be written");
  auto impl = std::make_unique<Impl>(path);
  impl->refuse_other_writer();
  const std::string work = impl->file.spare_path();
  const int fd = ::open(work.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) throw InputError({path}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
  ::close(fd);

  impl->event_elements = header.event_elements;
  impl->event_kinds = header.event_kinds;
  impl->step_reasons = header.step_reasons;
  impl->lay_out(header.channels, header.bodies);
  for (Table* t : {&impl->samples, &impl->events, &impl->steps}) t->prepare();
  impl->guarded([&] {
    h5::Handle file = h5::own(H5Fcreate(work.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, h5::access_list()), H5Fclose, "create");
    put_header(file, header);
    for (const Table* t : {&impl->samples, &impl->events, &impl->steps}) t->make_sets(file);
    put_status(file, {});
    const auto describe = [&](const std::string& at, const std::string& name, const std::string& unit, const std::string& text) {
      h5::Handle set = h5::open_set(file, at.c_str());
      h5::put_attribute(set, "name", name);
      h5::put_attribute(set, "unit", unit);
      h5::put_attribute(set, "text", text);
    };
    for (const Channel& c : header.channels) describe(h5::channel_path(c.name), c.name, c.unit, c.text);
    for (const BodyInfo& b : header.bodies)
      if (is_moving(b))
        describe(h5::frame_path(b.name), b.name, "m", "centre of mass: position x y z [m], unit quaternion w x y z");
    describe("/time", header.axis, header.axis_unit, header.axis);
    describe("/events/time", "time", "s", "time of the event");
    describe("/solver/time", "time", "s", "end of the step");
    describe("/solver/step", "step", "s", "length of the step");
    h5::check(file.reset(), "create");
    impl->file.start(work);
  });
  return RunWriter(std::move(impl));
}

RunWriter RunWriter::append(const std::string& path, long long samples, long long events, long long steps) {
  const h5::Quiet quiet;
  if (!std::filesystem::exists(path)) throw InputError({path}, "there is no such file to go on with");
  auto impl = std::make_unique<Impl>(path);
  impl->refuse_other_writer();
  const std::string work = impl->file.spare_path();
  std::filesystem::copy_file(path, work, std::filesystem::copy_options::overwrite_existing);
  h5::Handle file(H5Fopen(work.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose);
  if (!file || h5::text_attribute(h5::open_group(file, "/"), "format") != h5::kFormat) {
    file.reset();
    ::unlink(work.c_str());
    throw InputError({path}, "this is not a result file of bristle");
  }
  impl->event_elements = h5::get_names(file, "/model/event_elements");
  impl->event_kinds = h5::get_names(file, "/model/event_kinds");
  impl->step_reasons = h5::get_names(file, "/model/step_reasons");
  std::vector<Channel> channels;
  for (std::string& name : h5::get_names(file, "/model/channels")) channels.push_back({std::move(name), {}, {}});
  RunHeader scene;
  if (const std::string text = h5::get_text(file, "/scene"); !text.empty()) read_scene(text, scene.bodies, scene.joints);
  impl->lay_out(channels, scene.bodies);

  Table* const tables[3] = {&impl->samples, &impl->events, &impl->steps};
  const long long wanted[3] = {samples, events, steps};
  const char* what[3] = {"samples", "events", "steps"};
  for (int i = 0; i < 3; ++i) {
    Table& t = *tables[i];
    for (const Column& c : t.columns) {
      const long long there = h5::rows_of(h5::open_set(file, c.path.c_str()), c.width);
      if (wanted[i] >= 0 && there >= wanted[i]) continue;
      file.reset();
      ::unlink(work.c_str());
      throw InputError({path}, fmt::format("the file has {} {} but the checkpoint knows of {}: they do not belong together",
                                           there, what[i], wanted[i]));
    }
    t.n = wanted[i];
    t.chunk = chunk_of(h5::open_set(file, t.columns[0].path.c_str()));
    t.prepare();
  }
  impl->guarded([&] {
    for (const Table* t : tables) t->cut_sets(file);
    put_status(file, {});
    h5::check(file.reset(), "cut");
    impl->file.start(work);
  });
  return RunWriter(std::move(impl));
}

void RunWriter::sample(double t, const double* values, const double* poses) {
  Table& table = impl_->samples;
  double* row = table.next();
  *row++ = t;
  row = std::copy_n(values, impl_->values, row);
  if (poses) std::copy_n(poses, impl_->poses, row);
  else std::fill_n(row, impl_->poses, std::numeric_limits<double>::quiet_NaN());
  impl_->row_done(table);
}

void RunWriter::event(double t, int element, int kind) {
  double* row = impl_->events.next();
  row[0] = t;
  row[1] = element;
  row[2] = kind;
  impl_->row_done(impl_->events);
}

void RunWriter::step(double t, double h, int reason) {
  double* row = impl_->steps.next();
  row[0] = t;
  row[1] = h;
  row[2] = reason;
  impl_->row_done(impl_->steps);
}

void RunWriter::flush() { impl_->flush(); }
void RunWriter::close(const RunStatus& status) {
  impl_->guarded([&] { impl_->file.close([&](hid_t file) { put_status(file, status); }); });
}
long long RunWriter::samples() const { return impl_->samples.n; }
long long RunWriter::events() const { return impl_->events.n; }
long long RunWriter::steps() const { return impl_->steps.n; }

}  // namespace bristle
