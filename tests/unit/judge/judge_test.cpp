// What a verdict says about a mistake: where to look, and what may be told of hidden input.
#include "judge/judge.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lesson/course/registry.h"

namespace lanescope::judge {
namespace judge_test {

namespace fs = std::filesystem;

const char* const front =
    "/*--- lanescope\nexercise = \"own/copy\"\n[params]\nn = { default = 64, min = 1, max = 128 }\n"
    "[buffers]\nin = { type = \"int\", count = \"n\", init = \"iota\" }\n"
    "out = { type = \"int\", count = \"n\" }\n"
    "[[launch]]\nkernel = \"copy\"\ngrid = [\"1\"]\nblock = [\"n\"]\nargs = [\"in\", \"out\"]\n"
    "[[expect]]\nbuffer = \"out\"\nequals = \"copy(in)\"\n---*/\n";

class Judged : public testing::Test {
  protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) / "lanescope_judge_test";
        fs::remove_all(root_);
        fs::create_directories(root_ / "own/exercises");
        for (const char* name : {"copy.cu", "copy.solution.cu"})
            std::ofstream(root_ / "own/exercises" / name) << front << kernel("out[t] = in[t];");
        std::ofstream(root_ / "own/lesson.toml")
            << "[[exercise]]\nname = \"copy\"\ntitle = \"Copy\"\ntext = \"Copy it.\"\n"
               "hidden = [ { set = { n = 100 }, about = \"more than 64 threads\" }, { set = { n = 7 } } ]\n"
               "goals = [ { goal = \"result\" }, { goal = \"no_problem\" }, { goal = \"conflicts\", at_most "
               "= "
               "1 }, { goal = \"phases\", at_most = 1 }, { goal = \"uses\", what = \"shared\" }, "
               "{ goal = \"loads\", buffer = \"in\", at_most = \"n\" } ]\n";
        registry_ = lesson::load_registry(root_ / "none", {root_});
    }
    void TearDown() override { fs::remove_all(root_); }

    // The body begins in line 20 of the file.
    static std::string kernel(const std::string& body) {
        return "__global__ void copy(const int* in, int* out) {\n    __shared__ int s[256];\n"
               "    int t = threadIdx.x;\n    " +
               body + "\n}\n";
    }
    GoalVerdict goal(const std::string& body, std::size_t number) {
        const auto exercise = registry_.exercise("own/copy");
        if (!exercise) {
            ADD_FAILURE() << to_text(exercise.diagnostics());
            return {};
        }
        const auto verdict = judge(**exercise, {"mine.cu", front + kernel(body)});
        if (!verdict || !verdict->error.empty() || number >= verdict->goals.size()) {
            ADD_FAILURE() << (verdict ? verdict->error : to_text(verdict.diagnostics()));
            return {};
        }
        return verdict->goals[number];
    }

    fs::path root_;
    lesson::Registry registry_;
};

TEST_F(Judged, a_count_over_its_limit_leads_to_the_worst_line_and_step) {
    const GoalVerdict conflicts = goal("s[2 * t] = in[t];\n    __syncthreads();\n    out[t] = s[2 * t];", 2);
    EXPECT_EQ(
        conflicts.reason,
        "2 words of one bank at a time (1: no bank conflict), but the limit is 1; the worst line is 20");
    EXPECT_EQ(conflicts.place.line, 20u);
    EXPECT_GT(conflicts.place.step, 0u);
}

TEST_F(Judged, work_of_one_thread_is_missed_and_waiting_is_not_work) {
    const GoalVerdict alone =
        goal("if (t == 0)\n        for (int i = 0; i < blockDim.x; ++i)\n            out[i] = in[i];", 0);
    EXPECT_EQ(alone.got, "not shared");
    EXPECT_NE(alone.reason.find("thread 0 of block 0, makes 128 of the 128"), std::string::npos)
        << alone.reason;
    const GoalVerdict waits = goal(
        "if (t == 0)\n        s[0] = 0;\n    __syncthreads();\n    if (t != 0)\n        "
        "atomicAdd(s, 1);\n    else\n        while (atomicAdd(s, 0) < blockDim.x - 1);\n    out[t] = in[t];",
        0);
    EXPECT_TRUE(waits.ok) << waits.reason;
}

