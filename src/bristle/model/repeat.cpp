#include "bristle/model/repeat.h"

#include <cmath>

#include "bristle/base/text.h"
#include "bristle/math/random_counter.h"
#include "bristle/model/scope.h"
#include "bristle/signal/parse.h"

namespace bristle {

namespace {

constexpr int kMost = 1000000;

struct Repeat {
  int count[3] = {1, 1, 1};
  bool row = false;  ///< one number: along the spacing
  double spacing[3] = {0, 0, 0}, scatter = 0;
};

double length(const Node& node, const Scope& scope) {
  const Quantity q = parse_quantity(node.text, scope, node.where_of_text());
  require_dimension(q.dimension, unit::metre, node.where);
  return q.value;
}

int whole(const Node& node, const Scope& scope, const std::string& owner) {
  const Quantity q = parse_quantity(node.text, scope, node.where_of_text());
  if (!(q.value >= 1) || !(q.value <= kMost) || q.value != std::floor(q.value))
    throw InputError(node.where, owner + ": count must be a whole number from 1 to " + std::to_string(kMost) + ", got " +
                                     shortened(node.text));
  return static_cast<int>(q.value);
}

Repeat read_repeat(const Node& node, const Scope& scope, const std::string& owner) {
  Repeat r;
  const Node *count = node.is_map() ? node.find("count") : nullptr, *spacing = node.is_map() ? node.find("spacing") : nullptr;
  if (count == nullptr || spacing == nullptr || !spacing->is_list() || spacing->size() < 2 || spacing->size() > 3)
    throw InputError(node.where, owner +
                                     ": repeat takes count and spacing, for example repeat: {count: [4, 4, 2], spacing: [0.1, "
                                     "0.1, 0.1]}, or {count: 5, spacing: [0.1, 0, 0]} for a row");
  for (const auto& [key, value] : node.children) {
    if (key == "count" || key == "spacing" || key == "scatter") continue;
    const std::vector<std::string> known = {"count", "spacing", "scatter"};
    throw InputError(node.where_of_key(key),
                     owner + ": repeat: unknown key '" + shortened(key) + "'." + did_you_mean(key, known));
  }
  for (std::size_t k = 0; k < spacing->size(); ++k) r.spacing[k] = length((*spacing)[k], scope);
  r.row = !count->is_list();
  if (r.row) r.count[0] = whole(*count, scope, owner);
  if (count->is_list() && count->size() > spacing->size())
    throw InputError(count->where, owner + ": repeat: count has more numbers than spacing");
  for (std::size_t k = 0; count->is_list() && k < count->size(); ++k) r.count[k] = whole((*count)[k], scope, owner);
  if (static_cast<double>(r.count[0]) * r.count[1] * r.count[2] > kMost)
    throw InputError(count->where, owner + ": repeat makes more than " + std::to_string(kMost) + " bodies");
  if (const Node* scatter = node.find("scatter")) {
    r.scatter = length(*scatter, scope);
    if (!(r.scatter >= 0)) throw InputError(scatter->where, owner + ": scatter must be >= 0, got " + shortened(scatter->text));
  }
  return r;
}

/// Where the body is without repetition; planar ones have two numbers.
std::vector<double> position_of(const Node& body, const Scope& scope, const std::string& owner) {
  const Node* node = body.find("position");
  if (node == nullptr) return {0, 0, 0};
  if (!node->is_list() || node->size() < 2 || node->size() > 3)
    throw InputError(node->where, owner + ": repeat is for bodies in space, whose position is [x, y, z] or [x, y]");
  std::vector<double> p;
  for (std::size_t k = 0; k < node->size(); ++k) p.push_back(length((*node)[k], scope));
  return p;
}

}  // namespace

void expand_repeats(Node& root) {
  Node* bodies = root.find("bodies");
  if (bodies == nullptr || !bodies->is_map()) return;
  bool repeats = false;
  for (const auto& [name, body] : bodies->children) repeats = repeats || (body.is_map() && body.find("repeat") != nullptr);
  if (!repeats) return;
  const ParameterScope scope(root.find("parameters"));
  Node all = Node::map();
  all.where = bodies->where;
  for (std::size_t i = 0; i < bodies->size(); ++i) {
    const auto& [name, body] = bodies->children[i];
    const Where key = bodies->where_of_key(name);
    const auto add = [&](std::string text, Node node) {
      all.children.emplace_back(std::move(text), std::move(node));
      all.key_where.push_back(key);
    };
    const Node* repeat = body.is_map() ? body.find("repeat") : nullptr;
    if (repeat == nullptr) {
      add(name, body);
      continue;
    }
    const std::string owner = "body '" + name + "'";
    const Repeat r = read_repeat(*repeat, scope, owner);
    const std::vector<double> first = position_of(body, scope, owner);
    Node plain = Node::map();  // without the key repeat
    plain.where = body.where;
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (body.children[k].first == "repeat") continue;
      plain.children.push_back(body.children[k]);
      plain.key_where.push_back(k < body.key_where.size() ? body.key_where[k] : body.where);
    }
    int number = 0;
    for (int z = 0; z < r.count[2]; ++z) {
      for (int y = 0; y < r.count[1]; ++y) {
        for (int x = 0; x < r.count[0]; ++x) {
          const int at[3] = {x, r.row ? x : y, r.row ? x : z};
          Node position = Node::list();
          for (std::size_t k = 0; k < first.size(); ++k) {
            const double random = r.scatter > 0 ? random_uniform(i + 1, static_cast<std::uint64_t>(3 * number) + k) : 0.5;
            position.add(Node::scalar(number_text(first[k] + at[k] * r.spacing[k] + r.scatter * (2 * random - 1))));
          }
          ++number;
          Node one = plain;
          position.where = repeat->where;
          one.set("position", std::move(position));
          add(name + std::to_string(number), std::move(one));
        }
      }
    }
  }
  *bodies = std::move(all);
}

}  // namespace bristle
