#include "session/report/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file_kind.h"
#include "execution/run/source_lines.h"
#include "execution/run/step_numbers.h"
#include "session/report/report_metrics.h"
#include "session/report/report_parts.h"
#include "trace/names.h"
#include "trace/steps.h"

namespace lanescope::session {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const trace::Dim3& dim) {
    return {dim.x, dim.y, dim.z};
}

// The counts that are known without a trace.
analysis::Metrics counted_by_engine(const execution::RunResult& result) {
    analysis::Metrics metrics;
    metrics.warp_instructions = result.warp_instructions;
    metrics.thread_instructions = result.thread_instructions;
    return metrics;
}

ordered_json json_of_counts(const execution::RunResult& result) {
    const analysis::Metrics metrics = counted_by_engine(result);
    return {{"warp_instructions", metrics.warp_instructions},
            {"thread_instructions", metrics.thread_instructions},
            {"simt_efficiency", metrics.simt_efficiency()}};
}

// Steps and barrier phases of one launch.
struct StepCounts {
    std::uint64_t steps = 0, phases = 0;
};
StepCounts count_steps(const std::vector<trace::Step>& steps, std::size_t launch) {
    StepCounts counts;
    for (const trace::Step& step : steps) {
        if (step.launch != launch) continue;
        ++counts.steps;
        counts.phases = step.phase + 1;
    }
    return counts;
}

ordered_json json_of_launches(const execution::RunResult& result) {
    ordered_json launches = ordered_json::array();
    if (!result.trace) return launches;
    std::map<std::uint32_t, std::vector<trace::Step>> steps;  // of a block
    for (std::size_t i = 0; i < result.trace->launches.size(); ++i) {
        const trace::Launch& launch = result.trace->launches[i];
        const std::uint32_t block = launch.recorded_blocks.empty() ? 0 : launch.recorded_blocks.front();
        if (!steps.contains(block))
            steps[block] =
                execution::steps_of(*result.trace, result.turn_log.get(), block, trace::Granularity::line);
        const StepCounts counts = count_steps(steps[block], i);
        ordered_json json{{"kernel", launch.kernel},
                          {"grid", json_of(launch.grid)},
                          {"block", json_of(launch.block)},
                          {"steps", counts.steps},
                          {"phases", counts.phases}};
        if (launch.cluster.count() > 1) json["cluster"] = json_of(launch.cluster);
        if (!launch.recorded_blocks.empty()) json["recorded_blocks"] = launch.recorded_blocks.size();
        json["metrics"] = json_of_metrics(result.report.launches[i]);
        json["arrays"] = json_of_arrays(result.report.arrays[i]);
        launches.push_back(std::move(json));
    }
    return launches;
}

ordered_json json_of_proposal(const execution::RunResult& result) {
    const lesson::ProposalFacts& facts = result.instance.front.proposal;
    ordered_json json{{"kernels", facts.kernels},
                      {"stated", facts.stated},
                      {"guessed", facts.guessed},
                      {"notes", facts.notes}};
    if (!result.hollow.empty()) json["nothing_shown"] = result.hollow;
    return json;
}

std::string text_of(const execution::BufferView& buffer) {
    TypeTable types;
    const TypeId type = types.named(buffer.type);
    const std::size_t bytes = types[type].size_bytes;
    std::string text = "  " + buffer.name + ": " + buffer.type + "[" + std::to_string(buffer.count) + "] =";
    const std::uint64_t shown = std::min<std::uint64_t>(buffer.count, 16);
    for (std::size_t i = 0; i < shown && bytes; ++i) {
        const bool set = std::all_of(buffer.set.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                                     buffer.set.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                                     [](bool b) { return b; });
        text += " " + (set ? format_value(types, type, {buffer.contents.data() + i * bytes, bytes})
                           : std::string("?"));
    }
    return text + (shown < buffer.count ? " …\n" : "\n");
}

std::string text_of_counts(const analysis::Metrics& m) {
    return "  warp instructions      " + std::to_string(m.warp_instructions) + "\n" +
           "  SIMT efficiency        " + percent(m.simt_efficiency()) + "\n";
}

// A source line with the access there: "  16 |  s[t] += left;   <- thread 63 of block 0 writes (step 7)".
std::string text_of(const trace::ProblemSite& site, const execution::SourceLines& lines,
                    execution::StepNumbers& steps) {
    char number[16];
    std::snprintf(number, sizeof number, "%6u | ", site.line);
    std::string text = number + lines.trimmed(site.line) + "   <- thread " + std::to_string(site.thread) +
                       " of block " + std::to_string(site.block);
    if (site.has_access) text += site.access == trace::AccessKind::load ? " reads" : " writes";
    if (const std::optional<std::size_t> step = steps.of(site))
        text += " (step " + std::to_string(*step) + ")";
    return text + "\n";
}

