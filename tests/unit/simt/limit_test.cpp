// Memory stays within its limit for every kernel, measured as the peak resident memory of the process.
#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>

#include "device.h"

namespace lanescope::simt {
namespace limit_test {

constexpr std::uint64_t limit_bytes = 96 << 20;
// Memory outside of the limit: frame rows kept for later launches (16 MiB), pages of
// allocators, the test itself.
constexpr std::uint64_t constant_bytes = 24 << 20;

std::uint64_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == key) {
            std::uint64_t kib = 0;
            status >> kib;
            return kib << 10;
        }
    return 0;
}

class Limit : public testing::Test {
  protected:
    // Returns by how much the peak of resident memory grows while a kernel with this text runs.
    std::uint64_t peak(const std::string& text, trace::Dim3 grid, trace::Dim3 block) {
        malloc_trim(0);                               // what earlier cases freed
        std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
        const std::uint64_t before = status_bytes("VmRSS:");
        Limits limits;
        limits.memory_bytes = limit_bytes;
        limits.warp_instructions = 3'000'000;
        limits.seconds = 30;
        Device device(with_header(text), {}, limits);
        device.run("k", grid, block);
        const std::uint64_t after = status_bytes("VmHWM:");
        problems_ = device.machine().problems();
        return after - std::min(before, after);
    }
    void expect_within(std::uint64_t used) {
        EXPECT_LE(used, limit_bytes + constant_bytes);
        EXPECT_GE(used, limit_bytes / 4) << "the kernel does not come near the limit";
    }
    std::vector<trace::Problem> problems_;
};

const std::string malloc_loop =
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.visible .entry k() {\n.reg .b64 %rd<4>;\n.reg "
    ".pred %p;\n$L:\n"
    "{ .param .b64 p0; .param .b64 r0;\nst.param.b64 [p0], SIZE;\ncall.uni (r0), malloc, (p0);\nld.param.b64 "
    "%rd1, [r0]; }\n"
    "setp.eq.u64 %p, %rd1, 0;\n@%p bra $E;\nst.u8 [%rd1], 1;\nbra $L;\n$E: ret;\n}\n";

std::string malloc_of(const std::string& size) {
    std::string text = malloc_loop;
    return text.replace(text.find("SIZE"), 4, size);
}

TEST_F(Limit, device_malloc_of_single_bytes) {
    expect_within(peak(malloc_of("1"), {1, 1, 1}, {256, 1, 1}));
}

TEST_F(Limit, device_malloc_of_large_pieces) {
    // Only touched pages are resident, but the budget counts all of the memory.
    EXPECT_LE(peak(malloc_of("1000000"), {1, 1, 1}, {256, 1, 1}), limit_bytes + constant_bytes);
}

TEST_F(Limit, deep_recursion_in_many_warps) {
    const std::string text =
        ".func deeper(.param .b32 n) {\n.local .align 16 .b8 depot[256];\n.reg .b32 %r<40>;\n.reg .pred %p;\n"
        "ld.param.b32 %r1, [n];\nst.local.u32 [depot], %r1;\nsetp.gt.u32 %p, %r1, 500;\n@%p bra $E;\nadd.u32 "
        "%r2, %r1, 1;\n"
        "{ .param .b32 p0;\nst.param.b32 [p0], %r2;\ncall.uni deeper, (p0); }\n$E: ret;\n}\n"
        ".visible .entry k() {\n{ .param .b32 p0;\nst.param.b32 [p0], 0;\ncall.uni deeper, (p0); "
        "}\nret;\n}\n";
    expect_within(peak(text, {64, 1, 1}, {1024, 1, 1}));
    ASSERT_FALSE(problems_.empty());
    EXPECT_NE(problems_[0].message.find("overflowed the stack"), std::string::npos) << problems_[0].message;
}

TEST_F(Limit, large_local_and_shared_memory_of_many_blocks) {
    expect_within(
        peak(".visible .entry k() {\n.local .align 16 .b8 depot[16000];\n.shared .align 16 .b8 tile[40000];\n"
             "st.local.u32 [depot], 1;\nst.shared.u32 [tile], 1;\nbar.sync 0;\nret;\n}\n",
             {200, 1, 1}, {256, 1, 1}));
}

TEST_F(Limit, printf_of_long_strings) {
    std::string format;
    for (int i = 0; i < 1000; ++i)
        format += "37,115,";  // "%s,", where each string is the format itself
    std::string text = ".global .align 1 .b8 f[2001] = {" + format + "0};\n";
    text +=
        ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.visible .entry k() {\n"
        ".local .align 8 .b8 depot[8000];\n.reg .b64 %rd<6>;\n.reg .b32 %r<4>;\n.reg .pred %p;\nmov.u64 "
        "%rd1, depot;\n"
        "cvta.local.u64 %rd2, %rd1;\nmov.u64 %rd3, f;\ncvta.global.u64 %rd4, %rd3;\nmov.u32 %r1, 0;\n$L:\n"
        "mul.wide.u32 %rd5, %r1, 8;\nadd.s64 %rd5, %rd5, %rd1;\nst.local.u64 [%rd5], %rd4;\nadd.u32 %r1, "
        "%r1, 1;\n"
        "setp.lt.u32 %p, %r1, 1000;\n@%p bra $L;\n"
        "{ .param .b64 p0; .param .b64 p1; .param .b32 r0;\nst.param.b64 [p0], %rd4;\nst.param.b64 [p1], "
        "%rd2;\n"
        "call.uni (r0), vprintf, (p0, p1);\n}\nret;\n}\n";
    EXPECT_LE(peak(text, {1, 1, 1}, {16, 1, 1}), limit_bytes + constant_bytes);
}

TEST_F(Limit, asynchronous_copies_that_nobody_waits_for) {
    expect_within(
        peak(".global .align 16 .b8 from[65536];\n.visible .entry k() {\n.shared .align 16 .b8 tile[16384];\n"
             ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
             "mad.lo.u32 %r2, %r1, 16, %r2;\nmov.u64 %rd1, from;\nmov.u32 %r3, 0;\n$L:\n"
             "cp.async.cg.shared.global [%r2], [%rd1], 16;\nadd.u32 %r3, %r3, 1;\n"
             "setp.lt.u32 %p, %r3, 6000;\n@%p bra $L;\nret;\n}\n",
             {64, 1, 1}, {1024, 1, 1}));
}

// Before its memory is allocated, a variable takes only the space of its initial values.
TEST_F(Limit, large_module_variable_with_a_short_list) {
    const std::uint64_t used =
        peak(".global .align 4 .u32 v[536870911] = {1, 2};\n.visible .entry k() { ret; }\n", {1, 1, 1},
             {32, 1, 1});
    EXPECT_LE(used, limit_bytes + constant_bytes);
}

TEST_F(Limit, large_module_variables) {
    const std::uint64_t used = peak(
        ".global .align 16 .b8 big[70000000];\n.visible .entry k() {\nst.global.u32 [big], 1;\nret;\n}\n",
        {1, 1, 1}, {32, 1, 1});
    EXPECT_LE(used, limit_bytes + constant_bytes);
    EXPECT_TRUE(problems_.empty());
}

}  // namespace limit_test
}  // namespace lanescope::simt
