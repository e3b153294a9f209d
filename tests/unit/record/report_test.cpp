#include "bristle/record/report.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "record_fixture.h"

namespace bristle::testing {

using ReportTest = RecordTest;
using nlohmann::json;

TEST_F(ReportTest, The_data_follow_the_contract_of_the_viewer) {
  const json data = json::parse(report_data(read_run(write_run(500))));
  EXPECT_EQ(data["format"], 1);
  EXPECT_EQ(data["title"], header().title);
  EXPECT_EQ(data["program"], "bristle 0.1.0");
  EXPECT_EQ(data["command"], "bristle run model.yaml");
  EXPECT_EQ(data["created"], "2024-05-06T07:08:09");
  EXPECT_EQ(data["input"], header().model_text);
  EXPECT_EQ(data["summary"], json::parse(R"([["wall time", "1.2 s"], ["energy residual", "1e-9 J"]])"));
  EXPECT_EQ(data["status"], "finished");
  EXPECT_EQ(data["message"], "reached the end");
  EXPECT_EQ(data["time"].size(), 500u);
  EXPECT_EQ(data["time"][7], 1e-3 * 7);
  ASSERT_EQ(data["channels"].size(), 8u);  // energy has its own section
  EXPECT_EQ(data["channels"][5]["name"], "shoe.slip.1");
  EXPECT_EQ(data["channels"][5]["element"], "shoe");
  EXPECT_EQ(data["channels"][5]["quantity"], "slip.1");
  EXPECT_EQ(data["channels"][5]["unit"], "m/s");
  EXPECT_EQ(data["channels"][5]["values"].size(), 500u);
  EXPECT_NEAR(data["channels"][0]["values"][100].get<double>(), value(0, 0.1), 1e-8 * 1e-4);
  EXPECT_EQ(data["places"][0], json::parse(R"({"name": "pin", "law": "lugre", "components": 1, "slip": ["pin.slip"],
            "friction_force": ["pin.friction_force"], "travel": [], "mode": "pin.mode"})"));
  EXPECT_EQ(data["places"][1]["slip"], json::parse(R"(["shoe.slip.1", "shoe.slip.2"])"));
  EXPECT_EQ(data["energy"]["kinetic"].size(), 500u);
  EXPECT_EQ(data["energy"]["stored"].size(), 500u);  // not recorded
  EXPECT_TRUE(data["energy"]["stored"][3].is_null());
  ASSERT_EQ(data["energy"]["accounts"].size(), 2u);
  EXPECT_EQ(data["energy"]["accounts"][0]["name"], "pin");
  EXPECT_EQ(data["energy"]["accounts"][0]["kind"], "dissipated");
  EXPECT_EQ(data["energy"]["accounts"][1]["name"], "drive");
  EXPECT_EQ(data["energy"]["accounts"][1]["kind"], "supplied");
  EXPECT_EQ(data["events"].size(), 50u);
  EXPECT_EQ(data["events"][1], json::parse(R"({"t": 0.01, "element": "shoe", "what": "slip"})"));
  EXPECT_EQ(data["solver"]["integrator"], "radau");
  EXPECT_EQ(data["solver"]["counts"][1], json::parse(R"(["newton iterations", 4711.0])"));
  EXPECT_EQ(data["solver"]["reasons"].size(), 2u);
  EXPECT_EQ(data["solver"]["time"].size(), 500u);
  EXPECT_EQ(data["solver"]["step"].size(), 500u);
}

TEST_F(ReportTest, Nothing_in_the_data_ends_the_script_it_is_in) {
  RunFile run;
  run.header.model_text = "</script><script>alert(1)</script><!-- <script>";
  run.header.title = "bytes that are no text: \xff\xfe";
  const std::string data = report_data(run);
  EXPECT_EQ(data.find("</"), std::string::npos);
  EXPECT_EQ(data.find("<!"), std::string::npos);
  EXPECT_EQ(json::parse(data)["input"], run.header.model_text);
}

TEST_F(ReportTest, Samples_along_a_load_that_falls_are_shown_one_after_the_other) {
  RunFile run;
  run.header.axis = "load";
  run.header.axis_unit = "1";
  run.time = {0, 0.5, 0.9, 0.4, 1};
  run.channels = {{{"tip.position", "m", ""}, {0, 1, 2, 3, 4}}};
  const json data = json::parse(report_data(run));
  EXPECT_EQ(data["axis"], json::parse(R"({"name": "point", "unit": ""})"));
  EXPECT_EQ(data["time"], json::parse("[0.0, 1.0, 2.0, 3.0, 4.0]"));
  ASSERT_EQ(data["channels"].size(), 2u);
  EXPECT_EQ(data["channels"][0]["name"], "load");
  EXPECT_EQ(data["channels"][0]["values"], json::parse("[0.0, 0.5, 0.9, 0.4, 1.0]"));
  run.time = {0, 0.5, 0.7, 0.9, 1};
  EXPECT_EQ(json::parse(report_data(run))["axis"]["name"], "load");
}

TEST_F(ReportTest, What_is_no_number_is_null) {
  RunFile run;
  run.time = {0, 1, 2};
  run.channels = {{{"a.b", "", ""}, {std::nan(""), std::numeric_limits<double>::infinity(), 2}}};
  EXPECT_EQ(json::parse(report_data(run))["channels"][0]["values"].dump(), "[null,null,2.0]");
}

TEST_F(ReportTest, A_run_of_many_samples_is_thinned_keeps_its_extremes_and_says_so) {
  RunFile run;
  run.channels = {{{"a.b", "", ""}, {}}};
  for (int i = 0; i < 50000; ++i) {
    run.time.push_back(i * 1e-3);
    run.channels[0].values.push_back(i == 31234 ? 9.0 : std::sin(i * 0.7));
    run.events.push_back({i * 1e-3, "a", "slip"});
    run.steps.push_back({i * 1e-3, i == 777 ? 1e-9 : 1e-3, 0});
  }
  const json data = json::parse(report_data(run, 1000));
  EXPECT_LE(data["time"].size(), 1000u);
  EXPECT_GE(data["time"].size(), 500u);
  EXPECT_LE(data["events"].size(), 5000u);
  const auto values = data["channels"][0]["values"].get<std::vector<double>>();
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 9.0);
  const auto steps = data["solver"]["step"].get<std::vector<double>>();
  EXPECT_EQ(*std::min_element(steps.begin(), steps.end()), 1e-9);
  EXPECT_EQ(data["summary"][0][0], "samples shown");
  EXPECT_EQ(data["summary"][1][1], "5000 of 50000");
}

