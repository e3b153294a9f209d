#include "bristle/record/checkpoint.h"

#include "record_fixture.h"

namespace bristle::testing {

class CheckpointTest : public RecordTest {
 protected:
  static Archive archive(int n) {
    Archive a;
    a.put(0.1);
    a.put(std::vector<double>(static_cast<std::size_t>(n), 3.5));
    return a;
  }
  std::string file() const { return path("checkpoint.bin"); }
};

TEST_F(CheckpointTest, A_checkpoint_is_read_back_to_the_bit) {
  EXPECT_FALSE(has_checkpoint(dir()));
  for (const int n : {0, 1, 1000, 3}) {
    write_checkpoint(dir(), archive(n));
    EXPECT_TRUE(has_checkpoint(dir()));
    Archive read = read_checkpoint(dir());
    EXPECT_EQ(read.bytes(), archive(n).bytes());
    double x = 0;
    std::vector<double> list;
    read.get(x);
    read.get(list);
    EXPECT_EQ(x, 0.1);
    EXPECT_EQ(list.size(), static_cast<std::size_t>(n));
  }
  write_checkpoint(dir(), Archive{});
  EXPECT_TRUE(read_checkpoint(dir()).bytes().empty());
  EXPECT_EQ(files(), 1);
}

TEST_F(CheckpointTest, Every_flipped_byte_and_every_truncation_is_noticed) {
  write_checkpoint(dir(), archive(4));
  const std::string whole = contents(file());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    put_contents(file(), bytes);
    EXPECT_NE(complaint([&] { read_checkpoint(dir()); }), "") << i;
    put_contents(file(), whole.substr(0, i));
    EXPECT_NE(complaint([&] { read_checkpoint(dir()); }), "") << i;
  }
  put_contents(file(), whole + "x");
  EXPECT_NE(complaint([&] { read_checkpoint(dir()); }).find("too long"), std::string::npos);
}

TEST_F(CheckpointTest, What_is_wrong_is_said) {
  EXPECT_NE(complaint([&] { read_checkpoint(dir()); }).find("there is no checkpoint"), std::string::npos);
  put_contents(file(), "something quite different, long enough for a head");
  EXPECT_NE(complaint([&] { read_checkpoint(dir()); }).find("not a checkpoint of bristle"), std::string::npos);
  write_checkpoint(dir(), archive(10));
  std::string bytes = contents(file());
  put_contents(file(), bytes.substr(0, bytes.size() - 5));
  EXPECT_NE(complaint([&] { read_checkpoint(dir()); }).find("truncated: 91 of 96 bytes"), std::string::npos);
  bytes[12] = 9;
  put_contents(file(), bytes);
  EXPECT_NE(complaint([&] { read_checkpoint(dir()); }).find("format 9, this program reads 2"), std::string::npos);
}

TEST_F(CheckpointTest, The_checkpoint_of_another_run_is_refused) {
  write_checkpoint(dir(), archive(4), "bristle 1\nrun 7");
  EXPECT_EQ(read_checkpoint(dir(), "bristle 1\nrun 7").bytes(), archive(4).bytes());
  EXPECT_NE(complaint([&] { read_checkpoint(dir(), "bristle 1\nrun 8"); }).find("another run"), std::string::npos);
  EXPECT_NE(complaint([&] { read_checkpoint(dir(), "bristle 2\nrun 7"); }).find("another version"), std::string::npos);
}

TEST_F(CheckpointTest, A_folder_that_is_missing_is_told_and_the_old_checkpoint_stays) {
  EXPECT_NE(complaint([&] { write_checkpoint(path("none"), archive(1)); }).find("cannot be written"), std::string::npos);
  write_checkpoint(dir(), archive(1));
  {
    const FullDisk full(100);  // bytes that still fit
    EXPECT_THROW(write_checkpoint(dir(), archive(2)), std::runtime_error);
  }
  EXPECT_EQ(read_checkpoint(dir()).bytes(), archive(1).bytes());
  EXPECT_EQ(files(), 1);
}

}  // namespace bristle::testing
