// The timeline: what each warp did in each step, also folded into pixels.
#include <gtest/gtest.h>

#include <vector>

#include "scene/timeline/timeline_model.h"
#include "trace/recorder.h"
#include "ui/timeline/timeline_paint.h"

namespace lanescope::ui {
namespace timeline_test {

using trace::Mask;
using trace::TurnEnd;

constexpr Mask all = ~Mask{0};

// A block of some warps in a made-up kernel: line 1 computes, line 2 stores, line 3 is a barrier.
class Recording {
  public:
    explicit Recording(std::uint32_t warps) : warps_(warps) {
        trace::Program program;
        program.source = {"kernel.cu", "a\nb\nc\nd\n"};
        program.code_rows = {{0, 1, 1, 1}, {0, 2, 1, 2}, {0, 3, 1, 3}, {0, 4, 1, 4}};
        trace::Function kernel;
        kernel.name = "kernel";
        kernel.end_pc = 4;
        program.functions = {kernel};
        recorder_.set_program(std::move(program));
        const std::vector<std::byte> image(4 * 32);
        const std::vector<std::uint64_t> set(2, ~std::uint64_t{0});
        recorder_.set_image(trace::Space::global, image, set);
    }
    void begin_launch() {
        trace::Launch launch;
        launch.kernel = "kernel";
        launch.block.x = 32 * warps_;
        recorder_.begin_launch(launch);
    }
    void end_launch() { recorder_.end_launch(); }
    void turn(std::uint16_t warp, Mask mask, std::uint32_t line, TurnEnd end = TurnEnd::step) {
        recorder_.begin_turn(0, warp, mask, line - 1, line, 0);
        if (line == 2) store(mask);
        recorder_.end_turn(end, 1);
    }
    void everyone(Mask mask, std::uint32_t line, TurnEnd end = TurnEnd::step) {
        for (std::uint16_t warp = 0; warp < warps_; ++warp)
            turn(warp, mask, line, end);
        if (end == TurnEnd::barrier) recorder_.barrier_release(0, 0);
    }
    std::shared_ptr<const trace::Trace> finish() { return recorder_.finish(); }

