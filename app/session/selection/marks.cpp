#include "session/selection/marks.h"

#include <algorithm>
#include <tuple>

#include "session/playhead/breakpoint_scan.h"

namespace lanescope::session {

const FileMarks& Marks::here() const {
    static const FileMarks none;
    const auto found = all_.find(here_);
    return found == all_.end() ? none : found->second;
}

void Marks::set(Breakpoint breakpoint) {
    std::vector<Breakpoint>& all = all_[here_].breakpoints;
    const auto at =
        std::lower_bound(all.begin(), all.end(), breakpoint, [](const Breakpoint& a, const Breakpoint& b) {
            return std::tie(a.line, a.cell) < std::tie(b.line, b.cell);
        });
    if (at != all.end() && at->line == breakpoint.line && at->cell == breakpoint.cell)
        *at = std::move(breakpoint);
    else
        all.insert(at, std::move(breakpoint));
}

void Marks::toggle(std::uint32_t line, std::uint32_t with_code) {
    std::vector<Breakpoint>& all = all_[here_].breakpoints;
    const auto on_line = [](std::uint32_t wanted) {
        return [wanted](const Breakpoint& each) { return each.line == wanted; };
    };
    if (std::erase_if(all, on_line(line)) != 0) return;
    if (with_code != 0 && std::none_of(all.begin(), all.end(), on_line(with_code)))
        set({with_code, {}, true});
}

void Marks::toggle_cell(const std::string& cell) {
    std::vector<Breakpoint>& all = all_[here_].breakpoints;
    if (std::erase_if(all, [&](const Breakpoint& each) { return each.cell == cell; }) == 0)
        set({0, {}, true, cell});
}

void Marks::follow_edit(const std::string& before, const std::string& after) {
    const auto found = all_.find(here_);
    if (found == all_.end()) return;
    found->second.breakpoints = after_edit(std::move(found->second.breakpoints), before, after);
}

std::uint32_t line_with_code(const trace::Trace& trace, std::uint32_t line) {
    std::uint32_t best = 0;
    for (const trace::CodeRow& row : trace.program.code_rows)
        if (row.line >= line && (best == 0 || row.line < best)) best = row.line;
    return best;
}

}  // namespace lanescope::session
