#include "ui/actions/find.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/language.h"
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
    if (detail.empty() && (action.id.starts_with("tab.") || action.id.starts_with("stage.")))
        detail = tr("tab");
    return {title(action, place), std::move(detail), reason(action, place),
            [id = std::string(action.id)](Requests& requests) { requests.act(id); }};
}

bool is_hidden(const Action& action, const Place& place) {
    const bool elsewhere = place.window.preview.open && action.group != Group::preview &&
                           (action.heard & Layers(Layer::preview)) == 0;
    return elsewhere || (action.hidden != nullptr && action.hidden(place));
}

void add_tabs(const Place& place, std::vector<Choice>& choices) {
    for (const char* id :
         {"tab.launches", "tab.host", "tab.variables", "tab.access", "tab.problems", "tab.console",
          "timings.show", "stage.cells", "stage.threads", "stage.flow", "stage.layout"})
        if (const Action* action = find_action(id); !is_hidden(*action, place))
            choices.push_back(choice_of(*action, place));
}

void add_exercises(const Place& place, const std::vector<lesson::Exercise>& exercises,
                   std::vector<Choice>& choices) {
    for (const lesson::Exercise& exercise : exercises)
        choices.push_back(
            file_choice(exercise.title, tr("exercise · ") + exercise.id(), place, exercise.starter));
}

void add_recent_files(const Place& place, std::vector<Choice>& choices) {
    const Session& session = place.session;
    for (const FileMemory& file : session.memory().recent) {
        if (file.path == session.document().path() || session.registry().find(file.path)) continue;
        const std::string unsaved = session.document().has_draft(file.path) ? tr(" · unsaved") : "";
        choices.push_back(file_choice(file.path.filename().string(),
                                      file.path.parent_path().string() + unsaved, place, file.path));
    }
}

void add_lessons(const Place& place, std::vector<Choice>& choices) {
    for (const lesson::Topic& topic : place.session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            choices.push_back(file_choice(
                entry.title, topic.title + " · " + topic.name + "/" + entry.path.filename().string(), place,
                entry.path));
}

void add_exercises(const Place& place, std::vector<Choice>& choices) {
    for (const lesson::Topic& topic : place.session.registry().topics) {
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
    choices.push_back(command(tr("Set {1}", {setting->first + " = " + std::to_string(setting->second)}),
                              tr("now {1}", {std::to_string(known->second)}),
                              SetParameter{setting->first, setting->second}));
}

// "block 1", "t37": a block, a warp, a lane, a thread, a step or a line of the run, by its number.
struct NamedPlace {
    std::string word;
    std::uint64_t number = 0;
};
std::optional<NamedPlace> named_place(const std::string& typed) {
    const std::string text = lower_case(typed);
    const std::size_t letters = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size()),
                      digits = text.find_first_not_of(' ', letters);
    std::uint64_t number = 0;
    if (digits == text.npos) return std::nullopt;
    const char* const end = text.data() + text.find_last_not_of(' ') + 1;
    const auto read = std::from_chars(text.data() + digits, end, number);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    const std::string word = text.substr(0, letters);
    return NamedPlace{word == "t" ? "thread" : word, number};
}

struct Reach {
    std::string now;
    std::uint64_t first = 0, count = 0;
    Command go;
};

// Where the place is in the run that is shown; nothing if the word names no kind of place.
std::optional<Reach> reach_of(const NamedPlace& wanted, const Session& session) {
    const StepState& now = *session.playhead().step_state();
    const Selection& chosen = session.selection();
    const auto number = std::uint32_t(std::min<std::uint64_t>(wanted.number, ~0u));
    if (wanted.word == "block")
        return Reach{std::to_string(now.step.block), 0, now.launch->grid.count(), FocusBlock{number}};
    if (wanted.word == "warp")
        return Reach{std::to_string(chosen.warp), 0, now.launch->warps_per_block(),
                     PinLane{number, chosen.lane}};
    if (wanted.word == "lane")
        return Reach{std::to_string(chosen.lane), 0, trace::warp_size, PinLane{chosen.warp, number}};
    if (wanted.word == "thread")
        return Reach{std::to_string(chosen.warp * trace::warp_size + chosen.lane), 0,
                     now.launch->block.count(),
                     PinLane{number / trace::warp_size, number % trace::warp_size}};
    if (wanted.word == "step")
        return Reach{std::to_string(now.index + 1), 1, session.playhead().steps().size(),
                     SeekStep{std::size_t(number) - 1}};
    return std::nullopt;
}

// Returns the choice that goes to the block, warp, lane, thread or step that the text names.
std::optional<Choice> going_to(const Session& session, const std::string& typed) {
    const std::optional<NamedPlace> wanted = named_place(typed);
    if (!wanted || session.playhead().step_state() == nullptr ||
        session.playhead().step_state()->launch == nullptr)
        return std::nullopt;
    const std::optional<Reach> reach = reach_of(*wanted, session);
    if (!reach) return std::nullopt;
    Choice choice = command("Go to " + wanted->word + " " + std::to_string(wanted->number),
                            tr("now {1}", {reach->now}), reach->go);
    const std::uint64_t end = reach->first + reach->count;
    if (wanted->number < reach->first || wanted->number >= end)
        choice.why_not = "There are " + wanted->word + "s " + std::to_string(reach->first) + " to " +
                         std::to_string(end - 1) + ".";
    else if (wanted->word == "block" &&
             !session.playhead().step_state()->launch->records(std::uint32_t(wanted->number)))
        choice.why_not = "Block " + std::to_string(wanted->number) + " was not recorded.";
    return choice;
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
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Action* a, const Action* b) { return a->menu < b->menu; });
    std::vector<Choice> choices;
    for (const Action* action : rows)
        choices.push_back(choice_of(*action, place));
    return choices;
}

std::vector<Choice> find_choices(const Place& place, const std::string& typed) {
    const std::vector<std::string> words = words_of(typed);
    std::vector<Choice> all;
    const auto begins = [&](const Choice& choice) { return lower_case(choice.title).starts_with(words[0]); };
    if (words.empty()) {
        add_recent_files(place, all);
        for (Choice& choice : menu_choices(place))
            all.push_back(std::move(choice));
        add_tabs(place, all);
    } else {
        std::vector<Choice> rest;
        for (const Action& action : actions()) {
            if (is_hidden(action, place)) continue;
            Choice choice = choice_of(action, place);
            (begins(choice) ? all : rest).push_back(std::move(choice));
        }
        const auto lessons = std::ptrdiff_t(all.size());
        add_lessons(place, all);
        std::stable_partition(all.begin() + lessons, all.end(), begins);
        add_exercises(place, all);
        all.insert(all.end(), rest.begin(), rest.end());
        add_recent_files(place, all);
    }
    std::erase_if(all, [&](const Choice& choice) { return !matches(choice, words); });
    std::vector<Choice> found;
    std::optional<Choice> there = going_to(place.session, typed);
    if (there && there->why_not.empty()) found.push_back(*std::exchange(there, std::nullopt));
    add_setting(place.session, typed, found);
    if (there) all.push_back(std::move(*there));
    std::stable_partition(all.begin(), all.end(),
                          [](const Choice& choice) { return choice.why_not.empty(); });
    found.insert(found.end(), all.begin(), all.end());
    return found;
}

}  // namespace lanescope::ui
