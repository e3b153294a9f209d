#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bristle/record/h5.h"

namespace bristle {

/// A data set of a table: numbers, or names that the numbers stand for.
struct Column {
  std::string path;
  const std::vector<std::string>* names = nullptr;
  std::size_t bytes = sizeof(double);  ///< of one number or name
  h5::Shape row = {};                  ///< dimensions of a row; none: one number
  h5::Shape chunk = {};                ///< of the data set; choose_chunk fills it
  std::size_t width() const;           ///< numbers in a row
};

/// Data sets that grow together. Rows are collected until a chunk is full.
struct Table {
  std::vector<Column> columns;
  std::size_t numbers = 0;       ///< in a row of all columns; add counts them
  std::size_t chunk = 0;         ///< rows
  std::vector<double> rows;      ///< chunk x numbers
  long long n = 0;               ///< rows so far
  long long stored[2] = {0, 0};  ///< rows in each of the two files

  void add(Column column);
  /// At most that many rows; fewer where rows are long, as far as chunks do not get small by it.
  void choose_chunk(std::size_t most_rows);
  void read_chunk(hid_t file);  ///< as it was chosen for a file
  void prepare() { rows.assign(chunk * numbers, 0.0); }
  double* next() { return rows.data() + static_cast<std::size_t>(n) % chunk * numbers; }
  /// Empty, compressed, extendable; appended to `sets`.
  void make_sets(hid_t file, std::vector<h5::Handle>& sets) const;
  void cut_sets(hid_t file) const;  ///< to n rows
};

/// Holds a file against others. A shared lock on it means that somebody reads.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock() { release(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool take(const std::string& path);  ///< false: somebody has it
  void release();

 private:
  int fd_ = -1;
};

/// An HDF5 file of tables that is complete under its name at every moment, also when the process is killed.
///
/// HDF5 changes its tables inside the file in place, with many writes. Between two flushes, or in the middle of one, a file that
/// is open for writing can be unreadable, and no setting of the library makes a flush as a whole atomic. So the file under the
/// user's name is never written to. There are two files of equal contents, `run.h5` and `run.h5.spare`:
///
///   write     goes to the spare only;
///   flush     completes the spare, then swaps the two names: a hard link keeps the old file, rename() replaces `run.h5` in one
///             step of the file system. At every moment `run.h5` is a complete file;
///   catch up  the former `run.h5` is now the spare and lacks what was written since. Before the next write its chunks are
///             copied from `run.h5` as they are, compressed; no numbers are kept in memory for it.
///
/// Data sets are opened when they are first needed: a run of few samples never opens those of its second file.
///
/// Somebody may be reading the file that becomes the spare. HDF5 holds a shared lock on a file it reads; while there is one, the
/// spare is left to the reader and a new one is made by copying. The same copy serves file systems without hard links.
/// The guarantee is for the death of the process; against loss of power the file is synchronised to disk at close only.
class TwinFile {
 public:
  TwinFile(std::string path, std::vector<Table*> tables);
  const std::string& path() const { return path_; }
  const std::string& spare_path() const { return spare_path_; }
  bool is_open() const { return slots_[0].file || slots_[1].file; }

  bool locked_by_another_writer();
  /// Both files from one under the name of the spare. Its open data sets, if any, are those of all tables in order.
  void start(h5::Handle made, std::vector<h5::Handle> sets = {});
  void write(Table& table);  ///< rows that are not in the spare yet, at most those of one chunk
  void flush();
  /// Flushes, with something more to be written, and leaves one file.
  void close(const std::function<void(hid_t file)>& last_words);
  void drop();  ///< lets go of both files as they are

 private:
  struct Slot {
    h5::Handle file;
    std::vector<h5::Handle> sets;  // of all tables in order; those that were needed are open
    void close();
  };
  void open_spare();
  hid_t set(int slot, const Table& table, std::size_t column);
  const void* column_bytes(const Table& table, const Column& column, std::size_t first, std::size_t from, std::size_t count);
  void make_ready();
  void catch_up(Table& table);
  void copy_chunk(hid_t from, hid_t to, const h5::Shape& at);
  void copy_published();
  void publish();

  std::string path_, spare_path_;
  std::vector<Table*> tables_;
  Slot slots_[2];
  int spare_ = 1;       // the slot that is written to; the other one is published
  bool ready_ = false;  // the spare has caught up and is locked
  bool there_ = false;  // there is a spare under its name
  FileLock lock_;
  std::vector<char> scratch_;
};

}  // namespace bristle
