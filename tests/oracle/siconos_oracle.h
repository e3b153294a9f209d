#pragma once
#include <vector>

namespace bristle::test {

/// What Siconos' numerics say about contacts with Coulomb friction: u = W r + q, three numbers per contact (normal, tangents), W row-major.
struct SiconosAnswer {
  bool solved = false;
  std::vector<double> impulse, velocity;
};
SiconosAnswer siconos_contacts(const std::vector<double>& W, const std::vector<double>& q, const std::vector<double>& mu,
                               double tolerance);

}  // namespace bristle::test
