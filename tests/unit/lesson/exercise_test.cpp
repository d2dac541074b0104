// Exercises in lesson.toml: what is read, and the place of each mistake.
#include "lesson/course/exercise.h"

#include <filesystem>
#include <fstream>

#include "lesson/course/exercise_reader.h"
#include "lesson/course/registry.h"
#include "support.h"

namespace lanescope::lesson {
namespace exercise_test {

namespace fs = std::filesystem;

const std::string starter =
    "/*--- lanescope\nexercise = \"own/copy\"\n[params]\nn = { default = 8, min = 1, max = 100 }\n"
    "[buffers]\nin = { type = \"int\", count = \"n\", init = \"random(0, 9)\" }\n"
    "out = { type = \"int\", count = \"n\" }\n"
    "[[launch]]\nkernel = \"copy\"\ngrid = [\"1\"]\nblock = [\"n\"]\nargs = [\"in\", \"out\"]\n"
    "[[expect]]\nbuffer = \"out\"\nequals = \"copy(in)\"\n---*/\n";

class Exercises : public testing::Test {
  protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) / "lanescope_exercise_test";
        fs::remove_all(root_);
        put("exercises/copy.cu", starter);
        put("exercises/copy.solution.cu", starter);
    }
    void TearDown() override { fs::remove_all(root_); }

    void put(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / "own" / path).parent_path());
        std::ofstream(root_ / "own" / path) << text;
    }
    // The entries follow name, title and text in lines 2 to 4.
    Registry read(const std::string& entries) const {
        put("lesson.toml",
            "[[exercise]]\nname = \"copy\"\ntitle = \"Copy\"\ntext = \"Copy it.\"\n" + entries);
        return load_registry(root_ / "none", {root_});
    }
    std::string problems(const std::string& entries) const {
        std::string text = to_text(read(entries).own_problems);
        const std::string folder = (root_ / "own").string() + "/";
        for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
            text.erase(at, folder.size());
        return text;
    }
    std::string faults(const std::string& entries) const {
        const Registry registry = read(entries);
        const auto exercise = registry.exercise("own/copy");
        if (!exercise) return to_text(exercise.diagnostics());
        const auto prepared = prepare(**exercise);
        return prepared ? "" : prepared.diagnostics().front().message;
    }

    fs::path root_;
};

TEST_F(Exercises, everything_is_read) {
    const Registry registry = read(
        "level = 2\nhints = [\"a\", \"b\"]\nschedules = [\"rr\"]\n"
        "hidden = [ { set = { n = 5 }, seed = 3, about = \"few\" }, { contents = { in = \"iota\" } } ]\n"
        "goals = [ { goal = \"result\", points = 4 },\n"
        "  { goal = \"operations\", at_most = \"n - 1\", cases = \"given\" },\n"
        "  { goal = \"efficiency\", at_least = 0.5 }, { goal = \"uses\", what = \"shuffle\", points = 2 } "
        "]\n");
    EXPECT_EQ(to_text(registry.own_problems), "");
    const auto found = registry.exercise("own/copy");
    ASSERT_TRUE(found) << to_text(found.diagnostics());
    const Exercise& exercise = **found;
    EXPECT_EQ(exercise.level, 2);
    EXPECT_EQ(exercise.points(), 8);
    EXPECT_EQ(exercise.starter, root_ / "own/exercises/copy.cu");
    ASSERT_EQ(exercise.goals.size(), 4u);
    EXPECT_EQ(name_of(exercise.goals[1]), "operations (given size)");
    EXPECT_EQ(name_of(exercise.goals[3]), "uses shuffle");
    EXPECT_EQ(wish_of(exercise.goals[0]), "the right result");
    EXPECT_EQ(wish_of(exercise.goals[1]), "at most n - 1 operations on data (given size)");
    EXPECT_EQ(wish_of(exercise.goals[2]), "SIMT efficiency of at least 0.5");
    EXPECT_EQ(wish_of(exercise.goals[3]), "use of shuffles or votes");
    const auto prepared = prepare(exercise);
    ASSERT_TRUE(prepared) << to_text(prepared.diagnostics());
    ASSERT_EQ(prepared->cases.size(), 3u);
    EXPECT_FALSE(prepared->cases[0].hidden);
    EXPECT_EQ(prepared->cases[1].set.at("n"), 5);
    EXPECT_EQ(prepared->cases[1].about, "few");
    EXPECT_EQ(prepared->cases[2].front.buffers[0].init.text, "iota");
    const auto given = instantiate(prepared->cases[0].front, {}, "f"),
               seeded = instantiate(prepared->cases[1].front, {}, "f");
    ASSERT_TRUE(given && seeded);
    EXPECT_NE(given->buffers[0].contents, seeded->buffers[0].contents);
    EXPECT_EQ(*bound_of(exercise.goals[1], *given, "f"), 7);
    EXPECT_EQ(*bound_of(exercise.goals[2], *given, "f"), 0.5);
}

TEST_F(Exercises, a_file_in_exercises_is_not_a_lesson) {
    const Registry registry = read("goals = [ { goal = \"result\" } ]\n");
    EXPECT_TRUE(registry.topics.empty());
    ASSERT_EQ(registry.exercises().size(), 1u);
    EXPECT_EQ(registry.exercise_at(root_ / "own/./exercises/copy.cu"), registry.exercises()[0]);
    EXPECT_EQ(registry.exercise_at(root_ / "own/lesson.toml"), nullptr);
    EXPECT_FALSE(registry.is_of_course(root_ / "own/exercises/copy.cu"));
}

