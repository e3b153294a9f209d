// Any bytes as a model file: read, print, read back, evaluate the parameters, parse every scalar. Only InputError may come out.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/read_model_fuzz.cpp \
//     src/bristle/{base,signal,input,model}/*.cpp -lfmt
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bristle/model/model.h"
#include "bristle/signal/parse.h"

namespace {

using namespace bristle;

void parse_scalars(const Node& root, const Scope& scope) {
  std::vector<const Node*> open{&root};
  while (!open.empty()) {
    const Node& node = *open.back();
    open.pop_back();
    for (const auto& [key, child] : node.children) open.push_back(&child);
    if (!node.is_scalar()) continue;
    try {
      const Signal signal = parse_signal(node.text, scope, node.where_of_text());
      const std::vector<Dual<1>> inputs(signal.inputs().size(), Dual<1>::variable(0.5, 0));
      static_cast<void>(signal.eval(inputs.data()));
    } catch (const InputError&) {}
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // files on disk are no part of the test
  if (text.find("include") != std::string_view::npos) return 0;
  try {
    const Model model = read_model_text(text, "fuzz.yaml");
    const Model again = read_model_text(print_model(model), "printed.yaml");
    if (!again.root.equals(model.root)) std::abort();
    ParameterScope scope;
    try {
      scope = parameters_of(model);
    } catch (const InputError&) {}
    parse_scalars(model.root, scope);
  } catch (const InputError&) {}
  return 0;
}
