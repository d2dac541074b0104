// What the stage draws from the flow of values: origins, footprints and links of cells.
#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/flow/held_values.h"
#include "analysis/flow/sources.h"
#include "base/files.h"
#include "execution/run/run.h"
#include "scene/stage/cell_uses.h"
#include "scene/stage/footprint.h"
#include "scene/stage/linked_cells.h"
#include "trace/steps.h"

namespace lanescope::execution {
namespace origins_test {

using scene::CellOrigin;

RunResult lesson_run(const std::string& name, const lesson::ParameterValues& parameters = {}) {
    RunRequest request;
    request.file = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + name;
    request.source = *read_file(request.file);
    request.parameters = parameters;
    Result<RunResult> result = execute(request);
    EXPECT_TRUE(result) << to_text(result.diagnostics());
    return result ? std::move(*result) : RunResult{};
}

RunResult own_run(const std::string& kernel) {
    RunRequest request;
    request.file = "x.cu";
    request.source =
        "/*--- lanescope\n[buffers]\nin = { type = \"int\", count = \"16\", init = \"iota\" }\n"
        "out = { type = \"int\", count = \"16\", init = \"zero\" }\n"
        "[[launch]]\nkernel = \"f\"\ngrid = [\"1\"]\nblock = [\"16\"]\nargs = [\"in\", \"out\"]\n---*/\n"
        "__global__ void f(const int* in, int* out) {\n    __shared__ int s[16];\n"
        "    int t = threadIdx.x;\n    " +
        kernel + "\n}\n";
    Result<RunResult> result = execute(request);
    EXPECT_TRUE(result) << to_text(result.diagnostics());
    return result ? std::move(*result) : RunResult{};
}

// The arrays of block 0 of the first launch, and the origins of their cells at any time.
class Origins {
  public:
    explicit Origins(RunResult result) : run_(std::move(result)), index_(run_.trace, run_.flow->get()) {
        steps_ = trace::build_steps(*run_.trace, 0, trace::Granularity::line);
        std::vector<std::uint64_t> turns;  // of block 0
        for (std::uint64_t i = 0; i < run_.trace->turns.size(); ++i)
            if (run_.trace->turns[i].block == 0) turns.push_back(i);
        arrays_ = scene::stage_arrays(*run_.trace, 0, turns);
    }

    const scene::OriginIndex& index() const { return index_; }
    const std::vector<scene::StageArray>& arrays() const { return arrays_; }
    const trace::Step& step() const { return steps_.front(); }
    std::uint32_t number(const std::string& name) const {
        return static_cast<std::uint32_t>(&array(name) - arrays_.data());
    }
    scene::BlockFootprint footprint() const { return scene::block_footprint(index_, arrays_, step()); }
    // Cells of an array, by index.
    std::vector<std::uint64_t> cells_of(const std::string& name,
                                        const std::vector<scene::CellRef>& cells) const {
        std::vector<std::uint64_t> found;
        for (const scene::CellRef& cell : cells)
            if (cell.array == number(name)) found.push_back(cell.index);
        return found;
    }
    std::vector<scene::CellRef> thread_cells(std::uint32_t thread) const {
        return scene::thread_footprint(index_, arrays_, step(),
                                       scene::outputs_of_thread(index_, step(), thread));
    }
    scene::CellUses uses() const { return {*run_.trace, arrays_, step()}; }
    scene::LinkedCells linked(const std::string& name, std::uint64_t cell, std::uint64_t turn) const {
        return scene::linked_cells(index_, arrays_, step(), turn, {number(name), cell});
    }
    std::uint64_t end() const { return run_.trace->turns.size(); }
    const scene::StageArray& array(const std::string& name) const {
        for (const scene::StageArray& each : arrays_)
            if (each.symbol->name == name) return each;
        throw std::runtime_error("no array " + name);
    }
    std::vector<CellOrigin> of(const std::string& name, std::uint64_t turn) const {
        std::vector<CellOrigin> cells(array(name).count);
        index_.read(arrays_, array(name), steps_.front(), turn, 0, cells);
        return cells;
    }

