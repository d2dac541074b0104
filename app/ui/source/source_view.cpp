#include "ui/source/source_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.h"
#include "scene/source/line_marks.h"
#include "ui/actions/table.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/source/code_lines.h"
#include "ui/source/problem_marks.h"
#include "ui/source/shown_text.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {
namespace {

constexpr float reading_row = 20, heat_width = 5, number_width = 33, code_left = 42, top_margin = 4;
constexpr double much_time = 0.1;  // a share from which the number of a line is bright
constexpr float time_width = 66, time_bar_width = 24, time_legend_height = 22;  // of the column and above it

// Shortens "kernels/reduction/modulo.cu" to "reduction/modulo.cu".
std::string short_name(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.parent_path().filename();
    return folder.empty() ? path.filename().string() : (folder / path.filename()).string();
}

// Scrolls to the row so that no part of the row above stays in sight.
void scroll_to_top(std::size_t row, float row_height, const WindowState& window) {
    ImGui::SetScrollY(row == 0 ? 0 : float(row) * row_height + window.px(top_margin));
}

// Line numbers stand beside the scrolling child window, so its clipping must not hide the mouse there.
bool over(const Rect& area, const Rect& inside, const WindowState& window) {
    return !window.still && ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
           ImGui::IsMouseHoveringRect(area.min(), area.max(), false) &&
           ImGui::IsMouseHoveringRect(inside.min(), inside.max(), false);
}

}  // namespace

struct SourceView::Frame {
    const session::Session& session;
    const WindowState& window;
    Rect inside;        // of the rows, without the list of errors
    Rect code;          // right of the line numbers; scrolls in both directions
    ImDrawList* under;  // of the panel: line numbers, backgrounds
    ImDrawList* draw;   // of the code
    float row_height;
    float top;                            // of row 0, scrolled
    std::size_t first_row, end_row;       // the visible rows
    bool measured;                        // the shown run is a run of exactly this text
    const GpuTime* time;                  // of the column of times; null: not shown
    const session::Resources* registers;  // of the column of registers; null: not shown
    float left;                           // of the line numbers, right of that column
};

std::string SourceView::title(const session::Session& session) const {
    if (session.document().path().empty()) return tr("Source");
    if (session.document().edited()) return edited_title(session);
    // To leave room for the controls, long names lose their folder, then the word "Source".
    constexpr std::size_t short_enough = 22, folder_fits = 28;
    if (const std::string both = title_with_source(session); !both.empty() && !editor_.editing()) return both;
    const std::string name = short_name(session.document().path());
    if (name.size() <= short_enough) return std::string(tr("Source")) + " — " + name;
    return name.size() <= folder_fits ? name : session.document().path().filename().string();
}

