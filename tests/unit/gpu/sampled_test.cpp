#include <gtest/gtest.h>

#include "gpu/sampled/cupti.h"
#include "gpu/sampled/sampler.h"
#include "gpu/sampled/stall_reasons.h"

namespace lanescope::gpu {
namespace sampled_test {

TEST(StallReasons, names_of_cupti_have_plain_words) {
    EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "global_memory");
    EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_barrier_not_issued"), "barrier");
    EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_selected"), "issues");
    EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_of_a_later_chip"), "other");
    EXPECT_EQ(stall_words("barrier"), "waits at a barrier for other warps");
    EXPECT_EQ(stall_words("of a later chip"), stall_words("other"));
    for (const StallReason& reason : stall_reasons())
        EXPECT_FALSE(stall_words(reason.name).empty()) << reason.name;
}

TEST(Sampler, period_takes_about_as_many_samples_as_wanted) {
    EXPECT_EQ(period_for(0.001, 1, 1e9), 5) << "the shortest";
    EXPECT_EQ(period_for(1e12, 132, 1), 31) << "the longest";
    const int period = period_for(100, 132, 400'000);
    const double samples = 100 * 1.5e6 * 132 / static_cast<double>(1u << period);
    EXPECT_GT(samples, 200'000);
    EXPECT_LT(samples, 800'000);
}

#ifdef LANESCOPE_HAS_CUPTI
TEST(Cupti, missing_library_is_told_with_a_remedy) {
    setenv("LANESCOPE_CUPTI", "/nowhere/libcupti.so", 1);
    const auto opened = Cupti::open();
    unsetenv("LANESCOPE_CUPTI");
    ASSERT_FALSE(opened.ok());
    const std::string text = to_text(opened.diagnostics());
    EXPECT_NE(text.find("needs NVIDIA's library CUPTI"), text.npos) << text;
    EXPECT_NE(text.find("LANESCOPE_CUPTI"), text.npos) << text;
}

TEST(Cupti, each_use_names_what_needs_it) {
    setenv("LANESCOPE_CUPTI", "/nowhere/libcupti.so", 1);
    const auto opened = CuptiLibrary::open("the GPU's counters need");
    unsetenv("LANESCOPE_CUPTI");
    ASSERT_FALSE(opened.ok());
    const std::string text = to_text(opened.diagnostics());
    EXPECT_TRUE(text.starts_with("error: the GPU's counters need NVIDIA's library CUPTI: ")) << text;
}

TEST(Cupti, forbidden_profiling_names_the_option_of_the_module) {
    const CuptiLibrary library;
    const auto refused = library.check(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "counting");
    ASSERT_FALSE(refused.ok());
    const std::string text = to_text(refused.diagnostics());
    EXPECT_NE(text.find("only administrators profile"), text.npos) << text;
    EXPECT_NE(text.find("NVreg_RestrictProfilingToAdminUsers=0"), text.npos) << text;
}
#endif

}  // namespace sampled_test
}  // namespace lanescope::gpu
