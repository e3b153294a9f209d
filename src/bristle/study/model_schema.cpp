#include <algorithm>

#include "bristle/study/analysis.h"
#include "bristle/study/json_text.h"

namespace bristle {

namespace {

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

/// The schema of one type: its fields and the word it is called by.
Json entry_schema(const KindEntry& entry, bool typed) {
  Json schema = Json::parse(parameter_schema(entry.fields));
  for (const auto& [key, shape] : entry.shapes) {
    const Json text = schema["properties"][key]["description"];
    schema["properties"][key] = reference(shape);
    schema["properties"][key]["description"] = text;
  }
  if (typed) {
    schema["properties"]["type"] = {{"const", entry.name}};
    if (!schema.contains("required")) schema["required"] = Json::array();
    schema["required"].insert(schema["required"].begin(), "type");
  }
  schema["description"] = entry.summary;
  return schema;
}

/// One of the types of a kind, told apart by the key type.
Json group_schema(const KindGroup& group) {
  Json names = Json::array(), cases = Json::array();
  for (const KindEntry& e : group.entries) {
    names.push_back(e.name);
    cases.push_back(
        {{"if", {{"properties", {{"type", {{"const", e.name}}}}}, {"required", {"type"}}}}, {"then", entry_schema(e, true)}});
  }
  return {{"type", "object"},
          {"properties", {{"type", {{"enum", names}, {"description", "kind of " + group.kind}}}}},
          {"required", {"type"}},
          {"allOf", cases}};
}

Json word_or(const KindGroup& group) {
  Json names = Json::array();
  for (const KindEntry& e : group.entries) names.push_back(e.name);
  return {{"if", {{"type", "string"}}}, {"then", {{"enum", names}}}, {"else", group_schema(group)}};
}

Json elements(const std::string& definition, const char* text) {
  return {{"type", {"object", "null"}}, {"additionalProperties", reference(definition)}, {"description", text}};
}

/// Bodies, and how many of them.
Json body_schema() {
  Json schema = group_schema(kind_group("body"));
  for (Json& one : schema["allOf"]) {
    one["then"]["properties"]["repeat"] = reference("repeat");
    one["then"]["properties"]["repeat"]["description"] = "as many bodies, in rows: names with 1, 2, ... behind them";
  }
  return schema;
}

/// A surface or an outline of a contact: which of them depends on the bodies. Surfaces may be turned by an angle, too.
Json touching_schema() {
  KindGroup both = kind_group("surface");
  const KindGroup& outlines = kind_group("outline");
  const auto angle = std::find_if(outlines.entries[0].fields.begin(), outlines.entries[0].fields.end(),
                                  [](const Field& f) { return f.key == "angle"; });
  for (KindEntry& surface : both.entries) surface.fields.push_back(*angle);
  both.entries.insert(both.entries.end(), outlines.entries.begin(), outlines.entries.end());
  return group_schema(both);
}

}  // namespace

std::string model_schema() {
  const Json word = {{"type", "string"}};
  const Json number = {{"type", {"number", "string"}}};
  Json defs = {
      {"number", {{"type", {"number", "string"}}, {"description", "a number in SI, a number with a unit, or an expression"}}},
      {"end",
       {{"anyOf",
         Json::array({word, reference("inline_end"), {{"type", "object"}, {"additionalProperties", reference("number")}}})},
        {"description", "a coordinate, ground, a map {coordinate: factor}, or a point of a body in space"}}},
      {"inline_end",
       {{"type", "object"},
        {"properties",
         {{"body", word}, {"at", reference("vector")}, {"axis", reference("direction")}, {"x_axis", reference("direction")}}},
        {"required", {"body"}},
        {"additionalProperties", false},
        {"description", "{body: arm, at: [x, y, z], axis: z}: a frame in the body's own"}}},
      {"point",
       {{"anyOf", Json::array({word, reference("inline_end")})},
        {"description", "a body, body.frame, or {body: arm, at: [x, y, z]}"}}},
      {"one_or_three",
       {{"anyOf", Json::array({reference("number"), reference("vector")})}, {"description", "one number, or three"}}},
      {"triples", {{"type", "array"}, {"items", reference("vector")}}},
      {"shape", group_schema(kind_group("shape"))},
      {"shapes", {{"type", "array"}, {"items", reference("shape")}}},
      {"ends",
       {{"type", "array"},
        {"minItems", 2},
        {"maxItems", 2},
        {"items",
         {{"anyOf", Json::array({reference("end"),
                                 {{"type", "array"}, {"items", reference("end")}, {"minItems", 1}, {"maxItems", 3}}})}}}}},
      {"names", {{"anyOf", Json::array({word, {{"type", "array"}, {"items", word}}})}}},
      {"matrix",
       {{"type", "array"},
        {"items", {{"anyOf", Json::array({reference("number"), {{"type", "array"}, {"items", reference("number")}}})}}},
        {"description", "a list of rows, or the diagonal"}}},
      {"vector", {{"type", "array"}, {"items", reference("number")}}},
      {"speeds",
       {{"anyOf",
         Json::array({reference("vector"),
                      Json{{"type", "object"},
                           {"additionalProperties", false},
                           {"required", {"from", "to"}},
                           {"properties",
                            {{"from", reference("number")}, {"to", reference("number")}, {"count", reference("number")}}}}})},
        {"description", "{from, to, count}, or a list"}}},
      {"friction", word_or(kind_group("friction"))},
      {"contact", word_or(kind_group("contact"))},
      {"surface", group_schema(kind_group("surface"))},
      {"surface_list", {{"type", "array"}, {"items", reference("surface")}}},
      {"surfaces", {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", touching_schema()}}},
      {"controller", group_schema(kind_group("controller"))},
      {"adapt", {{"type", "array"}, {"items", reference("controller")}}},
      {"integrator", word_or(kind_group("integrator"))},
      {"enforcement", word_or(kind_group("enforcement"))},
      {"direction",
       {{"anyOf", Json::array({word, reference("vector")})}, {"description", "x, y, z, -x, -y, -z or three numbers"}}},
      {"orientation",
       {{"anyOf", Json::array({reference("vector"), {{"type", "object"}}})},
        {"description", "[w, x, y, z] or {axis: z, angle: 30 deg}"}}},
      {"frames", {{"type", "object"}, {"additionalProperties", {{"type", "object"}}}}},
      {"bodies", {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", reference("point")}}},
      {"drive",
       {{"type", "object"},
        {"properties",
         {{"orientation",
           {{"type", "array"},
            {"minItems", 1},
            {"items",
             {{"type", "object"}, {"minProperties", 1}, {"maxProperties", 1}, {"additionalProperties", reference("number")}}},
            {"description", "turns one after the other: [{z: \"2*t\"}, {x: 20 deg}]"}}}}},
        {"additionalProperties", reference("number")}}},
      {"stops", {{"type", "object"}}},
      {"smoothing",
       {{"type", "object"},
        {"properties", {{"shape", {{"enum", {"tanh", "saturation"}}}}, {"velocity", reference("number")}}},
        {"additionalProperties", false}}},
      {"word", word},
      {"path",
       {{"anyOf", Json::array({reference("triples"),
                               {{"type", "object"},
                                {"properties",
                                 {{"center", reference("vector")},
                                  {"axis", reference("direction")},
                                  {"angle", reference("number")},
                                  {"rise", reference("number")}}},
                                {"required", {"center", "axis", "angle"}},
                                {"additionalProperties", false}}})},
        {"description", "points, or an arc about an axis"}}},
      {"cross_section", group_schema(kind_group("cross_section"))},
      {"repeat",
       {{"type", "object"},
        {"properties",
         {{"count", {{"anyOf", Json::array({reference("number"), reference("vector")})}}},
          {"spacing", reference("vector")},
          {"scatter", reference("number")}}},
        {"required", {"count", "spacing"}},
        {"additionalProperties", false}}},
      {"body", body_schema()},
      {"force", group_schema(kind_group("force"))},
      {"joint", group_schema(kind_group("joint"))},
      {"analysis", group_schema(kind_group(analysis_registry()))}};
  for (const KindEntry& e : kind_group("section").entries) defs["section_" + e.name] = entry_schema(e, false);

  Json properties = {
      {"bristle", {{"enum", {1, "1"}}, {"description", "version of the model language"}}},
      {"title", {{"type", "string"}, {"description", "one line about the model"}}},
      {"description", {{"type", "string"}, {"description", "more about the model"}}},
      {"include", reference("names")},
      {"parameters",
       {{"type", {"object", "null"}},
        {"additionalProperties", number},
        {"description", "named numbers, usable everywhere; --set changes them"}}},
      {"gravity", {{"$ref", "#/$defs/vector"}, {"description", "acceleration of gravity on bodies in space [m/s^2]"}}},
      {"sections", elements("cross_section", "what beams are made of")},
      {"bodies", elements("body", "what moves")},
      {"states", elements("section_states", "numbers with a rate of change of your own")},
      {"forces", elements("force", "what pulls and pushes")},
      {"joints", elements("joint", "where surfaces rub")},
      {"collisions", elements("section_collisions", "bodies of which any two may meet")},
      {"analysis", reference("analysis")},
      {"record", reference("section_record")},
      {"check", reference("section_check")}};
  const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "Bristle model"},
                       {"description", "Model file of Bristle, version 1"},
                       {"type", "object"},
                       {"properties", properties},
                       {"required", {"bristle"}},
                       {"additionalProperties", false},
                       {"$defs", defs}};
  return schema.dump(2) + "\n";
}

}  // namespace bristle
