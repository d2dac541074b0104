// The parts of the table of actions, in the order of the list of keys.
#pragma once

#include "ui/actions/action.h"

namespace lanescope::ui {

std::vector<Action> step_actions();
std::vector<Action> run_actions();
std::vector<Action> view_actions();
std::vector<Action> panel_actions();
std::vector<Action> lecture_actions();
std::vector<Action> file_actions();
std::vector<Action> window_actions();
std::vector<Action> preview_actions();

// The layers in which most letters work, and those in which keys with Ctrl work.
constexpr Layers on_panels = Layer::panels | Layer::compare | Layer::lecture;
constexpr Layers outside_preview = Layers(all_layers & ~(Layer::preview | Layer::preview_typing));

// --- Reasons that several actions give; empty if the action can run ----------------------------------------
std::string needs_file(const Place& place);
std::string needs_source(const Place& place);  // a file that is not a recorded trace
std::string needs_run(const Place& place);
std::string needs_steps(const Place& place);

}  // namespace lanescope::ui
