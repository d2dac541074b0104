#include "judge/verdict.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lanescope::judge {

using nlohmann::ordered_json;

Verdict refused(const lesson::Exercise& exercise, const std::string& file, const std::string& why) {
    Verdict verdict;
    verdict.file = file;
    verdict.exercise = exercise.id();
    verdict.max_points = exercise.points();
    verdict.error = why;
    for (const lesson::Goal& goal : exercise.goals)
        verdict.goals.push_back({lesson::name_of(goal), false, 0, goal.points, "", "", "not judged"});
    return verdict;
}

namespace {

ordered_json json_of(const GoalVerdict& goal) {
    ordered_json json{{"goal", goal.goal},     {"ok", goal.ok},         {"got", goal.got},
                      {"wanted", goal.wanted}, {"points", goal.points}, {"max_points", goal.max_points},
                      {"reason", goal.reason}};
    if (goal.place.line != 0) json["line"] = goal.place.line;
    if (goal.place.step == 0) return json;
    json["step"] = goal.place.step;
    json["block"] = goal.place.block;
    json["schedule"] = goal.place.schedule;
    return json;
}

}  // namespace

ordered_json json_of(const Verdict& verdict) {
    ordered_json goals = ordered_json::array();
    for (const GoalVerdict& goal : verdict.goals)
        goals.push_back(json_of(goal));
    ordered_json json{{"file", verdict.file},
                      {"exercise", verdict.exercise},
                      {"points", verdict.points},
                      {"max_points", verdict.max_points},
                      {"goals", std::move(goals)}};
    if (!verdict.error.empty()) json["error"] = verdict.error;
    return json;
}

Result<Verdict> verdict_of(const ordered_json& json) {
    const auto text = [](const ordered_json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto whole = [](const ordered_json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_number_integer() ? found->get<int>() : -1;
    };
    if (!json.is_object() || text(json, "file").empty() || whole(json, "points") < 0 ||
        whole(json, "max_points") < 0 || !json.contains("goals") || !json["goals"].is_array())
        return error("it is not a result of 'lanescope check --json'",
                     "a result has file, exercise, points, max_points and goals");
    Verdict verdict;
    verdict.file = text(json, "file");
    verdict.exercise = text(json, "exercise");
    verdict.points = whole(json, "points");
    verdict.max_points = whole(json, "max_points");
    verdict.error = text(json, "error");
    for (const ordered_json& each : json["goals"]) {
        if (!each.is_object() || text(each, "goal").empty() || !each.contains("ok") ||
            !each["ok"].is_boolean())
            return error("a goal of '" + verdict.file + "' has no 'goal' or no 'ok'");
        const GoalPlace place{static_cast<std::uint32_t>(std::max(0, whole(each, "line"))),
                              static_cast<std::size_t>(std::max(0, whole(each, "step"))),
                              static_cast<std::uint32_t>(std::max(0, whole(each, "block"))),
                              text(each, "schedule")};
        verdict.goals.push_back({text(each, "goal"), each["ok"].get<bool>(),
                                 std::max(0, whole(each, "points")), std::max(0, whole(each, "max_points")),
                                 text(each, "got"), text(each, "wanted"), text(each, "reason"), place});
    }
    return verdict;
}

}  // namespace lanescope::judge
