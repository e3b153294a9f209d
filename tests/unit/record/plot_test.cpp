#include "bristle/record/plot.h"

#include "record_fixture.h"

namespace bristle::testing {

class PlotTest : public RecordTest {
 protected:
  void TearDown() override {
    ::unsetenv("BRISTLE_PYTHON");
    RecordTest::TearDown();
  }
};

TEST_F(PlotTest, Png_svg_and_pdf_are_drawn_by_the_ending_of_the_name) {
  BRISTLE_NEEDS(have_python("matplotlib"), "python3 with matplotlib");
  const RunFile run = read_run(write_run(25000), {"pin.gap", "*.slip*", "pin.mode"});
  write_plot(run, path("a.png"));
  EXPECT_EQ(contents(path("a.png")).substr(1, 3), "PNG");
  write_plot(run, path("b.SVG"));
  const std::string svg = contents(path("b.SVG"));
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  write_plot(run, path("c.pdf"));
  EXPECT_EQ(contents(path("c.pdf")).substr(0, 4), "%PDF");
}

TEST_F(PlotTest, A_loop_is_drawn_over_another_channel) {
  BRISTLE_NEEDS(have_python("matplotlib"), "python3 with matplotlib");
  const RunFile run = read_run(write_run(500), {"pin.friction_force", "pin.slip"});
  PlotOptions options;
  options.x = "pin.slip";
  write_plot(run, path("loop.png"), options);
  EXPECT_GT(std::filesystem::file_size(path("loop.png")), 1000u);
  options.x = "pin.slop";
  EXPECT_NE(complaint([&] { write_plot(run, path("loop.png"), options); }).find("Did you mean 'pin.slip'?"), std::string::npos);
}

TEST_F(PlotTest, Lengths_of_steps_have_a_panel_of_their_own) {
  BRISTLE_NEEDS(have_python("matplotlib"), "python3 with matplotlib");
  RunFile run = read_run(write_run(500), {"pin.gap"});
  run.steps = {{0.1, 0.1, -1}, {0.3, 0.2, -1}, {0.31, 0.01, -1}};
  PlotOptions options;
  write_plot(run, path("without.svg"), options);
  options.steps = true;
  write_plot(run, path("with.svg"), options);
  EXPECT_EQ(contents(path("without.svg")).find("axes_2"), std::string::npos);
  EXPECT_NE(contents(path("with.svg")).find("axes_2"), std::string::npos);
  run.channels.clear();  // the steps alone
  write_plot(run, path("alone.svg"), options);
  EXPECT_NE(contents(path("alone.svg")).find("axes_1"), std::string::npos);
  run.steps.clear();
  EXPECT_NE(complaint([&] { write_plot(run, path("none.svg"), options); }).find("no steps to plot"), std::string::npos);
}

TEST_F(PlotTest, Odd_file_names_titles_and_channels_do_no_harm) {
  BRISTLE_NEEDS(have_python("matplotlib"), "python3 with matplotlib");
  RunFile run;
  run.header.title = "$(touch gone) $x_{ `touch gone`";
  run.time = {0, 1, 2};
  run.channels = {{{"a $b_{.c", "$m^", ""}, {1, std::nan(""), 3}}, {{"--x.y", "$m^", ""}, {1, 2, 3}}};
  const std::string odd = path("-o 'odd' \"$(touch gone)\"; touch gone.png");
  write_plot(run, odd);
  EXPECT_TRUE(std::filesystem::exists(odd));
  EXPECT_FALSE(std::filesystem::exists("gone"));
}

TEST_F(PlotTest, What_cannot_be_drawn_is_told) {
  const RunFile run = read_run(write_run(20), {"pin.gap"});
  EXPECT_NE(complaint([&] { write_plot(run, path("a.gif")); }).find(".png, .svg or .pdf, not '.gif'"), std::string::npos);
  EXPECT_NE(complaint([&] { write_plot({}, path("a.png")); }).find("no samples"), std::string::npos);
  PlotOptions only_x;
  only_x.x = "pin.gap";
  EXPECT_NE(complaint([&] { write_plot(run, path("a.png"), only_x); }).find("no channel to plot"), std::string::npos);
  BRISTLE_NEEDS(have_python("matplotlib"), "python3 with matplotlib");
  const std::string sentence = complaint([&] { write_plot(run, path("none/a.png")); });
  EXPECT_NE(sentence.find("could not be drawn: No such file"), std::string::npos) << sentence;
}

TEST_F(PlotTest, Without_python_or_matplotlib_there_is_a_way_out) {
  const RunFile run = read_run(write_run(20), {"pin.gap"});
  ::setenv("BRISTLE_PYTHON", path("no_python").c_str(), 1);
  const std::string sentence = complaint([&] { write_plot(run, path("a.png")); });
  EXPECT_NE(sentence.find("python3 was not found"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("apt install python3-matplotlib"), std::string::npos);
  // a Python that has no matplotlib
  put_contents(path("bare"), "#!/bin/sh\nexec /usr/bin/python3 -S -E \"$@\"\n");
  std::filesystem::permissions(path("bare"), std::filesystem::perms::owner_all);
  ::setenv("BRISTLE_PYTHON", path("bare").c_str(), 1);
  if (have_python()) {
    EXPECT_NE(complaint([&] { write_plot(run, path("a.png")); }).find("matplotlib is missing"), std::string::npos);
  }
}

}  // namespace bristle::testing
