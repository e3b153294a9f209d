#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace bristle::app {

namespace {

std::string duration(double seconds) {
  if (!(seconds < 360000)) return "long";
  const int s = static_cast<int>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : active_(wanted && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

std::function<void(const Progress&)> ProgressLine::callback() {
  if (!active_) return {};
  return [this](const Progress& p) { show(p); };
}

std::string ProgressLine::text(const Progress& p) const {
  const double part = (p.t - p.start) / (p.end - p.start);
  std::string line = fmt::format("{:3.0f} %  t = {:.4g} of {:.4g} s, step {:.2g} s", 100 * part, p.t, p.end, p.step);
  const double wall = p.wall - first_.wall, speed = wall > 0 ? (p.t - first_.t) / wall : 0;
  if (speed > 0) line += fmt::format(", {:.3g}x real time, {} left", speed, duration((p.end - p.t) / speed));
  if (p.places > 0) line += fmt::format(", {} of {} stick", p.sticking, p.places);
  if (p.open > 0) line += fmt::format(", {} open", p.open);
  return line;
}

void ProgressLine::show(const Progress& p) {
  if (!shown_) first_ = p;
  std::string line = text(p);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace bristle::app
