#include "ui/window/engine_dialog.h"

#include <imgui_stdlib.h>

#include <utility>

#include "gpu/served/device_command.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float dialog_width = 720, dialog_height = 330, margin_width = 24;
constexpr float first_row = 56, engine_row_height = 50, name_width = 210;

void run_on_cpu(Requests& requests) {
    requests.commands.push_back(session::UseGpu{false});
    requests.set(&WindowState::dialog, Dialog::none);
}

// The place is used from the next run on; a run on another GPU starts again.
void run_on_gpu(const session::Session& session, const std::string& place, Requests& requests) {
    requests.change([place](WindowState& window) {
        window.gpu.place = place;
        window.dialog = Dialog::none;
    });
    if (session.runner().on_device())
        requests.commands.push_back(session::RunAgain{});
    else
        requests.commands.push_back(session::UseGpu{true});
}

bool engine_row(const char* id, const Rect& row, bool chosen, const char* name, const std::string& says,
                const WindowState& window) {
    const bool clicked = click_area(id, row);
    const bool hot = !window.still && ImGui::IsItemHovered();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (hot || chosen) draw->AddRectFilled(row.min(), row.max(), theme().selected, window.px(6));
    const float left = row.x + window.px(14);
    if (chosen) draw_diamond(draw, {left, row.y + row.height / 2}, window.px(5), theme().accent);
    draw_text(draw, fonts().strong, {left + window.px(14), centre_line(fonts().strong, row.y, row.height)},
              theme().text_strong, name);
    draw_text_within(draw, fonts().text,
                     {row.x + window.px(name_width), centre_line(fonts().text, row.y, row.height)},
                     theme().text_quiet, says, row.width - window.px(name_width + 10));
    return clicked;
}

}  // namespace

void EngineDialog::draw(const session::Session& session, const WindowState& window, const std::string& gpu,
                        Requests& requests) {
    const bool open = window.dialog == Dialog::engine;
    if (!std::exchange(open_, open) && open) {
        typed_ = window.gpu.place;
        problem_.clear();
    }
    if (!open) return;
    const Rect box = centred(window.px(dialog_width), window.px(dialog_height));
    begin_overlay("##engine", box, window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float margin = window.px(margin_width), width = box.width - 2 * margin;
    draw_text(draw, fonts().title, {box.x + margin, box.y + window.px(16)}, theme().text_strong, "Engine");
    choices({box.x + margin, box.y + window.px(first_row), width, 0}, session, window, gpu, requests);
    const std::string below =
        !problem_.empty() ? problem_
        : session.run() != nullptr && session.run()->on_device() && !window.gpu.records.empty()
            ? "The last run was on " + session.run()->device + "; " + window.gpu.records + "."
            : "A kernel on a GPU runs in a process of its own. A fault, or a kernel that does not end, costs "
              "this process alone.";
    draw_text_block(draw, fonts().text, {box.x + margin, box.bottom() - window.px(62)},
                    problem_.empty() ? theme().text_quiet : theme().conflict, below, width);
    ImGui::End();
    if (clicked_outside(box, window)) requests.set(&WindowState::dialog, Dialog::none);
}

void EngineDialog::choices(const Rect& area, const session::Session& session, const WindowState& window,
                           const std::string& gpu, Requests& requests) {
    const float height = window.px(engine_row_height);
    const bool on_gpu = session.runner().on_device(), here = window.gpu.place.empty();
    Rect row{area.x, area.y, area.width, height - window.px(4)};
    if (engine_row("cpu", row, !on_gpu, "CPU machine", "checks every access; any order of the threads",
                   window))
        run_on_cpu(requests);
    row.y += height;
    const std::string name = here && !gpu.empty() ? gpu : std::string("found when it runs");
    if (engine_row("this gpu", row, on_gpu && here, "This machine's GPU", name, window))
        run_on_gpu(session, {}, requests);
    row.y += height;
    if (engine_row("other gpu", row, on_gpu && !here, "A GPU elsewhere",
                   "ssh:HOST with Lanescope on it, or a command that starts lanescope __device", window))
        ImGui::SetKeyboardFocusHere();
    row.y += height;
    elsewhere(row, {session, window, requests});
}

void EngineDialog::elsewhere(const Rect& row, const ViewContext& view) {
    const float left = row.x + view.px(name_width), connect = chip_width("Connect", view.window);
    ImGui::SetCursorScreenPos({left, row.y + view.px(4)});
    ImGui::SetNextItemWidth(row.right() - left - connect - view.px(12));
    ImGui::PushFont(fonts().mono);
    const bool entered =
        ImGui::InputTextWithHint("##place", "ssh:user@host", &typed_, ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item("place");
    ImGui::PopFont();
    const bool clicked = chip("connect", {row.right() - connect, row.y + view.px(6)}, "Connect", view.window,
                              {theme().accent});
    if (!entered && !clicked) return;
    const Result<void> sound =
        typed_.empty() ? error("no place is typed", "use ssh:HOST or a command") : gpu::check_place(typed_);
    problem_ = sound ? "" : sound.diagnostics().front().message + ": " + sound.diagnostics().front().hint;
    if (sound) run_on_gpu(view.session, typed_ == "local" ? std::string() : typed_, view.requests);
}

}  // namespace lanescope::ui
