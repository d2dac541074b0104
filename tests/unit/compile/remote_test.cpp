#include "compile/remote.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace remote_test {

RemoteSource full_source() {
    RemoteSource source{
        "__global__ void k() {} // é \xff", "/own/scan.cu", {{"ops.cuh", "int a;", "/own/ops.cuh"}}, {}};
    source.options.code = Code::optimized;
    source.options.newest = "compute_80";
    source.options.flags = {{"/not/sent"}, {"N=4", "M"}, "c++20", "compute_86"};
    source.options.instantiations = {"k<int>"};
    source.options.relocatable = false;
    return source;
}

TEST(Remote, a_request_comes_back_without_folders_and_in_utf8) {
    const Result<RemoteSource> read = remote_source(to_json(full_source()));
    ASSERT_TRUE(read) << to_text(read.diagnostics());
    EXPECT_EQ(read->text, "__global__ void k() {} // é \xef\xbf\xbd");
    EXPECT_EQ(read->file, "/own/scan.cu");
    ASSERT_EQ(read->headers.size(), 1u);
    EXPECT_EQ(read->headers[0].name + read->headers[0].text + read->headers[0].shown,
              "ops.cuhint a;/own/ops.cuh");
    EXPECT_EQ(read->options.code, Code::optimized);
    EXPECT_EQ(read->options.newest, "compute_80");
    EXPECT_EQ(read->options.flags, (Flags{{}, {"N=4", "M"}, "c++20", "compute_86"}));
    EXPECT_EQ(read->options.instantiations, std::vector<std::string>{"k<int>"});
    EXPECT_FALSE(read->options.relocatable);
}

TEST(Remote, an_answer_comes_back) {
    Output output;
    output.ptx = "ptx";
    output.aliased_ptx = "aliased";
    output.target = "compute_75";
    output.user_file = "/scan.cu";
    output.headers = {{"/ops.cuh", "/own/ops.cuh", "int a;"}};
    output.symbols = {{"k<int>", "_Z1kIiEvv"}};
    output.warnings = {error_at("/own/scan.cu", 3, 7, "odd", "mend it")};
    output.warnings[0].severity = Severity::warning;
    output.from_cache = true;
    output.milliseconds = 12.5;
    const Result<Output> read = remote_output(to_json(Result<Output>(output)));
    ASSERT_TRUE(read) << to_text(read.diagnostics());
    EXPECT_EQ(read->ptx + read->aliased_ptx + read->target + read->user_file, "ptxaliasedcompute_75/scan.cu");
    ASSERT_EQ(read->headers.size(), 1u);
    EXPECT_EQ(read->headers[0].in_ptx + read->headers[0].shown + read->headers[0].text,
              "/ops.cuh/own/ops.cuhint a;");
    EXPECT_EQ(read->symbols, output.symbols);
    EXPECT_EQ(to_text(read->warnings), to_text(output.warnings));
    EXPECT_TRUE(read->from_cache);
    EXPECT_EQ(read->milliseconds, 12.5);
}

TEST(Remote, errors_and_refusals_are_diagnostics) {
    const Result<Output> failed = error_at("a.cu", 2, 5, "no such name", "declare it");
    const Result<Output> read = remote_output(to_json(failed));
    ASSERT_FALSE(read);
    EXPECT_EQ(to_text(read.diagnostics()), to_text(failed.diagnostics()));
    const Result<Output> refused = remote_output(R"({"message": "too many requests", "hint": "wait"})");
    ASSERT_FALSE(refused);
    EXPECT_EQ(to_text(refused.diagnostics().front()), "error: too many requests (wait)");
    for (const char* bad :
         {"", "<html>", "[]", "{}", R"({"compiled": true})", R"({"compiled": 1, "ptx": []})"})
        EXPECT_FALSE(remote_output(bad)) << bad;
}

}  // namespace remote_test
}  // namespace lanescope::compile
