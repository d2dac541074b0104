// Layout, keys, lesson text, settings, and a picture of an empty window.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "keyboard_player.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "scene/source/line_marks.h"
#include "ui/actions/find.h"
#include "ui/inputs/parameters_view.h"
#include "ui/kit/layout.h"
#include "ui/lesson/markdown.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"
#include "ui/window/settings.h"
#include "ui/window/system_motion.h"

namespace lanescope::ui {
namespace window_test {

// --- Motion ------------------------------------------------------------------------------------------------

TEST(Motion, settings_of_gtk) {
    EXPECT_TRUE(animations_of_gtk(""));
    EXPECT_TRUE(animations_of_gtk("[Settings]\ngtk-enable-animations=1\n"));
    EXPECT_FALSE(animations_of_gtk("[Settings]\ngtk-enable-animations = 0\n"));
    EXPECT_FALSE(animations_of_gtk("[Settings]\ngtk-theme-name=x\ngtk-enable-animations=false"));
    EXPECT_TRUE(animations_of_gtk("# gtk-enable-animations=0\n"));
    EXPECT_TRUE(animations_of_gtk("gtk-enable-animations"));
}

TEST(Motion, the_variable_decides) {
    ASSERT_EQ(setenv("LANESCOPE_MOTION", "off", 1), 0);
    EXPECT_FALSE(system_wants_motion());
    ASSERT_EQ(setenv("LANESCOPE_MOTION", "on", 1), 0);
    EXPECT_TRUE(system_wants_motion());
    ASSERT_EQ(unsetenv("LANESCOPE_MOTION"), 0);
}

TEST(Motion, pictures_and_people_who_want_less_have_none) {
    WindowState window;
    EXPECT_TRUE(window.moves());
    window.motion.system_moves = false;
    EXPECT_FALSE(window.moves());
    window.motion.wish = MotionWish::on;
    EXPECT_TRUE(window.moves());
    window.still = true;
    EXPECT_FALSE(window.moves());
    window.still = false, window.motion.system_moves = true, window.motion.wish = MotionWish::off;
    EXPECT_FALSE(window.moves());
}

// --- Layout ------------------------------------------------------------------------------------------------

bool overlap(const Rect& a, const Rect& b) {
    return !a.empty() && !b.empty() && a.x < b.right() && b.x < a.right() && a.y < b.bottom() &&
           b.y < a.bottom();
}

TEST(Layout, panels_fill_the_window_without_overlap) {
    for (const auto& [width, height] :
         {std::pair{1600.f, 1000.f}, std::pair{1280.f, 720.f}, std::pair{2560.f, 1440.f},
          std::pair{3840.f, 2160.f}, std::pair{800.f, 600.f}}) {
        for (const auto& [lecture, page] : {std::pair{false, false}, std::pair{true, false},
                                            std::pair{false, true}, std::pair{true, true}}) {
            WindowState window;
            window.lecture = lecture;
            window.scale = fitting_scale(width, height, 1, 1, lecture);
            const Layout layout = arrange(width, height, window, {}, {400, 200, page});
            float area = 0;
            for (std::size_t i = 0; i < panel_count; ++i) {
                const Rect& panel = layout.panels[i];
                area += std::max(panel.width, 0.0f) * std::max(panel.height, 0.0f);
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_FALSE(overlap(panel, layout.panels[j])) << i << " " << j;
            }
            EXPECT_NEAR(area, width * height, width) << width << "x" << height;
        }
    }
}

TEST(Layout, a_page_has_a_reading_width_and_leaves_the_stage_in_sight) {
    for (const auto& [width, height] :
         {std::pair{1600.f, 1000.f}, std::pair{1280.f, 720.f}, std::pair{2560.f, 1440.f}}) {
        WindowState window;
        window.scale = fitting_scale(width, height, 1, 1, false);
        const Layout layout = arrange(width, height, window, {}, {400, 200, true});
        EXPECT_TRUE(layout[Panel::lessons].empty() && layout[Panel::parameters].empty());
        EXPECT_NEAR(layout[Panel::page].width, window.px(456), 1);
        EXPECT_EQ(layout[Panel::page].height, layout[Panel::stage].height + layout[Panel::warps].height);
        EXPECT_GE(layout[Panel::stage].width, window.px(620)) << width;
        EXPECT_GE(layout[Panel::source].width, window.px(320)) << width;
    }
}

TEST(Layout, many_multiprocessors_get_room) {
    WindowState window;
    Wishes wishes{400, 200};
    EXPECT_EQ(arrange(1600, 1000, window, {}, wishes)[Panel::timeline].height, 168);
    wishes.schedule = true;
    const Layout layout = arrange(1600, 1000, window, {}, wishes);
    EXPECT_EQ(layout[Panel::timeline].height, 450);
    EXPECT_GT(layout[Panel::stage].height, 200);
    EXPECT_EQ(arrange(1280, 720, window, {}, wishes)[Panel::timeline].height, 360) << "at most half";
}

TEST(Layout, hidden_panels_give_their_room_to_the_others) {
    WindowState window;
    window.hidden = {.left = true, .warps = true, .source = true, .inspector = true, .timeline = true};
    const Layout layout = arrange(1600, 1000, window, {}, {400, 200});
    for (const Panel panel : {Panel::lessons, Panel::parameters, Panel::page, Panel::warps, Panel::source,
                              Panel::inspector, Panel::timeline})
        EXPECT_TRUE(layout[panel].empty()) << int(panel);
    EXPECT_EQ(layout[Panel::stage].width, 1600);
    EXPECT_EQ(layout[Panel::transport].bottom(), 1000);
    window.hidden = {.source = true};
    const Layout no_source = arrange(1600, 1000, window, {}, {400, 200});
    EXPECT_TRUE(no_source[Panel::source].empty());
    EXPECT_EQ(no_source[Panel::inspector].y, no_source[Panel::stage].y);
    EXPECT_FALSE(no_source[Panel::timeline].empty());
}

TEST(Layout, larger_windows_get_larger_type) {
    EXPECT_FLOAT_EQ(fitting_scale(1600, 1000, 1, 1, false), 1.0f);
    EXPECT_FLOAT_EQ(fitting_scale(2560, 1440, 1, 1, false), 1.45f);
    EXPECT_FLOAT_EQ(fitting_scale(1280, 720, 1, 1, false), 0.85f);
    EXPECT_GT(fitting_scale(1600, 1000, 1, 1, true), 1.2f);
    EXPECT_GT(fitting_scale(1600, 1000, 2, 1, false), 1.5f);
}

TEST(Layout, bad_splits_leave_every_panel_room) {
    WindowState window;
    Splits splits;
    splits.left = 1e6f, splits.right = -50, splits.bottom = 1e6f, splits.stage_share = 7;
    const Layout layout = arrange(1600, 1000, window, splits, {1e6f, 1e6f});
    EXPECT_GT(layout[Panel::stage].width, 100);
    EXPECT_GT(layout[Panel::lessons].height, 0);
    EXPECT_GT(layout[Panel::warps].height, 50);
}

// --- Keys --------------------------------------------------------------------------------------------------

class Keys : public KeyboardTest {};

TEST_F(Keys, arrows_and_a_clicker_step) {
    EXPECT_EQ(press(Key::right).at(0).as<session::StepBy>()->steps, 1);
    EXPECT_EQ(press(Key::page_up).at(0).as<session::StepBy>()->steps, -1);
    EXPECT_EQ(press(shifted(Key::left)).at(0).as<session::StepBy>()->steps, -10);
    EXPECT_EQ(press(shifted(Key::page_down)).at(0).as<session::StepBy>()->steps, 10);
    EXPECT_EQ(press(Key::down).at(0).as<session::PhaseBy>()->phases, 1);
    EXPECT_EQ(press(shifted(Key::up)).at(0).as<session::PhaseBy>()->phases, -1);
    EXPECT_EQ(press(Key::home).at(0).as<session::SeekStep>()->step, 0u);
    EXPECT_EQ(press(Key::end).at(0).as<session::SeekStep>()->step, opened().playhead().steps().size() - 1);
    EXPECT_TRUE(press(' ').at(0).as<session::Play>()->playing);
}

TEST_F(Keys, function_keys_do_what_they_do_in_a_debugger) {
    EXPECT_FALSE(press(Key::f5).at(0).as<session::Continue>()->back);
    EXPECT_TRUE(press(control(Key::f5)).at(0).as<session::Continue>()->back);
    const session::Commands stop = press(shifted(Key::f5));
    EXPECT_FALSE(stop.at(0).as<session::Play>()->playing);
    EXPECT_EQ(stop.at(1).as<session::SeekStep>()->step, 0u);
    EXPECT_NE(press(Key::f9).at(0).as<session::ToggleBreakpoint>()->line, 0u);
    EXPECT_EQ(press(Key::f10).at(0).as<session::StepBy>()->steps, 1) << "this step calls no function";
    EXPECT_EQ(press(Key::f11).at(0).as<session::StepBy>()->steps, 1);
    EXPECT_TRUE(press(shifted(Key::f11)).empty());
    EXPECT_EQ(window_.notice.text, "This step is in the kernel itself, which no function called.");
    EXPECT_FALSE(press(control(Key::f10)).at(0).as<session::RunToLine>()->back);
    EXPECT_TRUE(press(control(Key::f10, true)).at(0).as<session::RunToLine>()->back);
    EXPECT_TRUE(press_alone(control(Key::f11)).fullscreen);
    window_.lecture = true;
    EXPECT_TRUE(press_alone({Key::f11}).fullscreen) << "a lecture has no functions to step into";
}

TEST_F(Keys, a_run_that_goes_on_is_stopped_before_the_position_moves) {
    session::Session running(resource_folder() / "kernels");
    running.apply(session::OpenFile{resource_folder() / "kernels/reduction/modulo.cu"});
    session_ = &running;
    EXPECT_TRUE(press(shifted(Key::f5)).at(0).as<session::CancelRun>());
}

TEST_F(Keys, functions_are_stepped_over_into_and_out_of) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "lanescope_calls.cu";
    ASSERT_TRUE(write_file(file, R"(/*--- lanescope
[buffers]
a = { type = "int", count = "4", init = "iota" }

[[launch]]
kernel = "f"
grid   = ["1"]
block  = ["4"]
args   = ["a"]
---*/
__device__ __noinline__ int twice(int x) {
    int y = x + x;
    return y;
}
__global__ void f(int* a) {
    int v = a[threadIdx.x];
    v = twice(v);
    a[threadIdx.x] = v;
}
)"));
    session::Session calls("no such folder");
    calls.apply(session::OpenFile{file});
    ASSERT_TRUE(calls.wait());
    session_ = &calls;
    const auto depth = [&] {
        return int(calls.trace()->turns[calls.playhead().step_state()->step.first].depth);
    };
    const auto go = [&](KeyPress key) {
        for (const session::Command& command : press(key))
            calls.apply(command);
    };
    while (depth() == 0)
        go({Key::f11});
    const std::size_t inside = calls.playhead().step_state()->index;
    go(shifted(Key::f11));
    EXPECT_EQ(depth(), 0) << "out of the function";
    const std::size_t outside = calls.playhead().step_state()->index;
    EXPECT_GT(outside, inside);
    calls.apply(session::SeekStep{inside - 1});
    go({Key::f10});
    EXPECT_EQ(calls.playhead().step_state()->index, outside) << "without the function's lines";
    std::filesystem::remove(file);
}

TEST_F(Keys, blocks_warps_and_lanes_are_chosen) {
    EXPECT_EQ(press(control(Key::right)).at(0).as<session::PinLane>()->lane, 1u);
    EXPECT_EQ(press(control(Key::down)).at(0).as<session::PinLane>()->warp, 1u);
    EXPECT_TRUE(press(control(Key::left)).empty());
    EXPECT_EQ(window_.notice.text, "Thread 0 is the first one of this block.");
    EXPECT_TRUE(press(control(Key::up)).empty());
    EXPECT_EQ(window_.notice.text, "Warp 0 is the first one of this block.");
    EXPECT_TRUE(press(control(Key::page_down)).empty());
    EXPECT_EQ(window_.notice.text, "Block 0 is the last one.");
    session::Session blocks(resource_folder() / "kernels");
    blocks.apply(session::OpenFile{resource_folder() / "kernels/first_steps/vector_add.cu"});
    ASSERT_TRUE(blocks.wait());
    session_ = &blocks;
    EXPECT_EQ(press(control(Key::page_down)).at(0).as<session::FocusBlock>()->block, 1u);
}

TEST_F(Keys, tab_never_leaves_the_predictions) {
    session::Session hidden(resource_folder() / "kernels");
    hidden.apply(session::OpenFile{resource_folder() / "kernels/first_steps/vector_add.cu"});
    ASSERT_TRUE(hidden.wait());
    session_ = &hidden;
    hidden.apply(session::HideResults{true});
    hidden.apply(session::SeekStep{3});
    press(Key::tab);
    EXPECT_TRUE(window_.signals.predict);
    window_.signals = {};
    hidden.apply(session::Reveal{});
    press(Key::tab);
    EXPECT_FALSE(window_.signals.predict || window_.signals.focus_parameters);
    EXPECT_NE(window_.notice.text.find("shown already"), std::string::npos);
}

TEST_F(Keys, letters_change_what_is_seen) {
    press('M');
    EXPECT_EQ(window_.stage_tab, StageTab::threads);
    press('s');
    EXPECT_EQ(window_.timeline_rows, TimelineRows::multiprocessors);
    press('p');
    EXPECT_TRUE(window_.source.ptx);
    press('w');
    EXPECT_TRUE(window_.signals.add_watch);
    press('c');
    EXPECT_TRUE(window_.comparing);
    press('e');
    EXPECT_TRUE(window_.source.editing && !window_.comparing) << "editing ends the comparison";
    press(control(U'e'));
    EXPECT_TRUE(window_.exporting);
    press('l');
    EXPECT_TRUE(window_.lecture);
    press('?');
    EXPECT_TRUE(window_.help.shown);
    press(Key::f12);
    EXPECT_EQ(window_.dialog, Dialog::menu);
    EXPECT_TRUE(press_alone(control(U'q')).quit);
}

TEST_F(Keys, panels_are_hidden_and_come_back) {
    press(control(U'b'));
    EXPECT_TRUE(window_.hidden.left);
    press(control(U'j'));
    EXPECT_TRUE(window_.hidden.timeline);
    press(control(U'b'));
    EXPECT_FALSE(window_.hidden.left);
    window_.zoom = 2;
    press(control(U'0'));
    EXPECT_EQ(window_.hidden, HiddenPanels());
    EXPECT_TRUE(window_.signals.reset_layout);
    EXPECT_EQ(window_.zoom, 1);
    window_.lecture = true;
    press(control(U'b'));
    EXPECT_FALSE(window_.hidden.left) << "a lecture has its own panels";
}

TEST_F(Keys, enter_goes_on_in_the_tour) {
    window_.tour_stop = 0;
    press(Key::enter);
    EXPECT_EQ(window_.tour_stop, 1);
}

TEST_F(Keys, the_preview_has_the_palette_and_the_menu) {
    window_.preview.open = true;
    press(control(U'p'));
    EXPECT_EQ(window_.dialog, Dialog::palette);
    std::vector<std::string> found;
    for (const Choice& choice : find_choices(place(), ""))
        found.push_back(choice.title);
    const auto has = [&](const char* title) {
        return std::find(found.begin(), found.end(), title) != found.end();
    };
    EXPECT_TRUE(has("Save the result as PNG …") && has("Back to the lessons") && has("Quit"));
    EXPECT_FALSE(has("PTX beside the source")) << "what the preview does not have is not offered";
    press(Key::escape);
    EXPECT_EQ(window_.dialog, Dialog::none) << "Esc closes the palette, not the preview";
    EXPECT_TRUE(window_.preview.open);
}

TEST_F(Keys, there_are_no_schedules_to_try_without_a_run) {
    EXPECT_EQ(press('t').size(), 1u);
    session_ = &empty_;
    EXPECT_TRUE(press('t').empty());
}

TEST_F(Keys, timings_come_forward_out_of_the_lecture) {
    window_.lecture = true;
    Requests asked;
    perform(*find_action("timings.show"), place(), asked);
    asked.changes.at(0)(window_);
    EXPECT_EQ(window_.inspector.tab, InspectorTab::timings);
    EXPECT_FALSE(window_.lecture);
}

TEST_F(Keys, typing_text_is_not_stepping) {
    typing_ = true;
    EXPECT_TRUE(press(Key::left).empty());
    EXPECT_TRUE(press(' ').empty());
    EXPECT_EQ(window_.notice.text, "");
    window_.source.editing = true;
    press(Key::escape);
    EXPECT_FALSE(window_.source.editing);
    press(Key::tab);
    EXPECT_TRUE(window_.signals.focus_parameters);
}

TEST_F(Keys, escape_closes_one_thing_after_another) {
    window_.lecture = window_.help.shown = true;
    press(Key::escape);
    EXPECT_FALSE(window_.help.shown);
    EXPECT_TRUE(window_.lecture);
    press(Key::escape);
    EXPECT_FALSE(window_.lecture);
    window_.source.editing = window_.exporting = true;
    Requests asked;
    const KeyPress escape{Key::escape};
    keyboard_.take({&escape, 1}, place(), true, asked);
    EXPECT_TRUE(asked.changes.empty()) << "an open list takes the key";
    press(Key::escape);
    EXPECT_TRUE(window_.source.editing && !window_.exporting);
}

TEST_F(Keys, zoom_stays_within_what_can_be_read) {
    for (int i = 0; i < 100; ++i)
        press('-');
    EXPECT_GE(window_.zoom, 0.5f);
    for (int i = 0; i < 100; ++i)
        press('+');
    EXPECT_LE(window_.zoom, 3.0f);
    press('0');
    EXPECT_EQ(window_.zoom, 1.0f);
    EXPECT_TRUE(press_alone(control(Key::f11)).fullscreen);
}

// --- Lesson text -------------------------------------------------------------------------------------------

TEST(Markdown, spans_paragraphs_and_lists) {
    const auto text = parse_markdown("Look at `s[t]`\nand **the mask**.\n\n- one\n- [two](sequential)\n");
    ASSERT_EQ(text.size(), 3u);
    ASSERT_EQ(text[0].spans.size(), 5u);
    EXPECT_EQ(text[0].spans[1].style, SpanStyle::code);
    EXPECT_EQ(text[0].spans[1].text, "s[t]");
    EXPECT_EQ(text[0].spans[3].text, "the mask");
    EXPECT_TRUE(text[1].bullet);
    EXPECT_EQ(text[2].spans[0].target, "sequential");
}

TEST(Markdown, bad_marks_without_a_partner_are_text) {
    for (const char* source : {"a ` b", "a ** b", "[a](b", "[a", "``", "![", "]("}) {
        const auto text = parse_markdown(source);
        ASSERT_EQ(text.size(), 1u) << source;
        ASSERT_EQ(text[0].spans.size(), 1u) << source;
        EXPECT_EQ(text[0].spans[0].text, source);
    }
}

// --- Small texts -------------------------------------------------------------------------------------------

TEST(Marks, warps_are_named_in_ranges) {
    EXPECT_EQ(warp_ranges({0, 1}), "w0 w1");
    EXPECT_EQ(warp_ranges({0, 1, 2, 3, 7}), "w0–w3 w7");
    EXPECT_EQ(warp_ranges({0, 2, 4, 6, 8}), "w0 w2 w4 …");
    EXPECT_EQ(warp_ranges({}), "");
}

TEST(Parameters, bad_values_are_refused_with_the_range) {
    lesson::Parameter parameter;
    parameter.min = 1;
    parameter.max = 64;
    EXPECT_EQ(refusal(parameter, 64), "");
    EXPECT_EQ(refusal(parameter, 65), "must be 1 … 64");
    EXPECT_EQ(refusal(parameter, 0), "must be 1 … 64");
}

// --- Settings ----------------------------------------------------------------------------------------------

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::path(testing::TempDir()) / ("lanescope_ui_" + name);
}

TEST(Settings, come_back_as_they_were) {
    Settings settings;
    settings.width = 1234;
    settings.zoom = 1.25f;
    settings.splits.right = 500;
    settings.splits.lecture_source = 0.3f;
    settings.splits.lecture_bottom = 0.5f;
    settings.granularity = trace::Granularity::phase;
    const auto file = scratch("settings.json");
    ASSERT_TRUE(save_settings(settings, file));
    const Settings read = load_settings(file);
    std::filesystem::remove(file);
    EXPECT_EQ(read.width, 1234);
    EXPECT_FLOAT_EQ(read.zoom, 1.25f);
    EXPECT_FLOAT_EQ(read.splits.right, 500);
    EXPECT_FLOAT_EQ(read.splits.lecture_source, 0.3f);
    EXPECT_FLOAT_EQ(read.splits.lecture_bottom, 0.5f);
    EXPECT_EQ(read.granularity, trace::Granularity::phase);
}

TEST(Settings, bad_file_gives_the_defaults) {
    const auto file = scratch("bad.json");
    for (const char* text :
         {"", "{", "[1, 2]", "{\"zoom\": \"big\", \"width\": null, \"granularity\": 1e300}"}) {
        ASSERT_TRUE(write_file(file, text));
        const Settings read = load_settings(file);
        EXPECT_EQ(read.width, Settings().width) << text;
        EXPECT_EQ(read.zoom, Settings().zoom) << text;
        EXPECT_LE(int(read.granularity), int(trace::Granularity::launch)) << text;
    }
    std::filesystem::remove(file);
}

// --- Pictures ----------------------------------------------------------------------------------------------

class Window : public testing::Test {
  protected:
    void SetUp() override {
        if (auto context = render::HeadlessContext::create(); !context)
            GTEST_SKIP() << to_text(context.diagnostics());
    }
};

TEST_F(Window, an_empty_session_can_be_drawn_in_any_size) {
    session::Session session("no such folder");
    for (const render::Extent size : {render::Extent{1600, 1000}, render::Extent{1280, 720},
                                      render::Extent{200, 100}, render::Extent{1, 1}}) {
        const auto picture = draw_picture(session, {size});
        ASSERT_TRUE(picture) << to_text(picture.diagnostics());
        EXPECT_EQ(int(picture->image.width), size.width);
        EXPECT_EQ(int(picture->image.height), size.height);
    }
}

TEST_F(Window, bad_size_is_an_error) {
    session::Session session("no such folder");
    EXPECT_FALSE(draw_picture(session, {{0, 100}}));
    EXPECT_FALSE(draw_picture(session, {{1 << 28, 100}}));
}

// No lesson is open, so that no view takes them: a signal that waited would move a page that is opened later.
TEST_F(Window, signals_end_with_their_frame) {
    auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    auto target = render::Framebuffer::create(1280, 720);
    ASSERT_TRUE(target);
    session::Session session("no such folder");
    App app(session, nullptr);
    app.window().still = true;
    FrameSignals& signals = app.window().signals;
    signals.predict = signals.focus_parameters = signals.add_watch = signals.reset_layout = true;
    signals.page_scroll = signals.page_box = 1;
    signals.compare_with = "other.cu";
    FrameInput input;
    input.pixels = {1280, 720};
    target->bind();
    EXPECT_TRUE(app.frame(input).wants_next) << "what they moved is drawn in the next frame";
    EXPECT_EQ(signals, FrameSignals());
}

TEST_F(Window, help_covers_what_is_below) {
    session::Session session("no such folder");
    const auto plain = draw_picture(session, {{1600, 1000}, false, false});
    const auto help = draw_picture(session, {{1600, 1000}, false, true});
    ASSERT_TRUE(plain && help);
    EXPECT_NE(plain->image.samples, help->image.samples);
}

}  // namespace window_test
}  // namespace lanescope::ui
