#include "lesson/course/registry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "lesson/expression.h"
#include "lesson/proposal/find_kernels.h"
#include "support.h"

namespace lanescope::lesson {
namespace registry_test {

namespace fs = std::filesystem;

class Course : public testing::Test {
  protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) / "lanescope_registry_test";
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    void TearDown() override { fs::remove_all(root_); }

    void put(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    std::string problems() const { return to_text(load_registry(root_).problems); }

    fs::path root_;
};

const std::string one_lesson =
    "order = 1\ntitle = \"T\"\n[[lesson]]\nfile = \"a.cu\"\ntitle = \"A\"\ntext = \"x\"\n";

TEST_F(Course, is_read_in_its_order) {
    put("zeta/lesson.toml",
        "order = 1\ntitle = \"First\"\ntext = \"about\"\n[[lesson]]\nfile = \"b.cu\"\ntitle = \"B\"\n"
        "text = \"t\"\nlook = \"l\"\nlook_block = 2\nlook_step = 4\ncolour = \"origin\"\ntry = [\"q1\", "
        "\"q2\"]\nsources = "
        "[\"s\"]\n"
        "[[lesson]]\nfile = \"a.cu\"\ntitle = \"A\"\ntext = \"t\"\n");
    put("zeta/a.cu", "");
    put("zeta/b.cu", "");
    put("alpha/lesson.toml",
        "order = 2\ntitle = \"Second\"\n[[lesson]]\nfile = \"a.cu\"\ntitle = \"A\"\ntext = \"x\"\n");
    put("alpha/a.cu", "");
    put("README.md", "");
    const Registry registry = load_registry(root_);
    EXPECT_EQ(to_text(registry.problems), "");
    ASSERT_EQ(registry.topics.size(), 2u);
    EXPECT_EQ(registry.topics[0].name, "zeta");
    EXPECT_EQ(registry.topics[0].text, "about");
    ASSERT_EQ(registry.topics[0].lessons.size(), 2u);
    const LessonEntry& b = registry.topics[0].lessons[0];
    EXPECT_EQ(b.name, "b");
    EXPECT_EQ(b.look_step, 3);
    EXPECT_EQ(b.colour, "origin");
    EXPECT_EQ(b.look_block, 2);
    EXPECT_EQ(b.questions.size(), 2u);
    EXPECT_EQ(b.sources.size(), 1u);
    EXPECT_EQ(registry.topics[0].lessons[1].look_step, -1);
    EXPECT_EQ(registry.find(root_ / "zeta" / "." / "b.cu"), &b);
    EXPECT_EQ(registry.find(root_ / "zeta" / "c.cu"), nullptr);
}

TEST_F(Course, numbers_of_questions_are_checked) {
    put("t/a.cu", "");
    const auto problem = [&](const std::string& numbers, const std::string& ask = "Of {n}?") {
        put("t/lesson.toml",
            one_lesson + "[[lesson.question]]\nask = \"" + ask +
                "\"\nanswer = \"x\"\nis = \"steps\"\nset = { n = 8 }\nright = 1\nnumbers = " + numbers +
                "\n");
        return problems();
    };
    EXPECT_EQ(problem("{ n = { choices = [4, 8] } }"), "");
    EXPECT_EQ(problem("{ n = { min = 1, max = 9 } }", "Of {2 * n + 1}?"), "");
    EXPECT_NE(problem("{ n = { choices = [4, 16] } }").find("with the first value 8"), std::string::npos);
    EXPECT_NE(problem("{ n = { min = 1, max = 9 } }", "Of {m}?").find("'{m}'"), std::string::npos);
    EXPECT_NE(problem("{ k = { min = 1, max = 9 } }").find("is not in 'set'"), std::string::npos);
    EXPECT_NE(problem("{ n = 3 }").find("must be a table"), std::string::npos);
}

TEST_F(Course, notes_stand_at_steps_and_phases) {
    put("t/lesson.toml",
        one_lesson +
            "[[lesson.note]]\nstep = 4\ntext = \"four\"\n[[lesson.note]]\nphase = 2\nlaunch = 1\n"
            "text = \"p\"\n");
    put("t/a.cu", "");
    const Registry registry = load_registry(root_);
    EXPECT_EQ(to_text(registry.problems), "");
    const auto& notes = registry.topics.at(0).lessons.at(0).notes;
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0].step, 3) << "the file counts steps from 1";
    EXPECT_EQ(notes[0].phase, -1);
    EXPECT_EQ(notes[1].phase, 2);
    EXPECT_EQ(notes[1].launch, 1);
    EXPECT_EQ(notes[1].text, "p");
}

