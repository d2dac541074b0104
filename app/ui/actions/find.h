// The choices of the menu and the palette: actions of the table, files, lessons, parameters.
#pragma once

#include "ui/actions/action.h"

namespace lanescope::ui {

struct Choice {
    std::string title;
    std::string detail;   // its key, a file's folder, a lesson's topic
    std::string why_not;  // why it cannot be chosen; empty if it can
    std::function<void(Requests&)> run;
};

std::vector<Choice> menu_choices(const Place& place);

// The choices for the typed text, best first. "n 64" and "n = 2^10" set a parameter. Words find actions,
// recent files, lessons and exercises whose title, topic or file name contains all the words, in any order
// and case. An empty text gives recent files, the menu and the tabs. Actions that cannot run here come last.
std::vector<Choice> find_choices(const Place& place, const std::string& typed);

}  // namespace lanescope::ui
