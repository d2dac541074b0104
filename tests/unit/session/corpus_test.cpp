// NVRTC compiles every corpus file as debug and optimised code for the oldest and the newest target in use.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/debug_info.h"
#include "ptx/parser.h"

namespace lanescope::execution {
namespace corpus_test {

namespace fs = std::filesystem;

std::vector<fs::path> corpus() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "tests/corpus"))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class Corpus : public testing::TestWithParam<fs::path> {
  protected:
    void check(compile::Code code, int arch) {
        const Result<std::string> source = read_text_file(GetParam());
        ASSERT_TRUE(source);
        compile::Options options;
        options.code = code;
        options.flags.arch = "compute_" + std::to_string(arch);
        const Result<compile::Output> compiled = compile::compile(*source, GetParam().string(), options);
        ASSERT_TRUE(compiled) << to_text(compiled.diagnostics());
        const Result<ptx::Module> module = ptx::parse(compiled->ptx);
        ASSERT_TRUE(module) << to_text(module.diagnostics());
        const Result<ptx::Module> again = ptx::parse(ptx::print(*module));
        ASSERT_TRUE(again) << to_text(again.diagnostics());
        EXPECT_TRUE(*module == *again) << "the printed text parses to another module";
        const Result<ptx::DebugInfo> debug = ptx::read_debug_info(*module, compiled->user_file);
        ASSERT_TRUE(debug) << to_text(debug.diagnostics());
        if (code != compile::Code::debug) return;
        const bool named = std::any_of(
            debug->functions.begin(), debug->functions.end(),
            [](const auto& function) { return function.user_code && !function.variables.empty(); });
        EXPECT_TRUE(named) << "the user's code has no named variable";
    }
};

TEST_P(Corpus, debug_code_parses_and_prints_to_text_of_the_same_module) {
    for (const int arch : {75, 90})
        check(compile::Code::debug, arch);
}

TEST_P(Corpus, optimized_code_parses_and_prints_to_text_of_the_same_module) {
    for (const int arch : {75, 90})
        check(compile::Code::optimized, arch);
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus, testing::ValuesIn(corpus()),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(CorpusFolder, holds_all_files) {
    EXPECT_EQ(corpus().size(), 28u);
}

}  // namespace corpus_test
}  // namespace lanescope::execution
