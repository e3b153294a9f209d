#pragma once
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bristle/base/visitor.h"
#include "bristle/core/layout.h"
#include "bristle/force/pull.h"
#include "bristle/measure/form.h"

namespace bristle {

/// Where an element of pull acts, and what the user calls it.
struct PullReading {
  std::string name;
  std::variant<Relative, LinearForm, RowMeasure> measure;
  bool rotary = false;  ///< the measure is an angle, the force a moment
};

/// The elements of one pull law, collected while a model is read, until they become blocks.
class PullList {
 public:
  virtual ~PullList() = default;
  /// Reads the parameters of the next element. Returns why they are impossible together; "" when they are fine.
  virtual std::string read(Visitor&) = 0;
  virtual bool damped() const = 0;                       ///< the element just read takes energy out: it needs an account
  virtual void add(PullReading where, int account) = 0;  ///< of the element just read; account -1: none
  /// Appends the blocks, and their channels in the order in which they write them.
  virtual void make(std::vector<std::unique_ptr<Block>>& blocks, std::vector<Channel>& channels) = 0;
};

template <class Law>
class PullListOf final : public PullList {
 public:
  static bool damped(const Law& law) {
    if constexpr (requires { law.damped(); }) return law.damped();
    else return true;
  }
  void add(Law law, PullReading where, int account) {
    std::visit([&](auto& measure) { push(std::move(measure), std::move(law), account); }, where.measure);
    names_[where.measure.index()].push_back({std::move(where.name), where.rotary});
  }

  std::string read(Visitor& v) override {
    next_ = Law{};
    next_.visit(v);
    if constexpr (requires { next_.problem(); }) return next_.problem();
    else return {};
  }
  bool damped() const override { return damped(next_); }
  void add(PullReading where, int account) override { add(std::move(next_), std::move(where), account); }
  void make(std::vector<std::unique_ptr<Block>>& blocks, std::vector<Channel>& channels) override {
    const auto one = [&](auto& items, const std::vector<Named>& names) {
      using M = decltype(items.front().measure);
      if (items.empty()) return;
      for (const Named& n : names) {
        channels.push_back({n.name + ".extension", n.rotary ? "rad" : "m", "reading of B relative to A"});
        channels.push_back({n.name + ".force", n.rotary ? "N m" : "N", "force that resists the extension"});
      }
      blocks.push_back(std::make_unique<PullBlock<Law, M>>(std::move(items)));
    };
    one(relative_, names_[0]);
    one(form_, names_[1]);
    one(row_, names_[2]);
  }

 private:
  struct Named {
    std::string name;
    bool rotary;
  };
  void push(Relative m, Law law, int account) { relative_.push_back({m, std::move(law), account}); }
  void push(LinearForm m, Law law, int account) { form_.push_back({std::move(m), std::move(law), account}); }
  void push(RowMeasure m, Law law, int account) { row_.push_back({m, std::move(law), account}); }

  Law next_;
  std::vector<typename PullBlock<Law, Relative>::Item> relative_;
  std::vector<typename PullBlock<Law, LinearForm>::Item> form_;
  std::vector<typename PullBlock<Law, RowMeasure>::Item> row_;
  std::vector<Named> names_[3];  // in the order of PullReading::measure
};

}  // namespace bristle
