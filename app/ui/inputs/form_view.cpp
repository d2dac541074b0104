#include "ui/inputs/form_view.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "base/file_kind.h"
#include "execution/run/launch_arguments.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float field_row = 29, title_row = 34, note_row = 20, column_row = 18;
constexpr const char* section_names[form_sections] = {"Parameters", "Buffers", "Launches, in order",
                                                      "Expected at the end"};

}  // namespace

void FormView::read(const session::Session& session) {
    jobs_.cancel("read");
    read_from_ = session.document().text();
    unreadable_.clear();
    form_ = {};
    proposed_ = false;
    const session::Settings& settings = session.document().settings();
    if (const execution::RunResult* run = session.run(); run && run->proposed && run->source == read_from_) {
        proposed_ = true;  // what runs
        form_ = form_of(run->instance.front);
        return;
    }
    const std::string file = session.document().path().string();
    const auto read_front = [source = read_from_, file,
                             opening = execution::Opening{settings.flags, settings.kernel, settings.launch}] {
        Front read;
        read.front = execution::front_matter_of(source, file, opening, read.proposed);
        return read;
    };
    const auto stated = lesson::parse_front_matter(read_from_, file);
    if (kind_of(file) != FileKind::ptx && (!stated || stated->present)) return take_front(read_front());
    // A proposal compiles the file and tries launches.
    jobs_.start("read", [this, read_front](JobContext&) {
        return [this, read = read_front()] { take_front(read); };
    });
}

void FormView::take_front(const Front& read) {
    proposed_ = read.proposed;
    if (read.front)
        form_ = form_of(*read.front);
    else
        unreadable_ = to_text(read.front.diagnostics());
}

// Checks the entries in a job, because the check makes the contents of buffers and reads images.
void FormView::write(const session::Session& session) {
    jobs_.start("check", [this, form = form_, source = session.document().text(),
                          file = session.document().path().string()](JobContext&) {
        FormModel checked = form;
        auto made = source_with(checked, source, file);
        return [this, checked = std::move(checked), source, made = std::move(made)] {
            take_checked(checked, source, made);
        };
    });
}

// The user may have typed during the check, but rows are then only added at the end of their section.
void FormView::take_checked(FormModel checked, const std::string& source, std::optional<std::string> made) {
    if (source != read_from_) return;  // the source has changed since
    form_.error = checked.error;
    for (std::size_t section = 0; section < form_sections; ++section)
        for (std::size_t i = 0; i < std::min(checked.rows[section].size(), form_.rows[section].size()); ++i) {
            form_.rows[section][i].error = checked.rows[section][i].error;
            form_.rows[section][i].wrong = checked.rows[section][i].wrong;
        }
    if (!made || *made == source) return;
    const auto front = lesson::parse_front_matter(*made, "");
    if (!front) return;
    read_from_ = *made;  // the form already shows it
    form_.front = *front;
    for (std::size_t section = 0; section < form_sections; ++section)
        for (std::size_t i = 0; i < std::min(checked.rows[section].size(), form_.rows[section].size()); ++i)
            form_.rows[section][i].origin = int(i);
    proposed_ = false;
    made_ = std::move(made);
}

void FormView::heading(const Rect& box, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = view.px(18), y = box.y + view.px(12);
    const std::string title = view.session.document().path().filename().string();
    draw_text(draw, fonts().title, ImVec2(box.x + padding, y), theme().text_strong, title);
    const float x = box.x + padding + text_width(fonts().title, title) + view.px(16);
    float right = box.right() - padding - chip_width("Close", view.window);
    if (chip("close", ImVec2(right, y - view.px(3)), "Close", view.window))
        view.requests.set(&WindowState::dialog, Dialog::none);
    if (proposed_ && unreadable_.empty()) {
        right -= chip_width("Write into the file", view.window) + view.px(10);
        if (chip("write", ImVec2(right, y - view.px(3)), "Write into the file", view.window,
                 {theme().accent, false, true}))
            write(view.session);
    }
    std::string note = "a change runs at once; Ctrl + Z undoes it";
    if (proposed_) {
        note = "proposed from the kernel and its host code; not in the file yet";
        for (const std::string& guess : form_.front.proposal.notes)
            note += " · " + guess;
    }
    if (jobs_.busy("check")) note = "checking …";
    if (!form_.error.empty()) note = form_.error;
    draw_text_within(draw, fonts().text, ImVec2(x, y + view.px(1)),
                     form_.error.empty() ? theme().text_quiet : theme().conflict, note, right - x - padding);
}

