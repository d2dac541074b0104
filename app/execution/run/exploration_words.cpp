#include <algorithm>
#include <cstring>

#include "base/number_text.h"
#include "execution/run/explore.h"

namespace lanescope::execution {
namespace {

std::size_t cell_bytes(const BufferView& buffer) {
    return buffer.count == 0 ? 0 : buffer.contents.size() / buffer.count;
}

bool same_cell(const BufferView& a, const BufferView& b, std::uint64_t cell) {
    const std::uint64_t bytes = cell_bytes(a);
    for (std::uint64_t i = cell * bytes; i < (cell + 1) * bytes; ++i)
        if (a.contents[i] != b.contents[i] || a.set[i] != b.set[i]) return false;
    return true;
}

std::string first_line(const std::string& text) {
    const std::size_t end = text.find('\n');
    return end == std::string::npos || end + 1 == text.size() ? text.substr(0, end)
                                                              : text.substr(0, end) + " …";
}

}  // namespace

std::vector<Difference> differences(const Exploration& exploration, std::size_t most) {
    std::vector<Difference> found;
    if (exploration.outcomes.empty()) return found;
    const Outcome& first = exploration.outcomes.front();
    for (std::size_t b = 0; b < first.buffers.size(); ++b)
        for (std::uint64_t cell = 0; cell < first.buffers[b].count && found.size() < most; ++cell)
            if (std::any_of(exploration.outcomes.begin(), exploration.outcomes.end(),
                            [&](const Outcome& other) {
                                return !same_cell(first.buffers[b], other.buffers[b], cell);
                            }))
                found.push_back({b, cell});
    return found;
}

std::string cell_text(const Outcome& outcome, const Difference& at) {
    const BufferView& buffer = outcome.buffers[at.buffer];
    const std::size_t bytes = cell_bytes(buffer), first = at.cell * bytes;
    const bool set = std::all_of(buffer.set.begin() + static_cast<std::ptrdiff_t>(first),
                                 buffer.set.begin() + static_cast<std::ptrdiff_t>(first + bytes),
                                 [](bool b) { return b; });
    TypeTable types;
    return buffer.name + "[" + std::to_string(at.cell) + "] = " +
           (set ? format_value(types, types.named(buffer.type), {buffer.contents.data() + first, bytes})
                : std::string("?"));
}

std::string summary(const Exploration& exploration, const Outcome& outcome) {
    constexpr std::size_t shown = 4;
    std::vector<Difference> cells = differences(exploration, shown + 1);
    // A single outcome differs from nothing: show its results.
    if (exploration.outcomes.size() == 1)
        for (std::size_t b = 0; b < outcome.buffers.size(); ++b) {
            if (outcome.buffers[b].contents == exploration.instance.buffers[b].contents) continue;
            for (std::uint64_t i = 0; i < outcome.buffers[b].count && cells.size() <= shown; ++i)
                cells.push_back({b, i});
        }
    std::string text;
    for (std::size_t i = 0; i < std::min(cells.size(), shown); ++i)
        text += (text.empty() ? "" : ", ") + cell_text(outcome, cells[i]);
    if (cells.size() > shown) text += ", …";
    if (!outcome.problems.empty()) {
        const std::string kind = trace::to_text(outcome.problems.front().kind);
        text = kind + (text.empty() ? "" : "; " + text);
    }
    if (!outcome.console.empty())
        text += (text.empty() ? "" : "; ") + std::string("prints ") + first_line(outcome.console);
    return text.empty() ? "nothing differs" : text;
}

std::string count_text(const Exploration& exploration, const Outcome& outcome) {
    if (exploration.schedules && outcome.schedules)
        return std::to_string(*outcome.schedules) + " of " + counted(*exploration.schedules, "schedule");
    if (exploration.complete)
        return std::to_string(outcome.count) + " of " + counted(exploration.runs, "schedule") + " run";
    return "at least " + counted(outcome.count, "schedule");
}

std::string extent_text(const Exploration& exploration) {
    const std::string runs = std::to_string(exploration.runs);
    const std::string ran = exploration.runs == 1 ? " was run" : " were run";
    const std::string rest = "; the others differ only in the order of independent turns";
    if (exploration.complete && exploration.schedules == exploration.runs)
        return "every schedule: " + counted(exploration.runs, "schedule");
    if (exploration.complete && exploration.schedules)
        return "every schedule: " + counted(*exploration.schedules, "schedule") + ", of which " + runs + ran +
               rest;
    if (exploration.complete) return "every schedule: " + runs + ran + rest;
    return "a sample of " + counted(exploration.runs, "schedule") + ": " + exploration.limit;
}

}  // namespace lanescope::execution
