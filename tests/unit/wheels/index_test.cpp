#include "wheels/index.h"

#include <gtest/gtest.h>

namespace lanescope::wheels {
namespace index_test {

const std::string hash(64, 'a');
const Requirement wanted{"nvidia-cuda-nvrtc", "13.0.88"};

IndexFile wheel(const std::string& name) {
    return {name, "https://files/" + name, hash, 10};
}

TEST(Index, reads_json) {
    const auto files = parse_index(R"({"name": "x", "files": [
        {"filename": "a.whl", "url": "https://h/a.whl", "size": 7, "hashes": {"sha256": "12"}},
        {"filename": "b.whl", "url": "../b.whl", "hashes": {"md5": "3"}}, 5, {"url": "no name"}]})");
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ(files->at(0).name, "a.whl");
    EXPECT_EQ(files->at(0).sha256, "12");
    EXPECT_EQ(files->at(0).size_bytes, 7u);
    EXPECT_EQ(files->at(1).url, "../b.whl");
    EXPECT_EQ(files->at(1).sha256, "");
}

TEST(Index, reads_html) {
    const auto files = parse_index(
        "<!DOCTYPE html><html><body><h1>Links</h1>\n"
        "<a class=\"x\" href=\"../../a/a.whl?x=1&amp;y=2#sha256=12\" "
        "data-requires-python=\"&gt;3\">a.whl</a><br/>\n"
        "<a href='b.whl'>\n b.whl </a> <a>no address</a></body></html>");
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ(files->at(0).name, "a.whl");
    EXPECT_EQ(files->at(0).url, "../../a/a.whl?x=1&y=2");
    EXPECT_EQ(files->at(0).sha256, "12");
    EXPECT_EQ(files->at(1).name, "b.whl");
    EXPECT_EQ(files->at(1).size_bytes, 0u);
}

TEST(Index, bad_pages) {
    EXPECT_FALSE(parse_index(""));
    EXPECT_FALSE(parse_index("not found"));
    EXPECT_FALSE(parse_index("{\"files\": 3}"));
    EXPECT_FALSE(parse_index("{\"files\": ["));
    EXPECT_TRUE(parse_index("<a href=\"")) << "no file, and no crash";
    EXPECT_TRUE(parse_index("<a href=></a>"));
}

TEST(Index, chooses_the_version_for_this_machine) {
    const std::vector<IndexFile> files = {
        wheel("nvidia-cuda-nvrtc-13.0.88.tar.gz"),
        wheel("nvidia_cuda_nvrtc-13.0.48-py3-none-manylinux2014_x86_64.whl"),
        wheel("nvidia_cuda_nvrtc-13.0.88-py3-none-win_amd64.whl"),
        wheel("nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl"),
        wheel("nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl")};
    const auto chosen = choose_wheel(files, wanted);
    ASSERT_TRUE(chosen) << to_text(chosen.diagnostics());
    EXPECT_EQ(chosen->name, files.back().name);
    const auto other = choose_wheel(files, {"nvidia-cuda-nvrtc", "12.0"});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.diagnostics()[0].hint, "it has 13.0.48, 13.0.88");
}

TEST(Index, bad_wheels_without_a_hash_are_refused) {
    IndexFile file = wheel("nvidia_cuda_nvrtc-13.0.88-py3-none-any.whl");
    for (const std::string& bad :
         {std::string(), std::string("12"), std::string(64, 'G'), std::string(65, 'a')}) {
        file.sha256 = bad;
        EXPECT_FALSE(choose_wheel({file}, wanted)) << bad;
    }
}

TEST(Index, the_pinned_wheels_are_those_of_a_compiler) {
    const std::vector<Requirement> all = compiler_wheels();
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(all[0].name, "nvidia-cuda-nvrtc");
    for (const Requirement& each : all)
        EXPECT_EQ(each.version.substr(0, 3), "13.") << each.name;
}

}  // namespace index_test
}  // namespace lanescope::wheels
