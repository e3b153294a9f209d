#include "validation/page.h"

#include <fmt/format.h>

namespace bristle {

namespace {

const char* mark_of(ValidationRow::Verdict verdict) {
  switch (verdict) {
    case ValidationRow::Verdict::kAgrees: return "ok";
    case ValidationRow::Verdict::kFails: return "**no**";
    case ValidationRow::Verdict::kShown: return "shown";
    case ValidationRow::Verdict::kDiffers: return "differs";
  }
  return "";
}

std::string escaped(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

}  // namespace

void VerdictCount::add(const std::vector<ValidationRow>& rows) {
  for (const ValidationRow& r : rows) ++count_[static_cast<std::size_t>(r.verdict)];
}

std::string VerdictCount::text() const {
  using enum ValidationRow::Verdict;
  return fmt::format("{} of {} published and reference figures reproduced; {} more shown, {} differ for the reason beside them",
                     of(kAgrees), of(kAgrees) + of(kFails), of(kShown), of(kDiffers));
}

std::string page_head() { return "# Published results, theirs and ours\n\nWritten by `bristle validate --markdown`.\n\n"; }

std::string page_section(const ValidationCase& c, const std::vector<ValidationRow>& rows) {
  std::string out =
      fmt::format("## {}\n\n`bristle validate {}`. Source: {}\n\n| quantity | published | ours | | |\n|---|---|---|---|---|\n",
                  c.title, c.name, c.source);
  for (const ValidationRow& r : rows)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", escaped(r.quantity), escaped(r.published), escaped(r.ours),
                       mark_of(r.verdict), escaped(r.note));
  return out + "\n";
}

}  // namespace bristle
