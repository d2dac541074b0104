#include "ui/preview/preview_editor.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "ui/kit/widgets.h"
#include "ui/source/code_lines.h"

namespace lanescope::ui {

using session::Document;

namespace {

constexpr float code_left = 40, top_margin = 4;
constexpr std::size_t max_listed = 4;

ImU32 colour_of(const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error ? theme().conflict : theme().barrier;
}

}  // namespace

const Document& PreviewEditor::kernel() const {
    return model_.kernels().document();
}

void PreviewEditor::send() {
    sent_ = editor_.draft();
    if (sent_ == kernel().text()) return;
    model_.edit_kernel([this](Document& document) {
        document.edit(sent_);
        return true;
    });
}

void PreviewEditor::show(bool shown) {
    if (shown == open_) return;
    open_ = shown;
    if (shown) return;
    if (editor_.editing() && editor_.draft() != sent_) send();
    editor_.end();
    kernel_ = ~std::size_t{0};
}

void PreviewEditor::carry_out(PreviewCommand command) {
    if (open_) after_typing_.push_back(command);
}

std::string PreviewEditor::title(const session::Session&) const {
    return model_.kernels().chosen_file().filename().string() + (kernel().edited() ? " (edited)" : "");
}

void PreviewEditor::tools(Heading& heading, const ViewContext&) {
    if (heading.word_right("Done")) show(false);
    if (kernel().edited()) {
        if (heading.word("Reset to the file"))
            model_.edit_kernel([](Document& document) { return document.revert("reset").ok(); });
        if (heading.word(model_.kernels().ships() ? "Save as" : "Save")) save(false);
    }
    if (!kernel().undo_label().empty() && heading.word("Undo"))
        model_.edit_kernel([](Document& document) { return document.undo(); });
    if (!kernel().redo_label().empty() && heading.word("Redo"))
        model_.edit_kernel([](Document& document) { return document.redo(); });
}

// A file of the course is never overwritten: its changed text is saved under a new name.
void PreviewEditor::save(bool other_name) {
    if (!other_name && !model_.kernels().ships()) {
        const Result<void> saved = model_.save_kernel(model_.kernels().chosen_file());
        save_note_ = saved ? "" : to_text(saved.diagnostics().front());
        if (saved) return;
    }
    const std::string proposed =
        proposed_name(model_.kernels().chosen_file(), model_.kernels().ships()).string();
    std::snprintf(path_.data(), path_.size(), "%s", proposed.c_str());
    save_wanted_ = true;
}

// Sends the typed text to the model after a pause, and takes over changes that the model made to the text.
void PreviewEditor::follow_text(const WindowState& window) {
    const bool same_text = editor_.editing() && editor_.draft() == kernel().text();
    if (kernel_ != model_.kernels().chosen() && same_text) {  // the file has a new name
        kernel_ = model_.kernels().chosen();
        sent_ = editor_.draft();
    }
    if (kernel_ != model_.kernels().chosen() || !editor_.editing()) {
        kernel_ = model_.kernels().chosen();
        sent_ = kernel().text();
        document_.set_text(sent_);
        const std::size_t line = document_.front_last() + 1;  // past the front matter
        editor_.begin(sent_, line <= document_.line_count() ? document_.line_begin(line) : 0);
        wanted_line_ = line;
    }
    if (kernel().text() != sent_ && !editor_.changed()) {
        sent_ = kernel().text();
        editor_.replace(sent_);
    }
    const std::vector<PreviewCommand> asked = std::exchange(after_typing_, {});
    if (editor_.take_change(window, !asked.empty())) send();
    for (const PreviewCommand command : asked) {
        if (command == PreviewCommand::undo)
            model_.edit_kernel([](Document& document) { return document.undo(); });
        if (command == PreviewCommand::redo)
            model_.edit_kernel([](Document& document) { return document.redo(); });
        if (command == PreviewCommand::save || command == PreviewCommand::save_as)
            save(command == PreviewCommand::save_as);
    }
    document_.set_text(editor_.draft());
}

void PreviewEditor::content(const Rect& inside, const ViewContext& view) {
    follow_text(view.window);
    view.requests.next_frame |= editor_.changed();
    Rect rows = inside;
    rows.height -= draw_list(inside, view.window);
    const float question = draw_question(inside, view.window);
    rows.y += question;
    rows.height -= question;
    const float left = view.px(code_left);
    const Rect code{rows.x + left, rows.y, rows.width - left, rows.height};
    if (code.empty()) return;
    ImDrawList* under = ImGui::GetWindowDrawList();
    under->PushClipRect(rows.min(), rows.max(), true);
    ImGui::SetCursorScreenPos(code.min());
    ImGui::BeginChild("preview code", ImVec2(code.width, code.height), false,
                      ImGuiWindowFlags_HorizontalScrollbar);
    draw_rows(code, rows, view.window);
    const float width = view.px(24) + text_width(fonts().mono, "m") * float(document_.max_line_length());
    ImGui::SetCursorPos(ImVec2(0, 0));
    ImGui::Dummy(ImVec2(width, font_size(fonts().mono) * float(document_.line_count()) + view.px(8)));
    ImGui::EndChild();
    under->PopClipRect();
    save_popup(view.window);
}

void PreviewEditor::draw_rows(const Rect& code, const Rect& inside, const WindowState& window) {
    const float row_height = font_size(fonts().mono), margin = window.px(top_margin);
    // Takes some frames: the content must exist before it can scroll, and a widget that gets the focus
    // scrolls to its own top.
    constexpr int settling_frames = 3;
    if (wanted_line_ != 0) {
        ImGui::SetScrollY(std::max(float(wanted_line_ - 1) * row_height, 0.0f));
        if (++wanted_frames_ == settling_frames) {
            wanted_line_ = 0;
            wanted_frames_ = 0;
        }
    } else if (editor_.take_caret_move()) {
        show_caret(code, row_height);
    }
    const float top = code.y + margin - ImGui::GetScrollY();
    const auto row_at = [&](float y) { return std::size_t(std::max((y - top) / row_height, 0.0f)); };
    const std::size_t end = std::min(row_at(code.bottom()) + 1, document_.line_count());
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    for (std::size_t row = row_at(code.y); row < end; ++row) {
        const float y = top + float(row) * row_height;
        draw_mistakes(inside, row + 1, y, row_height, code);
        draw_code_line(draw, document_, row + 1,
                       ImVec2(code.x - ImGui::GetScrollX(), centre_line(fonts().mono, y, row_height)),
                       code.right());
    }
    const float text_left = code.x - ImGui::GetScrollX();
    const float width = std::max(code.right() - text_left,
                                 text_width(fonts().mono, "m") * float(document_.max_line_length() + 8));
    const float height = row_height * float(document_.line_count() + 1);
    editor_.edit({text_left, top, width, std::max(height, code.height)}, window);
    draw_caret(code, top, row_height, window);
    // Line numbers do not scroll sideways, so they are drawn over the panel, not in the child window.
    draw->PushClipRect(inside.min(), inside.max());
    for (std::size_t row = row_at(code.y); row < end; ++row) {
        const std::string number = std::to_string(row + 1);
        const float y = top + float(row) * row_height;
        draw_text(draw, fonts().mono,
                  ImVec2(code.x - window.px(10) - text_width(fonts().mono, number),
                         centre_line(fonts().mono, y, row_height)),
                  theme().text_faint, number);
    }
    draw->PopClipRect();
}

void PreviewEditor::draw_mistakes(const Rect& inside, std::size_t line, float y, float row_height,
                                  const Rect& code) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const Diagnostic& diagnostic : model_.diagnostics()) {
        if (std::size_t(std::max(diagnostic.line, 0)) != line) continue;
        draw->AddRectFilled(ImVec2(inside.x, y), ImVec2(inside.right(), y + row_height),
                            faded(colour_of(diagnostic), 0.16f));
        const std::string_view text = document_.line(line);
        const std::size_t column = std::min(std::size_t(std::max(diagnostic.column - 1, 0)), text.size());
        const float x = code.x - ImGui::GetScrollX() + text_width(fonts().mono, text.substr(0, column));
        draw->AddRectFilled(ImVec2(x, y + row_height - 4),
                            ImVec2(x + text_width(fonts().mono, "m"), y + row_height - 2),
                            colour_of(diagnostic));
    }
}

