#include "reduce.h"

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "nodes.h"

namespace bristle::fuzz {

namespace {

constexpr const char* kSections[] = {"forces", "joints", "collisions", "states", "bodies", "sections"};

bool mentions(const Node& node, const std::string& name) {
  if (node.is_scalar()) {
    const std::size_t at = node.text.find(name);
    if (at == std::string::npos) return false;
    const std::size_t after = at + name.size();
    return after >= node.text.size() || (std::isdigit(static_cast<unsigned char>(node.text[after])) == 0);
  }
  for (const auto& [key, child] : node.children) {
    if (mentions(child, name)) return true;
  }
  return false;
}

void drop(Node& map, const std::string& key) {
  std::erase_if(map.children, [&](const auto& c) { return c.first == key; });
  map.key_where.resize(map.children.size());
}

/// The element, and everything that names it.
void drop_with_dependents(Node& model, const std::string& section, const std::string& name) {
  std::vector<std::pair<std::string, std::string>> gone{{section, name}};
  while (!gone.empty()) {
    const auto [where, what] = gone.back();
    gone.pop_back();
    if (Node* all = model.find(where)) {
      drop(*all, what);
      if (all->children.empty()) drop(model, where);
    }
    for (const char* other : kSections) {
      const Node* all = model.find(other);
      if (all == nullptr) continue;
      for (const auto& [n, node] : all->children) {
        if (mentions(node, what)) gone.emplace_back(other, n);
      }
    }
  }
}

/// Paths of all keys that might be left out.
void optional_keys(const Node& node, std::vector<std::string> path, std::vector<std::vector<std::string>>& out) {
  for (const auto& [key, child] : node.children) {
    std::vector<std::string> p = path;
    p.push_back(key);
    if (node.is_map() && key != "type" && key != "bristle" && key != "bodies" && key != "analysis" && path.size() != 1)
      out.push_back(p);
    if (child.is_map()) optional_keys(child, p, out);
  }
}

void drop_path(Node& model, const std::vector<std::string>& path) {
  Node* at = &model;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    at = at->find(path[i]);
    if (at == nullptr) return;
  }
  drop(*at, path.back());
}

}  // namespace

Node reduce(Node model, const std::function<bool(const Node&)>& still_fails, int trials) {
  const auto attempt = [&](const Node& smaller) {
    if (trials <= 0 || smaller.equals(model)) return false;
    --trials;
    if (!still_fails(smaller)) return false;
    model = smaller;
    return true;
  };
  for (bool again = true; again && trials > 0;) {
    again = false;
    for (const char* section : kSections) {
      std::vector<std::string> names;
      if (const Node* all = model.find(section)) {
        for (const auto& [name, node] : all->children) names.push_back(name);
      }
      for (const std::string& name : names) {
        Node smaller = model;
        drop_with_dependents(smaller, section, name);
        again = attempt(smaller) || again;
      }
    }
    std::vector<std::vector<std::string>> keys;
    optional_keys(model, {}, keys);
    for (const auto& path : keys) {
      Node smaller = model;
      drop_path(smaller, path);
      again = attempt(smaller) || again;
    }
    // a shorter run
    const Node* end = model.find("analysis")->find("end");
    if (end != nullptr) {
      Node smaller = model;
      smaller.find("analysis")->set("end", number(0.5 * std::strtod(end->text.c_str(), nullptr)));
      again = attempt(smaller) || again;
    }
  }
  return model;
}

}  // namespace bristle::fuzz
