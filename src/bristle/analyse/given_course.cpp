#include "bristle/analyse/given_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/signal/time_parts.h"

namespace bristle {

namespace {
constexpr std::size_t kMostPoints = 16384, kLeastPoints = 512,
                      kTogether = std::size_t{1} << 22;  // points that a course is looked at
constexpr std::size_t kCorners = 1000000;  // a signal that has more is as good as noise: error control has to follow it
constexpr double kSides = 1e-15;           // of the time, or of kSoon: how far apart the two sides of a corner are
constexpr double kSoon = 1e-6;             // [s] as near to zero times are told apart no better
constexpr double kJumps = 1e-9;            // of the size of a signal: what counts as a jump of its value
constexpr double kImpact = 1e-6;           // of the speed of a drive: what counts as a jump of it
constexpr double kBends = 0.03;      // of what a signal does in a step: how far it may be off the parabola through three points
constexpr double kStraight = 1e-12;  // of its size: what counts as straight
constexpr double kBeyond = 1e6;      // times the values beside it: what no bounded course does between two points

double value_of(const Signal& signal, double t) { return signal.eval<double>(&t); }
double rate_of(const Signal& signal, double t) {
  const auto time = Dual<1>::variable(t, 0);
  return signal.eval<Dual<1>>(&time).d[0];
}
}  // namespace

void GivenCourse::prepare(const Layout& layout, double start, double end) {
  layout_ = &layout;
  courses_.clear();
  corners_.clear();
  stops_.clear();
  start_ = start;
  for (const GivenSignal& given : layout.given) courses_.push_back({&given.signal, {}, 0, 0, given.position});
  if (layout.given.empty() || !(end > start) || !std::isfinite(end - start)) return;
  const std::size_t points = std::clamp(kTogether / layout.given.size(), kLeastPoints, kMostPoints);
  spacing_ = (end - start) / static_cast<double>(points);
  const auto at = [&](std::size_t i) { return i == points ? end : start + spacing_ * static_cast<double>(i); };
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    course.value.resize(points + 1);
    for (std::size_t i = 0; i <= points; ++i) {
      const double y = course.value[i] = value_of(*course.signal, at(i)), change = i > 0 ? std::abs(y - course.value[i - 1]) : 0;
      if (std::isfinite(y)) course.size = std::max(course.size, std::abs(y));
      if (std::isfinite(change)) course.speed = std::max(course.speed, change / spacing_);
    }
    course.pole = find_pole(course, end);
    std::uint64_t left = branch_at(*course.signal, start);
    for (std::size_t i = 0; i < points && corners_.size() < kCorners; ++i) {
      const std::uint64_t right = branch_at(*course.signal, at(i + 1));
      if (left != right) find_corners(static_cast<int>(k), at(i), at(i + 1), left, right);
      left = right;
    }
  }
  std::sort(corners_.begin(), corners_.end(), [](const Corner& a, const Corner& b) { return a.before < b.before; });
  for (Corner& c : corners_) measure(c);
  for (const Corner& c : corners_) {  // an instant that several share is passed at once
    if (!stops_.empty() && c.before <= stops_.back().behind) stops_.back().behind = std::max(stops_.back().behind, c.behind);
    else stops_.push_back({c.before, c.behind});
  }
  for (Course& course : courses_) {
    if (runs_straight(course)) course.value = {};
  }
}

