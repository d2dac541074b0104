// The one table of actions, and the texts that are made from it.
#pragma once

#include <optional>

#include "ui/actions/action.h"

namespace lanescope::ui {

const std::vector<Action>& actions();
const Action* find_action(std::string_view id);
// Returns the action that this key starts in this layer, or null.
const Action* action_for(const KeyPress& press, Layer layer);

// Runs the action, or shows a notice that says why it cannot run.
void perform(const Action& action, const Place& place, Requests& requests);
void tell(const Place& place, std::string text, Requests& requests);

// A row of the list of keys: "Home  End", "first step, last step".
struct KeyRow {
    std::string keys, help;
};
std::vector<KeyRow> key_rows();
// Returns the list of keys as the table in app/WINDOW.md, with its last newline.
std::string key_table();

// Returns all keys of an action as the menu shows them: "X / Ctrl + E"; empty if it has none.
std::string keys_of(const Action& action);
// Replaces "{source.edit}" by that action's first key: "edit the source ({source.edit})".
std::string with_keys(std::string_view text);
// Returns an action's help and first key: "edit the source (E)".
std::string hint(std::string_view id);

}  // namespace lanescope::ui
