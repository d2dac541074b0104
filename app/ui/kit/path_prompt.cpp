#include "ui/kit/path_prompt.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/file_kind.h"
#include "base/folders.h"
#include "base/language.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace fs = std::filesystem;

namespace {

constexpr float row_height = 25;
constexpr std::size_t seen_rows = 12;

// Returns the folder as typed, with its slash, and the beginning of a name.
std::pair<std::string, std::string> split(const std::string& typed) {
    const std::size_t slash = typed.rfind('/');
    if (slash == typed.npos) return {"", typed};
    return {typed.substr(0, slash + 1), typed.substr(slash + 1)};
}

}  // namespace

fs::path whole_path(const std::string& typed) {
    const char* home = std::getenv("HOME");
    if (home && typed.starts_with("~/")) return fs::path(home) / typed.substr(2);
    std::error_code failed;
    fs::path whole = fs::absolute(typed, failed);
    return failed ? fs::path(typed) : whole.lexically_normal();
}

std::string ReplaceQuestion::refusal(const Output& output, const std::vector<fs::path>& inputs) {
    if (const Result<void> fine = check_outputs({output}, inputs); !fine)
        return to_text(fine.diagnostics().front());
    const fs::path& target = output.file;
    std::error_code ignored;
    const bool ask = fs::exists(target, ignored) && target != asked_;
    asked_ = ask ? target : fs::path();
    return ask ? tr("the file exists; press Enter again to replace it") : "";
}

std::vector<PathChoice> path_choices(const std::string& typed) {
    const auto [folder, beginning] = split(typed);
    std::error_code failed;
    std::vector<PathChoice> choices;
    fs::directory_iterator entry(whole_path(folder.empty() ? "." : folder),
                                 fs::directory_options::skip_permission_denied, failed),
        end;
    for (; !failed && entry != end; entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(beginning) || (name.starts_with(".") && beginning.empty())) continue;
        std::error_code unknown;
        const bool is_folder = entry->is_directory(unknown);
        const FileKind kind = kind_of(entry->path());
        if (is_folder || kind == FileKind::cuda || kind == FileKind::ptx || kind == FileKind::trace ||
            is_image(kind))
            choices.push_back({name, is_folder});
    }
    std::sort(choices.begin(), choices.end(), [](const PathChoice& a, const PathChoice& b) {
        return a.folder != b.folder ? a.folder : a.name < b.name;
    });
    return choices;
}

std::string completed(const std::string& typed, const std::vector<PathChoice>& choices) {
    if (choices.empty()) return typed;
    std::string common = choices.front().name;
    for (const PathChoice& choice : choices) {
        const auto differ =
            std::mismatch(common.begin(), common.end(), choice.name.begin(), choice.name.end());
        common.erase(differ.first, common.end());
    }
    return split(typed).first + common + (choices.size() == 1 && choices.front().folder ? "/" : "");
}

fs::path proposed_name(const fs::path& open, bool lesson) {
    std::error_code ignored;
    fs::path folder = open.parent_path();
    if (lesson)
        if (const auto own = data_folder()) folder = *own;
    fs::path name = folder / (open.stem().string() + ".cu");
    for (int i = 2; fs::exists(name, ignored); ++i)
        name = folder / (open.stem().string() + "-" + std::to_string(i) + ".cu");
    return fs::absolute(name, ignored);
}

void PathPrompt::begin(const session::Session& session, const WindowState& window) {
    std::error_code ignored;
    const Dialog dialog = window.dialog;
    const fs::path& beside = window.preview.open ? window.preview.image : session.document().path();
    const fs::path folder =
        beside.empty() ? fs::current_path(ignored) : fs::absolute(beside, ignored).parent_path();
    typed_ = dialog == Dialog::save_as
                 ? proposed_name(session.document().path(), session.of_course()).string()
                 : folder.string() + "/";
    replace_ = false;    // what Enter kept is the name of the last time
    listed_for_ = "\n";  // not a path, so that the folder is listed again
    note_.clear();
    selected_ = -1;
    replacing_.forget();
}

int PathPrompt::on_event(ImGuiInputTextCallbackData* data) {
    auto& prompt = *static_cast<PathPrompt*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        const bool chosen = prompt.selected_ >= 0 && prompt.selected_ < int(prompt.choices_.size());
        if (chosen) {
            const PathChoice& choice = prompt.choices_[std::size_t(prompt.selected_)];
            prompt.take(split(data->Buf).first + choice.name + (choice.folder ? "/" : ""));
        } else {
            prompt.take(completed(data->Buf, prompt.choices_));
        }
    }
    if (std::exchange(prompt.replace_, false)) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, prompt.replacement_.c_str());
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    }
    return 0;
}