// The words after the title, such as tr("Save as"), must stay in sight.
std::string SourceView::edited_title(const session::Session& session) const {
    constexpr float spacing = 1.16f;  // of capitals in headings
    const std::string name = session.document().path().filename().string();
    const auto fits = [&](const std::string& text) {
        return title_room_ <= 0 || text_width(fonts().heading, in_capitals(text)) * spacing <= title_room_;
    };
    if (const std::string edited = tr("{1} (edited)", {name}); fits(edited)) return edited;
    std::size_t end = name.size();
    const auto shown = [&] { return end == name.size() ? name : name.substr(0, end) + "…"; };
    while (end > 6 && !fits(shown())) {
        --end;
        while (end > 6 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
            --end;
    }
    return shown();
}

void SourceView::tools(Heading& heading, const ViewContext& view) {
    if (view.session.document().path().empty()) return;
    if (heading.word(view.window.source.editing ? tr("Done") : tr("Edit"), true))
        view.requests.act("source.edit");
    if (view.session.document().edited()) {
        if (heading.word(tr("Reset"))) view.requests.commands.push_back(session::RevertSource{});
        // A lesson is never overwritten: its edited text becomes a new file of the user.
        if (heading.word(view.session.of_course() ? tr("Save as") : tr("Save"))) {
            if (view.session.of_course())
                view.requests.act("file.save_as");
            else
                view.requests.commands.push_back(session::SaveSource{view.session.document().path()});
        }
    }
    // The words at the right give way where a long name leaves no room.
    choose_heat(heading, view.window, view.requests);
    // A side of a comparison has no room for the PTX.
    if (!view.window.comparing && heading.word_right("PTX", view.window.source.ptx))
        view.requests.act("source.ptx");
}

void SourceView::follow_edit_mode(const ViewContext& view) {
    bool editing = view.window.source.editing;
    if (const std::string path = view.session.document().path().string(); path != opened_) {
        opened_ = path;
        // The file was saved under another name: typing continues.
        if (editor_.editing() && view.session.document().text() == editor_.draft())
            return follow_text(view.session, view.window, editing, view.requests);
        editing = view.window.source.edit_opened;
        view.requests.change([editing](WindowState& changed) {
            changed.source.editing = editing;
            changed.source.edit_opened = false;
        });
        editor_.end();
        document_.set_text(shown_text(view.session), language_of_shown_text(view.session));
        document_.fold(true);
        selected_line_ = 0;
    } else if (view.window.source.edit_opened) {  // the file could not be opened
        view.requests.set(&WindowState::source, &SourceState::edit_opened, false);
    }
    if (editing && !editor_.editing()) {
        editor_.begin(view.session.document().text());
        sent_ = view.session.document().text();
    }
    follow_text(view.session, view.window, editing, view.requests);
    if (!editing && editor_.editing()) {
        editor_.end();
        document_.set_text(editor_.draft());
        document_.fold(true);
        return;
    }
    const bool was_folded = document_.folded();
    if (editor_.editing())
        document_.set_text(editor_.draft());
    else
        document_.set_text(shown_text(view.session), language_of_shown_text(view.session));
    document_.fold(was_folded && !editor_.editing());
}

// Sends typed text to the session after a moment, and takes changes of the session's text.
void SourceView::follow_text(const session::Session& session, const WindowState& window, bool editing,
                             Requests& requests) {
    const bool typing = editor_.editing() && editor_.focused();
    if (typing != window.source.typing) requests.set(&WindowState::source, &SourceState::typing, typing);
    if (!editor_.editing()) return;
    if (session.document().text() != sent_ && !editor_.changed()) {
        sent_ = session.document().text();
        editor_.replace(sent_);
    }
    if (editor_.take_change(window, !editing || window.signals.flush_typing)) {
        std::string base = std::exchange(sent_, editor_.draft());
        requests.commands.push_back(session::EditSource{sent_, std::move(base)});
    }
    requests.next_frame |= editor_.changed();
}

void SourceView::content(const Rect& inside, const ViewContext& view) {
    constexpr float words_width = 190;  // Done, Reset, Save as
    title_room_ = inside.width - view.px(words_width);
    follow_edit_mode(view);
    if (view.session.document().path().empty()) {
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint,
                          tr("Choose a lesson, or drop a .cu file here"));
        return;
    }
    Rect rows = inside;
    rows.height -= draw_problem_list(inside, view);
    const GpuTime* time = shown_time(view.session, view.window);
    if (time && !time->lines()) view.requests.commands.push_back(session::WantClock{});
    const bool by_registers = view.window.source.heat == HeatMetric::registers && !editor_.editing();
    const LineRegisters registers = by_registers ? line_registers(view.session) : LineRegisters{};
    if (by_registers && !registers.resources) view.requests.commands.push_back(session::WantClock{});
    const float legend = by_registers ? draw_registers_legend(rows, registers, view.window)
                                      : draw_time_legend(rows, time, view.window);
    rows.y += legend, rows.height -= legend;
    ImDrawList* under = ImGui::GetWindowDrawList();
    const float numbers = time || by_registers ? view.px(time_width) : 0, left = numbers + view.px(code_left);
    const Rect code{rows.x + left, rows.y, rows.width - left, rows.height};
    wrap_lines(code.width, view.window);
    under->PushClipRect(rows.min(), rows.max(), true);
    ImGui::SetCursorScreenPos(code.min());
    ImGui::BeginChild("code", ImVec2(code.width, code.height), false, ImGuiWindowFlags_HorizontalScrollbar);
    const float row_height = editor_.editing() ? font_size(fonts().mono) : std::round(view.px(reading_row));
    hold_place(row_height, view.window);
    const float top = code.y + view.px(top_margin) - ImGui::GetScrollY();
    const auto row_at = [&](float y) { return std::size_t(std::max((y - top) / row_height, 0.0f)); };
    const Frame frame{view.session,
                      view.window,
                      rows,
                      code,
                      under,
                      ImGui::GetWindowDrawList(),
                      row_height,
                      top,
                      std::min(row_at(code.y), document_.row_count()),
                      std::min(row_at(code.bottom()) + 1, document_.row_count()),
                      view.session.run() && view.session.run()->text_of_lines() == document_.text(),
                      time,
                      registers.resources.get(),
                      rows.x + numbers};
    follow_position(frame);
    find_evaluated_part(view.session);
    for (std::size_t row = frame.first_row; row < frame.end_row; ++row)
        draw_row(frame, row, view.requests);
    if (editor_.editing()) draw_editor(frame);
    menu_.draw(view);
    const float longest = text_width(fonts().mono, "m") * float(document_.max_line_length());
    const float width = document_.wrapped_at() > 0 ? 1.0f : view.px(24) + longest;
    ImGui::SetCursorPos(ImVec2(0, 0));
    ImGui::Dummy(ImVec2(width, row_height * float(document_.row_count()) + view.px(8)));
    ImGui::EndChild();
    if (widgets_are_named()) name_rows(frame);
    under->PopClipRect();
}

