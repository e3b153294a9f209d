#include "bristle/study/analysis.h"

#include <fmt/format.h>

#include "bristle/record/file.h"

namespace bristle {

ResultFile text_file(const std::string& name, std::string text) {
  return {name, [text = std::move(text)](const std::string& path) { write_file(path, text); }};
}

int AnalysisResult::exit_code() const {
  switch (end) {
    case RunStatus::End::finished: return failed_check.empty() ? kOk : kCheckFailed;
    case RunStatus::End::untrusted: return failed_check.empty() ? kUntrusted : kCheckFailed;
    case RunStatus::End::interrupted: return kInterrupted;
    default: return kNoConvergence;
  }
}

std::vector<std::string> AnalysisResult::complaints() const {
  std::vector<std::string> list = doubts;
  if (doubts.empty() && failed_check.empty() && !message.empty()) list.push_back(message);
  for (const std::string& note : notes) list.push_back("note: " + note);
  if (!failed_check.empty()) list.push_back(failed_check);
  return list;
}

std::string AnalysisResult::place_text(const ResultPlace& place, const char* files) {
  std::string out;
  if (!place.report.empty()) out += fmt::format("  {:<18}{}\n", "report", place.report);
  if (!place.folder.empty()) out += fmt::format("  {:<18}{}/{}\n", "results", place.folder, files);
  return out;
}

}  // namespace bristle
