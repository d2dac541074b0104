#include "ui/window/export_dialog.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/outputs.h"
#include "base/process.h"
#include "execution/run/input_files.h"
#include "image/encode.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* job_tag = "export";
constexpr const char* endings[] = {".png", ".svg", ".gif", ".pdf", ".html"};
constexpr FileKind kinds[] = {FileKind::png, FileKind::svg, FileKind::gif, FileKind::pdf, FileKind::html};
constexpr int child_limit_ms = 3600 * 1000;

fs::path first_place(const session::Session& session, ExportFormat format) {
    const char* home = std::getenv("HOME");
    const fs::path folder = home ? fs::path(home) : fs::current_path();
    return folder / (session.document().path().stem().string() + endings[std::size_t(format)]);
}

std::string size_words(std::uintmax_t bytes) {
    return bytes < 1 << 20 ? std::to_string((bytes + 1023) / 1024) + " KB"
                           : std::to_string((bytes + (1 << 19)) >> 20) + " MB";
}

// Returns the first line of the child's error output.
Diagnostic complaint(const ProcessOutcome& outcome) {
    std::string text = outcome.err.substr(0, outcome.err.find('\n'));
    if (text.starts_with("error: ")) text.erase(0, 7);
    return error(outcome.cancelled ? "cancelled"
                 : text.empty()    ? "the export failed without a message"
                                   : text);
}

float share_in(const fs::path& file) {
    const Result<std::string> text = read_file(file, 64);
    return text ? std::clamp(std::strtof(text->c_str(), nullptr), 0.0f, 1.0f) : 0.0f;
}

}  // namespace

std::vector<std::string> export_arguments(const session::Session& session, const fs::path& file,
                                          const fs::path& output, const std::string& steps, int delay_ms,
                                          const ExportedView& view) {
    std::vector<std::string> arguments = {"export", file.string(), "-o", output.string()};
    const auto add = [&](const char* name, const std::string& value) {
        arguments.insert(arguments.end(), {name, value});
    };
    if (kind_of(file) != FileKind::trace) {
        for (const auto& [name, value] : session.parameters())
            add("--set", name + "=" + std::to_string(value));
        add("--code", session.document().settings().code == compile::Code::debug ? "debug" : "optimized");
        for (std::string& argument : compile::arguments_of(session.document().settings().flags))
            arguments.push_back(std::move(argument));
        if (!session.document().settings().kernel.empty())
            add("--kernel", session.document().settings().kernel);
        for (const auto& [option, value] : session.document().settings().launch.options())
            add(option.c_str(), value);
        if (session.runner().on_device())
            add("--engine", "gpu");
        else
            add("--schedule", simt::to_text(session.document().settings().schedule));
    }
    if (!steps.empty()) add("--steps", steps);
    if (kind_of(output) == FileKind::gif) add("--delay", std::to_string(delay_ms));
    const bool drawn = kind_of(output) != FileKind::html;
    if (drawn && view.name != "explore") add("--view", view.name);
    if (drawn && view.other != nullptr) {
        add("--with", view.other->document().path().string());
        for (const auto& [name, value] : view.other->parameters())
            add("--with-set", name + "=" + std::to_string(value));
    }
    if (kind_of(output) == FileKind::html) add("--blocks", std::to_string(session.playhead().block()));
    return arguments;
}

ExportedView exported_view(const session::Session* other, const WindowState& window) {
    if (other != nullptr) return {"compare", other};
    if (window.lecture) return {"lecture", nullptr};
    if (const char* view = mode_of(window.stage_tab).view; *view != 0) return {view, nullptr};
    if (window.timeline_rows == TimelineRows::multiprocessors) return {"schedule", nullptr};
    if (window.timeline_rows == TimelineRows::cycles) return {"clock", nullptr};
    return {};
}

std::string why_not_exported(ExportFormat format, const session::Session& session,
                             const session::Session* other) {
    if (format == ExportFormat::png || format == ExportFormat::html || other == nullptr) return {};
    if (kind_of(session.document().path()) == FileKind::trace || session.host_code().runs() ||
        kind_of(other->document().path()) == FileKind::trace || session.runner().on_device())
        return "a figure of two runs needs .cu files on the CPU machine";
    if (other->runner().busy() || other->run() == nullptr) return "the other run has no result yet";
    if (session.document().settings().code != other->document().settings().code)
        return "a figure of two runs needs debug code or optimised code in both";
    return {};
}

ExportDialog::~ExportDialog() {
    jobs_.cancel(job_tag);
    jobs_.wait(job_tag);
}

bool ExportDialog::busy() const {
    return jobs_.busy(job_tag);
}

bool ExportDialog::exists() const {
    std::error_code failed;
    return fs::exists(path_, failed);
}

void ExportDialog::set_format(ExportFormat format, const session::Session& session) {
    format_ = format;
    fs::path path = path_.empty() ? first_place(session, format) : fs::path(path_);
    path_ = path.replace_extension(endings[std::size_t(format)]).string();
    asked_ = false;
    message_.clear();
}

