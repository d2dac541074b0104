// Layout, keys, lesson text, settings, and a picture of a window that shows nothing yet.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "render/headless.h"
#include "ui/actions/keys.h"
#include "ui/inputs/parameters_view.h"
#include "ui/kit/layout.h"
#include "ui/lesson/markdown.h"
#include "ui/source/source_marks.h"
#include "ui/window/picture.h"
#include "ui/window/settings.h"

namespace lanescope::ui {
namespace {

// --- Layout ------------------------------------------------------------------------------------------------

bool overlap(const Rect& a, const Rect& b) {
    return !a.empty() && !b.empty() && a.x < b.right() && b.x < a.right() && a.y < b.bottom() &&
           b.y < a.bottom();
}

TEST(Layout, panels_fill_the_window_without_overlap) {
    for (const auto& [width, height] :
         {std::pair{1600.f, 1000.f}, std::pair{1280.f, 720.f}, std::pair{2560.f, 1440.f},
          std::pair{3840.f, 2160.f}, std::pair{800.f, 600.f}}) {
        for (const bool lecture : {false, true}) {
            WindowState shared;
            shared.lecture = lecture;
            shared.scale = fitting_scale(width, height, 1, 1, lecture);
            const Layout layout = arrange(width, height, shared, {}, {400, 200, 300});
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

TEST(Layout, larger_windows_get_larger_type) {
    EXPECT_FLOAT_EQ(fitting_scale(1600, 1000, 1, 1, false), 1.0f);
    EXPECT_FLOAT_EQ(fitting_scale(2560, 1440, 1, 1, false), 1.45f);
    EXPECT_FLOAT_EQ(fitting_scale(1280, 720, 1, 1, false), 0.85f);
    EXPECT_GT(fitting_scale(1600, 1000, 1, 1, true), 1.2f);
    EXPECT_GT(fitting_scale(1600, 1000, 2, 1, false), 1.5f);
}

TEST(Layout, bad_splits_leave_every_panel_room) {
    WindowState shared;
    Splits splits;
    splits.left = 1e6f, splits.right = -50, splits.bottom = 1e6f, splits.stage_share = 7;
    const Layout layout = arrange(1600, 1000, shared, splits, {1e6f, 1e6f, 1e6f});
    EXPECT_GT(layout[Panel::stage].width, 100);
    EXPECT_GT(layout[Panel::lessons].height, 0);
    EXPECT_GT(layout[Panel::warps].height, 50);
}

// --- Keys --------------------------------------------------------------------------------------------------

class Keys : public testing::Test {
  protected:
    void SetUp() override { ImGui::CreateContext(); }
    void TearDown() override { ImGui::DestroyContext(); }
    session::Commands press(Key key, bool shift = false) {
        session::Commands commands;
        const KeyPress press{key, shift};
        fullscreen_ = handle_keys(std::span(&press, 1), session_, shared_, commands);
        return commands;
    }
    session::Session session_{"no such folder"};
    WindowState shared_;
    bool fullscreen_ = false;
};

TEST_F(Keys, arrows_and_a_clicker_step) {
    EXPECT_EQ(std::get<session::StepBy>(press(Key::right).at(0)).steps, 1);
    EXPECT_EQ(std::get<session::StepBy>(press(Key::page_up).at(0)).steps, -1);
    EXPECT_EQ(std::get<session::StepBy>(press(Key::left, true).at(0)).steps, -10);
    EXPECT_EQ(std::get<session::PhaseBy>(press(Key::down).at(0)).phases, 1);
}

TEST_F(Keys, there_are_no_schedules_to_try_without_a_run) {
    EXPECT_TRUE(press(Key::schedules).empty());
}

TEST_F(Keys, timings_come_forward_out_of_the_lecture) {
    shared_.lecture = true;
    EXPECT_TRUE(press(Key::timings).empty());
    EXPECT_EQ(shared_.show_tab, InspectorTab::timings);
    EXPECT_FALSE(shared_.lecture);
}

TEST_F(Keys, typing_text_is_not_stepping) {
    ImGui::GetIO().WantTextInput = true;
    EXPECT_TRUE(press(Key::left).empty());
    EXPECT_TRUE(press(Key::space).empty());
    shared_.editing = true;
    press(Key::escape);
    EXPECT_FALSE(shared_.editing);
}

TEST_F(Keys, escape_closes_one_thing_after_another) {
    shared_.lecture = shared_.show_help = true;
    press(Key::escape);
    EXPECT_FALSE(shared_.show_help);
    EXPECT_TRUE(shared_.lecture);
    press(Key::escape);
    EXPECT_FALSE(shared_.lecture);
}

TEST_F(Keys, zoom_stays_within_what_can_be_read) {
    for (int i = 0; i < 100; ++i)
        press(Key::minus);
    EXPECT_GE(shared_.zoom, 0.5f);
    for (int i = 0; i < 100; ++i)
        press(Key::plus);
    EXPECT_LE(shared_.zoom, 3.0f);
    press(Key::zero);
    EXPECT_EQ(shared_.zoom, 1.0f);
    press(Key::f11);
    EXPECT_TRUE(fullscreen_);
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
    for (const char* source : {"a ` b", "a ** b", "[a](b", "[a", "``", "****", "![", "]("}) {
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
    EXPECT_EQ(refusal(parameter, 65), "1 … 64");
    EXPECT_EQ(refusal(parameter, 0), "1 … 64");
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

TEST_F(Window, help_covers_what_is_below) {
    session::Session session("no such folder");
    const auto plain = draw_picture(session, {{1600, 1000}, false, false});
    const auto help = draw_picture(session, {{1600, 1000}, false, true});
    ASSERT_TRUE(plain && help);
    EXPECT_NE(plain->image.samples, help->image.samples);
}

}  // namespace
}  // namespace lanescope::ui
