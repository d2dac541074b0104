#include "ui/inspector/console_view.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/widgets.h"
#include "ui/source/problem_marks.h"

namespace lanescope::ui {

namespace {

constexpr float row_px = 20, who_px = 92;

trace::ProblemSite site_of(const trace::Print& print) {
    trace::ProblemSite site;
    site.turn = print.turn;
    site.launch = print.launch;
    site.line = print.line;
    site.block = print.block;
    site.thread = print.thread;
    return site;
}

// Text without an end of line goes on in the next piece, whoever printed it.
void add_piece(std::vector<ConsoleLine>& lines, bool& open, std::string_view text, const ConsoleLine& by) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!open) lines.push_back(by);
        lines.back().text += text.substr(0, end);
        open = end == text.size();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string who(const ConsoleLine& line, bool many_blocks) {
    if (!line.known) return {};
    std::string text;
    if (many_blocks && line.site.block != trace::none) text = "b" + std::to_string(line.site.block) + " ";
    if (line.site.thread != trace::none) text += "t" + std::to_string(line.site.thread);
    if (line.site.line != 0) text += " · " + std::to_string(line.site.line);
    return text;
}

}  // namespace

std::vector<ConsoleLine> console_lines(const session::RunResult& run, std::uint64_t turns) {
    std::vector<ConsoleLine> lines;
    bool open = false, later = false;
    std::uint64_t at = 0;
    static const std::vector<trace::Print> nobody;
    const std::vector<trace::Print>& prints = run.trace ? run.trace->prints : nobody;
    for (const trace::Print& print : prints) {
        ConsoleLine by;
        by.site = site_of(print);
        if (was_recorded(by.site) && print.turn >= turns) {
            later = true;
            break;
        }
        by.known = true;
        add_piece(lines, open,
                  std::string_view(run.console)
                      .substr(std::min<std::size_t>(at, run.console.size()), print.end - at),
                  by);
        at = print.end;
    }
    if (!later && at < run.console.size())
        add_piece(lines, open, std::string_view(run.console).substr(at), {});
    for (const trace::Problem& problem : run.problems) {
        if (problem.kind != trace::ProblemKind::trap) continue;
        if (was_recorded(problem.first) && problem.first.turn >= turns) continue;
        ConsoleLine failure;
        failure.text = problem.message;
        failure.site = problem.first;
        failure.failure = failure.known = true;
        const auto after = std::find_if(lines.begin(), lines.end(), [&](const ConsoleLine& line) {
            return was_recorded(line.site) && line.site.turn > problem.first.turn;
        });
        lines.insert(after, failure);
    }
    return lines;
}

std::size_t lines_until(const std::vector<ConsoleLine>& lines, std::uint64_t turns) {
    // Lines of blocks that are not recorded count with the one before them.
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (was_recorded(lines[i].site) && lines[i].site.turn >= turns) break;
        count = i + 1;
    }
    return count;
}

void ConsolePanel::draw(const Rect& inside, const session::Session& session, const WindowState& shared,
                        Requests& requests) {
    const session::RunResult* run = session.run();
    if (!run) return;
    const session::StepState* step_state = session.playhead().step_state();
    const std::uint64_t turns = !step_state           ? ~0ull
                                : session.playhead().results().concealed ? step_state->step.first
                                                      : step_state->step.end;
    const std::uint64_t told = session.playhead().results().revealed_until;
    if (generation_ != session.runner().generation() || told != told_) {
        generation_ = session.runner().generation();
        told_ = told;
        lines_ = console_lines(*run, told);
        shown_until_ = ~std::size_t{0};
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pad = shared.px(theme().padding), row = shared.px(row_px);
    if (lines_.empty()) {
        draw_text_within(draw, fonts().text, {inside.x + pad, inside.y + shared.px(9)}, theme().text_quiet,
                         told == ~0ull ? "This run prints nothing." : "What is printed is told step by step.",
                         inside.width - 2 * pad);
        return;
    }
    const std::size_t until = lines_until(lines_, turns);
    const float height = shared.px(16) + row * float(lines_.size());
    if (hovered(inside, shared)) scroll_ -= ImGui::GetIO().MouseWheel * shared.px(60);
    if (until != shown_until_) {  // the last line that was printed stays in sight
        const float y = shared.px(8) + row * float(until);
        if (y > scroll_ + inside.height || y < scroll_ + row) scroll_ = y - inside.height * 0.6f;
        shown_until_ = until;
    }
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, shared);
    const float top = inside.y + shared.px(8) - scroll_;
    const bool many_blocks = session.playhead().step_state() && session.playhead().step_state()->launch &&
                             session.playhead().step_state()->launch->grid.count() > 1;
    const auto first = std::size_t(std::max(0.0f, std::floor((inside.y - top) / row)));
    const auto end = std::min(lines_.size(), std::size_t(std::max(0.0f, (inside.bottom() - top) / row)) + 1);
    for (std::size_t i = first; i < end; ++i)
        draw_line({inside.x, top + row * float(i), inside.width, row}, lines_[i], i >= until, many_blocks, i,
                  shared, requests);
    if (until < lines_.size()) {
        const float y = std::round(top + row * float(until));
        draw->AddLine({inside.x + pad, y}, {inside.right() - pad, y}, theme().accent);
    }
}

void ConsolePanel::draw_line(const Rect& row, const ConsoleLine& line, bool later, bool many_blocks,
                             std::size_t number, const WindowState& shared, Requests& requests) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool recorded = was_recorded(line.site);
    ImGui::PushID(int(number));
    const bool clicked = recorded && click_area("line", row);
    const bool hot = recorded && !shared.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (clicked) jump_to(line.site, requests);
    if (hot) draw->AddRectFilled(row.min(), row.max(), theme().panel_raised);
    const float pad = shared.px(theme().padding), indent = shared.px(who_px);
    draw_text_within(draw, fonts().small, {row.x + pad, centre_line(fonts().small, row.y, row.height)},
                     later ? theme().text_faint : theme().text_quiet, who(line, many_blocks),
                     indent - shared.px(6));
    const ImU32 colour = later ? theme().text_faint : line.failure ? theme().conflict : theme().text;
    const float x = row.x + pad + indent;
    const bool cut = draw_text_within(draw, fonts().mono, {x, centre_line(fonts().mono, row.y, row.height)},
                                      colour, line.text, row.right() - pad - x);
    if (hot) {
        std::string text = cut ? line.text + "\n" : std::string();
        if (line.site.thread != trace::none) text += "printed by t" + std::to_string(line.site.thread);
        if (many_blocks) text += " of block " + std::to_string(line.site.block);
        if (line.site.line != 0) text += " on line " + std::to_string(line.site.line);
        tooltip(text + (later ? ", later than this step" : "") + "\nclick: go there", shared);
    }
}

}  // namespace lanescope::ui