void PathPrompt::take(const std::string& text) {
    replacement_ = text;
    replace_ = true;
}

void PathPrompt::accept(const session::Session& session, Requests& requests) {
    if (selected_ >= 0 && selected_ < int(choices_.size())) {
        const PathChoice& choice = choices_[std::size_t(selected_)];
        typed_ = split(typed_).first + choice.name + (choice.folder ? "/" : "");
        if (choice.folder) return;
    }
    const fs::path file = whole_path(typed_);
    std::error_code ignored;
    if (typed_.empty() || fs::is_directory(file, ignored)) return;
    if (shown_ == Dialog::open_file) {
        if (!fs::exists(file, ignored)) {
            note_ = tr("this file does not exist; choose another name");
            return;
        }
        requests.files.push_back(file);
    } else {
        const Result<fs::path> target = session.save_target(file);
        note_ = !target ? to_text(target.diagnostics().front())
                : *target == session.document().path()
                    ? std::string()
                    : replacing_.refusal({"saving", *target, {kind_of(*target)}, true});
        if (!note_.empty()) return;
        requests.commands.push_back(session::SaveSource{*target});
    }
    requests.set(&WindowState::dialog, Dialog::none);
}

void PathPrompt::move_selection() {
    if (key_pressed(ImGuiKey_DownArrow)) ++selected_;
    if (key_pressed(ImGuiKey_UpArrow)) --selected_;
    selected_ = std::clamp(selected_, -1, int(choices_.size()) - 1);
}

void PathPrompt::draw_choices(const Rect& area, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.px(row_height), padding = window.px(theme().padding);
    const std::size_t first = selected_ < int(seen_rows) ? 0 : std::size_t(selected_) + 1 - seen_rows;
    for (std::size_t i = first; i < std::min(first + seen_rows, choices_.size()); ++i) {
        const Rect row{area.x, area.y + float(i - first) * height, area.width, height};
        if (click_area(("choice" + std::to_string(i)).c_str(), row, choices_[i].name)) {
            take(split(typed_).first + choices_[i].name + (choices_[i].folder ? "/" : ""));
            typed_ = replacement_;
            selected_ = -1;
        }
        const bool hot = !window.still && ImGui::IsItemHovered();
        if (hot || int(i) == selected_) draw->AddRectFilled(row.min(), row.max(), theme().selected);
        draw_text_within(draw, fonts().mono,
                         ImVec2(row.x + padding, centre_line(fonts().mono, row.y, height)),
                         choices_[i].folder ? theme().accent : theme().text,
                         choices_[i].name + (choices_[i].folder ? "/" : ""), row.width - 2 * padding);
    }
}

void PathPrompt::draw(const ViewContext& view) {
    const bool mine = view.window.dialog == Dialog::open_file || view.window.dialog == Dialog::save_as;
    if (std::exchange(shown_, view.window.dialog) != view.window.dialog && mine)
        begin(view.session, view.window);
    if (!mine) return;
    if (listed_for_ != typed_) {
        listed_for_ = typed_;
        choices_ = path_choices(typed_);
    }
    Rect box = centred(view.px(760), view.px(96 + row_height * float(seen_rows)));
    box.y = std::min(box.y, view.px(90));
    begin_overlay("##path", box, view.window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = view.px(theme().padding);
    draw_text(draw, fonts().strong, ImVec2(box.x + padding, box.y + view.px(9)), theme().text_strong,
              shown_ == Dialog::open_file ? "Open" : "Save as");
    draw_text(draw, fonts().small, ImVec2(box.x + view.px(90), box.y + view.px(11)),
              note_.empty() ? theme().text_quiet : theme().conflict,
              note_.empty() ? tr("Tab completes · ↓ ↑ choose · Enter accepts · Esc closes") : note_);
    ImGui::SetCursorScreenPos(ImVec2(box.x + padding, box.y + view.px(36)));
    ImGui::SetNextItemWidth(box.width - 2 * padding);
    ImGui::PushFont(fonts().mono);
    if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue |
                                          ImGuiInputTextFlags_CallbackCompletion |
                                          ImGuiInputTextFlags_CallbackAlways;
    const std::string before = typed_;
    const bool entered = ImGui::InputText("##name", &typed_, flags, on_event, this);
    name_last_item("name");
    ImGui::PopFont();
    if (typed_ != before) selected_ = -1, replacing_.forget(), note_.clear();
    move_selection();
    draw_choices({box.x, box.y + view.px(78), box.width, box.height - view.px(84)}, view.window);
    ImGui::End();
    if (entered) {
        accept(view.session, view.requests);
        take(typed_);
    } else if (clicked_outside(box, view.window)) {
        view.requests.set(&WindowState::dialog, Dialog::none);
    }
}

}  // namespace lanescope::ui