/// Between two points of a course that changes its sign, and about one that is larger than those beside it: a course that is bounded comes to
/// zero at the one and to a value of that order at the other, as the points are moved together.
double GivenCourse::find_pole(const Course& course, double end) const {
  constexpr int kLooks = 60, kEnough = 10;  // halvings; after these a course that has not grown is bounded
  const std::vector<double>& y = course.value;
  const auto at = [&](std::size_t i) { return i + 1 == y.size() ? end : start_ + spacing_ * static_cast<double>(i); };
  const auto size_at = [&](double t) {
    const double f = std::abs(value_of(*course.signal, t));
    return std::isnan(f) ? 0 : f;
  };
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    const double beside = std::max(std::abs(y[i - 1]), std::abs(y[i + 1]));
    if (!std::isfinite(beside) || std::isnan(y[i])) continue;
    if (beside > 0 && std::abs(y[i]) > kBeyond * beside) return at(i);
    if (std::abs(y[i]) >= beside && beside > 0) {  // a peak
      double left = at(i - 1), right = at(i + 1), most = std::abs(y[i]);
      for (int k = 0; k < kLooks && (k < kEnough || most > 2 * std::abs(y[i])); ++k) {
        const double a = left + (right - left) / 3, b = right - (right - left) / 3, fa = size_at(a), fb = size_at(b);
        most = std::max({most, fa, fb});
        (fa > fb ? right : left) = fa > fb ? b : a;
      }
      if (most > kBeyond * std::abs(y[i])) return 0.5 * (left + right);
    }
    const double ahead = y[i + 1];
    if (y[i] * ahead < 0) {
      const double before = std::max(std::abs(y[i]), std::abs(ahead));
      double left = at(i), right = at(i + 1), least = 0;
      for (int k = 0; k < kLooks && (k < kEnough || least > before); ++k) {
        const double middle = 0.5 * (left + right), f = value_of(*course.signal, middle);
        if (!std::isfinite(f) || !(middle > left) || !(middle < right)) break;
        (f * y[i] < 0 ? right : left) = middle;
        least = std::min(size_at(left), size_at(right));
      }
      if (least > kBeyond * before) return 0.5 * (left + right);
    }
  }
  return kNone;
}

/// Halves the time until both sides are neighbours; whatever happens in between is found, however short.
void GivenCourse::find_corners(int index, double left, double right, std::uint64_t branch_left, std::uint64_t branch_right) {
  if (branch_left == branch_right || corners_.size() >= kCorners) return;
  const double middle = 0.5 * (left + right),
               apart = kSides * std::max({std::abs(left), std::abs(right), std::min(spacing_, kSoon)});
  if (right - left <= apart || !(middle > left) || !(middle < right)) {
    corners_.push_back({left - apart, right + apart, index});
    return;
  }
  const std::uint64_t branch = branch_at(layout_->given[u(index)].signal, middle);
  find_corners(index, left, middle, branch_left, branch);
  find_corners(index, middle, right, branch, branch_right);
}

void GivenCourse::measure(Corner& corner) const {
  const Course& course = courses_[u(corner.signal)];
  const double jump = value_of(*course.signal, corner.behind) - value_of(*course.signal, corner.before);
  if (std::abs(jump) > kJumps * course.size) corner.jump = jump;
  corner.speed_jump = rate_of(*course.signal, corner.behind) - rate_of(*course.signal, corner.before);
}

/// Constant or linear wherever it has no corner: steps may be as long as they like.
bool GivenCourse::runs_straight(const Course& course) const {
  const std::vector<double>& y = course.value;
  std::size_t corner = 0;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    if (std::abs(y[i + 1] - 2 * y[i] + y[i - 1]) <= kStraight * course.size) continue;
    const double from = start_ + spacing_ * static_cast<double>(i - 1), to = from + 2 * spacing_;
    while (corner < corners_.size() && corners_[corner].behind < from) ++corner;
    if (corner == corners_.size() || corners_[corner].before > to) return false;
  }
  return true;
}

const GivenCourse::Stop* GivenCourse::stop_from(double t) const {
  const auto s = std::lower_bound(stops_.begin(), stops_.end(), t, [](const Stop& a, double x) { return a.behind <= x; });
  return s == stops_.end() ? nullptr : &*s;
}

double GivenCourse::next(double t) const {
  const Stop* stop = stop_from(t);
  return stop == nullptr ? kInfinity : std::max(stop->before, t);
}

double GivenCourse::behind(double t) const {
  const Stop* stop = stop_from(t);
  return stop == nullptr || stop->before > t + kSides * std::max(std::abs(t), std::min(spacing_, kSoon)) ? t : stop->behind;
}