// Long lines take several rows, so that no code is out of sight; the editor scrolls instead.
void SourceView::wrap_lines(float width, const WindowState& window) {
    const float room = width - ImGui::GetStyle().ScrollbarSize - window.px(10);
    const float columns = std::max(room / text_width(fonts().mono, "m"), 0.0f);
    document_.wrap(editor_.editing() ? 0 : std::size_t(columns));
}

// Called in the panel, because the child window's clipping leaves out the line numbers.
void SourceView::name_rows(const Frame& frame) const {
    for (std::size_t row = frame.first_row; row < frame.end_row; ++row) {
        if (document_.row(row).begin > 0) continue;
        const std::size_t line = document_.line_of(row);
        const float y = frame.top + float(row) * frame.row_height;
        if (document_.folded() && line == document_.front_first()) {
            name_widget("front matter", {frame.inside.x, y, frame.inside.width, frame.row_height});
            continue;
        }
        const std::string number = std::to_string(line);
        name_widget("number " + number, {frame.inside.x, y, frame.code.x - frame.inside.x, frame.row_height});
        name_widget("line " + number, {frame.code.x, y, frame.code.width, frame.row_height});
    }
}

// If rows change their height or their number, the first line of code in sight stays in place.
void SourceView::hold_place(float row_height, const WindowState& window) {
    const bool changed = row_height != held_row_height_ || document_.folded() != held_folded_ ||
                         document_.wrapped_at() != held_columns_;
    if (changed && held_row_height_ > 0) held_frames_ = 3;  // a change of the focus scrolls for some frames
    held_row_height_ = row_height;
    held_folded_ = document_.folded();
    held_columns_ = document_.wrapped_at();
    const float margin = window.px(top_margin);
    if (held_frames_ == 0) {
        auto row = std::size_t(ImGui::GetScrollY() / row_height);
        if (document_.folded() && document_.line_of(row) == document_.front_first()) ++row;
        held_line_ = document_.line_of(row);
        held_y_ = margin + float(row) * row_height - ImGui::GetScrollY();
        return;
    }
    if (--held_frames_ == 0) followed_step_ = ~std::size_t{0};  // the current line may be out of sight
    const std::size_t row = document_.row_of(std::min(held_line_, document_.line_count()));
    const float scroll = std::max(margin + float(row) * row_height - held_y_, 0.0f);
    if (editor_.editing())
        ImGui::SetScrollY(scroll);
    else
        scroll_to_top(std::size_t(scroll / row_height + 0.25f), row_height, window);
    ImGui::SetScrollX(0);
}

