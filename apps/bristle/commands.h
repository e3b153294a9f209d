#pragma once
#include <string>
#include <vector>

#include "bristle/study/exit_code.h"

// One function per subcommand; each returns the exit code of the program. Wrong input is thrown as InputError.
namespace bristle::app {

using enum ExitCode;

/// How run, resume and demo show what they do.
struct Output {
  std::string folder;   ///< empty: chosen by the command
  bool json = false;    ///< one JSON object on stdout instead of the table
  bool quiet = false;   ///< nothing on stdout, no progress line
  bool report = true;   ///< write report.html
  std::string command;  ///< the command line, for the result file
};

struct RunArguments {
  std::string model;
  std::vector<std::string> overrides;  ///< path=value
  Output output;
};
struct DemoArguments {
  Output output;
};
struct ResumeArguments {
  Output output;  ///< folder: the one of the stopped run
};
struct CheckArguments {
  std::string model;
  std::vector<std::string> overrides;
  bool quiet = false;
};
struct ListArguments {
  std::string kind;  ///< empty: all
};
struct InfoArguments {
  std::string kind, name;
};
struct ExampleArguments {
  bool list = false, force = false;
  std::string name, to;
};
struct ConvertArguments {
  std::string run, to, output;
  std::vector<std::string> channels;
};
struct PlotArguments {
  std::string run, output, x, title;
  bool steps = false;
  std::vector<std::string> channels;
};
struct ReportArguments {
  std::string run, output;
};
struct ValidateArguments {
  bool list = false;
  int jobs = 0;  ///< runs at a time; 0: as many as the machine has processors
  std::string only, markdown, models;
};

int demo(const DemoArguments&);
int check(const CheckArguments&);
int run(const RunArguments&);
int resume(const ResumeArguments&);
int list(const ListArguments&);
int info(const InfoArguments&);
int schema();
int example(const ExampleArguments&);
int convert(const ConvertArguments&);
int plot(const PlotArguments&);
int report(const ReportArguments&);
int validate(const ValidateArguments&);

}  // namespace bristle::app
