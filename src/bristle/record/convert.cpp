#include "bristle/record/convert.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "bristle/base/error.h"
#include "bristle/record/file.h"
#include "bristle/record/scene.h"

namespace bristle {

std::string csv_text(std::string_view text) {
  std::string cell(text);
  if (!cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos) cell.insert(0, "'");
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char c : cell) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

namespace {

std::string_view csv_number(double x, std::span<char> buffer) {
  if (std::isnan(x)) return "nan";
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;  // shortest that reads back
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t sum = 0) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      t[i] = i;
      for (int k = 0; k < 8; ++k) t[i] = (t[i] >> 1) ^ (t[i] & 1 ? 0xedb88320u : 0u);
    }
    return t;
  }();
  sum = ~sum;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

static_assert(std::endian::native == std::endian::little, "zip and npy are written in the byte order of the machine");

template <class T>
void put(std::string& out, T x) {
  out.append(reinterpret_cast<const char*>(&x), sizeof x);
}

// A zip archive of stored, uncompressed entries, with 64-bit sizes where they are needed (APPNOTE 4.3, 4.5.3).
class ZipStore {
 public:
  explicit ZipStore(const std::string& path) : file_(path) {}

  void add(const std::string& name, std::string_view head, std::string_view data) {
    Entry e{name, head.size() + data.size(), at_, crc32(data, crc32(head))};
    std::string local;
    put<std::uint32_t>(local, 0x04034b50);
    put_common(local, e, e.size >= kLimit);
    put<std::uint16_t>(local, e.size >= kLimit ? 20 : 0);
    local += name;
    if (e.size >= kLimit) {
      put<std::uint16_t>(local, 1);
      put<std::uint16_t>(local, 16);
      put<std::uint64_t>(local, e.size);
      put<std::uint64_t>(local, e.size);
    }
    write(local);
    write(head);
    write(data);
    entries_.push_back(std::move(e));
  }

  void finish() {
    const std::uint64_t start = at_;
    for (const Entry& e : entries_) {
      const bool large = e.size >= kLimit || e.offset >= kLimit;
      std::string record;
      put<std::uint32_t>(record, 0x02014b50);
      put<std::uint16_t>(record, large ? 45 : 20);
      put_common(record, e, large);
      put<std::uint16_t>(record, large ? 28 : 0);
      put<std::uint16_t>(record, 0);  // comment
      put<std::uint16_t>(record, 0);  // disk
      put<std::uint16_t>(record, 0);
      put<std::uint32_t>(record, 0);
      put<std::uint32_t>(record, large ? 0xffffffffu : static_cast<std::uint32_t>(e.offset));
      record += e.name;
      if (large) {
        put<std::uint16_t>(record, 1);
        put<std::uint16_t>(record, 24);
        put<std::uint64_t>(record, e.size);
        put<std::uint64_t>(record, e.size);
        put<std::uint64_t>(record, e.offset);
      }
      write(record);
    }
    const std::uint64_t size = at_ - start, count = entries_.size();
    const bool large = start >= kLimit || size >= kLimit || count >= 0xffff;
    std::string end;
    if (large) {
      const std::uint64_t here = at_;
      put<std::uint32_t>(end, 0x06064b50);
      put<std::uint64_t>(end, 44);
      put<std::uint16_t>(end, 45);
      put<std::uint16_t>(end, 45);
      put<std::uint32_t>(end, 0);
      put<std::uint32_t>(end, 0);
      put<std::uint64_t>(end, count);
      put<std::uint64_t>(end, count);
      put<std::uint64_t>(end, size);
      put<std::uint64_t>(end, start);
      put<std::uint32_t>(end, 0x07064b50);
      put<std::uint32_t>(end, 0);
      put<std::uint64_t>(end, here);
      put<std::uint32_t>(end, 1);
    }
    put<std::uint32_t>(end, 0x06054b50);
    put<std::uint32_t>(end, 0);
    const auto short_count = static_cast<std::uint16_t>(large ? 0xffff : count);
    put<std::uint16_t>(end, short_count);
    put<std::uint16_t>(end, short_count);
    put<std::uint32_t>(end, large ? 0xffffffffu : static_cast<std::uint32_t>(size));
    put<std::uint32_t>(end, large ? 0xffffffffu : static_cast<std::uint32_t>(start));
    put<std::uint16_t>(end, 0);
    write(end);
    file_.commit();
  }

