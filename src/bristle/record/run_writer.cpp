#include "bristle/record/run_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include "bristle/base/error.h"
#include "bristle/base/sha256.h"
#include "bristle/record/file.h"
#include "bristle/record/h5.h"
#include "bristle/record/run_layout.h"
#include "bristle/record/run_reader.h"
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
  h5::put_attribute(model, "id", header.id);
  h5::put_attribute(model, "sha256", sha256(header.model_text));
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

// channels or bodies that would share a data set or a column of one; nullptr when there are none
const std::string* written_twice(const std::vector<SampleSet>& sets, const auto& name_of) {
  std::unordered_set<std::string_view> paths, labels;
  for (const SampleSet& s : sets) {
    if (!paths.insert(s.path).second) return &name_of(s.members[0]);
    labels.clear();
    for (std::size_t i = 0; i < s.labels.size(); ++i)
      if (!labels.insert(s.labels[i]).second) return &name_of(s.members[i]);
  }
  return nullptr;
}

void refuse_odd_bodies(const std::string& path, const std::vector<BodyInfo>& bodies, const std::vector<SampleSet>& sets) {
  std::vector<const BodyInfo*> moving;
  for (const BodyInfo& b : bodies)
    if (is_moving(b)) moving.push_back(&b);
  const auto name = [&](std::size_t i) -> const std::string& { return moving[i]->name; };
  if (const std::string* twice = written_twice(sets, name))
    throw InputError({path}, fmt::format("the poses of body '{}' would be written twice", *twice));
}

void refuse_odd_channels(const std::string& path, const std::vector<Channel>& channels, const std::vector<SampleSet>& sets) {
  const auto name = [&](std::size_t i) -> const std::string& { return channels[i].name; };
  if (const std::string* twice = written_twice(sets, name))
    throw InputError({path}, fmt::format("channel '{}' would be written twice", *twice));
  std::unordered_set<std::string_view> groups;
  for (const SampleSet& s : sets) groups.insert(std::string_view(s.path).substr(0, s.path.rfind('/')));
  for (const SampleSet& s : sets)
    if (groups.contains(s.path))
      throw InputError({path}, fmt::format("channel '{}' has the name of an element that has channels of its own", s.name));
}

void describe(hid_t set, const std::string& name, const std::string& unit, const std::string& text) {
  h5::put_attribute(set, "name", name);
  h5::put_attribute(set, "unit", unit);
  h5::put_attribute(set, "text", text);
}

void describe(hid_t set, const SampleSet& s, const std::vector<Channel>& channels) {
  if (!s.is_gathered()) {
    const Channel& c = channels[s.members[0]];
    return describe(set, c.name, c.unit, c.text);
  }
  std::vector<std::string> units, texts;
  std::vector<int> numbers;
  for (std::size_t i = 0; i < s.members.size(); ++i) {
    units.push_back(channels[s.members[i]].unit);
    texts.push_back(channels[s.members[i]].text);
    numbers.push_back(std::stoi(s.labels[i]));
  }
  h5::put_attribute(set, "name", s.name);
  h5::put_attribute(set, "unit", units);
  h5::put_attribute(set, "text", texts);
  h5::put_attribute(set, "numbers", numbers);
}

void describe_frames(hid_t set, const SampleSet& s) {
  describe(set, s.name, "m", "centre of mass: position x y z [m], unit quaternion w x y z");
  if (s.is_gathered()) h5::put_labels(set, "nodes", s.labels);
}

/// Names of the channels, then of the bodies with poses: what a sample consists of.
std::vector<std::string> columns_of(const RunHeader& header) {
  std::vector<std::string> names;
  for (const Channel& c : header.channels) names.push_back(c.name);
  for (const BodyInfo& b : header.bodies)
    if (is_moving(b)) names.push_back("/" + b.name);
  return names;
}

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

