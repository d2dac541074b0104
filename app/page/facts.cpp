#include "page/facts.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "execution/run/step_numbers.h"
#include "execution/run/step_place.h"
#include "gpu/sampled/stall_reasons.h"

namespace lanescope::page {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const trace::Dim3& dim) {
    return {dim.x, dim.y, dim.z};
}

ordered_json site_json(const trace::ProblemSite& site, execution::StepNumbers& steps) {
    ordered_json json{{"line", site.line}};
    json["block"] = site.block == trace::none ? ordered_json() : ordered_json(site.block);
    json["thread"] = site.thread == trace::none ? ordered_json() : ordered_json(site.thread);
    const std::optional<std::size_t> step = steps.of(site);
    json["step"] = step ? ordered_json(*step - 1) : ordered_json();
    json["access"] = !site.has_access                          ? ordered_json()
                     : site.access == trace::AccessKind::load  ? ordered_json("reads")
                     : site.access == trace::AccessKind::store ? ordered_json("writes")
                                                               : ordered_json("updates");
    return json;
}

ordered_json problems_json(const execution::RunResult& run) {
    ordered_json problems = ordered_json::array();
    execution::StepNumbers steps(run);
    for (const trace::Problem& problem : run.problems) {
        ordered_json json{{"kind", trace::to_text(problem.kind)},
                          {"note", problem.note},
                          {"message", problem.message},
                          {"occurrences", problem.occurrences},
                          {"first", site_json(problem.first, steps)}};
        if (problem.second.line != 0) json["second"] = site_json(problem.second, steps);
        problems.push_back(std::move(json));
    }
    return problems;
}

ordered_json lesson_json(const session::Session& shown) {
    const lesson::LessonEntry* lesson = shown.lesson();
    if (lesson == nullptr) return nullptr;
    const auto look = execution::place_to_look(*lesson, *shown.trace(), shown.run()->source);
    ordered_json questions = ordered_json::array();
    for (const lesson::Question& each : lesson->questions)
        if (const auto question = lesson::asked(each); question)
            questions.push_back({{"ask", question->ask}, {"answer", question->answer}});
    return {{"topic", shown.topic() ? shown.topic()->title : std::string()},
            {"title", lesson->title},
            {"goals", lesson->goals},
            {"text", lesson->text},
            {"look", lesson->look},
            {"look_step", look && look->block == shown.playhead().block() ? int(look->step) : -1},
            {"try", questions},
            {"sources", lesson->sources}};
}

// What the clock says: the time, and for each line its share and what its warps do most.
ordered_json clock_json(const session::FileClock& clock) {
    const auto reading = clock.reading();
    if (!reading)
        return clock.problem().empty() ? ordered_json() : ordered_json{{"refused", clock.problem()}};
    if (!reading->estimate.refused.empty()) return {{"refused", reading->estimate.refused}};
    ordered_json lines = ordered_json::array();
    for (const session::LineTime& line : session::line_times(*reading).lines) {
        const auto most = std::max_element(line.stalls.begin(), line.stalls.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        lines.push_back(
            {line.line, line.share, most == line.stalls.end() ? "" : gpu::stall_words(most->first)});
    }
    return {{"time", session::estimated_words(reading->estimate.microseconds)},
            {"device", reading->device},
            {"limit", reading->estimate.launches.front().limit},
            {"lines", lines}};
}

ordered_json metrics_json(const analysis::Metrics& metrics) {
    ordered_json json{{"simt_efficiency", metrics.simt_efficiency()}};
    for (const char* name : {"warp_instructions", "branches", "divergent_branches", "global_load_requests",
                             "global_load_sectors", "global_store_requests", "global_store_sectors",
                             "shared_load_requests", "shared_load_wavefronts", "shared_store_requests",
                             "shared_store_wavefronts", "atomics", "barriers"})
        for (const analysis::MetricField& field : analysis::metric_fields())
            if (std::string_view(field.name) == name) json[name] = metrics.*field.value;
    return json;
}

}  // namespace

std::string public_name(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path path = fs::weakly_canonical(file, failed);
    const fs::path course = fs::weakly_canonical(resource_folder(), failed);
    const fs::path inside = path.lexically_relative(course);
    const bool known = !failed && !inside.empty() && *inside.begin() == "kernels";
    return known ? inside.generic_string() : fs::path(file).filename().string();
}

ordered_json facts_of(const session::Session& shown, const std::string& version) {
    const execution::RunResult& run = *shown.run();
    ordered_json json{{"format", 1}, {"version", version}, {"file", public_name(run.file)}};
    json["title"] = shown.lesson() ? shown.lesson()->title : run.instance.front.title;
    json["engine"] = run.on_device() ? "gpu" : "cpu";
    json["device"] = run.on_device() ? run.device : std::string("CPU SIMT machine");
    json["code"] = run.trace->program.code;
    json["parameters"] = ordered_json::array();
    for (const auto& [name, value] : run.instance.parameters)
        json["parameters"].push_back({name, value});
    json["lesson"] = lesson_json(shown);
    json["source"] = run.trace->program.source.text;
    json["lines"] = ordered_json::array();
    for (const analysis::LineMetrics& line : run.report.lines)
        json["lines"].push_back({line.line, line.executions, line.lanes});
    json["launches"] = ordered_json::array();
    for (const trace::Launch& launch : run.trace->launches)
        json["launches"].push_back(
            {{"kernel", launch.kernel}, {"grid", json_of(launch.grid)}, {"block", json_of(launch.block)}});
    if (shown.clock().wanted()) json["clock"] = clock_json(shown.clock());
    json["metrics"] = metrics_json(run.report.total);
    json["fine"] = run.fine();
    json["expect"] = ordered_json::array();
    for (const lesson::ExpectOutcome& outcome : run.expectations)
        json["expect"].push_back(
            {{"buffer", outcome.buffer}, {"ok", outcome.ok}, {"mismatch", outcome.mismatch}});
    json["problems"] = problems_json(run);
    json["notes"] = run.notes;
    json["console"] = run.console;
    return json;
}

}  // namespace lanescope::page
