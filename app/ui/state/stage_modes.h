// What the panel in the middle can show, in the order of its tabs.
#pragma once

#include <array>
#include <cstddef>

#include "ui/state/window_state.h"

namespace lanescope::ui {

struct StageMode {
    StageTab tab;
    const char* word;    // of its tab
    const char* view;    // of --view; empty: the usual one
    bool in_comparison;  // a side of a comparison can show it
    bool beside_warps;   // else it fills the column of the stage and the warps
    float below;         // in a lecture: the share of the usual height that source and timeline have below it
    const char *id, *title, *help;  // of its action
    char32_t letter = 0;            // its key, which also goes back to the usual mode
    int menu = 0;                   // its row in the menu
};

inline constexpr std::array<StageMode, 4> stage_modes = {{
    {StageTab::cells, "Stage", "", true, true, 1, "stage.cells", "Stage", "memory cells of one block"},
    {StageTab::threads, "Threads", "threads", false, true, 1, "stage.threads",
     "Map of all threads, or the stage", "switch between the stage and the map of all threads", U'm', 18},
    // The figure of the flow needs more of the height than a row of cells.
    {StageTab::flow, "Flow", "flow", true, false, 0.75f, "stage.flow",
     "Flow: what each cell was computed from, or the stage",
     "switch between the stage and the flow of values", U'f', 19},
    {StageTab::layout, "Layout", "layout", false, false, 0.5f, "stage.layout",
     "Layout: where each element is, or the stage",
     "switch between the stage and the layouts of tiles, banks, fragments and threads", 0, 20},
}};

constexpr const StageMode& mode_of(StageTab tab) {
    return stage_modes[static_cast<std::size_t>(tab)];
}

}  // namespace lanescope::ui
