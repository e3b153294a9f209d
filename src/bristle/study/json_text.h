#pragma once
#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>

namespace bristle {

using Json = nlohmann::ordered_json;

/// As it is printed; texts of users that are no UTF-8 are mended.
inline std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

inline Json json_rows(const Eigen::MatrixXd& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bristle
