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

// The choices for the typed text, best first. "block 1", "warp 2", "lane 5", "t37" and "step 12" go there;
// "n 64" and "n = 2^10" set a parameter. Words find actions, lessons, exercises and recent files whose title,
// topic or file name contains all the words, in any order and case: actions that begin with the first word,
// then lessons, exercises, other actions, recent files. An empty text gives recent files, the menu and the
// tabs. What cannot be done here comes last.
std::vector<Choice> find_choices(const Place& place, const std::string& typed);

}  // namespace lanescope::ui
