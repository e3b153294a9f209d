#include "bristle/assemble/usual_friction.h"

#include "bristle/model/describe.h"

namespace bristle {

namespace {
constexpr struct { const char *key, *value; } kDryMetal[] = {{"mu_kinetic", "0.2"}, {"mu_static", "0.3"}};
}  // namespace

Node usual_friction(const FrictionEntry& law, const Where& where) {
  Describer describer;
  law.describe(describer);
  Node given = Node::map();
  given.where = where;
  for (const Field& field : describer.fields()) {
    for (const auto& usual : kDryMetal) {
      if (!field.required || field.key != usual.key) continue;
      Node value = Node::scalar(usual.value);
      value.where = where;
      given.set(usual.key, std::move(value));
    }
  }
  return given;
}

std::vector<std::string> assumed_friction(const Model& model, const FrictionRegistry& known) {
  std::vector<std::string> told;
  const Node* joints = model.root.find("joints");
  for (std::size_t i = 0; joints != nullptr && joints->is_map() && i < joints->size(); ++i) {
    const auto& [name, joint] = joints->children[i];
    const Node* friction = joint.is_map() ? joint.find("friction") : nullptr;
    if (friction == nullptr || !friction->is_scalar()) continue;
    std::string values;
    const Node given = usual_friction(known.find(friction->text, friction->where), friction->where);
    for (const auto& [key, value] : given.children) values += (values.empty() ? "" : ", ") + key + " " + value.text;
    if (!values.empty()) told.push_back("'" + name + "': " + friction->text + " with " + values);
  }
  return told;
}

}  // namespace bristle
