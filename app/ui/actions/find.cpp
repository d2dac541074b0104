#include "ui/actions/find.h"

#include <algorithm>

#include "base/text.h"
#include "lesson/instance.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

using namespace session;

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : lower_case(text)) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

Choice command(std::string title, std::string detail, Command what) {
    return {std::move(title), std::move(detail), {}, [what](Requests& requests) {
                requests.commands.push_back(what);
            }};
}

// Opens a file in the panels; the preview closes.
Choice file_choice(std::string title, std::string detail, const Place& place,
                   const std::filesystem::path& path) {
    return {std::move(title),
            std::move(detail),
            {},
            [path, preview = place.window.preview.open](Requests& requests) {
                requests.commands.push_back(OpenFile{path});
                if (preview) requests.preview.push_back(PreviewCommand::toggle);
            }};
}

Choice choice_of(const Action& action, const Place& place) {
    std::string detail = keys_of(action);
    if (detail.empty() && (action.id.starts_with("tab.") || action.id.starts_with("stage."))) detail = "tab";
    return {title(action, place), std::move(detail), reason(action, place),
            [id = std::string(action.id)](Requests& requests) { requests.act(id); }};
}

bool is_hidden(const Action& action, const Place& place) {
    const bool elsewhere = place.window.preview.open && action.group != Group::preview &&
                           (action.heard & Layers(Layer::preview)) == 0;
    return elsewhere || (action.hidden != nullptr && action.hidden(place));
}

void add_tabs(const Place& place, std::vector<Choice>& choices) {
    for (const char* id : {"tab.launches", "tab.host", "tab.variables", "tab.access", "tab.problems",
                           "tab.console", "timings.show", "stage.cells", "stage.threads", "stage.flow"})
        if (const Action* action = find_action(id); !is_hidden(*action, place))
            choices.push_back(choice_of(*action, place));
}

void add_exercises(const Place& place, const std::vector<lesson::Exercise>& exercises,
                   std::vector<Choice>& choices) {
    for (const lesson::Exercise& exercise : exercises) {
        Choice choice = file_choice(exercise.title, "exercise · " + exercise.id(), place, exercise.starter);
        choice.run = [open = choice.run](Requests& requests) {
            requests.set(&WindowState::source, &SourceState::edit_opened, true);
            open(requests);
        };
        choices.push_back(std::move(choice));
    }
}

void add_files(const Place& place, bool lessons, std::vector<Choice>& choices) {
    const Session& session = place.session;
    for (const FileMemory& file : session.memory().recent) {
        if (file.path == session.document().path() || session.registry().find(file.path)) continue;
        const std::string unsaved = session.document().has_draft(file.path) ? " · unsaved" : "";
        choices.push_back(file_choice(file.path.filename().string(),
                                      file.path.parent_path().string() + unsaved, place, file.path));
    }
    if (!lessons) return;
    for (const lesson::Topic& topic : session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            choices.push_back(file_choice(
                entry.title, topic.title + " · " + topic.name + "/" + entry.path.filename().string(), place,
                entry.path));
    for (const lesson::Topic& topic : session.registry().topics) {
        add_exercises(place, topic.exercises, choices);
        for (const lesson::LessonEntry& entry : topic.lessons)
            add_exercises(place, entry.exercises, choices);
    }
}

// Adds the choice that sets a parameter of the file: "n = 64", "n 2^10".
void add_setting(const Session& session, const std::string& typed, std::vector<Choice>& choices) {
    const std::size_t cut = typed.find_first_of("= ");
    if (cut == typed.npos) return;
    const std::size_t value_at = typed.find_first_not_of("= ", cut);
    const auto known = session.parameters().find(typed.substr(0, cut));
    if (value_at == typed.npos || known == session.parameters().end()) return;
    const auto setting = lesson::parse_setting(known->first + "=" + typed.substr(value_at));
    if (!setting) return;
    choices.push_back(command("Set " + setting->first + " = " + std::to_string(setting->second),
                              "now " + std::to_string(known->second),
                              SetParameter{setting->first, setting->second}));
}

bool matches(const Choice& choice, const std::vector<std::string>& words) {
    const std::string text = lower_case(choice.title + " " + choice.detail);
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return text.find(word) != text.npos; });
}

}  // namespace

std::vector<Choice> menu_choices(const Place& place) {
    std::vector<const Action*> rows;
    for (const Action& action : actions())
        if (action.menu > 0 && !is_hidden(action, place)) rows.push_back(&action);
    std::sort(rows.begin(), rows.end(), [](const Action* a, const Action* b) { return a->menu < b->menu; });
    std::vector<Choice> choices;
    for (const Action* action : rows)
        choices.push_back(choice_of(*action, place));
    return choices;
}

std::vector<Choice> find_choices(const Place& place, const std::string& typed) {
    const std::vector<std::string> words = words_of(typed);
    std::vector<Choice> all;
    if (words.empty()) {
        add_files(place, false, all);
        for (Choice& choice : menu_choices(place))
            all.push_back(std::move(choice));
        add_tabs(place, all);
    } else {
        for (const Action& action : actions())
            if (!is_hidden(action, place)) all.push_back(choice_of(action, place));
        add_files(place, true, all);
    }
    std::erase_if(all, [&](const Choice& choice) { return !matches(choice, words); });
    if (!words.empty())
        std::stable_partition(all.begin(), all.end(), [&](const Choice& choice) {
            return lower_case(choice.title).starts_with(words[0]);
        });
    std::stable_partition(all.begin(), all.end(),
                          [](const Choice& choice) { return choice.why_not.empty(); });
    std::vector<Choice> found;
    add_setting(place.session, typed, found);
    found.insert(found.end(), all.begin(), all.end());
    return found;
}

}  // namespace lanescope::ui
