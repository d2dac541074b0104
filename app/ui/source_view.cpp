#include "ui/source_view.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/problem_marks.h"
#include "ui/source_marks.h"
#include "ui/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float reading_row = 20, heat_width = 5, number_width = 33, code_left = 42, top_margin = 4;
constexpr std::size_t most_listed_errors = 4;

ImU32 colour_of(TokenKind kind) {
    switch (kind) {
        case TokenKind::keyword:
            return theme().keyword;
        case TokenKind::type_name:
            return theme().type_name;
        case TokenKind::builtin:
            return theme().builtin;
        case TokenKind::number:
            return theme().number;
        case TokenKind::string:
            return theme().string;
        case TokenKind::comment:
            return theme().comment;
        case TokenKind::plain:
            break;
    }
    return theme().text;
}

// "kernels/reduction/modulo.cu" → "reduction/modulo.cu"
std::string short_name(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.parent_path().filename();
    return folder.empty() ? path.filename().string() : (folder / path.filename()).string();
}

// A name in the working folder that no file has yet.
std::filesystem::path free_copy_name(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::path name = path.filename();
    for (int i = 2; std::filesystem::exists(name, ignored); ++i)
        name = path.stem().string() + "-" + std::to_string(i) + path.extension().string();
    return std::filesystem::absolute(name, ignored);
}

// No part of the row above stays in sight.
void scroll_to_top(std::size_t row, float row_height, const Shared& shared) {
    ImGui::SetScrollY(row == 0 ? 0 : float(row) * row_height + shared.px(top_margin));
}

}  // namespace

struct SourceView::Frame {
    const session::Session& session;
    const Shared& shared;
    Rect inside;        // of the rows, without the list of errors
    Rect code;          // right of the line numbers; scrolls in both directions
    ImDrawList* under;  // of the panel: line numbers, backgrounds
    ImDrawList* draw;   // of the code
    float row_height;
    float top;                       // of row 0, scrolled
    std::size_t first_row, end_row;  // what can be seen
    bool measured;                   // the run that is shown is of exactly this text
};

std::string SourceView::title(const session::Session& session) const {
    if (session.path().empty()) return "Source";
    if (session.edited()) return session.path().filename().string() + " (edited)";
    return "Source — " + short_name(session.path());
}

void SourceView::tools(Heading& heading, const session::Session& session, Shared& shared,
                       session::Commands& commands) {
    if (session.path().empty()) return;
    if (heading.word(shared.editing ? "Done" : "Edit", true)) shared.editing = !shared.editing;
    if (!session.edited()) return;
    if (heading.word("Revert")) {
        commands.push_back(session::RevertSource{});
        shared.editing = false;
        editor_.end();
    }
    // A lesson stays as it is: what was made of it becomes a file of the person's own.
    if (heading.word(session.lesson() ? "Save copy" : "Save")) {
        const auto path = session.lesson() ? free_copy_name(session.path()) : session.path();
        commands.push_back(session::SaveSource{path});
    }
}

void SourceView::follow_edit_mode(const session::Session& session, Shared& shared,
                                  session::Commands& commands) {
    if (const std::string path = session.path().string(); path != opened_) {
        opened_ = path;
        shared.editing = false;
        editor_.end();
        document_.set_text(session.source());
        document_.fold(true);
        selected_line_ = 0;
    }
    if (shared.editing && !editor_.editing()) editor_.begin(session.source());
    if (editor_.editing() && editor_.take_change(shared, !shared.editing))
        commands.push_back(session::EditSource{editor_.draft()});
    if (!shared.editing && editor_.editing()) {
        editor_.end();
        document_.set_text(editor_.draft());
        document_.fold(true);
        return;
    }
    const bool was_folded = document_.folded();
    document_.set_text(editor_.editing() ? editor_.draft() : session.source());
    document_.fold(was_folded && !editor_.editing());
}