TEST_F(Course, phases_have_names) {
    put("t/a.cu", "");
    put("t/lesson.toml", one_lesson +
                             "[[lesson.phase]]\nname = \"up-sweep\"\ncode = \"s[t] +=\"\n"
                             "[[lesson.phase]]\nname = \"down-sweep\"\nline = 7\n");
    const Registry registry = load_registry(root_);
    const auto& phases = registry.topics.at(0).lessons.at(0).phases;
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_EQ(phases[0].name, "up-sweep");
    EXPECT_EQ(phases[0].line.code, "s[t] +=");
    EXPECT_EQ(phases[1].line.number, 7);
    for (const char* bad : {"code = \"x\"", "name = \"n\"", "name = \"n\"\nline = 1\ncode = \"x\"",
                            "name = \"n\"\ncolour = 1"}) {
        put("t/lesson.toml", one_lesson + "[[lesson.phase]]\n" + bad + "\n");
        EXPECT_NE(problems(), "") << bad;
    }
}

TEST_F(Course, bad_notes) {
    put("t/a.cu", "");
    for (const char* note :
         {"step = 4", "text = \"x\"", "step = 1\nphase = 1\ntext = \"x\"", "step = 0\ntext = \"x\"",
          "step = \"a\"\ntext = \"x\"", "stp = 1\ntext = \"x\""}) {
        put("t/lesson.toml", one_lesson + "[[lesson.note]]\n" + note + "\n");
        EXPECT_NE(problems(), "") << note;
    }
}

TEST_F(Course, bad_topics_leave_the_others) {
    put("good/lesson.toml", one_lesson);
    put("good/a.cu", "");
    put("damaged/lesson.toml", "order = = 1\n");
    fs::create_directories(root_ / "empty");
    const Registry registry = load_registry(root_);
    EXPECT_EQ(registry.topics.size(), 1u);
    EXPECT_EQ(registry.problems.size(), 2u);
    EXPECT_NE(problems().find("damaged/lesson.toml:1:"), std::string::npos);
}

TEST_F(Course, bad_files) {
    put("t/lesson.toml", one_lesson);
    EXPECT_NE(problems().find("lesson.toml:4:8: error: the file 'a.cu' does not exist"), std::string::npos)
        << problems();
    put("t/a.cu", "");
    EXPECT_EQ(problems(), "");
    put("t/extra.cu", "");
    EXPECT_NE(problems().find("the file 'extra.cu' is in the folder but not listed"), std::string::npos);
    put("t/lesson.toml", one_lesson + "[[lesson]]\nfile = \"a.cu\"\ntitle = \"A\"\ntext = \"x\"\n");
    EXPECT_NE(problems().find("listed twice"), std::string::npos);
    put("t/lesson.toml",
        "order = 1\ntitle = \"T\"\n[[lesson]]\nfile = \"../t/a.cu\"\ntitle = \"A\"\ntext = \"x\"\n");
    EXPECT_NE(problems().find("must be the name of a .cu file in this folder"), std::string::npos);
}

TEST_F(Course, bad_entries) {
    put("t/a.cu", "");
    put("t/lesson.toml", "titel = \"T\"\n" + one_lesson + "look_step = -3\ntry = \"a\"\n");
    EXPECT_NE(problems().find("unknown key 'titel' in a topic (did you mean 'title'?"), std::string::npos);
    EXPECT_NE(problems().find("'look_step' must be a number from 1"), std::string::npos);
    EXPECT_NE(problems().find("'try' is a string (expected an array of strings)"), std::string::npos);
    put("t/lesson.toml", one_lesson + "colour = \"inputs\"\n");
    EXPECT_NE(problems().find("'colour' must be \"state\" or \"origin\""), std::string::npos);
    put("t/lesson.toml", one_lesson + "lecture = \"tabs\"\n");
    EXPECT_NE(problems().find("'lecture' must be \"lanes\" or \"source\""), std::string::npos);
    put("t/lesson.toml", "[[lesson]]\nfile = \"a.cu\"\ntitle = \"A\"\n");
    EXPECT_NE(problems().find("the topic needs 'order'"), std::string::npos);
    EXPECT_NE(problems().find("[[lesson]] needs 'text'"), std::string::npos);
}

