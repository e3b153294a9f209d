// Readings of scalar coordinates.
#include <algorithm>
#include <map>

#include "bristle/assemble/ends.h"
#include "bristle/base/text.h"

namespace bristle {

std::optional<Relative> Span::relative() const {
  if (terms.size() != 2) return std::nullopt;
  const auto [i, ci] = terms[0];
  const auto [j, cj] = terms[1];
  if (ci == -1 && cj == 1) return Relative{i, j, i, j};
  if (ci == 1 && cj == -1) return Relative{j, i, j, i};
  return std::nullopt;
}

namespace {

const Coordinate& coordinate(const Plan& plan, const std::string& name, const Where& where, const std::string& owner) {
  for (const Coordinate& c : plan.coordinates) {
    if (c.name == name) return c;
  }
  std::vector<std::string> known{"ground"};
  for (const Coordinate& c : plan.coordinates) known.push_back(c.name);
  if (plan.space.motions.contains(name))
    throw InputError(where, owner + ": '" + name + "' is the motion of a joint; write on: " + name);
  for (const auto& [motion, unused] : plan.space.motions) known.push_back(motion);
  throw InputError(where, owner + ": there is no coordinate '" + name + "'." + known_names(name, known) +
                              (plan.coordinates.empty() ? " The model has no bodies yet." : ""));
}

void add_end(const Plan& plan, const Node& end, std::size_t component, double sign, const std::string& owner,
             std::map<int, double>& terms, int& rotary) {
  const auto add = [&](const std::string& name, double factor, const Where& where) {
    if (name == "ground") {
      terms[plan.layout.ground] += factor;
      return;
    }
    const Coordinate& c = coordinate(plan, name, where, owner);
    terms[c.index] += factor;
    if (rotary >= 0 && rotary != static_cast<int>(c.rotary)) {
      throw InputError(where, owner + ": '" + name + "' " + (c.rotary ? "turns" : "moves") +
                                  " while the other coordinate does not; connect like with like, or use a map with lever arms");
    }
    rotary = c.rotary;
  };
  if (end.is_list()) {
    if (component >= end.size()) throw InputError(end.where, owner + ": both ends need the same number of coordinates");
    add_end(plan, end[component], 0, sign, owner, terms, rotary);
  } else if (end.is_map()) {
    // levers and modal rows: {coordinate: factor, ...}
    for (const auto& [name, factor] : end.children) {
      const Quantity q = parse_quantity(factor.text, plan.scope, factor.where);
      int own = -1;  // factors may turn rotation into displacement
      std::map<int, double> part;
      add_end(plan, Node::scalar(name), 0, 1, owner, part, own);
      for (const auto& [index, one] : part) terms[index] += sign * q.value * one;
    }
    rotary = rotary < 0 ? 0 : rotary;
  } else {
    add(end.text, sign, end.where);
  }
}

}  // namespace

void EndKeys::visit(Keys& keys) {
  keys.node("between", "ends", between, "none",
            "its two ends [A, B]: names of coordinates, or ground; or maps {coordinate: factor}");
  keys.node("on", "end", on, "none", "instead of between: the one end that is not the ground");
}

int EndKeys::components() const {
  if (between == nullptr || !between->is_list()) return 1;
  int n = 1;
  for (const auto& [key, end] : between->children) {
    if (end.is_list()) n = std::max(n, static_cast<int>(end.size()));
  }
  return n;
}

std::vector<Span> spans(const Plan& plan, const Reader& reader, const EndKeys& ends) {
  const std::string& owner = reader.owner();
  const Node *on = ends.on, *between = ends.between;
  if ((on != nullptr) == (between != nullptr)) {
    reader.fail("between", "say where it acts: either between: [A, B] or on: B (then the other end is the ground)");
  }
  static const Node ground = Node::scalar("ground");
  const Node* a = &ground;
  const Node* b = on;
  if (between != nullptr) {
    if (!between->is_list() || between->size() != 2)
      reader.fail("between", "between takes two ends, for example [ground, block]");
    a = &(*between)[0];
    b = &(*between)[1];
  }
  const int n = ends.components();
  if (n > 3) reader.fail("between", "at most three coordinates at one end");
  std::vector<Span> result;
  for (int d = 0; d < n; ++d) {
    std::map<int, double> terms;
    int rotary = -1;
    const auto component = static_cast<std::size_t>(d);
    add_end(plan, *a, component, -1, owner, terms, rotary);
    add_end(plan, *b, component, 1, owner, terms, rotary);
    Span s;
    bool moves = false;
    for (const auto& [index, c] : terms) {
      if (c == 0 && index != plan.layout.ground) continue;
      if (c != 0 && index != plan.layout.ground) moves = true;
      s.terms.push_back({index, c});
    }
    if (!moves) reader.fail(on ? "on" : "between", "both ends are the same; an element needs two different ones");
    s.rotary = rotary == 1;
    result.push_back(std::move(s));
  }
  return result;
}

}  // namespace bristle
