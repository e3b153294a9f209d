#include "run_model.h"

#include <fmt/format.h>

#include <cstdio>

#include "bristle/study/run_study.h"
#include "interrupt.h"
#include "progress.h"

namespace bristle::app {

namespace {

FolderResult run_shown(Study& study, const std::string& text, const Output& output, bool resume) {
  ProgressLine line(!output.quiet && !output.json);
  RunControl control;
  control.progress = line.callback();
  if (study.analysis().can_stop()) control.stop = &catch_interrupts();
  return run_into_folder(study, text, {output.folder, resume, output.report, output.command}, std::move(control));
}

}  // namespace

int run_model(Model model, const std::string& text, const Output& output, bool resume) {
  Study study(std::move(model));
  try {
    const FolderResult done = run_shown(study, text, output, resume);
    const AnalysisResult& result = *done.result;
    if (output.json) fmt::print("{}", result.json(done.place));
    else if (!output.quiet) fmt::print("{}", result.text(done.place));
    std::fflush(stdout);
    for (const std::string& complaint : result.complaints()) fmt::print(stderr, "{}: {}\n", study.model().file, complaint);
    return result.exit_code();
  } catch (const AnalysisError& error) {  // its sentence begins with its place
    fmt::print(stderr, "{}\n", error.what());
    return kNoConvergence;
  }
}

}  // namespace bristle::app