void SourceView::content(const Rect& inside, const session::Session& session, Shared& shared,
                         session::Commands& commands) {
    follow_edit_mode(session, shared, commands);
    if (session.path().empty()) {
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint,
                          "Choose a lesson, or drop a .cu file here");
        return;
    }
    Rect rows = inside;
    rows.height -= draw_problem_list(inside, session, shared, commands);
    ImDrawList* under = ImGui::GetWindowDrawList();
    const float left = shared.px(code_left);
    const Rect code{rows.x + left, rows.y, rows.width - left, rows.height};
    under->PushClipRect(rows.min(), rows.max(), true);
    ImGui::SetCursorScreenPos(code.min());
    ImGui::BeginChild("code", ImVec2(code.width, code.height), false, ImGuiWindowFlags_HorizontalScrollbar);
    const float row_height = editor_.editing() ? font_size(fonts().mono) : std::round(shared.px(reading_row));
    hold_place(row_height, shared);
    const float top = code.y + shared.px(top_margin) - ImGui::GetScrollY();
    const auto row_at = [&](float y) { return std::size_t(std::max((y - top) / row_height, 0.0f)); };
    const Frame frame{session,
                      shared,
                      rows,
                      code,
                      under,
                      ImGui::GetWindowDrawList(),
                      row_height,
                      top,
                      std::min(row_at(code.y), document_.row_count()),
                      std::min(row_at(code.bottom()) + 1, document_.row_count()),
                      session.run() && session.run()->source == document_.text()};
    follow_position(frame);
    for (std::size_t row = frame.first_row; row < frame.end_row; ++row)
        draw_row(frame, row, commands);
    if (editor_.editing()) draw_editor(frame);
    const float width = shared.px(24) + text_width(fonts().mono, "m") * float(document_.longest_line());
    ImGui::SetCursorPos(ImVec2(0, 0));
    ImGui::Dummy(ImVec2(width, row_height * float(document_.row_count()) + shared.px(8)));
    ImGui::EndChild();
    under->PopClipRect();
}

// When rows change their height or their number, the first line of code in sight stays where it is.
void SourceView::hold_place(float row_height, const Shared& shared) {
    const bool changed = row_height != held_row_height_ || document_.folded() != held_folded_;
    if (changed && held_row_height_ > 0)
        held_frames_ = 3;  // until the focus has settled, which scrolls by itself
    held_row_height_ = row_height;
    held_folded_ = document_.folded();
    const float margin = shared.px(top_margin);
    if (held_frames_ == 0) {
        auto row = std::size_t(ImGui::GetScrollY() / row_height);
        if (document_.folded() && document_.line_of(row) == document_.front_first()) ++row;
        held_line_ = document_.line_of(row);
        held_y_ = margin + float(row) * row_height - ImGui::GetScrollY();
        return;
    }
    if (--held_frames_ == 0) followed_step_ = ~std::size_t{0};  // the current line may have left the view
    const std::size_t row = document_.row_of(std::min(held_line_, document_.line_count()));
    const float scroll = std::max(margin + float(row) * row_height - held_y_, 0.0f);
    if (editor_.editing())
        ImGui::SetScrollY(scroll);
    else
        scroll_to_top(std::size_t(scroll / row_height + 0.25f), row_height, shared);
    ImGui::SetScrollX(0);
}

void SourceView::scroll_to_row(const Frame& frame, std::size_t row) const {
    const float y = float(row) * frame.row_height, scroll = ImGui::GetScrollY();
    const float margin = 2 * frame.row_height;
    if (y < scroll + margin || y > scroll + frame.inside.height - 2 * margin)
        scroll_to_top(std::size_t(std::max(y - frame.inside.height * 0.4f, 0.0f) / frame.row_height),
                      frame.row_height, frame.shared);
}

