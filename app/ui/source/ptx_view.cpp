#include "ui/source/ptx_view.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float row_px = 19, line_px = 34, text_px = 56;

// Replaces tabs by blanks, so that operands line up.
std::string laid_out(std::string_view text) {
    constexpr std::size_t operands_at = 18;
    std::string out;
    for (const char c : text) {
        if (c != '\t') {
            out += c;
            continue;
        }
        out += ' ';
        while (out.size() < operands_at)
            out += ' ';
    }
    return out;
}

// Returns the pc of the shown step.
std::uint32_t pc_of(const session::Session& session) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.trace() || session.trace()->turns.empty()) return trace::none;
    if (step_state->instruction < step_state->pcs.size()) return step_state->pcs[step_state->instruction];
    const std::uint64_t turn = step_state->step.first;
    return turn < session.trace()->turns.size() ? session.trace()->turns[turn].pc : trace::none;
}

}  // namespace

std::vector<PtxRow> ptx_rows(const trace::Program& program, std::uint32_t function) {
    std::vector<PtxRow> rows;
    if (function >= program.functions.size()) return rows;
    const trace::Function& code = program.functions[function];
    const std::uint32_t end = std::min<std::uint32_t>(code.end_pc, std::uint32_t(program.code_rows.size()));
    std::map<std::uint32_t, std::uint32_t> pcs;  // by line of the PTX
    for (std::uint32_t pc = code.first_pc; pc < end; ++pc)
        pcs.emplace(program.code_rows[pc].ptx_line, pc);
    if (pcs.empty()) return rows;
    const std::uint32_t first = pcs.begin()->first, last = pcs.rbegin()->first;
    std::uint32_t number = 1;
    for (std::size_t at = 0; at < program.ptx.size() && number <= last; ++number) {
        const std::size_t stop = std::min(program.ptx.find('\n', at), program.ptx.size());
        const std::string_view text = trimmed(std::string_view(program.ptx).substr(at, stop - at));
        at = stop + 1;
        if (number < first || text.empty()) continue;
        const auto pc = pcs.find(number);
        // A call extends over several lines.
        const bool open =
            !rows.empty() && rows.back().pc != trace::none && rows.back().text.find(';') == std::string::npos;
        if (open && pc == pcs.end()) {
            rows.back().text += " " + std::string(text);
            continue;
        }
        const bool label = pc == pcs.end() && text.back() == ':' && !text.starts_with("$L__tmp") &&
                           !text.starts_with("$L__func");
        if (pc != pcs.end())
            rows.push_back({laid_out(text), program.code_rows[pc->second].line, pc->second});
        else if (label)
            rows.push_back({std::string(text), 0, trace::none});
    }
    return rows;
}

std::string PtxView::title(const session::Session& session) const {
    if (!session.trace() || function_ >= session.trace()->program.functions.size()) return "PTX";
    return "PTX — " + session.trace()->program.functions[function_].name;
}

void PtxView::tools(Heading& heading, const ViewContext& view) {
    if (heading.word_right("×")) view.requests.set(&WindowState::source, &SourceState::ptx, false);
    if (!view.session.playhead().step_state()) return;
    const bool on = view.session.playhead().by_instruction();
    if (heading.word_right(on ? "step: instruction" : "step instructions", on))
        view.requests.commands.push_back(session::StepInstructions{!on});
    if (!view.window.still && ImGui::IsItemHovered())
        tooltip(
            "A step is one instruction. The views show its accesses, and the values after the whole line.",
            view.window);
    const session::StepState& step_state = *view.session.playhead().step_state();
    if (on && !step_state.pcs.empty())
        heading.words(
            {std::to_string(step_state.instruction + 1) + " of " + std::to_string(step_state.pcs.size())});
}

bool PtxView::prepare(const session::Session& session) {
    pc_ = pc_of(session);
    if (pc_ == trace::none || pc_ >= session.trace()->program.code_rows.size()) return false;
    const std::uint32_t function = session.trace()->program.code_rows[pc_].function;
    if (generation_ == session.runner().generation() && function == function_) return true;
    generation_ = session.runner().generation();
    function_ = function;
    rows_ = ptx_rows(session.trace()->program, function);
    followed_pc_ = trace::none;
    return true;
}

