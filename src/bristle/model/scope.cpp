#include "bristle/model/scope.h"

#include "bristle/base/text.h"
#include "bristle/signal/parse.h"

namespace bristle {

namespace {

/// Evaluates parameters after those they depend on. Works on a list of its own, so that long chains need no deep calls.
class Evaluation {
 public:
  explicit Evaluation(const Node& map) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      const auto& [name, node] = map.children[i];
      const Where& spot = i < map.key_where.size() && map.key_where[i].line > 0 ? map.key_where[i] : node.where;
      check(name, node, spot);
      entries_.emplace(name, Entry{&node, spot, names_of(name, node), 0, State::untouched});
    }
  }

  void run(const Scope& known, std::map<std::string, Quantity, std::less<>>& values) {
    for (auto& [name, entry] : entries_)
      if (entry.state == State::untouched) resolve(name, known, values);
  }

 private:
  enum class State { untouched, open, done };
  struct Entry {
    const Node* node;
    Where spot;
    std::vector<std::string> needs;
    std::size_t next_need;
    State state;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  static void check(const std::string& name, const Node& node, const Where& spot) {
    const std::string shown = "parameter '" + shortened(name) + "'";
    if (is_reserved_name(name))
      throw InputError(spot, shown + ": the name is taken by the expression language. Choose another one");
    if (!is_identifier(name))
      throw InputError(spot, shown + ": a name is made of letters, digits and _, and does not start with a digit");
    if (node.kind == Node::Kind::null) throw InputError(spot, shown + " has no value. Write " + name + ": 1");
    if (!node.is_scalar()) throw InputError(node.where, shown + " must be a number or an expression, not a list or map");
  }

  template <class F>
  static auto with_name(const std::string& name, F f) {
    try {
      return f();
    } catch (const InputError& error) {
      throw InputError(error.where(), "parameter '" + shortened(name) + "': " + error.sentence());
    }
  }
  static std::vector<std::string> names_of(const std::string& name, const Node& node) {
    return with_name(name, [&] { return names_in_expression(node.text, node.where_of_text()); });
  }

  void resolve(const std::string& first, const Scope& known, std::map<std::string, Quantity, std::less<>>& values) {
    std::vector<typename Entries::iterator> open{entries_.find(first)};
    while (!open.empty()) {
      auto& [name, entry] = *open.back();
      entry.state = State::open;
      if (entry.next_need < entry.needs.size()) {
        const auto need = entries_.find(entry.needs[entry.next_need++]);
        if (need == entries_.end() || need->second.state == State::done) continue;  // unknown ones are named by the parser
        if (need->second.state == State::open) refuse_circle(open, need);
        open.push_back(need);
        continue;
      }
      const Node& node = *entry.node;
      values.emplace(name, with_name(name, [&] { return parse_quantity(node.text, known, node.where_of_text()); }));
      entry.state = State::done;
      open.pop_back();
    }
  }

  [[noreturn]] static void refuse_circle(const std::vector<typename Entries::iterator>& open,
                                         typename Entries::iterator closing) {
    std::size_t i = 0;
    while (open[i] != closing) ++i;
    std::string chain;
    for (std::size_t shown = 0; i < open.size(); ++i, ++shown) {
      if (shown < 10) chain += shortened(open[i]->first, 30) + " -> ";
      if (shown == 10) chain += "... -> ";
    }
    throw InputError(closing->second.spot, "parameters are defined in a circle: " + chain + shortened(closing->first, 30) +
                                               ". Give one of them a number");
  }

  Entries entries_;
};

}  // namespace

ParameterScope::ParameterScope(const Node* parameters) {
  if (!parameters || parameters->kind == Node::Kind::null) return;
  if (!parameters->is_map()) throw InputError(parameters->where, "parameters must be a map: write 'name: value' lines below it");
  for (const auto& [name, node] : parameters->children) names_.push_back(name);
  Evaluation(*parameters).run(*this, values_);
}

std::optional<Quantity> ParameterScope::find(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<std::string_view> ParameterScope::names() const { return {names_.begin(), names_.end()}; }

}  // namespace bristle
