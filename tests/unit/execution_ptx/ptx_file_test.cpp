// PTX files: their lines, their front matter, their proposed launches.
#include "execution/ptx/ptx_file.h"

#include "session/report/report.h"
#include "support.h"
#include "trace/steps.h"

namespace lanescope::session {
namespace ptx_file_test {

namespace fs = std::filesystem;

class PtxFiles : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("ptx_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path put(const std::string& name, const std::string& text) const {
        EXPECT_TRUE(write_file(folder_ / name, text));
        return folder_ / name;
    }
    fs::path folder_;
};

// out[i] = 2 * i, with lines 2 and 3 of `source`.
std::string doubling(const std::string& source = "") {
    const auto loc = [&](int line) {
        return source.empty() ? std::string() : ".loc 1 " + std::to_string(line) + " 1\n";
    };
    std::string text =
        execution::kernel_text(".param .u64 k_param_0, .param .u32 k_param_1",
                               loc(2) +
                                   "ld.param.b64 %rd1, [k_param_0];\nld.param.b32 %r9, [k_param_1];\n"
                                   "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
                                   "mad.lo.s32 %r4, %r1, %r2, %r3;\nsetp.ge.s32 %p1, %r4, %r9;\n"
                                   "@%p1 bra DONE;\n" +
                                   loc(3) +
                                   "add.s32 %r5, %r4, %r4;\nmul.wide.s32 %rd2, %r4, 4;\n"
                                   "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r5;\nDONE:\n");
    if (!source.empty()) text += ".file 1 \"" + source + "\"\n";
    return text;
}

const std::string python = "@jit\ndef k(out, n):\n    out[i] = i + i\n";

TEST_F(PtxFiles, lines_are_those_of_the_source) {
    put("kernels.py", python);
    const auto run =
        execution::run_text(doubling("/somewhere/else/kernels.py"), (folder_ / "k.ptx").string());
    ASSERT_TRUE(run) << execution::problems_of(run);
    EXPECT_EQ(run->lines_file, (folder_ / "kernels.py").string());
    EXPECT_EQ(run->text_of_lines(), python);
    EXPECT_EQ(run->trace->program.source.text, python);
    const auto steps = trace::build_steps(*run->trace, 0, trace::Granularity::line);
    std::vector<std::uint32_t> lines;
    for (const trace::Turn& turn : run->trace->turns)
        if (turn.block == 0 && turn.warp == 0) lines.push_back(turn.line);
    EXPECT_EQ(lines, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_FALSE(steps.empty());
    EXPECT_EQ(run->instance.buffers[0].name, "out");
    EXPECT_EQ(after<int>(*run, "out")[5], 10);
    EXPECT_NE(report_text(*run).find("lines of " + run->lines_file), std::string::npos);
    EXPECT_NE(report_json(*run, false).find("\"lines_file\""), std::string::npos);
}

TEST_F(PtxFiles, lines_are_those_of_the_ptx_without_the_source) {
    const auto missing = execution::open_ptx(doubling("/nowhere/kernels.py"), (folder_ / "k.ptx").string());
    ASSERT_TRUE(missing) << execution::problems_of(missing);
    EXPECT_EQ(missing->note, "the lines are those of the PTX, because /nowhere/kernels.py is not there");
    put("short.py", "one line\n");
    const auto changed = execution::open_ptx(doubling("short.py"), (folder_ / "k.ptx").string());
    ASSERT_TRUE(changed);
    EXPECT_NE(changed->note.find("short.py has changed: line 3"), std::string::npos);
    const auto run = execution::run_text(doubling(), "k.ptx");
    ASSERT_TRUE(run) << execution::problems_of(run);
    EXPECT_TRUE(run->lines_file.empty());
    std::set<std::uint32_t> lines;
    for (const trace::Turn& turn : run->trace->turns)
        lines.insert(turn.line);
    EXPECT_EQ(lines.size(), 13u);  // an instruction a step
    EXPECT_TRUE(lines.contains(11));
}

TEST_F(PtxFiles, registers_are_variables) {
    const auto run = execution::run_text(doubling(), "k.ptx");
    ASSERT_TRUE(run) << execution::problems_of(run);
    const auto& variables = run->trace->program.functions[0].variables;
    const auto sum = std::find_if(variables.begin(), variables.end(),
                                  [](const trace::Variable& each) { return each.name == "%r5"; });
    ASSERT_NE(sum, variables.end());
    EXPECT_EQ(run->trace->program.types[sum->type].name, "int");
    EXPECT_TRUE(std::none_of(variables.begin(), variables.end(), [](const trace::Variable& each) {
        return each.name == "%r0";
    }));  // never written
}

TEST_F(PtxFiles, a_proposal_counts_what_is_touched) {
    const auto run = execution::run_text(doubling(), "k.ptx", {{"p1", 50}});
    ASSERT_TRUE(run) << execution::problems_of(run);
    EXPECT_TRUE(run->proposed && run->fine()) << report_text(*run);
    EXPECT_EQ(run->instance.buffers[0].count, 50u);
    EXPECT_EQ(run->instance.launches[0].grid[0], 1u);
    const auto again = execution::run_text(doubling(), "k.ptx", {{"p1", 65}});
    ASSERT_TRUE(again) << execution::problems_of(again);
    EXPECT_EQ(again->instance.launches[0].grid[0], 2u);
    EXPECT_EQ(again->instance.buffers[0].count, 65u);
}

const std::string toml =
    "[buffers]\nout = { type = 'int', count = 8 }\n[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\n"
    "args = ['out', 8]\n[[expect]]\nbuffer = 'out'\nvalues = [0, 2, 4, 6, 8, 10, 12, 14]\n";

TEST_F(PtxFiles, front_matter_stands_in_a_comment_or_beside) {
    const auto inside = execution::run_text("/*--- lanescope\n" + toml + "---*/\n" + doubling(), "k.ptx");
    ASSERT_TRUE(inside) << execution::problems_of(inside);
    EXPECT_TRUE(!inside->proposed && inside->fine()) << report_text(*inside);
    put("k.toml", toml);
    const auto beside = execution::run_text(doubling(), (folder_ / "k.ptx").string());
    ASSERT_TRUE(beside) << execution::problems_of(beside);
    EXPECT_TRUE(!beside->proposed && beside->fine() && beside->expectations.size() == 1)
        << report_text(*beside);
    put("k.toml", toml + "[[expect]]\nbuffer = 'nope'\nvalues = [1]\n");
    EXPECT_NE(execution::problems_of(execution::run_text(doubling(), (folder_ / "k.ptx").string()))
                  .find("k.toml:12:"),
              std::string::npos);
    put("k.toml", "[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\nargs = [0]\n");
    EXPECT_NE(execution::problems_of(execution::run_text(doubling(), (folder_ / "k.ptx").string()))
                  .find("k.toml:1: error: kernel 'k' takes 2 arguments, but the launch gives 1"),
              std::string::npos);
}

TEST_F(PtxFiles, mistakes_are_located) {
    EXPECT_EQ(execution::problems_of(
                  execution::run_text(".version 8.0\n.target sm_90\n.address_size 64\n", "k.ptx")),
              "k.ptx: error: the file has no kernel (a kernel begins with .visible .entry NAME()\n");
    EXPECT_EQ(
        execution::problems_of(execution::run_text(execution::kernel_text("", "fly.u32 %r1;\n"), "k.ptx"))
            .substr(0, 9),
        "k.ptx:10:");
    execution::RunRequest request;
    request.file = "k.ptx";
    request.source = doubling();
    request.flags.arch = "sm_80";
    EXPECT_NE(
        execution::problems_of(execution::execute(request)).find("k.ptx is PTX, which is compiled already"),
        std::string::npos);
    request.flags = {};
    request.kernel = "j";
    EXPECT_NE(execution::problems_of(execution::execute(request)).find("no kernel is named 'j'"),
              std::string::npos);
}

TEST_F(PtxFiles, structures_hold_addresses) {
    // As Julia passes an array: its address, sizes, and the length at 24.
    const auto run = execution::run_text(
        execution::kernel_text(
            ".param .align 8 .b8 a[32], .param .f32 factor",
            "ld.param.u64 %rd1, [a];\nld.param.u64 %rd5, [a+24];\nld.param.f32 %f1, [factor];\n"
            "mov.u32 %r3, %tid.x;\ncvt.u64.u32 %rd4, %r3;\nsetp.ge.s64 %p1, %rd4, %rd5;\n@%p1 bra DONE;\n"
            "mul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f2, [%rd3];\n"
            "mul.f32 %f3, %f1, %f2;\nst.global.f32 [%rd3], %f3;\nDONE:\n"),
        "k.ptx");
    ASSERT_TRUE(run) << execution::problems_of(run);
    EXPECT_TRUE(run->fine()) << report_text(*run);
    const auto values = before<float>(*run, "a_0"), results = after<float>(*run, "a_0");
    ASSERT_FALSE(values.empty());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(results[i], 2 * values[i]);
}

TEST_F(PtxFiles, a_block_that_fits_is_found) {
    // An array of 8 × 8 in shared memory; the PTX does not say how many threads write it.
    const auto run = execution::run_text(
        execution::kernel_text(
            ".param .u64 k_param_0",
            ".shared .align 4 .b8 tile[256];\nld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\n"
            "mov.u32 %r2, %tid.y;\nshl.b32 %r3, %r2, 3;\nadd.s32 %r4, %r3, %r1;\nshl.b32 %r5, %r4, 2;\n"
            "mov.u32 %r6, tile;\nadd.s32 %r7, %r6, %r5;\nst.shared.u32 [%r7], %r4;\nbar.sync 0;\n"
            "ld.shared.u32 %r8, [%r7];\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
            "st.global.u32 [%rd3], %r8;\n"),
        "k.ptx");
    ASSERT_TRUE(run) << execution::problems_of(run);
    EXPECT_EQ(run->instance.launches[0].block, (std::array<std::uint32_t, 3>{8, 8, 1}));
    EXPECT_TRUE(run->fine()) << report_text(*run);
}

}  // namespace ptx_file_test
}  // namespace lanescope::session
