// The page of a lesson in the left column.
#include <gtest/gtest.h>

#include "keyboard_player.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/lesson/exercise_box.h"
#include "ui/lesson/page_texts.h"
#include "ui/lesson/question_box.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"

namespace lanescope::ui {
namespace page_test {

lesson::Registry small_course() {
    lesson::Registry registry;
    for (const char* name : {"first", "second"}) {
        lesson::Topic topic;
        topic.name = name;
        topic.title = std::string("The ") + name + " topic";
        for (const char* lesson : {"a", "b"}) {
            lesson::LessonEntry entry;
            entry.name = lesson;
            entry.title = std::string("Lesson ") + lesson + " of " + name;
            topic.lessons.push_back(entry);
        }
        registry.topics.push_back(topic);
    }
    return registry;
}

TEST(PageTexts, links_name_lessons_and_topics) {
    const lesson::Registry registry = small_course();
    const lesson::Topic& second = registry.topics[1];
    EXPECT_EQ(linked_lesson(registry, &second, "b"), &second.lessons[1]);
    EXPECT_EQ(linked_lesson(registry, &second, "first/b"), &registry.topics[0].lessons[1]);
    EXPECT_EQ(linked_lesson(registry, nullptr, "first"), &registry.topics[0].lessons[0]);
    EXPECT_EQ(linked_lesson(registry, &second, "third"), nullptr);
}

TEST(PageTexts, the_course_is_one_row_of_lessons) {
    const lesson::Registry registry = small_course();
    const auto& first = registry.topics[0].lessons;
    const auto& second = registry.topics[1].lessons;
    EXPECT_EQ(neighbours_of(registry, first[0]).before, nullptr);
    EXPECT_EQ(neighbours_of(registry, first[1]).after, &second[0]);
    EXPECT_EQ(neighbours_of(registry, second[0]).before, &first[1]);
    EXPECT_EQ(neighbours_of(registry, second[1]).after, nullptr);
}

TEST(PageTexts, goals_and_what_to_know_before_come_first) {
    lesson::Registry registry = small_course();
    lesson::Topic& topic = registry.topics[1];
    lesson::LessonEntry& entry = topic.lessons[1];
    entry.text = "Because.";
    entry.goals = {"Say why."};
    entry.needs = {"first/a", "a", "nowhere"};
    entry.minutes = 10;
    entry.advanced = true;
    EXPECT_EQ(lesson_text(entry, topic, registry),
              "**After this lesson you can**\n\n- Say why.\n\n**Know before:** [Lesson a of first](first/a), "
              "[Lesson a of second](a), nowhere\n\nBecause.");
    EXPECT_EQ(lesson_facts(topic, entry), "The second topic, lesson 2 of 2 · 10 minutes · advanced");
}

// --- Boxes -------------------------------------------------------------------------------------------------

// The fonts are there once a window has drawn a frame.
class Boxes : public testing::Test {
  protected:
    void SetUp() override {
        auto context = render::HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        context_.emplace(std::move(*context));
        auto target = render::Framebuffer::create(640, 480);
        ASSERT_TRUE(target);
        target_.emplace(std::move(*target));
        app_.emplace(session_, nullptr);
        app_->window().still = true;
        FrameInput input;
        input.pixels = {640, 480};
        target_->bind();
        app_->frame(input);
        entry_.questions.resize(2);
        entry_.questions[0].ask = entry_.questions[1].ask =
            "How many `lanes` of the warp add in the round with stride 16, and how many of them wait?";
        entry_.questions[0].answer = entry_.questions[1].answer = "Four add, and the others wait for them.";
        entry_.questions[1].measure.emplace();
        entry_.questions[1].unit = "lanes";
    }
    float height(QuestionBox& box, float width) {
        return box.lay_out(nullptr, {0, 0}, width, {session_, app_->window(), requests_});
    }
    float height(ExerciseBox& box, float width) {
        return box.lay_out(nullptr, {0, 0}, width, {session_, app_->window(), requests_});
    }

