// Untraced runs of the course and the corpus give the same results on several threads as on one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "execution/run/run.h"

namespace lanescope::execution {
namespace parallel_test {

namespace fs = std::filesystem;

std::vector<fs::path> kernels() {
    std::vector<fs::path> files;
    for (const char* const folder : {"kernels", "tests/corpus"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".cu" && entry.path().parent_path().filename() != "ptx" &&
                entry.path().parent_path().filename() != "exercises")
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

Result<RunResult> run(const fs::path& file, std::uint32_t workers) {
    RunRequest request;
    request.file = file.string();
    if (const Result<std::string> source = read_text_file(file); source) request.source = *source;
    request.code = compile::Code::optimized;
    request.traced = false;
    request.limits.workers = workers;
    request.limits.warp_instructions = 2'000'000;
    return execute(request);
}

class OnThreads : public testing::TestWithParam<fs::path> {};

TEST_P(OnThreads, results_are_those_of_one_thread) {
    const Result<RunResult> one = run(GetParam(), 1), several = run(GetParam(), 3);
    ASSERT_EQ(one.ok(), several.ok());
    if (!one) {
        EXPECT_EQ(to_text(one.diagnostics()), to_text(several.diagnostics()));
        return;
    }
    EXPECT_EQ(one->outcome.ending, several->outcome.ending);
    EXPECT_EQ(one->outcome.warp_instructions, several->outcome.warp_instructions);
    EXPECT_EQ(one->outcome.thread_instructions, several->outcome.thread_instructions);
    EXPECT_EQ(one->console, several->console);
    ASSERT_EQ(one->problems.size(), several->problems.size());
    for (std::size_t i = 0; i < one->problems.size(); ++i) {
        EXPECT_EQ(one->problems[i].message, several->problems[i].message);
        EXPECT_EQ(one->problems[i].occurrences, several->problems[i].occurrences);
    }
    ASSERT_EQ(one->buffers.size(), several->buffers.size());
    // The result of a race depends on the order of the blocks.
    const std::vector<std::string>& expected = one->instance.front.expected_problems;
    if (std::find(expected.begin(), expected.end(), "race") != expected.end()) return;
    for (std::size_t i = 0; i < one->buffers.size(); ++i) {
        EXPECT_EQ(one->buffers[i].contents, several->buffers[i].contents) << one->buffers[i].name;
        EXPECT_EQ(one->buffers[i].set, several->buffers[i].set) << one->buffers[i].name;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, OnThreads, testing::ValuesIn(kernels()), [](const auto& test) {
    return test.param.parent_path().filename().string() + "_" + test.param.stem().string();
});

}  // namespace parallel_test
}  // namespace lanescope::execution
