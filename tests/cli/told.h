#pragma once
// A run of the program and what it says about itself.
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.h"

namespace bristle::test {

struct Told {
  Ended ended;
  nlohmann::json json;
};

inline Told run(const Scratch& scratch, const std::string& text) {
  write_text(scratch / "model.yaml", text);
  Told told{bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"}), {}};
  if (!told.ended.out.empty()) told.json = nlohmann::json::parse(told.ended.out);
  return told;
}

inline bool says(const Told& told, const std::string& words) { return told.ended.err.find(words) != std::string::npos; }

}  // namespace bristle::test