std::string text_of_problems(const execution::RunResult& result) {
    std::string text;
    for (const std::string& note : result.notes)
        text += "note: " + note + "\n";
    if (const std::string unseen = result.unseen(); !unseen.empty()) text += "note: " + unseen + "\n";
    const execution::SourceLines lines(result.text_of_lines());
    execution::StepNumbers steps(result);
    for (const trace::Problem& problem : result.problems) {
        text += session::text_of(problem);
        const trace::ProblemSite &first = problem.first, &second = problem.second;
        if (problem.note || first.line == 0 || second.line == 0 || first.thread == trace::none ||
            second.thread == trace::none)
            continue;
        text += text_of(first, lines, steps) + text_of(second, lines, steps);
        if (const std::string why = trace::why_text(problem); !why.empty()) text += "    " + why + "\n";
    }
    return text;
}

// Grids that kernels launched.
std::string text_of_children(const execution::RunResult& result) {
    constexpr std::size_t shown = 16;
    std::string text;
    if (!result.trace) return text;
    const std::vector<std::uint32_t>& children = result.child_launches;
    for (std::size_t i = 0; i < std::min(children.size(), shown); ++i) {
        const trace::Launch& launch = result.trace->launches.at(children[i]);
        text += "  launched " + launch.kernel + " <<<" + trace::size_text(launch.grid) + ", " +
                trace::size_text(launch.block) + ">>>\n";
    }
    if (children.size() > shown) text += "  launched " + std::to_string(children.size() - shown) + " more\n";
    return text;
}

}  // namespace

std::string report_json(const execution::RunResult& result, bool per_instruction, const FlowReport* flow,
                        const ordered_json* more) {
    ordered_json json{{"file", result.file},
                      {"engine", result.on_device() ? "gpu" : "cpu"},
                      {"device", result.on_device() ? result.device : "CPU SIMT machine"}};
    if (!result.lines_file.empty()) json["lines_file"] = result.lines_file;
    if (!result.compiled.target.empty()) json["target"] = result.compiled.target;
    json["code"] = result.code == compile::Code::debug ? "debug" : "optimized";
    ordered_json parameters = ordered_json::object();
    for (const auto& [name, value] : result.instance.parameters)
        parameters[name] = value;
    json["parameters"] = parameters;
    json["launches"] = json_of_launches(result);
    json["metrics"] = result.trace ? json_of_metrics(result.report.total) : json_of_counts(result);
    json["lines"] = json_of_lines(result.report);
    if (!result.on_device()) json["fidelity"] = json_of_fidelity(result);
    if (more != nullptr) json.update(*more);
    if (per_instruction && result.trace)
        json["instructions"] = json_of_instructions(*result.trace, *result.instructions);
    ordered_json buffers = ordered_json::object();
    for (const execution::BufferView& buffer : result.buffers)
        buffers[buffer.name] = json_of(buffer);
    json["buffers"] = buffers;
    if (flow != nullptr) {
        json["flow"] = elements_json(*flow, result);
        json["flow_summary"] = summary_json(*flow);
    }
    json["expect"] = ordered_json::array();
    for (const lesson::ExpectOutcome& outcome : result.expectations)
        json["expect"].push_back(
            {{"buffer", outcome.buffer}, {"ok", outcome.ok}, {"mismatch", outcome.mismatch}});
    json["problems"] = ordered_json::array();
    execution::StepNumbers steps(result);
    for (const trace::Problem& problem : result.problems)
        json["problems"].push_back(json_of(problem, steps));
    if (result.proposed) json["proposed"] = json_of_proposal(result);
    if (!result.races_incomplete.empty()) json["races_incomplete"] = result.races_incomplete;
    if (result.on_device() || !result.notes.empty()) json["notes"] = result.notes;
    if (result.on_device()) json["notes"].push_back(result.unseen());
    json["console"] = result.console;
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string report_text(const execution::RunResult& result, const FlowReport* flow) {
    std::string text = result.file;
    if (!result.instance.front.title.empty()) text += " - " + result.instance.front.title;
    text += "\n";
    if (!result.lines_file.empty()) text += "lines of " + result.lines_file + "\n";
    if (result.proposed)
        text += kind_of(result.file) == FileKind::ptx
                    ? "No front matter: this launch was proposed from the PTX.\n"
                    : "No front matter: this launch was proposed from the kernel and its host code.\n";
    for (const lesson::LaunchInstance& launch : result.instance.launches)
        text += "launch " + launch.kernel + " <<<" +
                trace::size_text({launch.grid[0], launch.grid[1], launch.grid[2]}) + ", " +
                trace::size_text({launch.block[0], launch.block[1], launch.block[2]}) + ">>>\n";
    text += text_of_children(result);
    // Lessons are compiled for one target, as the documentation says.
    if (!result.compiled.target.empty() &&
        (result.proposed || result.compiled.target != compile::lesson_target))
        text += "compiled for " + result.compiled.target + "\n";
    if (result.trace) {
        text +=
            "counted on " + (result.on_device() ? "the trace of " + result.device : "the CPU SIMT machine");
        for (const trace::Launch& launch : result.trace->launches)
            if (!launch.recorded_blocks.empty())
                text += ", " + std::to_string(launch.recorded_blocks.size()) + " of " +
                        std::to_string(launch.grid.count()) + " blocks recorded (" +
                        (result.narrowed                               ? "the trace's memory limit"
                         : result.notes.empty() || !result.on_device() ? "as chosen"
                                                                       : "see below") +
                        ")";
        if (result.trace->truncated) text += " (" + result.trace->truncation + ")";
        text += ":\n" + text_of_counts(result.report.total) + text_of_metrics(result.report.total);
    } else {
        text +=
            "counted on the CPU SIMT machine, without a trace:\n" + text_of_counts(counted_by_engine(result));
    }
    if (!result.on_device()) text += text_of_fidelity(result);
    if (!result.buffers.empty()) text += "buffers:\n";
    for (const execution::BufferView& buffer : result.buffers)
        text += text_of(buffer);
    if (flow != nullptr) text += flow_text(*flow, result);
    if (!result.console.empty()) text += "console:\n" + result.console;
    for (const lesson::ExpectOutcome& outcome : result.expectations)
        text += outcome.ok ? "as expected: " + outcome.buffer + "\n"
                           : "NOT as expected: " + outcome.mismatch + "\n";
    text += text_of_problems(result);
    if (!result.hollow.empty())
        text +=
            "NOTHING SHOWN: " + result.hollow +
            "\n  --set, --grid, --block, --count and --fill state what you know, --kernel chooses another "
            "kernel; a launch of your own stands in /*--- lanescope … ---*/ at the start of the file" +
            (kind_of(result.file) == FileKind::ptx ? ", or in a .toml file beside it\n" : "\n");
    if (!result.races_incomplete.empty()) text += result.races_incomplete + "\n";
    return text;
}

namespace {

// Empty: all of them.
std::set<std::uint32_t> recorded_blocks(const execution::RunResult& result) {
    std::set<std::uint32_t> blocks;
    for (const trace::Launch& launch : result.trace->launches)
        blocks.insert(launch.recorded_blocks.begin(), launch.recorded_blocks.end());
    return blocks;
}

std::string listing_of_block(const execution::RunResult& result, std::uint32_t block) {
    std::string text;
    const trace::Trace& trace = *result.trace;
    const execution::SourceLines lines(trace.program.source.text);
    const std::vector<trace::Step> steps =
        execution::steps_of(trace, result.turn_log.get(), block, trace::Granularity::line);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const trace::Step& step = steps[i];
        char head[64];
        std::snprintf(head, sizeof head, "%5zu  line %-3u phase %-2u ", i + 1, step.line, step.phase);
        text += head;
        for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
            if (trace.turns[turn].block != step.block) continue;
            char lanes[32];
            std::snprintf(lanes, sizeof lanes, " w%u:%08x", trace.turns[turn].warp, trace.turns[turn].mask);
            text += lanes;
        }
        text += "  " + lines.trimmed(step.line) + "\n";
    }
    return text;
}

}  // namespace

