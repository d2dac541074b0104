#include "judge/answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "judge/check_lessons.h"
#include "judge/check_texts.h"
#include "judge/measured_lesson.h"
#include "judge/words.h"

namespace lanescope::judge {
namespace answer_test {

namespace fs = std::filesystem;
using lesson::MeasuredValue;

TEST(Answer, numbers_are_read_as_people_write_them) {
    const MeasuredValue sum = std::int64_t{1023};
    for (const char* typed : {"1023", " 1023 ", "1,023", "1 023", "0x3ff", "1023 additions", "1023.0"})
        EXPECT_TRUE(is_answer(typed, sum, "additions")) << typed;
    for (const char* typed : {"1024", "", "10,23", "1023 lanes", "about 1023", "1.023"})
        EXPECT_FALSE(is_answer(typed, sum, "additions")) << typed;
    EXPECT_TRUE(is_answer("71.2 %", MeasuredValue(71.2)));
    EXPECT_TRUE(is_answer("71", MeasuredValue(71.2)));
    EXPECT_FALSE(is_answer("70", MeasuredValue(71.2)));
    EXPECT_FALSE(is_answer("71.3", MeasuredValue(71.2)));
    EXPECT_TRUE(is_answer(" As  Expected", MeasuredValue(std::string("as expected"))));
    EXPECT_FALSE(is_answer("wrong", MeasuredValue(std::string("as expected"))));
}

class OwnLesson : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / "answers" / "doubling";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        std::ofstream(folder_ / "twice.cu")
            << "/*--- lanescope\n[params]\nn = { default = 40, min = 1, max = 4096 }\n[buffers]\n"
               "a = { type = \"int\", count = \"n\", init = \"iota\" }\n[[launch]]\nkernel = \"twice\"\n"
               "grid = [\"ceil_div(n, 32)\"]\nblock = [\"32\"]\nargs = [\"a\", \"n\"]\n"
               "[[expect]]\nbuffer = \"a\"\nequals = \"add(a, a)\"\n---*/\n"
               "__global__ void twice(int* a, int n) {\n"
               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (i < n)\n"
               "        a[i] = 2 * a[i];\n"
               "}\n";
    }
    void TearDown() override { fs::remove_all(folder_.parent_path()); }

    lesson::Registry with(const std::string& entries) {
        std::ofstream(folder_ / "lesson.toml")
            << "[[lesson]]\nfile = \"twice.cu\"\ntitle = \"Twice\"\ntext = \"Doubles 40 numbers.\"\n"
            << entries;
        return lesson::load_topic(folder_);
    }
    static std::string claim(const std::string& measure) {
        return "[[lesson.claim]]\nsays = \"40 numbers\"\n" + measure + "\n";
    }
    std::string problems(const std::string& entries) {
        const lesson::Registry registry = with(entries);
        if (!registry.own_problems.empty()) return to_text(registry.own_problems);
        return to_text(check_texts(registry.topics[0].lessons[0], (folder_ / "lesson.toml").string()));
    }

    fs::path folder_;
};

// The store is predicated: all lanes are on in its turn.
TEST_F(OwnLesson, lanes_are_those_that_act) {
    std::ofstream(folder_ / "twice.cu")
        << "/*--- lanescope\n[buffers]\na = { type = \"int\", count = \"1\" }\n[[launch]]\n"
           "kernel = \"first\"\ngrid = [\"1\"]\nblock = [\"64\"]\nargs = [\"a\"]\n---*/\n"
           "__global__ void first(int* a) {\n"
           "    int t = threadIdx.x;\n"
           "    if (t == 0)\n"
           "        a[0] = t;\n"
           "}\n";
    EXPECT_EQ(problems(claim("is = \"lanes\"\nat = { code = \"a[0] = t\" }\nright = 1")), "");
    EXPECT_EQ(problems(claim("is = \"lanes\"\nat = { code = \"int t =\" }\nright = 64")), "");
}

TEST_F(OwnLesson, places_of_phases_are_checked) {
    EXPECT_EQ(problems("[[lesson.phase]]\nname = \"double\"\ncode = \"a[i] = 2\"\n"), "");
    EXPECT_NE(problems("[[lesson.phase]]\nname = \"double\"\ncode = \"b[i]\"\n").find("the phase 'double'"),
              std::string::npos);
}

