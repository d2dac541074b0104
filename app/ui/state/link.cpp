#include "ui/state/link.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/folders.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {

namespace {

namespace fs = std::filesystem;

// RFC 3986, section 2.3; a slash may stand in a query.
std::string encoded(const std::string& text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::string_view("-_.~/:*,").find(c) != std::string_view::npos)
            out += c;
        else
            out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

std::string decoded(std::string_view text) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
            std::isxdigit(static_cast<unsigned char>(text[i + 2]))) {
            out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

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
constexpr std::string_view of_page[] = {"token", "serve", "embed", "course"};

template <std::size_t count>
bool holds(const std::string_view (&names)[count], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The course's lessons, and the person's own.
std::vector<fs::path> lesson_folders() {
    std::vector<fs::path> folders = own_kernels_folders();
    folders.insert(folders.begin(), resource_folder() / "kernels");
    return folders;
}

// "scan/blelloch"; empty: the file is not a lesson.
std::string lesson_of(const fs::path& file) {
    for (const fs::path& folder : lesson_folders())
        if (const fs::path place = file.lexically_relative(folder); !place.empty() && *place.begin() != "..")
            return fs::path(place).replace_extension().generic_string();
    return {};
}

std::string file_of(const std::string& lesson) {
    const std::string name = lesson + (lesson.ends_with(".cu") ? "" : ".cu");
    std::error_code ignored;
    for (const fs::path& folder : lesson_folders())
        if (fs::exists(folder / name, ignored)) return (folder / name).string();
    return "kernels/" + name;
}

bool leaves_folder(const std::string& name) {
    const fs::path path = fs::path(name).lexically_normal();
    return path.empty() || path.is_absolute() || path.begin()->string() == "..";
}

}  // namespace

std::string link_query(const session::Session& session, const WindowState& window) {
    const fs::path& open = session.document().path();
    if (open.empty()) return {};
    std::string query;
    const auto add = [&query](const std::string& name, const std::string& value) {
        query += (query.empty() ? "" : "&") + encoded(name) + "=" + encoded(value);
    };
    const std::string lesson = lesson_of(open);
    add(lesson.empty() ? "file" : "lesson", lesson.empty() ? open.filename().string() : lesson);
    if (const session::StepState* state = session.playhead().step_state(); state != nullptr)
        add("step", std::to_string(state->index + 1));
    if (const std::string view = view_of(window); !view.empty()) add("view", view);
    if (window.lecture && mode_of(window.stage_tab).view[0] != 0) add("lecture", "1");
    if (session.document().settings().code != compile::Code::debug) add("code", "optimized");
    if (const std::string schedule = simt::to_text(session.document().settings().schedule); schedule != "rr")
        add("schedule", schedule);
    for (const auto& [name, value] : session.document().settings().parameters)
        add(name, std::to_string(value));
    return query;
}

Result<std::vector<std::string>> options_of_link(std::string_view query, const std::string& own) {
    std::vector<std::string> arguments, files;
    if (query.starts_with('?')) query.remove_prefix(1);
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(part.size() + 1, query.size()));
        if (part.empty()) continue;
        const std::size_t equals = part.find('=');
        const std::string name = decoded(part.substr(0, equals));
        const std::string value =
            equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1));
        if (holds(of_page, name)) continue;
        if (holds(flags, name)) {
            if (value != "0") arguments.push_back("--" + name);
            continue;
        }
        if (value.empty() || name.empty())
            return error("the link's '" + std::string(part) + "' has no value",
                         "write name=value, as in lesson=scan/blelloch&step=32");
        if (name == "lesson" || name == "file" || name == "trace") {
            if (leaves_folder(value))
                return error("the link's " + name + " '" + value + "' leads out of its folder");
            files.push_back(name == "lesson" ? file_of(value) : own + "/" + value);
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
