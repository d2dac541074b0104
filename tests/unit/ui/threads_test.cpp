// The map of threads and the timeline of multiprocessors: layout, model, texts, pictures.
#include <gtest/gtest.h>

#include "analysis/barrier_points.h"
#include "base/folders.h"
#include "image/encode.h"
#include "map_comparison.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "trace/recorder.h"
#include "ui/threads/gpu_streams.h"
#include "ui/threads/map_layout.h"
#include "ui/threads/threads_legend.h"
#include "ui/threads/threads_model.h"
#include "ui/timeline/schedule_panel.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"

namespace lanescope::ui {
namespace threads_test {

// --- Layout ------------------------------------------------------------------------------------------------

TEST(MapLayout, every_thread_has_a_cell_of_its_own_and_is_found_in_it) {
    for (const auto& [blocks, threads] :
         {std::pair{1u, 64u}, std::pair{7u, 100u}, std::pair{300u, 256u}, std::pair{1u, 1u}}) {
        const MapLayout layout = fit_map(blocks, threads, 800, 400, 26);
        EXPECT_LE(layout.width(), 800);
        EXPECT_LE(layout.height(), 400);
        for (std::uint32_t slot = 0; slot < blocks * threads; slot += 7) {
            const Rect cell = layout.cell_of(slot);
            const auto found = layout.slot_at(cell.x + cell.width / 2, cell.y + cell.height / 2);
            ASSERT_TRUE(found) << slot;
            EXPECT_EQ(*found, slot);
        }
    }
}

TEST(MapLayout, a_million_threads_fit_and_gaps_belong_to_missing) {
    const MapLayout layout = fit_map(4096, 256, 900, 500, 26);
    EXPECT_LE(layout.width(), 900);
    EXPECT_LE(layout.height(), 500);
    EXPECT_GT(layout.width() * layout.height(), 0.5f * 900 * 500);
    const MapLayout two = fit_map(2, 64, 800, 40, 26);
    EXPECT_EQ(two.columns, 2u);
    EXPECT_FALSE(two.slot_at(32 * two.cell + two.gap() / 2, 1));
    EXPECT_FALSE(two.slot_at(-1, 1));
    EXPECT_FALSE(two.slot_at(1, 2 * two.cell + 1));
    EXPECT_TRUE(two.slot_at(32 * two.cell + two.gap() + 1, 1));
}

TEST(MapLayout, bad_sizes_are_no_crash) {
    EXPECT_FALSE(fit_map(0, 32, 100, 100, 26).slot_at(5, 5));
    EXPECT_EQ(fit_map(4, 32, 0, 0, 26).blocks, 4u);
}

// --- Model -------------------------------------------------------------------------------------------------

trace::Program program() {
    trace::Program program;
    program.source = {"k.cu", "void k() {\n  int i = 0;\n  wait();\n}\n"};
    program.engine = "cpu";
    program.ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{ .reg .b32 %r<2>;\nmov.u32 "
        "%r1, 0;\nbar.sync "
        "0;\nret;\n}\n";
    trace::Function function;
    function.name = function.symbol = "k";
    function.user_code = true;
    function.end_pc = 3;
    function.slots = 1;
    trace::Variable variable;
    variable.name = "i";
    variable.type = program.types.named("int");
    function.variables.push_back(variable);
    program.functions.push_back(function);
    for (std::uint32_t pc = 0; pc < 3; ++pc)
        program.code_rows.push_back({0, pc + 2, 0, 6 + pc});
    return program;
}

// Returns a trace in which every block runs line 2 (i = block), line 3 (a barrier if `waits`) and line 4.
std::shared_ptr<const trace::Trace> run_of(std::uint32_t blocks, bool waits) {
    trace::Recorder recorder;
    recorder.set_program(program());
    trace::Launch launch;
    launch.kernel = "k";
    launch.grid = {blocks, 1, 1};
    launch.block = {64, 1, 1};
    recorder.begin_launch(launch);
    for (std::uint32_t pc = 0; pc < 3; ++pc)
        for (std::uint32_t block = 0; block < blocks; ++block)
            for (std::uint16_t warp = 0; warp < 2; ++warp) {
                recorder.begin_turn(block, warp, ~0u, pc, pc + 2, 0);
                std::array<std::uint64_t, 32> before{}, after{};
                after.fill(block);
                if (pc == 0) recorder.variable(0, ~0u, before.data(), after.data(), ~0u);
                recorder.end_turn(pc == 2            ? trace::TurnEnd::exited
                                  : pc == 1 && waits ? trace::TurnEnd::barrier
                                                     : trace::TurnEnd::step,
                                  1);
            }
    recorder.end_launch();
    return recorder.finish();
}

TEST(ThreadsModel, lines_variables_and_barriers) {
    const auto trace = run_of(3, true);
    const auto model = build_threads_model(*trace, analysis::Code(trace->program), 0, 0, 1 << 30);
    ASSERT_EQ(model->lines.size(), 3u);
    EXPECT_EQ(model->lines[0].line, 2u);
    EXPECT_EQ(model->lines[0].text, "int i = 0;");
    EXPECT_NE(model->lines[0].colour, model->lines[1].colour);
    ASSERT_EQ(model->variables.size(), 1u);
    EXPECT_EQ(model->variables[0].name, "i");
    EXPECT_EQ(model->variables[0].by_function[0][0].type,
              render::value_type(render::NumberKind::signed_int, 4));
    EXPECT_EQ(model->code[1].flags, render::waits_at_barrier);
    EXPECT_EQ(model->code[0].flags | model->code[2].flags, 0u);
    EXPECT_EQ(model->streams.threads(), 192u);
    EXPECT_TRUE(model->note.empty());
}

TEST(ThreadsModel, barriers_come_from_the_ptx_where_no_turn_waited) {
    const auto trace = run_of(1, false);
    EXPECT_EQ(analysis::barrier_points(*trace, analysis::Code(trace->program), 0),
              (std::vector<bool>{false, true, false}));
}

TEST(ThreadsModel, large_launches_are_narrowed_to_blocks_around_the_focus) {
    const auto trace = run_of(100, true);
    // With the variable, a thread has 6 records of 16 bytes: begin, 3 points, variable, end. 64 threads
    // take 6144 bytes per block.
    const auto model = build_threads_model(*trace, analysis::Code(trace->program), 0, 50, 10 * 6144);
    EXPECT_EQ(model->streams.blocks.size(), 10u);
    EXPECT_EQ(model->streams.blocks.front(), 45u);
    EXPECT_EQ(model->note, "blocks 45 to 54 of 100");
    const auto without = build_threads_model(*trace, analysis::Code(trace->program), 0, 99, 5 * 1024);
    EXPECT_EQ(without->note, "blocks 99 to 99 of 100, without variables");
    EXPECT_TRUE(without->variables.empty());
    const auto cut = build_threads_model(*trace, analysis::Code(trace->program), 0, 0, 2 * 1024);
    EXPECT_EQ(cut->streams.capacity, 2u);
    EXPECT_EQ(cut->streams.counts[0], 5u);
    std::atomic<bool> cancelled = true;
    EXPECT_EQ(build_threads_model(*trace, analysis::Code(trace->program), 0, 0, 1 << 30, &cancelled),
              nullptr);
}

TEST(ThreadsLegend, values_as_text) {
    using render::NumberKind, render::value_type;
    EXPECT_EQ(value_text(value_type(NumberKind::signed_int, 4), 0xffffffff), "-1");
    EXPECT_EQ(value_text(value_type(NumberKind::unsigned_int, 4), 0xffffffff), "4294967295");
    EXPECT_EQ(value_text(value_type(NumberKind::signed_int, 8), ~0ull), "-1");
    EXPECT_EQ(value_text(value_type(NumberKind::unsigned_int, 1), 0x1ff), "255");
    EXPECT_EQ(value_text(value_type(NumberKind::floating, 4), 0x3fc00000), "1.5");
    EXPECT_EQ(value_text(value_type(NumberKind::floating, 8), 0xbfe0000000000000), "-0.5");
}

// --- Schedule ----------------------------------------------------------------------------------------------

analysis::Schedule made_schedule(std::uint32_t blocks, std::uint32_t sms) {
    trace::RecordStreams streams;
    streams.block_threads = 64;
    streams.capacity = 5;
    for (std::uint32_t block = 0; block < blocks; ++block)
        streams.blocks.push_back(block);
    streams.counts.resize(streams.threads());
    streams.records.resize(std::size_t{streams.threads()} * streams.capacity);
    for (std::uint32_t block = 0; block < blocks; ++block) {
        const std::uint64_t wave = block / (sms * 2), begin = 1000 + wave * 2400 + block % 5 * 60,
                            end = begin + 2000 + block % 7 * 50;
        for (std::uint32_t thread = 0; thread < 64; thread += 32) {
            const std::uint32_t slot = block * 64 + thread, sm = block % sms;
            const std::uint64_t base = 10 * begin;
            const trace::Record made[] = {
                {trace::record_head(trace::RecordKind::begin, 0), sm, begin},
                {trace::record_head(trace::RecordKind::point, 0), ~0u, base},
                {trace::record_head(trace::RecordKind::point, 1), ~0u, base + 4000 + 100 * thread},
                {trace::record_head(trace::RecordKind::point, 2), ~0u, base + 10 * (end - begin)},
                {trace::record_head(trace::RecordKind::end, 2), sm, end}};
            streams.counts[slot] = 5;
            for (std::uint32_t k = 0; k < 5; ++k)
                streams.records[std::size_t{k} * streams.threads() + slot] = made[k];
        }
    }
    return analysis::schedule_of(streams, {false, true, false}, streams.blocks.size());
}

TEST(SchedulePanel, words) {
    EXPECT_EQ(duration_text(840), "840 ns");
    EXPECT_EQ(duration_text(84200), "84.2 µs");
    EXPECT_EQ(duration_text(1.25e6), "1.25 ms");
    const std::string figures = schedule_figures(made_schedule(20, 4));
    EXPECT_NE(figures.find("4 SMs"), std::string::npos) << figures;
    EXPECT_NE(figures.find("20 blocks, 2 at once on an SM"), std::string::npos) << figures;
    EXPECT_NE(figures.find("waves"), std::string::npos) << figures;
    execution::RunResult run;
    run.set_trace(run_of(1, true));
    EXPECT_NE(session::shown_schedule(&run, 0, nullptr).reason.find("CPU machine"), std::string::npos);
    run.schedules.push_back(std::make_shared<analysis::Schedule>(made_schedule(1, 1)));
    EXPECT_EQ(session::shown_schedule(&run, 0, nullptr).reason, "");
    EXPECT_NE(session::shown_schedule(&run, 1, nullptr).reason, "");
}

TEST(SchedulePanel, multiprocessors_without_a_recorded_block_have_a_row) {
    session::ShownSchedule shown;
    shown.schedule = std::make_shared<analysis::Schedule>(made_schedule(6, 3));
    shown.multiprocessors = 5;
    const auto rows = schedule_rows(shown);
    ASSERT_EQ(rows.size(), 5u);
    for (std::uint32_t sm = 0; sm < 5; ++sm) {
        EXPECT_EQ(rows[sm].sm, sm);
        EXPECT_EQ(rows[sm].blocks.empty(), sm >= 3);
    }
}

class Pictures : public testing::Test {
  protected:
    void SetUp() override {
        const auto context = render::HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        execution::RunResult run;
        run.set_trace(run_of(20, true));
        run.schedules.push_back(std::make_shared<analysis::Schedule>(made_schedule(20, 4)));
        session_.set_run(std::move(run));
    }
    image::Image draw(const PictureRequest& request, const std::string& name) {
        const Result<PictureOutcome> drawn = draw_picture(session_, request);
        if (!drawn) {
            ADD_FAILURE() << to_text(drawn.diagnostics());
            return {};
        }
        EXPECT_TRUE(image::save_png(drawn->image, image::Content::drawing,
                                    testing::TempDir() + "/lanescope_" + name + ".png"));
        return drawn->image;
    }
    // Returns the number of pixels that nearly have the colour (RGBA8).
    static std::size_t count(const image::Image& image, ImU32 colour) {
        std::size_t found = 0;
        for (std::size_t i = 0; i + 3 < image.samples.size(); i += 4) {
            bool near = true;
            for (unsigned channel = 0; channel < 3; ++channel)
                near = near &&
                       std::abs(int(image.samples[i + channel]) - int(colour >> (8 * channel) & 255)) <= 2;
            found += near ? 1 : 0;
        }
        return found;
    }
    session::Session session_{"no such folder"};
};

TEST_F(Pictures, the_map_s_threads_wait_at_the_barrier_then_end) {
    PictureRequest request;
    request.stage_tab = StageTab::threads;
    const std::size_t last = session_.playhead().steps().size() - 1;
    session_.apply(session::SeekStep{0});
    const image::Image first = draw(request, "map_first");
    session_.apply(session::SeekStep{last - 1});
    const image::Image waiting = draw(request, "map_waiting");
    session_.apply(session::SeekStep{last});
    const image::Image ended = draw(request, "map_last");
    // Block 0 is the focus. The other blocks have not started after its first step, and
    // wait after its last step.
    EXPECT_GT(count(first, state_colour(render::ThreadState::active)), 1000u);
    EXPECT_GT(count(ended, theme().barrier), count(first, theme().barrier) + 5000);
    EXPECT_GT(count(waiting, state_colour(render::ThreadState::active)), 5000u);
}

// Records that threads of a GPU wrote into a buffer, with a separate clock for each multiprocessor, give the
// same picture as the trace of the run.
TEST_F(Pictures, records_in_place_look_like_the_trace) {
    session_.apply(session::SeekStep{1});
    const auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    auto target = render::Framebuffer::create(1280, 720);
    ASSERT_TRUE(target);
    const auto picture = [&](std::shared_ptr<const GpuStreams> streams) {
        App app(session_, nullptr);
        app.window().still = true;
        app.window().stage_tab = StageTab::threads;
        app.window().map_colour = "i";
        if (streams) app.window().gpu.streams = {std::move(streams)};
        FrameInput input;
        input.pixels = {1280, 720};
        for (int i = 0; i < 3; ++i) {
            input.now_s += 0.1;
            target->bind();
            app.frame(input);
        }
        EXPECT_EQ(app.problem(), "");
        // Leaves out the heading, which names the place of the records.
        auto pixels = target->read()->samples;
        pixels.erase(pixels.begin(), pixels.begin() + 4 * 1280 * 70);
        return pixels;
    };
    const std::shared_ptr<const trace::Trace> trace = session_.run()->trace;
    trace::RecordStreams made = trace::streams_of(*trace, 0);
    auto streams = std::make_shared<GpuStreams>();
    streams->trace = trace;
    streams->instructions = std::make_shared<const analysis::Code>(trace->program);
    streams->blocks = made.blocks;
    streams->clock_offsets = {700, 900'000'000'000};
    for (std::uint64_t turn = 0; turn < trace->turns.size(); ++turn)
        streams->time_of_turn.push_back(13 * turn);
    for (std::uint32_t slot = 0; slot < made.threads(); ++slot)
        for (std::uint32_t k = 0; k < made.counts[slot]; ++k) {
            const std::uint32_t sm = slot / made.block_threads % 2;
            trace::Record& record = made.records[std::size_t{k} * made.threads() + slot];
            if (trace::kind_of(record) == trace::RecordKind::begin) record.extra = sm;
            if (trace::kind_of(record) == trace::RecordKind::point)
                record.value = streams->clock_offsets[sm] + 13 * record.value;
            if (trace::kind_of(record) == trace::RecordKind::variable) record.extra = 41;
        }
    streams->variables = {{"i", {{{41, render::value_type(render::NumberKind::signed_int, 4)}}}}};
    auto buffer =
        render::StreamBuffer::upload({std::uint32_t(made.blocks.size()), made.block_threads, made.capacity},
                                     std::as_bytes(std::span(made.records)), made.counts);
    ASSERT_TRUE(buffer);
    streams->buffer = std::move(*buffer);
    const auto in_place = picture(streams);
    EXPECT_EQ(in_place, picture(nullptr));
    streams->time_of_turn.assign(trace->turns.size(), 0);
    EXPECT_NE(in_place, picture(streams));  // the clock moves the map
}

TEST_F(Pictures, the_cpu_maps_recorded_runs_as_the_shaders_do) {
    const auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    for (const char* lesson : {"reduction/modulo.cu", "scan/blelloch.cu", "barriers/divergent_barrier.cu"}) {
        session::Session session(resource_folder() / "kernels");
        session.apply(session::OpenFile{resource_folder() / "kernels" / lesson});
        ASSERT_TRUE(session.wait() && session.trace() != nullptr) << lesson;
        const trace::Launch& launch = session.trace()->launches[0];
        const auto model = build_threads_model(*session.trace(), *session.run()->instructions, 0, 0, 1 << 28);
        const trace::RecordStreams& made = model->streams;
        render::MapTables tables{model->code, {}, {}};
        if (!model->variables.empty()) tables.watched = model->variables.front().by_function;
        render::MapComparison comparison(
            {{std::uint32_t(made.blocks.size()), made.block_threads, made.capacity},
             made.records,
             made.counts},
            tables);
        const float cells[] = {0.7f, 1, 3, 9, 20};
        for (std::uint64_t i = 0; i <= 12; ++i) {
            comparison.at((launch.end_turn - launch.first_turn) * i / 12,
                          {cells[i % std::size(cells)], 2, 3, 2}, render::ColourBy(i % 3));
            if (HasFatalFailure()) FAIL() << lesson;
        }
    }
}

TEST_F(Pictures, bad_variable_is_named) {
    PictureRequest request;
    request.stage_tab = StageTab::threads;
    request.map_colour = "missing";
    const Result<PictureOutcome> drawn = draw_picture(session_, request);
    ASSERT_FALSE(drawn);
    EXPECT_NE(to_text(drawn.diagnostics()).find("'missing'"), std::string::npos);
    request.map_colour = "i";
    EXPECT_TRUE(draw_picture(session_, request));
}

TEST_F(Pictures, blocks_on_multiprocessors) {
    PictureRequest request;
    request.timeline_rows = TimelineRows::multiprocessors;
    const image::Image schedule = draw(request, "schedule");
    PictureRequest warps;
    const image::Image without = draw(warps, "warps");
    EXPECT_GT(count(schedule, theme().run), 2000u);
    EXPECT_NE(schedule.samples, without.samples);
}

}  // namespace threads_test
}  // namespace lanescope::ui
