#include "bristle/record/decimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace bristle {

namespace {
bool has(const std::vector<std::size_t>& list, std::size_t i) { return std::binary_search(list.begin(), list.end(), i); }
}  // namespace

TEST(Decimate, Few_samples_are_all_kept) {
  const std::vector<double> x(100, 1.0);
  const std::vector<double>* series[] = {&x};
  EXPECT_EQ(thin(100, series, 100).size(), 100u);
  EXPECT_TRUE(thin(0, {}, 100).empty());
  EXPECT_EQ(thin(1, {}, 0).size(), 1u);
}

TEST(Decimate, A_single_spike_survives_in_every_channel) {
  std::mt19937 random(1);
  std::vector<std::vector<double>> data(150, std::vector<double>(100000));
  std::vector<const std::vector<double>*> series;
  std::vector<std::size_t> spikes;
  for (std::size_t c = 0; c < data.size(); ++c) {
    for (std::size_t i = 0; i < data[c].size(); ++i) data[c][i] = std::sin(1e-3 * static_cast<double>(i * (c + 1)));
    spikes.push_back(random() % data[c].size());
    data[c][spikes.back()] = c % 2 ? 5 : -5;
    series.push_back(&data[c]);
  }
  const auto kept = thin(100000, series, 4000);
  EXPECT_LE(kept.size(), 4000u);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(kept.front(), 0u);
  EXPECT_EQ(kept.back(), 99999u);
  for (const std::size_t spike : spikes) EXPECT_TRUE(has(kept, spike));
  // no gap is longer than the even half allows
  for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_LE(kept[i] - kept[i - 1], 51u);
}

TEST(Decimate, The_envelope_of_a_fast_oscillation_is_kept) {
  std::vector<double> x(200000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(2.1 * static_cast<double>(i)) * static_cast<double>(i);
  const std::vector<double>* series[] = {&x};
  const auto kept = thin(x.size(), series, 2000);
  EXPECT_LE(kept.size(), 2000u);
  // 500 stretches of 400 samples fit: in each hundredth of the time the largest value is there
  for (std::size_t part = 0; part < 100; ++part) {
    double all = 0, shown = 0;
    for (std::size_t i = part * 2000; i < (part + 1) * 2000; ++i) all = std::max(all, x[i]);
    for (const std::size_t i : kept)
      if (i / 2000 == part) shown = std::max(shown, x[i]);
    EXPECT_EQ(shown, all);
  }
}

TEST(Decimate, What_is_no_number_is_passed_over) {
  std::vector<double> x(10000, std::numeric_limits<double>::quiet_NaN());
  const std::vector<double>* series[] = {&x};
  EXPECT_LE(thin(x.size(), series, 500).size(), 500u);
  x[1234] = 1;
  EXPECT_TRUE(has(thin(x.size(), series, 500), 1234));
}

TEST(Decimate, More_channels_than_points_still_keep_the_extremes_of_each) {
  std::vector<std::vector<double>> data(300, std::vector<double>(5000, 0.0));
  std::vector<const std::vector<double>*> series;
  for (std::size_t c = 0; c < data.size(); ++c) {
    data[c][7 * c + 3] = 1;
    series.push_back(&data[c]);
  }
  const auto kept = thin(5000, series, 100);
  for (std::size_t c = 0; c < data.size(); ++c) EXPECT_TRUE(has(kept, 7 * c + 3));
}

}  // namespace bristle
