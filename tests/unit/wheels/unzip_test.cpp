// Archives from elsewhere: nothing of them lands outside the folder, and none fills the disk.
#include "wheels/unzip.h"

#include <gtest/gtest.h>
#include <minizip/zip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace lanescope::wheels {
namespace unzip_test {

namespace fs = std::filesystem;

struct Member {
    std::string name, text;
    unsigned mode = S_IFREG | 0644;
    const char* password = nullptr;
};

class Unzip : public testing::Test {
  protected:
    Unzip() {
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    ~Unzip() override { fs::remove_all(root_); }

    void make(const std::vector<Member>& members) const {
        zipFile zip = zipOpen64(archive().c_str(), APPEND_STATUS_CREATE);
        for (const Member& each : members) {
            zip_fileinfo info{};
            info.external_fa = static_cast<uLong>(each.mode) << 16;
            const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(each.text.data()),
                                    static_cast<uInt>(each.text.size()));
            zipOpenNewFileInZip3_64(zip, each.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                                    Z_DEFLATED, 9, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                                    each.password, crc, 0);
            zipWriteInFileInZip(zip, each.text.data(), static_cast<unsigned>(each.text.size()));
            zipCloseFileInZip(zip);
        }
        zipClose(zip, nullptr);
    }
    fs::path archive() const { return root_ / "archive.zip"; }
    Result<void> run(UnzipLimits limits = {}, bool cancelled = false) const {
        const std::atomic<bool> cancel = cancelled;
        return unzip({archive(), root_ / "in/out", limits, {}, {}}, cancel);
    }
    std::string refusal(const std::vector<Member>& members, UnzipLimits limits = {}) const {
        make(members);
        const Result<void> done = run(limits);
        return done ? "unpacked" : done.diagnostics()[0].message;
    }
    // Whether anything lies beside the folder.
    bool leaked() const {
        for (const auto& entry : fs::recursive_directory_iterator(root_))
            if (entry.is_regular_file() && entry.path() != archive() &&
                !entry.path().string().starts_with((root_ / "in/out").string()))
                return true;
        return false;
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != text.npos;
    }

    const fs::path root_ = fs::temp_directory_path() / ("lanescope-unzip-" + std::to_string(getpid()));
};

TEST_F(Unzip, files_and_folders) {
    make({{"a.txt", "one"},
          {"folder/", "", S_IFDIR | 0755},
          {"folder/deeper/b.txt", std::string(100'000, 'b')}});
    ASSERT_TRUE(run());
    std::ifstream file(root_ / "in/out/folder/deeper/b.txt");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), std::string(100'000, 'b'));
    EXPECT_TRUE(fs::exists(root_ / "in/out/a.txt"));
}

TEST_F(Unzip, only_what_is_wanted) {
    make({{"lib/a.so", "1"}, {"lib/a.a", "2"}});
    const std::atomic<bool> cancel = false;
    ASSERT_TRUE(unzip(
        {archive(), root_ / "in/out", {}, [](const std::string& name) { return name.ends_with(".so"); }, {}},
        cancel));
    EXPECT_TRUE(fs::exists(root_ / "in/out/lib/a.so"));
    EXPECT_FALSE(fs::exists(root_ / "in/out/lib/a.a"));
}

TEST_F(Unzip, bad_names_that_lead_outside) {
    for (const std::string& name : std::vector<std::string>{"../evil", "a/../../evil", "/tmp/evil", "..",
                                                            "a/..", "a\\..\\evil", "./evil"}) {
        EXPECT_FALSE(is_safe_name(name)) << name;
        EXPECT_TRUE(has(refusal({{name, "x"}}), "outside its folder")) << name;
        EXPECT_FALSE(leaked()) << name;
    }
    EXPECT_FALSE(is_safe_name(""));
    EXPECT_FALSE(is_safe_name(std::string("a\0b", 3)));
    EXPECT_TRUE(is_safe_name("a..b/c.d"));
}

TEST_F(Unzip, bad_links_and_duplicates) {
    EXPECT_TRUE(has(refusal({{"link", "/etc", S_IFLNK | 0777}, {"link/evil", "x"}}), "symbolic link"));
    fs::remove_all(root_ / "in");
    EXPECT_TRUE(has(refusal({{"a", "1"}, {"a", "2"}}), "twice"));
}

TEST_F(Unzip, bad_bombs) {
    EXPECT_TRUE(
        has(refusal({{"zeros", std::string(5'000'000, '\0')}}, {10, 1'000'000}), "more than 1000000 bytes"));
    fs::remove_all(root_ / "in");
    EXPECT_TRUE(has(refusal({{"a", ""}, {"b", ""}, {"c", ""}}, {2, 100}), "more than 2 files"));
}

TEST_F(Unzip, bad_damaged_archives) {
    EXPECT_FALSE(run()) << "there is none";
    std::ofstream(archive()) << "not a zip";
    EXPECT_FALSE(run());
    std::string text(100'000, 'a');
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>('a' + i * i % 23);
    make({{"a", text}});
    fs::resize_file(archive(), fs::file_size(archive()) / 2);
    EXPECT_FALSE(run());
    make({{"a", text}});
    std::fstream file(archive(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.put('\xff').put('\xff');
    file.close();
    fs::remove_all(root_ / "in");
    EXPECT_FALSE(run()) << "the CRC tells";
    fs::remove_all(root_ / "in");
    EXPECT_TRUE(has(refusal({{"a", "secret", S_IFREG | 0644, "password"}}), "encrypted"));
}

TEST_F(Unzip, cancelling_ends_it) {
    make({{"a", "x"}});
    EXPECT_FALSE(run({}, true));
    EXPECT_FALSE(fs::exists(root_ / "in/out/a"));
}

}  // namespace unzip_test
}  // namespace lanescope::wheels