void SourceView::show_caret(const Frame& frame) const {
    const std::size_t line = document_.line_at(editor_.caret());
    const float y = float(document_.row_of(line)) * frame.row_height, margin = 2 * frame.row_height;
    const float lowest = y - frame.code.height + 2 * margin, highest = std::max(y - margin, 0.0f);
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::min(lowest, highest), highest));
    const std::size_t column =
        std::min(editor_.caret() - document_.line_begin(line), document_.line(line).size());
    const float x = text_width(fonts().mono, document_.line(line).substr(0, column)),
                beside = frame.shared.px(40);
    const float rightmost = std::max(x - beside, 0.0f);
    ImGui::SetScrollX(
        std::clamp(ImGui::GetScrollX(), std::min(x - frame.code.width + beside, rightmost), rightmost));
}

void SourceView::follow_position(const Frame& frame) {
    if (editor_.editing()) {
        if (editor_.take_caret_move() && held_frames_ == 0) show_caret(frame);
        return;
    }
    const session::Selection& selection = frame.session.selection();
    if (selection.line != 0 && selection.line != selected_line_)
        scroll_to_row(frame, document_.row_of(selection.line));
    selected_line_ = selection.line;
    const session::Moment* moment = frame.session.moment();
    if (!moment || !frame.measured || moment->step.line == 0) return;
    if (moment->index == followed_step_ && frame.session.generation() == followed_generation_) return;
    followed_step_ = moment->index;
    followed_generation_ = frame.session.generation();
    scroll_to_row(frame, document_.row_of(moment->step.line));
}

void SourceView::draw_row(const Frame& frame, std::size_t row, session::Commands& commands) {
    const float y = frame.top + float(row) * frame.row_height;
    const std::size_t line = document_.line_of(row);
    if (document_.folded() && line == document_.front_first()) return draw_fold_row(frame, y);
    const Rect& inside = frame.inside;
    const Rect area{inside.x, y, inside.width, frame.row_height};
    const session::Moment* moment = frame.session.moment();
    const bool current = frame.measured && moment && moment->step.line == line;
    if (current || frame.session.selection().line == line)
        frame.under->AddRectFilled(area.min(), area.max(),
                                   current ? theme().current_line : theme().panel_raised);
    draw_line_diagnostics(frame, line, y);
    if (frame.measured) draw_heat(frame, line, y);
    const bool on_mark = frame.measured && draw_problem_mark(frame, line, y, commands);
    const std::string number = std::to_string(line);
    const float number_x = inside.x + frame.shared.px(number_width) - text_width(fonts().mono, number);
    draw_text(frame.under, fonts().mono, ImVec2(number_x, centre_line(fonts().mono, y, frame.row_height)),
              current ? theme().text_quiet : theme().text_faint, number);
    draw_code(frame, line, y);
    if (frame.measured) draw_warps(frame, line, y);
    if (on_mark || editor_.editing() || !hovered(area, frame.shared)) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        commands.push_back(
            session::SelectLine{frame.session.selection().line == line ? 0 : std::uint32_t(line)});
    const bool over_heat = ImGui::GetIO().MousePos.x < inside.x + frame.shared.px(number_width);
    const std::string heat =
        over_heat && frame.measured ? heat_text(frame.session, std::uint32_t(line)) : std::string();
    if (!heat.empty()) tooltip(heat, frame.shared);
}

void SourceView::draw_code(const Frame& frame, std::size_t line, float y) const {
    const std::string_view text = document_.line(line);
    ImVec2 at(frame.code.x - ImGui::GetScrollX(), centre_line(fonts().mono, y, frame.row_height));
    std::size_t done = 0;
    const auto piece = [&](std::size_t begin, std::size_t end, ImU32 colour) {
        if (begin >= end || at.x > frame.code.right()) return;
        const std::string_view part = text.substr(begin, end - begin);
        draw_text(frame.draw, fonts().mono, at, colour, part);
        at.x += text_width(fonts().mono, part);
    };
    for (const Token& token : document_.tokens(line)) {
        piece(done, token.begin, theme().text);
        piece(token.begin, token.begin + token.length, colour_of(token.kind));
        done = token.begin + token.length;
    }
    piece(done, text.size(), theme().text);
}

