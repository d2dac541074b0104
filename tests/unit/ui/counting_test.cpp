// Views of a trace that is shown before it is counted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "scene/source/line_marks.h"
#include "scene/words/access_words.h"
#include "trace/io.h"
#include "trace/recorder.h"
#include "ui/window/picture.h"

namespace lanescope::ui {
namespace counting_test {

// Saves a trace with one warp that runs line 7 twice.
void save_trace(const std::filesystem::path& path) {
    trace::Recorder recorder({.trace_bytes = 1 << 20});
    trace::Program program;
    program.functions.push_back({"k", "k", 1, true, 0, 8, 0, 0, {}});
    for (std::uint32_t pc = 0; pc < 8; ++pc)
        program.code_rows.push_back({0, 7, 1, pc + 1});
    recorder.set_program(std::move(program));
    trace::Launch launch;
    launch.kernel = "k";
    launch.block = {32, 1, 1};
    recorder.begin_launch(launch);
    for (int i = 0; i < 2; ++i) {
        recorder.begin_turn(0, 0, ~trace::Mask{0}, 0, 7, 0);
        recorder.end_turn(trace::TurnEnd::step, 4);
    }
    recorder.end_launch();
    ASSERT_TRUE(trace::save(*recorder.finish(), path));
}

TEST(Uncounted, heat_is_told_only_once_it_is_counted) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) /
                                       ("lanescope_uncounted_" + std::to_string(getpid()) + ".trace");
    save_trace(path);
    session::Session session("no such folder", session::Options{0});
    session.apply(session::OpenFile{path});
    while (session.runner().opening() || session.playhead().step_state() == nullptr) {
        session.update(0);
        ASSERT_TRUE(session.diagnostics().empty());
        if (session.playhead().step_state() != nullptr) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_FALSE(session.run()->report_ready);
    session.apply(session::CancelRun{});
    EXPECT_EQ(heat_text(session, 7), "not counted");
    EXPECT_EQ(heat_of(session, 7, HeatMetric::executions), 0);
    EXPECT_EQ(not_counted(session), "not counted");
    const auto before = draw_picture(session, {});
    session.apply(session::OpenFile{path});
    ASSERT_TRUE(session.wait());
    const auto after = draw_picture(session, {});
    if (before && after) {  // there are no pictures without OpenGL
        EXPECT_NE(before->image.samples, after->image.samples);
    }
    EXPECT_NE(heat_text(session, 7).find("executed 2 times"), std::string::npos) << heat_text(session, 7);
    EXPECT_EQ(heat_of(session, 7, HeatMetric::executions), 1);
    std::filesystem::remove(path);
}

}  // namespace counting_test
}  // namespace lanescope::ui