/// Is the signal near the parabola through both ends and the middle of the step, compared with what it does in the step? An oscillation is over about a
/// quarter of its period.
bool GivenCourse::is_smooth(const Course& course, double t, double h) const {
  const double first = (t - start_) / spacing_, last = (t + h - start_) / spacing_;
  if (!(last > first + 1)) return true;
  const auto from = static_cast<std::size_t>(std::max(0.0, std::ceil(first)));
  const auto to = static_cast<std::size_t>(std::clamp(std::floor(last), 0.0, static_cast<double>(course.value.size() - 1)));
  const double left = value_of(*course.signal, t), middle = value_of(*course.signal, t + 0.5 * h),
               right = value_of(*course.signal, t + h);
  double low = std::min({left, middle, right}), high = std::max({left, middle, right}), off = 0;
  for (std::size_t i = from; i <= to; ++i) {
    const double s = (static_cast<double>(i) - first) / (last - first);
    const double p = left + s * (right - left) + 2 * s * (1 - s) * (2 * middle - left - right);
    low = std::min(low, course.value[i]), high = std::max(high, course.value[i]);
    off = std::max(off, std::abs(course.value[i] - p));
  }
  return !(off > kBends * (high - low)) || !(off > kStraight * course.size);
}

/// In the middle of a step an oscillation q = A sin(wt) is off the cubic through positions and velocities of both ends by (wh)^4 A/384, so that 384
/// off/(h max|v|) is (wh)^3. Of a step as long as a whole oscillation the middle is where the ends are: another place is looked at, too.
bool GivenCourse::follows(const Course& course, double t, double h, double angle, double nothing) const {
  const double q0 = value_of(*course.signal, t), q1 = value_of(*course.signal, t + h);
  const double v0 = rate_of(*course.signal, t), v1 = rate_of(*course.signal, t + h);
  const double limit = angle * angle * angle / 384;
  for (double part : {0.5, 0.3}) {
    const double q = value_of(*course.signal, t + part * h), v = rate_of(*course.signal, t + part * h), rest = 1 - part;
    const double cubic =
        rest * rest * ((1 + 2 * part) * q0 + part * h * v0) + part * part * ((1 + 2 * rest) * q1 - rest * h * v1);
    const double speed = std::max({std::abs(v0), std::abs(v), std::abs(v1)});
    if (std::abs(q - cubic) > limit * h * speed + 1e-14 * (std::abs(q0) + std::abs(q1)) + nothing) return false;
  }
  return true;
}

double GivenCourse::longest(double t, double h, double angle, double nothing) const {
  constexpr double kShortest = 1e-4;  // of h: what nothing smooth goes through is left to error control
  const double least = kShortest * h;
  for (const Course& course : courses_) {
    while (!course.value.empty() && h > spacing_ && !is_smooth(course, t, h)) h *= 0.5;
    while (course.position && h > least && !follows(course, t, h, angle, nothing)) h *= 0.5;
  }
  return h;
}

std::string GivenCourse::refusal() const {
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    if (courses_[i].pole == kNone) continue;
    const GivenSignal& given = layout_->given[i];
    return fmt::format(
        "t = {:.9g} s: {}: what it is given grows beyond all bounds here ({}), and no motion goes on from there. End the run before, or keep it within "
        "bounds, for example by clamp(..., -1e3, 1e3).",
        courses_[i].pole, given.owner, given.signal.text());
  }
  for (const Corner& c : corners_) {
    const GivenSignal& given = layout_->given[u(c.signal)];
    if (!given.position || c.jump == 0) continue;
    return fmt::format(
        "t = {:.9g} s: {}: what it is driven to jumps here, by {:.6g} ({}). No finite force does that. Let it go there in a finite time, for "
        "example by a ramp: a*clamp((t - {:.4g})/0.05, 0, 1).",
        c.behind, given.owner, c.jump, given.signal.text(), c.behind);
  }
  return {};
}

std::string GivenCourse::note() const {
  for (const Corner& c : corners_) {
    const GivenSignal& given = layout_->given[u(c.signal)];
    if (!given.position || !(std::abs(c.speed_jump) > kImpact * courses_[u(c.signal)].speed)) continue;
    return fmt::format(
        "t = {:.9g} s: {}: the speed of the drive jumps here, by {:.6g} ({}): an impact, whose force and loss no method resolves. A drive with a "
        "rounded start has none.",
        c.behind, given.owner, c.speed_jump, given.signal.text());
  }
  return {};
}

}  // namespace bristle
