#include "bristle/record/memory_sink.h"
#include "bristle/body/space.h"

#include <gtest/gtest.h>

#include "bristle/record/hdf_sink.h"
#include "record_fixture.h"

namespace bristle::testing {
namespace {

/// What a sink is given: two channels and one moving body, three samples, an event, a step.
RunHeader small_header() {
  RunHeader header;
  header.channels = {{"block.position", "m", "where"}, {"block.velocity", "m/s", "how fast"}};
  header.places = {{"pad", "coulomb", 1}};
  header.event_kinds = {"stick -> slip", "slip -> stick"};
  header.step_reasons = {"end", "error"};
  header.bodies = {BodyInfo::ground(), space_frame("rod", SpaceBody::Kind::rigid, 0, 0)};
  return header;
}
void give(Sink& sink) {
  sink.begin(small_header());
  for (int i = 0; i < 3; ++i) {
    const double values[] = {0.1 * i, 1.0 / (1 + i)}, poses[] = {1.0 * i, 2, 3, 1, 0, 0, 0};
    sink.sample(0.5 * i, values, poses);
  }
  sink.event(0.25, 0, 1);
  sink.step(1, 0.5, 1);
  RunStatus status;
  status.end = RunStatus::End::finished;
  status.message = "fine";
  status.counts = {{"accepted steps", 1}};
  sink.end(status);
}

void expect_same(const RunFile& a, const RunFile& b) {
  EXPECT_EQ(a.time, b.time);
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    EXPECT_EQ(a.channels[i].channel.name, b.channels[i].channel.name);
    EXPECT_EQ(a.channels[i].channel.unit, b.channels[i].channel.unit);
    EXPECT_EQ(a.channels[i].values, b.channels[i].values);
  }
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) EXPECT_EQ(a.frames[i].poses, b.frames[i].poses);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].t, b.events[i].t);
    EXPECT_EQ(a.events[i].element, b.events[i].element);
    EXPECT_EQ(a.events[i].what, b.events[i].what);
  }
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) EXPECT_EQ(a.steps[i].h, b.steps[i].h);
  EXPECT_EQ(a.status.end, b.status.end);
  EXPECT_EQ(a.status.message, b.status.message);
}

TEST(MemorySink, keeps_channels_as_columns_with_events_steps_and_the_end) {
  MemorySink sink;
  give(sink);
  EXPECT_EQ(sink.channel("block.velocity"), (std::vector<double>{1, 0.5, 1.0 / 3}));
  EXPECT_EQ(sink.time(), (std::vector<double>{0, 0.5, 1}));
  ASSERT_EQ(sink.events().size(), 1u);
  EXPECT_EQ(sink.events()[0].element, "pad");
  EXPECT_EQ(sink.events()[0].what, "slip -> stick");
  EXPECT_EQ(sink.status().end, RunStatus::End::finished);
  EXPECT_EQ(sink.counts().samples, 3);
  EXPECT_EQ(sink.run().frames[0].poses.size(), 21u);
  EXPECT_FALSE(sink.kept_run({}));
}

TEST(MemorySink, names_the_channel_that_was_meant) {
  MemorySink sink;
  give(sink);
  try {
    sink.channel("block.positon");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean 'block.position'?"), std::string::npos) << error.what();
  }
}

TEST(MemorySink, begins_anew_with_every_run) {
  MemorySink sink;
  give(sink);
  give(sink);
  EXPECT_EQ(sink.time().size(), 3u);
  EXPECT_EQ(sink.counts().samples, 3);
}

class SinkFiles : public RecordTest {};

TEST_F(SinkFiles, hold_what_memory_holds_when_a_tee_feeds_both) {
  MemorySink memory;
  RunFolder folder(path("run"));
  HdfSink file(folder);
  Tee both(file, memory);
  give(both);
  EXPECT_EQ(both.counts().samples, 3);
  EXPECT_EQ(both.counts().events, 1);
  EXPECT_EQ(both.resume_command(), "bristle resume " + path("run"));
  expect_same(read_run(path("run")), memory.run());
}

TEST_F(SinkFiles, leave_a_former_run_alone_until_the_new_one_begins) {
  RunFolder folder(path("run"));
  {
    HdfSink first(folder);
    give(first);
  }
  HdfSink second(folder);
  EXPECT_EQ(read_run(path("run")).time.size(), 3u);
  second.begin(small_header());
  second.end({});
  EXPECT_TRUE(read_run(path("run")).time.empty());
}

}  // namespace
}  // namespace bristle::testing
