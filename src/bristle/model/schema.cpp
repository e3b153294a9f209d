#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/base/text.h"
#include "bristle/model/describe.h"

namespace bristle {

namespace {

using Json = nlohmann::ordered_json;

/// A number in SI, or a text: number with unit, or expression.
Json number_schema(const Field& field) {
  Json number = {{"type", "number"}};
  if (std::isfinite(field.range.low)) number[field.range.low_open ? "exclusiveMinimum" : "minimum"] = field.range.low;
  if (std::isfinite(field.range.high)) number[field.range.high_open ? "exclusiveMaximum" : "maximum"] = field.range.high;
  return {{"anyOf", Json::array({number, {{"type", "string"}}})}};
}

Json field_schema(const Field& field) {
  switch (field.kind) {
    case Field::Kind::number:
    case Field::Kind::per_load:
    case Field::Kind::signal: return number_schema(field);
    case Field::Kind::integer: {
      Json schema = number_schema(field);
      schema["anyOf"][0]["type"] = "integer";
      return schema;
    }
    case Field::Kind::flag: return {{"type", "boolean"}};
    case Field::Kind::choice: return {{"enum", field.words}};
    case Field::Kind::list: return {{"type", "array"}, {"items", number_schema(field)}};
  }
  return Json::object();
}

std::string description(const Field& field) {
  std::string text = field.text;
  if (!field.unit.empty() && field.unit != "1")
    text += " [" + field.unit + (field.kind == Field::Kind::per_load ? ", per unit of load]" : "]");
  if (!field.range_text.empty()) text += ", " + field.range_text;
  if (!field.default_value.empty()) text += ". Default: " + field.default_value;
  return text;
}

}  // namespace

std::string parameter_schema(std::span<const Field> fields, std::span<const std::string> extra_keys) {
  Json properties = Json::object(), required = Json::array();
  for (const std::string& key : extra_keys) properties[key] = Json::object();
  for (const Field& field : fields) {
    Json schema = field_schema(field);
    schema["description"] = description(field);
    properties[field.key] = std::move(schema);
    if (field.required) required.push_back(field.key);
  }
  Json object = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) object["required"] = required;
  return object.dump(2);
}

}  // namespace bristle
