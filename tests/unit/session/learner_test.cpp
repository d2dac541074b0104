#include "session/learner/learner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "session/session.h"

namespace lanescope::session {
namespace learner_test {

namespace fs = std::filesystem;

class LearnerTest : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "doubling");
        std::ofstream(folder_ / "doubling" / "twice.cu")
            << "/*--- lanescope\n[buffers]\na = { type = \"int\", count = \"20\", init = \"iota\" }\n"
               "[[launch]]\nkernel = \"twice\"\ngrid = [\"1\"]\nblock = [\"32\"]\nargs = [\"a\", "
               "\"20\"]\n---*/\n"
               "__global__ void twice(int* a, int n) {\n    int i = threadIdx.x;\n"
               "    if (i < n)\n        a[i] = 2 * a[i];\n}\n";
        std::ofstream(folder_ / "doubling" / "lesson.toml")
            << "[[lesson]]\nfile = \"twice.cu\"\ntitle = \"Twice\"\ntext = \"It doubles.\"\n"
               "[[lesson.question]]\nask = \"How many threads write?\"\nanswer = \"20.\"\nis = \"lanes\"\n"
               "at = { code = \"a[i] = 2\" }\nright = 20\nunit = \"threads\"\n"
               "[[lesson.question]]\nask = \"Why?\"\nanswer = \"Because.\"\n"
               "[[lesson.question]]\nask = \"Which value is in a[{cell}]?\"\nanswer = \"6.\"\n"
               "is = \"buffer\"\nof = \"a[{cell}]\"\nright = 6\n"
               "numbers = { cell = { default = 3, min = 0, max = 19 } }\n";
        registry_ = std::make_shared<const lesson::Registry>(lesson::load_topic(folder_ / "doubling"));
        ASSERT_TRUE(registry_->own_problems.empty()) << to_text(registry_->own_problems);
    }
    void TearDown() override { fs::remove_all(folder_); }

    const lesson::LessonEntry& entry() const { return registry_->topics.front().lessons.front(); }
    std::unique_ptr<Session> session() const {
        auto made = std::make_unique<Session>(registry_);
        made->restore({{}, {}, {}, file_});
        return made;
    }
    void write(const std::string& text) const { std::ofstream(file_) << text; }

    const fs::path folder_ = fs::path(testing::TempDir()) / "learner",
                   file_ = folder_ / "state" / "progress.json";
    std::shared_ptr<const lesson::Registry> registry_;
};

TEST_F(LearnerTest, a_right_answer_is_kept_and_a_wrong_one_is_not) {
    const auto first = session();
    first->apply(TypeAnswer{&entry(), 0, "19"});
    EXPECT_TRUE(first->learner().busy());
    first->wait();
    const TypedAnswer* typed = first->learner().answer_of(entry().questions[0]);
    ASSERT_NE(typed, nullptr);
    EXPECT_EQ(typed->state, TypedAnswer::State::wrong) << typed->problem;
    EXPECT_FALSE(fs::exists(file_));
    EXPECT_EQ(score_of(first->learner().progress(), entry()).done, 0);
    first->apply(TypeAnswer{&entry(), 0, "20 threads"});
    first->wait();
    EXPECT_EQ(typed->state, TypedAnswer::State::right) << typed->problem;
    const auto next = session();
    EXPECT_TRUE(next->learner().progress().answered(entry(), entry().questions[0]));
    EXPECT_EQ(score_of(next->learner().progress(), entry()).done, 1);
    EXPECT_EQ(score_of(next->learner().progress(), entry()).all, 2) << "only what can be typed counts";
}

TEST_F(LearnerTest, an_answer_without_a_measure_is_a_problem_not_a_verdict) {
    const auto shown = session();
    shown->apply(TypeAnswer{&entry(), 1, "40"});
    shown->apply(TypeAnswer{&entry(), 7, "40"});
    shown->wait();
    EXPECT_EQ(shown->learner().answer_of(entry().questions[1])->state, TypedAnswer::State::failed);
}

