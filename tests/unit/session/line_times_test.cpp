#include "session/timing/line_times.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lanescope::session {
namespace line_times_test {

gpu::Samples some_samples() {
    gpu::Samples samples;
    samples.taken = 1000;
    samples.dropped = 3;
    samples.period_log2 = 10;
    samples.lines = {{"reduce", "/home/someone/k.cu", 2, 600, {{"global_memory", 500}, {"issues", 100}}},
                     {"finish", "/home/someone/k.cu", 2, 100, {{"barrier", 100}}},
                     {"reduce", "/usr/include/sm_30_intrinsics.hpp", 9, 200, {{"arithmetic", 200}}},
                     {"reduce", "", 0, 100, {{"other", 100}}}};
    return samples;
}

TEST(LineTimes, kernels_of_a_line_are_added) {
    const LineTimes times = line_times(some_samples(), "k.cu");
    ASSERT_EQ(times.lines.size(), 3u);
    const LineTime* line = times.at(2);
    ASSERT_NE(line, nullptr);
    EXPECT_DOUBLE_EQ(line->share, 0.7);
    EXPECT_DOUBLE_EQ(line->stalls.at("global_memory"), 0.5);
    EXPECT_DOUBLE_EQ(line->stalls.at("barrier"), 0.1);
    EXPECT_EQ(times.lines[1].file, "sm_30_intrinsics.hpp");
    EXPECT_EQ(times.at(9), nullptr) << "a line of another file";
    EXPECT_EQ(times.lines[2].line, 0);
    EXPECT_DOUBLE_EQ(times.kernels.at("reduce"), 0.9);
    EXPECT_DOUBLE_EQ(times.stalls().at("issues"), 0.1);
    EXPECT_EQ(times.period_cycles, 1024u);
}

TEST(LineTimes, json_is_read_back) {
    const LineTimes times = line_times(some_samples(), "k.cu");
    const auto json = to_json(times);
    EXPECT_EQ(json["lines"][0]["line"], 2);
    EXPECT_DOUBLE_EQ(json["lines"][0]["share"], 0.7);
    EXPECT_FALSE(json["lines"][0].contains("file"));
    const auto back = line_times_of(nlohmann::json::parse(json.dump()), "r.json");
    ASSERT_TRUE(back) << to_text(back.diagnostics());
    EXPECT_EQ(to_json(*back), json);
}

TEST(LineTimes, bad_documents_say_what_is_missing) {
    for (const char* text :
         {"{}", "[]", R"({"samples":1,"dropped":0,"period_cycles":32,"kernels":{},"lines":3})",
          R"({"samples":1,"dropped":0,"period_cycles":32,"kernels":{"k":"all"},"lines":[]})",
          R"({"samples":1,"dropped":0,"period_cycles":32,"kernels":{},"lines":[{"line":1,"share":"x"}]})"}) {
        const auto read = line_times_of(nlohmann::json::parse(text), "the samples of k.cu");
        ASSERT_FALSE(read) << text;
        EXPECT_NE(to_text(read.diagnostics()).find("the samples of k.cu"), std::string::npos);
    }
}

TEST(LineTimes, the_table_has_the_text_and_the_main_reasons) {
    const std::string table = table_of(line_times(some_samples(), "k.cu"), "first\n  out[i] = in[i];\n");
    EXPECT_NE(table.find(" 70.0 %  line 2: out[i] = in[i];"), table.npos) << table;
    EXPECT_NE(table.find("waits for global or local memory 71 %"), table.npos) << table;
    EXPECT_NE(table.find("sm_30_intrinsics.hpp:9"), table.npos) << table;
}

}  // namespace line_times_test
}  // namespace lanescope::session
