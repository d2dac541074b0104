#include "session/report/explore_report.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "session/report/report_parts.h"

namespace lanescope::session {

using nlohmann::ordered_json;

namespace {

std::string text_of_outcome(const execution::Exploration& exploration, const execution::Outcome& outcome) {
    std::string text = "  " + execution::summary(exploration, outcome) + ": " +
                       execution::count_text(exploration, outcome) + "\n";
    for (const lesson::ExpectOutcome& each : outcome.expectations)
        text += each.ok ? "    as expected: " + each.buffer + "\n"
                        : "    NOT as expected: " + each.mismatch + "\n";
    for (const auto* found : {&outcome.problems, &outcome.races})
        for (const trace::Problem& problem : *found)
            text += "    " + text_of(problem);
    return text + "    --schedule " + simt::to_text(outcome.schedule) + "\n";
}

ordered_json json_of_number(const std::optional<std::uint64_t>& number) {
    return number ? ordered_json(*number) : ordered_json();
}

ordered_json json_of_outcome(const execution::Exploration& exploration, const execution::Outcome& outcome) {
    ordered_json json{{"count", outcome.count}, {"complete", exploration.complete}};
    json["schedules"] = json_of_number(outcome.schedules);
    json["schedule"] = simt::to_text(outcome.schedule);
    json["ok"] = outcome.ok;
    ordered_json buffers = ordered_json::object();
    for (const execution::BufferView& buffer : outcome.buffers)
        buffers[buffer.name] = json_of(buffer);
    json["buffers"] = buffers;
    json["expect"] = ordered_json::array();
    for (const lesson::ExpectOutcome& each : outcome.expectations)
        json["expect"].push_back({{"buffer", each.buffer}, {"ok", each.ok}, {"mismatch", each.mismatch}});
    json["problems"] = ordered_json::array();
    execution::StepNumbers no_steps;
    for (const auto* found : {&outcome.problems, &outcome.races})
        for (const trace::Problem& problem : *found)
            json["problems"].push_back(json_of(problem, no_steps));
    json["console"] = outcome.console;
    return json;
}

}  // namespace

std::string exploration_text(const execution::Exploration& exploration) {
    std::string text = exploration.file;
    if (!exploration.title.empty()) text += " - " + exploration.title;
    text += "\n" + execution::extent_text(exploration) + "\n" +
            counted(exploration.outcomes.size(), "outcome") + (exploration.complete ? "" : " found") + ":\n";
    constexpr std::size_t shown = 20;
    const std::size_t count = exploration.outcomes.size();
    for (std::size_t i = 0; i < std::min(count, shown); ++i)
        text += text_of_outcome(exploration, exploration.outcomes[i]);
    if (!exploration.races_incomplete.empty()) text += "note: " + exploration.races_incomplete + "\n";
    if (count > shown) text += "  and " + std::to_string(count - shown) + " more: --json lists them\n";
    return text;
}

std::string exploration_json(const execution::Exploration& exploration) {
    ordered_json json{{"file", exploration.file}, {"engine", "cpu"}, {"device", "CPU SIMT machine"}};
    json["code"] = exploration.code == compile::Code::debug ? "debug" : "optimized";
    ordered_json parameters = ordered_json::object();
    for (const auto& [name, value] : exploration.instance.parameters)
        parameters[name] = value;
    json["parameters"] = parameters;
    json["complete"] = exploration.complete;
    json["sampled"] = exploration.sampled;
    json["limit"] = exploration.limit;
    json["runs"] = exploration.runs;
    json["redundant_runs"] = exploration.redundant;
    json["schedules"] = json_of_number(exploration.schedules);
    if (!exploration.races_incomplete.empty()) json["races_incomplete"] = exploration.races_incomplete;
    json["fine"] = exploration.fine();
    json["outcomes"] = ordered_json::array();
    for (const execution::Outcome& outcome : exploration.outcomes)
        json["outcomes"].push_back(json_of_outcome(exploration, outcome));
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lanescope::session
