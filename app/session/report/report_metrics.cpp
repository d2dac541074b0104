#include "session/report/report_metrics.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "execution/run/source_lines.h"
#include "simt/inspect/fidelity.h"
#include "trace/names.h"

namespace lanescope::session {

namespace {

using analysis::Metrics;
using analysis::Operation;
using nlohmann::ordered_json;

ordered_json json_of(const analysis::OperationCounts& counts) {
    ordered_json json = ordered_json::object();
    for (std::size_t i = 0; i < analysis::operation_count; ++i)
        if (counts.of[i] != 0) json[analysis::to_text(static_cast<Operation>(i))] = counts.of[i];
    return json;
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2f", static_cast<double>(part) / static_cast<double>(whole));
    return buffer;
}

// "int add 63, float multiply 7"
std::string text_of(const analysis::OperationCounts& counts) {
    std::string text;
    for (std::size_t i = 0; i < analysis::operation_count; ++i) {
        if (counts.of[i] == 0) continue;
        std::string name = analysis::to_text(static_cast<Operation>(i));
        std::replace(name.begin(), name.end(), '_', ' ');
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(counts.of[i]);
    }
    return text;
}

}  // namespace

ordered_json json_of_metrics(const Metrics& metrics) {
    ordered_json json;
    for (const analysis::MetricField& field : analysis::metric_fields()) {
        json[field.name] = metrics.*field.value;
        if (field.value == &Metrics::thread_instructions) json["simt_efficiency"] = metrics.simt_efficiency();
    }
    json["operations"] = json_of(metrics.operations);
    json["data_operations"] = json_of(metrics.data_operations);
    return json;
}

ordered_json json_of_lines(const analysis::Report& report) {
    ordered_json lines = ordered_json::array();
    for (const analysis::LineMetrics& line : report.lines) {
        ordered_json entry{{"line", line.line},
                           {"executions", line.executions},
                           {"lanes", line.lanes},
                           {"steps", line.steps}};
        entry.update(json_of_metrics(line.metrics));
        lines.push_back(std::move(entry));
    }
    return lines;
}

ordered_json json_of_arrays(const std::vector<analysis::ArrayMetrics>& arrays) {
    ordered_json json = ordered_json::array();
    for (const analysis::ArrayMetrics& array : arrays)
        json.push_back({{"name", array.name},
                        {"space", to_text(array.space)},
                        {"cells", array.cells},
                        {"loads", array.loads},
                        {"stores", array.stores},
                        {"atomics", array.atomics}});
    return json;
}

ordered_json json_of_instructions(const trace::Trace& trace, const analysis::Code& code) {
    ordered_json instructions = ordered_json::array();
    const execution::SourceLines ptx(trace.program.ptx);
    for (const analysis::InstructionMetrics& each : analysis::measure_instructions(trace, code)) {
        const trace::CodeRow& row = trace.program.code_rows[each.pc];
        ordered_json entry{{"pc", each.pc},
                           {"line", row.line},
                           {"ptx_line", row.ptx_line},
                           {"ptx", ptx.trimmed(row.ptx_line)},
                           {"operation", analysis::to_text(each.kind.operation)},
                           {"data", each.kind.data}};
        for (const analysis::MetricField& field : analysis::metric_fields())
            if (each.metrics.*field.value != 0) entry[field.name] = each.metrics.*field.value;
        instructions.push_back(std::move(entry));
    }
    return instructions;
}

namespace {

std::vector<simt::InexactInstruction> inexact_of(const execution::RunResult& result) {
    simt::InexactInstructions found;
    const execution::SourceLines ptx(result.trace ? result.trace->program.ptx : result.compiled.ptx);
    if (!result.trace) {
        for (std::uint32_t line = 1; line <= ptx.count(); ++line)
            found.add(ptx[line], 0);
        return found.found();
    }
    const std::vector<trace::CodeRow>& rows = result.trace->program.code_rows;
    for (const analysis::RanCode& run : result.report.ran)
        for (std::uint32_t pc = run.begin; pc < run.end && pc < rows.size(); ++pc)
            found.add(ptx[rows[pc].ptx_line], run.line);
    return found.found();
}

}  // namespace

ordered_json json_of_fidelity(const execution::RunResult& result) {
    const simt::ComparedDevice compared = simt::compared_device();
    ordered_json inexact = ordered_json::array();
    for (const simt::InexactInstruction& each : inexact_of(result)) {
        ordered_json made{{"instruction", each.instruction}, {"kind", simt::to_text(each.fidelity.kind)}};
        if (each.fidelity.ulp != 0) made["ulp"] = each.fidelity.ulp;
        if (each.fidelity.absolute != 0) made["absolute"] = each.fidelity.absolute;
        made["why"] = simt::words_of(each.fidelity);
        made["lines"] = each.lines;
        inexact.push_back(std::move(made));
    }
    return {{"compared_with",
             {{"device", compared.device}, {"driver", compared.driver}, {"date", compared.date}}},
            {"exact", inexact.empty()},
            {"inexact", std::move(inexact)}};
}

std::string text_of_fidelity(const execution::RunResult& result) {
    constexpr std::size_t most_lines = 5;
    std::string text;
    for (const simt::InexactInstruction& each : inexact_of(result)) {
        text += "  " + each.instruction;
        for (std::size_t i = 0; i < each.lines.size() && i < most_lines; ++i)
            text += (i == 0 ? " (line " : ", ") + std::to_string(each.lines[i]);
        if (each.lines.size() > most_lines) text += ", …";
        text += (each.lines.empty() ? ": " : "): ") + simt::words_of(each.fidelity) + "\n";
    }
    return text.empty() ? text : "not bit for bit:\n" + text;
}

std::string percent(double share) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f %%", 100 * share);
    return buffer;
}

std::string text_of_metrics(const Metrics& m) {
    std::string text = "  divergent branches     " + std::to_string(m.divergent_branches) + " of " +
                       std::to_string(m.branches) + "\n";
    text += "  sectors per request    load " + ratio(m.global_load_sectors, m.global_load_requests) +
            ", store " + ratio(m.global_store_sectors, m.global_store_requests) + "\n";
    text += "  wavefronts per request load " + ratio(m.shared_load_wavefronts, m.shared_load_requests) +
            ", store " + ratio(m.shared_store_wavefronts, m.shared_store_requests);
    if (m.shared_conflict_degree > 1)
        text += ", conflicts up to " + std::to_string(m.shared_conflict_degree) + "-way";
    text += "\n";
    text += "  barriers " + std::to_string(m.barriers) + ", atomics " + std::to_string(m.atomics);
    if (m.atomics > 0)
        text += " in " + std::to_string(m.atomic_passes) + " passes, up to " +
                std::to_string(m.atomic_worst) + (m.atomic_worst == 1 ? " lane" : " lanes") +
                " on one address";
    text += "\n";
    if (m.remote_lanes > 0)
        text += "  to other blocks        requests: load " + std::to_string(m.remote_load_requests) +
                ", store " + std::to_string(m.remote_store_requests) + ", atomic " +
                std::to_string(m.remote_atomic_requests) + "\n";
    if (const std::string operations = text_of(m.data_operations); !operations.empty())
        text += "  data operations        " + operations + "\n";
    return text;
}

}  // namespace lanescope::session