TEST_F(Course, costs_are_expressions_with_their_places) {
    put("t/a.cu", "");
    put("t/lesson.toml", one_lesson + "bytes = \"8 * n\"\noperations = \"n -\"\npeer = \"copy\"\n");
    const Registry registry = load_registry(root_);
    EXPECT_EQ(to_text(registry.problems), "");
    ASSERT_EQ(registry.topics.size(), 1u);
    const Cost& cost = registry.topics[0].lessons[0].cost;
    EXPECT_EQ(cost.bytes.text, "8 * n");
    EXPECT_EQ(cost.bytes.line, 7);
    EXPECT_EQ(cost.peer, "copy");
    const auto amount = evaluate(cost.operations, {{"n", 3}}, "lesson.toml");
    EXPECT_NE(problems_of(amount).find("lesson.toml:8:"), std::string::npos) << problems_of(amount);
}

TEST_F(Course, schedules_and_the_lesson_before) {
    put("t/a.cu", ""), put("t/b.cu", ""), put("t/c.cu", "");
    const std::string b = "[[lesson]]\nfile = \"b.cu\"\ntitle = \"B\"\ntext = \"x\"\n",
                      c = "[[lesson]]\nfile = \"c.cu\"\ntitle = \"C\"\ntext = \"x\"\n";
    const std::string named =
        "[[lesson.schedules]]\nname = \"one\"\nschedule = \"threads:0*3\"\ntext = \"first\"\n";
    put("t/lesson.toml", one_lesson + named + b + c + "after = \"a\"\n");
    const Registry registry = load_registry(root_);
    EXPECT_EQ(to_text(registry.problems), "");
    const std::vector<LessonEntry>& lessons = registry.topics.at(0).lessons;
    ASSERT_EQ(lessons[0].schedules.size(), 1u);
    EXPECT_EQ(lessons[0].schedules[0].name, "one");
    EXPECT_EQ(lessons[0].schedules[0].schedule, "threads:0*3");
    EXPECT_EQ(lessons[0].schedules[0].text, "first");
    EXPECT_EQ(lessons[0].after, "") << "the first lesson has none before it";
    EXPECT_EQ(lessons[1].after, "a") << "by default the lesson before";
    EXPECT_EQ(lessons[2].after, "a") << "as lesson.toml says";
    put("t/lesson.toml", one_lesson + b + "after = \"\"\n" + c);
    EXPECT_EQ(load_registry(root_).topics.at(0).lessons[1].after, "");
}

TEST_F(Course, bad_schedules_and_lesson_before) {
    put("t/a.cu", "");
    const std::string named = "[[lesson.schedules]]\nname = \"one\"\nschedule = \"rr\"\ntext = \"t\"\n";
    put("t/lesson.toml", one_lesson + named + named);
    EXPECT_NE(problems().find("lesson.toml:12:8: error: the schedule 'one' is listed twice"),
              std::string::npos)
        << problems();
    put("t/lesson.toml", one_lesson + "[[lesson.schedules]]\nname = \"one\"\ntext = \"t\"\n");
    EXPECT_NE(problems().find("[[lesson.schedules]] needs 'schedule'"), std::string::npos) << problems();
    put("t/lesson.toml", one_lesson + "after = \"a\"\n");
    EXPECT_NE(problems().find("there is no earlier lesson 'a' in this topic"), std::string::npos)
        << problems();
}

TEST_F(Course, bad_costs) {
    put("t/a.cu", "");
    put("t/lesson.toml", one_lesson + "bytes = true\npeer = 3\ncost = \"n\"\n");
    EXPECT_NE(problems().find("lesson.toml:7:"), std::string::npos) << problems();
    EXPECT_NE(problems().find("'peer' is an integer (expected a string)"), std::string::npos) << problems();
    EXPECT_NE(problems().find("unknown key 'cost' in [[lesson]]"), std::string::npos) << problems();
}

TEST_F(Course, bad_folder) {
    EXPECT_NE(to_text(load_registry(root_ / "nowhere").problems).find("cannot be read"), std::string::npos);
}

