// The page of a lesson in the left column.
#include <gtest/gtest.h>

#include "render/headless.h"
#include "ui/lesson/page_texts.h"
#include "ui/window/picture.h"

namespace lanescope::ui {
namespace {

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

}  // namespace
}  // namespace lanescope::ui