TEST_F(OwnLesson, every_kind_of_measure_is_taken) {
    const std::string step = "at = { code = \"a[i] = 2\", block = 1 }\n";
    const std::pair<std::string, std::string> measures[] = {
        {"is = \"lanes\"\n" + step, "8"},
        {"is = \"warps\"\n" + step, "1"},
        {"is = \"value\"\nof = \"a[33]\"\n" + step, "66"},
        {"is = \"value\"\nof = \"i\"\nthread = 5\n" + step, "37"},
        {"is = \"global_store_sectors\"\n" + step, "1"},
        {"is = \"step\"\n" + step, "4"},
        {"is = \"phase\"\n" + step, "0"},
        {"is = \"steps\"\n", "5"},
        {"is = \"phases\"\n", "1"},
        {"is = \"operations\"\n", "40"},
        {"is = \"depth\"\nof = \"a\"\n", "1"},
        {"is = \"problems\"\n", "0"},
        {"is = \"result\"\n", "\"as expected\""},
        {"is = \"console\"\n", "\"\""},
        {"is = \"line\"\ncode = \"if (i < n)\"\n", "17"},
        {"is = \"number\"\nof = \"ceil_div(n, 32)\"\nset = { n = 4096 }\n", "128"},
        {"is = \"buffer\"\nof = \"a[39]\"\n", "78"},
        {"is = \"divergent_branches\"\n", "1"},
        {"is = \"global_load_sectors\"\ncode = \"a[i] = 2\"\n", "5"},
    };
    for (const auto& [measure, right] : measures) {
        EXPECT_EQ(problems(claim(measure + "right = " + right)), "") << measure;
        const std::string wrong = right[0] == '"' ? "\"nothing\"" : "7777";
        EXPECT_NE(problems(claim(measure + "right = " + wrong)).find("but the run says"), std::string::npos)
            << measure;
    }
}

TEST_F(OwnLesson, a_wrong_answer_is_told_with_its_step) {
    const std::string step = "at = { code = \"a[i] = 2\", block = 1 }\n";
    const auto finds = [&](const std::string& entries, const std::string& what) {
        EXPECT_NE(problems(entries).find(what), std::string::npos) << problems(entries);
    };
    finds(claim("is = \"lanes\"\n" + step + "right = 9"),
          "'right' is 9, but the run says 8 (in step 4 of block 1)");
    finds(claim("is = \"operations\"\nright = \"40\""),
          "'right' is the text \"40\", but the run says the number 40");
    finds(claim("is = \"depth\"\nof = \"b\"\nright = 1"), "the run has no buffer 'b'");
    finds(claim("is = \"buffer\"\nof = \"a\"\nright = 1"), "'of' must name an element of a buffer");
    finds(claim("is = \"lanes\"\nat = { code = \"a[i] = 2\", block = 7 }\nright = 8"),
          "the run has no block 7 (its blocks are 0 to 1)");
    finds("look = \"![a](stage?block=2&code=a[i] = 2)\"\n", "the run has no block 2");
    const std::string missing = problems(claim("is = \"lanes\"\nright = 8"));
    EXPECT_EQ(std::count(missing.begin(), missing.end(), '\n'), 1) << missing;
}

TEST(Words, long_texts_end_between_words) {
    EXPECT_EQ(shortened("How many\nthreads?", 40), "How many threads?");
    EXPECT_EQ(shortened("How many threads write?", 12), "How many …");
    EXPECT_EQ(shortened("ééééé", 5), "éé …");
}

TEST_F(OwnLesson, mistakes_of_the_texts_are_located) {
    EXPECT_NE(problems("[[lesson.claim]]\nsays = \"41 numbers\"\nis = \"operations\"\nright = 40\n")
                  .find("lesson.toml:5: error: 'twice': no text of the lesson says \"41 numbers\""),
              std::string::npos)
        << problems("[[lesson.claim]]\nsays = \"41 numbers\"\nis = \"operations\"\nright = 40\n");
    EXPECT_NE(problems("look_at = { code = \"b[i]\" }\n").find("no line behind the front matter contains"),
              std::string::npos);
    EXPECT_NE(problems("look_at = { code = \"i\" }\n").find("both contain 'i'"), std::string::npos);
    EXPECT_NE(problems("[[lesson.note]]\nat = { code = \"a[i] =\", visit = 2 }\ntext = \"t\"\n")
                  .find("has 1 step on line 18, so visit 2 does not exist"),
              std::string::npos);
    EXPECT_NE(problems(claim("is = \"lanez\"\nright = 1")).find("unknown measure 'lanez'"),
              std::string::npos);
    EXPECT_NE(problems(claim("is = \"lanes\"\nright = 1")).find("needs a place"), std::string::npos);
    EXPECT_NE(problems(claim("is = \"buffer\"\nof = \"z[1]\"\nright = 1")).find("z"), std::string::npos);
    EXPECT_NE(problems("[[lesson.question]]\nask = \"How many?\"\n").find("answer = "), std::string::npos);
}