void ExportDialog::begin(const session::Session& session) {
    path_.clear();
    first_ = "1";
    last_ = std::to_string(session.playhead().steps().size());
    set_format(format_, session);
}

void ExportDialog::draw(const session::Session& session, const session::Session* other,
                        const WindowState& window, Requests& requests) {
    jobs_.poll();
    view_ = exported_view(other, window);
    if (!std::exchange(open_, window.exporting) && window.exporting && !busy()) begin(session);
    if (!window.exporting || wants_picture_) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(window.px(860), display.x), height = window.px(272);
    const Rect box{std::round((display.x - width) / 2), std::round((display.y - height) / 2.6f), width,
                   height};
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoNav;
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin("##export", nullptr, flags);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(8));
    draw->AddRect(box.min(), box.max(), theme().line, window.px(8));
    const float x = box.x + window.px(24), row = window.px(44);
    draw_text(draw, fonts().title, {x, box.y + window.px(16)}, theme().text_strong, "Export");
    Rect line{x, box.y + window.px(48), box.width - window.px(48), row};
    formats(line, session, window);
    line.y += row;
    fields(line, session, window);
    line.y += 2 * row;
    if (busy())
        progress(line, window);
    else
        ending(line, {session, window, requests});
    ImGui::End();
}

void ExportDialog::formats(const Rect& row, const session::Session& session, const WindowState& window) {
    static constexpr const char* names[] = {"this view (.png)", "figure (.svg)", "animation (.gif)",
                                            "slides (.pdf)", "page for any browser (.html)"};
    float x = row.x;
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const bool chosen = std::size_t(format_) == i;
        const std::string label = (chosen ? "● " : "○ ") + std::string(names[i]);
        const ImVec2 at(x, row.y + (row.height - chip_height(window)) / 2);
        if (chip(names[i], at, label, window, {chosen ? theme().accent : theme().text}) && !busy())
            set_format(ExportFormat(i), session);
        x += chip_width(label, window) + window.px(10);
    }
}

void ExportDialog::fields(const Rect& row, const session::Session& session, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto label = [&](const char* text, float x, float y) {
        draw_text(draw, fonts().text, {x, centre_line(fonts().text, y, row.height)}, theme().text_quiet,
                  text);
        return x + text_width(fonts().text, text) + window.px(8);
    };
    const auto input = [&](const char* id, std::string& text, float x, float y, float width) {
        ImGui::SetCursorScreenPos({x, y + (row.height - window.px(24)) / 2});
        ImGui::SetNextItemWidth(width);
        if (ImGui::InputText(id, &text)) asked_ = false, message_.clear();
        name_last_item(id);
        return x + width + window.px(8);
    };
    float x = label("file", row.x, row.y);
    input("##path", path_, x, row.y, row.right() - x);
    const float y = row.y + row.height;
    if (format_ == ExportFormat::png) {
        label("what the window shows now, without this dialogue", row.x, y);
        return;
    }
    if (format_ == ExportFormat::svg) {
        label("the step that the window shows, without its panels, for documents", row.x, y);
        return;
    }
    x = input("##first", first_, label("steps", row.x, y), y, window.px(80));
    x = input("##last", last_, label("to", x, y), y, window.px(80));
    const std::string all = "of " + grouped(session.playhead().steps().size()) +
                            (view_.other == nullptr          ? ""
                             : format_ == ExportFormat::html ? " of run A: a page holds one run"
                                                             : " of run A, B beside it by barrier phase");
    x = label(all.c_str(), x, y) + window.px(8);
    if (format_ != ExportFormat::gif) return;
    const std::string delay = std::to_string(delay_ms_) + " ms a step";
    if (chip("delay", {x, y + (row.height - chip_height(window)) / 2}, delay, window, {.arrow = true}))
        ImGui::OpenPopup("delays");
    static constexpr int delays[] = {100, 200, 500, 1000, 2000};
    std::vector<std::string> labels;
    for (const int each : delays)
        labels.push_back(std::to_string(each) + " ms");
    const int chosen =
        choice_popup("delays", labels, int(std::find(delays, std::end(delays), delay_ms_) - delays), window);
    if (chosen >= 0) delay_ms_ = delays[chosen];
}

