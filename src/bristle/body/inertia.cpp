#include "bristle/body/inertia.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace bristle {

namespace {

MassProperties diagonal(double mass, double xx, double yy, double zz) {
  MassProperties p;
  p.mass = mass;
  p.inertia(0, 0) = xx, p.inertia(1, 1) = yy, p.inertia(2, 2) = zz;
  return p;
}

/// Inertia about a point at distance d from the centre, less that about the centre.
Mat3<> steiner(double mass, const Vec3<>& d) {
  Mat3<> J;
  const double square = dot(d, d);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) J(i, j) = mass * ((i == j ? square : 0.0) - d[i] * d[j]);
  }
  return J;
}

/// Makes one corner of all corners at the same point and leaves out triangles that have lost one.
Mesh welded(const std::vector<Vec3<>>& corners) {
  Mesh mesh;
  std::map<std::array<double, 3>, int> known;
  const auto index = [&](const Vec3<>& p) {
    const auto [at, fresh] = known.emplace(std::array{p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}, static_cast<int>(mesh.points.size()));
    if (fresh) mesh.points.push_back(p);
    return at->second;
  };
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
    const int a = index(corners[k]), b = index(corners[k + 1]), c = index(corners[k + 2]);
    if (a == b || b == c || c == a) continue;
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
  }
  return mesh;
}

double number_of(std::string_view word) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(x))
    throw std::runtime_error("'" + std::string(word.substr(0, 30)) + "' is not a number");
  return x;
}

/// Words of a text, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view next() {
    const std::size_t from = text_.find_first_not_of(" \t\r\n", at_);
    if (from == std::string_view::npos) {
      at_ = text_.size();
      return {};
    }
    at_ = std::min(text_.find_first_of(" \t\r\n", from), text_.size());
    return text_.substr(from, at_ - from);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

MassProperties solid_box(double x, double y, double z) {
  const double m = x * y * z;
  return diagonal(m, m * (y * y + z * z) / 12, m * (x * x + z * z) / 12, m * (x * x + y * y) / 12);
}

MassProperties solid_cylinder(double radius, double length) { return solid_tube(radius, 0, length); }

MassProperties solid_sphere(double radius) {
  const double m = 4.0 / 3 * std::numbers::pi * radius * radius * radius, J = 0.4 * m * radius * radius;
  return diagonal(m, J, J, J);
}

MassProperties solid_tube(double outer_radius, double inner_radius, double length) {
  const double R2 = outer_radius * outer_radius, r2 = inner_radius * inner_radius;
  const double m = std::numbers::pi * (R2 - r2) * length;
  const double across = m * ((R2 + r2) / 4 + length * length / 12);
  return diagonal(m, across, across, m * (R2 + r2) / 2);
}

/// Every triangle makes a tetrahedron with a point near the middle: volume det/6, first moment and products of the canonical one
/// (Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, doi:10.3844/jmssp.2005.8.11; Eberly writes it by faces).
MassProperties solid_mesh(const Mesh& mesh) {
  Vec3<> middle;
  for (const Vec3<>& p : mesh.points) middle = middle + (1.0 / static_cast<double>(mesh.points.size())) * p;
  double volume = 0;
  Vec3<> first;
  Mat3<> second;  // integral of x x'
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    Vec3<> p[3];
    for (std::size_t i = 0; i < 3; ++i) p[i] = mesh.points[static_cast<std::size_t>(mesh.triangles[k + i])] - middle;
    const double det = dot(p[0], cross(p[1], p[2]));
    const Vec3<> sum = p[0] + p[1] + p[2];
    volume += det / 6;
    first = first + (det / 24) * sum;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        second(i, j) += det / 120 * (sum[i] * sum[j] + p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j]);
    }
  }
  MassProperties s;
  s.mass = volume;
  const Vec3<> offset = (1 / volume) * first;
  s.center = middle + offset;
  const double trace = second(0, 0) + second(1, 1) + second(2, 2);
  const Mat3<> shift = steiner(volume, offset);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s.inertia(i, j) = (i == j ? trace : 0.0) - second(i, j) - shift(i, j);
  }
  return s;
}

std::string close_mesh(Mesh& mesh) {
  if (mesh.triangles.size() < 12)
    return "has " + std::to_string(mesh.triangles.size() / 3) + " triangles; a solid needs at least four";
  // every edge is passed as often one way as the other
  std::map<std::pair<int, int>, int> passes;
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = mesh.triangles[k + i], b = mesh.triangles[k + (i + 1) % 3];
      passes[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  const auto open = std::count_if(passes.begin(), passes.end(), [](const auto& p) { return p.second != 0; });
  if (open > 0) {
    return "is not closed: " + std::to_string(open) + " of its " + std::to_string(passes.size()) +
           " edges have a hole beside them, or triangles that face opposite ways";
  }
  double volume = 0, size = 0;
  const Vec3<> from = mesh.points[static_cast<std::size_t>(mesh.triangles[0])];
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    Vec3<> p[3];
    for (std::size_t i = 0; i < 3; ++i) p[i] = mesh.points[static_cast<std::size_t>(mesh.triangles[k + i])] - from;
    volume += dot(p[0], cross(p[1], p[2])) / 6;
    for (const Vec3<>& q : p) size = std::max(size, norm(q));
  }
  if (!(std::abs(volume) > 1e-9 * size * size * size)) return "encloses no volume: it is flat, or its parts cancel each other";
  if (volume < 0) {
    for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) std::swap(mesh.triangles[k], mesh.triangles[k + 1]);
  }
  return "";
}

