#include "judge/report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "judge/words.h"

namespace lanescope::judge {

namespace {

using nlohmann::ordered_json;

std::string dumped(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string text_of(const Verdict& verdict) {
    std::string text =
        verdict.file + ": " + verdict.exercise + ": " + of_points(verdict.points, verdict.max_points) + "\n";
    if (!verdict.error.empty()) return text + "  not judged: " + verdict.error + "\n";
    std::size_t width = 0;
    for (const GoalVerdict& goal : verdict.goals)
        width = std::max(width, goal.goal.size());
    for (const GoalVerdict& goal : verdict.goals)
        text += std::string(goal.ok ? "  reached  " : "  missed   ") +
                padded_right(std::to_string(goal.points) + "/" + std::to_string(goal.max_points), 7) +
                padded_right(goal.goal, width + 2) + goal.reason + "\n";
    return text;
}

// XML 1.0 has no way to write most control characters.
std::string xml(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\n':
                out += "&#10;";
                break;
            default:
                out += static_cast<unsigned char>(c) < ' ' && c != '\t' ? '?' : c;
        }
    }
    return out;
}

// A spreadsheet must not take the name of a student's file for a formula.
std::string csv(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos)
        text.insert(0, "'");
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

int missed_goals(const Verdict& verdict) {
    return static_cast<int>(std::count_if(verdict.goals.begin(), verdict.goals.end(),
                                          [](const GoalVerdict& goal) { return !goal.ok; }));
}

}  // namespace

std::string verdicts_text(const std::vector<Verdict>& verdicts) {
    std::string text;
    int all = 0, none = 0, points = 0, most = 0;
    for (const Verdict& verdict : verdicts) {
        text += text_of(verdict);
        all += verdict.full() ? 1 : 0;
        none += verdict.points == 0 && !verdict.full() ? 1 : 0;
        points += verdict.points;
        most += verdict.max_points;
    }
    if (verdicts.size() < 2) return text;
    const int some = static_cast<int>(verdicts.size()) - all - none;
    return text + std::to_string(verdicts.size()) + " files: " + std::to_string(all) + " with all points, " +
           std::to_string(some) + " with some, " + std::to_string(none) + " with none; " +
           of_points(points, most) + "\n";
}

std::string verdicts_json(const std::vector<Verdict>& verdicts) {
    ordered_json all = ordered_json::array();
    for (const Verdict& verdict : verdicts)
        all.push_back(json_of(verdict));
    return dumped(all);
}

std::string verdicts_junit(const std::vector<Verdict>& verdicts) {
    std::string suites;
    int tests = 0, failures = 0;
    for (const Verdict& verdict : verdicts) {
        const int missed = missed_goals(verdict);
        tests += static_cast<int>(verdict.goals.size());
        failures += missed;
        suites += "  <testsuite name=\"" + xml(verdict.file) + "\" tests=\"" +
                  std::to_string(verdict.goals.size()) + "\" failures=\"" + std::to_string(missed) + "\">\n";
        for (const GoalVerdict& goal : verdict.goals) {
            suites +=
                "    <testcase classname=\"" + xml(verdict.exercise) + "\" name=\"" + xml(goal.goal) + "\"";
            const std::string& why = verdict.error.empty() ? goal.reason : verdict.error;
            suites += goal.ok
                          ? "/>\n"
                          : "><failure message=\"" + xml(why) + "\">" + std::to_string(goal.points) + " of " +
                                std::to_string(goal.max_points) + " points</failure></testcase>\n";
        }
        suites += "  </testsuite>\n";
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanescope check\" tests=\"" +
           std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\">\n" + suites +
           "</testsuites>\n";
}

std::string verdicts_csv(const std::vector<Verdict>& verdicts) {
    std::string text = "file,exercise,points,max_points,missed,reason\n";
    for (const Verdict& verdict : verdicts) {
        std::string missed, reason = verdict.error;
        for (const GoalVerdict& goal : verdict.goals) {
            if (goal.ok) continue;
            missed += (missed.empty() ? "" : "; ") + goal.goal;
            if (reason.empty()) reason = goal.reason;
        }
        text += csv(verdict.file) + "," + csv(verdict.exercise) + "," + std::to_string(verdict.points) + "," +
                std::to_string(verdict.max_points) + "," + csv(missed) + "," + csv(reason) + "\n";
    }
    return text;
}

Result<std::vector<Verdict>> read_verdicts(const std::string& text, const std::string& file) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (!json.is_array()) return error_at(file, 0, 0, "it is not a result of 'lanescope check --json'");
    std::vector<Verdict> verdicts;
    for (const ordered_json& each : json) {
        Result<Verdict> verdict = verdict_of(each);
        if (!verdict)
            return error_at(
                file, 0, 0,
                "entry " + std::to_string(verdicts.size()) + ": " + verdict.diagnostics().front().message,
                verdict.diagnostics().front().hint);
        verdicts.push_back(std::move(*verdict));
    }
    return verdicts;
}

std::vector<Verdict> merged(const std::vector<std::vector<Verdict>>& results) {
    std::map<std::pair<std::string, std::string>, Verdict> by_name;
    for (const std::vector<Verdict>& result : results)
        for (const Verdict& verdict : result)
            by_name[{verdict.file, verdict.exercise}] = verdict;
    std::vector<Verdict> all;
    for (auto& [name, verdict] : by_name)
        all.push_back(std::move(verdict));
    return all;
}

std::string exercises_text(const std::vector<const lesson::Exercise*>& exercises) {
    std::string text;
    std::size_t width = 0;
    for (const lesson::Exercise* each : exercises)
        width = std::max(width, each->id().size());
    for (const lesson::Exercise* each : exercises)
        text += padded_right(each->id(), width + 2) + "level " + std::to_string(each->level) + "  " +
                padded_right(std::to_string(each->points()), 3) + "points  " + each->title + "\n";
    return text;
}

std::string exercises_json(const std::vector<const lesson::Exercise*>& exercises) {
    ordered_json all = ordered_json::array();
    for (const lesson::Exercise* each : exercises) {
        ordered_json goals = ordered_json::array();
        for (const lesson::Goal& goal : each->goals)
            goals.push_back({{"goal", lesson::name_of(goal)}, {"points", goal.points}});
        ordered_json json{{"exercise", each->id()},
                          {"title", each->title},
                          {"level", each->level},
                          {"text", each->text},
                          {"starter", each->starter.string()},
                          {"solution", each->solution.string()},
                          {"hints", each->hints},
                          {"max_points", each->points()},
                          {"goals", goals}};
        if (!each->lesson.empty()) json["lesson"] = each->lesson;
        all.push_back(std::move(json));
    }
    return dumped(all);
}

}  // namespace lanescope::judge
