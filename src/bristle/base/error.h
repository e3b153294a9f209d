#pragma once
#include <stdexcept>
#include <string>

namespace bristle {

/// A place in a file the user wrote; line and column count from 1, 0 means unknown.
struct Where {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;  ///< "model.yaml:4:7", or "" when nothing is known
};

/// Wrong input: a sentence with place, value, limit and a way out. The program exits with code 2.
class InputError : public std::runtime_error {
 public:
  InputError(Where where, const std::string& sentence);
  const Where& where() const { return where_; }
  const std::string& sentence() const { return sentence_; }

 private:
  Where where_;
  std::string sentence_;
};

/// A computation that did not come to an end: did not converge, singular. The program exits with code 3.
class SolveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bristle
