#include "ui/inspector/program_state.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "base/language.h"
#include "program/report.h"
#include "scene/inspector/launch_rows.h"
#include "ui/actions/table.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"
#include "ui/source/shown_text.h"

namespace lanescope::ui {

namespace {

constexpr float excerpt_line_px = 18;
constexpr int lines_around = 2;

float draw_recording(const Rect& row, std::uint64_t number, const session::Launches& launches,
                     const WindowState& window, Requests& requests) {
    const float height = chip_height(window);
    requests.next_frame = true;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string word = "Cancel", text = "Recording launch " + std::to_string(number);
    draw_text(draw, fonts().small, {row.x, centre_line(fonts().small, row.y, height)}, theme().text, text);
    const float x = row.x + text_width(fonts().small, text) + window.px(10);
    const float end = row.right() - chip_width(word, window) - window.px(10);
    const Rect bar{x, row.y + height / 2 - window.px(3), std::max(0.0f, end - x), window.px(6)};
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, window.px(3));
    draw->AddRectFilled(bar.min(), {bar.x + bar.width * launches.progress(), bar.bottom()},
                        theme().active_edge, window.px(3));
    if (chip("cancel recording", {row.right() - chip_width(word, window), row.y}, word, window))
        requests.commands.push_back(session::CancelRecording{});
    return height + window.px(5);
}

}  // namespace

float draw_program_state(const Rect& row, const ViewContext& view) {
    const session::Launches& launches = view.session.launches();
    if (const std::optional<std::uint64_t> number = launches.recording())
        return draw_recording(row, *number, launches, view.window, view.requests);
    Rect line = row;
    const auto tell = [&](ImU32 colour, const std::string& text) {
        line.y += draw_text_block(fonts().small, line, colour, text) + view.px(5);
    };
    if (!launches.problems().empty()) tell(theme().conflict, "✗ " + to_text(launches.problems().front()));
    const program::ProgramRun& run = launches.program()->run;
    if (!run.process.succeeded()) tell(theme().conflict, "✗ the program: " + program::ending_words(run));
    if (view.session.document().edited())
        tell(theme().text_quiet,
             with_keys(tr("The source was edited. {file.save} saves it and runs the program again.")));
    return line.y - row.y;
}

void HostLine::show(const program::HostPlace& place, const session::Session& session, Requests& requests) {
    lines_.clear();
    if (place.line <= 0) return;
    const execution::RunResult* run = session.run();
    const bool other_lines =
        run != nullptr && !run->lines_file.empty() && &shown_text(session) == &run->lines_text;
    const std::filesystem::path shown =
        other_lines ? std::filesystem::path(run->lines_file) : session.document().path();
    if (std::filesystem::path(place.file).lexically_normal() == shown.lexically_normal()) {
        requests.commands.push_back(session::SelectLine{static_cast<std::uint32_t>(place.line)});
        return;
    }
    place_ = place;
    const Result<std::string> text = read_text_file(place.file);
    if (!text) {
        lines_ = {to_text(text.diagnostics().front())};
        first_ = place.line;
        return;
    }
    first_ = std::max(1, place.line - lines_around);
    std::istringstream all(*text);
    int number = 1;
    for (std::string line; number <= place.line + lines_around && std::getline(all, line); ++number)
        if (number >= first_) lines_.push_back(line);
}

float HostLine::height(const WindowState& window) const {
    return lines_.empty() ? 0 : window.px(excerpt_line_px * static_cast<float>(lines_.size() + 1) + 12);
}

void HostLine::draw(const Rect& box, const WindowState& window) const {
    if (lines_.empty() || box.empty()) return;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised);
    const float pad = window.px(theme().padding), line = window.px(excerpt_line_px);
    float y = box.y + window.px(6);
    const std::string title =
        scene::place_words(place_) + (place_.function.empty() ? "" : " in " + place_.function);
    draw_text_within(draw, fonts().small, {box.x + pad, centre_line(fonts().small, y, line)},
                     theme().text_quiet, title, box.width - 2 * pad);
    const float numbers = text_width(fonts().mono_small, "00000") + window.px(8);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        y += line;
        const int number = first_ + static_cast<int>(i);
        if (number == place_.line)
            draw->AddRectFilled({box.x, y}, {box.right(), y + line}, theme().current_line);
        const std::string text = std::to_string(number);
        draw_text(draw, fonts().mono_small,
                  {box.x + pad + numbers - window.px(8) - text_width(fonts().mono_small, text),
                   centre_line(fonts().mono_small, y, line)},
                  theme().text_faint, text);
        draw_text_within(draw, fonts().mono, {box.x + pad + numbers, centre_line(fonts().mono, y, line)},
                         theme().text, lines_[i], box.width - 2 * pad - numbers);
    }
}

}  // namespace lanescope::ui
