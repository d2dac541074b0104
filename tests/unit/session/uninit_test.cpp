// No kernel of the course or the corpus gives a false report of a value that was never set, although
// compilers read such registers.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "execution/run/run.h"

namespace lanescope::execution {
namespace uninit_test {

namespace fs = std::filesystem;

// Sanitizers make it ten times slower: then every eighth file runs.
#ifdef __SANITIZE_ADDRESS__
constexpr unsigned each_of = 8;
#else
constexpr unsigned each_of = 1;
#endif

// Runs the files except those whose launch cannot be proposed and those with unsupported
// code. Returns their number.
unsigned run_all(compile::Code code) {
    unsigned ran = 0, seen = 0;
    for (const char* folder : {"kernels", "tests/corpus"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cu" || entry.path().parent_path().filename() == "exercises")
                continue;
            if (seen++ % each_of != 0) continue;
            RunRequest request;
            request.file = entry.path().string();
            request.source = *read_text_file(entry.path());
            request.code = code;
            request.limits.warp_instructions = 1'000'000;
            const Result<RunResult> result = execute(request);
            if (!result) continue;
            ++ran;
            for (const trace::Problem& problem : result->problems)
                EXPECT_EQ(problem.message.find("never set"), std::string::npos)
                    << request.file << ": " << problem.message;
        }
    }
    return ran;
}

TEST(Unset, no_false_alarm_in_debug_code) {
    EXPECT_GE(run_all(compile::Code::debug), 30u / each_of);
}
TEST(Unset, no_false_alarm_in_optimized_code) {
    EXPECT_GE(run_all(compile::Code::optimized), 30u / each_of);
}

}  // namespace uninit_test
}  // namespace lanescope::execution
