// The flow of values, compared with what a change of each input changes in the results.
#include "analysis/flow/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "analysis/lock_order.h"
#include "base/files.h"
#include "execution/run/run.h"
#include "scene/flow/flow_figure.h"
#include "scene/flow/flow_slots.h"
#include "scene/stage/cell_life.h"
#include "session/report/flow_report.h"
#include "trace/checksum.h"
#include "trace/io.h"

namespace lanescope::session {
namespace flow_test {

constexpr unsigned cells = 16;

// A kernel of one block of 16 threads with in[16], mask[4] and out[16]; it must not hide a changed input.
struct Sample {
    const char* name;
    const char* body;
    unsigned blocks = 1;
};

constexpr Sample samples[] = {
    {"copy", "out[t] = in[t];"},
    {"reverse", "out[t] = in[15 - t];"},
    {"shifted", "out[t] = in[(t + 5) % 16] + 7;"},
    {"constant", "out[t] = t * 3;"},
    {"two_terms", "out[t] = in[t] + 2 * in[(t + 1) % 16];"},
    {"loop", "int sum = 0; for (int i = 0; i <= t; ++i) sum += in[i]; out[t] = sum;"},
    {"every_other", "int sum = 0; for (int i = t % 2; i < 16; i += 2) sum ^= in[i]; out[t] = sum;"},
    {"shared", "s[t] = in[t]; __syncthreads(); out[t] = s[15 - t];"},
    {"tree",
     "s[t] = in[t]; for (int d = 8; d > 0; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }"
     "__syncthreads(); out[t] = s[0];"},
    {"hillis_steele",
     "s[t] = in[t]; for (int d = 1; d < 16; d *= 2) { __syncthreads(); int left = t >= d ? s[t - d] : 0;"
     "__syncthreads(); s[t] += left; } out[t] = s[t];"},
    {"two_buffers",
     "int* from = s; int* to = r; from[t] = in[t]; for (int d = 1; d < 16; d *= 2) { __syncthreads();"
     "to[t] = from[t] + (t >= d ? from[t - d] : 0); int* next = from; from = to; to = next; } out[t] = "
     "from[t];"},
    {"blelloch",
     "s[t] = in[t]; for (int d = 1; d < 16; d *= 2) { __syncthreads(); int i = 2 * d * (t + 1) - 1;"
     "if (i < 16) s[i] += s[i - d]; } __syncthreads(); if (t == 0) s[15] = 0;"
     "for (int d = 8; d > 0; d /= 2) { __syncthreads(); int i = 2 * d * (t + 1) - 1;"
     "if (i < 16) { int left = s[i - d]; s[i - d] = s[i]; s[i] += left; } } __syncthreads(); out[t] = s[t];"},
    {"shuffle_down",
     "int sum = in[t]; for (int d = 8; d > 0; d /= 2) { int more = __shfl_down_sync(0xffff, sum, d, 16);"
     "if (t + d < 16) sum += more; } out[t] = sum;"},
    {"shuffle_twice",
     "int sum = in[t];\n for (int d = 4; d > 0; d /= 2)\n sum += __shfl_down_sync(0xffff, sum, d, 8);\n"
     "if (t % 8 == 0) s[t / 8] = sum;\n __syncthreads();\n sum = t < 2 ? s[t] : 0;\n"
     "sum += __shfl_down_sync(0xffff, sum, 1, 16);\n out[t] = t == 0 ? sum : 0;"},
    {"in_place",
     "int* own = const_cast<int*>(in); int next = own[(t + 1) % 16]; __syncwarp(0xffff);"
     "own[t] += next; out[t] = own[t];"},
    {"transposed",
     "__shared__ int m[4][4]; m[t / 4][t % 4] = in[t]; __syncthreads(); out[t] = m[t % 4][t / 4];"},
    {"shuffle_up",
     "int sum = in[t]; for (int d = 1; d < 16; d *= 2) { int more = __shfl_up_sync(0xffff, sum, d, 16);"
     "if (t >= d) sum += more; } out[t] = sum;"},
    {"warp_sum", "out[t] = __reduce_add_sync(0xffff, in[t]);"},
    {"shuffle_exchange", "out[t] = __shfl_xor_sync(0xffff, in[t], 3, 16);"},
    {"shuffle_wide",
     "long long wide = (long long)in[t] << 3; wide += __shfl_xor_sync(0xffff, wide, 1, 16); out[t] = "
     "(int)wide;"},
    {"call", "out[t] = twice(in[t]) + third(in, t);"},
    {"call_twice", "out[t] = twice(twice(in[t])) - twice(in[(t + 2) % 16]);"},
    {"recursion", "out[t] = sum_to(in, t);"},
    {"pointer", "int x = in[t], y = in[(t + 1) % 16]; exchange(&x, &y); out[t] = x * 2 + y;"},
    {"structure", "Pair p = {in[t], in[(t + 4) % 16]}; Pair q = turned(p); out[t] = q.a + 4 * q.b;"},
    {"local_array",
     "int a[4]; for (int i = 0; i < 4; ++i) a[i] = in[(t + i) % 16]; out[t] = a[t % 4] + a[(t + 1) % 4];"},
    {"atomic_add",
     "s[t % 4] = 0; __syncthreads(); atomicAdd(&s[t % 4], in[t]); __syncthreads(); out[t] = s[t % 4];"},
    {"atomic_xor", "atomicXor((unsigned*)&out[t / 4], (unsigned)in[t]);"},
    {"atomic_exchange", "s[t] = 1; int old = atomicExch(&s[t], in[t]); out[t] = s[t] + old;"},
    {"compare_and_swap", "s[t] = 1; atomicCAS(&s[t], 1, in[t]); out[t] = s[t];"},
    {"atomic_result", "s[t] = in[t]; int old = atomicAdd(&s[t], 5); out[t] = old;"},
    {"mask", "int sum = 0; for (int i = 0; i < 4; ++i) sum += mask[i] * in[(t + i) % 16]; out[t] = sum;"},
    {"transpose", "s[t] = in[t]; __syncthreads(); out[t] = s[t % 4 * 4 + t / 4];"},
    {"overwritten", "s[t] = in[t]; s[t] = in[(t + 1) % 16]; __syncthreads(); out[t] = s[t];"},
    {"vector",
     "int4 v = ((const int4*)in)[t / 4]; out[t] = t % 4 == 0 ? v.x : t % 4 == 1 ? v.y : t % 4 == 2 ? v.z : "
     "v.w;"},
    {"vector_store",
     "if (t < 4) ((int4*)out)[t] = make_int4(in[4 * t + 3], in[4 * t + 2], in[4 * t + 1], in[4 * t]);"},
    {"wide", "long long x = ((const long long*)in)[t / 2]; ((long long*)out)[t / 2] = x;"},
    {"bytes", "((unsigned char*)out)[t] = ((const unsigned char*)in)[4 * t]; "},
    {"async_copies",
     "unsigned to = __cvta_generic_to_shared(&s[15 - t]), more = __cvta_generic_to_shared(&r[t]);"
     "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(to), \"l\"(&in[t]));"
     "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(more), \"l\"(&in[(t + 3) % 16]));"
     "asm volatile(\"cp.async.wait_all;\" ::: \"memory\"); __syncthreads(); out[t] = s[t] + 3 * r[15 - t];"},
    {"blocks", "int b = blockIdx.x; if (t < 4) out[4 * b + t] = in[4 * (3 - b) + t];", 4},
};

std::string source_of(const Sample& sample, const std::vector<std::uint32_t>& in) {
    std::string values;
    for (const std::uint32_t value : in)
        values += std::to_string(static_cast<std::int32_t>(value)) + ", ";
    return "/*--- lanescope\narch = \"sm_80\"\n[buffers]\nin = { type = \"int\", count = \"16\", values = [" +
           values +
           "] }\nmask = { type = \"int\", count = \"4\", values = [3, 5, 7, 9] }\n"
           "out = { type = \"int\", count = \"16\", init = \"zero\" }\n"
           "[params]\nflipped = { default = -1, min = -1, max = 15 }\n"
           "[[launch]]\nkernel = \"flip\"\ngrid = [\"1\"]\nblock = [\"1\"]\nargs = [\"in\", \"flipped\"]\n"
           "[[launch]]\nkernel = \"k\"\ngrid = "
           "[\"" +
           std::to_string(sample.blocks) +
           "\"]\nblock = [\"16\"]\nargs = [\"in\", \"mask\", \"out\"]\n---*/\n"
           "struct Pair { int a, b; };\n"
           "__device__ __noinline__ int twice(int x) { return x + x; }\n"
           "__device__ __noinline__ int third(const int* from, int t) { return from[(t + 3) % 16]; }\n"
           "__device__ __noinline__ int sum_to(const int* from, int t) { return t < 0 ? 0 : from[t] + "
           "sum_to(from, t - 2); }\n"
           "__device__ __noinline__ void exchange(int* a, int* b) { int c = *a; *a = *b; *b = c; }\n"
           "__device__ __noinline__ Pair turned(Pair p) { return {p.b, p.a}; }\n"
           "__global__ void flip(int* in, int flipped) { if (flipped >= 0) in[flipped] ^= 0x11; }\n"
           "__global__ void k(const int* in, const int* mask, int* out) {\n"
           "    __shared__ int s[16], r[16];\n    int t = threadIdx.x;\n    " +
           sample.body + "\n}\n";
}

// `flipped`: the input that is changed before the kernel runs; -1: none.
execution::RunResult run_of(const std::string& source, compile::Code code, bool traced, int flipped = -1) {
    execution::RunRequest request;
    request.parameters = {{"flipped", flipped}};
    request.file = "x.cu";
    request.source = source;
    request.code = code;
    request.traced = traced;
    Result<execution::RunResult> result = execution::execute(request);
    EXPECT_TRUE(result) << to_text(result.diagnostics());
    return result ? std::move(*result) : execution::RunResult{};
}

std::vector<std::uint32_t> out_of(const execution::RunResult& result) {
    std::vector<std::uint32_t> values(cells);
    for (const execution::BufferView& buffer : result.buffers)
        if (buffer.name == "out") std::memcpy(values.data(), buffer.contents.data(), 4 * cells);
    return values;
}

// Kernels whose results do not follow their inputs, for figures only.
constexpr Sample figure_samples[] = {
    {"shifted_store",
     "if (t < 8) s[t + 8] = 0; __syncwarp(0xffff); s[t] = in[t]; __syncwarp(0xffff);"
     "out[t] = s[t] + s[15 - t];"},
    {"merged_bins",
     "if (t < 4) s[t] = 0; __syncthreads(); atomicAdd(&s[t % 4], 1); __syncthreads();"
     "if (t < 4) atomicAdd(&out[t], s[t]);",
     5},
    {"conflicts",
     "__shared__ int wide[16 * 32]; wide[32 * t] = in[t]; __syncthreads(); out[t] = wide[32 * (15 - t)];"},
};

class FlowOf : public testing::TestWithParam<std::tuple<Sample, compile::Code>> {};

TEST_P(FlowOf, inputs_are_those_that_change_the_result) {
    const auto& [sample, code] = GetParam();
    std::vector<std::uint32_t> in(cells);
    for (unsigned i = 0; i < cells; ++i)
        in[i] = 0x01234567u * (2 * i + 3) ^ 0x5bd1e995u >> i % 7;
    const execution::RunResult run = run_of(source_of(sample, in), code, true);
    const Result<FlowReport> flow = flow_of(run, "out");
    ASSERT_TRUE(flow) << to_text(flow.diagnostics());
    ASSERT_EQ(flow->elements.size(), cells);
    EXPECT_EQ(flow->incomplete, "");
    std::uint32_t in_symbol = 0;
    for (std::uint32_t i = 0; i < run.trace->symbols.size(); ++i)
        if (run.trace->symbols[i].name == "in") in_symbol = i;

    std::vector<std::set<std::uint64_t>> changes(cells), made_of(cells);
    const std::vector<std::uint32_t> before = out_of(run);
    for (unsigned i = 0; i < cells; ++i) {
        const std::vector<std::uint32_t> after = out_of(run_of(source_of(sample, in), code, false, int(i)));
        for (unsigned k = 0; k < cells; ++k)
            if (before[k] != after[k]) changes[k].insert(i);
    }
    for (unsigned k = 0; k < cells; ++k)
        if (const auto found = flow->elements[k].inputs.find(in_symbol);
            found != flow->elements[k].inputs.end())
            made_of[k].insert(found->second.begin(), found->second.end());
    for (unsigned k = 0; k < cells; ++k) {
        // Optimised code may choose with a predicate: then either side counts.
        if (code == compile::Code::optimized)
            EXPECT_TRUE(
                std::includes(made_of[k].begin(), made_of[k].end(), changes[k].begin(), changes[k].end()))
                << "out[" << k << "]: " << flow->elements[k].text;
        else
            EXPECT_EQ(made_of[k], changes[k]) << "out[" << k << "]: " << flow->elements[k].text;
    }
}

static_assert(std::size(samples) > 30);
INSTANTIATE_TEST_SUITE_P(Samples, FlowOf,
                         testing::Combine(testing::ValuesIn(samples),
                                          testing::Values(compile::Code::debug, compile::Code::optimized)),
                         [](const auto& each) {
                             return std::string(std::get<0>(each.param).name) +
                                    (std::get<1>(each.param) == compile::Code::debug ? "" : "_optimized");
                         });

FlowReport report_of(const char* name) {
    const auto found = std::find_if(std::begin(samples), std::end(samples),
                                    [&](const Sample& each) { return each.name == std::string(name); });
    const execution::RunResult run =
        run_of(source_of(*found, std::vector<std::uint32_t>(cells, 5)), compile::Code::debug, true);
    Result<FlowReport> flow = flow_of(run, "out");
    EXPECT_TRUE(flow);
    return flow ? std::move(*flow) : FlowReport{};
}

TEST(Flow, a_tree_has_the_depth_and_the_work_of_the_book) {
    const FlowReport flow = report_of("tree");
    EXPECT_EQ(flow.elements[0].text, "in[0] + … + in[15]");
    EXPECT_EQ(flow.elements[0].depth, 4u);
    EXPECT_EQ(flow.elements[0].operations, 15u);
    EXPECT_EQ(flow.work.operations, 15u);
}

TEST(Flow, scans_differ_in_depth_and_work) {
    const FlowReport fast = report_of("hillis_steele"), lean = report_of("blelloch");
    EXPECT_EQ(fast.work.depth, 4u);
    EXPECT_EQ(fast.work.operations, 64u) << "n log n: threads without a left neighbour add 0";
    ASSERT_TRUE(fast.work.sequential);
    EXPECT_EQ(fast.work.sequential->operations, 15u);
    EXPECT_EQ(lean.work.operations, 30u) << "2 (n - 1)";
    EXPECT_EQ(lean.elements[10].text, "in[0] + … + in[9]");
    EXPECT_EQ(lean.elements[0].text, "constant");
}

std::shared_ptr<const scene::FlowFigure> figure_of(const char* name,
                                                   const execution::RunResult** keep = nullptr) {
    static std::vector<std::unique_ptr<execution::RunResult>> runs;
    const auto named = [&](const Sample& each) { return each.name == std::string(name); };
    const Sample* found = std::find_if(std::begin(samples), std::end(samples), named);
    if (found == std::end(samples))
        found = std::find_if(std::begin(figure_samples), std::end(figure_samples), named);
    runs.push_back(std::make_unique<execution::RunResult>(
        run_of(source_of(*found, std::vector<std::uint32_t>(cells, 5)), compile::Code::debug, true)));
    if (keep != nullptr) *keep = runs.back().get();
    return scene::make_flow_figure(runs.back()->trace, *runs.back()->flow->get(), {1, 0, {}, true, {}});
}

// Columns that a row writes.
std::vector<std::uint32_t> columns_of(const scene::FlowRow& row) {
    std::vector<std::uint32_t> columns;
    for (const scene::FlowCell& cell : row.cells)
        columns.push_back(cell.column);
    return columns;
}

TEST(FlowFigure, a_tree_halves_from_row_to_row) {
    const auto figure = figure_of("tree");
    EXPECT_EQ(figure->array.name, "s");
    ASSERT_EQ(figure->end_own - figure->first_own, 5u) << "load, 8, 4, 2, 1";
    for (std::uint32_t i = 0; i < 5; ++i)
        EXPECT_EQ(figure->rows[figure->first_own + i].cells.size(), 16u >> i);
    const scene::FlowCell& root = figure->rows[figure->end_own - 1].cells[0];
    EXPECT_EQ(root.text, "80");
    EXPECT_EQ(root.range, "0–15");
    ASSERT_EQ(root.end_edge - root.first_edge, 2u);
    EXPECT_EQ(figure->edges[root.first_edge].from_column, 0u);
    EXPECT_EQ(figure->edges[root.first_edge + 1].from_column, 1u);
}

TEST(FlowFigure, the_array_is_loaded_from_and_goes_to_others) {
    const auto figure = figure_of("tree");
    EXPECT_EQ(figure->rows.front().array, "in");
    EXPECT_EQ(figure->rows.back().array, "out");
    EXPECT_EQ(figure->first_own, 1u);
    EXPECT_EQ(figure->rows.back().cells.size(), 16u);
}

TEST(FlowFigure, a_swap_is_a_copy_and_an_addition) {
    const auto figure = figure_of("blelloch");
    const scene::FlowRow& last = figure->rows[figure->end_own - 1];
    EXPECT_EQ(columns_of(last).size(), 16u);
    const scene::FlowCell &left = last.cells[0], &right = last.cells[1];
    ASSERT_EQ(left.end_edge - left.first_edge, 1u);
    EXPECT_TRUE(figure->edges[left.first_edge].copy);
    EXPECT_EQ(figure->edges[left.first_edge].from_column, 1u);
    ASSERT_EQ(right.end_edge - right.first_edge, 2u);
    EXPECT_FALSE(figure->edges[right.first_edge].copy);
}

TEST(FlowFigure, buffers_that_take_turns_share_their_columns) {
    const auto figure = figure_of("two_buffers");
    EXPECT_EQ(figure->columns, 16u);
    EXPECT_EQ(figure->array.name, "s, r");
    ASSERT_EQ(figure->end_own - figure->first_own, 5u);
    for (std::uint32_t i = figure->first_own; i < figure->end_own; ++i)
        EXPECT_EQ(figure->rows[i].cells.size(), 16u);
}

TEST(FlowFigure, lanes_are_columns_where_values_are_shuffled) {
    const auto figure = figure_of("shuffle_up");
    EXPECT_TRUE(figure->array.lanes);
    ASSERT_EQ(figure->end_own - figure->first_own, 5u) << "at first, 1, 2, 4, 8";
    const scene::FlowRow& last = figure->rows[figure->end_own - 1];
    EXPECT_EQ(last.cells.size(), 8u);
    EXPECT_EQ(last.cells.back().range, "0–15");
    EXPECT_EQ(figure->rows.front().array, "in");
    EXPECT_EQ(figure->rows.back().array, "out");
}

TEST(FlowFigure, a_value_that_lanes_take_up_again_is_a_row) {
    const auto figure = figure_of("shuffle_twice");
    ASSERT_TRUE(figure->array.lanes);
    EXPECT_EQ(figure->variable, "sum");
    const scene::FlowRow& first = figure->rows[figure->first_own];
    EXPECT_EQ(first.cells[3].text, "5") << "the variable before the first exchange";
    EXPECT_EQ(figure->rows[figure->first_own + 3].cells[0].text, "40") << "and after the third";
    const auto again = std::find_if(figure->rows.begin(), figure->rows.end(), [](const scene::FlowRow& row) {
        return row.title.starts_with("before ");
    });
    ASSERT_NE(again, figure->rows.end());
    const scene::FlowCell& cell = again->cells[1];
    ASSERT_EQ(cell.end_edge - cell.first_edge, 1u) << "lane 1 takes up what lane 8 stored";
    EXPECT_EQ(figure->edges[cell.first_edge].from_column, 8u);
    EXPECT_EQ(cell.text, "40");
}

TEST(FlowFigure, an_array_that_is_updated_begins_with_what_it_held) {
    const auto figure = figure_of("in_place");
    EXPECT_EQ(figure->array.name, "in");
    ASSERT_EQ(figure->rows.size(), 3u) << "at first, the sums, out";
    EXPECT_EQ(figure->rows[0].title, "in");
    EXPECT_EQ(figure->rows[0].cells.size(), 16u);
    EXPECT_EQ(figure->rows[0].cells[0].text, "5");
    EXPECT_EQ(figure->edges.size(), 48u) << "two operands of each sum, one copy";
}

TEST(FlowFigure, bins_of_all_blocks_are_merged) {
    const auto figure = figure_of("merged_bins");
    EXPECT_EQ(figure->array.name, "s");
    const auto others = std::find_if(figure->rows.begin(), figure->rows.end(),
                                     [](const scene::FlowRow& row) { return row.repeat != 0; });
    ASSERT_NE(others, figure->rows.end());
    EXPECT_EQ(others->title, "s of blocks 1, 2, 3");
    EXPECT_EQ(others->cells.size(), 12u);
    EXPECT_EQ(others->cells[0].text, "4");
    const auto number = static_cast<std::uint32_t>(others - figure->rows.begin());
    EXPECT_EQ(figure->name(number, others->cells[5].column), "s[1] of block 2");
    EXPECT_EQ(figure->rows.back().title, "out, from 1 more block");
    for (const scene::FlowCell& cell : figure->rows.back().cells)
        EXPECT_EQ(cell.end_edge - cell.first_edge, 4u) << "this block and three others";
}

TEST(FlowFigure, a_store_into_two_rows_has_its_lanes_on_in_both) {
    const auto figure = figure_of("shifted_store");
    ASSERT_EQ(figure->end_own - figure->first_own, 2u);
    EXPECT_EQ(figure->rows[figure->first_own + 1].cells.size(), 8u);
    EXPECT_EQ(figure->rows[figure->first_own + 1].facts, "16 of 16 lanes on");
}

TEST(FlowFigure, rows_say_how_many_lanes_and_conflicts) {
    const auto figure = figure_of("conflicts");
    EXPECT_EQ(figure->rows[figure->first_own].facts, "16 of 16 lanes on");
    EXPECT_EQ(figure->rows[figure->first_own].conflict, 16u);
}

TEST(FlowSlots, a_wide_figure_folds_around_the_result) {
    const auto figure = figure_of("tree");
    const scene::FlowSlots all(*figure, 16), few(*figure, 9);
    EXPECT_FALSE(all.folds());
    EXPECT_EQ(all.links().size(), figure->edges.size());
    EXPECT_TRUE(few.folds());
    EXPECT_LE(few.count(), 9u);
    std::uint32_t columns = 0;
    for (const scene::FlowSlot& slot : few.slots())
        columns += slot.count;
    EXPECT_EQ(columns, 16u);
    // The path to the result stays: cells 0, 1, 2, 4 and 8.
    for (const std::uint32_t column : {0u, 1u, 2u, 4u, 8u})
        EXPECT_FALSE(few.slots()[few.slot_of(figure->first_own, column)].folded()) << column;
    std::uint32_t edges = 0;
    for (const scene::FlowLink& link : few.links())
        edges += link.edges;
    EXPECT_EQ(edges, figure->edges.size()) << "each edge is in one link";
    // A fold that is opened shows its columns.
    const auto fold = std::find_if(few.slots().begin(), few.slots().end(),
                                   [](const scene::FlowSlot& slot) { return slot.folded(); });
    const scene::FlowSlots opened(*figure, 9, {fold->first});
    EXPECT_EQ(opened.count(), few.count() + fold->count - 1);
}

TEST(FlowSlots, columns_of_different_widths_fit_their_room) {
    const auto figure = figure_of("tree");
    scene::FlowRoom room{100, std::vector<float>(16, 15), 12};
    room.columns[1] = 60;  // one operand of the last sum has a long value
    const scene::FlowSlots slots(*figure, room);
    float width = 0;
    for (const scene::FlowSlot& slot : slots.slots())
        width += slot.folded() ? room.fold : room.columns[slot.first];
    EXPECT_LE(width, room.width);
    // A cell of every level stands alone up to the inputs; the long value folds.
    EXPECT_FALSE(slots.slots()[slots.slot_of(figure->first_own, 0)].folded());
    EXPECT_FALSE(slots.slots()[slots.slot_of(figure->first_own, 8)].folded());
    EXPECT_TRUE(slots.slots()[slots.slot_of(figure->first_own, 1)].folded());
}

TEST(FlowFigure, arrays_of_two_dimensions_are_matrices) {
    const auto figure = figure_of("transposed");
    EXPECT_EQ(figure->array.width, 4u);
    EXPECT_TRUE(figure->matrices());
    EXPECT_FALSE(figure_of("tree")->matrices());
}

TEST(FlowFigure, values_that_nothing_uses_are_pale) {
    const execution::RunResult* run = nullptr;
    const auto figure = figure_of("overwritten", &run);
    ASSERT_EQ(figure->end_own - figure->first_own, 2u);
    EXPECT_FALSE(figure->rows[figure->first_own].cells[0].used);
    EXPECT_TRUE(figure->rows[figure->first_own + 1].cells[0].used);
}

std::shared_ptr<const scene::FlowFigure> figure_of_lesson(const std::string& lesson) {
    execution::RunRequest request;
    request.file = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + lesson;
    request.source = *read_file(request.file);
    static std::vector<std::unique_ptr<execution::RunResult>> runs;
    Result<execution::RunResult> run = execution::execute(request);
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    runs.push_back(std::make_unique<execution::RunResult>(std::move(*run)));
    return scene::make_flow_figure(
        runs.back()->trace, *runs.back()->flow->get(),
        {0, 0, {}, true, execution::phase_lines(lesson::lesson_entry(request.file), request.source)});
}

TEST(FlowFigure, rows_have_the_names_of_the_timeline) {
    std::vector<std::string> titles;
    const auto figure = figure_of_lesson("scan/blelloch.cu");
    for (std::uint32_t i = figure->first_own; i < figure->end_own; ++i)
        titles.push_back(figure->rows[i].title);
    EXPECT_EQ(titles.at(1), "up-sweep, stride 1");
    EXPECT_EQ(titles.at(3), "up-sweep, stride 4");
    EXPECT_EQ(titles.at(4), "line 39") << "the root is cleared after the sweep";
    EXPECT_EQ(titles.at(5), "down-sweep, stride 4");
    EXPECT_EQ(titles.back(), "down-sweep, stride 1");
}

TEST(FlowFigure, all_atomic_updates_of_a_row_count) {
    const auto figure = figure_of_lesson("histogram/privatised.cu");
    const scene::FlowRow &zeros = figure->rows[figure->first_own],
                         &counts = figure->rows[figure->first_own + 1];
    EXPECT_EQ(zeros.title, "line 28") << "nothing is loaded";
    EXPECT_EQ(zeros.facts, "7 of 64 lanes on");
    EXPECT_EQ(counts.title, "count");
    EXPECT_EQ(counts.facts, "64 of 64 lanes on");
    // The row begins with the first update of any bin.
    EXPECT_EQ(figure->row_before(counts.first_turn + 1), figure->first_own + 1);
    for (const scene::FlowCell& cell : counts.cells)
        EXPECT_GT(cell.turn, counts.first_turn);
}

TEST(FlowFigure, bad_array_is_said) {
    const execution::RunResult* run = nullptr;
    (void)figure_of("tree", &run);
    const auto figure = scene::make_flow_figure(run->trace, *run->flow->get(), {1, 0, "nothing", true, {}});
    EXPECT_TRUE(figure->rows.empty());
    EXPECT_EQ(figure->note, "there is no array nothing");
}

TEST(CellLife, writes_and_reads_come_in_order_with_values_and_origins) {
    const execution::RunResult* run = nullptr;
    (void)figure_of("tree", &run);
    const trace::Symbol& symbol = run->trace->launches[1].shared[0];
    ASSERT_EQ(symbol.name, "s");
    const scene::CellPlace cell{trace::Space::shared, 1, 0, symbol.offset, 4, symbol.element};
    const auto life = scene::life_of(run->trace, run->flow->get().get(), cell);
    std::vector<std::string> writes;
    for (const scene::CellEvent& event : life->events)
        if (event.kind == trace::AccessKind::store)
            writes.push_back(scene::change_text(event) + " " + event.origin);
    EXPECT_EQ(writes, (std::vector<std::string>{
                          "? → 5 in[0]", "5 → 10 in[0] + in[8]", "10 → 20 in[0] + in[4] + … + in[12]",
                          "20 → 40 in[0] + in[2] + … + in[14]", "40 → 80 in[0] + … + in[15]"}));
    const scene::CellEvent& last = life->events.back();
    EXPECT_EQ(last.kind, trace::AccessKind::load);
    EXPECT_EQ(last.threads, 16u) << "all threads read the root in one instruction";
    EXPECT_EQ(scene::change_text(last), "80");
}

// Files of traces are not trusted: their events may be anything that can be decoded.
TEST(Flow, damaged_traces_are_followed_without_harm) {
    std::mt19937 random(7);
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "lanescope_flow.trace";
    unsigned opened = 0;
    for (const char* name :
         {"tree", "call", "recursion", "structure", "shuffle_wide", "atomic_add", "vector"}) {
        const execution::RunResult* run = nullptr;
        (void)figure_of(name, &run);
        ASSERT_TRUE(trace::save(*run->trace, file));
        const std::string whole = *read_file(file);
        for (int i = 0; i < 60; ++i) {
            std::string bytes = whole.substr(0, whole.size() - 8);
            for (int k = 0; k < 1 + i % 3; ++k)
                bytes[20 + random() % (bytes.size() - 20)] = static_cast<char>(random());
            const std::uint64_t sum = trace::checksum(bytes);
            bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
            const auto damaged = trace::read(bytes, "input");
            if (!damaged) continue;
            ++opened;
            const analysis::Code code((*damaged)->program);
            const auto flow = analysis::follow_values(**damaged, code, {64 << 20});
            (void)analysis::find_lock_orders(**damaged, code);
            const auto figure = scene::make_flow_figure(*damaged, *flow, {0, 0, {}, true, {}});
            for (const trace::Symbol& symbol : (*damaged)->symbols)
                (void)scene::life_of(
                    *damaged, flow.get(),
                    {symbol.space, trace::none, trace::none, symbol.offset, 4, symbol.element});
        }
    }
    std::filesystem::remove(file);
    EXPECT_GT(opened, 50u);
}

TEST(Flow, a_limit_is_said) {
    const execution::RunResult run =
        run_of(source_of(samples[8], std::vector<std::uint32_t>(cells, 5)), compile::Code::debug, true);
    const auto flow = analysis::follow_values(*run.trace, *run.instructions, {1});
    EXPECT_FALSE(flow->complete);
    EXPECT_NE(flow->incomplete.find("left out"), std::string::npos);
}

}  // namespace flow_test
}  // namespace lanescope::session
