#include "ui/state/window_state.h"

namespace lanescope::ui {

void start_tour(WindowState& window) {
    window.lecture = window.show_help = window.editing = window.edit_note = window.comparing =
        window.exporting = false;
    window.stage_tab = StageTab::cells;
    window.show_tab = InspectorTab::automatic;
    window.tour_stop = 0;
}

}  // namespace lanescope::ui