TEST_F(Exercises, bad_entries_have_their_lines) {
    EXPECT_EQ(problems("gaols = 1\ngoals = [ { goal = \"result\" } ]\n").substr(0, 59),
              "lesson.toml:5:1: error: unknown key 'gaols' in [[exercise]]");
    EXPECT_NE(problems("level = 4\ngoals = [ { goal = \"result\" } ]\n")
                  .find("lesson.toml:5:9: error: 'level' must be 1, 2 or 3"),
              std::string::npos);
    EXPECT_NE(problems("goals = [ { goal = \"result\" },\n { goal = \"conflict\", at_most = 1 } ]\n")
                  .find("lesson.toml:6:11: error: unknown goal 'conflict' (did you mean 'conflicts'?"),
              std::string::npos);
    EXPECT_NE(
        problems("goals = [ { goal = \"result\" }, { goal = \"conflicts\" } ]\n").find("needs 'at_most'"),
        std::string::npos);
    EXPECT_NE(problems("goals = [ { goal = \"conflicts\", at_most = 1 } ]\n").find("has no goal 'result'"),
              std::string::npos);
    EXPECT_NE(problems("goals = [ { goal = \"result\" }, { goal = \"uses\", what = \"sharde\" } ]\n")
                  .find("did you mean 'shared'?"),
              std::string::npos);
    EXPECT_NE(problems("starter = \"gone.cu\"\ngoals = [ { goal = \"result\" } ]\n")
                  .find("lesson.toml:5:11: error: the starter file 'gone.cu'"),
              std::string::npos);
    EXPECT_NE(problems("").find("needs 'goals'"), std::string::npos);
}

TEST_F(Exercises, bad_cases_are_found_before_a_submission_runs) {
    const std::string goal = "goals = [ { goal = \"result\" } ]\n";
    EXPECT_EQ(faults("hidden = [ { set = { n = 500 } } ]\n" + goal),
              "parameter 'n': 500 is above its maximum 100");
    EXPECT_EQ(faults("hidden = [ { set = { m = 1 } } ]\n" + goal), "unknown parameter 'm'");
    EXPECT_EQ(faults("hidden = [ { contents = { inn = \"iota\" } } ]\n" + goal),
              "no buffer of the starter file is named 'inn'");
    EXPECT_EQ(
        faults("goals = [ { goal = \"result\" }, { goal = \"loads\", at_most = \"m\" } ]\n").substr(0, 16),
        "unknown name 'm'");
    EXPECT_EQ(faults("goals = [ { goal = \"result\", cases = \"hidden\" } ]\n"),
              "the goal counts only hidden cases, but the exercise has none");
}

TEST_F(Exercises, a_fault_of_several_cases_is_told_once) {
    const Registry registry = read(
        "hidden = [ { set = { n = 5 } }, { set = { n = 6 } } ]\n"
        "goals = [ { goal = \"result\" }, { goal = \"loads\", at_most = \"m\" } ]\n");
    const auto prepared = prepare(**registry.exercise("own/copy"));
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.diagnostics().size(), 1u);
}

TEST(TopicName, is_the_name_of_the_folder) {
    EXPECT_EQ(topic_name("week3/vectors"), "vectors");
    EXPECT_EQ(topic_name("week3/vectors/"), "vectors");
    EXPECT_EQ(topic_name("vectors/../matrices"), "matrices");
    EXPECT_EQ(topic_name("."), fs::current_path().filename());
}

TEST_F(Exercises, an_unknown_one_has_a_suggestion) {
    const Registry registry = read("goals = [ { goal = \"result\" } ]\n");
    const auto exercise = registry.exercise("own/cpoy");
    ASSERT_FALSE(exercise);
    EXPECT_EQ(to_text(exercise.diagnostics().front()),
              "error: there is no exercise 'own/cpoy' (did you mean 'own/copy'? known: own/copy)");
}

TEST(CourseExercises, are_never_overwritten) {
    const fs::path kernels = fs::path(LANESCOPE_SOURCE_DIR) / "kernels";
    const Registry registry = load_registry(kernels);
    EXPECT_TRUE(registry.is_of_course(kernels / "scan/exercises/fix_the_race.cu"));
    EXPECT_TRUE(registry.is_of_course(kernels / "scan/exercises/fix_the_race.solution.cu"));
    EXPECT_FALSE(registry.is_of_course(kernels / "scan/exercises/lesson.toml"));
}

TEST(ExerciseName, is_found_in_damaged_front_matter_too) {
    EXPECT_EQ(exercise_named_by(starter), "own/copy");
    EXPECT_EQ(exercise_named_by("/*--- lanescope\n exercise = 'a/b'  \n[params\n---*/\n"), "a/b");
    EXPECT_EQ(exercise_named_by("/*--- lanescope\nexercises = 'a/b'\n[params\n---*/\n"), "");
    EXPECT_EQ(exercise_named_by("__global__ void f() {}\n"), "");
}

TEST(ExerciseName, survives_writing) {
    const auto front = parse_front_matter(starter, "f.cu");
    ASSERT_TRUE(front);
    EXPECT_NE(write_front_matter(*front).find("exercise = \"own/copy\"\n"), std::string::npos);
}

}  // namespace exercise_test
}  // namespace lanescope::lesson