const char* name_of(RunStatus::End end) {
  switch (end) {
    case RunStatus::End::running: return "running";
    case RunStatus::End::finished: return "finished";
    case RunStatus::End::interrupted: return "interrupted";
    case RunStatus::End::failed: return "failed";
    case RunStatus::End::untrusted: return "untrusted";
  }
  return "failed";
}

struct RunWriter::Impl {
  explicit Impl(const std::string& path) : file(path, {&samples, &events, &steps}) {}

  std::string id;
  std::vector<std::string> event_elements, event_kinds, step_reasons;
  Table samples, events, steps;
  std::vector<SampleSet> channel_sets, frame_sets;
  std::vector<std::size_t> value_places, pose_places;  // in a row of samples, of each channel and of each pose
  TwinFile file;
  bool broken = false;  // a write failed: the file stays as it is
  int countdown = 1, interval = 1;
  Clock::time_point looked = Clock::now(), due = looked + seconds(kFlushSeconds);

  void lay_out(const std::vector<Channel>& channels, const std::vector<BodyInfo>& bodies, bool gather) {
    samples.add({"/time"});
    channel_sets = bristle::channel_sets(channels, gather);
    value_places.resize(channels.size());
    for (const SampleSet& s : channel_sets) {
      for (std::size_t i = 0; i < s.members.size(); ++i) value_places[s.members[i]] = samples.numbers + i;
      Column column{s.path};
      if (s.is_gathered()) column.row = {s.members.size()};
      samples.add(std::move(column));
    }
    frame_sets = bristle::frame_sets(bodies, gather);
    pose_places.resize(static_cast<std::size_t>(moving_bodies(bodies)));
    for (const SampleSet& s : frame_sets) {
      for (std::size_t i = 0; i < s.members.size(); ++i) pose_places[s.members[i]] = samples.numbers + kPose * i;
      Column column{s.path};
      column.row = {kPose};
      if (s.is_gathered()) column.row.insert(column.row.begin(), s.members.size());
      samples.add(std::move(column));
    }
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

  // a file that took long to make takes long to flush: the first flush is not due at once
  void started() {
    const Clock::time_point now = Clock::now();
    due = now + std::max(seconds(kFlushSeconds), now - looked);
    looked = now;
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
  if (header.id.empty()) header.id = random_id();
  if (std::filesystem::is_directory(path)) throw InputError({path}, "a folder has the name of the file that is to be written");
  auto impl = std::make_unique<Impl>(path);
  impl->id = header.id;
  impl->event_elements = header.event_elements;
  impl->event_kinds = header.event_kinds;
  impl->step_reasons = header.step_reasons;
  impl->lay_out(header.channels, header.bodies, true);
  refuse_odd_channels(path, header.channels, impl->channel_sets);
  refuse_odd_bodies(path, header.bodies, impl->frame_sets);
  impl->refuse_other_writer();
  const std::string work = impl->file.spare_path();
  const int fd = open_anew(work);
  if (fd < 0) throw InputError({path}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
  ::close(fd);

  for (Table* t : {&impl->samples, &impl->events, &impl->steps}) t->prepare();
  const auto make = [&] {
    const h5::Handle how = h5::creation_list(impl->samples.columns.size());
    h5::Handle file = h5::own(H5Fcreate(work.c_str(), H5F_ACC_TRUNC, how, h5::access_list()), H5Fclose, "create");
    put_header(file, header);
    std::vector<h5::Handle> sets;
    for (const Table* t : {&impl->samples, &impl->events, &impl->steps}) t->make_sets(file, sets);
    put_status(file, {});
    auto set = sets.begin();
    describe(*set++, header.axis, header.axis_unit, header.axis);
    for (const SampleSet& s : impl->channel_sets) describe(*set++, s, header.channels);
    for (const SampleSet& s : impl->frame_sets) describe_frames(*set++, s);
    describe(h5::open_set(file, "/events/time"), "time", "s", "time of the event");
    describe(h5::open_set(file, "/solver/time"), "time", "s", "end of the step");
    describe(h5::open_set(file, "/solver/step"), "step", "s", "length of the step");
    impl->file.start(std::move(file), std::move(sets));
    impl->started();
  };
  try {
    impl->guarded(make);
  } catch (...) {
    impl->file.drop();
    ::unlink(work.c_str());
    throw;
  }
  return RunWriter(std::move(impl));
}

RunWriter RunWriter::append(const std::string& path, const RunHeader& header, long long samples, long long events,
                            long long steps) {
  const RunHeader there = read_run_head(path).header;
  if (there.model_text != header.model_text)
    throw InputError({path}, "the results are those of another model, or the model was changed since");
  if (columns_of(there) != columns_of(header) || there.event_kinds != header.event_kinds ||
      there.step_reasons != header.step_reasons)
    throw InputError({path},
                     fmt::format("the results were written by '{}' and have other channels than '{}' would write. Go on with "
                                 "that version, or start the run again",
                                 there.program, header.program));
  return append(path, samples, events, steps);
}

RunWriter RunWriter::append(const std::string& path, long long samples, long long events, long long steps) {
  const h5::Quiet quiet;
  if (!std::filesystem::exists(path)) throw InputError({path}, "there is no such file to go on with");
  auto impl = std::make_unique<Impl>(path);
  impl->refuse_other_writer();
  const std::string work = impl->file.spare_path();
  copy_anew(path, work);
  h5::Handle file(H5Fopen(work.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose);
  if (!file || h5::text_attribute(h5::open_group(file, "/"), "format") != h5::kFormat) {
    file.reset();
    ::unlink(work.c_str());
    throw InputError({path}, "this is not a result file of bristle");
  }
  impl->id = h5::text_attribute(h5::open_group(file, "/model"), "id");
  impl->event_elements = h5::get_names(file, "/model/event_elements");
  impl->event_kinds = h5::get_names(file, "/model/event_kinds");
  impl->step_reasons = h5::get_names(file, "/model/step_reasons");
  std::vector<Channel> channels;
  for (std::string& name : h5::get_names(file, "/model/channels")) channels.push_back({std::move(name), {}, {}});
  RunHeader scene;
  if (const std::string text = h5::get_text(file, "/scene"); !text.empty()) read_scene(text, scene.bodies, scene.joints);
  impl->lay_out(channels, scene.bodies, h5::version_of(file) > 1);

  Table* const tables[3] = {&impl->samples, &impl->events, &impl->steps};
  const long long wanted[3] = {samples, events, steps};
  const char* what[3] = {"samples", "events", "steps"};
  for (int i = 0; i < 3; ++i) {
    Table& t = *tables[i];
    for (const Column& c : t.columns) {
      const long long there = h5::rows_of(h5::open_set(file, c.path.c_str()), c.row);
      if (wanted[i] >= 0 && there >= wanted[i]) continue;
      file.reset();
      ::unlink(work.c_str());
      throw InputError({path}, fmt::format("the file has {} {} but the checkpoint knows of {}: they do not belong together",
                                           there, what[i], wanted[i]));
    }
    t.n = wanted[i];
    t.read_chunk(file);
    t.prepare();
  }
  impl->guarded([&] {
    for (const Table* t : tables) t->cut_sets(file);
    put_status(file, {});
    impl->file.start(std::move(file));
  });
  return RunWriter(std::move(impl));
}

void RunWriter::sample(double t, const double* values, const double* poses) {
  Table& table = impl_->samples;
  double* row = table.next();
  row[0] = t;
  for (const std::size_t at : impl_->value_places) row[at] = *values++;
  for (const std::size_t at : impl_->pose_places) {
    if (!poses) {
      std::fill_n(row + at, kPose, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    std::copy_n(poses, kPose, row + at);
    poses += kPose;
  }
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
const std::string& RunWriter::id() const { return impl_->id; }
long long RunWriter::samples() const { return impl_->samples.n; }
long long RunWriter::events() const { return impl_->events.n; }
long long RunWriter::steps() const { return impl_->steps.n; }

}  // namespace bristle
