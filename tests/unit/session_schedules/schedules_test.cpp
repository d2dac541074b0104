// Recorded schedules of GPUs: written, read, and shown only for what was recorded.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/number_text.h"
#include "session/schedules/recorded_schedules.h"

namespace lanescope::session {
namespace schedules_test {

using analysis::ScheduledBlock;

// A run of a lesson on the CPU machine, as far as schedules ask.
execution::RunResult cpu_run(std::int64_t n = 128) {
    auto trace = std::make_shared<trace::Trace>();
    trace->program.engine = "cpu";
    trace->launches.resize(1);
    trace->launches[0].kernel = "reduce";
    trace->launches[0].grid = {4, 1, 1};
    trace->launches[0].block = {64, 1, 1};
    execution::RunResult run;
    run.file = "kernels/reduction/modulo.cu";
    run.source = "the text";
    run.code = compile::Code::debug;
    run.instance.parameters = {{"block", 64}, {"n", n}};
    run.trace = std::move(trace);
    return run;
}

// Blocks 0 and 1 at once on SM 2, then block 2 there, which waits once; block 3 on SM 5 without an end.
std::shared_ptr<const analysis::Schedule> made() {
    std::vector<ScheduledBlock> blocks(4);
    blocks[0] = {0, 2, 0, 0, {0, 100}, true, {}};
    blocks[1] = {1, 2, 0, 0, {5, 140}, true, {}};
    blocks[2] = {2, 2, 0, 0, {100, 200}, true, {{120, 130}}};
    blocks[3] = {3, 5, 0, 0, {10, 90}, false, {}};
    return std::make_shared<const analysis::Schedule>(analysis::schedule_of_blocks(blocks, 4));
}

// The same run as if a GPU had run it.
execution::RunResult gpu_run() {
    execution::RunResult run = cpu_run();
    run.device = "NVIDIA Test", run.driver = "CUDA 13.0, driver 1.2.3", run.multiprocessors = 8;
    run.schedules = {made()};
    return run;
}

// Through the text that tests/timings/schedules.py writes.
RecordedSchedules recording() {
    const execution::RunResult run = gpu_run();
    const nlohmann::ordered_json own = gpu_schedule_json(run, nullptr);
    nlohmann::ordered_json lesson{{"file", "kernels/reduction/modulo.cu"}, {"text_hash", own["text_hash"]}};
    lesson["parameters"] = run.instance.parameters;
    lesson["launches"] = own["launches"];
    const nlohmann::ordered_json document{{"device", own["device"]},
                                          {"driver", own["driver"]},
                                          {"date", "2026-11-25T12:00:00Z"},
                                          {"multiprocessors", own["multiprocessors"]},
                                          {"lessons", {lesson}}};
    Result<RecordedSchedules> read = recorded_schedules_of(document.dump(), "made.json");
    EXPECT_TRUE(read) << to_text(read.diagnostics());
    return std::move(*read);
}

TEST(RecordedSchedules, are_read_as_they_were_written) {
    const RecordedSchedules all = recording();
    EXPECT_EQ(all.origin(), "recorded on NVIDIA Test, CUDA 13.0, driver 1.2.3, 2026-11-25");
    const analysis::Schedule& read = *all.lessons.at(0).launches.at(0).schedule;
    const std::shared_ptr<const analysis::Schedule> kept = made();
    const analysis::Schedule& wrote = *kept;
    ASSERT_EQ(read.blocks.size(), wrote.blocks.size());
    for (std::size_t i = 0; i < wrote.blocks.size(); ++i) {
        EXPECT_EQ(read.blocks[i].block, wrote.blocks[i].block);
        EXPECT_EQ(read.blocks[i].sm, wrote.blocks[i].sm);
        EXPECT_EQ(read.blocks[i].span, wrote.blocks[i].span);
        EXPECT_EQ(read.blocks[i].waits, wrote.blocks[i].waits);
        EXPECT_EQ(read.blocks[i].ended, wrote.blocks[i].ended);
    }
    EXPECT_EQ(read.blocks_per_sm, 2u);
    EXPECT_EQ(read.tail_begin_ns, wrote.tail_begin_ns);
}

TEST(RecordedSchedules, are_shown_for_the_lesson_that_was_recorded) {
    const RecordedSchedules all = recording();
    const execution::RunResult run = cpu_run();
    const ShownSchedule shown = shown_schedule(&run, 0, &all);
    ASSERT_TRUE(shown.schedule) << shown.reason;
    EXPECT_EQ(shown.origin, all.origin());
    EXPECT_EQ(shown.multiprocessors, 8u);
    const nlohmann::ordered_json json = gpu_schedule_json(run, &all);
    EXPECT_TRUE(json["recorded"].get<bool>());
    EXPECT_EQ(json["launches"][0]["spans"].size(), 4u);
}

TEST(RecordedSchedules, other_runs_say_why_they_have_none) {
    const RecordedSchedules all = recording();
    const auto reason = [&](const execution::RunResult& run, const RecordedSchedules* recorded) {
        const ShownSchedule shown = shown_schedule(&run, 0, recorded);
        EXPECT_FALSE(shown.schedule);
        return shown.reason;
    };
    execution::RunResult run = cpu_run();
    EXPECT_NE(reason(run, nullptr).find("no recorded schedules"), std::string::npos);
    EXPECT_NE(reason(cpu_run(2048), &all).find("default parameters: block="), std::string::npos);
    run.source += " ";
    EXPECT_NE(reason(run, &all).find("text of this file differs"), std::string::npos);
    run.file = "mine.cu";
    EXPECT_NE(reason(run, &all).find("does not have this file"), std::string::npos);
    EXPECT_EQ(gpu_schedule_json(run, &all)["missing"],
              "The recording on an NVIDIA Test does not have this file.");
    EXPECT_EQ(shown_schedule(nullptr, 0, &all).reason, "no run yet");
}

TEST(RecordedSchedules, an_own_schedule_comes_first_and_missing_blocks_are_told) {
    const RecordedSchedules all = recording();
    const execution::RunResult run = gpu_run();
    ShownSchedule shown = shown_schedule(&run, 0, &all);
    EXPECT_EQ(shown.schedule, run.schedules[0]);
    EXPECT_EQ(shown.origin, "");
    shown.grid_blocks = 8192, shown.map_blocks = 2507;
    EXPECT_EQ(missing_blocks_words(shown), grouped(8192) + " blocks in the launch: the map of threads has " +
                                               grouped(2507) +
                                               ", this timeline 4; the others are not recorded");
    shown.grid_blocks = 4;
    EXPECT_EQ(missing_blocks_words(shown), "");
}

TEST(RecordedSchedules, errors_name_the_place) {
    const auto message = [](const std::string& text) {
        const Result<RecordedSchedules> read = recorded_schedules_of(text, "bad.json");
        EXPECT_FALSE(read);
        return read ? std::string() : to_text(read.diagnostics().front());
    };
    EXPECT_NE(message("{").find("bad.json"), std::string::npos);
    EXPECT_NE(message("{}").find("has no 'device'"), std::string::npos);
    const std::string head = R"({"device":"d","driver":"r","date":"t","multiprocessors":1,"lessons":[)"
                             R"({"file":"a.cu","text_hash":"h","parameters":{},"launches":[)"
                             R"({"kernel":"k","grid":[2,1,1],"block":[32,1,1],"map_blocks":2,"spans":[)";
    EXPECT_NE(message(head + "[2,0,0,5]]}]}]}").find("block 2 is outside of the grid"), std::string::npos);
    EXPECT_NE(message(head + "[1,0,9,5]]}]}]}").find("ends before it begins"), std::string::npos);
    EXPECT_NE(message(head + "[1,0,5]]}]}]}").find("pairs of times"), std::string::npos);
}

TEST(RecordedSchedules, the_shipped_recording_is_of_the_course) {
    const auto shipped = shipped_schedules(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    ASSERT_TRUE(shipped) << to_text(shipped.diagnostics());
    if (!*shipped) GTEST_SKIP() << "assets/schedules has no recording; tests/timings/schedules.py makes it";
    for (const RecordedLesson& lesson : (*shipped)->lessons) {
        const auto text = read_text_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + lesson.file);
        ASSERT_TRUE(text) << lesson.file;
        EXPECT_EQ(content_hash(*text), lesson.text_hash)
            << lesson.file << " was changed; record again with tests/timings/schedules.py";
    }
}

}  // namespace schedules_test
}  // namespace lanescope::session
