#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/record/file.h"
#include "commands.h"
#include "validation/page.h"

namespace bristle::app {

namespace {

std::size_t width_of(const std::vector<ValidationRow>& rows, std::string ValidationRow::*column, const char* head) {
  std::size_t width = std::string_view(head).size();
  for (const ValidationRow& r : rows) width = std::max(width, static_cast<std::size_t>(count_characters(r.*column)));
  return width;
}

std::string padded(const std::string& text, std::size_t width) {
  const auto length = static_cast<std::size_t>(count_characters(text));
  return text + std::string(width > length ? width - length : 0, ' ');
}

/// How a verdict is shown; in the order of ValidationRow::Verdict.
constexpr const char* kMarks[] = {"ok     ", "FAIL   ", "shown  ", "differs"};

void show(const std::vector<ValidationRow>& rows) {
  const std::size_t q = width_of(rows, &ValidationRow::quantity, "quantity"),
                    p = width_of(rows, &ValidationRow::published, "published"), o = width_of(rows, &ValidationRow::ours, "ours");
  fmt::print("           {}  {}  {}\n", padded("quantity", q), padded("published", p), padded("ours", o));
  for (const ValidationRow& r : rows) {
    fmt::print("  {}  {}  {}  {}{}{}\n", kMarks[static_cast<std::size_t>(r.verdict)], padded(r.quantity, q),
               padded(r.published, p), padded(r.ours, o), r.note.empty() ? "" : "  ", r.note);
  }
}

int write_models(const std::string& to) {
  namespace fs = std::filesystem;
  const fs::path folder = to;
  for (const ModelFile& file : validation_models()) {
    const fs::path path = folder / file.name;
    if (fs::exists(path)) throw InputError({path.string()}, "the file is there already. Choose another folder");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({folder.string()}, "the folder cannot be made: " + error.message());
  for (const ModelFile& file : validation_models()) {
    const std::string path = (folder / file.name).string();
    write_file(path, file.text);
    fmt::print("{}\n", path);
  }
  return kOk;
}

}  // namespace

int validate(const ValidateArguments& arguments) {
  const std::vector<ValidationCase>& cases = validation_cases();
  if (arguments.list) {
    for (const ValidationCase& c : cases) fmt::print("  {:<28}{}\n", c.name, c.title);
    return kOk;
  }
  if (!arguments.models.empty()) return write_models(arguments.models);
  std::vector<const ValidationCase*> chosen;
  for (const ValidationCase& c : cases) {
    const bool part = c.name.find(arguments.only) != std::string::npos;
    if (arguments.only.empty() || part || wildcard_match(arguments.only, c.name)) chosen.push_back(&c);
  }
  if (chosen.empty() && !arguments.only.empty()) {
    std::vector<std::string> names;
    for (const ValidationCase& c : cases) names.push_back(c.name);
    throw InputError({}, "there is no published case '" + shortened(arguments.only) + "'." + did_you_mean(arguments.only, names) +
                             " `bristle validate --list` shows all.");
  }
  std::string page = page_head();
  VerdictCount count;
  const int jobs = arguments.jobs > 0 ? arguments.jobs : static_cast<int>(std::thread::hardware_concurrency());
  for (const ValidationCase* c : chosen) {
    fmt::print("{}: {}\n  {}\n", c->name, c->title, c->source);
    std::fflush(stdout);
    const std::vector<ValidationRow> rows = c->run(jobs);
    show(rows);
    fmt::print("\n");
    page += page_section(*c, rows);
    count.add(rows);
  }
  if (!arguments.markdown.empty()) write_file(arguments.markdown, page);
  fmt::print("{}\n", count.text());
  return count.failed() ? kCheckFailed : kOk;
}

}  // namespace bristle::app