 private:
  static constexpr std::uint64_t kLimit = 0xffffffffu;
  struct Entry {
    std::string name;
    std::uint64_t size, offset;
    std::uint32_t sum;
  };

  // what local and central headers have in common, up to the length of the name
  static void put_common(std::string& out, const Entry& e, bool large) {
    put<std::uint16_t>(out, large ? 45 : 20);
    put<std::uint16_t>(out, 0x0800);  // names are UTF-8
    put<std::uint16_t>(out, 0);       // stored
    put<std::uint16_t>(out, 0);       // 00:00
    put<std::uint16_t>(out, 0x0021);  // 1980-01-01: the same run gives the same bytes
    put<std::uint32_t>(out, e.sum);
    const auto size = large ? 0xffffffffu : static_cast<std::uint32_t>(e.size);
    put<std::uint32_t>(out, size);
    put<std::uint32_t>(out, size);
    put<std::uint16_t>(out, static_cast<std::uint16_t>(e.name.size()));
  }
  void write(std::string_view bytes) {
    file_.put(bytes);
    at_ += bytes.size();
  }

  WholeFile file_;
  std::uint64_t at_ = 0;
  std::vector<Entry> entries_;
};

std::string npy_head(std::size_t n, std::size_t width = 1, bool matrix = false) {
  const std::string shape = width == 1 && !matrix ? fmt::format("({},)", n) : fmt::format("({}, {})", n, width);
  std::string dict = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  std::string head = "\x93NUMPY\x01";
  head += '\0';
  put<std::uint16_t>(head, static_cast<std::uint16_t>(dict.size()));
  return head + dict;
}

std::string_view bytes_of(const std::vector<double>& x) {
  return {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double)};
}

}  // namespace

void write_csv(const RunFile& run, const std::string& path) {
  WholeFile file(path);
  const RunHeader& header = run.header;
  std::string line = csv_text(header.axis_unit.empty() ? header.axis : fmt::format("{} [{}]", header.axis, header.axis_unit));
  for (const RunChannel& c : run.channels)
    line += "," + csv_text(c.channel.unit.empty() ? c.channel.name : fmt::format("{} [{}]", c.channel.name, c.channel.unit));
  file.put(line + "\n");
  std::array<char, 64> buffer;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    line = csv_number(run.time[i], buffer);
    for (const RunChannel& c : run.channels) {
      line += ',';
      line += csv_number(c.values[i], buffer);
    }
    line += '\n';
    file.put(line);
  }
  file.commit();
}

void write_npz(const RunFile& run, const std::string& path) {
  ZipStore zip(path);
  const std::string& axis = run.header.axis;
  zip.add(axis + ".npy", npy_head(run.time.size()), bytes_of(run.time));
  for (const RunChannel& c : run.channels) {
    if (c.channel.name == axis)
      throw InputError({path}, fmt::format("a channel is named '{}', which is the key of the samples", axis));
    if (c.channel.name.size() > 60000) throw InputError({path}, "the name of a channel is too long for a NumPy archive");
    zip.add(c.channel.name + ".npy", npy_head(c.values.size()), bytes_of(c.values));
  }
  for (const RunFrames& f : run.frames)
    zip.add("frames/" + f.body + ".npy", npy_head(f.poses.size() / kPose, kPose), bytes_of(f.poses));
  zip.finish();
}

void write_matrices_npz(const std::vector<NamedMatrix>& matrices, const std::string& path) {
  ZipStore zip(path);
  for (const NamedMatrix& m : matrices) zip.add(m.name + ".npy", npy_head(m.rows, m.columns, true), bytes_of(m.numbers));
  zip.finish();
}

}  // namespace bristle
