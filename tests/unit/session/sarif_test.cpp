// SARIF in the form that its readers need: rules by index, lines, both sides of a race.
#include "session/report/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "trace/names.h"

namespace lanescope::session {
namespace sarif_test {

using nlohmann::json;

trace::Problem race() {
    trace::Problem problem;
    problem.kind = trace::ProblemKind::race;
    problem.variable = "s";
    problem.first.line = 10;
    problem.first.block = problem.second.block = 0;
    problem.first.thread = 32;
    problem.second.line = 12;
    problem.second.thread = 5;
    problem.message = "line 12: …";
    problem.occurrences = 3;
    problem.remedy = "__syncthreads() between line 10 and line 12";
    return problem;
}

json run_of(const std::string& text) {
    const json document = json::parse(text);
    EXPECT_EQ(document["version"], "2.1.0");
    EXPECT_EQ(document["runs"].size(), 1u);
    return document["runs"][0];
}

TEST(Sarif, both_sides_of_a_race) {
    execution::RunResult result;
    result.file = "my kernels/scan.cu";
    result.problems = {race()};
    const json run = run_of(report_sarif(result, "1.2.3"));
    EXPECT_EQ(run["tool"]["driver"]["semanticVersion"], "1.2.3");
    const json& found = run["results"][0];
    EXPECT_EQ(found["ruleId"], "race");
    EXPECT_EQ(run["tool"]["driver"]["rules"][found["ruleIndex"].get<std::size_t>()]["id"], "race");
    EXPECT_EQ(found["level"], "error");
    const json& place = found["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "my%20kernels/scan.cu");
    EXPECT_EQ(place["region"]["startLine"], 12);
    EXPECT_EQ(found["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 10);
    const std::string message = found["message"]["text"];
    EXPECT_NE(message.find(" (" + trace::why_text(race()) + ")"), std::string::npos) << message;
    EXPECT_NE(message.find("to order the two"), std::string::npos) << message;
    EXPECT_EQ(found["occurrenceCount"], 3);
    EXPECT_EQ(found["properties"]["thread"], 5);
    EXPECT_EQ(found["properties"]["other"]["thread"], 32);
}

TEST(Sarif, a_note_is_a_note) {
    execution::RunResult result;
    result.problems = {race()};
    result.problems[0].note = true;
    EXPECT_EQ(run_of(report_sarif(result, "1"))["results"][0]["level"], "note");
}

TEST(Sarif, a_launch_problem_is_at_its_launch) {
    execution::RunResult result;
    result.launch_lines = {4, 9};
    trace::Problem problem;
    problem.kind = trace::ProblemKind::launch_config;
    problem.first.launch = 1;
    result.problems = {problem};
    const json found = run_of(report_sarif(result, "1"))["results"][0];
    EXPECT_EQ(found["locations"][0]["physicalLocation"]["region"]["startLine"], 9);
    EXPECT_FALSE(found.contains("relatedLocations"));
}

TEST(Sarif, expectations_that_are_not_met) {
    execution::RunResult result;
    result.file = "k.cu";
    result.expectations = {{"in", true, "", {}}, {"out", false, "out[3]: 17, expected 18", {}}};
    const json run = run_of(report_sarif(result, "1"));
    ASSERT_EQ(run["results"].size(), 1u);
    EXPECT_EQ(run["results"][0]["ruleId"], "expectation");
    EXPECT_EQ(run["results"][0]["message"]["text"], "out[3]: 17, expected 18");
}

TEST(Sarif, a_file_that_does_not_compile) {
    const json run =
        run_of(report_sarif(Diagnostics{error_at("k.cu", 7, 3, "no such name", "declare it")}, "1"));
    const json& found = run["results"][0];
    EXPECT_EQ(found["ruleId"], "diagnostic");
    EXPECT_EQ(found["message"]["text"], "no such name (declare it)");
    EXPECT_EQ(found["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
    EXPECT_EQ(found["locations"][0]["physicalLocation"]["region"]["startColumn"], 3);
}

TEST(Sarif, every_kind_of_problem_has_a_rule) {
    for (int kind = 0; kind <= static_cast<int>(trace::ProblemKind::addition_order); ++kind) {
        execution::RunResult result;
        trace::Problem problem;
        problem.kind = static_cast<trace::ProblemKind>(kind);
        result.problems = {problem};
        const json run = run_of(report_sarif(result, "1"));
        const auto index = run["results"][0]["ruleIndex"].get<std::size_t>();
        EXPECT_EQ(run["tool"]["driver"]["rules"][index]["id"], trace::to_text(problem.kind));
    }
}

}  // namespace sarif_test
}  // namespace lanescope::session
