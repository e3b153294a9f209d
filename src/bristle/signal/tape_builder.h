#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bristle/signal/parse.h"

namespace bristle {

/// Collects the operations of an expression: folds constants, follows dimensions, and at the end drops what is not needed and
/// shares what is equal.
class TapeBuilder {
 public:
  TapeBuilder(Where where, std::string_view text) : where_(std::move(where)), text_(text) {}

  int constant(double value, const Dimension& dimension, std::size_t offset);
  int input(Signal::Input input, std::size_t offset);
  /// An operation on earlier results (-1: no such operand); offset is its place in the text, for messages.
  int add(Signal::Op::Code code, int a, int b, int c, std::size_t offset);
  Expression finish(int root) const;

 private:
  struct Item {
    Signal::Op op;
    Dimension dimension;
    bool known = true;  ///< the dimension is known: no t and no channel in it
    std::size_t offset = 0;
  };
  const Item& item(int i) const { return items_[static_cast<std::size_t>(i)]; }
  bool is_constant(int i) const { return i < 0 || item(i).op.code == Signal::Op::Code::constant; }
  void set_dimension(Item& result) const;
  void share_dimension(Item& result, int a, int b, const char* what) const;
  void require_plain(const Item& result, int a, const char* what) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& sentence) const;

  Where where_;
  std::string_view text_;
  std::vector<Item> items_;
  std::vector<Signal::Input> inputs_;
};

}  // namespace bristle