void SourceView::draw_heat(const Frame& frame, std::size_t line, float y) const {
    const float share = heat_of(frame.session, std::uint32_t(line));
    if (share <= 0) return;
    const ImU32 colour = blend(blend(theme().panel, theme().write_edge, 0.15f), theme().write_edge, share);
    frame.under->AddRectFilled(ImVec2(frame.inside.x + 1, y),
                               ImVec2(frame.inside.x + 1 + frame.shared.px(heat_width), y + frame.row_height),
                               colour);
}

// A line with problems has a diamond beside its number. True while the mouse is on it.
bool SourceView::draw_problem_mark(const Frame& frame, std::size_t line, float y,
                                   session::Commands& commands) const {
    const std::vector<LineProblem> here = problems_on_line(*frame.session.run(), std::uint32_t(line));
    if (here.empty()) return false;
    const float x = frame.inside.x + frame.shared.px((number_width + code_left + 2) / 2);
    draw_diamond(frame.under, ImVec2(x, y + frame.row_height / 2), frame.shared.px(8),
                 problem_colour(*here.front().problem));
    const Rect mark{x - frame.shared.px(6), y, frame.shared.px(12), frame.row_height};
    if (editor_.editing() || !hovered(mark, frame.shared)) return false;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) jump_to(*here.front().site, commands);
    tooltip(words_of(here), frame.shared);
    return true;
}

void SourceView::draw_warps(const Frame& frame, std::size_t line, float y) const {
    const WarpsOnLine there = warps_on_line(frame.session, std::uint32_t(line));
    if (there.active.empty() && there.waiting.empty()) return;
    const float code_end =
        frame.code.x - ImGui::GetScrollX() + text_width(fonts().mono, document_.line(line));
    float right = frame.inside.right() - frame.shared.px(12);
    const auto label = [&](const std::string& text, ImU32 colour, bool over_code) {
        const float x = right - text_width(fonts().mono, text), gap = frame.shared.px(8);
        if (text.empty() || (!over_code && x - gap < code_end)) return;
        if (over_code && x - gap < code_end)
            frame.draw->AddRectFilled(ImVec2(x - gap, y), ImVec2(frame.inside.right(), y + frame.row_height),
                                      theme().current_line);
        draw_text(frame.draw, fonts().mono, ImVec2(x, centre_line(fonts().mono, y, frame.row_height)), colour,
                  text);
        right = x - gap;
    };
    label(there.active, theme().accent, true);
    label(there.waiting, theme().text_faint, false);
}

void SourceView::draw_line_diagnostics(const Frame& frame, std::size_t line, float y) const {
    for (const Diagnostic& diagnostic : frame.session.diagnostics()) {
        if (std::size_t(std::max(diagnostic.line, 0)) != line) continue;
        const ImU32 colour = diagnostic.severity == Severity::error ? theme().conflict : theme().barrier;
        const Rect& inside = frame.inside;
        frame.under->AddRectFilled(ImVec2(inside.x, y), ImVec2(inside.right(), y + frame.row_height),
                                   faded(colour, 0.16f));
        const std::string_view text = document_.line(line);
        const std::size_t column = std::min(std::size_t(std::max(diagnostic.column - 1, 0)), text.size());
        const float x = frame.code.x - ImGui::GetScrollX() + text_width(fonts().mono, text.substr(0, column));
        const float width = text_width(fonts().mono, "m"), bottom = y + frame.row_height - 2;
        frame.draw->AddRectFilled(ImVec2(x, bottom - frame.shared.px(2)), ImVec2(x + width, bottom), colour);
    }
}

