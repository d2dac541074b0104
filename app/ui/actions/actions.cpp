#include "ui/actions/actions.h"

#include <algorithm>
#include <cctype>

#include "lesson/instance.h"
#include "trace/io.h"

namespace lanescope::ui {
namespace {

using namespace session;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : lower(text)) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

Action command(std::string title, std::string key, Command what) {
    return {std::move(title), std::move(key),
            [what](WindowState&, Commands& commands) { commands.push_back(what); }};
}

Action dialog(std::string title, std::string key, Dialog which) {
    return {std::move(title), std::move(key),
            [which](WindowState& shared, Commands&) { shared.dialog = which; }};
}

void add_questions(const Session& session, std::vector<Action>& actions) {
    using Kind = Question::Kind;
    if (session.question().kind == Kind::none) return;
    const bool draft = session.question().kind == Kind::draft_found;
    actions.push_back(command(draft ? "Take up the draft" : "Keep mine", "", AnswerQuestion{true}));
    actions.push_back(
        command(draft ? "Leave the draft" : "Take the file from the disk", "", AnswerQuestion{false}));
}

void add_file_actions(const Session& session, std::vector<Action>& actions) {
    const bool open = !session.path().empty(), trace = trace::is_trace_name(session.path());
    actions.push_back(dialog("Open …", "Ctrl + O", Dialog::open_file));
    if (open && !session.lesson() && session.edited())
        actions.push_back(command("Save", "Ctrl + S", SaveSource{session.path()}));
    if (open) actions.push_back(dialog("Save as …", "Ctrl + Shift + S", Dialog::save_as));
    if (!session.undo_label().empty())
        actions.push_back(command("Take back: " + session.undo_label(), "Ctrl + Z", Undo{}));
    if (!session.redo_label().empty())
        actions.push_back(command("Do again: " + session.redo_label(), "Ctrl + Y", Redo{}));
    if (open && !trace)
        actions.push_back(dialog("Parameters, buffers, launches …", "Ctrl + F", Dialog::form));
    if (open && !trace && session.edited())
        actions.push_back(
            command(session.lesson() ? "Reset to the lesson" : "Reset to the file", "", RevertSource{}));
    if (open && !trace) actions.push_back(command("Reset the parameters", "", ResetParameters{}));
}

void add_window_actions(const Session& session, const WindowState& shared, std::vector<Action>& actions) {
    actions.push_back({shared.editing ? "Stop editing the source" : "Edit the source", "E",
                       [](WindowState& window, Commands&) { window.editing = !window.editing; }});
    actions.push_back({brightness() == Brightness::dark ? "Light colours" : "Dark colours", "Ctrl + T",
                       [](WindowState&, Commands&) {
                           set_theme(brightness() == Brightness::dark ? Brightness::light : Brightness::dark);
                       }});
    actions.push_back({shared.lecture ? "Leave the lecture" : "Lecture", "L",
                       [](WindowState& window, Commands&) { window.lecture = !window.lecture; }});
    if (session.run() != nullptr) {
        actions.push_back({shared.comparing ? "Leave the comparison" : "Compare with …", "C",
                           [](WindowState& window, Commands&) { window.comparing = !window.comparing; }});
        actions.push_back({"Export as picture, animation or page …", "X",
                           [](WindowState& window, Commands&) { window.exporting = true; }});
    }
    actions.push_back({shared.show_ptx ? "Hide the PTX" : "PTX beside the source", "P",
                       [](WindowState& window, Commands&) { window.show_ptx = !window.show_ptx; }});
    actions.push_back({"Watch an expression", "W", [](WindowState& window, Commands&) {
                           window.show_tab = InspectorTab::variables;
                           window.lecture = false;
                           window.add_watch = true;
                       }});
    actions.push_back({"Keys", "?", [](WindowState& window, Commands&) { window.show_help = true; }});
}

void add_tabs(std::vector<Action>& actions) {
    constexpr std::pair<const char*, InspectorTab> tabs[] = {{"Variables", InspectorTab::variables},
                                                             {"Access", InspectorTab::access},
                                                             {"Problems", InspectorTab::problems},
                                                             {"Console", InspectorTab::console},
                                                             {"Timings", InspectorTab::timings}};
    for (const auto& [name, tab] : tabs)
        actions.push_back(
            {name, "tab", [wanted = tab](WindowState& shared, Commands&) { shared.show_tab = wanted; }});
    actions.push_back(
        {"Stage", "tab", [](WindowState& shared, Commands&) { shared.stage_tab = StageTab::cells; }});
    actions.push_back(
        {"Threads", "tab", [](WindowState& shared, Commands&) { shared.stage_tab = StageTab::threads; }});
}

void add_files(const Session& session, bool lessons, std::vector<Action>& actions) {
    for (const FileMemory& file : session.recent()) {
        if (file.path == session.path() || session.registry().find(file.path)) continue;
        const std::string unsaved = session.has_draft(file.path) ? " · unsaved" : "";
        actions.push_back(command(file.path.filename().string(), file.path.parent_path().string() + unsaved,
                                  OpenFile{file.path}));
    }
    if (!lessons) return;
    for (const lesson::Topic& topic : session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            actions.push_back(command(entry.title, topic.title + " · " + entry.path.filename().string(),
                                      OpenFile{entry.path}));
}

// "n = 64", "n 2^10": a parameter of the file with a value.
void add_setting(const Session& session, const std::string& typed, std::vector<Action>& actions) {
    const std::size_t cut = typed.find_first_of("= ");
    if (cut == typed.npos) return;
    const std::size_t value_at = typed.find_first_not_of("= ", cut);
    const auto known = session.parameters().find(typed.substr(0, cut));
    if (value_at == typed.npos || known == session.parameters().end()) return;
    const auto setting = lesson::parse_setting(known->first + "=" + typed.substr(value_at));
    if (!setting) return;
    actions.push_back(command("Set " + setting->first + " = " + std::to_string(setting->second),
                              "now " + std::to_string(known->second),
                              SetParameter{setting->first, setting->second}));
}

bool matches(const Action& action, const std::vector<std::string>& words) {
    const std::string text = lower(action.title + " " + action.detail);
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return text.find(word) != text.npos; });
}

}  // namespace

std::vector<Action> menu_actions(const Session& session, const WindowState& shared) {
    std::vector<Action> actions;
    add_questions(session, actions);
    actions.push_back(dialog("Find …", "Ctrl + P", Dialog::palette));
    add_file_actions(session, actions);
    add_window_actions(session, shared, actions);
    return actions;
}

std::vector<Action> find_actions(const Session& session, const WindowState& shared,
                                 const std::string& typed) {
    std::vector<Action> found;
    add_setting(session, typed, found);
    std::vector<Action> all;
    const std::vector<std::string> words = words_of(typed);
    if (words.empty()) add_files(session, false, all);
    add_questions(session, all);
    add_file_actions(session, all);
    add_window_actions(session, shared, all);
    add_tabs(all);
    if (!words.empty()) add_files(session, true, all);
    std::erase_if(all, [&](const Action& action) { return !matches(action, words); });
    if (!words.empty())
        std::stable_partition(all.begin(), all.end(), [&](const Action& action) {
            return lower(action.title).starts_with(words[0]);
        });
    found.insert(found.end(), all.begin(), all.end());
    return found;
}

}  // namespace lanescope::ui