void PtxView::content(const Rect& inside, const ViewContext& view) {
    if (!prepare(view.session)) return;
    const float row = std::round(view.px(row_px)), margin = view.px(6);
    const float height = row * float(rows_.size()) + 2 * margin;
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(60);
    const std::uint32_t chosen = view.session.selection().line;
    const bool line_chosen = chosen != 0 && chosen != followed_line_;
    followed_line_ = chosen;
    if (pc_ != followed_pc_ || line_chosen) {
        const auto wanted = std::find_if(rows_.begin(), rows_.end(), [&](const PtxRow& each) {
            return line_chosen ? each.line == chosen : each.pc == pc_;
        });
        const float y = margin + row * float(wanted - rows_.begin());
        if (wanted != rows_.end() && (y < scroll_ + row || y > scroll_ + inside.height - 3 * row))
            scroll_ = y - 2 * row;
        followed_pc_ = pc_;
    }
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    if (scroll_ > 0) scroll_ = std::round((scroll_ - margin) / row) * row + margin;  // to whole rows
    draw_scroll_mark(inside, scroll_, height, view.window);
    const auto first = std::size_t(std::max(0.0f, (scroll_ - margin) / row));
    for (std::size_t i = first; i < rows_.size(); ++i) {
        const float y = inside.y + margin + row * float(i) - scroll_;
        if (y > inside.bottom()) break;
        draw_row({inside.x, y, inside.width, row}, rows_[i], view);
    }
}

void PtxView::draw_row(const Rect& row, const PtxRow& code, const ViewContext& view) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::uint32_t current_line = view.session.playhead().step_state()->step.line;
    const bool current = code.pc == pc_ && code.pc != trace::none;
    const bool of_line = code.line != 0 && code.line == current_line;
    const bool of_choice = code.line != 0 && code.line == view.session.selection().line;
    if (of_line) draw->AddRectFilled(row.min(), row.max(), theme().current_line);
    if (of_choice && !of_line) draw->AddRectFilled(row.min(), row.max(), theme().panel_raised);
    if (current) {
        draw->AddRectFilled(row.min(), {row.x + view.px(3), row.bottom()}, theme().accent);
        draw_triangle(draw, Triangle::right, {row.x + view.px(12), row.y + row.height / 2}, view.px(9),
                      theme().accent);
    }
    const float y = centre_line(fonts().mono, row.y, row.height);
    const std::string line = code.line != 0 ? std::to_string(code.line) : std::string();
    draw_text(draw, fonts().mono_small,
              {row.x + view.px(line_px + 12) - text_width(fonts().mono_small, line),
               centre_line(fonts().mono_small, row.y, row.height)},
              of_line ? theme().text_quiet : theme().text_faint, line);
    const float x = row.x + view.px(text_px), width = row.right() - view.px(8) - x;
    if (code.pc == trace::none) {
        draw_text_within(draw, fonts().mono, {x - view.px(6), y}, theme().text_faint, code.text, width);
        return;
    }
    const std::size_t name = std::min(code.text.find(' '), code.text.size());
    const std::string mnemonic = code.text.substr(0, name);
    draw_text(draw, fonts().mono, {x, y}, of_line ? theme().builtin : theme().text, mnemonic);
    const float done = text_width(fonts().mono, mnemonic);
    const bool cut = draw_text_within(draw, fonts().mono, {x + done, y},
                                      current   ? theme().text_strong
                                      : of_line ? theme().text
                                                : theme().text_quiet,
                                      code.text.substr(name), width - done);
    if (!hovered(row, view.window)) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && code.line != 0)
        view.requests.commands.push_back(
            session::SelectLine{view.session.selection().line == code.line ? 0 : code.line});
    if (cut) tooltip(code.text, view.window);
}

}  // namespace lanescope::ui
