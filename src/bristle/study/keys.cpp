#include "bristle/study/keys.h"

#include "bristle/base/text.h"

namespace bristle {

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
void KeyReader::integer(const char* key, int& value, int low, int high, const char* text) {
  reader_.integer(key, value, low, high, text);
}
void KeyReader::choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) {
  reader_.choice(key, value, words, text);
}
void KeyReader::list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char*,
                     const char* text) {
  if (reader_.has(key)) reader_.list(key, value, unit, range, text);
}
void KeyReader::names(const char* key, std::vector<std::string>& value, const char*, const char*) {
  value = reader_.optional_names(key);
}
void KeyReader::form(const char*, const char*, const char*, const char*,
                     const std::function<void(Reader&, const ParameterScope&)>& read) {
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
void KeyDescriber::integer(const char* key, int& value, int low, int high, const char* text) {
  const Range range{static_cast<double>(low), static_cast<double>(high), false, false};
  fields.push_back(plain_field(Field::Kind::integer, key, unit::one, range, std::to_string(value), text));
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
void KeyDescriber::names(const char* key, std::vector<std::string>&, const char* usual, const char* text) {
  fields.push_back(shaped_field(key, usual, text, "names"));
}
void KeyDescriber::form(const char* key, const char* shape, const char* usual, const char* text,
                        const std::function<void(Reader&, const ParameterScope&)>&) {
  fields.push_back(shaped_field(key, usual, text, shape));
}

}  // namespace bristle