void PreviewEditor::draw_caret(const Rect& code, float top, float row_height,
                               const WindowState& window) const {
    if (!editor_.shows_caret(window)) return;
    const std::size_t line = document_.line_at(editor_.caret());
    const std::size_t column =
        std::min(editor_.caret() - document_.line_begin(line), document_.line(line).size());
    const float x =
        code.x - ImGui::GetScrollX() + text_width(fonts().mono, document_.line(line).substr(0, column));
    const float y = top + float(line - 1) * row_height;
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(x, y), ImVec2(x + std::max(window.px(1.5f), 1.0f), y + row_height), theme().text_strong);
}

void PreviewEditor::show_caret(const Rect& code, float row_height) const {
    const std::size_t line = document_.line_at(std::min(editor_.caret(), document_.text().size()));
    const float y = float(line - 1) * row_height, margin = 2 * row_height;
    const float lowest = y - code.height + 2 * margin, highest = std::max(y - margin, 0.0f);
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::min(lowest, highest), highest));
}

// Asks over the code which text to keep if the file changed both on disk and here. Returns the question's
// height.
float PreviewEditor::draw_question(const Rect& inside, const WindowState& window) {
    if (kernel().question().kind != session::Question::Kind::changed_on_disk) return 0;
    const float height = window.px(40), gap = window.px(10);
    const Rect box{inside.x, inside.y, inside.width, height};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised);
    draw->AddRectFilled(ImVec2(box.x, box.bottom() - 1), box.max(), theme().barrier);
    float right = box.right() - gap;
    const auto answered = [&](const char* id, const std::string& label, ImU32 colour) {
        right -= chip_width(label, window);
        const ImVec2 at(right, box.y + (height - chip_height(window)) / 2);
        right -= gap;
        return chip(id, at, label, window, {colour, false, true});
    };
    const bool disk = answered("take the disk's", "Load from disk", theme().text);
    const bool mine = answered("keep mine", "Keep mine", theme().accent);
    const float left = box.x + window.px(theme().padding);
    draw_text_within(draw, fonts().strong, ImVec2(left, centre_line(fonts().strong, box.y, height)),
                     theme().text_strong, kernel().path().filename().string() + " also changed on disk",
                     right - left);
    if (!disk && !mine) return height;
    send();  // the answer also covers the text that was typed last
    model_.edit_kernel([&](Document& document) { return document.answer(mine); });
    return height;
}

