// The lecture: sizes for a lecture hall, keys of a presenter, pointer. The tour. Notes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/files.h"
#include "image/image.h"
#include "keyboard_player.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "scene/lesson/note_book.h"
#include "ui/kit/text_block.h"
#include "ui/lecture/notes.h"
#include "ui/lecture/tour.h"
#include "ui/lecture/wrapped_input.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"

namespace lanescope::ui {
namespace lecture_test {

namespace fs = std::filesystem;

// --- Sizes -------------------------------------------------------------------------------------------------

class Lecture : public testing::Test {
  protected:
    void SetUp() override {
        if (auto context = render::HeadlessContext::create(); !context)
            GTEST_SKIP() << to_text(context.diagnostics());
    }
};

TEST_F(Lecture, code_is_at_least_24_pixels_high_at_1920x1080) {
    auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    auto target = render::Framebuffer::create(1920, 1080);
    ASSERT_TRUE(target);
    session::Session session("no such folder");
    App app(session, nullptr);
    app.window().still = app.window().lecture = true;
    FrameInput input;
    input.pixels = {1920, 1080};
    target->bind();
    app.frame(input);
    const LargeType type(true);
    EXPECT_GE(code_size_px(), 24);
    EXPECT_GE(font_size(fonts().small), 24);
    EXPECT_GE(font_size(fonts().heading), 24);
    EXPECT_GE(font_size(fonts().caption), 28);
}

TEST(LectureLayout, the_stage_has_the_whole_width_and_the_controls_little) {
    WindowState window;
    window.lecture = true;
    for (const auto& [width, height] :
         {std::pair{1920.f, 1080.f}, std::pair{1280.f, 720.f}, std::pair{2560.f, 1440.f}}) {
        window.scale = fitting_scale(width, height, 1, 1, true);
        const float two_lines = window.px(2 * 24 + 12);
        const Layout layout = arrange(width, height, window, {}, {0, 0, false, two_lines});
        EXPECT_EQ(layout[Panel::stage].width, width);
        EXPECT_GE(layout[Panel::stage].height, height * 0.65f);
        EXPECT_EQ(layout.caption.y, layout[Panel::stage].bottom());
        EXPECT_EQ(layout.caption.height, std::round(two_lines));
        EXPECT_EQ(layout[Panel::source].y, layout.caption.bottom());
        EXPECT_LT(layout[Panel::transport].height, height * 0.075f);
        EXPECT_TRUE(layout[Panel::top_bar].empty());
        window.hidden.source = window.hidden.timeline = true;
        const Layout alone = arrange(width, height, window, {}, {0, 0, false, two_lines});
        EXPECT_TRUE(alone[Panel::source].empty() && alone[Panel::timeline].empty());
        EXPECT_EQ(alone.caption.bottom(), alone[Panel::transport].y) << "the stage gets the room";
        window.hidden = {};
    }
}

TEST(LectureLayout, lanes_or_details_stand_below_the_stage) {
    WindowState window;
    window.lecture = true;
    window.scale = fitting_scale(1920, 1080, 1, 1, true);
    const Layout lanes = arrange(1920, 1080, window, {}, {.caption = 60, .band = LectureBand::lanes});
    EXPECT_EQ(lanes[Panel::warps].width, 1920);
    EXPECT_GT(lanes[Panel::warps].height, 1080 * 0.3f);
    EXPECT_TRUE(lanes[Panel::source].empty() && lanes[Panel::timeline].empty());
    const Layout tabs = arrange(1920, 1080, window, {}, {.caption = 60, .band = LectureBand::tabs});
    EXPECT_EQ(tabs[Panel::source].width + tabs[Panel::inspector].width, 1920);
    EXPECT_EQ(tabs[Panel::source].y, tabs[Panel::inspector].y);
    EXPECT_TRUE(tabs[Panel::warps].empty());
}

TEST(LectureLayout, a_lesson_about_lanes_shows_them_until_the_lecturer_chooses) {
    const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";
    session::Session session(kernels);
    WindowState window;
    session.apply(session::OpenFile{kernels / "barriers/divergent_barrier.cu"});
    EXPECT_EQ(lecture_band(window, session), LectureBand::lanes);
    session.apply(session::OpenFile{kernels / "reduction/sequential.cu"});
    EXPECT_EQ(lecture_band(window, session), LectureBand::source);
    window.talk.band = LectureBand::tabs;
    EXPECT_EQ(lecture_band(window, session), LectureBand::tabs);
}

TEST(LectureLayout, the_audience_sees_no_controls_and_a_figure_nothing_but_the_view) {
    WindowState window;
    window.lecture = window.talk.audience = true;
    window.scale = fitting_scale(1920, 1080, 1, 1, true);
    const Layout audience = arrange(1920, 1080, window, {}, {0, 0, false, 60});
    EXPECT_TRUE(audience[Panel::transport].empty());
    EXPECT_EQ(audience[Panel::source].bottom(), 1080);
    window.talk.alone = true;
    const Layout alone = arrange(1920, 1080, window, {}, {0, 0, false, 60});
    EXPECT_EQ(alone[Panel::stage].width * alone[Panel::stage].height, 1920 * 1080);
    EXPECT_TRUE(alone[Panel::source].empty() && alone.caption.empty());
}

// Keys step, and the mouse lies over the picture by chance.
TEST_F(Lecture, a_mouse_that_rests_marks_no_cell) {
    auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    auto target = render::Framebuffer::create(1280, 720);
    ASSERT_TRUE(target);
    session::Session session(resource_folder() / "kernels");
    session.apply(session::OpenFile{resource_folder() / "kernels/scan/hillis_steele.cu"});
    ASSERT_TRUE(session.wait());
    App app(session, nullptr);
    app.window().lecture = true;
    target->bind();
    FrameInput input;
    SyntheticInput hand;
    input.pixels = {1280, 720};
    input.hand = &hand;
    const auto frames = [&](float x, float y) {
        hand.x = x, hand.y = y;
        for (int i = 0; i < 4; ++i) {
            input.now_s += 0.1;
            app.frame(input);
            input.keys.clear();
        }
    };
    frames(0, 0);
    frames(500, 100);
    EXPECT_EQ(session.selection().hovered_symbol, "in");
    input.keys = {{Key::right}};
    frames(500, 100);
    EXPECT_EQ(session.selection().hovered_symbol, "");
    frames(502, 100);
    EXPECT_EQ(session.selection().hovered_symbol, "in");
}

// Two windows draw one session in turn, as the lecturer's and the audience's do.
TEST_F(Lecture, a_window_follows_another_one) {
    auto context = render::HeadlessContext::create();
    ASSERT_TRUE(context);
    auto first = render::Framebuffer::create(1280, 720), second = render::Framebuffer::create(1920, 1080);
    ASSERT_TRUE(first && second);
    session::Session session("no such folder");
    App lecturer(session, nullptr), audience(session, nullptr, App::Role::follows);
    lecturer.window().lecture = lecturer.window().talk.audience = true;
    lecturer.name_widgets();
    audience.name_widgets();
    FrameInput input;
    for (int i = 0; i < 3; ++i) {
        input.now_s = 1 + 0.1 * i;
        input.pixels = {1280, 720};
        first->bind();
        lecturer.show_audience({second->texture(), {1920, 1080}});
        lecturer.frame(input);
        audience.follow(lecturer.window());
        input.pixels = {1920, 1080};
        second->bind();
        audience.frame(input);
        lecturer.resume();
    }
    EXPECT_TRUE(audience.window().lecture);
    EXPECT_GT(audience.window().scale, lecturer.window().scale);
    EXPECT_NE(lecturer.outline().find("P pointer, O spotlight"), std::string::npos) << lecturer.outline();
    audience.resume();
    EXPECT_EQ(audience.outline().find("P pointer, O spotlight"), std::string::npos);
}

// --- Keys --------------------------------------------------------------------------------------------------

class LectureKeys : public KeyboardTest {
  protected:
    LectureKeys() { window_.lecture = true; }
};

TEST_F(LectureKeys, a_clickers_black_screen_comes_and_goes) {
    for (const char key : {'.', 'b', 'B'}) {
        EXPECT_TRUE(press(key).empty());
        EXPECT_TRUE(window_.talk.black) << key;
        EXPECT_TRUE(window_.lecture) << "b shows the timings only outside of a lecture";
        EXPECT_TRUE(press(Key::page_down).empty()) << "the first press only brings the picture back";
        EXPECT_FALSE(window_.talk.black) << key;
        EXPECT_EQ(press(Key::page_down).size(), 1u);
    }
    press('b');
    press('b');
    EXPECT_FALSE(window_.talk.black);
}

TEST_F(LectureKeys, a_clickers_F5_does_nothing) {
    EXPECT_TRUE(press(Key::f5).empty());
    EXPECT_EQ(window_.notice.text, "");
}

TEST_F(LectureKeys, the_pen_is_ended_by_escape_and_wiped_by_a_key) {
    press('j');
    EXPECT_TRUE(window_.talk.pen);
    press('z');
    EXPECT_TRUE(window_.signals.wipe);
    press(Key::escape);
    EXPECT_FALSE(window_.talk.pen);
    EXPECT_TRUE(window_.lecture);
}

TEST_F(LectureKeys, pointer_and_spotlight_are_ended_by_escape_before_the_lecture_is) {
    press('p');
    press('O');
    EXPECT_TRUE(window_.talk.pointer && window_.talk.spotlight);
    press(Key::escape);
    EXPECT_FALSE(window_.talk.pointer || window_.talk.spotlight);
    EXPECT_TRUE(window_.lecture);
    press(Key::escape);
    EXPECT_FALSE(window_.lecture);
    press('p');
    EXPECT_FALSE(window_.talk.pointer) << "the pointer belongs to the lecture";
    EXPECT_TRUE(window_.source.ptx);
}

TEST_F(LectureKeys, results_are_hidden_and_revealed) {
    EXPECT_TRUE(press('r').empty());
    EXPECT_EQ(window_.notice.text, "No results are hidden. Press H to hide them.");
    const session::Command hide = press('h').at(0);
    EXPECT_TRUE(hide.as<session::HideResults>()->hidden);
    opened().apply(hide);
    EXPECT_TRUE(press('r').at(0).as<session::Reveal>());
    opened().apply(session::HideResults{false});
    press('n');
    EXPECT_TRUE(window_.notes.editing);
    window_.notes.editing = false;
    session_ = &empty_;
    press('n');
    EXPECT_FALSE(window_.notes.editing) << "there is no step to write about";
}

// --- Tour --------------------------------------------------------------------------------------------------

TEST(Tour, has_six_to_eight_stops_that_can_be_read_in_a_minute) {
    std::size_t words = 0;
    for (const TourStop& stop : tour_stops()) {
        std::istringstream text(std::string(stop.title) + " " + stop.text);
        for (std::string word; text >> word;)
            ++words;
    }
    EXPECT_GE(tour_stops().size(), 6u);
    EXPECT_LE(tour_stops().size(), 8u);
    EXPECT_LE(words, 230u);  // words that can be read in a minute
}

// Another lesson is open; the tour shows its own, and comes back.
TEST_F(LectureKeys, the_tour_has_something_to_see_at_each_stop) {
    session::Session session(resource_folder() / "kernels");
    const std::filesystem::path home = resource_folder() / "kernels/first_steps/hello.cu";
    session.apply(session::OpenFile{home});
    ASSERT_TRUE(session.wait());
    Tour tour;
    const auto follow = [&] {
        session::Commands asked;
        tour.follow(session, window_, asked);
        for (const session::Command& each : asked)
            session.apply(each);
        session.wait();
        return !asked.empty();
    };
    start_tour(window_);
    for (std::size_t stop = 0; stop < tour_stops().size(); ++stop) {
        window_.tour_stop = int(stop);
        while (follow()) {
        }
        ASSERT_NE(session.playhead().step_state(), nullptr);
        const session::StepState& step = *session.playhead().step_state();
        EXPECT_NE(step.step.line, 0u);
        EXPECT_TRUE(std::any_of(step.details.begin(), step.details.end(),
                                [](const trace::TurnDetail& each) { return !each.accesses.empty(); }))
            << stop << ": nothing is accessed";
        if (tour_stops()[stop].tab == InspectorTab::problems) {
            EXPECT_FALSE(session.run()->problems.empty());
        } else if (stop < 6) {
            EXPECT_EQ(session.parameters().at("n"), 16) << stop;
            EXPECT_TRUE(session.run()->fine()) << stop;
        }
    }
    window_.tour_stop = -1;
    follow();
    EXPECT_EQ(session.document().path(), home);
}

TEST_F(LectureKeys, the_tour_leaves_an_edited_file_open) {
    session::Session session(resource_folder() / "kernels");
    session.apply(session::OpenFile{resource_folder() / "kernels/reduction/modulo.cu"});
    session.apply(session::EditSource{session.document().text() + "// mine\n"});
    session.wait();
    Tour tour;
    session::Commands asked;
    start_tour(window_);
    tour.follow(session, window_, asked);
    EXPECT_TRUE(asked.empty());
}

TEST_F(LectureKeys, the_tour_hears_its_keys_alone_and_ends) {
    Tour tour;
    const auto go = [&](auto key) {
        const bool nothing = press(key).empty();
        session::Commands asked;
        tour.follow(opened(), window_, asked);
        return nothing;
    };
    start_tour(window_);
    EXPECT_FALSE(window_.lecture);
    EXPECT_TRUE(go(Key::right));
    EXPECT_EQ(window_.tour_stop, 1);
    go(Key::left);
    go(Key::left);
    EXPECT_EQ(window_.tour_stop, 0);
    go('l');
    EXPECT_FALSE(window_.lecture);
    go(Key::escape);
    EXPECT_LT(window_.tour_stop, 0);
    EXPECT_FALSE(go(Key::right));
    start_tour(window_);
    for (std::size_t i = 0; i < tour_stops().size(); ++i) {
        ASSERT_EQ(window_.tour_stop, int(i));
        if (tour_stops()[i].tab != InspectorTab::automatic) {
            EXPECT_EQ(window_.inspector.tab, tour_stops()[i].tab);
        }
        EXPECT_TRUE(go(' '));
    }
    EXPECT_LT(window_.tour_stop, 0);
}

// --- Pictures ----------------------------------------------------------------------------------------------

TEST_F(Lecture, pointer_and_spotlight_are_drawn_at_the_mouse) {
    session::Session session("no such folder");
    PictureRequest request{{800, 500}, true};
    request.mouse = std::pair(400.f, 200.f);
    const auto plain = draw_picture(session, request);
    request.pointer = true;
    const auto pointer = draw_picture(session, request);
    request.pointer = false, request.spotlight = true;
    const auto spot = draw_picture(session, request);
    ASSERT_TRUE(plain && pointer && spot);
    const auto at = [](const image::Image& image, int x, int y) {
        const std::size_t i = (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 4;
        return std::array<int, 3>{image.samples[i], image.samples[i + 1], image.samples[i + 2]};
    };
    const auto core = at(pointer->image, 400, 200), rim = at(pointer->image, 406, 200);
    EXPECT_GT(core[0] + core[1] + core[2], 600) << "the core of the pointer is white";
    EXPECT_GT(rim[0], 150) << "the rim of the pointer is red";
    EXPECT_EQ(at(pointer->image, 600, 200), at(plain->image, 600, 200));
    EXPECT_EQ(at(spot->image, 400, 200), at(plain->image, 400, 200))
        << "the inside of the spotlight must not change";
    EXPECT_LT(at(spot->image, 700, 200)[0], at(plain->image, 700, 200)[0])
        << "the outside of the spotlight must be darker";
}

TEST_F(Lecture, the_tour_dims_all_but_its_panel) {
    session::Session session("no such folder");
    const auto plain = draw_picture(session, {{1280, 720}});
    PictureRequest request{{1280, 720}};
    request.tour_stop = 3;
    const auto tour = draw_picture(session, request);
    ASSERT_TRUE(plain && tour);
    EXPECT_NE(plain->image.samples, tour->image.samples);
}

// --- Notes -------------------------------------------------------------------------------------------------

TEST(NoteBook, sets_removes_and_takes_back) {
    NoteBook book;
    book.set(3, "three");
    book.set(3, "drei");
    book.set(7, "seven");
    book.set(7, "");
    EXPECT_EQ(book.notes().size(), 1u);
    book.undo();
    EXPECT_EQ(book.notes().at(7), "seven");
    book.undo(), book.undo();
    EXPECT_EQ(book.notes().at(3), "three");
    book.undo();
    EXPECT_TRUE(book.notes().empty());
    EXPECT_FALSE(book.can_undo());
    book.set(1, "");
    EXPECT_FALSE(book.can_undo()) << "no note was removed";
}

TEST(NoteBook, comes_back_from_its_sidecar) {
    const fs::path file = fs::path(testing::TempDir()) / "lanescope_notes.json";
    NoteBook book, again;
    book.set(12, "why?\n\"because\"");
    book.set(5, "here", NotePlace{1, 2, 3, 4, 5});
    ASSERT_TRUE(book.save(file, "a.cu"));
    again.load(file);
    EXPECT_EQ(again.notes(), book.notes());
    EXPECT_EQ(again.place(5), (NotePlace{1, 2, 3, 4, 5}));
    EXPECT_FALSE(again.place(12)) << "a note of an older version has only its step";
    for (const char* text : {"", "[", "{\"notes\": 3}", "{\"notes\": [{\"step\": -1, \"text\": 5}, 7]}"}) {
        ASSERT_TRUE(write_file(file, text));
        again.load(file);
        EXPECT_TRUE(again.notes().empty()) << text;
    }
    fs::remove(file);
}

TEST(NoteBook, notes_of_one_step_in_two_orders_stay_apart) {
    NoteBook book;
    const NotePlace one{0, 0, 7, 0, 0}, other{0, 0, 7, 1, 0};
    book.set(book.key_for(3, one), "one", one);
    EXPECT_EQ(book.key_for(3, one), 3u) << "the same note is written again";
    book.set(book.key_for(3, other), "other", other);
    ASSERT_EQ(book.notes().size(), 2u);
    EXPECT_EQ(book.notes().at(3), "one");
}

// A letter is one pixel wide.
InputBuffer wrapped_at(const InputBuffer& typed, float width, std::size_t earlier_caret = 0) {
    return wrapped(typed, earlier_caret, width, [](std::string_view piece) { return float(piece.size()); });
}

TEST(WrappedInput, lines_end_between_words) {
    const InputBuffer shown = wrapped_at({"Ask which thread runs", 21, 21, 21}, 10);
    EXPECT_EQ(shown.bytes, "Ask which \r\n\rthread \r\n\rruns");
    EXPECT_EQ(shown.caret, shown.bytes.size());
    EXPECT_EQ(without_soft_breaks(shown.bytes), "Ask which thread runs");
    EXPECT_EQ(wrapped_at(shown, 10), shown) << "it stays";
    EXPECT_EQ(wrapped_at({"a\nb", 0, 0, 0}, 10).bytes, "a\nb") << "a break that was typed is text";
    EXPECT_EQ(wrapped_at({"extraordinarily", 15, 15, 15}, 6).bytes, "extrao\r\n\rrdinar\r\n\rily");
    EXPECT_EQ(wrapped_at({"äöü", 6, 6, 6}, 3).bytes, "ä\r\n\rö\r\n\rü") << "characters stay whole";
    EXPECT_EQ(wrapped_at({"ab", 2, 2, 2}, 0).bytes, "a\r\n\rb") << "a width of nothing ends too";
}

TEST(WrappedInput, keys_at_a_break_act_on_the_characters_beside_it) {
    const std::string shown = "one \r\n\rtwo";  // the break is bytes 4 to 6
    EXPECT_EQ(wrapped_at({"one \r\n\rtwo", 5, 5, 5}, 5, 4).caret, 7u) << "right, over the break";
    EXPECT_EQ(wrapped_at({shown, 6, 6, 6}, 5, 7).caret, 4u) << "left";
    EXPECT_EQ(wrapped_at({shown, 5, 5, 5}, 5, 1).caret, 4u) << "End";
    EXPECT_EQ(wrapped_at({shown, 6, 6, 6}, 5, 9).caret, 7u) << "Home";
    const InputBuffer deleted = wrapped_at({"one \n\rtwo", 4, 4, 4}, 5, 4);
    EXPECT_EQ(without_soft_breaks(deleted.bytes), "one wo") << "Delete before the break";
    const InputBuffer erased = wrapped_at({"one \r\ntwo", 6, 6, 6}, 5, 7);
    EXPECT_EQ(without_soft_breaks(erased.bytes), "onetwo") << "Backspace behind it";
    EXPECT_EQ(without_soft_breaks(wrapped_at({"one \n\r\n\rtwo", 5, 5, 5}, 5, 4).bytes), "one \ntwo")
        << "Ctrl + Enter before it";
}

TEST(WrappedInput, a_selection_keeps_its_text) {
    const InputBuffer shown = wrapped_at({"one two six", 11, 4, 11}, 8);
    EXPECT_EQ(shown.bytes, "one two \r\n\rsix");
    EXPECT_EQ(shown.bytes.substr(shown.selection_begin, 3), "two");
    EXPECT_EQ(shown.selection_end, shown.bytes.size());
}

TEST(NotePlace, is_found_again_when_warps_come_in_another_order) {
    session::Session session(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    session.apply(session::OpenFile{fs::path(LANESCOPE_SOURCE_DIR) / "kernels/reduction/modulo.cu"});
    ASSERT_TRUE(session.wait());
    const std::size_t step = 20;  // the lesson has no note at this step
    for (const lesson::StepNote& note : session.lesson()->notes)
        ASSERT_NE(note.step, int(step));
    const auto place = place_of_step(*session.trace(), session.playhead().steps(), step);
    ASSERT_TRUE(place);
    EXPECT_EQ(step_of_place(*session.trace(), session.playhead().steps(), *place), step);
    NoteBook book;
    book.set(step, "mine", place);
    ASSERT_EQ(place_notes(session, book).size(), 1 + session.lesson()->notes.size());
    const LessonPlaces lessons = lesson_places(session);
    for (const char* schedule : {"warp", "seed:3"}) {
        session.apply(session::SetSchedule{*simt::parse_schedule(schedule)});
        ASSERT_TRUE(session.wait());
        const std::vector<PlacedNote> placed = place_notes(session, book, lessons);
        EXPECT_EQ(placed.size(), 1 + session.lesson()->notes.size()) << schedule;
        const auto mine =
            std::find_if(placed.begin(), placed.end(), [](const PlacedNote& note) { return note.own; });
        ASSERT_NE(mine, placed.end()) << schedule;
        const trace::Step& at = session.playhead().steps()[mine->step];
        EXPECT_EQ(at.line, place->line) << schedule;
        EXPECT_EQ(at.phase, place->phase) << schedule;
        EXPECT_EQ(mine->line_step, step) << "the note keeps its number in the book";
    }
}

TEST(TextBlock, bad_widths_end_too) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    EXPECT_EQ(text_block_height(font, "", 100), 0);
    EXPECT_GT(text_block_height(font, "a few words → in a line that is too narrow", 1), 0);
    EXPECT_GT(text_block_height(font, "one\ntwo", 1000), 1.5f * text_block_height(font, "one", 1000));
    ImGui::DestroyContext();
}

}  // namespace lecture_test
}  // namespace lanescope::ui
