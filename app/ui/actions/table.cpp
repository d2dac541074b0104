#include "ui/actions/table.h"

#include <algorithm>

#include "base/language.h"
#include "ui/actions/groups.h"

namespace lanescope::ui {
namespace {

std::vector<Action> join_groups() {
    std::vector<Action> all;
    for (const auto& group : {step_actions(), run_actions(), view_actions(), lecture_actions(),
                              file_actions(), window_actions(), panel_actions(), preview_actions()})
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

bool has_key(const Action& action, const KeyPress& press) {
    const auto in = [&](const std::vector<Chord>& keys) {
        return std::find(keys.begin(), keys.end(), press) != keys.end();
    };
    return in(action.keys) || in(action.unlisted);
}

std::string first_key(const Action& action) {
    for (const std::vector<Chord>& keys : {action.keys, action.unlisted})
        if (!keys.empty()) return to_text(keys.front());
    return {};
}

// The uses of the mouse that nothing on the screen explains.
const KeyRow mouse_row = {tr_later("Wheel, drag"),
                          tr_later("on the timeline: zoom, go to a step; right drag: move")};

}  // namespace

const std::vector<Action>& actions() {
    static const std::vector<Action> all = join_groups();
    return all;
}

const Action* find_action(std::string_view id) {
    const auto found = std::find_if(actions().begin(), actions().end(),
                                    [&](const Action& action) { return action.id == id; });
    return found == actions().end() ? nullptr : &*found;
}

const Action* action_for(const KeyPress& press, Layer layer) {
    KeyPress plain = press;
    plain.shift = false;  // for keys that have no action with Shift
    for (const KeyPress& wanted : {press, plain})
        for (const Action& action : actions())
            if ((action.heard & Layers(layer)) != 0 && has_key(action, wanted)) return &action;
    return nullptr;
}

std::string reason(const Action& action, const Place& place) {
    return action.why_not == nullptr ? std::string() : tr(action.why_not(place));
}

std::string title(const Action& action, const Place& place) {
    return tr(action.title_now == nullptr ? std::string(action.title) : action.title_now(place));
}

void tell(const Place& place, std::string text, Requests& requests) {
    requests.change([text = std::move(text), until_s = place.window.now_s + notice_s](WindowState& window) {
        window.notice = {text, until_s};
    });
}

void perform(const Action& action, const Place& place, Requests& requests) {
    if (std::string why_not = reason(action, place); !why_not.empty())
        return tell(place, std::move(why_not), requests);
    if (!place.window.notice.text.empty()) requests.change([](WindowState& window) { window.notice = {}; });
    action.run(place, requests);
}

// --- Texts -------------------------------------------------------------------------------------------------

std::string keys_of(const Action& action) {
    std::string text;
    for (const Chord& chord : action.keys)
        text += (text.empty() ? "" : " / ") + to_text(chord);
    return text;
}

std::vector<KeyRow> key_rows() {
    std::vector<KeyRow> rows;
    for (const Action& action : actions()) {
        if (action.keys.empty()) continue;
        if (action.with_previous) {
            rows.back().keys += "  " + keys_of(action);
            rows.back().help += ", " + tr(std::string(action.help));
        } else {
            rows.push_back({keys_of(action), tr(std::string(action.help))});
        }
    }
    rows.push_back({tr(mouse_row.keys), tr(mouse_row.help)});
    return rows;
}

std::string key_table() {
    std::string table = "| key | |\n|---|---|\n";
    for (const KeyRow& row : key_rows())
        table += "| " + row.keys + " | " + row.help + " |\n";
    return table;
}

std::string with_keys(std::string_view text) {
    std::string filled;
    text = tr(text);
    while (!text.empty()) {
        const std::size_t open = text.find('{'), close = text.find('}', std::min(open, text.size()));
        filled += text.substr(0, open);
        if (close == text.npos) break;
        const Action* action = find_action(text.substr(open + 1, close - open - 1));
        if (action != nullptr) filled += first_key(*action);
        text.remove_prefix(close + 1);
    }
    return filled;
}

std::string hint(std::string_view id) {
    const Action* action = find_action(id);
    if (action == nullptr) return {};
    const std::string help = tr(std::string(action->help)), key = first_key(*action);
    return key.empty() ? help : help + " (" + key + ")";
}

}  // namespace lanescope::ui