TEST_F(Judged, a_submission_states_its_target) {
    const auto exercise = registry_.exercise("own/copy");
    ASSERT_TRUE(exercise.ok());
    const std::string code = kernel("out[t] = in[t] + 0 * __reduce_add_sync(__activemask(), t);");
    const auto without = judge(**exercise, {"mine.cu", code});
    ASSERT_TRUE(without.ok());
    EXPECT_NE(without->error.find("needs a newer target"), std::string::npos) << without->error;
    std::string stated = front;
    stated.insert(stated.find("exercise"), "arch = \"sm_80\"\n");
    const auto with = judge(**exercise, {"mine.cu", stated + code});
    ASSERT_TRUE(with.ok());
    EXPECT_EQ(with->error, "");
    EXPECT_TRUE(with->goals[0].ok) << with->goals[0].reason;
    const auto given = judge(**exercise, {"mine.cu", front + code, "sm_80"});
    ASSERT_TRUE(given.ok());
    EXPECT_EQ(given->error, "");
}

TEST_F(Judged, the_result_must_pass_through_what_is_used) {
    const std::string all = "s[t] = in[t];\n    __syncthreads();\n    out[t] = s[t];";
    EXPECT_TRUE(goal(all, 4).ok) << goal(all, 4).reason;
    EXPECT_TRUE(goal(all, 5).ok) << goal(all, 5).reason;
    const GoalVerdict beside = goal("s[t] = in[t];\n    out[t] = in[t];", 4);
    EXPECT_EQ(beside.got, "not for the result");
    EXPECT_NE(beside.reason.find("uses shared memory, but the result does not pass through it"),
              std::string::npos)
        << beside.reason;
    const GoalVerdict twice = goal("s[t] = in[t];\n    out[t] = in[t];", 5);
    EXPECT_NE(twice.reason.find("128 loads from global memory, but the limit is 64"), std::string::npos)
        << twice.reason;
}

TEST_F(Judged, too_many_phases_name_the_lines_of_the_barriers) {
    const GoalVerdict phases =
        goal("s[t] = in[t];\n    __syncthreads();\n    out[t] = s[t];\n    __syncthreads();", 3);
    EXPECT_EQ(phases.reason, "3 barrier phases, but the limit is 1; the barriers are in lines 21 and 23");
}

TEST_F(Judged, a_wrong_element_tells_what_it_was_made_of) {
    const GoalVerdict result = goal("out[t] = in[t] + in[63 - t];", 0);
    EXPECT_NE(result.reason.find("line 20 wrote it last"), std::string::npos) << result.reason;
    EXPECT_NE(result.reason.find("; it is in[0] + in[63]"), std::string::npos) << result.reason;
}

TEST_F(Judged, of_a_hidden_input_only_that_is_told_which_may_be) {
    const GoalVerdict large = goal("if (t < 64)\n        out[t] = in[t];", 0);
    EXPECT_NE(large.reason.find("for a hidden input (more than 64 threads)"), std::string::npos)
        << large.reason;
    EXPECT_EQ(large.reason.find("in["), std::string::npos) << large.reason;
    const GoalVerdict small = goal("if (blockDim.x > 8)\n        out[t] = in[t];", 0);
    EXPECT_EQ(small.reason.find("out is wrong for a hidden input"), 0u) << small.reason;
    EXPECT_EQ(small.reason.find("line"), std::string::npos) << small.reason;
    EXPECT_EQ(small.place.line, 0u);
}

TEST_F(Judged, threads_that_wait_in_vain_are_shown_where_they_wait) {
    const GoalVerdict problem = goal("if (t % 2 == 0)\n        __syncthreads();\n    out[t] = in[t];", 1);
    EXPECT_EQ(problem.got, "barrier_divergence");
    EXPECT_EQ(problem.place.line, 21u) << problem.reason;
}

TEST_F(Judged, a_run_that_does_not_end_is_not_counted) {
    const GoalVerdict phases = goal("while (t >= 0)\n        __syncthreads();", 3);
    EXPECT_FALSE(phases.ok);
    EXPECT_EQ(phases.reason, "no run got as far as this goal");
}

}  // namespace judge_test
}  // namespace lanescope::judge
