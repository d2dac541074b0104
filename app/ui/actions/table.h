// The one table of actions, and what is made of it.
#pragma once

#include <optional>

#include "ui/actions/action.h"

namespace lanescope::ui {

const std::vector<Action>& actions();
const Action* find_action(std::string_view id);
// The action that hears this key here; null: none does.
const Action* action_for(const KeyPress& press, Layer layer);

// Runs it, or tells why it cannot: `requests` then changes the notice.
void perform(const Action& action, const Place& place, Requests& requests);
void tell(const Place& place, std::string text, Requests& requests);

// The row of the list of keys: "F5  Shift + F5", "on to the next breakpoint, back to the one before".
struct KeyRow {
    std::string keys, help;
};
std::vector<KeyRow> key_rows();
// The same as the table in app/WINDOW.md, with its last newline.
std::string key_table();

// All keys of an action, as the menu shows them: "X / Ctrl + E"; empty: it has none.
std::string keys_of(const Action& action);
// A text in which "{source.edit}" stands for that action's first key: "edit the source ({source.edit})".
std::string with_keys(std::string_view text);
// An action's help and key: "edit the source (E)".
std::string hint(std::string_view id);

}  // namespace lanescope::ui
