// Results as JSON, JUnit and CSV, and results that are joined. Whole judgements are golden cases.
#include "judge/report.h"

#include <gtest/gtest.h>

namespace lanescope::judge {
namespace report_test {

Verdict verdict(const std::string& file, int points, const std::string& reason) {
    Verdict made;
    made.file = file;
    made.exercise = "scan/fix_the_race";
    made.points = points;
    made.max_points = 5;
    made.goals = {{"result", points == 5, points, 5, "wrong", "right", reason}};
    return made;
}

TEST(Verdicts, json_is_read_back) {
    const std::vector<Verdict> all{verdict("a.cu", 5, "right in all 3 runs"),
                                   verdict("b \"x\".cu", 0, "line 3")};
    const std::string text = verdicts_json(all);
    const auto read = read_verdicts(text, "r.json");
    ASSERT_TRUE(read) << to_text(read.diagnostics());
    EXPECT_EQ(verdicts_json(*read), text);
}

TEST(Verdicts, bad_results_are_refused) {
    EXPECT_EQ(to_text(read_verdicts("{", "r.json").diagnostics()),
              "r.json: error: it is not a result of 'lanescope check --json'\n");
    EXPECT_NE(to_text(read_verdicts("[{\"file\": \"a\"}]", "r.json").diagnostics())
                  .find("r.json: error: entry 0: "),
              std::string::npos);
    EXPECT_FALSE(
        read_verdicts(R"([{"file":"a","exercise":"","points":1,"max_points":1,"goals":[3]}])", "r.json"));
}

TEST(Verdicts, the_later_result_of_a_file_counts) {
    const auto all = merged({{verdict("b.cu", 0, ""), verdict("a.cu", 1, "")}, {verdict("b.cu", 5, "")}});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].file, "a.cu");
    EXPECT_EQ(all[1].points, 5);
}

TEST(Verdicts, csv_cannot_be_a_formula) {
    EXPECT_EQ(verdicts_csv({verdict("=cmd|x.cu", 0, "a, \"b\"")}),
              "file,exercise,points,max_points,missed,reason\n"
              "'=cmd|x.cu,scan/fix_the_race,0,5,result,\"a, \"\"b\"\"\"\n");
}

TEST(Verdicts, junit_holds_no_markup_of_a_submission) {
    const std::string xml = verdicts_junit({verdict("<&\x01>.cu", 0, "a < b")});
    EXPECT_NE(xml.find("<testsuite name=\"&lt;&amp;?&gt;.cu\" tests=\"1\" failures=\"1\">"),
              std::string::npos)
        << xml;
    EXPECT_NE(xml.find("<failure message=\"a &lt; b\">0 of 5 points</failure>"), std::string::npos) << xml;
}

TEST(Verdicts, text_sums_up_a_class) {
    Verdict broken = verdict("c.cu", 0, "");
    broken.error = "c.cu:3:1: error: expected a \";\"";
    const std::string text =
        verdicts_text({verdict("a.cu", 5, "right"), verdict("b.cu", 2, "wrong"), broken});
    EXPECT_NE(text.find("3 files: 1 with all points, 1 with some, 1 with none; 7 of 15 points\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  not judged: c.cu:3:1: error"), std::string::npos) << text;
}

}  // namespace report_test
}  // namespace lanescope::judge
