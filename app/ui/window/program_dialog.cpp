#include "ui/window/program_dialog.h"

#include <imgui_stdlib.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <utility>

#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

namespace fs = std::filesystem;
using Stand = session::HostCode::Stand;

// "ada (1000)": the user as whom programs run.
std::string user_words() {
    constexpr std::size_t room = 16384;
    std::array<char, room> text{};
    passwd entry{};
    passwd* found = nullptr;
    const std::string number = std::to_string(geteuid());
    if (getpwuid_r(geteuid(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr)
        return "number " + number;
    return std::string(entry.pw_name) + " (" + number + ")";
}

std::string name_of(const session::Session& session) {
    return session.document().path().filename().string();
}

}  // namespace

void ProgramDialog::draw(const ViewContext& view) {
    const bool open = view.window.dialog == Dialog::run_program;
    if (!std::exchange(open_, open) && open) begin(view.session);
    if (open)
        dialog(view);
    else
        offer(view);
}

void ProgramDialog::begin(const session::Session& session) {
    const session::ProgramRequest known = session.host_code().request();
    typed_ = session::line_of(known.arguments);
    check_ = known.check;
    refused_.clear();
}

// --- The offer ---------------------------------------------------------------------------------------------

void ProgramDialog::offer(const ViewContext& view) {
    const Stand stand = view.session.host_code().stand();
    const bool missing = stand == Stand::no_compiler;
    if (stand != Stand::offered && !missing) return;
    if (view.session.host_code().of_course()) return;  // the parameters have a button
    const bool asked = view.session.document().question().kind != session::Question::Kind::none;
    if (asked || view.window.lecture || view.window.comparing || view.window.preview.open ||
        view.window.source.editing || view.window.tour_stop >= 0 || later_ == view.session.document().path())
        return;
    std::string text = name_of(view.session) + " is a whole program; its kernels are shown alone";
    if (missing) {
        const Diagnostic& why = view.session.host_code().missing().front();
        text = name_of(view.session) + ": " + why.message + "; " + why.hint;
    }
    const std::string first = "Run the program …", second = missing ? "Close" : "Kernels only";
    const float gap = view.px(14), height = view.px(44);
    const float chips =
        chip_width(second, view.window) + (missing ? 0 : chip_width(first, view.window) + gap);
    const float room =
        std::min(text_width(fonts().strong, text), ImGui::GetIO().DisplaySize.x - chips - 5 * gap);
    const float width = room + chips + 3 * gap;
    const Rect box{std::round(ImGui::GetIO().DisplaySize.x / 2 - width / 2), view.px(106), width, height};
    begin_overlay("##program offer", box, view.window, ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRect(box.min(), box.max(), theme().barrier, view.px(8));
    float x = box.x + gap;
    const Rect words{x, box.y, room, height};
    if (draw_text_within(draw, fonts().strong, {x, centre_line(fonts().strong, box.y, height)},
                         theme().text_strong, text, room + 1) &&
        hovered(words, view.window))
        tooltip(text, view.window);
    x += room + gap;
    const float y = box.y + (height - chip_height(view.window)) / 2;
    if (!missing) {
        if (chip("run program", {x, y}, first, view.window, {theme().accent, false, true, "run the program"}))
            view.requests.act("program.run");
        x += chip_width(first, view.window) + gap;
    }
    if (chip("kernels only", {x, y}, second, view.window, {.name = "kernels only"})) {
        if (missing)
            later_ = view.session.document().path();
        else
            view.requests.commands.push_back(session::DeclineProgram{});
    }
    ImGui::End();
}

// --- The dialogue ------------------------------------------------------------------------------------------

void ProgramDialog::dialog(const ViewContext& view) {
    const Rect box = centred(view.px(760), view.px(350));
    begin_overlay("##program", box, view.window);
    const float margin = view.px(24);
    Rect row{box.x + margin, box.y + view.px(16), box.width - 2 * margin, 0};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text_within(draw, fonts().title, row.min(), theme().text_strong, "Run " + name_of(view.session),
                     row.width);
    row.y = box.y + view.px(54);
    row.y +=
        draw_text_block(fonts().text, row, theme().text,
                        "The host code of this file runs as a process of your own. It can read, change "
                        "and delete your files and use the network, like any program that you start. Run "
                        "only programs that you trust.") +
        view.px(10);
    row.y += facts(row, view.session) + view.px(10);
    bool entered = false;
    row.y += inputs(row, view.window, entered);
    buttons({row.x, box.bottom() - view.px(48), row.width, chip_height(view.window)}, entered, view.window,
            view.requests);
    ImGui::End();
}

// Draws what will run, as which user, where, and with which limits. Returns the height.
float ProgramDialog::facts(const Rect& room, const session::Session& session) const {
    std::error_code unknown;
    const std::string name = session.document().path().stem().string();
    const std::string limit = std::to_string(static_cast<int>(session::unattended_limit_s / 60));
    const std::array<std::pair<const char*, std::string>, 4> rows{
        {{"runs", "nvcc compiles " + session.document().path().string() + ", then " + name + " runs"},
         {"as", "the user " + user_words() + ", in the folder " + fs::current_path(unknown).string()},
         {"limits", limit + " minutes, 256 MiB of output, no input; kernels run on " +
                        (session.host_code().request().on_gpu ? "the GPU" : "the CPU machine")},
         {"again", "when the file changes on disk or is saved, until this window closes"}}};
    const float column = text_width(fonts().strong, "limits") * 1.4f;
    float y = room.y;
    for (const auto& [what, words] : rows) {
        draw_text(ImGui::GetWindowDrawList(), fonts().strong, {room.x, y}, theme().text_quiet, what);
        y +=
            draw_text_block(fonts().text, {room.x + column, y, room.width - column, 0}, theme().text, words) +
            font_size(fonts().text) * 0.25f;
    }
    return y - room.y;
}

// Draws the input for arguments and the choice of a checked run.
float ProgramDialog::inputs(const Rect& row, const WindowState& window, bool& entered) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.px(28), label = text_width(fonts().strong, "arguments") + window.px(14);
    draw_text(draw, fonts().strong, {row.x, centre_line(fonts().strong, row.y, height)}, theme().text_quiet,
              "arguments");
    const Rect box{row.x + label, row.y, row.width - label, height};
    if (window.still) {  // headless pictures have no text widget
        draw->AddRectFilled(box.min(), box.max(), theme().panel, window.px(theme().rounding));
        draw_text_within(draw, fonts().mono, {box.x + window.px(8), centre_line(fonts().mono, box.y, height)},
                         theme().text, typed_, box.width - window.px(16));
    } else {
        ImGui::SetCursorScreenPos(box.min());
        ImGui::SetNextItemWidth(box.width);
        ImGui::PushFont(fonts().mono);
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        const std::string before = typed_;
        entered = ImGui::InputText("##arguments", &typed_, ImGuiInputTextFlags_EnterReturnsTrue);
        name_last_item("arguments");
        ImGui::PopFont();
        if (typed_ != before) refused_.clear();
    }
    const float y = row.y + height + window.px(8);
    const std::string word = check_ ? "✓ also look for races" : "also look for races";
    if (chip("check", {row.x + label, y}, word, window, {.name = "check for races"})) check_ = !check_;
    const float x = row.x + label + chip_width(word, window) + window.px(10);
    const std::string words =
        refused_.empty() ? "in every launch and between streams; this takes longer" : refused_;
    draw_text_within(draw, fonts().small, {x, centre_line(fonts().small, y, chip_height(window))},
                     refused_.empty() ? theme().text_quiet : theme().conflict, words, row.right() - x);
    return y + chip_height(window) - row.y;
}

void ProgramDialog::buttons(const Rect& row, bool entered, const WindowState& window, Requests& requests) {
    const std::string close = "Cancel", run = "Run";
    float x = row.right() - chip_width(close, window);
    if (chip("close", {x, row.y}, close, window, {.name = "cancel program"}))
        requests.set(&WindowState::dialog, Dialog::none);
    x -= chip_width(run, window) + window.px(10);
    const bool chosen = chip("go", {x, row.y}, run, window, {theme().accent, false, true, "run now"});
    if (!chosen && !entered) return;
    Result<std::vector<std::string>> words = session::words_of(typed_);
    if (!words) {
        refused_ = words.diagnostics().front().message + "; " + words.diagnostics().front().hint;
        return;
    }
    requests.commands.push_back(session::RunProgram{std::move(*words), check_});
    requests.set(&WindowState::dialog, Dialog::none);
    requests.set(&WindowState::inspector, &InspectorState::tab, InspectorTab::launches);
}

}  // namespace lanescope::ui
