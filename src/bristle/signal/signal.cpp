#include "bristle/signal/signal.h"

#include <stdexcept>

#include "bristle/base/text.h"

namespace bristle {

Signal::Signal(double constant)
    : tape_{Op{Op::Code::constant, -1, -1, -1, constant}}, text_(number_text(constant)), value_(constant) {}

Signal::Signal(std::vector<Op> tape, std::vector<Input> inputs, std::string text)
    : tape_(std::move(tape)), inputs_(std::move(inputs)), text_(std::move(text)) {
  // operands must be earlier results: eval relies on it without looking
  if (tape_.empty() || tape_.size() > static_cast<std::size_t>(kMaxOps))
    throw std::invalid_argument("a signal needs 1 to " + std::to_string(kMaxOps) + " operations, got " +
                                std::to_string(tape_.size()));
  const int n_inputs = static_cast<int>(inputs_.size());
  for (int i = 0; i < static_cast<int>(tape_.size()); ++i) {
    const Op& op = tape_[static_cast<std::size_t>(i)];
    const bool is_input = op.code == Op::Code::input;
    const bool bad = is_input ? op.a < 0 || op.a >= n_inputs
                              : op.a >= i || op.b >= i || op.c >= i || (op.code != Op::Code::constant && op.a < 0);
    if (bad) throw std::invalid_argument("operation " + std::to_string(i) + " of a signal has an operand that is not there yet");
  }
  if (inputs_.empty()) value_ = eval<double>(nullptr);
}

bool Signal::depends_on_time_only() const {
  for (const Input& in : inputs_)
    if (in.kind != Input::Kind::time || !in.name.empty()) return false;
  return true;
}

}  // namespace bristle
