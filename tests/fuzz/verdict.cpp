#include "verdict.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "bristle/friction/registry.h"
#include "bristle/model/model.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "compare.h"
#include "parameters.h"
#include "random_model.h"

namespace bristle::fuzz {

namespace {

/// [s] of processor time of this process.
double processor_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void limit_processor_time(double seconds) {
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(std::ceil(seconds));
  setrlimit(RLIMIT_CPU, &limit);
}

std::atomic<bool> time_is_up = false;

/// Runs are asked to stop then, as Ctrl-C asks them.
void ask_to_stop_after(double seconds) {
  struct sigaction action {};
  action.sa_handler = [](int) { time_is_up = true; };
  sigaction(SIGPROF, &action, nullptr);
  const itimerval timer{{0, 0}, {static_cast<time_t>(std::ceil(seconds)), 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

bool has_word(const std::string& sentence, const std::string& word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = sentence.find(word); at != std::string::npos; at = sentence.find(word, at + 1)) {
    const bool before = at > 0 && part(sentence[at - 1]);
    const bool after = at + word.size() < sentence.size() && part(sentence[at + word.size()]);
    if (!before && !after) return true;
  }
  return false;
}

/// Does the sentence name something of the model?
bool names_element(const Node& model, const std::string& sentence) {
  for (const char* section : {"bodies", "joints", "forces", "states", "collisions", "sections"}) {
    const Node* all = model.find(section);
    if (all == nullptr) continue;
    for (const auto& [name, node] : all->children) {
      if (has_word(sentence, name)) return true;
    }
  }
  return false;
}

/// Does it say what to do? What people are told to do begins a sentence or a part of one with such a word, or ends a question.
bool names_way_out(const std::string& sentence) {
  if (sentence.find("Did you mean") != std::string::npos) return true;
  for (const char* word : {"use", "give", "take",   "try",   "choose", "check", "write", "leave", "allow",   "set",    "correct",
                           "add", "put",  "reduce", "start", "move",   "make",  "lower", "raise", "replace", "remove", "drop"}) {
    std::string capital = word;
    capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
    for (const char* before : {". ", "? ", ": ", "\n"}) {
      if ((". " + sentence).find(before + capital + " ") != std::string::npos) return true;
    }
    for (const char* before : {": ", "; ", ", ", "or ", "and ", "then "}) {
      if (sentence.find(std::string(before) + word + " ") != std::string::npos) return true;
    }
  }
  return false;
}

/// Is the load of the place a number that stays?
bool constant_load(const Node& model, const std::string& place) {
  const Node* joints = model.find("joints");
  const Node* joint = joints == nullptr ? nullptr : joints->find(place);
  const Node* load = joint == nullptr ? nullptr : joint->find("load");
  return load != nullptr && load->text.find_first_not_of("0123456789.e+-") == std::string::npos;
}

/// The law of the place that an account belongs to may give energy, and its page says so.
bool may_give(const Node& model, const Layout& layout, const std::string& account) {
  for (const PlaceInfo& place : layout.places) {
    if (place.name != account) continue;
    return friction_page(place.law).find("not passive") != std::string::npos ||
           (remembers(place.law) && !constant_load(model, account));
  }
  return false;
}

// of the energy that moves: what is missing or created beyond it is no matter of accuracy any more
constexpr double kShare = 0.02, kMethodShare = 0.05;
constexpr double kTorn = 1e-3;  // [m] or [rad]; bodies are some decimetres long

/// What a finished run has to show, from its own results.
Verdict look_at(const Node& model, const Run& run, const RunFile& file, const TransientResult& result) {
  const Layout& layout = run.system().layout();
  const auto values = [&](const std::string& name) -> const std::vector<double>& {
    static const std::vector<double> none;
    const RunChannel* c = file.find(name);
    return c == nullptr ? none : c->values;
  };
  for (const RunChannel& c : file.channels) {
    for (std::size_t i = 0; i < c.values.size(); ++i) {
      if (!std::isfinite(c.values[i])) return {Fate::not_finite, fmt::format("{} at sample {}", c.channel.name, i)};
    }
  }
  const auto most = [](const std::vector<double>& x) {
    double m = 0;
    for (const double v : x) m = std::max(m, std::abs(v));
    return m;
  };
  // energy that moved, as the ledger counts it
  const std::vector<double>&kinetic = values("energy.kinetic"), &stored = values("energy.stored"),
        &lost = values("energy.dissipated");
  double moved = std::max(most(values("energy.supplied")), 1e-7);
  for (std::size_t i = 0; i < std::min({kinetic.size(), stored.size(), lost.size()}); ++i)
    moved = std::max(moved, kinetic[i] + std::abs(stored[i] - stored[0]) + std::abs(lost[i]));
  const double residual = std::max(most(values("energy.residual")), 0.0);
  if (residual > kShare * moved)
    return {Fate::open_ledger,
            fmt::format("residual {:.3g} J, {:.3g} J moved; the run says {:.3g}", residual, moved, result.energy_residual)};
  for (const Account& a : layout.accounts) {
    if (a.kind != Account::Kind::dissipated || may_give(model, layout, a.name)) continue;
    double high = 0, fall = 0;
    for (const double v : values(a.name + ".dissipated")) high = std::max(high, v), fall = std::max(fall, high - v);
    if (fall > kShare * moved)
      return {Fate::creation, fmt::format("{} gives {:.3g} J back, {:.3g} J moved", a.name, fall, moved)};
  }
  double lowest = 0, before = 0;
  for (const double v : values("energy.numerical")) lowest = std::min(lowest, v - before), before = std::max(before, v);
  if (-lowest > kMethodShare * moved)
    return {Fate::creation, fmt::format("the method gives {:.3g} J, {:.3g} J moved", -lowest, moved)};
  Workspace work = run.system().make_workspace();
  run.system().look(run.state(), work);
  for (const HeldRow& h : layout.held) {
    const double off = std::abs(work.row_value[static_cast<std::size_t>(h.row)]);
    if (!(off <= kTorn)) return {Fate::torn, fmt::format("a held row is off by {:.3g}", off)};
  }
  return {};
}

Verdict run_model(const Node& tree, const Limits& limits, const std::function<void(const Verdict&)>& tell) {
  const double begin = processor_time();
  const auto timed = [&](Verdict v) {
    v.seconds = processor_time() - begin;
    return v;
  };
  const std::string text = model_text(tree);
  try {
    const Model model = read_model_text(text, "model.yaml");
    check_model(model);
    const System system = assemble(model);
    const TransientPlan plan = plan_transient(model);
    const std::unique_ptr<Run> run = make_run(model, system, plan);
    MemorySink sink;
    const TransientResult result = run_transient(*run, plan, {}, sink, &time_is_up);
    if (result.end == RunStatus::End::failed) {
      const bool good = names_element(tree, result.message) && names_way_out(result.message);
      return timed({good ? Fate::stopped : Fate::vague, result.message});
    }
    if (result.end == RunStatus::End::untrusted)
      return timed(
          {names_element(tree, result.message) && names_way_out(result.message) ? Fate::doubtful : Fate::vague, result.message});
    Verdict verdict = timed(look_at(tree, *run, sink.run(), result));
    // a run that was stopped says nothing about its ledger yet: that is judged at its end
    if (result.end == RunStatus::End::interrupted && verdict.fate != Fate::not_finite) {
      constexpr double kHour = 3600;
      const double share = run->state().t / plan.end;
      return timed({share * kHour > limits.seconds ? Fate::slow : Fate::overran, fmt::format("{:.2g} of the way", share)});
    }
    if (is_failure(verdict.fate) || !limits.compare || !is_regular(tree)) return verdict;
    tell(verdict);
    limit_processor_time(processor_time() + 2 * limits.seconds);
    const std::string other = compare_methods(tree, system, run->state());
    verdict.compared = other != kNoReference;
    if (verdict.compared && !other.empty()) verdict.fate = Fate::differs;
    if (!other.empty()) verdict.detail = other;
    return verdict;
  } catch (const InputError& e) {
    const bool named = !e.where().text().empty() || names_element(tree, e.sentence());
    return timed({named && names_way_out(e.what()) ? Fate::refused : Fate::vague, e.what()});
  } catch (const SolveError& e) {
    const bool good = names_element(tree, e.what()) && names_way_out(e.what());
    return timed({good ? Fate::stopped : Fate::vague, e.what()});
  }
}

}  // namespace

const char* name_of(Fate fate) {
  constexpr const char* names[kFates] = {"right",   "doubtful",   "refused",     "stopped",  "slow", "vague",  "crashed",
                                         "overran", "not_finite", "open_ledger", "creation", "torn", "differs"};
  return names[static_cast<int>(fate)];
}
bool is_failure(Fate fate) { return static_cast<int>(fate) >= static_cast<int>(Fate::vague); }

Verdict run_here(const Node& model, const Limits& limits, const std::function<void(const Verdict&)>& tell) {
  try {
    return run_model(model, limits, tell);
  } catch (const std::exception& e) {
    return {Fate::crashed, std::string("exception: ") + e.what()};
  }
}

Nursery::Nursery(Limits limits, int jobs) : limits_(limits), jobs_(std::max(1, jobs)) {}

Nursery::Child Nursery::start(int number, const std::function<Node(int)>& make) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no process");
  if (pid == 0) {
    close(ends[0]);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    ask_to_stop_after(limits_.seconds);
    limit_processor_time(limits_.seconds + 10);  // whoever does not listen
    const auto tell = [&](const Verdict& v) {
      const std::string line =
          fmt::format("{} {:.3f} {} {}", static_cast<int>(v.fate), v.seconds, v.compared ? 1 : 0, v.detail) + '\0';
      std::size_t done = 0;
      while (done < line.size()) {
        const ssize_t n = write(ends[1], line.data() + done, line.size() - done);
        if (n <= 0) break;
        done += static_cast<std::size_t>(n);
      }
    };
    tell(run_here(make(number), limits_, tell));
    _exit(0);
  }
  close(ends[1]);
  Child child;
  child.pid = pid, child.pipe = ends[0], child.number = number;
  return child;
}

Verdict Nursery::finish(Child& child) const {
  int status = 0;
  waitpid(child.pid, &status, 0);
  close(child.pipe);
  // the last whole word counts: what a comparison found comes after what the run itself said
  Verdict verdict;
  bool any = false;
  std::size_t at = 0;
  for (std::size_t end = child.said.find('\0'); end != std::string::npos; end = child.said.find('\0', at)) {
    const std::string line = child.said.substr(at, end - at);
    int fate = 0, compared = 0, used = 0;
    if (std::sscanf(line.c_str(), "%d %lf %d %n", &fate, &verdict.seconds, &compared, &used) >= 3) {
      verdict.fate = static_cast<Fate>(fate), verdict.compared = compared != 0,
      verdict.detail = line.substr(static_cast<std::size_t>(used));
      any = true;
    }
    at = end + 1;
  }
  if (any) return verdict;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return {Fate::overran, fmt::format("more than {:g} s of processor time", limits_.seconds), limits_.seconds};
  return {Fate::crashed, WIFSIGNALED(status) ? std::string("signal ") + strsignal(WTERMSIG(status)) : "ended without a word"};
}

void Nursery::run(int count, const std::function<Node(int)>& make, const Done& done) {
  std::vector<Child> children;
  int next = 0;
  while (next < count || !children.empty()) {
    while (next < count && static_cast<int>(children.size()) < jobs_) children.push_back(start(next++, make));
    std::vector<pollfd> wait;
    for (const Child& c : children) wait.push_back({c.pipe, POLLIN, 0});
    poll(wait.data(), wait.size(), -1);
    for (std::size_t i = children.size(); i-- > 0;) {
      if (wait[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = read(children[i].pipe, buffer, sizeof buffer);
      if (n > 0) {
        children[i].said.append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      const Verdict verdict = finish(children[i]);
      const int number = children[i].number;
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      done(number, verdict);
    }
  }
}

Verdict Nursery::run_one(const Node& model) {
  Verdict out;
  run(
      1, [&](int) { return model; }, [&](int, const Verdict& v) { out = v; });
  return out;
}

}  // namespace bristle::fuzz