    std::optional<render::HeadlessContext> context_;
    std::optional<render::Framebuffer> target_;
    session::Session session_{"no such folder"};
    std::optional<App> app_;
    lesson::LessonEntry entry_;
    Requests requests_;
};

TEST_F(Boxes, of_questions_grow_with_input_answer_and_narrow_pages) {
    QuestionBox told(entry_, 0), typed(entry_, 1);
    const float wide = height(told, 600);
    EXPECT_GT(wide, 30);
    EXPECT_GT(height(typed, 600), wide + 15) << "the row of the input";
    EXPECT_GT(height(told, 200), wide) << "the text wraps";
    EXPECT_GT(height(typed, 160), height(typed, 300)) << "the row wraps, too";
    told.unfold();
    const float open = height(told, 600);
    EXPECT_GT(open, wide + 10);
    told.unfold(false);
    EXPECT_EQ(height(told, 600), wide);
    EXPECT_TRUE(requests_.commands.empty()) << "laying out asks for nothing";
}

TEST_F(Boxes, of_exercises_grow_with_their_text) {
    lesson::Exercise exercise;
    exercise.title = "Fix the race";
    exercise.name = "fix_the_race";
    exercise.text = "Put a barrier where it is missing.";
    exercise.hints = {"Look at line 7."};
    ExerciseBox box(exercise);
    const float one_line = height(box, 600);
    EXPECT_GT(one_line, 50);
    EXPECT_EQ(height(box, 600), one_line);
    EXPECT_GT(height(box, 120), one_line);
    exercise.text += "\n\nThen remove the one that is not needed.";
    ExerciseBox longer(exercise);
    EXPECT_GT(height(longer, 600), one_line + 15);
}

using PageKeys = KeyboardTest;

TEST_F(PageKeys, q_goes_on_from_box_to_box) {
    press('q');
    EXPECT_TRUE(window_.page);
    EXPECT_EQ(window_.signals.page_box, 1);
    window_.lecture = true;
    press('q');
    EXPECT_EQ(window_.signals.page_box, 1) << "a lecture has no page";
    window_.lecture = false;
    session_ = &empty_;
    press('q');
    EXPECT_EQ(window_.signals.page_box, 1) << "no lesson is open";
}

// --- Pages -------------------------------------------------------------------------------------------------

class Page : public testing::Test {
  protected:
    void SetUp() override {
        if (auto context = render::HeadlessContext::create(); !context)
            GTEST_SKIP() << to_text(context.diagnostics());
    }
    // Describes the window with the page of this file.
    std::string page_of(const std::string& file) {
        session::Session session(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels");
        session.apply(session::OpenFile{std::filesystem::path(LANESCOPE_SOURCE_DIR) / file});
        session.wait();
        PictureRequest request;
        request.size = {1600, 3600};  // all of the page is in sight
        request.page = request.as_text = true;
        const auto picture = draw_picture(session, request);
        EXPECT_TRUE(picture);
        return picture ? picture->text : std::string();
    }
};

TEST_F(Page, holds_explanation_figures_questions_and_links) {
    const std::string page = page_of("kernels/scan/blelloch.cu");
    for (const char* words :
         {"About this topic", "After this lesson you can", "Look here", "Go to step", "How fast it is",
          "Questions", "Show the answer", "Sources", "Next: ", "stride 4"})
        EXPECT_NE(page.find(words), std::string::npos) << words;
    EXPECT_EQ(page.find("drawing …"), std::string::npos);
}

TEST_F(Page, of_a_flow_with_long_values_shows_all_columns) {
    const std::string page = page_of("kernels/reduction/tree_relaunch.cu");
    EXPECT_NE(page.find("+31"), std::string::npos) << "the last inputs, folded";
    EXPECT_NE(page.find("4.295e9"), std::string::npos) << "the result";
}

TEST_F(Page, of_a_stage_has_only_the_arrays_that_it_names) {
    const std::string page = page_of("kernels/convolution/tiled_2d.cu");
    EXPECT_NE(page.find("Tile and halo"), std::string::npos);
    EXPECT_EQ(page.find("drawing …"), std::string::npos);
}

TEST_F(Page, beside_an_exercise_holds_this_exercise) {
    const std::string page = page_of("kernels/reduction/exercises/fix_the_race.cu");
    EXPECT_NE(page.find("Judge it"), std::string::npos);
    EXPECT_EQ(page.find("About this topic"), std::string::npos);
}

TEST_F(Page, a_bad_file_has_none) {
    const std::string page = page_of("CMakeLists.txt");
    EXPECT_EQ(page.find("Questions"), std::string::npos);
}

}  // namespace page_test
}  // namespace lanescope::ui