// Draws the result of the export, and the buttons.
void ExportDialog::ending(const Rect& row, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float y = row.y + view.px(10);
    const char* write = asked_ ? "Overwrite" : "Write";
    float x = row.right() - chip_width("Close", view.window);
    if (chip("close", {x, y}, "Close", view.window)) view.requests.set(&WindowState::exporting, false);
    x -= chip_width(write, view.window) + view.px(10);
    const std::string why_not = why_not_exported(format_, view.session, view_.other);
    if (!why_not.empty()) {
        draw_text_within(draw, fonts().text, {row.x, centre_line(fonts().text, y, chip_height(view.window))},
                         theme().barrier, why_not, x - row.x - view.px(14));
        chip("write", {x, y}, write, view.window, {theme().text_faint, false, false});
        return;
    }
    if (chip("write", {x, y}, write, view.window, {theme().accent})) {
        std::vector<fs::path> inputs = execution::input_files(view.session.document().path());
        if (view_.other != nullptr) inputs.push_back(view_.other->document().path());
        if (const Result<void> fine =
                check_outputs({{"the export", path_, {kinds[std::size_t(format_)]}}}, inputs);
            !fine) {
            failed_ = true;
            message_ = fine.diagnostics().front().message + "; " + fine.diagnostics().front().hint;
        } else if (exists() && !asked_) {
            asked_ = true, failed_ = true;
            message_ = "the file exists; Overwrite replaces it";
        } else {
            start(view.session);
        }
    }
    draw_text_within(draw, fonts().text, {row.x, centre_line(fonts().text, y, chip_height(view.window))},
                     failed_ ? theme().conflict : theme().good, message_, x - row.x - view.px(14));
}

void ExportDialog::progress(const Rect& row, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float y = row.y + window.px(10), x = row.right() - chip_width("Cancel", window);
    if (chip("cancel", {x, y}, "Cancel", window))
        jobs_.cancel(job_tag), message_ = "cancelled", failed_ = true;
    const Rect bar{row.x, y + chip_height(window) / 2 - window.px(3), x - row.x - window.px(20),
                   window.px(6)};
    const float share = folder_ ? share_in(folder_->path() / "share") : 0;
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, window.px(3));
    draw->AddRectFilled(bar.min(), {bar.x + bar.width * share, bar.bottom()}, theme().active_edge,
                        window.px(3));
}

// --- The work ----------------------------------------------------------------------------------------------

void ExportDialog::start(const session::Session& session) {
    asked_ = failed_ = false;
    message_.clear();
    if (format_ == ExportFormat::png)
        wants_picture_ = true;
    else
        start_child(session);
}

void ExportDialog::take(image::Image image) {
    wants_picture_ = false;
    jobs_.start(job_tag, [this, image = std::move(image), path = path_](JobContext&) -> Jobs::Completion {
        auto written = std::make_shared<Result<void>>(image::save_png(image, image::Content::drawing, path));
        return [this, written] { finish(*written); };
    });
}

static Result<std::string> shown_step(const session::Session& session) {
    const session::StepState* state = session.playhead().step_state();
    if (state == nullptr) return error("nothing ran, so that there is no step to draw");
    return std::to_string(state->index + 1);
}

// Starts this program as a child, which has its own OpenGL context and can be stopped.
void ExportDialog::start_child(const session::Session& session) {
    std::error_code ignored;
    if (!folder_) {
        Result<TemporaryFolder> made = TemporaryFolder::create();
        if (!made) return finish(made.diagnostics());
        folder_.emplace(std::move(*made));
    }
    fs::remove(folder_->path() / "share", ignored);
    fs::path file = session.document().path();
    if (const fs::path recording = session.launches().shown_trace(); !recording.empty()) {
        file = recording;
    } else if (session.document().edited()) {
        file = folder_->path() / file.filename();
        if (Result<void> kept = write_file(file, session.document().text()); !kept) return finish(kept);
    }
    const Result<std::string> steps = format_ == ExportFormat::svg ? shown_step(session) : chosen_steps();
    if (!steps) return finish(steps.diagnostics());
    std::vector<std::string> arguments = export_arguments(session, file, path_, *steps, delay_ms_, view_);
    arguments.insert(arguments.begin(), executable_path().string());
    arguments.insert(arguments.end(), {"--progress", (folder_->path() / "share").string()});
    jobs_.start(job_tag, [this, arguments, path = path_](JobContext& context) -> Jobs::Completion {
        auto outcome = std::make_shared<Result<ProcessOutcome>>(
            run_process(arguments, {}, child_limit_ms, 1 << 20, &context.cancel_flag()));
        std::error_code none;
        fs::remove(path + ".part", none);  // left by a cancelled animation
        return [this, outcome] {
            if (!*outcome) return finish((*outcome).diagnostics());
            const ProcessOutcome& ended = **outcome;
            const bool well = ended.succeeded();
            finish(well ? Result<void>() : Result<void>(complaint(ended)));
        };
    });
}

// Returns the steps as `export` takes them.
Result<std::string> ExportDialog::chosen_steps() const {
    const long first = std::strtol(first_.c_str(), nullptr, 10),
               last = std::strtol(last_.c_str(), nullptr, 10);
    if (first < 1 || last < first)
        return error("steps " + first_ + " to " + last_ + ": type numbers from 1, the smaller one first");
    return std::to_string(first) + ".." + std::to_string(last);
}

void ExportDialog::finish(Result<void> written) {
    failed_ = !written;
    if (failed_) {
        message_ = written.diagnostics().front().message;
        return;
    }
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(path_, failed);
    message_ = "written: " + path_ + (failed ? std::string() : ", " + size_words(bytes));
}

}  // namespace lanescope::ui
