// What the menu lists and the palette finds: actions of the table, files, lessons, parameters.
#pragma once

#include "ui/actions/action.h"

namespace lanescope::ui {

struct Choice {
    std::string title;
    std::string detail;   // its key, a file's folder, a lesson's topic
    std::string why_not;  // why it cannot be chosen; empty: it can
    std::function<void(Requests&)> run;
};

std::vector<Choice> menu_choices(const Place& place);

// For what was typed, best first: "n 64" and "n = 2^10" set a parameter; words find actions, recent files and
// lessons whose title, topic or file name holds all of them, in any order and case. Nothing typed: recent
// files, the menu and the tabs. What cannot run here stands last.
std::vector<Choice> find_choices(const Place& place, const std::string& typed);

}  // namespace lanescope::ui
