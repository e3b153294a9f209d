#include "bristle/assemble/keys.h"

#include <algorithm>

#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {
/// A key without a default must be given.
void require_given(const Reader& reader, const char* key, const char* usual, const char* text, const char* example) {
  if (*usual == 0 && !reader.has(key))
    reader.fail(key, std::string("missing key '") + key + "' (" + text + "). Write " + key + ": " + example);
}
}  // namespace

void KeyReader::required(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  value = reader_.number(key, unit, range, text);
}
void KeyReader::number(const char* key, double& value, const Unit& unit, const Range& range, const char*, const char*) {
  value = reader_.optional_number(key, unit, range).value_or(value);
}
void KeyReader::number(const char* key, std::optional<double>& value, const Unit& unit, const Range& range, const char*,
                       const char*) {
  value = reader_.optional_number(key, unit, range);
}
void KeyReader::number_or(const char* word, const char* key, std::optional<double>& value, const Unit& unit, const Range& range,
                          const char*, const char*) {
  const Node* node = reader_.node().find(key);
  if (node != nullptr && node->is_scalar() && node->text == word && reader_.optional_child(key) != nullptr) value = 0;
  else value = reader_.optional_number(key, unit, range);
}
void KeyReader::integer(const char* key, int& value, int low, int high, const char* usual, const char* text) {
  require_given(reader_, key, usual, text, std::to_string(std::max(low, std::min(high, 8))).c_str());
  reader_.integer(key, value, low, high, text);
}
void KeyReader::flag(const char* key, bool& value, const char* text) { reader_.flag(key, value, text); }
void KeyReader::choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) {
  reader_.choice(key, value, words, text);
}
void KeyReader::list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char*,
                     const char* text) {
  if (reader_.has(key)) reader_.list(key, value, unit, range, text);
}
void KeyReader::word(const char* key, std::string& value, const char* usual, const char* text) {
  value = *usual == 0 ? reader_.text(key, text) : reader_.optional_text(key, value);
}
void KeyReader::names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) {
  value = *usual == 0 ? reader_.names(key, text) : reader_.optional_names(key);
}
void KeyReader::signal(const char* key, Signal& value, const Unit& unit, const char* usual, const char* text) {
  require_given(reader_, key, usual, text, "\"...\", a number or an expression");
  reader_.signal(key, value, unit, text);
}
void KeyReader::vector(const char* key, std::optional<Vec3<>>& value, const Unit& unit, const char* usual, const char* text) {
  require_given(reader_, key, usual, text, "[x, y, z]");
  value = read_vector3(reader_, key, unit);
}
void KeyReader::direction(const char* key, std::optional<Vec3<>>& value, const char* usual, const char* text) {
  require_given(reader_, key, usual, text, "z");
  if (const Node* given = reader_.optional_child(key)) value = read_direction(*given, scope_, reader_.owner() + ": " + key);
}
void KeyReader::orientation(const char* key, std::optional<Quaternion>& value, const char*, const char*) {
  value = read_orientation(reader_, key, scope_);
}
void KeyReader::node(const char* key, const char*, const Node*& value, const char* usual, const char* text) {
  value = *usual == 0 ? &reader_.child(key, text) : reader_.optional_child(key);
}
void KeyReader::form(const char*, const char*, const char*, const char*, const std::function<void(Reader&, const Scope&)>& read) {
  read(reader_, scope_);
}

void KeyDescriber::required(const char* key, double&, const Unit& unit, const Range& range, const char* text) {
  fields.push_back(plain_field(Field::Kind::number, key, unit, range, "", text));
}
void KeyDescriber::number(const char* key, double&, const Unit& unit, const Range& range, const char* usual, const char* text) {
  fields.push_back(plain_field(Field::Kind::number, key, unit, range, usual, text));
}
void KeyDescriber::number(const char* key, std::optional<double>&, const Unit& unit, const Range& range, const char* usual,
                          const char* text) {
  fields.push_back(plain_field(Field::Kind::number, key, unit, range, usual, text));
}
void KeyDescriber::number_or(const char*, const char* key, std::optional<double>&, const Unit& unit, const Range& range,
                             const char* usual, const char* text) {
  fields.push_back(plain_field(Field::Kind::number, key, unit, range, usual, text));
}
void KeyDescriber::integer(const char* key, int&, int low, int high, const char* usual, const char* text) {
  const Range range{static_cast<double>(low), static_cast<double>(high), false, false};
  fields.push_back(plain_field(Field::Kind::integer, key, unit::one, range, usual, text));
}
void KeyDescriber::flag(const char* key, bool& value, const char* text) {
  fields.push_back(shaped_field(key, value ? "true" : "false", text));
  fields.back().kind = Field::Kind::flag;
}
void KeyDescriber::choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) {
  Field f = shaped_field(key, words.begin()[value], text);
  f.kind = Field::Kind::choice;
  f.words.assign(words.begin(), words.end());
  fields.push_back(std::move(f));
}
void KeyDescriber::list(const char* key, std::vector<double>&, const Unit& unit, const Range& range, const char* usual,
                        const char* text) {
  fields.push_back(plain_field(Field::Kind::list, key, unit, range, usual, text));
}
void KeyDescriber::word(const char* key, std::string&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "word"));
}
void KeyDescriber::names(const char* key, std::vector<std::string>&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "names"));
}
void KeyDescriber::signal(const char* key, Signal&, const Unit& unit, const char* usual, const char* text) {
  fields.push_back(plain_field(Field::Kind::signal, key, unit, any, usual, text));
}
void KeyDescriber::vector(const char* key, std::optional<Vec3<>>&, const Unit&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "vector"));
}
void KeyDescriber::direction(const char* key, std::optional<Vec3<>>&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "direction"));
}
void KeyDescriber::orientation(const char* key, std::optional<Quaternion>&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "orientation"));
}
void KeyDescriber::node(const char* key, const char* shape, const Node*&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, shape));
}
void KeyDescriber::form(const char* key, const char* shape, const char* usual, const char* text,
                        const std::function<void(Reader&, const Scope&)>&) {
  fields.push_back(shaped_field(key, usual, text, shape));
}

void AxesKeys::visit(Keys& keys, const char* text, const char* x_text, const char* x_usual) {
  constexpr double kAlong = 1e-6;  // sine of the angle up to which a direction gives no other axis
  keys.direction("axis", axis, "z", text);
  keys.direction("x_axis", x_axis, x_usual, x_text);
  const Vec3<> z = axis.value_or(Vec3<>{{0, 0, 1}});
  if (x_axis && norm(*x_axis - dot(*x_axis, z) * z) < kAlong)
    keys.refuse(
        "x_axis",
        "x_axis points along axis and says nothing about the turn about it. Give a direction across axis, or leave x_axis out");
}

Mat3<> AxesKeys::frame() const { return frame_along(axis.value_or(Vec3<>{{0, 0, 1}}), x_axis); }

}  // namespace bristle
