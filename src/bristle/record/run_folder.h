#pragma once
#include <string>

namespace bristle {

/// The folder that the results of a run go into. It is the folder of one run: with the model of a new run the results of the former
/// one leave. `model.sha256` beside `model.yaml` (`sha256sum -c model.sha256`) tells a model that a run has kept from one of the user's:
/// a file that no run has written, or that was changed since, is never replaced.
///
/// While the object lives, no other run gets the folder.
class RunFolder {
 public:
  /// Changes nothing. InputError: another run has it, or it holds files of the user's that a run would replace.
  explicit RunFolder(std::string path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// A new run: makes the folder where there is none, takes out the results of the former run, keeps the text of the model.
  void begin(const std::string& model_text);
  const std::string& path() const { return path_; }

 private:
  void take();
  void refuse_files_of_the_user() const;
  std::string in(const char* name) const;
  std::string path_;
  int fd_ = -1;  // of the folder itself: its lock needs no file
};

}  // namespace bristle
