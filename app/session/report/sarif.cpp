#include "session/report/sarif.h"

#include <array>
#include <nlohmann/json.hpp>

#include "execution/run/step_numbers.h"
#include "trace/names.h"

namespace lanescope::session {
namespace {

using nlohmann::ordered_json;

struct Rule {
    const char* id;
    const char* what;
};

constexpr std::array rules = {
    Rule{"race", "Two threads access the same memory, one of them writes, and nothing orders them."},
    Rule{"unsynced_lanes",
         "Lanes of a warp depend on each other without __syncwarp() or a *_sync operation."},
    Rule{"out_of_bounds", "An access lies outside of the memory that it belongs to."},
    Rule{"misaligned", "An address is not a multiple of the size of the access."},
    Rule{"uninitialised", "A value is used before it is set."},
    Rule{"barrier_divergence", "Not all threads of a warp or block arrive at the same barrier."},
    Rule{"deadlock", "No thread can continue."},
    Rule{"step_limit", "The run reached its limit of instructions."},
    Rule{"timeout", "The run reached its time limit."},
    Rule{"trap", "The kernel stopped itself, or an instruction cannot be executed."},
    Rule{"launch_config", "The configuration of a launch is not possible."},
    Rule{"unsupported", "The code uses a feature that the machine does not support."},
    Rule{"addition_order",
         "The result of atomic additions of floating-point numbers depends on their order."},
    Rule{"expectation", "A buffer does not hold what the file expects."},
    Rule{"diagnostic", "The file cannot be compiled or run."},
};

std::size_t rule_index(const std::string& id) {
    std::size_t index = 0;
    while (index + 1 < rules.size() && id != rules[index].id)
        ++index;
    return index;
}

// A path as a relative reference (RFC 3986): characters other than the unreserved ones are encoded.
std::string uri_of(const std::string& path) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/").find(c) != std::string_view::npos;
        if (plain) {
            uri += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return uri;
}

ordered_json location(const std::string& file, std::uint32_t line, std::uint32_t column = 0) {
    ordered_json place{{"artifactLocation", {{"uri", uri_of(file)}}}};
    if (line != 0) place["region"]["startLine"] = line;
    if (line != 0 && column != 0) place["region"]["startColumn"] = column;
    return {{"physicalLocation", place}};
}

ordered_json result_of(const std::string& rule, const char* level, const std::string& message) {
    return {{"ruleId", rule},
            {"ruleIndex", rule_index(rule)},
            {"level", level},
            {"message", {{"text", message}}}};
}

ordered_json properties_of(const trace::ProblemSite& site, execution::StepNumbers& steps) {
    ordered_json properties = ordered_json::object();
    properties["launch"] = site.launch;
    if (site.block != trace::none) properties["block"] = site.block;
    if (site.thread != trace::none) properties["thread"] = site.thread;
    if (const auto step = steps.of(site)) properties["step"] = *step;
    return properties;
}

// A thread without a line of its own is shown at its launch.
std::uint32_t line_of(const execution::RunResult& result, const trace::ProblemSite& site) {
    if (site.line != 0 || site.launch >= result.launch_lines.size()) return site.line;
    return static_cast<std::uint32_t>(result.launch_lines[site.launch]);
}

// Lines of kernels may be those of another file than the one that ran.
const std::string& file_of(const execution::RunResult& result, const trace::ProblemSite& site) {
    return site.line != 0 && !result.lines_file.empty() ? result.lines_file : result.file;
}

ordered_json result_of(const execution::RunResult& result, const trace::Problem& problem,
                       execution::StepNumbers& steps) {
    // A race is between two places: the later access is where it shows, the earlier one is related.
    const bool two = problem.second.line != 0;
    const trace::ProblemSite& main = two ? problem.second : problem.first;
    const std::string why = trace::why_text(problem);
    ordered_json json = result_of(trace::to_text(problem.kind), problem.note ? "note" : "error",
                                  problem.message + (why.empty() ? "" : " (" + why + ")"));
    json["locations"] = ordered_json::array({location(file_of(result, main), line_of(result, main))});
    if (two) {
        ordered_json other = location(file_of(result, problem.first), line_of(result, problem.first));
        other["message"]["text"] = "the other access";
        json["relatedLocations"] = ordered_json::array({other});
    }
    json["occurrenceCount"] = problem.occurrences;
    json["properties"] = properties_of(main, steps);
    if (!problem.variable.empty()) json["properties"]["variable"] = problem.variable;
    if (two) json["properties"]["other"] = properties_of(problem.first, steps);
    return json;
}

std::string document(ordered_json results, const std::string& version) {
    ordered_json known = ordered_json::array();
    for (const Rule& rule : rules)
        known.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.what}}}});
    const ordered_json driver{{"name", "Lanescope"}, {"semanticVersion", version}, {"rules", known}};
    ordered_json run{{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}};
    run["results"] = std::move(results);
    const ordered_json json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string report_sarif(const execution::RunResult& result, const std::string& version) {
    ordered_json results = ordered_json::array();
    execution::StepNumbers steps(result);
    for (const trace::Problem& problem : result.problems)
        results.push_back(result_of(result, problem, steps));
    for (const lesson::ExpectOutcome& outcome : result.expectations) {
        if (outcome.ok) continue;
        ordered_json json = result_of("expectation", "error", outcome.mismatch);
        json["locations"] = ordered_json::array({location(result.file, 1)});
        results.push_back(std::move(json));
    }
    return document(std::move(results), version);
}

std::string report_sarif(const Diagnostics& diagnostics, const std::string& version) {
    ordered_json results = ordered_json::array();
    for (const Diagnostic& diagnostic : diagnostics) {
        const bool warning = diagnostic.severity != Severity::error;
        const std::string hint = diagnostic.hint.empty() ? "" : " (" + diagnostic.hint + ")";
        ordered_json json = result_of("diagnostic", warning ? "warning" : "error", diagnostic.message + hint);
        if (!diagnostic.file.empty())
            json["locations"] = ordered_json::array(
                {location(diagnostic.file, static_cast<std::uint32_t>(std::max(0, diagnostic.line)),
                          static_cast<std::uint32_t>(std::max(0, diagnostic.column)))});
        results.push_back(std::move(json));
    }
    return document(std::move(results), version);
}

}  // namespace lanescope::session
