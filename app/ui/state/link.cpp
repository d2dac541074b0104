#include "ui/state/link.h"

#include <algorithm>
#include <filesystem>

#include "lesson/course/link.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {

namespace {

namespace fs = std::filesystem;

std::string view_of(const WindowState& window) {
    if (const char* view = mode_of(window.stage_tab).view; *view != 0) return view;
    if (window.lecture) return "lecture";
    if (window.timeline_rows == TimelineRows::multiprocessors) return "schedule";
    if (window.timeline_rows == TimelineRows::cycles) return "clock";
    return {};
}

// Names of a link that are options of the same name.
constexpr std::string_view options[] = {"step",     "phase", "view", "code",   "schedule", "theme",
                                        "language", "tab",   "mask", "border", "kernel",   "colour"};
constexpr std::string_view flags[] = {"page", "lecture"};
// The page itself reads these: app/web/page.
constexpr std::string_view of_page[] = {"token", "serve"};

template <std::size_t count>
bool holds(const std::string_view (&names)[count], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool leaves_folder(const std::string& name) {
    const fs::path path = fs::path(name).lexically_normal();
    return path.empty() || path.is_absolute() || path.begin()->string() == "..";
}

}  // namespace

std::string link_query(const session::Session& session, const WindowState& window) {
    const session::Document& document = session.document();
    if (document.path().empty()) return {};
    lesson::LinkWords words;
    if (const session::StepState* state = session.playhead().step_state(); state != nullptr)
        words.emplace_back("step", std::to_string(state->index + 1));
    if (const std::string view = view_of(window); !view.empty()) words.emplace_back("view", view);
    if (window.lecture && mode_of(window.stage_tab).view[0] != 0) words.emplace_back("lecture", "1");
    if (document.settings().code != compile::Code::debug) words.emplace_back("code", "optimized");
    if (const std::string schedule = simt::to_text(document.settings().schedule); schedule != "rr")
        words.emplace_back("schedule", schedule);
    for (const auto& [name, value] : document.settings().parameters)
        words.emplace_back(name, std::to_string(value));
    return lesson::link_query(document.path(), words);
}

Result<std::vector<std::string>> options_of_link(std::string_view query, const std::string& own) {
    std::vector<std::string> arguments, files;
    for (const auto& [name, value] : lesson::words_of_link(query)) {
        if (holds(of_page, name)) continue;
        if (holds(flags, name)) {
            if (value != "0") arguments.push_back("--" + name);
            continue;
        }
        if (value.empty() || name.empty())
            return error("the link's '" + (name.empty() ? value : name) + "' has no value",
                         "write name=value, as in lesson=scan/blelloch&step=32");
        if (name == "lesson" || name == "file" || name == "trace") {
            if (leaves_folder(value))
                return error("the link's " + name + " '" + value + "' leads out of its folder");
            files.push_back(name == "lesson" ? lesson::file_of_lesson(value).string() : own + "/" + value);
        } else if (holds(options, name)) {
            arguments.push_back("--" + name + "=" + value);
        } else {
            arguments.push_back("--set=" + name + "=" + value);
        }
    }
    if (files.size() > 1)
        return error("the link names two files: " + files[0] + " and " + files[1],
                     "use one of lesson, file and trace");
    arguments.insert(arguments.begin(), files.begin(), files.end());
    return arguments;
}

}  // namespace lanescope::ui