// Lists the mistakes of the newest attempt under the code. Returns the list's height.
float PreviewEditor::draw_list(const Rect& inside, const WindowState& window) {
    const Diagnostics& mistakes = model_.diagnostics();
    if (mistakes.empty()) return 0;
    const std::size_t shown = std::min(mistakes.size(), max_listed);
    const float row = window.px(22), height = row * float(shown + 1) + window.px(10);
    const Rect list{inside.x, inside.bottom() - height, inside.width, height};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(list.min(), list.max(), theme().panel_raised);
    draw->AddRectFilled(list.min(), ImVec2(list.right(), list.y + 1), theme().conflict);
    const float left = list.x + window.px(theme().padding),
                width = list.width - 2 * window.px(theme().padding);
    float y = list.y + window.px(5);
    for (std::size_t i = 0; i < shown; ++i, y += row) {
        const Diagnostic& mistake = mistakes[i];
        std::string text = mistake.line ? "line " + std::to_string(mistake.line) + ": " : std::string();
        text += mistake.message + (mistake.hint.empty() ? "" : " (" + mistake.hint + ")");
        const bool cut = draw_text_within(draw, fonts().text, ImVec2(left, centre_line(fonts().text, y, row)),
                                          colour_of(mistake), text, width);
        if (click_area(("mistake" + std::to_string(i)).c_str(), {list.x, y, list.width, row}) &&
            mistake.line > 3)
            wanted_line_ = std::size_t(mistake.line) - 3;
        if (cut && !window.still && ImGui::IsItemHovered()) tooltip(text, window);
    }
    draw_text(draw, fonts().small, ImVec2(left, centre_line(fonts().small, y, row)), theme().text_quiet,
              "the picture still shows the last good result");
    return height;
}

void PreviewEditor::save_popup(const WindowState& window) {
    if (std::exchange(save_wanted_, false)) ImGui::OpenPopup("save kernel");
    PathPopup popup("save kernel", 420, window);
    const bool was_saving = std::exchange(saving_, popup.open());
    if (!popup.open()) {
        if (was_saving) editor_.focus_again();
        return;
    }
    if (popup.appears()) replacing_.forget();
    if (!popup.typed("##kernel path",
                     save_note_.empty() ? "save the kernel as a file of your own:" : save_note_, path_))
        return;
    const std::filesystem::path path = whole_path(path_.data());
    save_note_ = replacing_.refusal({"saving a kernel", path, {FileKind::cuda}, true}, model_.inputs());
    if (save_note_.empty())
        if (const Result<void> saved = model_.save_kernel(path); !saved)
            save_note_ = to_text(saved.diagnostics().front());
    popup.finish(save_note_.empty());
}

}  // namespace lanescope::ui