void SourceView::scroll_to_row(const Frame& frame, std::size_t row) const {
    const float y = float(row) * frame.row_height, scroll = ImGui::GetScrollY();
    // A low panel keeps the row in its middle.
    const float margin = std::min(2 * frame.row_height, frame.inside.height / 4);
    if (y < scroll + margin || y + frame.row_height > scroll + frame.inside.height - margin)
        scroll_to_top(std::size_t(std::max(y - frame.inside.height * 0.4f, 0.0f) / frame.row_height),
                      frame.row_height, frame.window);
}

void SourceView::show_caret(const Frame& frame) const {
    const std::size_t line = document_.line_at(editor_.caret());
    const float y = float(document_.row_of(line)) * frame.row_height, margin = 2 * frame.row_height;
    const float lowest = y - frame.code.height + 2 * margin, highest = std::max(y - margin, 0.0f);
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::min(lowest, highest), highest));
    const std::size_t column =
        std::min(editor_.caret() - document_.line_begin(line), document_.line(line).size());
    const float x = text_width(fonts().mono, document_.line(line).substr(0, column)),
                beside = frame.window.px(40);
    const float rightmost = std::max(x - beside, 0.0f);
    ImGui::SetScrollX(
        std::clamp(ImGui::GetScrollX(), std::min(x - frame.code.width + beside, rightmost), rightmost));
}

void SourceView::follow_position(const Frame& frame) {
    if (editor_.editing()) {
        // The list of errors may have just covered the line that is being typed.
        const bool lower = std::exchange(caret_height_, frame.code.height) > frame.code.height;
        const bool sought = caret_frames_ > 0 && caret_frames_-- > 0;
        if ((editor_.take_caret_move() || lower || sought) && held_frames_ == 0) show_caret(frame);
        return;
    }
    const session::Selection& selection = frame.session.selection();
    if (selection.line != 0 && selection.line != selected_line_) {
        if (selection.line >= document_.front_first() && selection.line <= document_.front_last())
            document_.fold(false);
        scroll_to_row(frame, document_.row_of(selection.line));
    }
    selected_line_ = selection.line;
    const session::StepState* step_state = frame.session.playhead().step_state();
    if (!step_state || !frame.measured || step_state->step.line == 0) return;
    if (step_state->index == followed_step_ && frame.session.runner().generation() == followed_generation_)
        return;
    followed_step_ = step_state->index;
    followed_generation_ = frame.session.runner().generation();
    scroll_to_row(frame, document_.row_of(step_state->step.line));
}

void SourceView::draw_row(const Frame& frame, std::size_t row, Requests& requests) {
    const float y = frame.top + float(row) * frame.row_height;
    const std::size_t line = document_.line_of(row);
    if (document_.folded() && line == document_.front_first()) return draw_fold_row(frame, y);
    const Rect& inside = frame.inside;
    const Rect area{inside.x, y, inside.width, frame.row_height};
    const session::StepState* step_state = frame.session.playhead().step_state();
    const bool current = frame.measured && step_state && step_state->step.line == line;
    if (current || frame.session.selection().line == line)
        frame.under->AddRectFilled(area.min(), area.max(),
                                   current ? theme().current_line : theme().panel_raised);
    const std::vector<std::uint32_t>& differing = frame.window.source.differing;
    if (std::binary_search(differing.begin(), differing.end(), std::uint32_t(line))) {
        const float left = frame.left + frame.window.px(code_left);
        if (!current) frame.under->AddRectFilled({left, area.y}, area.max(), faded(theme().barrier, 0.06f));
        frame.under->AddRectFilled({left - frame.window.px(4), area.y}, {left, area.bottom()},
                                   theme().barrier);
    }
    const SourceDocument::Row& part = document_.row(row);
    const bool first = part.begin == 0;
    draw_line_diagnostics(frame, part, y);
    if (frame.time && first) draw_time(frame, line, y);
    if (frame.registers && first && frame.measured) draw_registers(frame, line, y);
    if (!frame.time && frame.measured) draw_heat(frame, line, y);
    const bool on_mark = first && frame.measured && draw_problem_mark(frame, line, y, requests);
    if (first) draw_gutter(frame, line, y, current);
    draw_code_part(frame.draw, document_, line, part.begin, part.length,
                   ImVec2(row_left(frame, part), centre_line(fonts().mono, y, frame.row_height)),
                   frame.code.right());
    if (current) underline_evaluated(frame, part, y);
    if (part.last && frame.measured) draw_warps(frame, part, y);
    if (part.last) draw_condition(frame, part, y);
    if (!on_mark && !editor_.editing() && over(area, frame.inside, frame.window))
        interact_with_row(frame, line, requests);
}

