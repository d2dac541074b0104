// The tabs of the inspector, in their order.
#pragma once

#include <array>

#include "ui/state/window_state.h"

namespace lanescope::ui {

struct InspectorTabRow {
    InspectorTab tab;
    const char* word;  // of its heading
    const char* name;  // of --tab
    const char* part;  // of --tab, for its other content; null: it has none
    const char* help;  // of the action that shows it; empty: it has an action of its own
    const char* id;    // of that action
    const char* needs_program =
        nullptr;  // what only a program has; null: files without main have the tab too
};

inline constexpr std::array<InspectorTabRow, 8> inspector_tabs = {{
    {InspectorTab::launches, "Launches", "launches", nullptr,
     "all launches of a program; a click records one", "tab.launches", "a list of launches"},
    {InspectorTab::host, "Host", "host", nullptr,
     "what the host code of a program did; a click shows its line", "tab.host", "host code that ran"},
    {InspectorTab::variables, "Variables", "variables", nullptr,
     "variables of the pinned thread, and watches", "tab.variables"},
    {InspectorTab::access, "Access", "access", "counters", "banks and sectors that this step accesses",
     "tab.access"},
    {InspectorTab::problems, "Problems", "problems", nullptr,
     "races, accesses out of bounds and other errors of the run", "tab.problems"},
    {InspectorTab::console, "Console", "console", nullptr, "what the kernel prints", "tab.console"},
    {InspectorTab::timings, "Timings", "timings", "roofline", "", ""},
    {InspectorTab::clock, "Clock", "clock", nullptr,
     "the time on a GPU as an estimate, why, and what would change it", "tab.clock"},
}};

}  // namespace lanescope::ui