void SourceView::draw_fold_row(const Frame& frame, float y) {
    const Shared& shared = frame.shared;
    const std::size_t count = document_.front_last() - document_.front_first() + 1;
    const Rect area{frame.inside.x, y, frame.inside.width, frame.row_height};
    const bool hot = hovered(area, shared);
    if (hot && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) document_.fold(false);
    const ImU32 colour = hot ? theme().text : theme().text_faint;
    draw_triangle(frame.under, Triangle::right,
                  ImVec2(area.x + shared.px(number_width - 5), y + frame.row_height / 2), shared.px(7),
                  colour);
    draw_text(frame.draw, fonts().small,
              ImVec2(frame.code.x, centre_line(fonts().small, y, frame.row_height)), colour,
              "parameters, buffers, launch: " + std::to_string(count) + " lines");
}

void SourceView::draw_editor(const Frame& frame) {
    const float left = frame.code.x - ImGui::GetScrollX();
    const float width = std::max(frame.code.right() - left,
                                 text_width(fonts().mono, "m") * float(document_.longest_line() + 8));
    const float height = frame.row_height * float(document_.row_count() + 1);
    editor_.edit({left, frame.top, width, std::max(height, frame.inside.height)}, frame.shared);
    const bool shown = editor_.focused() && (frame.shared.still || std::fmod(frame.shared.now_s, 1.0) < 0.6);
    if (!shown) return;
    const std::size_t line = document_.line_at(editor_.caret());
    const std::size_t column =
        std::min(editor_.caret() - document_.line_begin(line), document_.line(line).size());
    const float x = left + text_width(fonts().mono, document_.line(line).substr(0, column));
    const float y = frame.top + float(document_.row_of(line)) * frame.row_height;
    frame.draw->AddRectFilled(ImVec2(x, y),
                              ImVec2(x + std::max(frame.shared.px(1.5f), 1.0f), y + frame.row_height),
                              theme().text_strong);
}

// The newest attempt's errors under the code. Returns the height that they take.
float SourceView::draw_problem_list(const Rect& inside, const session::Session& session, const Shared& shared,
                                    session::Commands& commands) const {
    const Diagnostics& diagnostics = session.diagnostics();
    if (diagnostics.empty()) return 0;
    const std::size_t shown = std::min(diagnostics.size(), most_listed_errors);
    const float row = shared.px(22), height = row * float(shown + (session.run() ? 1 : 0)) + shared.px(10);
    const Rect list{inside.x, inside.bottom() - height, inside.width, height};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(list.min(), list.max(), theme().panel_raised);
    draw->AddRectFilled(list.min(), ImVec2(list.right(), list.y + 1), theme().conflict);
    float y = list.y + shared.px(5);
    const float left = list.x + shared.px(theme().padding),
                width = list.width - 2 * shared.px(theme().padding);
    for (std::size_t i = 0; i < shown; ++i, y += row) {
        const Diagnostic& diagnostic = diagnostics[i];
        std::string text = diagnostic.line ? "line " + std::to_string(diagnostic.line) + ": " : std::string();
        text += diagnostic.message + (diagnostic.hint.empty() ? "" : " (" + diagnostic.hint + ")");
        const ImU32 colour = diagnostic.severity == Severity::error ? theme().conflict : theme().barrier;
        const bool cut = draw_text_within(draw, fonts().text, ImVec2(left, centre_line(fonts().text, y, row)),
                                          colour, text, width);
        const bool clicked = click_area(("error" + std::to_string(i)).c_str(), {list.x, y, list.width, row});
        if (cut && !shared.still && ImGui::IsItemHovered()) tooltip(text, shared);
        if (clicked && diagnostic.line)
            commands.push_back(session::SelectLine{std::uint32_t(diagnostic.line)});
    }
    if (session.run())
        draw_text(draw, fonts().small, ImVec2(left, centre_line(fonts().small, y, row)), theme().text_quiet,
                  "the last good run stays on the screen");
    return height;
}

}  // namespace lanescope::ui
