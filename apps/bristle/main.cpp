#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <new>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/study/analysis.h"
#include "commands.h"

namespace {

using namespace bristle;
using namespace bristle::app;

constexpr const char* kAbout =
    "Bristle: dynamics of machines and structures whose joints rub, rattle, stick and slip.\n\n"
    "First steps:\n"
    "  bristle demo                       run the flagship model and look at its report\n"
    "  bristle example --list             models to start from\n"
    "  bristle run model.yaml             run a model of your own";
constexpr const char* kFooter =
    "\n`bristle <command> --help` tells more about a command.\n"
    "Exit codes: 0 fine, 2 wrong input, 3 did not converge, 4 a requested check failed, 5 interrupted and resumable,\n"
    "6 finished, but not to be trusted (energy or joints do not hold), 1 the machine failed (disk full, out of memory).";

/// The command line as typed, for the result file.
std::string command_text(int argc, char** argv) {
  std::string text = "bristle";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$*?[]{}()&|;<>#~`") == std::string::npos;
    text += " ";
    if (plain) {
      text += word;
      continue;
    }
    text += "'";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

/// All commands with their options. What was chosen ends up in `chosen`.
class CommandLine {
 public:
  explicit CommandLine(std::string command) {
    run_.output.command = resume_.output.command = demo_.output.command = std::move(command);
    app_.set_version_flag("--version", "bristle " BRISTLE_VERSION);
    app_.footer(kFooter);
    add_runs();
    add_learning();
    add_results();
  }

  int parse_and_run(int argc, char** argv) {
    if (argc == 1) {
      std::cout << app_.help();
      return kOk;
    }
    const std::string first = argv[1];
    std::vector<std::string> names;
    for (const CLI::App* c : app_.get_subcommands({})) names.push_back(c->get_name());
    const bool known = std::find(names.begin(), names.end(), first) != names.end();
    if (!known && !first.empty() && first[0] != '-') {
      std::cerr << "bristle: there is no command '" << bristle::shortened(first) << "'." << bristle::did_you_mean(first, names)
                << " `bristle --help` shows all.\n";
      return kBadInput;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& wanted) {
      return app_.exit(wanted);  // --help, --version
    } catch (const CLI::ParseError& error) {
      std::cerr << "bristle: " << error.what() << ". `bristle" << (known ? " " + first : "")
                << " --help` shows what is possible.\n";
      return kBadInput;
    }
    return chosen_ ? chosen_() : kBadInput;
  }

 private:
  CLI::App* command(const char* name, const char* text, std::function<int()> what) {
    CLI::App* c = app_.add_subcommand(name, text);
    c->callback([this, what = std::move(what)] { chosen_ = what; });
    return c;
  }
  static void add_output(CLI::App* c, Output& output, bool folder) {
    if (folder) c->add_option("-o,--out", output.folder, "folder for the results")->type_name("DIR");
    c->add_flag("--json", output.json, "print the summary as JSON");
    c->add_flag("-q,--quiet", output.quiet, "print nothing but errors");
    c->add_flag("!--no-report", output.report, "do not write report.html");
  }
  static void add_model(CLI::App* c, std::string& model, std::vector<std::string>& overrides) {
    c->add_option("model", model, "model file")->required()->type_name("MODEL.yaml");
    c->add_option("-s,--set", overrides, "change a value: --set joints.pad.load=\"20 N\", --set speed=0.2")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  void add_runs() {
    CLI::App* c = command("demo", "Run the flagship model: a mass pulled through a spring sticks and slips",
                          [this] { return demo(demo_); });
    add_output(c, demo_.output, true);
    c = command("check", "Read a model and say whether everything in it is right", [this] { return check(check_); });
    add_model(c, check_.model, check_.overrides);
    c->add_flag("-q,--quiet", check_.quiet, "print nothing but errors");
    c = command("run", "Run a model; results go to <model>_out in the present folder, or to --out", [this] { return run(run_); });
    add_model(c, run_.model, run_.overrides);
    add_output(c, run_.output, true);
    c->footer("Writes run.h5 (all results), report.html, and model.yaml (the model with includes and --set applied).");
    c = command("resume", "Go on with a run that was interrupted", [this] { return resume(resume_); });
    c->add_option("folder", resume_.output.folder, "folder of its results")->required()->type_name("DIR");
    add_output(c, resume_.output, false);
  }

  /// All kinds of types that models may name; made when help is asked for.
  static std::string kinds_text() {
    std::vector<std::string_view> kinds;
    for (const KindGroup& group : all_kinds()) kinds.push_back(group.kind);
    return "Kinds: " + join_words(kinds) + ".";
  }

  void add_learning() {
    CLI::App* c = command("list", "List what a model can be made of", [this] { return list(list_); });
    c->footer(kinds_text);
    c->add_option("kind", list_.kind, "one kind alone")->type_name("KIND");
    c = command("info", "Tell about one of these: equations, limits, parameters, an example", [this] { return info(info_); });
    c->footer(kinds_text);
    c->add_option("kind", info_.kind, "friction, integrator, ...")->required()->type_name("KIND");
    c->add_option("name", info_.name, "lugre, radau5, ...")->required()->type_name("NAME");
    command("schema", "Print the JSON Schema of the model file, for completion in editors", [] { return schema(); });
    c = command("example", "Write an example model to start from", [this] { return example(example_); });
    c->add_option("name", example_.name, "which one; without a name they are listed")->type_name("NAME");
    c->add_flag("-l,--list", example_.list, "list all examples");
    c->add_option("--to", example_.to, "folder to write into")->type_name("DIR");
    c->add_flag("-f,--force", example_.force, "overwrite files that are there");
    c = command("validate", "Run published cases and show their numbers next to ours", [this] { return validate(validate_); });
    c->add_flag("-l,--list", validate_.list, "list the cases");
    c->add_option("name,--only", validate_.only, "only cases with this in their name")->type_name("NAME");
    c->add_option("-j,--jobs", validate_.jobs, "runs at a time; default: as many as there are processors")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    c->add_option("--markdown", validate_.markdown, "also write a page")->type_name("FILE");
    c->add_option("--models", validate_.models, "write the models of the cases into a folder, and run nothing")
        ->type_name("FOLDER");
  }

  void add_results() {
    CLI::App* c = command("report", "Write the HTML report of a run", [this] { return report(report_); });
    add_run_file(c, report_.run);
    c->add_option("-o,--output", report_.output, "the page to write; default: report.html beside the run")->type_name("FILE");
    c = command("plot", "Draw channels of a run into a png, svg or pdf", [this] { return plot(plot_); });
    add_run_file(c, plot_.run);
    c->add_option("channels", plot_.channels, "names, with * for any characters")->type_name("CHANNEL");
    c->add_flag("--steps", plot_.steps, "also the length of every step");
    c->add_option("-o,--output", plot_.output, "the picture; default: run.png beside the run")->type_name("FILE");
    c->add_option("--x", plot_.x, "channel on the horizontal axis instead of time")->type_name("CHANNEL");
    c->add_option("--title", plot_.title, "title of the picture")->type_name("TEXT");
    c = command("convert", "Write the channels of a run as csv or npz, or its motion as vtk",
                [this] { return convert(convert_); });
    add_run_file(c, convert_.run);
    c->add_option("channels", convert_.channels, "names, with * for any characters; default: all")->type_name("CHANNEL");
    c->add_option("--to", convert_.to, "csv, npz, or vtk for ParaView")
        ->required()
        ->check(CLI::IsMember({"csv", "npz", "vtk"}))
        ->type_name("csv|npz|vtk");
    c->add_option("-o,--output", convert_.output, "the file to write; default: beside the run")->type_name("FILE");
  }
  static void add_run_file(CLI::App* c, std::string& run) {
    c->add_option("run", run, "result file, or the folder it is in")->required()->type_name("RUN.h5");
  }

  CLI::App app_{kAbout, "bristle"};
  std::function<int()> chosen_;
  DemoArguments demo_;
  CheckArguments check_;
  RunArguments run_;
  ResumeArguments resume_;
  ListArguments list_;
  InfoArguments info_;
  ExampleArguments example_;
  ConvertArguments convert_;
  PlotArguments plot_;
  ReportArguments report_;
  ValidateArguments validate_;
};

/// What was printed has arrived, or the program has not done what it was asked for.
int with_output(int code) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return code;
  std::cerr << "bristle: the output cannot be written. Is there room on the disk?\n";
  return code == kOk ? kFault : code;
}

int run_command(int argc, char** argv) {
  try {
    return CommandLine(command_text(argc, argv)).parse_and_run(argc, argv);
  } catch (const bristle::InputError& error) {
    std::cerr << (error.where().text().empty() ? "bristle: " : "") << error.what() << "\n";
    return kBadInput;
  } catch (const bristle::SolveError& error) {
    std::cerr << "bristle: " << error.what() << "\n";
    return kNoConvergence;
  } catch (const std::bad_alloc&) {
    std::cerr << "bristle: there is not enough memory. Ask for less (channels, samples, bodies), or raise the limit\n";
  } catch (const std::exception& error) {
    std::cerr << "bristle: " << error.what() << "\n";
  } catch (...) {
    std::cerr << "bristle: something went wrong that has no name\n";
  }
  return kFault;
}

/// Where memory runs out, what is undone on the way to the message may need a little: JSON trees take some to be destroyed.
void* reserve = nullptr;

void out_of_memory() {
  std::free(reserve);
  reserve = nullptr;
  throw std::bad_alloc();
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t kReserve = std::size_t{1} << 20;  // [B]
  reserve = std::malloc(kReserve);
  std::set_new_handler(out_of_memory);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that is too long for a limit is an error of writing, with its sentence
  return with_output(run_command(argc, argv));
}
