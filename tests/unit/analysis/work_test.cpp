// Classifies instructions, finds those that compute data, and counts how often they ran.
#include "analysis/work.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/operations.h"
#include "ptx/module.h"
#include "ptx/parser.h"

namespace lanescope::analysis {
namespace work_test {

// Returns a program whose instructions are the lines that end in a semicolon, except declarations.
trace::Program program(const std::string& ptx) {
    trace::Program made;
    made.ptx = ptx;
    std::istringstream text(ptx);
    std::uint32_t line = 0, function = 0;
    for (std::string each; std::getline(text, each);) {
        ++line;
        if (each.find(".func") != std::string::npos || each.find(".entry") != std::string::npos) ++function;
        const bool instruction = each.starts_with("  ") && each.find(';') != std::string::npos &&
                                 each.find(".reg ") == std::string::npos && !each.starts_with("  .param");
        if (instruction) made.code_rows.push_back({function, function, 1, line});
    }
    return made;
}

const std::string head = ".version 8.0\n.target sm_75\n.address_size 64\n";

// Returns the operation of each instruction, followed by "*" if the instruction computes data.
std::vector<std::string> kinds(const std::string& ptx) {
    const trace::Program made = program(ptx);
    const Work work{Code(made)};
    std::vector<std::string> found;
    for (std::uint32_t pc = 0; pc < work.size(); ++pc)
        found.push_back(std::string(to_text(work.at(pc).operation)) + (work.at(pc).data ? "*" : ""));
    return found;
}

using Kinds = std::vector<std::string>;

TEST(Work, exchanges_barriers_and_moves_of_every_kind) {
    EXPECT_EQ(kinds(head + R"(.visible .entry k()
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<8>;
  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;
  vote.sync.all.pred %p1, %p2, -1;
  vote.sync.ballot.b32 %r1, %p2, -1;
  and.pred %p1, %p2, %p3;
  mapa.u64 %rd1, %rd2, %r1;
  getctarank.u64 %r1, %rd2;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.shared.b64 %rd1, [%rd2];
  mbarrier.try_wait.shared.b64 %p1, [%rd2], %rd1;
  ret;
}
)"),
              (Kinds{"exchange", "exchange", "exchange", "compare", "move", "move", "barrier", "barrier",
                     "barrier", "control"}));
}

TEST(Work, an_index_is_no_data) {
    EXPECT_EQ(kinds(head + R"(.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  add.s32 %r3, %r2, %r1;
  mul.wide.s32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  setp.lt.s32 %p1, %r3, 7;
  not.pred %p2, %p1;
  ld.u32 %r4, [%rd3];
  ld.u32 %r5, [%rd1];
  add.s32 %r6, %r4, %r5;
  st.u32 [%rd3+4], %r6;
  ret;
}
)"),
              (Kinds{"parameter", "parameter", "move", "int_add", "int_multiply", "int_add", "compare",
                     "compare", "load", "load", "int_add*", "store", "control"}));
}

// In a loop with sum += x[i], the sum is data and the counter is not. Several mov write the register of each.
TEST(Work, values_that_meet_in_a_register) {
    EXPECT_EQ(kinds(head + R"(.visible .entry k(.param .u64 p)
{
.reg .pred %p<4>;
.reg .b32 %r<9>;
.reg .f32 %f<9>;
.reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.f32 %f1, 0f00000000;
  mov.u32 %r1, 0;
$again:
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3];
  add.f32 %f3, %f1, %f2;
  mov.f32 %f1, %f3;
  add.s32 %r2, %r1, 1;
  mov.u32 %r1, %r2;
  setp.lt.s32 %p1, %r2, 5;
  @%p1 bra $again;
  bra.uni $done;
$done:
  fma.rn.f32 %f4, %f1, %f1, %f1;
  neg.f32 %f5, %f4;
  st.global.f32 [%rd1], %f5;
  ret;
}
)"),
              (Kinds{"parameter", "move", "move", "int_multiply", "int_add", "load", "float_add*", "move",
                     "int_add", "move", "compare", "control", "control", "float_multiply_add*",
                     "float_other*", "store", "control"}));
}

const std::string calls = R"(.func (.param .b32 r) twice(.param .b32 a)
{
.reg .b32 %r<4>;
  ld.param.u32 %r1, [a];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [r], %r2;
  ret;
}
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<8>;
.param .b32 given;
.param .b32 back;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 1;
  st.param.b32 [given], %r2;
  call.uni (back), twice, (given);
  ld.param.b32 %r3, [back];
)";

TEST(Work, data_goes_through_calls) {
    EXPECT_EQ(kinds(head + calls + "  st.global.u32 [%rd1], %r3;\n  ret;\n}\n"),
              (Kinds{"parameter", "int_add*", "parameter", "control", "parameter", "move", "bits*",
                     "parameter", "control", "parameter", "store", "control"}));
    EXPECT_EQ(kinds(head + calls +
                    "  cvt.u64.u32 %rd2, %r3;\n  add.s64 %rd3, %rd1, %rd2;\n"
                    "  st.global.u32 [%rd3], %r1;\n  ret;\n}\n"),
              (Kinds{"parameter", "int_add", "parameter", "control", "parameter", "move", "bits", "parameter",
                     "control", "parameter", "convert", "int_add", "store", "control"}));
}