  private:
    RunResult run_;
    scene::OriginIndex index_;
    std::vector<trace::Step> steps_;
    std::vector<scene::StageArray> arrays_;
};

TEST(Origins, a_transpose_turns_rows_of_colours_into_columns) {
    const Origins origins(lesson_run("transpose/tiled.cu"));
    EXPECT_TRUE(origins.index().only_copies());
    const std::vector<CellOrigin> in = origins.of("in", origins.end());
    const std::vector<CellOrigin> before = origins.of("out", 0), out = origins.of("out", origins.end());
    constexpr std::uint64_t rows = 40, columns = 70;
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t column = 0; column < columns; ++column) {
            const CellOrigin& from = in[row * columns + column];
            ASSERT_EQ(from.kind, CellOrigin::Kind::one);
            EXPECT_EQ(out[column * rows + row], from) << row << ", " << column;
            EXPECT_EQ(before[column * rows + row].kind, CellOrigin::Kind::none);
        }
    EXPECT_LT(in[0].first.column, in[1].first.column);
    EXPECT_EQ(in[0].first.row, in[1].first.row);
    EXPECT_LT(in[0].first.row, in[columns].first.row);
}

TEST(Origins, a_tile_has_the_colours_of_its_inputs_once_they_are_loaded) {
    const Origins origins(lesson_run("transpose/tiled.cu"));
    const std::vector<CellOrigin> in = origins.of("in", 0), s = origins.of("s", origins.end());
    for (const CellOrigin& cell : origins.of("s", 0))
        EXPECT_EQ(cell.kind, CellOrigin::Kind::none);
    for (std::uint64_t y = 0; y < 32; ++y)
        for (std::uint64_t x = 0; x < 32; ++x)
            EXPECT_EQ(s[y * 32 + x], in[y * 70 + x]);
}

TEST(Origins, sums_reach_from_their_first_to_their_last_input) {
    const Origins origins(
        own_run("s[t] = in[t]; __syncthreads(); int sum = s[t]; if (t >= 3) sum += s[t - 3]; "
                "__syncthreads(); s[t] = sum; out[t] = s[t];"));
    EXPECT_FALSE(origins.index().only_copies());
    const std::vector<CellOrigin> in = origins.of("in", 0), out = origins.of("out", origins.end());
    EXPECT_EQ(out[2], in[2]);
    EXPECT_EQ(out[5].kind, CellOrigin::Kind::several);
    EXPECT_EQ(out[5].first, in[2].first);
    EXPECT_EQ(out[5].last, in[5].first);
}

TEST(Origins, a_cell_has_its_last_value_before_the_turn) {
    const Origins origins(own_run("out[t] = in[t];\nout[t] = in[15 - t];\nout[t] = 7;"));
    const std::vector<CellOrigin> in = origins.of("in", 0);
    std::vector<CellOrigin> seen;
    for (std::uint64_t turn = 0; turn <= origins.end(); ++turn)
        if (const CellOrigin now = origins.of("out", turn)[4]; seen.empty() || seen.back() != now)
            seen.push_back(now);
    EXPECT_EQ(seen, (std::vector<CellOrigin>{{}, in[4], in[11], {}}));
}

TEST(Origins, parts_of_words_have_their_own_values) {
    const Origins origins(
        own_run("char* c = (char*)out; const char* from = (const char*)in; c[4 * t] = from[4 * t];"
                "__syncwarp(); ((short*)out)[2 * t + 1] = ((const short*)in)[2 * (15 - t)];"));
    const std::vector<CellOrigin> in = origins.of("in", 0), out = origins.of("out", origins.end());
    EXPECT_EQ(out[4].kind, CellOrigin::Kind::several);
    EXPECT_EQ(out[4].first, in[4].first);
    EXPECT_EQ(out[4].last, in[11].first);
}

TEST(Origins, what_comes_after_the_cut_is_not_known) {
    const RunResult run = own_run("out[t] = in[t];");
    analysis::FlowLimits limits;
    limits.bytes = 1;
    const scene::OriginIndex index(run.trace, analysis::follow_values(*run.trace, *run.instructions, limits));
    const std::vector<trace::Step> steps = trace::build_steps(*run.trace, 0, trace::Granularity::line);
    const std::vector<scene::StageArray> arrays = scene::stage_arrays(*run.trace, 0, {});
    std::vector<CellOrigin> cells(16);
    index.read(arrays, arrays[0], steps[0], run.trace->turns.size(), 0, cells);
    EXPECT_EQ(cells[3].kind, CellOrigin::Kind::unknown);
    index.read(arrays, arrays[0], steps[0], 0, 0, cells);
    EXPECT_NE(cells[3].kind, CellOrigin::Kind::unknown);
}

TEST(Origins, files_that_only_move_data_are_recognised) {
    for (const char* name : {"transpose/copy.cu", "transpose/naive.cu", "transpose/fastest.cu"})
        EXPECT_TRUE(Origins(lesson_run(name)).index().only_copies()) << name;
    for (const char* name : {"reduction/modulo.cu", "scan/blelloch.cu", "histogram/privatised.cu",
                             "convolution/tiled_2d.cu", "first_steps/vector_add.cu"})
        EXPECT_FALSE(Origins(lesson_run(name)).index().only_copies()) << name;
}

TEST(Footprint, a_tile_of_an_image_has_a_halo_and_ghost_cells) {
    const Origins run(lesson_run("convolution/tiled_2d.cu"));
    const scene::BlockFootprint print = run.footprint();
    const scene::ArrayFootprint& in = print.arrays[run.number("in")];
    EXPECT_EQ(in.outputs, (scene::CellArea{0, 12, 0, 12}));
    EXPECT_EQ(in.reads, (scene::CellArea{-2, 14, -2, 14})) << "outputs and a halo of 2";
    EXPECT_EQ(in.ghosts, 16u * 16 - 14 * 14);
    EXPECT_EQ(in.loads, 14u * 14);
    EXPECT_EQ(print.arrays[run.number("out")].outputs, (scene::CellArea{0, 12, 0, 12}));
    EXPECT_EQ(print.arrays[run.number("s")].loads, 25u * 144);
    EXPECT_TRUE(print.arrays[run.number("mask")].reads.empty()) << "outputs do not have places in it";
    EXPECT_EQ(print.words,
              "block (0, 0): 12 × 12 outputs (blue), 16 × 16 reads of in (amber), 60 ghost cells (hatched); "
              "on average each output loads 1.4 of in, 25 of s");
}

TEST(Footprint, an_image_without_tiles_has_the_same_frames) {
    const Origins run(lesson_run("convolution/basic_2d.cu"));
    const scene::BlockFootprint print = run.footprint();
    const scene::ArrayFootprint& in = print.arrays[run.number("in")];
    EXPECT_EQ(in.outputs, (scene::CellArea{0, 7, 0, 7}));
    EXPECT_EQ(in.reads, (scene::CellArea{-2, 9, -2, 9}));
    EXPECT_EQ(in.ghosts, 11u * 11 - 7 * 7);
    EXPECT_FALSE(print.shows(run.number("out"))) << "a frame around all of it says nothing";
}

TEST(Footprint, a_row_has_ghost_cells_before_its_first_cell) {
    const Origins run(lesson_run("convolution/tiled_1d_block_is_input.cu"));
    const scene::BlockFootprint print = run.footprint();
    const scene::ArrayFootprint& in = print.arrays[run.number("in")];
    EXPECT_EQ(in.outputs, (scene::CellArea{0, 1, 0, 4}));
    EXPECT_EQ(in.reads, (scene::CellArea{0, 1, -2, 6}));
    EXPECT_EQ(in.ghosts, 2u);
    EXPECT_FALSE(print.shows(run.number("mask")));
}

TEST(Footprint, a_transpose_has_a_tile_on_each_side_and_no_ghost_cells) {
    const Origins run(lesson_run("transpose/tiled.cu"));
    const scene::BlockFootprint print = run.footprint();
    EXPECT_EQ(print.arrays[run.number("in")].reads, (scene::CellArea{0, 32, 0, 32}));
    EXPECT_EQ(print.arrays[run.number("in")].ghosts, 0u);
    EXPECT_TRUE(print.arrays[run.number("in")].outputs.empty());
    EXPECT_EQ(print.arrays[run.number("out")].outputs, (scene::CellArea{0, 32, 0, 32}));
}

TEST(Footprint, scans_and_sums_are_no_neighbourhoods) {
    for (const char* name : {"scan/blelloch.cu", "scan/hillis_steele.cu", "reduction/modulo.cu"}) {
        const scene::BlockFootprint print = Origins(lesson_run(name)).footprint();
        for (const scene::ArrayFootprint& each : print.arrays)
            EXPECT_EQ(each.ghosts, 0u) << name;
        EXPECT_EQ(print.words, "") << name;
    }
}

TEST(Footprint, the_output_of_a_thread_is_made_of_its_neighbourhood) {
    const Origins run(lesson_run("convolution/tiled_2d.cu"));
    const std::uint32_t thread = 3 * 16 + 4;  // (4, 3)
    std::vector<std::uint64_t> in, s;
    for (std::uint64_t y = 0; y < 5; ++y)
        for (std::uint64_t x = 0; x < 5; ++x) {
            in.push_back((3 + y - 2) * 24 + 4 + x - 2);
            s.push_back((3 + y) * 16 + 4 + x);
        }
    const std::vector<scene::CellRef> cells = run.thread_cells(thread);
    EXPECT_EQ(run.cells_of("in", cells), in);
    EXPECT_EQ(run.cells_of("s", cells), s);
}

TEST(Linked, a_cell_is_linked_with_what_it_was_made_of_and_what_is_made_of_it) {
    const Origins run(lesson_run("transpose/tiled.cu"));
    using Cells = std::vector<std::uint64_t>;
    const scene::LinkedCells result = run.linked("out", 5 * 40 + 3, run.end());
    EXPECT_EQ(run.cells_of("s", result.sources), Cells{3 * 32 + 5});
    EXPECT_EQ(run.cells_of("in", result.sources), Cells{});
    EXPECT_EQ(run.cells_of("in", result.inputs), Cells{3 * 70 + 5});
    EXPECT_TRUE(result.results.empty());
    const scene::LinkedCells input = run.linked("in", 3 * 70 + 5, 0);
    EXPECT_EQ(run.cells_of("s", input.results), Cells{3 * 32 + 5});
    EXPECT_EQ(run.cells_of("out", input.results), Cells{5 * 40 + 3});
    const scene::LinkedCells tile = run.linked("s", 3 * 32 + 5, run.end());
    EXPECT_EQ(run.cells_of("in", tile.sources), Cells{3 * 70 + 5});
    EXPECT_EQ(run.cells_of("out", tile.results), Cells{5 * 40 + 3});
}

TEST(Linked, a_cell_that_holds_nothing_yet_is_linked_as_at_the_end) {
    const Origins run(lesson_run("transpose/tiled.cu"));
    const scene::LinkedCells result = run.linked("out", 5 * 40 + 3, 0);
    EXPECT_TRUE(result.later);
    EXPECT_EQ(run.cells_of("in", result.inputs), std::vector<std::uint64_t>{3 * 70 + 5});
    EXPECT_EQ(scene::linked_words(result),
              "\nat the end made of 1 cell (solid frames), behind them 1 cell (thin)");
}

// The turns after which a value is dead, up to the end or to the next write.
TEST(Uses, a_value_is_dead_after_its_last_read) {
    const Origins run(
        own_run("s[t] = in[t]; __syncthreads(); if (t < 8) s[t] += s[t + 8]; __syncthreads();"
                "if (t == 0) out[0] = s[0];"));
    const scene::CellUses uses = run.uses();
    const std::uint32_t s = run.number("s"), in = run.number("in"), out = run.number("out");
    EXPECT_TRUE(uses.dead(s, 9, run.end())) << "it was added to s[1]";
    EXPECT_TRUE(uses.dead(s, 1, run.end())) << "the sum is not read";
    EXPECT_TRUE(uses.dead(in, 4, run.end())) << "it was loaded";
    EXPECT_FALSE(uses.dead(in, 4, 0));
    EXPECT_FALSE(uses.dead(out, 0, run.end())) << "a result";
    EXPECT_TRUE(uses.dead(out, 0, 0)) << "it is overwritten, and nothing reads it before";
    std::vector<bool> dead;  // s[9], turn by turn
    for (std::uint64_t turn = 0; turn <= run.end(); ++turn)
        if (dead.empty() || dead.back() != uses.dead(s, 9, turn)) dead.push_back(uses.dead(s, 9, turn));
    EXPECT_EQ(dead, (std::vector<bool>{true, false, true})) << "unset, needed, added";
}

}  // namespace origins_test
}  // namespace lanescope::execution
