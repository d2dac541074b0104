// Contents from files, addresses of buffers, nested repetitions.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/npy.h"
#include "lesson/instance.h"
#include "support.h"

namespace lanescope::lesson {
namespace data_test {

namespace fs = std::filesystem;

class Data : public testing::Test {
  protected:
    void SetUp() override {
        outer_ = fs::path(testing::TempDir()) /
                 (std::string("data_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        folder_ = outer_ / "inner";
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(outer_); }

    void put(const fs::path& name, const std::string& bytes) const {
        ASSERT_TRUE(write_file(folder_ / name, bytes));
    }
    static std::string npy(char kind, std::uint32_t item_bytes, std::vector<std::uint64_t> shape,
                           const std::string& items) {
        return npy_header({kind, item_bytes, std::move(shape), 0}) + items;
    }
    Result<Instance> made(const std::string& fields) const {
        return instantiate(front_of("[buffers]\na = {" + fields + "}\n" + some_launch), {},
                           (folder_ / "k.cu").string());
    }
    // Without the folder.
    std::string why_not(const std::string& fields) const {
        std::string text = problems_of(made(fields));
        for (std::size_t at = text.find(folder_.string()); at != text.npos; at = text.find(folder_.string()))
            text.erase(at, folder_.string().size() + 1);
        return text;
    }

    fs::path outer_, folder_;
};

TEST_F(Data, npy_gives_shape_and_contents) {
    put("m.npy", npy('i', 4, {2, 3}, std::string("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0", 24)));
    const Result<Instance> instance = made("type = 'int', file = 'm.npy'");
    ASSERT_TRUE(instance) << problems_of(instance);
    EXPECT_EQ(instance->buffers[0].extents, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(numbers_in(instance->buffers[0]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(made("type = 'int', file = 'm.npy', count = 6"));
    EXPECT_TRUE(made("type = 'int', file = 'm.npy', shape = [2, 3]"));
    EXPECT_EQ(
        why_not("type = 'int', file = 'm.npy', shape = [3, 2]"),
        "k.cu:3: error: 'm.npy' has 2 rows of 3, but the buffer 'a' has 3 rows of 2 (remove 'shape' and "
        "'count' to use the file's size)\n");
    EXPECT_NE(why_not("type = 'int', file = 'm.npy', count = 5").find("has 5 elements"), std::string::npos);
}

TEST_F(Data, npy_types_must_fit) {
    put("f.npy", npy('f', 4, {2}, std::string(8, '\0')));
    put("c.npy", npy('c', 8, {1}, std::string(8, '\0')));
    put("v.npy", npy('f', 4, {1, 4}, std::string(16, '\0')));
    EXPECT_NE(why_not("type = 'int', file = 'f.npy'")
                  .find("the file's items are <f4, but the buffer's are int, <i4"),
              std::string::npos);
    EXPECT_NE(why_not("type = 'double', file = 'f.npy'"), "");
    EXPECT_TRUE(made("type = 'float2', file = 'c.npy'"));
    const Result<Instance> vectors = made("type = 'float4', file = 'v.npy'");
    ASSERT_TRUE(vectors) << problems_of(vectors);
    EXPECT_EQ(vectors->buffers[0].count, 1u);
    EXPECT_NE(why_not("type = 'float2', file = 'v.npy'").find("is not 2, the components"), std::string::npos);
    put("bad.npy", "text");
    EXPECT_EQ(why_not("type = 'int', file = 'bad.npy'"),
              "k.cu:3: error: 'bad.npy', the contents of 'a': the file is not a .npy file\n");
}

TEST_F(Data, raw_files_are_the_bytes) {
    put("raw.bin", std::string("\1\0\2\0", 4));
    const Result<Instance> instance = made("type = 'ushort', file = 'raw.bin'");
    ASSERT_TRUE(instance) << problems_of(instance);
    EXPECT_EQ(numbers_in(instance->buffers[0]), (std::vector<double>{1, 2}));
    EXPECT_TRUE(made("type = 'uchar', file = 'raw.bin', shape = [2, 2]"));
    EXPECT_NE(why_not("type = 'double', file = 'raw.bin'").find("4 bytes, which are not whole elements"),
              std::string::npos);
    EXPECT_NE(why_not("type = 'uchar', file = 'nothing.bin'").find("k.cu:3: error: 'nothing.bin'"),
              std::string::npos);
}

TEST_F(Data, files_outside_of_the_folder_are_refused) {
    ASSERT_TRUE(write_file(outer_ / "secret.bin", "secret"));
    fs::create_symlink(outer_ / "secret.bin", folder_ / "link.bin");
    fs::create_directories(folder_ / "more");
    put("more/fine.bin", "fine");
    EXPECT_TRUE(made("type = 'char', file = 'more/../more/fine.bin'"));
    for (const std::string& path :
         {std::string("../secret.bin"), (outer_ / "secret.bin").string(), std::string("link.bin")})
        EXPECT_NE(why_not("type = 'char', file = '" + path + "'").find("outside of the folder of k.cu"),
                  std::string::npos)
            << path;
}

TEST(Addresses, point_into_buffers) {
    const Instance made = instance_of(
        "[params]\nn = { default = 4 }\n[buffers]\n"
        "rows = { type = 'ulong', addresses = ['a', 'a + n', 'b - 2 + 3', 'n + 1', 'a.count'] }\n"
        "a = { type = 'int', count = 8 }\nb = { type = 'double', count = 3 }\n"
        "[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 1\nargs = ['rows', 'a + 2', 'a.count - 1']\n");
    const BufferInstance& rows = made.buffers[0];
    EXPECT_EQ(rows.count, 5u);
    ASSERT_EQ(rows.addresses.size(), 3u);
    EXPECT_EQ(rows.addresses.at(0).buffer, "a");
    EXPECT_EQ(rows.addresses.at(8).offset_bytes, 16u);
    EXPECT_EQ(rows.addresses.at(16).buffer, "b");
    EXPECT_EQ(rows.addresses.at(16).offset_bytes, 8u);
    EXPECT_EQ(numbers_in(rows)[3], 5);
    EXPECT_EQ(numbers_in(rows)[4], 8);
    ASSERT_EQ(made.launches[0].arguments.size(), 3u);
    EXPECT_EQ(made.launches[0].arguments[1].address.offset_bytes, 8u);
    EXPECT_FALSE(made.launches[0].arguments[2].is_buffer);
    EXPECT_EQ(made.launches[0].arguments[2].integer, 7);
}

TEST(Addresses, know_the_index_of_their_element) {
    const Instance made = instance_of(
        "[params]\nn = { default = 4 }\n[buffers]\nrows = { type = 'float', count = '3 * n' }\n"
        "table = { type = 'ulong', count = 3, addresses = ['rows + i * n'] }\n" +
        some_launch);
    for (std::uint64_t i = 0; i < 3; ++i)
        EXPECT_EQ(made.buffers[1].addresses.at(8 * i).offset_bytes, 16 * i);
}

TEST(Addresses, wrong_ones_are_located) {
    const auto error_of = [](const std::string& fields, const std::string& args = "") {
        const std::string text =
            file_with("[buffers]\na = { type = 'int', count = 8 }\nb = {" + fields +
                      "}\n[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 1\nargs = [" + args + "]\n");
        const auto front = parse_front_matter(text, "k.cu");
        return front ? problems_of(instantiate(*front, {}, "k.cu")) : problems_of(front);
    };
    EXPECT_EQ(error_of("type = 'ulong', addresses = ['a + 9']"),
              "k.cu:4:37: error: 'a' has 8 elements, but the offset is 9 (expected 0 to 8)\n");
    EXPECT_NE(error_of("type = 'ulong', addresses = ['a - 1']").find("the offset is -1"), std::string::npos);
    EXPECT_NE(error_of("type = 'int', addresses = ['a']").find("expected ulong"), std::string::npos);
    EXPECT_NE(error_of("type = 'ulong', addresses = ['c']").find("'c' is neither a buffer nor a parameter"),
              std::string::npos);
    EXPECT_NE(error_of("type = 'ulong', addresses = ['a + m']").find("unknown name 'm'"), std::string::npos);
    EXPECT_NE(error_of("type = 'ulong', addresses = []").find("'addresses' is empty"), std::string::npos);
    EXPECT_NE(error_of("type = 'ulong', count = 1", "'a + 10'").find("the offset is 10"), std::string::npos);
    EXPECT_NE(error_of("type = 'int', count = 1, space = 'constant'", "'b + 0'").find("module-scope symbol"),
              std::string::npos);
}

TEST(Repetitions, nest_from_the_outside_inwards) {
    const Instance made = instance_of(
        "[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 1\nargs = ['i', 'j']\n"
        "repeat = ['i = 1; i < 4; i + 1', 'j = 0; j < i; j + 1']\n");
    std::vector<std::int64_t> pairs;
    for (const LaunchInstance& launch : made.launches)
        pairs.push_back(launch.arguments[0].integer * 10 + launch.arguments[1].integer);
    EXPECT_EQ(pairs, (std::vector<std::int64_t>{10, 20, 21, 30, 31, 32}));
    const FrontMatter again = front_of(
        "[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 1\nargs = ['j']\n"
        "repeat = ['i = 1; i < 4; i + 1', 'j = 0; j < i; j + 1']\n");
    EXPECT_NE(write_front_matter(again).find(R"(repeat = ["i = 1; i < 4; i + 1", "j = 0; j < i; j + 1"])"),
              std::string::npos);
}

TEST(Repetitions, wrong_ones_are_located) {
    const auto error_of = [](const std::string& repeat) {
        const auto front = parse_front_matter(file_with(some_launch + "repeat = " + repeat + "\n"), "k.cu");
        return front ? problems_of(instantiate(*front, {}, "k.cu")) : problems_of(front);
    };
    EXPECT_NE(error_of("['i = 0; i < 2; i + 1', 'i = 0; i < 2; i + 1']").find("'i' is already a name"),
              std::string::npos);
    EXPECT_NE(error_of("['i = 0; i < j; i + 1', 'j = 0; j < 2; j + 1']").find("unknown name 'j'"),
              std::string::npos);
    EXPECT_NE(error_of("[]").find("'repeat' is empty"), std::string::npos);
    EXPECT_NE(error_of("['i = 0; i < 1; i', 'j = 0; 0; j']").find("does the repetition end?"),
              std::string::npos);
}

}  // namespace data_test
}  // namespace lanescope::lesson