TEST(Work, what_an_atomic_is_given_is_data) {
    const std::string body = R"(.visible .entry k(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<8>;
.reg .pred %p<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.lo.s32 %r2, %r1, 3;
  add.s64 %rd2, %rd1, 8;
  atom.add.u32 %r3, [%rd2], %r2;
  sub.s32 %r4, %r3, 1;
  atom.shared.cas.b32 %r5, [%rd2], %r1, %r4;
  rem.s32 %r6, %r5, 7;
  shfl.sync.idx.b32 %r7, %r6, 0, 31, -1;
  bar.sync 0;
  st.global.u32 [%rd1], %r7;
  ret;
}
)";
    EXPECT_EQ(kinds(head + body),
              (Kinds{"parameter", "move", "int_multiply*", "int_add", "atomic", "int_add*", "atomic",
                     "int_divide*", "exchange", "barrier", "store", "control"}));
    const trace::Program made = program(head + body);
    const Work work{Code(made)};
    EXPECT_TRUE(work.at(4).generic);
    EXPECT_FALSE(work.at(4).swap);
    EXPECT_TRUE(work.at(6).swap);
    EXPECT_FALSE(work.at(6).generic);
}

TEST(Work, bad_ptx_has_no_operations) {
    trace::Program made = program("no ptx");
    made.code_rows.resize(3);
    const Work work{Code(made)};
    EXPECT_EQ(work.at(1).operation, Operation::other);
    EXPECT_EQ(work.at(99).operation, Operation::other);
}

TEST(Code, takes_the_module_of_the_compilation_instead_of_parsing) {
    trace::Program made = program(head + ".visible .entry k()\n{\n  bar.sync 0;\n  ret;\n}\n");
    const auto module = std::make_shared<const ptx::Module>(std::move(*ptx::parse(made.ptx)));
    made.ptx = "no ptx: it must not be read";
    const Code code(made, module);
    EXPECT_EQ(code.at(0), &module->functions[0].instructions[0]);
    EXPECT_EQ(code.function_at(1), &module->functions[0]);
    EXPECT_EQ(code.at(2), nullptr);
}

TEST(Code, parses_once_when_it_is_first_asked) {
    trace::Program made = program(head + ".visible .entry k()\n{\n  bar.sync 0;\n  ret;\n}\n");
    const Code code(made);
    const ptx::Instruction* first = code.at(0);
    ASSERT_NE(first, nullptr);
    made.ptx = "no ptx: it must not be read";
    EXPECT_EQ(code.at(0), first);
    EXPECT_NE(code.function_at(1), nullptr);
}

trace::Turn turn_at(std::uint32_t pc, std::uint16_t instructions, trace::Mask mask) {
    trace::Turn turn;
    turn.pc = pc;
    turn.line = 7;
    turn.instructions = instructions;
    turn.mask = mask;
    return turn;
}

// Returns the executions by warps and by lanes of instructions 0 to 9.
std::array<std::pair<std::uint64_t, std::int64_t>, 10> executions(const Runs& runs) {
    std::array<std::pair<std::uint64_t, std::int64_t>, 10> counts{};
    runs.each([&](std::uint32_t begin, const StraightRun& run) {
        for (std::uint32_t pc = begin; pc < run.end; ++pc) {
            counts[pc].first += run.warps;
            counts[pc].second += run.lanes;
        }
    });
    return counts;
}

TEST(Runs, jumps_and_exits) {
    Runs runs(10);
    trace::TurnDetail detail;
    detail.jumps = {{5, 1}, {2, 3}};  // runs 0 1, 5 6, 2 3 4
    detail.exits = {{2, 0xf}};        // at instruction 5
    runs.add(turn_at(0, 7, 0xff), detail);
    detail = {};
    runs.add(turn_at(2, 1, 0x1), detail);
    using Count = std::pair<std::uint64_t, std::int64_t>;
    const auto counts = executions(runs);
    EXPECT_EQ(counts[0], (Count{1, 8}));
    EXPECT_EQ(counts[1], (Count{1, 8}));
    EXPECT_EQ(counts[5], (Count{1, 8}));
    EXPECT_EQ(counts[6], (Count{1, 4}));
    EXPECT_EQ(counts[2], (Count{2, 5}));
    EXPECT_EQ(counts[3], (Count{1, 4}));
    EXPECT_EQ(counts[4], (Count{1, 4}));
    EXPECT_EQ(counts[7], (Count{0, 0}));
}

TEST(Runs, bad_jumps_are_left_out) {
    Runs runs(10);
    trace::TurnDetail detail;
    detail.jumps = {{5, 9}, {0xffffffff, 1}};
    runs.add(turn_at(0, 3, 0x1), detail);
    EXPECT_EQ(executions(runs)[1].first, 1u);
}

}  // namespace work_test
}  // namespace lanescope::analysis