// The shipped course is complete, and every front matter instantiates.
TEST(shipped_course, is_sound) {
    const Registry registry = load_registry(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    EXPECT_EQ(to_text(registry.problems), "");
    EXPECT_FALSE(registry.topics.empty());
    for (const Topic& topic : registry.topics)
        for (const LessonEntry& lesson : topic.lessons) {
            const auto source = read_text_file(lesson.path);
            ASSERT_TRUE(source) << lesson.path;
            const auto front = parse_front_matter(*source, lesson.path.string());
            ASSERT_TRUE(front) << problems_of(front);
            EXPECT_TRUE(front->present) << lesson.path;
            // A golden case checks a lesson that only prints.
            EXPECT_FALSE(front->expectations.empty() && front->expected_problems.empty() &&
                         !front->buffers.empty())
                << lesson.path;
            const auto instance = instantiate(*front, {}, lesson.path.string());
            EXPECT_TRUE(instance) << problems_of(instance);
            for (const LaunchSpec& launch : front->launches) {
                const auto kernels = find_kernels(*source);
                const auto named = [&](const KernelSignature& each) {
                    return each.name == launch.kernel.substr(0, launch.kernel.find('<')) &&
                           each.params.size() == launch.args.size();
                };
                EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), named))
                    << lesson.path << ": " << launch.kernel;
            }
        }
}