Mesh parse_stl(std::string_view bytes) {
  std::vector<Vec3<>> corners;
  // binary: 80 bytes, number of triangles, 50 bytes each (normal, three corners, two spare); ASCII ones start with solid, but so do
  // some binary ones: the length tells
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, 4);
  if (bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::size_t>(count)) {
    for (std::size_t k = 0; k < count; ++k) {
      float x[9];
      std::memcpy(x, bytes.data() + 84 + 50 * k + 12, sizeof x);
      for (std::size_t i = 0; i < 9; i += 3) {
        if (!std::isfinite(x[i]) || !std::isfinite(x[i + 1]) || !std::isfinite(x[i + 2]))
          throw std::runtime_error("triangle " + std::to_string(k + 1) + " has a corner that is not a number");
        corners.push_back({{x[i], x[i + 1], x[i + 2]}});
      }
    }
    return welded(corners);
  }
  Words words(bytes);
  if (words.next() != "solid")
    throw std::runtime_error("it is neither an ASCII STL (it would start with solid) nor a whole binary one");
  for (std::string_view w = words.next(); !w.empty(); w = words.next()) {
    if (w != "vertex") continue;
    Vec3<> p;
    for (int i = 0; i < 3; ++i) p[i] = number_of(words.next());
    corners.push_back(p);
  }
  if (corners.empty()) throw std::runtime_error("it has no triangles, or it is a binary file that is cut off");
  if (corners.size() % 3 != 0) throw std::runtime_error("its last triangle is cut off");
  return welded(corners);
}

Mesh parse_obj(std::string_view text) {
  std::vector<Vec3<>> points, corners;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      Words words(line);
      const std::string_view what = words.next();
      if (what == "v") {
        Vec3<> p;
        for (int i = 0; i < 3; ++i) p[i] = number_of(words.next());
        points.push_back(p);
      } else if (what == "f") {
        // index, index/texture, index//normal; negative ones count from the last point; polygons become fans
        std::vector<Vec3<>> face;
        for (std::string_view w = words.next(); !w.empty(); w = words.next()) {
          const double n = number_of(w.substr(0, w.find('/')));
          const double at = n < 0 ? static_cast<double>(points.size()) + n : n - 1;
          if (!(at >= 0) || !(at < static_cast<double>(points.size())) || at != std::floor(at))
            throw std::runtime_error("there is no point " + std::string(w));
          face.push_back(points[static_cast<std::size_t>(at)]);
        }
        if (face.size() < 3) throw std::runtime_error("a face needs three corners");
        for (std::size_t i = 1; i + 1 < face.size(); ++i) corners.insert(corners.end(), {face[0], face[i], face[i + 1]});
      }
    } catch (const std::runtime_error& e) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + e.what());
    }
  }
  return welded(corners);
}

Mesh read_mesh(const std::string& path) {
  std::string ending = path.size() > 4 ? path.substr(path.size() - 4) : "";
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending != ".stl" && ending != ".obj") throw std::runtime_error("a mesh is a file .stl or .obj");
  namespace fs = std::filesystem;
  constexpr std::uintmax_t kLimit = std::uintmax_t{1} << 30;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw std::runtime_error("it cannot be read: there is no such file");
  if (fs::is_directory(status)) throw std::runtime_error("it is a folder");
  if (!fs::is_regular_file(status)) throw std::runtime_error("it is not a regular file");
  if (const std::uintmax_t size = fs::file_size(path, error); !error && size > kLimit)
    throw std::runtime_error("it has " + std::to_string(size) + " bytes; the limit is 1 GB. Use a coarser mesh");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) throw std::runtime_error("it cannot be read");
  return ending == ".stl" ? parse_stl(bytes.str()) : parse_obj(bytes.str());
}

MassProperties scaled(const MassProperties& solid, double factor) {
  MassProperties s = solid;
  s.mass *= factor;
  for (double& x : s.inertia.m) x *= factor;
  return s;
}

MassProperties placed(const MassProperties& solid, const Vec3<>& position, const Mat3<>& R) {
  MassProperties s = solid;
  s.center = position + R * solid.center;
  const Mat3<> half = R * solid.inertia;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      s.inertia(i, j) = 0;
      for (int k = 0; k < 3; ++k) s.inertia(i, j) += half(i, k) * R(j, k);
    }
  }
  return s;
}

MassProperties combined(const std::vector<MassProperties>& solids) {
  MassProperties all;
  for (const MassProperties& s : solids) {
    all.mass += s.mass;
    all.center = all.center + s.mass * s.center;
  }
  all.center = (1 / all.mass) * all.center;
  for (const MassProperties& s : solids) {
    const Mat3<> shift = steiner(s.mass, s.center - all.center);
    for (std::size_t k = 0; k < 9; ++k) all.inertia.m[k] += s.inertia.m[k] + shift.m[k];
  }
  return all;
}

}  // namespace bristle
