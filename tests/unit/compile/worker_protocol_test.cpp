#include "compile/worker_protocol.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace worker_protocol_test {

Request a_request() {
    Request request;
    request.library = "libnvrtc.so.13";
    request.options = {"-a", "", "-c"};
    request.source = {"x.cu", std::string("text\n\xff", 6), "folder/x.cu"};
    request.headers = {{"h.h", "#pragma once", "/h.h"}};
    request.alias = true;
    request.target = "sm_90";
    request.linker = "libnvJitLink.so.13";
    return request;
}

TEST(WorkerProtocol, requests_arrive_whole) {
    const auto back = decode_request(encode(a_request()));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->library, "libnvrtc.so.13");
    EXPECT_EQ(back->options, a_request().options);
    EXPECT_EQ(back->source.text, a_request().source.text);
    EXPECT_EQ(back->headers.at(0).shown, "/h.h");
    EXPECT_TRUE(back->alias);
    EXPECT_EQ(back->target, "sm_90");
    EXPECT_EQ(back->linker, "libnvJitLink.so.13");
}

TEST(WorkerProtocol, answers_arrive_whole) {
    Answer answer;
    answer.library_loaded = answer.compiled = true;
    answer.ptx = "ptx";
    answer.aliased_ptx = "aliased";
    answer.cubin = std::string("\0\1", 2);
    answer.diagnostics = {{Severity::warning, "f", 3, 4, "m", "h"}};
    const auto back = decode_answer(encode(answer));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->aliased_ptx, "aliased");
    EXPECT_EQ(back->cubin, answer.cubin);
    EXPECT_EQ(to_text(back->diagnostics), to_text(answer.diagnostics));
}

TEST(WorkerProtocol, bad_answers_are_refused) {
    Answer answer;
    answer.symbols = {"a", "b"};
    answer.diagnostics = {{Severity::warning, "f", 3, 4, "m", "h"}};
    const std::string whole = encode(answer);
    ASSERT_TRUE(decode_answer(whole));
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_FALSE(decode_answer(whole.substr(0, n))) << n;
    EXPECT_FALSE(decode_answer(whole + "x"));
    EXPECT_FALSE(decode_request(whole));
}

TEST(WorkerProtocol, bad_messages_are_refused) {
    const std::string whole = encode(a_request());
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_FALSE(decode_request(whole.substr(0, n))) << n;
    EXPECT_FALSE(decode_request(whole + "x"));
    EXPECT_FALSE(decode_answer(whole));
    // An unknown kind, and a flag that is neither true nor false.
    std::string unknown = whole;
    unknown[8 + std::string_view("lanescope compile request 4").size()] = 3;
    EXPECT_FALSE(decode_request(unknown));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = '\xff';
        (void)decode_request(damaged);  // must end and must not allocate more than the bytes can fill
    }
    std::string huge = whole;
    for (std::size_t i = 0; i < 8; ++i)
        huge[i] = '\xff';
    EXPECT_FALSE(decode_request(huge));
}

}  // namespace worker_protocol_test
}  // namespace lanescope::compile
