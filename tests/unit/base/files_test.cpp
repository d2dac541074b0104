#include "base/files.h"
#include "base/large_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/descriptor.h"
#include "base/sorted_entries.h"

namespace lanescope {
namespace files_test {

namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("files_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path folder_;
};

TEST_F(Files, write_then_read_gives_the_same_bytes_and_leaves_no_other_file) {
    const std::string bytes("a\0b\n", 4);
    ASSERT_TRUE(write_file(folder_ / "x", bytes));
    ASSERT_TRUE(write_file(folder_ / "x", bytes));
    const auto read = read_file(folder_ / "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, bytes);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, a_device_or_a_pipe_stays_one) {
    const fs::path pipe = folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const Descriptor reader(open(pipe.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_TRUE(write_file(pipe, "abc"));
    std::array<char, 4> bytes{};
    EXPECT_EQ(read(reader.number(), bytes.data(), bytes.size()), 3);
    EXPECT_STREQ(bytes.data(), "abc");
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Files, a_link_and_permissions_stay) {
    ASSERT_TRUE(write_file(folder_ / "real.cu", "old"));
    fs::permissions(folder_ / "real.cu", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real.cu", folder_ / "link.cu");
    ASSERT_TRUE(write_file(folder_ / "link.cu", "new"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link.cu"));
    EXPECT_EQ(*read_file(folder_ / "real.cu"), "new");
    EXPECT_EQ(fs::status(folder_ / "real.cu").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, large_file_is_whole) {
    constexpr std::uint64_t size = (65u << 20) + 3, half = size / 2;  // the file is read in two parts
    const fs::path path = folder_ / "large";
    {
        std::ofstream stream(path, std::ios::binary);
        for (const std::uint64_t at : {std::uint64_t{0}, half - 1, half, size - 1}) {
            stream.seekp(static_cast<std::streamoff>(at));
            stream.put('x');
        }
    }
    const auto read = read_large_file(path, size, 8);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size, size);
    for (std::uint64_t at = 0; at < size + 8; ++at) {
        const bool marked = at == 0 || at == half - 1 || at == half || at == size - 1;
        ASSERT_EQ(read->bytes.get()[at], marked ? std::byte{'x'} : std::byte{0}) << at;
    }
    EXPECT_FALSE(read_large_file(path, size - 1, 8));
}

TEST_F(Files, bad_missing_directory_and_too_large) {
    EXPECT_EQ(read_file(folder_ / "none").diagnostics()[0].message, "no such file");
    EXPECT_EQ(read_file(folder_).diagnostics()[0].message, "is a directory, not a file");
    ASSERT_TRUE(write_file(folder_ / "x", "12345"));
    EXPECT_FALSE(read_file(folder_ / "x", 4));
    EXPECT_TRUE(read_file(folder_ / "x", 5));
    EXPECT_FALSE(write_file(folder_ / "no" / "folder", "x"));
}

TEST_F(Files, bad_text_must_be_utf8) {
    ASSERT_TRUE(write_file(folder_ / "good", "a\n\xc3\xa4\xe2\x86\x92\xf0\x9f\x98\x80\n"));
    EXPECT_TRUE(read_text_file(folder_ / "good"));
    const std::string bad[] = {std::string("a\n\0", 3), "a\n\xff",         "a\n\xc3",
                               "a\n\xc0\x80",           "a\n\xed\xa0\x80", "a\n\xf5\x80\x80\x80"};
    for (const std::string& text : bad) {
        ASSERT_TRUE(write_file(folder_ / "bad", text));
        const auto read = read_text_file(folder_ / "bad");
        ASSERT_FALSE(read);
        EXPECT_EQ(read.diagnostics()[0].line, 2);
    }
}

TEST(Hash, depends_on_every_byte_and_its_place) {
    EXPECT_EQ(content_hash("abc"), content_hash("abc"));
    EXPECT_NE(content_hash("abc"), content_hash("acb"));
    EXPECT_NE(content_hash(""), content_hash(std::string(1, '\0')));
    EXPECT_EQ(content_hash("abc").size(), 32u);
}

TEST(DiagnosticText, leaves_out_what_is_not_known) {
    EXPECT_EQ(to_text(error("no")), "error: no");
    EXPECT_EQ(to_text(error_at("a.cu", 3, 7, "no", "yes")), "a.cu:3:7: error: no (yes)");
    EXPECT_EQ(to_text(error_at("a.cu", 3, 0, "no")), "a.cu:3: error: no");
}

TEST_F(Files, sorted_entries_do_not_follow_the_file_system) {
    std::vector<fs::path> wanted;
    for (const char letter : std::string("abcdefghijkl"))
        wanted.push_back(folder_ / std::string(1, letter));
    for (const std::size_t i : {7, 2, 11, 0, 9, 4, 1, 10, 3, 8, 6, 5})
        ASSERT_TRUE(write_file(wanted[i], ""));
    const auto entries = sorted_entries(folder_);
    ASSERT_TRUE(entries);
    EXPECT_EQ(*entries, wanted);
    EXPECT_FALSE(sorted_entries(folder_ / "absent"));
}

}  // namespace files_test
}  // namespace lanescope
