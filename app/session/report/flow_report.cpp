#include "session/report/flow_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lanescope::session {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_elements = 1 << 16;
constexpr std::uint64_t most_steps = 1 << 28;  // through the graph, for all elements together
constexpr std::size_t most_listed = 1 << 20;   // inputs

std::string names_of_buffers(const trace::Trace& trace) {
    std::string names;
    for (const trace::Symbol& symbol : trace.symbols)
        if (symbol.space == trace::Space::global && symbol.buffer)
            names += (names.empty() ? "" : ", ") + symbol.name;
    return names;
}

std::string blocks_left_out(const trace::Trace& trace) {
    for (const trace::Launch& launch : trace.launches)
        if (!launch.recorded_blocks.empty())
            return "only " + std::to_string(launch.recorded_blocks.size()) + " of " +
                   std::to_string(launch.grid.count()) + " blocks of " + launch.kernel +
                   " are recorded; what the others wrote comes from outside of the trace";
    return {};
}

}  // namespace

Result<FlowReport> flow_of(const execution::RunResult& result, const std::string& buffer) {
    if (!result.trace)
        return error("the flow needs a trace, which this run did not record", "leave out --no-trace");
    const trace::Trace& trace = *result.trace;
    FlowReport report;
    report.buffer = buffer;
    const auto found =
        std::find_if(trace.symbols.begin(), trace.symbols.end(), [&](const trace::Symbol& symbol) {
            return symbol.space == trace::Space::global && symbol.name == buffer;
        });
    if (found == trace.symbols.end())
        return error("there is no buffer '" + buffer + "' in global memory",
                     "its buffers are " + names_of_buffers(trace));
    report.symbol = static_cast<std::uint32_t>(found - trace.symbols.begin());
    const std::shared_ptr<const analysis::Flow> flow = result.flow->get();
    analysis::Provenance provenance(trace, *flow);
    report.incomplete = flow->complete ? blocks_left_out(trace) : flow->incomplete;
    if (trace.truncated && report.incomplete.empty()) report.incomplete = trace.truncation;
    if (report.symbol >= flow->at_end.size()) return report;
    const std::vector<analysis::ValueId>& values = flow->at_end[report.symbol];
    const std::uint64_t count = std::min<std::uint64_t>(values.size(), most_elements);
    report.left_out = values.size() - count;
    for (std::uint64_t i = 0; i < count; ++i)
        report.elements.push_back(
            provenance.origin(values[i], most_steps / std::max<std::uint64_t>(1, count)));
    report.work = provenance.work(report.symbol, report.elements);
    return report;
}

ordered_json elements_json(const FlowReport& flow, const execution::RunResult& result) {
    ordered_json elements = ordered_json::array();
    std::size_t listed = 0;
    for (const analysis::Origin& origin : flow.elements) {
        ordered_json inputs = ordered_json::object();
        bool cut = origin.cut;
        for (const auto& [symbol, cells] : origin.inputs) {
            listed += cells.size();
            cut = cut || listed > most_listed;
            inputs[result.trace->symbols[symbol].name] =
                listed > most_listed ? std::vector<std::uint64_t>() : cells;
        }
        ordered_json element{{"inputs", std::move(inputs)},
                             {"depth", origin.depth},
                             {"operations", origin.operations},
                             {"text", origin.text}};
        if (origin.outside) element["outside"] = true;
        if (cut) element["cut"] = true;
        elements.push_back(std::move(element));
    }
    return elements;
}

ordered_json summary_json(const FlowReport& flow) {
    ordered_json summary{{"buffer", flow.buffer},
                         {"operations", flow.work.operations},
                         {"needed", flow.work.needed},
                         {"depth", flow.work.depth}};
    if (flow.work.sequential)
        summary["sequential"] = {{"operations", flow.work.sequential->operations},
                                 {"depth", flow.work.sequential->depth}};
    if (flow.work.cut) summary["cut"] = true;
    if (flow.left_out != 0) summary["elements_left_out"] = flow.left_out;
    if (!flow.incomplete.empty()) summary["incomplete"] = flow.incomplete;
    return summary;
}

std::string flow_text(const FlowReport& flow, const execution::RunResult& result) {
    constexpr std::size_t shown = 64;
    const trace::Symbol& symbol = result.trace->symbols[flow.symbol];
    const auto operations = [](std::uint64_t count) {
        return std::to_string(count) + (count == 1 ? " operation" : " operations");
    };
    std::string text = "flow of " + flow.buffer + ": " + operations(flow.work.operations);
    if (flow.work.needed != flow.work.operations)
        text += " (" + std::to_string(flow.work.needed) + " of them for " + flow.buffer + ")";
    text += ", depth " + std::to_string(flow.work.depth);
    if (flow.work.sequential)
        text += "; one after the other: " + operations(flow.work.sequential->operations) + ", depth " +
                std::to_string(flow.work.sequential->depth);
    text += "\n";
    for (std::size_t i = 0; i < std::min(shown, flow.elements.size()); ++i) {
        const analysis::Origin& origin = flow.elements[i];
        text += "  " + analysis::cell_name(symbol, i) + " = " + origin.text + "   depth " +
                std::to_string(origin.depth) + ", " + operations(origin.operations) + "\n";
    }
    const std::uint64_t more = flow.left_out + flow.elements.size() - std::min(shown, flow.elements.size());
    if (more != 0) text += "  and " + std::to_string(more) + " more elements\n";
    if (!flow.incomplete.empty()) text += "  note: " + flow.incomplete + "\n";
    return text;
}

}  // namespace lanescope::session