std::string step_listing(const execution::RunResult& result) {
    if (!result.trace) return "";
    const std::set<std::uint32_t> blocks = recorded_blocks(result);
    if (blocks.empty() || result.narrowed)
        return listing_of_block(result, blocks.empty() ? 0 : *blocks.begin());
    std::string text;
    for (const std::uint32_t block : blocks)
        text += "block " + std::to_string(block) + "\n" + listing_of_block(result, block);
    return text;
}

ordered_json steps_json(const execution::RunResult& result) {
    ordered_json listed = ordered_json::array();
    if (!result.trace) return listed;
    const trace::Trace& trace = *result.trace;
    std::set<std::uint32_t> blocks = recorded_blocks(result);
    if (blocks.empty() || result.narrowed) blocks = {blocks.empty() ? 0 : *blocks.begin()};
    for (const std::uint32_t block : blocks) {
        std::size_t number = 0;
        for (const trace::Step& step :
             execution::steps_of(trace, result.turn_log.get(), block, trace::Granularity::line)) {
            ordered_json warps = ordered_json::array();
            for (std::uint64_t turn = step.first; turn < step.end; ++turn)
                if (trace.turns[turn].block == step.block)
                    warps.push_back({{"warp", trace.turns[turn].warp}, {"mask", trace.turns[turn].mask}});
            listed.push_back({{"block", block},
                              {"step", ++number},
                              {"line", step.line},
                              {"phase", step.phase},
                              {"warps", std::move(warps)}});
        }
    }
    return listed;
}

}  // namespace lanescope::session