  private:
    void store(Mask mask) {
        std::uint64_t offsets[32];
        std::byte before[32 * 4]{}, after[32 * 4]{};
        for (std::uint64_t lane = 0; lane < 32; ++lane)
            offsets[lane] = 4 * lane;
        recorder_.access(trace::AccessKind::store, trace::Space::global, 1, 0, 4, mask, offsets, before,
                         after, nullptr);
    }
    std::uint32_t warps_;
    trace::Recorder recorder_;
};

std::shared_ptr<const TimelineModel> small_model() {
    Recording recording(2);
    recording.begin_launch();
    recording.everyone(all, 1);
    recording.everyone(0xff, 2);
    recording.everyone(all, 3, TurnEnd::barrier);
    recording.turn(0, all, 4, TurnEnd::exited);
    recording.turn(1, all, 1);
    recording.turn(1, all, 4, TurnEnd::exited);
    recording.end_launch();
    return TimelineModel::build(*recording.finish(), 0, trace::Granularity::line);
}

TEST(Timeline, cells_say_what_each_warp_did) {
    const auto model = small_model();
    ASSERT_EQ(model->rows().size(), 2u);
    const std::vector<TimelineCell>& cells = model->rows()[0].cells;
    ASSERT_GE(cells.size(), 4u);
    EXPECT_EQ(cells[0].kind, CellKind::run);
    EXPECT_EQ(cells[0].lanes, 32);
    EXPECT_EQ(cells[1].kind, CellKind::write);
    EXPECT_EQ(cells[1].lanes, 8);
    EXPECT_EQ(cells[2].kind, CellKind::barrier);
    EXPECT_TRUE(cells.back().finished);
    EXPECT_FALSE(cells[0].finished);
}

TEST(Timeline, marks_launches_and_barriers) {
    const auto model = small_model();
    ASSERT_EQ(model->marks().size(), 2u);
    EXPECT_TRUE(model->marks()[0].launch);
    EXPECT_EQ(model->marks()[0].label, "kernel");
    EXPECT_FALSE(model->marks()[1].launch);
    EXPECT_EQ(model->marks()[1].step, 3u);  // the step after the barrier's line
}

TEST(Timeline, phases_have_the_names_of_the_lines_that_run_in_them) {
    Recording recording(1);
    recording.begin_launch();
    for (const std::uint32_t line : {1u, 2u, 4u}) {
        recording.everyone(all, line);
        recording.everyone(all, 3, TurnEnd::barrier);
    }
    recording.everyone(all, 1, TurnEnd::exited);
    recording.end_launch();
    const std::vector<execution::PhaseLine> named{{2, "up-sweep"}, {1, "down-sweep"}};
    const auto model =
        TimelineModel::build(*recording.finish(), 0, trace::Granularity::line, nullptr, nullptr, named);
    std::vector<std::string> labels;
    for (const scene::TimelineMark& mark : model->marks())
        labels.push_back(mark.label);
    EXPECT_EQ(labels, (std::vector<std::string>{"kernel", "up-sweep", "phase 2", "down-sweep"}));
}

TEST(Timeline, lanes_on_is_known_over_any_range) {
    const auto model = small_model();
    const TimelineModel::Range whole = model->lanes_on(0, 3);
    EXPECT_FLOAT_EQ(whole.least, 0.25f);
    EXPECT_FLOAT_EQ(whole.greatest, 1.0f);
    EXPECT_NEAR(whole.sum, 2.25, 1e-6);
}

// Returns a model whose steps repeat with a period of three: run, write, barrier.
std::shared_ptr<const TimelineModel> long_model(int rounds) {
    Recording recording(1);
    recording.begin_launch();
    for (int i = 0; i < rounds; ++i) {
        recording.everyone(all, 1);
        recording.everyone(all, 2);
        recording.everyone(all, 3, TurnEnd::barrier);
    }
    recording.everyone(all, 4, TurnEnd::exited);
    recording.end_launch();
    return TimelineModel::build(*recording.finish(), 0, trace::Granularity::line);
}

TEST(Timeline, folding_keeps_the_shares_of_all_kinds) {
    const auto model = long_model(5000);
    for (const auto& level : model->rows()[0].levels) {
        if (level.size() < 3) break;
        for (const CellKind kind : {CellKind::run, CellKind::write, CellKind::barrier})
            EXPECT_NEAR(level[1].share[std::size_t(kind)], 85, 35) << int(kind);
    }
}

TEST(Timeline, ranges_agree_with_single_steps) {
    const auto model = long_model(700);
    for (const auto& [first, end] :
         {std::pair{0u, 2101u}, std::pair{3u, 4u}, std::pair{7u, 1999u}, std::pair{64u, 576u}}) {
        double sum = 0;
        for (std::uint32_t step = first; step < end; ++step)
            sum += model->lanes_on(step, step + 1).sum;
        EXPECT_NEAR(model->lanes_on(first, end).sum, sum, 1e-3) << first << " " << end;
    }
}

TEST(Timeline, wide_cells_are_painted_where_they_are) {
    const auto model = small_model();
    const TimelineRow& row = model->rows()[0];
    std::vector<ImU32> columns(40);
    paint_row(row, model->steps().size(), 0, 10, columns);
    EXPECT_EQ(columns[5], cell_colour(row.cells[0]));
    EXPECT_EQ(columns[15], cell_colour(row.cells[1]));
    EXPECT_EQ(columns[25], cell_colour(row.cells[2]));
    paint_row(row, model->steps().size(), 1, 10, columns);
    EXPECT_EQ(columns[5], cell_colour(row.cells[1]));
}

TEST(Timeline, narrow_cells_keep_their_share_of_pixels) {
    const auto model = long_model(20'000);
    std::vector<ImU32> columns(1200);
    paint_row(model->rows()[0], model->steps().size(), 0, 1200.0 / 60'000, columns);
    const auto count = std::count(columns.begin(), columns.end(), kind_colour(CellKind::barrier));
    EXPECT_NEAR(double(count) / 1200, 1.0 / 3, 0.06);
}

TEST(Timeline, bad_range_beyond_the_end_paints_nothing) {
    const auto model = small_model();
    std::vector<ImU32> columns(16, 1);
    paint_row(model->rows()[0], model->steps().size(), 1e6, 0.01, columns);
    EXPECT_EQ(columns, std::vector<ImU32>(16, 0));
}

TEST(Timeline, cancelling_gives_no_model) {
    Recording recording(1);
    recording.begin_launch();
    recording.everyone(all, 4, TurnEnd::exited);
    recording.end_launch();
    const std::atomic<bool> cancelled = true;
    EXPECT_EQ(TimelineModel::build(*recording.finish(), 0, trace::Granularity::line, &cancelled), nullptr);
}

}  // namespace timeline_test
}  // namespace lanescope::ui
