#include "ui/state/window_state.h"

namespace lanescope::ui {

void start_tour(WindowState& window) {
    window.lecture = window.help.shown = window.source.editing = window.notes.editing = window.comparing =
        window.exporting = false;
    window.stage_tab = StageTab::cells;
    window.inspector.tab = InspectorTab::automatic;
    window.tour_stop = 0;
}

LectureBand lecture_band(const WindowState& window, const session::Session& session) {
    if (window.talk.band != LectureBand::of_lesson) return window.talk.band;
    const lesson::LessonEntry* lesson = session.lesson();
    return lesson && lesson->lecture_lanes ? LectureBand::lanes : LectureBand::source;
}

}  // namespace lanescope::ui