TEST_F(ReportTest, Of_many_numbered_channels_the_ends_and_some_between_are_shown_and_that_is_said) {
  RunHeader h;
  h.places = {{"pad.33", "coulomb", 1}};
  for (int n = 1; n <= 101; ++n) h.channels.push_back({fmt::format("rod.{}.x", n), "m", ""});
  for (int n = 1; n <= 20; ++n) h.channels.push_back({fmt::format("bar.{}.x", n), "m", ""});
  for (int n = 1; n <= 50; ++n) h.channels.push_back({fmt::format("pad.{}.slip", n), "m/s", ""});
  {
    RunWriter run = RunWriter::create(path("run.h5"), h);
    std::vector<double> row(h.channels.size());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
    run.sample(0, row.data());
    run.close(finished());
  }
  const std::string data = report_data(read_run_for_report(path("run.h5")));
  EXPECT_EQ(data, report_data(read_run(path("run.h5"))));
  const json shown = json::parse(data);
  ASSERT_EQ(shown["channels"].size(), 11u + 20u + 12u);
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(shown["channels"][i]["name"], fmt::format("rod.{}.x", 10 * i + 1));
    EXPECT_EQ(shown["channels"][i]["values"][0], 10.0 * static_cast<double>(i));
  }
  EXPECT_EQ(shown["channels"][31]["name"], "pad.1.slip");
  EXPECT_EQ(shown["channels"][42]["name"], "pad.50.slip");
  EXPECT_EQ(shown["places"][0]["slip"][0], "pad.33.slip");  // what a friction place needs stays
  EXPECT_EQ(shown["summary"].back(),
            json::parse(R"(["channels shown", "43 of 171; the rest by 'bristle plot' or 'bristle convert'"])"));
}

TEST_F(ReportTest, Of_very_many_channels_fewer_samples_are_shown) {
  RunFile run;
  for (int i = 0; i < 1000; ++i) run.time.push_back(i);
  for (int c = 0; c < 5000; ++c) run.channels.push_back({{fmt::format("b{}.x", c), "m", ""}, run.time});
  const json data = json::parse(report_data(run));
  EXPECT_LE(data["time"].size(), 400u);
  EXPECT_GE(data["time"].size(), 150u);
  EXPECT_EQ(data["channels"].size(), 5000u);
}

TEST_F(ReportTest, A_run_that_did_not_end_is_shown_as_interrupted) {
  const json data = json::parse(report_data({}));
  EXPECT_EQ(data["status"], "interrupted");
  EXPECT_NE(data["message"], "");
  EXPECT_FALSE(data.contains("energy"));
}

TEST_F(ReportTest, The_page_is_the_template_with_the_data_in_it) {
  const RunFile run = read_run(write_run(100));
  write_report(run, path("report.html"));
  const std::string page = contents(path("report.html")),
                    before(report_template().substr(0, report_template().find("\"BRISTLE_DATA\"")));
  EXPECT_EQ(page.substr(0, before.size()), before);
  EXPECT_EQ(page.find("\"BRISTLE_DATA\""), std::string::npos);
  EXPECT_NE(page.find(report_data(run)), std::string::npos);
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

}  // namespace bristle::testing
