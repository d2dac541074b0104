// Compares source steps with the lines that a reader of the kernels expects.
#include <gtest/gtest.h>

#include "ptx/cfg.h"
#include "ptx_text.h"
#include "scalar_walk.h"

namespace lanescope::ptx {
namespace steps_test {

using Lines = std::vector<std::uint32_t>;

using Values = std::vector<std::uint64_t>;

constexpr std::uint64_t in = 0x1000, out = 0x2000;

Lines walk_in(const Module& module, const std::string& kernel, const Values& arguments, const Values& input,
              std::uint64_t thread = 0) {
    ScalarWalk walk(module, 1);
    walk.specials = {{Special::ntid_x, 4}, {Special::tid_x, thread}};
    for (std::size_t i = 0; i < input.size(); ++i)
        walk.memory[in + 4 * i] = input[i];
    return walk.lines(kernel, arguments);
}

Lines walk(const std::string& kernel, const Values& arguments, const Values& input,
           std::uint64_t thread = 0) {
    static const Module module = parsed(corpus_text("steps.ptx"));
    return walk_in(module, kernel, arguments, input, thread);
}

TEST(Steps, modulo_reduction_of_the_first_thread) {
    EXPECT_EQ(walk("modulo", {in, out}, {1, 2, 3, 4}),
              (Lines{1, 3, 4, 5, 6, 7, 8, 10, 6, 7, 8, 10, 6, 12, 13}));
}

TEST(Steps, modulo_reduction_of_a_thread_that_sits_out) {
    EXPECT_EQ(walk("modulo", {in, out}, {1, 2, 3, 4}, 1), (Lines{1, 3, 4, 5, 6, 7, 10, 6, 7, 10, 6, 12, 13}));
}

TEST(Steps, for_with_init_condition_and_increment_on_lines_of_their_own) {
    EXPECT_EQ(walk("split_for", {out, 2}, {}), (Lines{15, 16, 17, 18, 20, 19, 18, 20, 19, 18, 22, 23}));
}

TEST(Steps, one_line_loops_step_once_per_turn) {
    // The `for` takes three values and then fails its condition; `while` takes 25, 15, 5; `do`
    // takes 5, 8, 11, 14, 17, 20.
    EXPECT_EQ(walk("one_line", {in, out, 3}, {20, 3, 2}),
              (Lines{25, 26, 27, 27, 27, 27, 28, 28, 28, 29, 29, 29, 29, 29, 30, 31}));
}

TEST(Steps, ternaries) {
    EXPECT_EQ(walk("ternary", {in, out}, {5}), (Lines{33, 34, 35, 37, 38}));
    EXPECT_EQ(walk("ternary", {in, out}, {1}), (Lines{33, 34, 35, 36, 37, 38}));
}

TEST(Steps, early_return_in_a_loop) {
    EXPECT_EQ(walk("early_return", {in, out, 3}, {1, 7, 2}), (Lines{40, 41, 42, 41, 42, 43, 44, 48}));
    EXPECT_EQ(walk("early_return", {in, out, 2}, {1, 2}), (Lines{40, 41, 42, 41, 42, 41, 47, 48}));
}

TEST(Steps, calls_have_steps_of_their_own_and_come_back_to_the_line) {
    // collatz(2) takes the even value 2, then 1.
    EXPECT_EQ(walk("calls", {in, out, 2}, {3}),
              (Lines{60, 61, 63, 64, 50, 51, 52, 53, 54, 55, 52, 57, 68, 69, 70, 71, 68, 69, 68, 73, 74}));
}

TEST(Steps, switch_that_falls_through_continue_and_break) {
    EXPECT_EQ(walk("calls", {in, out, 5}, {1}),
              (Lines{60, 61, 63, 65, 66, 68, 69, 70, 71, 68, 69, 68, 69, 70, 71, 68, 69, 70, 73, 74}));
}

// In this optimised code, halve_twice() and halve() are in a header, and scaled() is in the user's file.
TEST(Steps, inlined_header_code_counts_as_the_line_that_calls_it) {
    const Module module = parsed(corpus_text("inlined.optimized.ptx"));
    EXPECT_EQ(walk_in(module, "inlined", {in, out, 1}, {6, 7, 8}),
              (Lines{8, 9, 10, 11, 4, 5, 12, 13, 14, 13, 15}));
}

TEST(Steps, inlined_header_code_in_debug_code) {
    const Module module = parsed(corpus_text("inlined.debug.ptx"));
    EXPECT_EQ(walk_in(module, "inlined", {in, out, 1}, {6, 7, 8}),
              (Lines{8, 9, 10, 11, 4, 5, 11, 12, 13, 14, 13, 15}));
}

TEST(Steps, inlined_rows_count_for_the_users_call_over_any_number_of_levels) {
    const Module module = parsed(kernel(R"(
        .loc 1 10 1
        bar.sync 0;
        .loc 2 5 1, function_name $L_f, inlined_at 1 20 3
        bar.sync 1;
        .loc 1 11 1
        bar.sync 2;
        .loc 2 7 9, function_name $L_g, inlined_at 2 5 1
        bar.sync 3;
        .loc 3 70 2, function_name $L_h, inlined_at 2 7 9
        bar.sync 4;
        .loc 2 8 1
        bar.sync 5;
        .loc 2 9 1, function_name $L_i, inlined_at 3 1000 1
        ret;
    )"));
    Lines lines;
    for (const StepRow& row : build_step_table(module.functions.at(0), 1).rows)
        lines.push_back(row.line);
    EXPECT_EQ(lines, (Lines{10, 20, 11, 20, 20, 20, 20}))
        << "without a call in the user's file the row before stays";
}

// Debug code has no inlined_at; its calls come from DWARF.
TEST(Steps, rows_of_another_file_count_for_the_innermost_call_of_the_user) {
    const Module module = parsed(kernel(R"(
        .loc 1 10 1
        bar.sync 0;
        .loc 2 5 1
        bar.sync 1;
        .loc 3 7 1
        bar.sync 2;
        .loc 1 12 1
        bar.sync 3;
        .loc 2 8 1
        bar.sync 4;
        ret;
    )"));
    const std::vector<InlinedCall> calls{{1, 3, 1, 11, 5}, {2, 3, 2, 6, 1}, {3, 4, 1, 99, 1}};
    Lines lines;
    for (const StepRow& row : build_step_table(module.functions.at(0), 1, calls).rows)
        lines.push_back(row.line);
    EXPECT_EQ(lines, (Lines{10, 11, 11, 12, 12, 12}))
        << "own rows stay; behind the calls the row before stays";
}

TEST(Steps, a_function_without_user_rows_has_no_lines) {
    const Module module = parsed(corpus_text("inlined.optimized.ptx"));
    const StepTable table = build_step_table(module.functions[0], 7);
    for (const StepRow& row : table.rows)
        EXPECT_EQ(row.line, 0u);
    for (std::uint32_t i = 0; i + 1 < table.rows.size(); ++i)
        EXPECT_FALSE(table.starts_step(0, i, i + 1));
}

// The stored value depends on p. The block `other` has row 0; the row before it in the text is line 11.
constexpr const char* row_zero = R"(
    .reg .b32 %r<4>; .reg .pred %p<2>; .reg .b64 %rd<2>;
    .loc 1 10 1
    ld.param.u64 %rd0, [p];
    ld.u32 %r0, [%rd0];
    setp.eq.s32 %p0, %r0, 0;
    @%p0 bra other;
    .loc 1 11 1
    add.s32 %r1, %r0, 1;
    bra.uni join;
other:
    .loc 1 0 1
    and.b32 %r1, %r0, 0;
    .loc 1 12 1
    add.s32 %r1, %r1, 2;
    bra.uni join;
join:
    .loc 1 13 1
    st.u32 [%rd0], %r1;
    ret;
)";

TEST(Steps, code_without_a_line_starts_no_step) {
    const Module module = parsed(kernel(row_zero));
    EXPECT_EQ(walk_in(module, "k", {in}, {0}), (Lines{10, 12, 13}));
    EXPECT_EQ(walk_in(module, "k", {in}, {1}), (Lines{10, 11, 13}));
}

// The block `edge` has no .loc. It follows line 11 in the text and lies on the path from line 10 to line 12.
constexpr const char* edge_block = R"(
    .reg .b32 %r<4>; .reg .pred %p<2>; .reg .b64 %rd<2>;
    .loc 1 10 1
    ld.param.u64 %rd0, [p];
    ld.u32 %r0, [%rd0];
    setp.eq.s32 %p0, %r0, 0;
    @%p0 bra edge;
    .loc 1 11 1
    add.s32 %r1, %r0, 1;
    bra.uni join;
edge:
    mov.u32 %r1, 7;
    bra.uni join;
join:
    .loc 1 12 1
    st.u32 [%rd0], %r1;
    ret;
)";

TEST(Steps, copies_and_jumps_between_blocks_start_no_step) {
    const Module module = parsed(kernel(edge_block));
    EXPECT_EQ(walk_in(module, "k", {in}, {0}), (Lines{10, 12}));
    EXPECT_EQ(walk_in(module, "k", {in}, {1}), (Lines{10, 11, 12}));
}

TEST(Steps, row_zero_keeps_the_row_before_it) {
    const Module module =
        parsed(kernel("\n.loc 1 5 2\nbar.sync 0;\n.loc 1 0 2\nmembar.cta;\n.loc 1 6 1\nret;\n"));
    const Function& function = module.functions.at(0);
    EXPECT_EQ(function.rows.at(function.instructions.at(1).row).line, 5u);
    EXPECT_EQ(function.rows.at(function.instructions.at(2).row).line, 6u);
}

}  // namespace steps_test
}  // namespace lanescope::ptx
