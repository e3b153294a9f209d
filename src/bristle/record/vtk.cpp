#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "bristle/base/error.h"
#include "bristle/math/rotation.h"
#include "bristle/record/convert.h"
#include "bristle/record/decimate.h"
#include "bristle/record/file.h"
#include "bristle/record/scene.h"
#include "bristle/record/triangulate.h"

namespace bristle {

namespace {

// What a body is drawn with: its shapes, or else its centre of mass and lines from there to its joints.
struct Picture {
  Triangles surface;
  std::vector<int> lines;  // two corners each
  bool bare = false;
};

std::vector<Picture> pictures(const RunHeader& header) {
  std::vector<Picture> all(header.bodies.size());
  for (std::size_t b = 0; b < all.size(); ++b) {
    Picture& p = all[b];
    for (const Shape& s : header.bodies[b].shapes) triangulate(s, p.surface);
    if (!header.bodies[b].shapes.empty() || !is_moving(header.bodies[b])) continue;
    p.bare = true;
    p.surface.points = {0, 0, 0};
    for (const JointInfo& j : header.joints)
      for (int side = 0; side < 2; ++side) {
        if (j.body[side] != static_cast<int>(b)) continue;
        p.lines.insert(p.lines.end(), {0, static_cast<int>(p.surface.points.size() / 3)});
        p.surface.points.insert(p.surface.points.end(), j.frame[side], j.frame[side] + 3);
      }
  }
  return all;
}

// Text of an XML data array; numbers read back to the same bits.
class Numbers {
 public:
  template <class T>
  void put(T x) {
    std::array<char, 64> buffer;
    text_.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr);
    text_ += ++count_ % 12 == 0 ? '\n' : ' ';
  }
  std::string array(std::string_view type, std::string_view name, std::string_view more = "") const {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\"{} format=\"ascii\">\n{}\n</DataArray>\n", type, name, more, text_);
  }

 private:
  std::string text_;
  long long count_ = 0;
};

// Cells of one sort: corners and where each ends.
class Cells {
 public:
  void put(std::initializer_list<int> corners) {
    for (const int c : corners) corners_.put(c);
    end_ += static_cast<int>(corners.size());
    ends_.put(end_);
    ++count_;
  }
  int count() const { return count_; }
  std::string element(std::string_view name) const {
    return fmt::format("<{0}>\n{1}{2}</{0}>\n", name, corners_.array("Int32", "connectivity"), ends_.array("Int32", "offsets"));
  }

 private:
  Numbers corners_, ends_;
  int end_ = 0, count_ = 0;
};

/// What does not change from frame to frame is made once.
class FrameWriter {
 public:
  explicit FrameWriter(const RunFile& run) : run_(run), pictures_(pictures(run.header)) {
    std::array<std::vector<int>, 3> owner;  // of the cells, in the order VTK wants
    int first = 0;
    for (std::size_t b = 0; b < pictures_.size(); ++b) {
      const Picture& p = pictures_[b];
      const int body = static_cast<int>(b);
      if (p.bare) verts_.put({first}), owner[0].push_back(body);
      for (std::size_t i = 0; i + 1 < p.lines.size(); i += 2)
        lines_.put({first + p.lines[i], first + p.lines[i + 1]}), owner[1].push_back(body);
      const auto& corners = p.surface.corners;
      for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
        polys_.put({first + corners[i], first + corners[i + 1], first + corners[i + 2]}), owner[2].push_back(body);
      first += static_cast<int>(p.surface.points.size() / 3);
    }
    points_ = first;
    Numbers bodies;
    for (const auto& part : owner)
      for (const int b : part) bodies.put(b);
    cells_ = verts_.element("Verts") + lines_.element("Lines") + polys_.element("Polys") +
             fmt::format("<CellData Scalars=\"body\">\n{}</CellData>\n", bodies.array("Int32", "body"));
  }

  std::string text(std::size_t frame) const {
    Numbers points, time;
    time.put(run_.time[frame]);
    std::size_t moving = 0;
    for (std::size_t b = 0; b < pictures_.size(); ++b) {
      double pose[kPose] = {0, 0, 0, 1, 0, 0, 0};
      if (is_moving(run_.header.bodies[b])) std::copy_n(run_.frames[moving++].poses.data() + frame * kPose, kPose, pose);
      const auto& p = pictures_[b].surface.points;
      for (std::size_t i = 0; i + 2 < p.size(); i += 3) {
        const Vector3 turned = rotate({pose[3], pose[4], pose[5], pose[6]}, {p[i], p[i + 1], p[i + 2]});
        for (std::size_t k = 0; k < 3; ++k) points.put(static_cast<float>(pose[k] + turned[k]));
      }
    }
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n<FieldData>\n{}</FieldData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n"
        "<Points>\n{}</Points>\n{}</Piece>\n</PolyData>\n</VTKFile>\n",
        time.array("Float64", "TimeValue", " NumberOfTuples=\"1\""), points_, verts_.count(), lines_.count(), polys_.count(),
        points.array("Float32", "Points", " NumberOfComponents=\"3\""), cells_);
  }

 private:
  const RunFile& run_;
  std::vector<Picture> pictures_;
  Cells verts_, lines_, polys_;
  int points_ = 0;
  std::string cells_;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '"') result += "&quot;";
    else result += c;
  }
  return result;
}

bool is_whole(const RunFile& run, std::size_t frame) {
  for (const RunFrames& f : run.frames)
    for (std::size_t i = 0; i < kPose; ++i)
      if (!std::isfinite(f.poses[frame * kPose + i])) return false;
  return true;
}

}  // namespace

int write_vtk(const RunFile& run, const std::string& path, int max_frames) {
  if (run.frames.empty())
    throw InputError(
        {run.path.empty() ? path : run.path},
        "the run has no bodies in space, so there is nothing for VTK to show. Its channels can be had as csv or npz.");
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).replace_extension().string() + "_vtk";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({folder.string()}, fmt::format("the folder cannot be made: {}", error.message()));

  const FrameWriter frames(run);
  std::string sets;
  int written = 0;
  for (const std::size_t i : thin(run.time.size(), {}, max_frames)) {
    if (!is_whole(run, i)) continue;
    const std::string name = fmt::format("{:06}.vtp", written++);
    write_file((folder / name).string(), frames.text(i));
    sets += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", run.time[i],
                        escaped(folder.filename().string()), name);
  }
  // frames of an earlier, longer run would be left lying about
  for (int i = written; fs::remove(folder / fmt::format("{:06}.vtp", i), error); ++i) {}
  write_file(path,
             fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                         "<Collection>\n{}</Collection>\n</VTKFile>\n",
                         sets));
  return written;
}

}  // namespace bristle