// Every lesson says what it does, what to look at and at which step, what to try, and names its sources. The
// suite `lessons` checks that the step exists.
TEST(shipped_course, says_of_every_lesson_what_there_is_to_see) {
    const Registry registry = load_registry(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    std::size_t lessons = 0;
    for (const Topic& topic : registry.topics) {
        EXPECT_GT(topic.text.size(), 100u) << topic.name;
        for (const LessonEntry& lesson : topic.lessons) {
            ++lessons;
            EXPECT_GT(lesson.text.size(), 100u) << lesson.path;
            EXPECT_GT(lesson.look.size(), 40u) << lesson.path;
            EXPECT_TRUE(lesson.look_step >= 0 || lesson.look_at) << lesson.path;
            EXPECT_GE(lesson.questions.size(), 2u) << lesson.path;
            for (const Question& question : lesson.questions)
                EXPECT_GT(question.ask.size(), 15u) << lesson.path;
            EXPECT_GE(lesson.sources.size(), 1u) << lesson.path;
            EXPECT_GT(lesson.seen.size(), 40u) << lesson.path;
        }
    }
    EXPECT_GE(lessons, 76u);
}

// A first course takes the core of each topic; the list says in one line what each lesson is for.
TEST(shipped_course, has_a_small_core_and_purposes) {
    for (const Topic& topic : load_registry(fs::path(LANESCOPE_SOURCE_DIR) / "kernels").topics) {
        EXPECT_LE(std::count_if(topic.lessons.begin(), topic.lessons.end(),
                                [](const LessonEntry& lesson) { return !lesson.advanced; }),
                  8)
            << topic.name;
        for (const LessonEntry& lesson : topic.lessons) {
            ASSERT_FALSE(lesson.goals.empty()) << lesson.path;
            EXPECT_LE(lesson.goals.front().size(), 100u) << lesson.path;
        }
    }
}

// --- The person's own lessons
// --------------------------------------------------------------------------------

class OwnLessons : public Course {
  protected:
    void SetUp() override {
        Course::SetUp();
        put("course/topic/lesson.toml", one_lesson);
        put("course/topic/a.cu", "");
    }
    Registry load() const { return load_registry(root_ / "course", {root_ / "nowhere", root_ / "own"}); }
};

TEST_F(OwnLessons, a_folder_of_files_is_a_topic_behind_the_course) {
    put("own/mine/b.cu",
        "/*--- lanescope\ntitle = \"My kernel\"\n[[launch]]\nkernel = \"b\"\ngrid = [\"1\"]\nblock = "
        "[\"1\"]\n---*/\n"
        "__global__ void b() {}\n");
    put("own/mine/a.cu", "__global__ void a() {}\n");
    put("own/mine/notes.txt", "");
    const Registry registry = load();
    EXPECT_EQ(to_text(registry.problems) + to_text(registry.own_problems), "");
    ASSERT_EQ(registry.topics.size(), 2u);
    EXPECT_FALSE(registry.topics[0].own);
    const Topic& mine = registry.topics[1];
    EXPECT_TRUE(mine.own);
    EXPECT_EQ(mine.title, "mine");
    ASSERT_EQ(mine.lessons.size(), 2u);
    EXPECT_EQ(mine.lessons[0].title, "a");
    EXPECT_EQ(mine.lessons[1].title, "My kernel");
    EXPECT_TRUE(registry.is_of_course(root_ / "course/topic/a.cu"));
    EXPECT_FALSE(registry.is_of_course(root_ / "own/mine/a.cu")) << "the person may overwrite it";
    EXPECT_NE(registry.find(root_ / "own/mine/a.cu"), nullptr);
}

TEST_F(OwnLessons, a_lesson_toml_may_describe_some_of_the_files) {
    put("own/mine/lesson.toml",
        "title = \"Mine\"\n[[lesson]]\nfile = \"z.cu\"\ntitle = \"First\"\ntext = \"t\"\n");
    put("own/mine/z.cu", "");
    put("own/mine/a.cu", "");
    const Registry registry = load();
    EXPECT_EQ(to_text(registry.own_problems), "");
    ASSERT_EQ(registry.topics.size(), 2u);
    EXPECT_EQ(registry.topics[1].title, "Mine");
    EXPECT_EQ(registry.topics[1].lessons.at(0).title, "First");
    EXPECT_EQ(registry.topics[1].lessons.at(1).title, "a");
}

TEST_F(OwnLessons, a_lesson_toml_beside_a_file_describes_it) {
    put("elsewhere/lesson.toml",
        "title = \"Mine\"\n[[lesson]]\nfile = \"z.cu\"\ntitle = \"First\"\ntext = \"t\"\n");
    put("elsewhere/z.cu", "");
    put("elsewhere/exercises/e.cu", "");
    put("nothing/z.cu", "");
    const Registry known = load();
    EXPECT_FALSE(with_topic_beside(known, root_ / "course/topic/a.cu")) << "it is known";
    EXPECT_FALSE(with_topic_beside(known, root_ / "nothing/z.cu")) << "there is no lesson.toml";
    const std::optional<Registry> more = with_topic_beside(known, root_ / "elsewhere/z.cu");
    ASSERT_TRUE(more);
    EXPECT_EQ(more->topics.size(), known.topics.size() + 1);
    ASSERT_NE(more->find(root_ / "elsewhere/z.cu"), nullptr);
    EXPECT_EQ(more->find(root_ / "elsewhere/z.cu")->title, "First");
    EXPECT_TRUE(with_topic_beside(known, root_ / "elsewhere/exercises/e.cu"));
    EXPECT_FALSE(with_topic_beside(*more, root_ / "elsewhere/new.cu")) << "its topic is known";
}

TEST_F(OwnLessons, a_topic_of_a_checkout_takes_the_place_of_the_installed_one) {
    const Registry known = load();
    fs::create_directories(root_ / "checkout");
    fs::copy(root_ / "course/topic", root_ / "checkout/topic", fs::copy_options::recursive);
    const std::optional<Registry> more = with_topic_beside(known, root_ / "checkout/topic/a.cu");
    ASSERT_TRUE(more);
    EXPECT_EQ(more->topics.size(), known.topics.size()) << "it is listed once";
    EXPECT_NE(more->find(root_ / "checkout/topic/a.cu"), nullptr);
}

TEST_F(OwnLessons, files_in_the_folder_itself_make_a_topic_of_its_name) {
    put("own/one.cu", "");
    EXPECT_EQ(load().topics.at(1).name, "own");
}

TEST_F(OwnLessons, bad_ones_are_reported_with_their_place_and_leave_the_course_alone) {
    put("own/mine/lesson.toml", "title = \"Mine\"\n[[lesson]\n");
    put("own/mine/a.cu", "/*--- lanescope\ntitel = \"x\"\n---*/\n__global__ void a() {}\n");
    put("own/good/b.cu", "");
    const Registry registry = load();
    EXPECT_EQ(to_text(registry.problems), "");
    const std::string problems = to_text(registry.own_problems);
    EXPECT_NE(problems.find("own/mine/lesson.toml:2"), std::string::npos) << problems;
    EXPECT_NE(problems.find("own/mine/a.cu:2"), std::string::npos) << problems;
    ASSERT_EQ(registry.topics.size(), 3u);
    EXPECT_EQ(registry.topics[0].name, "topic");
    EXPECT_EQ(registry.topics[1].name, "good");
    EXPECT_EQ(registry.topics[2].lessons.at(0).title, "a") << "it can be opened, and mended";
}

}  // namespace registry_test
}  // namespace lanescope::lesson
