#include "execution/lanes/lane_expression.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "session/session.h"

namespace lanescope::session {
namespace lane_expression_test {

namespace fs = std::filesystem;

// One block of 64 threads. The tests expect values worked out by hand for the end of the kernel.
constexpr const char* kernel = R"(/*--- lanescope
[buffers]
out = { type = "int", count = "64", init = "zero" }
real = { type = "float", count = "4", values = [0.5, -1.5, 2.0, 4.0] }
[[launch]]
kernel = "k"
grid = ["1"]
block = ["64"]
args = ["out", "real"]
---*/
struct Pair { int left; float right; };
__device__ int twice(int v) {
    int doubled = 2 * v;
    return doubled;
}
__global__ void k(int* out, const float* real) {
    __shared__ int s[64];
    __shared__ float grid[2][3];
    unsigned t = threadIdx.x;
    int negative = -int(t);
    long long wide = 5000000000ll + t;
    Pair pair = {int(t) + 1, 0.25f};
    s[t] = 10 * t;
    if (t < 6) grid[t / 3][t % 3] = t;
    __syncthreads();
    out[t] = s[63 - t] + negative + int(wide) + pair.left + twice(t);
}
)";

class LaneExpressions : public testing::Test {
  protected:
    LaneExpressions() : session_(fs::path(LANESCOPE_SOURCE_DIR) / "kernels") {}
    void SetUp() override {
        const fs::path file = fs::path(testing::TempDir()) / "expressions.cu";
        ASSERT_TRUE(write_file(file, kernel));
        session_.apply(OpenFile{file});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
        session_.apply(SeekStep{1u << 30});
    }
    std::string text(const std::string& expression, std::uint32_t thread) {
        const LaneValue value = session_.values().value(expression, thread / 32, thread % 32);
        if (value.set) return value.text;
        return !value.failure.empty() ? "! " + value.failure : value.visible ? "unset" : "hidden";
    }
    Session session_;
};

TEST_F(LaneExpressions, compute_as_cpp_does) {
    EXPECT_EQ(text("1 + 2 * 3 - 4 / 2", 0), "5");
    EXPECT_EQ(text("(1 + 2) * 3", 0), "9");
    EXPECT_EQ(text("7 % 4 << 2 | 1", 0), "13");
    EXPECT_EQ(text("t - 1", 0), "4294967295") << "t is unsigned";
    EXPECT_EQ(text("t - 1 > 5", 0), "1");
    EXPECT_EQ(text("negative / 2", 5), "-2");
    EXPECT_EQ(text("negative < 0 ? abs(negative) : 100", 7), "7");
    EXPECT_EQ(text("-1 < t", 3), "0") << "-1 becomes the greatest unsigned number";
    EXPECT_EQ(text("wide + 1", 3), "5000000004");
    EXPECT_EQ(text("int(wide)", 3), std::to_string(static_cast<int>(5000000003ll)));
    EXPECT_EQ(text("1.5f * t", 3), "4.5");
    EXPECT_EQ(text("float(t) / 4", 3), "0.75");
    EXPECT_EQ(text("min(t, 2u) + max(1, 2)", 9), "4");
    EXPECT_EQ(text("popc(255) + sqrt(16.0)", 0), "12");
    EXPECT_EQ(text("!t && ~0 == -1", 0), "1");
    EXPECT_EQ(text("0x10 ^ 1", 0), "17");
    EXPECT_EQ(text("2^20 + (2 xor 20)", 0), "40") << "^ binds looser than +";
    EXPECT_EQ(text("3000000000u + 1'000'000'000u + 1'000'000'000u", 0), "705032704");
    EXPECT_EQ(text("4294967295 + 1", 0), "4294967296");
    EXPECT_EQ(text("0xffffffff + 1", 0), "0");
    EXPECT_EQ(text("true + true", 0), "2");
}

TEST_F(LaneExpressions, know_threads_and_places) {
    EXPECT_EQ(text("threadIdx.x", 40), "40");
    EXPECT_EQ(text("warp * 100 + lane", 40), "108");
    EXPECT_EQ(text("blockDim.x * gridDim.x + blockIdx.x", 0), "64");
    EXPECT_EQ(text("warpSize", 0), "32");
}

TEST_F(LaneExpressions, reach_memory_through_names_and_pointers) {
    EXPECT_EQ(text("s[t] + s[63 - t]", 3), "630");
    EXPECT_EQ(text("grid[1][2] * 2", 0), "10");
    EXPECT_EQ(text("real[1]", 0), "-1.5");
    EXPECT_EQ(text("*(real + 2)", 0), "2");
    EXPECT_EQ(text("pair.left + pair.right", 4), "5.25");
    EXPECT_EQ(text("pair", 4), "{5, 0.25}");
    EXPECT_EQ(text("out[t]", 2), std::to_string(10 * 61 - 2 + static_cast<int>(5000000002ll) + 3 + 4));
}

TEST_F(LaneExpressions, say_what_a_lane_lacks) {
    EXPECT_EQ(text("s[t + 1]", 63), "! index 64 is outside of the array of 64");
    EXPECT_EQ(text("10 / (t - t)", 0), "! division by zero");
    EXPECT_EQ(text("t == 0 || 10 / t > 0", 0), "1") << "the right side is not evaluated";
    EXPECT_EQ(text("s", 0).substr(0, 10), "! an array");
    EXPECT_EQ(text("1.5 % 2", 0), "! '%' needs whole numbers");
    EXPECT_EQ(text("pair.middle", 0), "! 'Pair' has no member 'middle'");
    session_.apply(SeekStep{0});
    EXPECT_EQ(text("s[t]", 0), "unset");
}

TEST_F(LaneExpressions, see_the_function_in_which_a_lane_is) {
    bool seen = false;
    for (std::size_t step = 0; step < session_.playhead().steps().size(); ++step) {
        session_.apply(SeekStep{step});
        if (session_.document().text().find("return doubled") == std::string::npos) continue;
        const LaneValue value = session_.values().value("doubled", 0, 3);
        seen |= value.set && value.text == "6";
    }
    EXPECT_TRUE(seen);
}

TEST_F(LaneExpressions, bad_syntax_and_names_are_located) {
    const auto problem = [&](const std::string& expression) {
        const Diagnostics found = session_.values().problems(expression);
        return found.empty() ? "" : std::to_string(found.front().column) + ": " + found.front().message;
    };
    EXPECT_EQ(problem("t + 1"), "");
    EXPECT_EQ(problem("t + strde"), "5: this program has no variable or array 'strde'");
    EXPECT_EQ(problem("t +"), "4: a value is expected here");
    EXPECT_EQ(problem(""), "1: an expression is expected");
    EXPECT_EQ(problem("(t"), "3: ')' is expected here");
    EXPECT_EQ(problem("t = 5"), "3: an expression cannot assign; use '==' to compare");
    EXPECT_EQ(problem("s[t"), "4: ']' is expected here");
    EXPECT_EQ(problem("foo(1)"), "1: unknown function 'foo'");
    EXPECT_EQ(problem("min(1)"), "1: min takes two arguments");
    EXPECT_EQ(problem("3x"), "1: '3x' is not a number");
    EXPECT_EQ(problem("threadIdx.w"), "1: this program has no variable or array 'threadIdx.w'");
    EXPECT_EQ(problem("threadIdx"), "1: this program has no variable or array 'threadIdx'");
    EXPECT_EQ(problem("t <<< 2"), "3: an operator or the end is expected here");
    EXPECT_EQ(problem("t += 2"), "4: an expression cannot assign; use '==' to compare");
    EXPECT_EQ(problem("pair .5"), "6: an operator or the end is expected here");
    EXPECT_EQ(problem("t t"), "3: an operator or the end is expected here");
    EXPECT_EQ(problem("99999999999999999999"), "1: the number does not fit into 64 bits");
    EXPECT_EQ(problem(std::string(300, '(')), "201: the expression is nested too deeply");
    EXPECT_FALSE(problem(std::string(300, '-') + "1").empty());
}

}  // namespace lane_expression_test
}  // namespace lanescope::session
