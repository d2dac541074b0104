#include "ui/source/problem_marks.h"

namespace lanescope::ui {

void jump_to(const trace::ProblemSite& site, session::Commands& commands) {
    if (!was_recorded(site)) return;
    commands.push_back(session::SeekTurn{site.turn});
    if (site.thread != trace::none)
        commands.push_back(session::PinLane{site.thread / trace::warp_size, site.thread % trace::warp_size});
}

}  // namespace lanescope::ui
