#include "ui/window/compiler_dialog.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/folders.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr const char* compiler_tag = "compiler";

// Returns whether the newest attempt failed because there is no compiler.
bool lacks_compiler(const session::Session& session) {
    return std::any_of(session.diagnostics().begin(), session.diagnostics().end(),
                       [](const Diagnostic& diagnostic) {
                           return diagnostic.hint.find(compile::get_compiler_command) != std::string::npos;
                       });
}

Result<wheels::CompilerPlan> ask_index(const std::atomic<bool>& cancelled) {
    const Result<wheels::Http> http = wheels::Http::open(wheels::pip_settings());
    if (!http) return http.diagnostics();
    if (const auto data = data_folder(); !data) return data.diagnostics();
    return wheels::plan_compiler(*http, wheels::compiler_wheels(), compiler_folder(), cancelled);
}

}  // namespace

CompilerDialog::~CompilerDialog() {
    jobs_.cancel(compiler_tag);
    jobs_.wait(compiler_tag);
}

bool CompilerDialog::busy() const {
    return jobs_.busy(compiler_tag);
}

void CompilerDialog::draw(const ViewContext& view) {
    jobs_.poll();
    if (std::exchange(run_again_, false))
        view.requests.commands.push_back(session::SetCode{view.session.document().settings().code});
    const bool open = view.window.dialog == Dialog::get_compiler;
    if (!std::exchange(open_, open) && open && (stage_ == Stage::idle || stage_ == Stage::failed)) ask();
    if (!open) return offer(view);
    const Rect box = centred(view.px(700), view.px(250));
    begin_overlay("##compiler", box, view.window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float margin = view.px(24), width = box.width - 2 * margin;
    draw_text(draw, fonts().title, {box.x + margin, box.y + view.px(16)}, theme().text_strong,
              "Get the compiler (NVRTC)");
    const ImU32 colour = stage_ == Stage::failed ? theme().conflict : theme().text;
    draw_text_block(draw, fonts().text, {box.x + margin, box.y + view.px(54)}, colour, words(), width);
    const Rect row{box.x + margin, box.bottom() - view.px(52), width, view.px(40)};
    if (stage_ == Stage::getting) bar(row, view.window);
    buttons(row, view.window, view.requests);
    ImGui::End();
}

// Offers the download over the panels, at the place of questions.
void CompilerDialog::offer(const ViewContext& view) {
    const bool asked = view.session.document().question().kind != session::Question::Kind::none;
    const bool program = view.session.host_code().stand() == session::HostCode::Stand::offered;
    if (later_ || asked || program || view.window.lecture || view.window.comparing ||
        !lacks_compiler(view.session))
        return;
    const std::string text = "This file needs a compiler, and NVRTC is not installed";
    const std::string first = busy() ? "Show the download" : "Get NVRTC …", second = "Later";
    const float gap = view.px(14), height = view.px(44);
    const float width = text_width(fonts().strong, text) + chip_width(first, view.window) +
                        chip_width(second, view.window) + 4 * gap;
    const Rect box{std::round(ImGui::GetIO().DisplaySize.x / 2 - width / 2), view.px(106), width, height};
    begin_overlay("##compiler offer", box, view.window, ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRect(box.min(), box.max(), theme().barrier, view.px(8));
    float x = box.x + gap;
    draw_text(draw, fonts().strong, ImVec2(x, centre_line(fonts().strong, box.y, height)),
              theme().text_strong, text);
    x += text_width(fonts().strong, text) + gap;
    const float y = box.y + (height - chip_height(view.window)) / 2;
    if (chip("get", ImVec2(x, y), first, view.window, {theme().accent, false, true}))
        view.requests.act("compiler.get");
    x += chip_width(first, view.window) + gap;
    if (chip("later", ImVec2(x, y), second, view.window)) later_ = true;
    ImGui::End();
}

std::string CompilerDialog::words() const {
    switch (stage_) {
        case Stage::idle:
        case Stage::asking:
            return "Asking the package index for the size of the download …";
        case Stage::ready:
            return "NVRTC compiles your own files and the lessons that you change. The download takes " +
                   wheels::megabytes(plan_->download_bytes) + " from " + plan_->host + " and goes into " +
                   plan_->folder.string() + ". NVRTC comes with NVIDIA's licence, which applies to it.";
        case Stage::getting: {
            const std::scoped_lock lock(shared_->mutex);
            const wheels::CompilerProgress& now = shared_->progress;
            return now.words + ": " + wheels::megabytes(now.done_bytes) +
                   (now.all_bytes == 0 ? "" : " of " + wheels::megabytes(now.all_bytes));
        }
        case Stage::done:
            return "NVRTC is installed. Lanescope now compiles your own files.";
        case Stage::failed:
            return failure_;
    }
    return {};
}

void CompilerDialog::buttons(const Rect& row, const WindowState& window, Requests& requests) {
    const float y = row.y + (row.height - chip_height(window)) / 2;
    const char* close_label = stage_ == Stage::asking || stage_ == Stage::getting ? "Cancel" : "Close";
    float x = row.right() - chip_width(close_label, window);
    if (chip("close", {x, y}, close_label, window)) {
        cancel();
        requests.set(&WindowState::dialog, Dialog::none);
    }
    const char* action = stage_ == Stage::ready    ? "Download"
                         : stage_ == Stage::failed ? "Try again"
                                                   : nullptr;
    if (!action) return;
    x -= chip_width(action, window) + window.px(10);
    if (chip("go", {x, y}, action, window, {theme().accent})) {
        if (stage_ == Stage::ready)
            get();
        else
            ask();
    }
}

void CompilerDialog::bar(const Rect& row, const WindowState& window) const {
    const float width = row.width - chip_width("Cancel", window) - window.px(20);
    const Rect bar{row.x, row.y + row.height / 2 - window.px(3), width, window.px(6)};
    float share = 0;
    {
        const std::scoped_lock lock(shared_->mutex);
        const wheels::CompilerProgress& now = shared_->progress;
        share = now.all_bytes == 0 ? 1 : std::min(1.0f, float(now.done_bytes) / float(now.all_bytes));
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, window.px(3));
    draw->AddRectFilled(bar.min(), {bar.x + bar.width * share, bar.bottom()}, theme().active_edge,
                        window.px(3));
}

// --- The work ----------------------------------------------------------------------------------------------

void CompilerDialog::fail(const Diagnostics& why) {
    stage_ = Stage::failed;
    failure_ = why.front().message + (why.front().hint.empty() ? "" : ". " + why.front().hint);
}

void CompilerDialog::cancel() {
    if (stage_ != Stage::asking && stage_ != Stage::getting) return;
    jobs_.cancel(compiler_tag);
    stage_ = Stage::idle;
}

void CompilerDialog::ask() {
    stage_ = Stage::asking;
    jobs_.start(compiler_tag, [this](JobContext& context) -> Jobs::Completion {
        auto plan = std::make_shared<Result<wheels::CompilerPlan>>(ask_index(context.cancel_flag()));
        return [this, plan] {
            if (!*plan) return fail(plan->diagnostics());
            plan_ = **plan;
            stage_ = Stage::ready;
        };
    });
}

void CompilerDialog::get() {
    stage_ = Stage::getting;
    shared_->progress = {"downloading", 0, plan_->download_bytes};
    jobs_.start(compiler_tag,
                [this, plan = *plan_, shared = shared_](JobContext& context) -> Jobs::Completion {
                    const Result<wheels::Http> http = wheels::Http::open(wheels::pip_settings());
                    const auto told = [&](const wheels::CompilerProgress& now) {
                        const std::scoped_lock lock(shared->mutex);
                        shared->progress = now;
                    };
                    auto done = std::make_shared<Result<void>>(
                        http ? wheels::install_compiler(*http, plan, told, context.cancel_flag())
                             : Result<void>(http.diagnostics()));
                    return [this, done] {
                        if (!*done) return fail(done->diagnostics());
                        stage_ = Stage::done;
                        run_again_ = true;
                    };
                });
}

}  // namespace lanescope::ui
