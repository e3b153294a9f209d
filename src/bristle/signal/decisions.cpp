#include "bristle/signal/decisions.h"

namespace bristle {

std::vector<char> moved_decisions(const Signal& signal, const std::vector<char>& moves) {
  const auto tape = signal.tape();
  std::vector<char> moved;  // by operation
  for (const Signal::Op& op : tape) {
    bool any = false;
    if (op.code == Signal::Op::Code::input) {
      any = moves[static_cast<std::size_t>(op.a)] != 0;
    } else {
      for (int i : {op.a, op.b, op.c}) any = any || (i >= 0 && moved[static_cast<std::size_t>(i)] != 0);
    }
    moved.push_back(any ? 1 : 0);
  }
  std::vector<char> result;
  const std::vector<double> inputs(signal.inputs().size(), 0.0);
  each_decision(signal, inputs.data(),
                [&](std::size_t at, Decides how, double) { result.push_back(how != Decides::truth && moved[at] != 0 ? 1 : 0); });
  return result;
}

}  // namespace bristle
