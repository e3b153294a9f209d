#include "validation/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace bristle {

void side_by_side(int jobs, const std::vector<std::function<void()>>& tasks) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (...) {
        const std::lock_guard lock(throwing);
        if (!thrown) thrown = std::current_exception();
        next = tasks.size();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t workers = std::min(tasks.size(), static_cast<std::size_t>(std::max(jobs, 1)));
    for (std::size_t i = 1; i < workers; ++i) others.emplace_back(work);
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

Rows in_parts(int jobs, const std::vector<std::function<void(Rows&)>>& parts) {
  std::vector<Rows> made(parts.size());
  std::vector<std::function<void()>> tasks;
  tasks.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) tasks.emplace_back([&, i] { parts[i](made[i]); });
  side_by_side(jobs, tasks);
  Rows all;
  for (Rows& rows : made) all.append(rows.take());
  return all;
}

}  // namespace bristle
