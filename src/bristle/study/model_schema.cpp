#include <algorithm>

#include "bristle/model/sections.h"
#include "bristle/study/analysis.h"
#include "bristle/study/json_text.h"

namespace bristle {

namespace {

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

/// The schema of one type: its fields and the word it is called by.
Json entry_schema(const KindEntry& entry, bool typed) {
  Json schema = Json::parse(parameter_schema(entry.fields));
  const auto replace = [&](const std::string& key, Json form) {
    Json& property = schema["properties"][key];
    form["description"] = property["description"];
    property = std::move(form);
  };
  for (const Field& field : entry.fields) {
    if (!field.form.empty()) replace(field.key, reference(field.form));
  }
  for (const KindEntry& map : entry.maps) replace(map.name, entry_schema(map, false));
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

/// A map of names, each with something of that form.
Json named(const std::string& definition, const std::string& text) {
  return {{"type", {"object", "null"}}, {"additionalProperties", reference(definition)}, {"description", text}};
}

/// An object with these keys and no others.
Json object_of(const Json& properties, const Json& required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}
Json list_of(const Json& items) { return {{"type", "array"}, {"items", items}}; }
Json pair_of(const Json& items) { return {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", items}}; }
Json any_of(std::initializer_list<Json> forms) {
  Json list = Json::array();
  for (const Json& form : forms) list.push_back(form);
  return {{"anyOf", list}};
}
Json said(Json schema, const char* text) {
  schema["description"] = text;
  return schema;
}

/// Bodies, and how many of them.
Json body_schema(const KindGroup& bodies) {
  Json schema = group_schema(bodies);
  for (Json& one : schema["allOf"])
    one["then"]["properties"]["repeat"] = said(reference("repeat"), "as many bodies, in rows: names with 1, 2, ... behind them");
  return schema;
}

/// A surface or an outline of a contact: which of them depends on the bodies. Surfaces may be turned by an angle, too.
Json touching_schema(KindGroup both, const KindGroup& outlines) {
  const auto angle = std::find_if(outlines.entries[0].fields.begin(), outlines.entries[0].fields.end(),
                                  [](const Field& f) { return f.key == "angle"; });
  for (KindEntry& surface : both.entries) surface.fields.push_back(*angle);
  both.entries.insert(both.entries.end(), outlines.entries.begin(), outlines.entries.end());
  return group_schema(both);
}

/// Forms of values: numbers, vectors, directions, ends of elements.
void add_values(Json& defs) {
  const Json word = {{"type", "string"}}, number = reference("number"), vector = reference("vector"),
             direction = reference("direction");
  defs["word"] = word;
  defs["version"] = {{"enum", {1, "1"}}};
  defs["parameters"] = {{"type", {"object", "null"}}, {"additionalProperties", {{"type", {"number", "string"}}}}};
  defs["number"] = said({{"type", {"number", "string"}}}, "a number in SI, a number with a unit, or an expression");
  defs["names"] = any_of({word, list_of(word)});
  defs["vector"] = list_of(number);
  defs["triples"] = list_of(vector);
  defs["one_or_three"] = said(any_of({number, vector}), "one number, or three");
  defs["matrix"] = said(list_of(any_of({number, list_of(number)})), "a list of rows, or the diagonal");
  defs["direction"] = said(any_of({word, vector}), "x, y, z, -x, -y, -z or three numbers");
  defs["orientation"] = said(any_of({vector, object_of({{"axis", direction}, {"angle", number}}, {"axis", "angle"})}),
                             "[w, x, y, z] or {axis: z, angle: 30 deg}");
  const Json frame = {{"at", vector}, {"axis", direction}, {"x_axis", direction}};
  defs["frames"] = {{"type", "object"}, {"additionalProperties", object_of(frame)}};
  Json inline_end = {{"body", word}};
  inline_end.update(frame);
  defs["inline_end"] = said(object_of(inline_end, {"body"}), "{body: arm, at: [x, y, z], axis: z}: a frame in the body's own");
  defs["point"] = said(any_of({word, reference("inline_end")}), "a body, body.frame, or {body: arm, at: [x, y, z]}");
  defs["bodies"] = pair_of(reference("point"));
  defs["end"] = said(any_of({word, reference("inline_end"), {{"type", "object"}, {"additionalProperties", number}}}),
                     "a coordinate, ground, a map {coordinate: factor}, or a point of a body in space");
  Json ends = list_of(reference("end"));
  ends["minItems"] = 1, ends["maxItems"] = 3;
  defs["ends"] = pair_of(any_of({reference("end"), ends}));
}

/// Forms that belong to a key of one kind of element.
void add_forms(Json& defs) {
  const Json number = reference("number"), vector = reference("vector"), direction = reference("direction");
  defs["speeds"] = said(any_of({vector, object_of({{"from", number}, {"to", number}, {"count", number}}, {"from", "to"})}),
                        "{from, to, count}, or a list");
  Json turn = {{"type", "object"}, {"minProperties", 1}, {"maxProperties", 1}};
  turn.update(object_of({{"x", number}, {"y", number}, {"z", number}}));
  defs["turns"] = list_of(turn);
  defs["turns"]["minItems"] = 1;
  defs["path"] =
      said(any_of({reference("triples"), object_of({{"center", vector}, {"axis", direction}, {"angle", number}, {"rise", number}},
                                                   {"center", "axis", "angle"})}),
           "points, or an arc about an axis");
  defs["beam_start"] =
      object_of({{"displacement", vector}, {"rotation", vector}, {"velocity", vector}, {"angular_velocity", vector}});
  defs["repeat"] =
      object_of({{"count", any_of({number, vector})}, {"spacing", vector}, {"scatter", number}}, {"count", "spacing"});
  defs["smoothing"] = entry_schema(smoothing_map(), false);
}

/// What types may be named, and lists of them.
void add_kinds(Json& defs, const std::vector<KindGroup>& kinds) {
  const auto group = [&](const char* kind) -> const KindGroup& { return kind_group(kinds, kind); };
  for (const char* kind : {"shape", "surface", "controller", "cross_section", "force", "joint", "analysis"})
    defs[kind] = group_schema(group(kind));
  for (const char* law : {"friction", "contact", "integrator", "enforcement"}) defs[law] = word_or(group(law));
  defs["body"] = body_schema(group("body"));
  defs["shapes"] = list_of(reference("shape"));
  defs["surface_list"] = list_of(reference("surface"));
  defs["surfaces"] = pair_of(touching_schema(group("surface"), group("outline")));
  defs["adapt"] = list_of(reference("controller"));
  for (const KindEntry& e : group("section").entries) defs["section_" + e.name] = entry_schema(e, false);
}

}  // namespace

std::string model_schema(const AnalysisRegistry& analyses, const Elements& elements) {
  Json defs = Json::object(), properties = Json::object();
  add_values(defs);
  add_forms(defs);
  add_kinds(defs, all_kinds(analyses, elements));
  properties["include"] = reference("names");  // its sections become those of the model
  for (const ModelSection& section : model_sections()) {
    properties[section.name] =
        section.elements ? named(section.form, section.text) : said(reference(section.form), section.text.c_str());
  }
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
