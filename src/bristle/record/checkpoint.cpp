#include "bristle/record/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "bristle/base/error.h"
#include "bristle/base/sha256.h"
#include "bristle/record/file.h"

namespace bristle {

namespace {

// Before the contents, in the byte order of the machine: a checkpoint is for the build that wrote it
struct Head {
  std::array<char, 8> magic = {'B', 'R', 'I', 'S', 'T', 'L', 'E', 'c'};
  std::uint32_t order = 0x01020304;
  std::uint32_t version = 2;
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;
  std::array<char, 64> owner{};  // its SHA-256
};
static_assert(sizeof(Head) == 96);
constexpr std::size_t kOldestHead = 32;

std::array<char, 64> digest_of(const std::string& owner) {
  std::array<char, 64> digits{};
  sha256(owner).copy(digits.data(), digits.size());
  return digits;
}

// FNV-1a over words of eight bytes
std::uint64_t checksum(const std::vector<std::byte>& bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;  // high bits reach the low ones
  }
  return sum;
}

std::string file_of(const std::string& dir) { return (std::filesystem::path(dir) / "checkpoint.bin").string(); }

}  // namespace

void write_checkpoint(const std::string& dir, const Archive& archive, const std::string& owner) {
  Head head;
  head.bytes = archive.bytes().size();
  head.sum = checksum(archive.bytes());
  head.owner = digest_of(owner);
  std::string contents(sizeof head + archive.bytes().size(), '\0');
  std::memcpy(contents.data(), &head, sizeof head);
  if (!archive.bytes().empty()) std::memcpy(contents.data() + sizeof head, archive.bytes().data(), archive.bytes().size());
  write_file(file_of(dir), contents, Durable::yes);
}

Archive read_checkpoint(const std::string& dir, const std::string& owner) {
  const std::string path = file_of(dir);
  if (!has_checkpoint(dir))
    throw InputError({path}, "there is no checkpoint to go on from. Start the run again with 'bristle run'.");
  const std::string contents = read_whole_file(path);
  Head head;
  const Head ours;
  // what tells the version comes first: heads of other versions have another length
  std::memcpy(&head, contents.data(), std::min(contents.size(), sizeof head));
  if (contents.size() < kOldestHead || head.magic != ours.magic)
    throw InputError({path}, "this is not a checkpoint of bristle. Start the run again with 'bristle run'.");
  if (head.order != ours.order) throw InputError({path}, "the checkpoint was written on a machine with another byte order");
  if (head.version != ours.version)
    throw InputError({path},
                     fmt::format("the checkpoint has format {}, this program reads {}. Go on with the version that wrote it.",
                                 head.version, ours.version));
  if (contents.size() < sizeof head)
    throw InputError({path}, "the checkpoint is truncated. Start the run again with 'bristle run'.");
  const std::uint64_t there = contents.size() - sizeof head;
  if (there != head.bytes)
    throw InputError({path}, fmt::format("the checkpoint is {}: {} of {} bytes. Start the run again with 'bristle run'.",
                                         there < head.bytes ? "truncated" : "too long", there, head.bytes));
  std::vector<std::byte> bytes(there);
  if (there > 0) std::memcpy(bytes.data(), contents.data() + sizeof head, there);
  if (checksum(bytes) != head.sum)
    throw InputError({path}, "the checkpoint is damaged: its checksum is wrong. Start the run again with 'bristle run'.");
  if (head.owner != digest_of(owner))
    throw InputError(
        {path},
        "the checkpoint was written by another run, or by another version of the program. Go on with that version, or "
        "start the run again with 'bristle run'.");
  return Archive(std::move(bytes));
}

bool has_checkpoint(const std::string& dir) { return std::filesystem::exists(file_of(dir)); }

}  // namespace bristle