void SourceView::draw_gutter(const Frame& frame, std::size_t line, float y, bool current) const {
    const WindowState& window = frame.window;
    const float left = frame.left + window.px(heat_width + 3);
    const Rect area{left, y, frame.left + window.px(number_width + 7) - left, frame.row_height};
    const Rect whole{frame.left, y, window.px(code_left), frame.row_height};
    const ImU32 on_tag =
        draw_breakpoint_tag(frame.under, area, breakpoint_on(frame.session, std::uint32_t(line)),
                            !editor_.editing() && over(whole, frame.inside, window), window);
    const std::string number = std::to_string(line);
    const float x = frame.left + window.px(number_width) - text_width(fonts().mono, number);
    draw_text(frame.under, fonts().mono, ImVec2(x, centre_line(fonts().mono, y, frame.row_height)),
              on_tag != 0 ? on_tag
              : current   ? theme().text_quiet
                          : theme().text_faint,
              number);
}

// Where the code of a row begins, and where it ends.
float SourceView::row_left(const Frame& frame, const SourceDocument::Row& row) {
    return frame.code.x - ImGui::GetScrollX() + text_width(fonts().mono, "m") * float(row.indent);
}

float SourceView::row_end(const Frame& frame, const SourceDocument::Row& row) const {
    return row_left(frame, row) +
           text_width(fonts().mono, document_.line(row.line).substr(row.begin, row.length));
}

void SourceView::find_evaluated_part(const session::Session& session) {
    const std::uint64_t moves = session.playhead().moves(), generation = session.runner().generation();
    if (moves == evaluated_moves_ && generation == evaluated_generation_) return;
    evaluated_moves_ = moves;
    evaluated_generation_ = generation;
    evaluated_.reset();
    const session::StepState* step = session.playhead().step_state();
    const bool known = step != nullptr && session.trace() && step->step.line != 0 &&
                       step->step.line <= document_.line_count();
    if (known) evaluated_ = evaluated_part(*session.trace(), *step, document_.line(step->step.line));
}

// Underlines the part of a loop's head that the step evaluates.
void SourceView::underline_evaluated(const Frame& frame, const SourceDocument::Row& row, float y) const {
    if (!evaluated_) return;
    const std::string_view line = document_.line(row.line);
    const std::size_t begin = std::max(evaluated_->begin, row.begin),
                      end = std::min({evaluated_->end, row.begin + row.length, line.size()});
    if (begin >= end) return;
    const float x =
        row_left(frame, row) + text_width(fonts().mono, line.substr(row.begin, begin - row.begin));
    const float bottom = y + frame.row_height - frame.window.px(1);
    frame.draw->AddRectFilled({x, bottom - frame.window.px(2)},
                              {x + text_width(fonts().mono, line.substr(begin, end - begin)), bottom},
                              theme().accent);
}

// Draws behind the code the condition of a breakpoint, or the threads that just hit it.
void SourceView::draw_condition(const Frame& frame, const SourceDocument::Row& row, float y) const {
    const std::size_t line = row.line;
    const session::Breakpoint* there = breakpoint_on(frame.session, std::uint32_t(line));
    const std::string hit = hit_words(frame.session, std::uint32_t(line), 2);
    if ((!there || there->condition.empty()) && hit.empty()) return;
    const std::string text = hit.empty() ? "when " + there->condition : hit;
    const float x = row_end(frame, row) + frame.window.px(14);
    const float right = frame.inside.right() - frame.window.px(54);
    const bool wrong = hit.empty() && !frame.session.values().problems(there->condition).empty();
    if (x < right)
        draw_text_within(frame.draw, fonts().small,
                         ImVec2(x, centre_line(fonts().small, y, frame.row_height)),
                         wrong         ? theme().conflict
                         : hit.empty() ? theme().text_quiet
                                       : theme().accent,
                         text, right - x);
}

