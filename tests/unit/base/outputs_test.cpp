#include "base/outputs.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"

namespace lanescope {
namespace outputs_test {

namespace fs = std::filesystem;

struct Outputs : testing::Test {
    void SetUp() override { ASSERT_TRUE(write_file(in("a.png"), "an image")); }

    fs::path in(const std::string& name) const { return folder_.path() / name; }
    // The message for a picture; empty if the file may be written.
    std::string refusal(const fs::path& file, const std::vector<fs::path>& inputs = {}) const {
        const Result<void> checked = check_outputs({{"-o", file, {FileKind::png, FileKind::gif}}}, inputs);
        return checked ? ""
                       : checked.diagnostics().front().message + "; " + checked.diagnostics().front().hint;
    }

    TemporaryFolder folder_ = *TemporaryFolder::create();
};

TEST_F(Outputs, a_new_file_and_an_older_one_of_the_kind_may_be_written) {
    EXPECT_EQ(refusal(in("b.png")), "");
    EXPECT_EQ(refusal(in("b.GIF")), "");
    EXPECT_EQ(refusal(in("a.png")), "");
    EXPECT_EQ(refusal(""), "") << "it was not asked for";
    EXPECT_EQ(refusal("/dev/null"), "");
}

TEST_F(Outputs, bad_endings_are_refused_with_those_that_there_are) {
    for (const char* name : {"b.svgz", "b", "b.trace", "b.cu"})
        EXPECT_EQ(refusal(in(name)),
                  "-o cannot write this kind of file; use a name that ends in .png or .gif")
            << name;
}

TEST_F(Outputs, bad_names_of_an_input_are_refused_however_they_are_spelled) {
    fs::create_directory(in("folder"));
    fs::create_symlink(in("a.png"), in("link.png"));
    fs::create_hard_link(in("a.png"), in("hard.png"));
    fs::create_directory_symlink(folder_.path(), in("here"));
    for (const char* name : {"a.png", "folder/../a.png", "./a.png", "link.png", "hard.png", "here/a.png"})
        EXPECT_NE(refusal(in(name), {in("a.png")}).find("would replace this file, which is read"),
                  std::string::npos)
            << name;
    EXPECT_NE(refusal(in("a.png"), {in("link.png")}).find("would replace"), std::string::npos);
}

TEST_F(Outputs, bad_links_to_files_of_other_kinds_are_refused) {
    ASSERT_TRUE(write_file(in("own.cu"), "text"));
    fs::create_symlink(in("own.cu"), in("link.png"));
    EXPECT_NE(refusal(in("link.png")).find("it is a link to own.cu"), std::string::npos);
}

TEST_F(Outputs, bad_folders) {
    fs::create_directory(in("folder.png"));
    EXPECT_NE(refusal(in("folder.png")).find("this is a folder"), std::string::npos);
    EXPECT_NE(refusal(in("missing/b.png")).find("there is no folder"), std::string::npos);
    const Output made{"--save", in("missing/b.trace"), {FileKind::trace}, true, false};
    EXPECT_TRUE(check_outputs({made}, {}));
    const Output folder{"--save", in("traces"), {FileKind::trace}, true, true};
    EXPECT_TRUE(check_outputs({folder}, {}));
}

TEST_F(Outputs, bad_pairs_with_one_name) {
    const Output first{"--save", in("x.png"), {FileKind::png}},
        second{"--dump", in("./x.png"), {FileKind::png}};
    const Result<void> checked = check_outputs({first, second}, {});
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.diagnostics().front().message, "--save and --dump name the same file");
}

}  // namespace outputs_test
}  // namespace lanescope
