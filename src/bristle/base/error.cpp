#include "bristle/base/error.h"

namespace bristle {

std::string Where::text() const {
  if (line <= 0) return file;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

namespace {
std::string join(const Where& where, const std::string& sentence) {
  const std::string place = where.text();
  return place.empty() ? sentence : place + "  " + sentence;
}
}  // namespace

InputError::InputError(Where where, const std::string& sentence)
    : std::runtime_error(join(where, sentence)), where_(std::move(where)), sentence_(sentence) {}

}  // namespace bristle