void SourceView::interact_with_row(const Frame& frame, std::size_t line, Requests& requests) {
    const auto number = std::uint32_t(line);
    const bool over_gutter = ImGui::GetIO().MousePos.x < frame.left + frame.window.px(code_left);
    if (ImGui::GetIO().MousePos.x < frame.left) return explain_column(frame, number);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) menu_.open(number, frame.session);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        if (over_gutter)
            requests.commands.push_back(session::ToggleBreakpoint{number});
        else
            requests.commands.push_back(
                session::SelectLine{frame.session.selection().line == number ? 0 : number});
    }
    const session::Breakpoint* there = breakpoint_on(frame.session, number);
    if (!over_gutter) {
        const bool long_hit = there && !there->condition.empty();
        if (long_hit && !ImGui::IsPopupOpen("line menu")) {
            const std::string hit = hit_words(frame.session, number, 12);
            tooltip("stops when " + there->condition + (hit.empty() ? "" : "\n" + hit), frame.window);
        }
        return;
    }
    std::string text = frame.measured ? heat_text(frame.session, number) : std::string();
    if (!text.empty()) text += "\n\n";
    text += there
                ? "click: remove the breakpoint\nright-click: change its condition"
                : "click: set a breakpoint (F5 runs to it)\nright-click: run to here, or stop on a condition";
    if (!ImGui::IsPopupOpen("line menu")) tooltip(text, frame.window);
}

void SourceView::choose_heat(Heading& heading, const WindowState& window, Requests& requests) const {
    static const std::vector<std::string> names = {"executions", "lanes off", "conflicts",
                                                   "sectors",    "time",      "registers"};
    const int current = int(window.source.heat);
    const std::string shown =
        window.source.heat == HeatMetric::executions ? "heat" : names[std::size_t(current)];
    if (menu_word_right(heading, shown, window)) ImGui::OpenPopup("heat");
    const int chosen = choice_popup("heat", names, current, window);
    if (chosen >= 0) requests.set(&WindowState::source, &SourceState::heat, HeatMetric(chosen));
}

void SourceView::draw_heat(const Frame& frame, std::size_t line, float y) const {
    const float share = heat_of(frame.session, std::uint32_t(line), frame.window.source.heat);
    if (share <= 0) return;
    const ImU32 colour = blend(blend(theme().panel, theme().write_edge, 0.15f), theme().write_edge, share);
    frame.under->AddRectFilled(ImVec2(frame.inside.x + 1, y),
                               ImVec2(frame.inside.x + 1 + frame.window.px(heat_width), y + frame.row_height),
                               colour);
}

// Times are those of the shown text: the editor and other texts than the document's have none.
const GpuTime* SourceView::shown_time(const session::Session& session, const WindowState& window) {
    if (window.source.heat != HeatMetric::time || editor_.editing()) return nullptr;
    return &time_.of(session);
}

// Draws a row of words above the lines. Returns its height.
float SourceView::draw_legend(const Rect& inside, const std::string& words, const std::string& more,
                              const WindowState& window) const {
    const Rect row{inside.x, inside.y, inside.width, window.px(time_legend_height)};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(row.min(), row.max(), theme().panel_raised);
    const float margin = window.px(theme().padding);
    draw_text_within(draw, fonts().small, {row.x + margin, centre_line(fonts().small, row.y, row.height)},
                     theme().text_quiet, words, row.width - 2 * margin);
    name_widget("time legend", row);
    if (!window.still && hovered(row, window)) tooltip(more, window);
    return row.height;
}

// Says which GPU took the time, or why there is none. Returns the height.
float SourceView::draw_time_legend(const Rect& inside, const GpuTime* time, const WindowState& window) const {
    if (!time) return 0;
    std::string words = "No time on a GPU: " + time->absent;
    if (time->lines()) {
        words = "Time on " + gpu_words(*time);
        if (const std::string settings = settings_words(*time); !settings.empty()) words += ": " + settings;
    }
    return draw_legend(inside, words, gpu_time_text(*time), window);
}

