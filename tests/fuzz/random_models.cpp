// Random models by hand: as many as asked for, a table of what became of them, and every failing one in a file.
//   random_models --models 5000 --seed 1 [--jobs 1] [--limit 60] [--no-compare] [--reduce] [--out FOLDER]
//   random_models --show 17            prints the model of a seed
//   random_models --file model.yaml    judges a model (with --reduce: makes it small)
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "bristle/model/model.h"
#include "random_model.h"
#include "reduce.h"
#include "verdict.h"

using namespace bristle;
using namespace bristle::fuzz;

namespace {

struct Options {
  int models = 0, jobs = 1;
  std::uint64_t seed = 1;
  Limits limits{.compare = true};
  bool reduce = false, show = false;
  std::string out, file;
};

Options read_options(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) {
        fmt::print(stderr, "{} needs a value\n", word);
        std::exit(2);
      }
      return argv[++i];
    };
    if (word == "--models") o.models = std::atoi(value().c_str());
    else if (word == "--seed") o.seed = std::strtoull(value().c_str(), nullptr, 10);
    else if (word == "--jobs") o.jobs = std::atoi(value().c_str());
    else if (word == "--limit") o.limits.seconds = std::atof(value().c_str());
    else if (word == "--no-compare") o.limits.compare = false;
    else if (word == "--reduce") o.reduce = true;
    else if (word == "--out") o.out = value();
    else if (word == "--file") o.file = value();
    else if (word == "--show") o.show = true, o.seed = std::strtoull(value().c_str(), nullptr, 10);
    else {
      fmt::print(stderr, "unknown option {}; see the head of tests/fuzz/random_models.cpp\n", word);
      std::exit(2);
    }
  }
  return o;
}

/// Sentences that differ in names and numbers alone are one.
std::string pattern_of(const std::string& sentence) {
  std::string out;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    const bool digit = c >= '0' && c <= '9';
    if (!digit) out += c;
    else if (out.empty() || out.back() != '#') out += '#';
  }
  return out.substr(0, 160);
}

std::string method_of(const Node& model) {
  const Node* analysis = model.find("analysis");
  const Node* method = analysis == nullptr ? nullptr : analysis->find("integrator");
  if (method == nullptr) return "?";
  return method->is_scalar() ? method->text : method->find("type")->text;
}

Node smaller(Nursery& nursery, const Node& model, const Verdict& verdict) {
  const std::string pattern = pattern_of(verdict.detail).substr(0, 12);
  return reduce(model, [&](const Node& trial) {
    const Verdict v = nursery.run_one(trial);
    return v.fate == verdict.fate && (verdict.fate != Fate::crashed || pattern_of(v.detail).substr(0, 12) == pattern);
  });
}

void keep(const std::string& folder, const std::string& name, const Node& model, const Verdict& verdict) {
  std::filesystem::create_directories(folder);
  std::string comment;
  for (const char c : verdict.detail) comment += c == '\n' ? ' ' : c;
  std::ofstream(folder + "/" + name) << "# " << name_of(verdict.fate) << ": " << comment << "\n" << model_text(model);
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = read_options(argc, argv);
  if (o.show) {
    fmt::print("{}", model_text(random_model(o.seed)));
    return 0;
  }
  if (!o.file.empty()) {
    Nursery nursery(o.limits, 1);
    const Node model = read_model(o.file).root;
    const Verdict v = nursery.run_one(model);
    fmt::print("{} ({:.2f} s): {}\n", name_of(v.fate), v.seconds, v.detail);
    if (o.reduce && is_failure(v.fate)) fmt::print("{}", model_text(smaller(nursery, model, v)));
    return is_failure(v.fate) ? 1 : 0;
  }
  if (o.models <= 0) {
    fmt::print(stderr, "how many? --models 300\n");
    return 2;
  }

  std::map<std::string, std::map<Fate, int>> by_method;
  std::map<Fate, int> fates;
  std::map<std::pair<Fate, std::string>, std::pair<int, std::uint64_t>> sentences;  // how often, and a seed that has it
  std::vector<std::pair<std::uint64_t, Verdict>> failures;
  int compared = 0, unreferenced = 0;
  double seconds = 0;
  std::multimap<double, std::uint64_t> slowest;
  Nursery nursery(o.limits, o.jobs);
  int done = 0;
  nursery.run(
      o.models, [&](int i) { return random_model(o.seed + static_cast<std::uint64_t>(i)); },
      [&](int i, const Verdict& v) {
        const std::uint64_t seed = o.seed + static_cast<std::uint64_t>(i);
        ++fates[v.fate];
        ++by_method[method_of(random_model(seed))][v.fate];
        compared += v.compared, unreferenced += v.fate == Fate::right && !v.detail.empty();
        seconds += v.seconds;
        slowest.emplace(-v.seconds, seed);
        if (v.fate != Fate::right) {
          auto& entry = sentences[{v.fate, pattern_of(v.detail)}];
          ++entry.first, entry.second = seed;
        }
        if (is_failure(v.fate)) {
          failures.emplace_back(seed, v);
          fmt::print("seed {:<6} {:<12} {:6.2f} s  {:<18} {}\n", seed, name_of(v.fate), v.seconds, method_of(random_model(seed)),
                     v.detail);
          std::fflush(stdout);
          if (!o.out.empty()) keep(o.out, fmt::format("{}_{}.yaml", name_of(v.fate), seed), random_model(seed), v);
        }
        if (++done % 100 == 0) {
          fmt::print(stderr, "{} of {}\n", done, o.models);
        }
      });

  fmt::print("\nsentences\n");
  for (const auto& [key, entry] : sentences) {
    fmt::print("  {:<12} {:5} x  (seed {})  {}\n", name_of(key.first), entry.first, entry.second, key.second);
  }
  fmt::print("\n{:<20}", "method");
  for (int f = 0; f < kFates; ++f) fmt::print("{:>12}", name_of(static_cast<Fate>(f)));
  for (const auto& [method, row] : by_method) {
    fmt::print("\n{:<20}", method);
    for (int f = 0; f < kFates; ++f) {
      const auto it = row.find(static_cast<Fate>(f));
      fmt::print("{:>12}", it == row.end() ? 0 : it->second);
    }
  }
  fmt::print("\n{:<20}", "all");
  for (int f = 0; f < kFates; ++f) fmt::print("{:>12}", fates[static_cast<Fate>(f)]);
  fmt::print("\n{:<20}", "%");
  for (int f = 0; f < kFates; ++f) fmt::print("{:>12.2f}", 100.0 * fates[static_cast<Fate>(f)] / o.models);
  fmt::print(
      "\n{} models from seed {}, {:.0f} s of processor time, {} held against two other methods, {} more where these do not agree\n",
      o.models, o.seed, seconds, compared, unreferenced);
  fmt::print("slowest:");
  int shown = 0;
  for (const auto& [time, seed] : slowest) {
    if (++shown <= 12) fmt::print("  {} ({:.1f} s)", seed, -time);
  }
  fmt::print("\n");

  if (o.reduce && !o.out.empty()) {
    Nursery one(o.limits, 1);
    for (const auto& [seed, verdict] : failures) {
      keep(o.out + "/reduced", fmt::format("{}_{}.yaml", name_of(verdict.fate), seed), smaller(one, random_model(seed), verdict),
           verdict);
    }
  }
  return failures.empty() ? 0 : 1;
}