float FormView::row(FormSection which, std::size_t number, const Rect& area, float y,
                    const WindowState& window) {
    FormRow& row = form_.of(which)[number];
    const std::vector<FormColumn>& columns = columns_of(which);
    const float gap = window.px(6), remove = window.px(26);
    float x = area.x;
    ImGui::PushID(int(number));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const float width = (area.width - remove) * columns[i].share;
        const bool wrong = !row.error.empty() && row.wrong == i;
        ImGui::SetCursorScreenPos(ImVec2(x, y));
        ImGui::SetNextItemWidth(width - gap);
        ImGui::PushStyleColor(ImGuiCol_Border, wrong ? theme().conflict : theme().line);
        ImGui::PushStyleColor(ImGuiCol_FrameBg, theme().panel);
        ImGui::PushID(int(i));
        ImGui::InputTextWithHint("##field", columns[i].hint, &row.fields[i]);
        name_last_item(columns[i].key);
        entered_ = entered_ || ImGui::IsItemDeactivatedAfterEdit();
        ImGui::PopID();
        ImGui::PopStyleColor(2);
        x += width;
    }
    const Rect cross{x, y, remove, window.px(field_row - 4)};
    if (click_area("remove", cross)) removed_ = int(number), removed_from_ = which;
    const bool hot = !window.still && ImGui::IsItemHovered();
    if (hot) tooltip("remove this line; Ctrl + Z brings it back", window);
    draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, cross,
                      hot ? theme().conflict : theme().text_faint, "×");
    ImGui::PopID();
    y += window.px(field_row);
    if (row.error.empty()) return y;
    draw_text_within(ImGui::GetWindowDrawList(), fonts().small, ImVec2(area.x + window.px(4), y),
                     theme().conflict, std::string(columns[row.wrong].key) + ": " + row.error,
                     area.width - window.px(8));
    return y + window.px(note_row);
}

float FormView::section(FormSection which, const Rect& area, float y, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushID(int(which));
    const std::string name = section_names[std::size_t(which)];
    draw_text(draw, fonts().strong, ImVec2(area.x, y + window.px(8)), theme().text_strong, name);
    const float add_x = area.x + text_width(fonts().strong, name) + window.px(12);
    if (chip("add", ImVec2(add_x, y + window.px(3)), "add", window))
        form_.of(which).push_back({std::vector<std::string>(columns_of(which).size()), -1, {}, 0});
    y += window.px(title_row);
    float x = area.x;
    if (!form_.of(which).empty()) {
        for (const FormColumn& column : columns_of(which)) {
            draw_text(draw, fonts().small, ImVec2(x + window.px(3), y), theme().text_quiet, column.key);
            x += (area.width - window.px(26)) * column.share;
        }
        y += window.px(column_row);
    }
    for (std::size_t i = 0; i < form_.of(which).size(); ++i)
        y = row(which, i, area, y, window);
    ImGui::PopID();
    return y + window.px(6);
}

void FormView::draw(const ViewContext& view) {
    jobs_.poll();
    view.requests.next_frame |= jobs_.busy("read") || jobs_.busy("check");
    const bool handed_on = made_.has_value();  // the session gets it in the next frame
    if (made_) view.requests.commands.push_back(session::EditSource{*std::exchange(made_, std::nullopt)});
    const bool opened = std::exchange(shown_, view.window.dialog) != view.window.dialog;
    if (view.window.dialog != Dialog::form) return;
    if (opened || (view.session.document().text() != read_from_ && !handed_on)) read(view.session);
    const Rect box = centred(view.px(1040), view.px(700));
    begin_overlay("##form", box, view.window, 0);
    heading(box, view);
    const float padding = view.px(18), top = box.y + view.px(46);
    const Rect area{box.x + padding, top, box.width - 2 * padding, box.bottom() - top - view.px(10)};
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("fields", ImVec2(area.width, area.height));
    entered_ = false;
    removed_ = -1;
    float y = area.y - ImGui::GetScrollY();
    const Rect inside{area.x, area.y, area.width - view.px(12), area.height};
    if (jobs_.busy("read"))
        draw_text(ImGui::GetWindowDrawList(), fonts().text, ImVec2(inside.x, y), theme().text_quiet,
                  "looking for a launch …");
    else if (unreadable_.empty())
        for (std::size_t i = 0; i < form_sections; ++i)
            y = section(FormSection(i), inside, y, view.window);
    else
        draw_text_within(ImGui::GetWindowDrawList(), fonts().text, ImVec2(inside.x, y), theme().conflict,
                         "The form cannot show this file: " + unreadable_, inside.width);
    ImGui::SetCursorScreenPos(ImVec2(area.x, y));
    ImGui::Dummy(ImVec2(1, view.px(4)));
    ImGui::EndChild();
    ImGui::End();
    if (removed_ >= 0) {
        std::vector<FormRow>& rows = form_.of(removed_from_);
        rows.erase(rows.begin() + removed_);
        entered_ = true;
    }
    if (entered_) write(view.session);
}

}  // namespace lanescope::ui