TEST_F(LearnerTest, another_try_has_other_numbers) {
    const auto shown = session();
    const lesson::Question& question = entry().questions[2];
    EXPECT_EQ(lesson::asked(question)->ask, "Which value is in a[3]?");
    shown->apply(TypeAnswer{&entry(), 2, "6"});
    shown->wait();
    EXPECT_EQ(shown->learner().answer_of(question)->state, TypedAnswer::State::right);
    std::string before = lesson::asked(question)->measure->of;
    for (unsigned tries = 1; tries < 5; ++tries) {
        shown->apply(AskAgain{&question});
        EXPECT_EQ(shown->learner().answer_of(question), nullptr);
        const lesson::Question asked = *lesson::asked(question, shown->learner().tries_of(question));
        const std::string of = asked.measure->of;
        EXPECT_NE(of, before);
        EXPECT_EQ(asked.ask, "Which value is in " + of + "?");
        const int cell = std::stoi(of.substr(2));
        shown->apply(TypeAnswer{&entry(), 2, std::to_string(2 * cell)});
        shown->wait();
        EXPECT_EQ(shown->learner().answer_of(question)->state, TypedAnswer::State::right) << of;
        before = of;
    }
}

TEST_F(LearnerTest, two_windows_keep_what_both_have_done) {
    const auto one = session(), other = session();
    one->apply(SeeLesson{&entry()});
    other->apply(TypeAnswer{&entry(), 0, "20"});
    other->wait();
    const Progress kept = read_progress(file_).progress;
    EXPECT_TRUE(kept.seen(entry()));
    EXPECT_TRUE(kept.answered(entry(), entry().questions[0]));
}

TEST_F(LearnerTest, forgetting_can_be_taken_back) {
    const auto shown = session();
    shown->apply(SeeLesson{&entry()});
    shown->apply(ForgetProgress{});
    EXPECT_FALSE(shown->learner().progress().seen(entry()));
    EXPECT_TRUE(read_progress(file_).progress.empty());
    EXPECT_TRUE(shown->learner().can_restore());
    shown->apply(RestoreProgress{});
    EXPECT_TRUE(read_progress(file_).progress.seen(entry()));
    EXPECT_FALSE(shown->learner().can_restore());
}

TEST_F(LearnerTest, a_damaged_file_is_told_and_not_lost) {
    fs::create_directories(file_.parent_path());
    const std::string key = key_of(entry());
    for (const char* damaged : {"", "[1, 2]", "{ \"lessons\": [\"a/b\"", "\xff\xfe"}) {
        write(damaged);
        const auto shown = session();
        EXPECT_NE(shown->learner().notice(), "") << damaged;
        shown->apply(SeeLesson{&entry()});
        EXPECT_TRUE(read_progress(file_).progress.seen(entry())) << damaged;
    }
    EXPECT_EQ(*read_file(file_.parent_path() / "progress.damaged2.json"), "[1, 2]");
}

TEST_F(LearnerTest, damage_in_one_part_does_not_cost_the_others) {
    fs::create_directories(file_.parent_path());
    write(
        "{ \"lessons\": [\"a/b\", 7], \"questions\": 3, \"exercises\": { \"a/c\": { \"points\": 2, "
        "\"max_points\": 5 }, \"a/d\": { \"points\": 9, \"max_points\": 5 }, \"a/e\": [] }, \"more\": 1 }");
    const ReadProgress read = read_progress(file_);
    EXPECT_TRUE(read.progress.lessons.contains("a/b"));
    EXPECT_EQ(read.progress.exercises.size(), 1u);
    EXPECT_EQ(read.progress.exercises.at("a/c"), (ExercisePoints{2, 5}));
    EXPECT_EQ(read.problems.size(), 3u) << to_text(read.problems);
}

TEST_F(LearnerTest, the_better_of_two_verdicts_counts) {
    Progress mine, other;
    mine.exercises["a/b"] = {5, 7};
    other.exercises["a/b"] = {3, 7};
    mine.add(other);
    EXPECT_EQ(mine.exercises["a/b"].points, 5);
    other.exercises["a/b"] = {3, 3};
    mine.add(other);
    EXPECT_TRUE(mine.exercises["a/b"].passed());
}