float SourceView::draw_registers_legend(const Rect& inside, const LineRegisters& registers,
                                        const WindowState& window) const {
    if (!registers.absent.empty()) {
        const std::string words = "No registers of lines: " + registers.absent;
        return draw_legend(inside, words, words, window);
    }
    std::string words;
    for (const session::KernelResources& kernel : registers.resources->kernels)
        words += (words.empty() ? "" : "\n") + kernel.kernel + ": " + kernel_words(kernel);
    return draw_legend(inside, "Live registers; ▲ spills", words, window);
}

// Draws a share as a bar and a figure, left of the numbers of the lines.
void SourceView::draw_column(const Frame& frame, float y, float share, ImU32 colour, bool hatched,
                             const std::string& figure, ImU32 ink) const {
    const WindowState& window = frame.window;
    const float thick = std::round(frame.row_height / 2),
                top = y + std::round((frame.row_height - thick) / 2);
    const float x = frame.inside.x + window.px(4), all = window.px(time_bar_width);
    const float width = std::max(all * share, 1.0f);
    frame.under->AddRectFilled({x, top}, {x + all, top + thick}, theme().line);
    frame.under->AddRectFilled({x, top}, {x + width, top + thick}, colour);
    if (hatched) draw_hatching(frame.under, {x, top, width, thick}, theme().background, window.px(5));
    draw_text(frame.under, fonts().mono_small,
              {frame.left - text_width(fonts().mono_small, figure),
               centre_line(fonts().mono_small, y, frame.row_height)},
              ink, figure);
}

// Draws the line's share relative to the line that takes most, and as a number.
void SourceView::draw_time(const Frame& frame, std::size_t line, float y) const {
    const double share = time_share(*frame.time, std::uint32_t(line));
    if (share <= 0) return;
    draw_column(frame, y, float(time_bar(*frame.time, std::uint32_t(line))), theme().time,
                frame.time->estimated(), share_words(*frame.time, share),
                share >= much_time ? theme().text_strong : theme().text_quiet);
}

// Draws the live registers of a line; a mark says that it spills.
void SourceView::draw_registers(const Frame& frame, std::size_t line, float y) const {
    const session::LineResources* found = frame.registers->of_line(std::uint32_t(line));
    if (!found) return;
    const float share = float(found->live_registers) / float(std::max(frame.registers->most_live(), 1));
    draw_column(frame, y, share, theme().write_edge, false,
                (found->spills() ? "▲ " : "") + std::to_string(found->live_registers),
                found->spills() ? legible(theme().conflict, theme().panel) : theme().text_quiet);
}

void SourceView::explain_column(const Frame& frame, std::uint32_t line) const {
    std::string text;
    if (frame.time)
        text = line_time_text(*frame.time, line);
    else if (const session::LineResources* found = frame.registers ? frame.registers->of_line(line) : nullptr)
        text = "line " + std::to_string(line) + ": " + line_words(*found);
    if (!text.empty() && !ImGui::IsPopupOpen("line menu")) tooltip(text, frame.window);
}

// Draws a diamond beside the number of a line with problems. Returns whether the mouse is on it.
bool SourceView::draw_problem_mark(const Frame& frame, std::size_t line, float y, Requests& requests) const {
    const std::vector<LineProblem> here = problems_on_line(*frame.session.run(), std::uint32_t(line));
    if (here.empty()) return false;
    const float x = frame.left + frame.window.px((number_width + code_left + 2) / 2);
    draw_diamond(frame.under, ImVec2(x, y + frame.row_height / 2), frame.window.px(8),
                 colour_of(meaning_of(*here.front().problem)));
    const Rect mark{x - frame.window.px(6), y, frame.window.px(12), frame.row_height};
    if (editor_.editing() || !over(mark, frame.inside, frame.window)) return false;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) jump_to(*here.front().site, requests);
    tooltip(words_of(here), frame.window);
    return true;
}

