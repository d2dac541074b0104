// Registers that were never set are reported where they do harm, and nowhere else.
#include <gtest/gtest.h>

#include "device.h"

namespace lanescope::simt {
namespace uninit_test {

using trace::ProblemKind;

const char* const head =
    ".visible .entry k(.param .u64 out_p, .param .u32 n_p) {\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .pred %p<8>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %rd1, [out_p];\nld.param.u32 %r1, [n_p];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "setp.lt.u32 %p1, %r2, %r1;\n";

class Uninit : public testing::TestWithParam<bool> {
  protected:
    // Runs a body in which %r2 is the thread, %rd3 its cell and %p1 "thread < n". No thread has set %r9.
    const std::vector<trace::Problem>& run(const std::string& body, std::uint32_t n = 0,
                                           const std::string& before = "") {
        device_ = std::make_unique<Device>(with_header(before + head + body + "\nret;\n}\n"));
        if (GetParam()) device_->record();
        out_ = device_->buffer(std::vector<std::uint32_t>(32, 5), "out");
        device_->run("k", {1, 1, 1}, {32, 1, 1}, out_, n);
        return device_->machine().problems();
    }
    void expect_one(const std::string& body, const std::string& what, std::uint64_t lanes,
                    std::uint32_t n = 0, const std::string& before = "") {
        const auto& problems = run(body, n, before);
        ASSERT_EQ(problems.size(), 1u) << body;
        EXPECT_EQ(problems[0].kind, ProblemKind::uninitialised);
        EXPECT_NE(problems[0].message.find(what), std::string::npos) << problems[0].message;
        EXPECT_EQ(problems[0].occurrences, lanes) << body;
    }
    void expect_none(const std::string& body, std::uint32_t n = 0, const std::string& before = "") {
        for (const trace::Problem& problem : run(body, n, before))
            ADD_FAILURE() << problem.message << " in " << body;
    }
    std::unique_ptr<Device> device_;
    DeviceAddress out_ = 0;
};

TEST_P(Uninit, bad_store) {
    expect_one("st.global.u32 [%rd3], %r9;", "thread 0 of block 0 stores a value that was never set", 32);
    EXPECT_EQ(device_->read<std::uint32_t>(out_, 1)[0], 0u);
    expect_one("st.global.v2.u32 [%rd1], {%r2, %r9};", "stores", 32);
    expect_one("atom.global.add.u32 %r3, [%rd1], %r9;", "updates memory with", 32);
    expect_one("red.global.add.u32 [%rd1], %r9;", "updates memory with", 32);
}

TEST_P(Uninit, bad_address) {
    expect_one(
        "and.b32 %r3, %r9, 3;\ncvt.u64.u32 %rd4, %r3;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r4, [%rd5];",
        "takes an address from a value that was never set", 32);
}

TEST_P(Uninit, bad_branches) {
    expect_one("setp.eq.s32 %p2, %r9, 7;\n@%p2 bra $L1;\nmov.u32 %r3, 1;\n$L1:", "branches on", 32);
    // The guard is off in every lane.
    expect_one("setp.ne.s32 %p2, %r9, %r9;\n@%p2 st.global.u32 [%rd3], %r2;",
               "decides whether to access memory by", 32);
    expect_one("bar.sync %r9;", "chooses a barrier", 32);
    expect_one("ts: .branchtargets $L1, $L2;\nbrx.idx %r9, ts;\n$L1:\n$L2:", "branches on", 32);
}

TEST_P(Uninit, bad_after_arithmetic_in_some_lanes) {
    expect_one(
        "@%p1 mov.u32 %r9, 1;\nadd.s32 %r3, %r9, %r2;\ncvt.rn.f32.s32 %f1, %r3;\nst.global.f32 [%rd3], %f1;",
        "thread 31 of block 0 stores", 1, 31);
    expect_none("@%p1 mov.u32 %r9, 1;\nadd.s32 %r3, %r9, %r2;\nst.global.u32 [%rd3], %r3;", 32);
}

TEST_P(Uninit, bad_through_a_branch_and_a_loop) {
    const std::string body =
        "mov.u32 %r5, 0;\n$loop:\nsetp.eq.u32 %p2, %r5, 3;\nand.pred %p3, %p2, %p1;\n@!%p3 bra $on;\nmov.u32 "
        "%r9, 4;\n"
        "$on:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p4, %r5, 8;\n@%p4 bra $loop;\nst.global.u32 [%rd3], %r9;";
    expect_one(body, "stores", 30, 2);
    expect_none(body, 32);
}

TEST_P(Uninit, bad_through_a_function) {
    const std::string same =
        ".func (.param .b32 result) same(.param .b32 value) {\n.reg .b32 %r<3>;\nld.param.b32 %r1, [value];\n"
        "xor.b32 %r2, %r1, 1;\nst.param.b32 [result], %r2;\nret;\n}\n";
    const auto call = [](const std::string& argument) {
        return "{ .param .b32 p0; .param .b32 r0;\nst.param.b32 [p0], " + argument +
               ";\ncall.uni (r0), same, (p0);\nld.param.b32 %r3, [r0]; }\nst.global.u32 [%rd3], %r3;\n";
    };
    expect_one(call("%r9"), "stores", 32, 0, same);
    expect_none(call("%r2"), 0, same);
    // The argument of the same call site is set in some lanes only.
    expect_one("@%p1 mov.u32 %r9, 3;\n" + call("%r9"), "stores", 22, 10, same);
    // The parameter does not keep the state of another call.
    expect_none("{ .param .b32 p0; .param .b32 r0;\nst.param.b32 [p0], %r9;\ncall.uni (r0), same, (p0); }\n" +
                    call("%r2"),
                0, same);
}

TEST_P(Uninit, bad_result_of_a_function) {
    const std::string maybe =
        ".func (.reg .b32 result) maybe(.reg .b32 value) {\n.reg .pred %p1;\nsetp.lt.u32 %p1, value, 8;\n"
        "@!%p1 bra $L1;\nmov.u32 result, 4;\n$L1:\nret;\n}\n";
    expect_one("call.uni (%r3), maybe, (%r2);\nst.global.u32 [%rd3], %r3;", "stores", 24, 0, maybe);
    expect_none("call.uni (%r3), maybe, (%r2);\nsetp.lt.u32 %p2, %r2, 8;\n@%p2 st.global.u32 [%rd3], %r3;", 0,
                maybe);
}

TEST_P(Uninit, bad_through_other_lanes) {
    const std::string some = "@%p1 mov.u32 %r9, 1;\n";
    expect_one(some + "shfl.sync.bfly.b32 %r3, %r9, 16, 31, -1;\nst.global.u32 [%rd3], %r3;",
               "thread 4 of block 0 stores", 12, 20);
    expect_none(some + "shfl.sync.idx.b32 %r3, %r9, 3, 31, -1;\nst.global.u32 [%rd3], %r3;", 20);
    expect_one(
        some + "setp.eq.u32 %p2, %r9, 1;\nvote.sync.ballot.b32 %r3, %p2, -1;\nst.global.u32 [%rd3], %r3;",
        "stores", 32, 20);
    expect_one(some + "redux.sync.add.u32 %r3, %r9, -1;\nst.global.u32 [%rd3], %r3;", "stores", 32, 31);
}

TEST_P(Uninit, discarded_values_are_fine) {
    expect_none("add.s32 %r3, %r9, 1;\nmul.lo.s32 %r4, %r3, %r9;\nshfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;");
    expect_none("selp.b32 %r3, %r2, %r9, %p1;\nst.global.u32 [%rd3], %r3;", 32);
    expect_one("selp.b32 %r3, %r2, %r9, %p1;\nst.global.u32 [%rd3], %r3;", "stores", 2, 30);
    expect_none(
        "and.b32 %r3, %r9, 0;\nor.b32 %r4, %r9, -1;\nxor.b32 %r5, %r9, %r9;\n"
        "st.global.u32 [%rd3], %r3;\nst.global.u32 [%rd3], %r4;\nst.global.u32 [%rd3], %r5;");
    // if (c) x = f(); … if (c) use(x);
    expect_none("@%p1 mov.u32 %r9, 3;\n@!%p1 bra $L1;\nst.global.u32 [%rd3], %r9;\n$L1:", 7);
    // c && x > 0
    const std::string both = "@%p1 mov.u32 %r9, 3;\nsetp.gt.s32 %p2, %r9, 0;\nand.pred %p3, %p1, %p2;\n";
    expect_none(both + "@%p3 st.global.u32 [%rd3], %r2;", 7);
    expect_none(
        "@%p1 mov.u32 %r9, 3;\nsetp.gt.and.s32 %p2, %r9, 0, %p1;\n@%p2 bra $L1;\nmov.u32 %r3, 0;\n$L1:", 7);
}

TEST_P(Uninit, one_report_for_one_use_of_a_register) {
    expect_one("st.global.u32 [%rd3], %r9;\nst.global.u32 [%rd3], %r9;", "stores", 32);
}

INSTANTIATE_TEST_SUITE_P(recorded, Uninit, testing::Bool());

}  // namespace uninit_test
}  // namespace lanescope::simt
