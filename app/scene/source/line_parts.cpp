#include "scene/source/line_parts.h"

#include <algorithm>
#include <array>

#include "analysis/executed_pcs.h"

namespace lanescope::scene {

std::optional<LoopHead> loop_head(std::string_view line) {
    std::size_t at = std::min(line.find_first_not_of(" \t"), line.size());
    if (!line.substr(at).starts_with("for")) return {};
    at = line.find_first_not_of(" \t", at + 3);
    if (at == line.npos || line[at] != '(') return {};
    std::array<std::size_t, 2> ends{};  // behind the semicolons
    std::size_t found = 0, begin = ++at;
    for (int depth = 1; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '"' || c == '\'') return {};  // a literal may hold any of these characters
        depth += (c == '(') - (c == ')');
        if (depth == 0) break;
        if (c != ';' || depth != 1) continue;
        if (found == ends.size()) return {};
        ends[found++] = at + 1;
    }
    if (found != ends.size() || at == line.size()) return {};
    const auto trimmed = [&](std::size_t from) {
        while (from < at && (line[from] == ' ' || line[from] == '\t'))
            ++from;
        return from;
    };
    return LoopHead{{trimmed(begin), ends[1] - 1}, {trimmed(ends[0]), at}};
}

std::optional<LinePart> evaluated_part(const trace::Trace& trace, const session::StepState& step,
                                       std::string_view line) {
    constexpr std::size_t looked_at_turns = 64;
    const std::optional<LoopHead> head = loop_head(line);
    if (!head || step.step.line == 0) return {};
    const std::size_t increment = line.find(';', line.find(';') + 1);
    bool starts = false, goes_on = false;
    for (std::size_t i = 0; i < std::min(step.details.size(), looked_at_turns); ++i) {
        // The condition has the column of the whole loop, so that only the increment tells one from the
        // other.
        bool increments = false;
        for (const std::uint32_t pc :
             analysis::executed_pcs(trace.turns[step.details[i].turn], step.details[i])) {
            if (pc >= trace.program.code_rows.size()) continue;
            const trace::CodeRow& row = trace.program.code_rows[pc];
            increments |= row.line == step.step.line && row.column > increment + 1;
        }
        (increments ? goes_on : starts) = true;
    }
    if (starts == goes_on) return {};
    return starts ? head->start : head->next;
}

}  // namespace lanescope::scene