// Beside the code, never over it: a list of warps that is too long for the row is cut.
void SourceView::draw_warps(const Frame& frame, const SourceDocument::Row& row, float y) const {
    const WarpsOnLine there = warps_on_line(frame.session, std::uint32_t(row.line));
    if (there.active.empty() && there.waiting.empty()) return;
    const float gap = frame.window.px(8), code_end = row_end(frame, row) + gap;
    float right =
        std::min(frame.code.right() - ImGui::GetStyle().ScrollbarSize, frame.draw->GetClipRectMax().x) - 1;
    const auto label = [&](const std::string& text, ImU32 colour) {
        const float width = std::min(text_width(fonts().mono, text), right - code_end);
        if (text.empty() || width < text_width(fonts().mono, "w0") || right - width < frame.code.x) return;
        draw_text_within(frame.draw, fonts().mono,
                         ImVec2(right - width, centre_line(fonts().mono, y, frame.row_height)), colour, text,
                         width + 0.5f);
        right -= width + gap;
    };
    label(there.active, theme().accent);
    label(there.waiting, theme().text_faint);
}

void SourceView::draw_line_diagnostics(const Frame& frame, const SourceDocument::Row& row, float y) const {
    for (const Diagnostic& diagnostic : frame.session.diagnostics()) {
        if (std::size_t(std::max(diagnostic.line, 0)) != row.line) continue;
        const ImU32 colour = diagnostic.severity == Severity::error ? theme().conflict : theme().barrier;
        const Rect& inside = frame.inside;
        frame.under->AddRectFilled(ImVec2(inside.x, y), ImVec2(inside.right(), y + frame.row_height),
                                   faded(colour, 0.16f));
        const std::string_view text = document_.line(row.line);
        const std::size_t column = std::min(std::size_t(std::max(diagnostic.column - 1, 0)), text.size());
        if (column < row.begin || (!row.last && column >= row.begin + row.length)) continue;
        const float x =
            row_left(frame, row) + text_width(fonts().mono, text.substr(row.begin, column - row.begin));
        const float width = text_width(fonts().mono, "m"), bottom = y + frame.row_height - 2;
        frame.draw->AddRectFilled(ImVec2(x, bottom - frame.window.px(2)), ImVec2(x + width, bottom), colour);
    }
}

void SourceView::draw_fold_row(const Frame& frame, float y) {
    const WindowState& window = frame.window;
    const std::size_t count = document_.front_last() - document_.front_first() + 1;
    const Rect area{frame.inside.x, y, frame.inside.width, frame.row_height};
    const bool hot = hovered(area, window);
    if (hot && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) document_.fold(false);
    const ImU32 colour = hot ? theme().text : theme().text_faint;
    draw_triangle(frame.under, Triangle::right,
                  ImVec2(area.x + window.px(number_width - 5), y + frame.row_height / 2), window.px(7),
                  colour);
    draw_text(frame.draw, fonts().small,
              ImVec2(frame.code.x, centre_line(fonts().small, y, frame.row_height)), colour,
              tr("parameters, buffers, launch: {1} lines", {std::to_string(count)}));
}

void SourceView::draw_editor(const Frame& frame) {
    const float left = frame.code.x - ImGui::GetScrollX();
    const float width = std::max(frame.code.right() - left,
                                 text_width(fonts().mono, "m") * float(document_.max_line_length() + 8));
    const float height = frame.row_height * float(document_.row_count() + 1);
    editor_.edit({left, frame.top, width, std::max(height, frame.inside.height)}, frame.window);
    if (!editor_.shows_caret(frame.window)) return;
    const std::size_t line = document_.line_at(editor_.caret());
    const std::size_t column =
        std::min(editor_.caret() - document_.line_begin(line), document_.line(line).size());
    const float x = left + text_width(fonts().mono, document_.line(line).substr(0, column));
    const float y = frame.top + float(document_.row_of(line)) * frame.row_height;
    frame.draw->AddRectFilled(ImVec2(x, y),
                              ImVec2(x + std::max(frame.window.px(1.5f), 1.0f), y + frame.row_height),
                              theme().text_strong);
}

}  // namespace lanescope::ui