// In step 4 of the kernel twenty threads double their elements.
TEST_F(LearnerTest, predictions_are_judged_when_the_step_is_revealed) {
    const auto shown = session();
    shown->apply(OpenFile{entry().path});
    ASSERT_TRUE(shown->wait());
    shown->apply(Predict{{"a[2]"}, "4"});
    EXPECT_EQ(shown->predictions().of({"a[2]"}), nullptr) << "nothing is hidden";
    shown->apply(HideResults{true});
    shown->apply(SeekStep{3});
    shown->apply(Predict{{"a[2]"}, "4"});
    shown->apply(Predict{{"a[3]"}, "7"});
    shown->apply(Predict{{"a[4]"}, "8"});
    shown->apply(Predict{{"a[4]"}, " "});
    EXPECT_EQ(shown->predictions().judged(), 0);
    EXPECT_EQ(shown->predictions().of({"a[3]"})->state, Prediction::State::open);
    shown->apply(StepBy{1});  // reveals
    EXPECT_EQ(shown->playhead().step_state()->index, 3u);
    EXPECT_EQ(shown->predictions().judged(), 2);
    EXPECT_EQ(shown->predictions().right(), 1);
    EXPECT_EQ(shown->predictions().of({"a[3]"})->state, Prediction::State::wrong);
    EXPECT_EQ(shown->predictions().of({"a[3]"})->actual, "6");
    EXPECT_EQ(shown->predictions().of({"a[4]"}), nullptr);
    shown->apply(StepBy{-1});
    shown->apply(SeekStep{3});
    shown->apply(Predict{{"a[3]"}, "6"});
    shown->apply(Reveal{});
    EXPECT_EQ(shown->predictions().right(), 1) << "the first verdict stays";
    shown->apply(SeekStep{1});
    shown->apply(Predict{{"i", 5}, "5"});
    shown->apply(Reveal{});
    EXPECT_EQ(shown->predictions().right(), 2) << shown->predictions().of({"i", 5})->actual;
    shown->apply(RunAgain{});
    shown->wait();
    shown->update(0);
    EXPECT_EQ(shown->predictions().judged(), 0) << "a new run begins at nought";
}

// The text of the open file is judged, not the file.
TEST(JudgedExercise, a_wrong_attempt_has_a_place_and_the_solution_passes) {
    Session shown(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    const auto exercise = shown.registry().exercise("reduction/fix_the_race");
    ASSERT_TRUE(exercise.ok());
    shown.apply(OpenFile{(*exercise)->starter});
    shown.apply(JudgeExercise{*exercise});
    EXPECT_TRUE(shown.learner().attempt().judging);
    shown.wait();
    const Attempt& attempt = shown.learner().attempt();
    ASSERT_TRUE(attempt.verdict.has_value()) << attempt.problem;
    const auto missed =
        std::find_if(attempt.verdict->goals.begin(), attempt.verdict->goals.end(),
                     [](const judge::GoalVerdict& goal) { return goal.goal == "no_problem"; });
    ASSERT_NE(missed, attempt.verdict->goals.end());
    EXPECT_FALSE(missed->ok);
    EXPECT_EQ(missed->place.line, 33u) << missed->reason;
    EXPECT_GT(missed->place.step, 0u) << missed->reason;
    EXPECT_NE(missed->place.schedule, "");
    EXPECT_FALSE(shown.learner().progress().of(**exercise)->passed());

    shown.apply(EditSource{*read_file((*exercise)->solution)});
    shown.apply(JudgeExercise{*exercise});
    shown.wait();
    EXPECT_TRUE(attempt.verdict->full()) << attempt.problem << attempt.verdict->error;
    EXPECT_TRUE(shown.learner().progress().of(**exercise)->passed());

    shown.apply(EditSource{"__global__ void reduce(const int* in, int* out, unsigned n) { nonsense; }\n"});
    shown.apply(JudgeExercise{*exercise});
    shown.wait();
    EXPECT_NE(attempt.verdict->error.find("fix_the_race.cu:1:"), std::string::npos) << attempt.verdict->error;
    EXPECT_TRUE(shown.learner().progress().of(**exercise)->passed()) << "the best attempt counts";
}

TEST(JudgedExercise, judging_can_be_cancelled) {
    Session shown(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    const auto exercise = shown.registry().exercise("reduction/fix_the_race");
    ASSERT_TRUE(exercise.ok());
    shown.apply(OpenFile{(*exercise)->starter});
    shown.apply(JudgeExercise{*exercise});
    shown.apply(CancelJudging{});
    shown.wait();
    EXPECT_TRUE(shown.learner().attempt().cancelled);
    EXPECT_FALSE(shown.learner().attempt().verdict.has_value());
    EXPECT_FALSE(shown.learner().busy());
}

}  // namespace learner_test
}  // namespace lanescope::session
