#include "bristle/signal/time_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/signal/decisions.h"

namespace bristle {

namespace {

using Op = Signal::Op;
using Code = Op::Code;

enum class Part : unsigned char { constant, of_time, other };

Part part_of(const Signal& signal, const Op& op, const std::vector<Part>& parts) {
  if (op.code == Code::constant) return Part::constant;
  if (op.code == Code::input) {
    const Signal::Input& in = signal.inputs()[static_cast<std::size_t>(op.a)];
    return in.kind == Signal::Input::Kind::time && in.name.empty() ? Part::of_time : Part::other;
  }
  Part most = Part::constant;
  for (int i : {op.a, op.b, op.c}) {
    if (i >= 0) most = std::max(most, parts[static_cast<std::size_t>(i)]);
  }
  return most;
}

/// The operation `at` and all it needs, as a signal of its own.
Signal cut_out(const Signal& signal, int at) {
  const auto tape = signal.tape();
  std::vector<bool> needed(static_cast<std::size_t>(at) + 1, false);
  needed.back() = true;
  for (int i = at; i >= 0; --i) {
    const Op& op = tape[static_cast<std::size_t>(i)];
    if (!needed[static_cast<std::size_t>(i)] || op.code == Code::input) continue;
    for (int k : {op.a, op.b, op.c}) {
      if (k >= 0) needed[static_cast<std::size_t>(k)] = true;
    }
  }
  std::vector<int> place(needed.size(), -1);
  std::vector<Op> part;
  for (int i = 0; i <= at; ++i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    Op op = tape[static_cast<std::size_t>(i)];
    if (op.code == Code::input) {
      op.a = 0;
    } else {
      for (int* k : {&op.a, &op.b, &op.c}) {
        if (*k >= 0) *k = place[static_cast<std::size_t>(*k)];
      }
    }
    place[static_cast<std::size_t>(i)] = static_cast<int>(part.size());
    part.push_back(op);
  }
  Signal result(std::move(part), {Signal::Input{}}, signal.text());
  result.set_where(signal.where());
  return result;
}

}  // namespace

std::vector<Signal> time_parts(const Signal& signal) {
  const auto tape = signal.tape();
  std::vector<Part> parts;
  std::vector<bool> within(tape.size(), false);  // a larger part
  for (const Op& op : tape) parts.push_back(part_of(signal, op, parts));
  std::vector<Signal> result;
  for (std::size_t i = tape.size(); i-- > 0;) {
    if (parts[i] != Part::of_time || tape[i].code == Code::input) continue;
    if (!within[i]) result.push_back(cut_out(signal, static_cast<int>(i)));
    for (int k : {tape[i].a, tape[i].b, tape[i].c}) {
      if (k >= 0) within[static_cast<std::size_t>(k)] = true;
    }
  }
  return result;
}

std::uint64_t branch_at(const Signal& signal, double t) {
  std::array<double, Signal::kMaxOps> inputs;
  std::fill_n(inputs.begin(), signal.inputs().size(), t);
  std::uint64_t branch = 14695981039346656037u;  // of the hash by Fowler, Noll and Vo
  const auto note = [&](double x) {
    branch = (branch ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(x))) * 1099511628211u;
  };
  each_decision(signal, inputs.data(), [&](std::size_t, Decides how, double x) {
    if (how == Decides::sign) note(x > 0 ? 1 : 2);
    else if (how == Decides::truth) note(x != 0 ? 1 : 0);
    else note(std::abs(x) < 1e18 ? std::floor(x) : 0);
  });
  return branch;
}

}  // namespace bristle
