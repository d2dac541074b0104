#include "base/folders.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace lanescope {
namespace folders_test {

namespace fs = std::filesystem;

class Folders : public testing::Test {
  protected:
    Folders() {
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    ~Folders() override {
        fs::remove_all(root_);
        for (const char* name : {"LANESCOPE_KERNELS", "LANESCOPE_DATA", "XDG_DATA_HOME"})
            unsetenv(name);
    }
    // A folder with what the program needs.
    fs::path resources(const std::string& name) {
        for (const char* part : {"kernels", "assets"})
            fs::create_directories(root_ / name / part);
        return root_ / name;
    }
    fs::path folder(const std::string& name) {
        fs::create_directories(root_ / name);
        return root_ / name;
    }

    const fs::path root_ = fs::temp_directory_path() / ("lanescope-folders-" + std::to_string(getpid()));
};

TEST_F(Folders, an_installed_program_finds_share_beside_bin) {
    const fs::path installed = resources("prefix/share/lanescope");
    EXPECT_EQ(find_resources(folder("prefix/bin")), installed);
}

TEST_F(Folders, a_moved_prefix_is_found_where_it_is_now) {
    resources("prefix/share/lanescope");
    folder("prefix/bin");
    fs::rename(root_ / "prefix", root_ / "other");
    EXPECT_EQ(find_resources(root_ / "other/bin"), root_ / "other/share/lanescope");
}

TEST_F(Folders, a_build_folder_in_the_checkout_finds_the_checkout) {
    const fs::path checkout = resources("checkout");
    EXPECT_EQ(find_resources(folder("checkout/build/release")), checkout);
}

TEST_F(Folders, a_build_folder_elsewhere_knows_its_checkout) {
    const fs::path checkout = resources("checkout"), build = folder("elsewhere/build");
    std::ofstream(build / "build_tree.txt") << "source=" << checkout.string() << "\ncuda=/opt/some cuda\n";
    EXPECT_EQ(find_resources(build), checkout);
    EXPECT_EQ(read_build_tree(build).cuda, "/opt/some cuda");
}

TEST_F(Folders, an_installed_program_wins_over_a_checkout_around_it) {
    resources("checkout");
    const fs::path installed = resources("checkout/prefix/share/lanescope");
    EXPECT_EQ(find_resources(folder("checkout/prefix/bin")), installed);
}

TEST_F(Folders, bad_without_any_resources_the_installed_place_is_named) {
    EXPECT_EQ(find_resources(folder("prefix/bin")), root_ / "prefix/share/lanescope");
    std::ofstream(root_ / "prefix/bin/build_tree.txt") << "source=/nowhere/at/all\n";
    EXPECT_EQ(find_resources(root_ / "prefix/bin"), root_ / "prefix/share/lanescope");
}

TEST_F(Folders, own_lessons_come_from_the_variable_and_the_data_folder) {
    setenv("LANESCOPE_DATA", "/data", 1);
    setenv("LANESCOPE_KERNELS", "/a:/b/../c:", 1);
    EXPECT_EQ(own_kernels_folders(), (std::vector<fs::path>{"/a", "/c", "/data/kernels"}));
    unsetenv("LANESCOPE_KERNELS");
    EXPECT_EQ(own_kernels_folders(), std::vector<fs::path>{"/data/kernels"});
    EXPECT_EQ(compiler_folder(), "/data/cuda");
}

TEST_F(Folders, bad_relative_homes_make_no_folder_where_the_program_was_started) {
    const fs::path before = fs::current_path();
    const char* const home = std::getenv("HOME");
    const std::string home_before = home != nullptr ? home : "";
    fs::current_path(root_);
    setenv("HOME", "relative", 1);
    setenv("XDG_DATA_HOME", "data", 1);
    const Result<fs::path> made = data_folder();
    ASSERT_FALSE(made);
    EXPECT_NE(made.diagnostics().front().message.find("to an absolute folder"), std::string::npos);
    EXPECT_EQ(compiler_folder(), "");
    EXPECT_TRUE(fs::is_empty(root_));
    setenv("HOME", root_.c_str(), 1);  // then the other variable is ignored
    EXPECT_EQ(*data_folder(), root_ / ".local/share/lanescope");
    setenv("HOME", home_before.c_str(), 1);
    fs::current_path(before);
}

}  // namespace folders_test
}  // namespace lanescope
