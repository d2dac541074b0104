// What can be done, by name: the menu lists it, the palette finds it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct Action {
    std::string title;
    std::string detail;  // its key, a file's folder, a lesson's topic
    std::function<void(WindowState&, session::Commands&)> act;
};

// Those that make sense now.
std::vector<Action> menu_actions(const session::Session& session, const WindowState& shared);

// For what was typed, best first: "n 64" and "n = 2^10" set a parameter; words find commands, tabs, recent
// files and lessons whose title, topic or file name holds all of them, in any order and case. Nothing typed:
// recent files and commands.
std::vector<Action> find_actions(const session::Session& session, const WindowState& shared,
                                 const std::string& typed);

}  // namespace lanescope::ui