TEST_F(OwnLesson, runs_figures_links_and_questions_are_checked) {
    const auto whole = [&](const std::string& entries) {
        const lesson::Registry registry = with(entries);
        return to_text(registry.own_problems) +
               to_text(check_lesson(registry.topics.at(0).lessons.at(0), registry.topics[0], registry));
    };
    const auto finds = [&](const std::string& entries, const std::string& what) {
        const std::string found = whole(entries);
        EXPECT_NE(found.find(what), std::string::npos) << entries << found;
        EXPECT_NE(found.find("lesson.toml:"), std::string::npos) << found;
    };
    EXPECT_EQ(
        whole("look = \"See [this](twice), [that](doubling/twice) and [more](https://example.org).\"\n"), "");
    finds("look = \"See [this](thrice).\"\n", "the link 'thrice' leads to no lesson");
    finds("needs = [\"scan/thrice\"]\n", "'needs' names the lesson 'scan/thrice', which does not exist");
    finds("try = [\"Why?\"]\n", "the question \"Why?\" has no answer");
    finds("look = \"![a](picture)\"\n", "unknown figure 'picture'");
    finds("look = \"See ![a](stage?array=a).\"\n", "the figure 'stage?array=a' stands inside a text");
    finds("look = \"![a](stage?code=b[i])\"\n", "no line behind the front matter contains");
    finds("look = \"![a](stage?array=b)\"\n", "the run has no array 'b'");
    EXPECT_EQ(whole("look = \"![a](stage?code=a[i] =&block=1&array=a)\"\n"), "");
    std::ofstream(folder_ / "twice.cu", std::ios::app) << "// ends here\n";
    EXPECT_EQ(whole(""), "");
    std::ofstream(folder_ / "twice.cu", std::ios::app) << "this does not compile\n";
    const std::string broken = whole(claim("is = \"operations\"\nright = 40"));
    EXPECT_NE(broken.find("twice.cu:21:"), std::string::npos) << broken;
    EXPECT_EQ(std::count(broken.begin(), broken.end(), '\n'), 1) << broken;  // the claim adds no problem
}

TEST_F(OwnLesson, a_wrong_result_is_found) {
    std::ifstream file(folder_ / "twice.cu");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text.replace(text.find("2 * a[i]"), 8, "3 * a[i]");
    std::ofstream(folder_ / "twice.cu") << text;
    EXPECT_NE(problems("").find("with the default parameters a is not as expected: a[1]: 3, expected 2"),
              std::string::npos)
        << problems("");
}

TEST_F(OwnLesson, typed_answers_are_judged_by_a_run) {
    const lesson::Registry registry = with(
        "[[lesson.question]]\nask = \"How many threads of block 1 write?\"\nanswer = \"Eight.\"\n"
        "is = \"lanes\"\nat = { code = \"a[i] = 2\", block = 1 }\nright = 8\nunit = \"threads\"\n"
        "[[lesson.question]]\nask = \"Why?\"\nanswer = \"Because.\"\n");
    const lesson::LessonEntry& entry = registry.topics.at(0).lessons.at(0);
    ASSERT_EQ(to_text(registry.own_problems), "");
    ASSERT_EQ(entry.questions.size(), 2u);
    const auto right = judge_answer(entry, entry.questions[0], "8 threads");
    ASSERT_TRUE(right);
    EXPECT_TRUE(right->right);
    const auto wrong = judge_answer(entry, entry.questions[0], "32");
    ASSERT_TRUE(wrong);
    EXPECT_FALSE(wrong->right);
    EXPECT_EQ(wrong->measured, "8");
    EXPECT_FALSE(judge_answer(entry, entry.questions[1], "8"));
}

}  // namespace answer_test
}  // namespace lanescope::judge
