#include "ui/source/problem_marks.h"

namespace lanescope::ui {

void jump_to(const trace::ProblemSite& site, Requests& requests) {
    if (!was_recorded(site)) return;
    requests.commands.push_back(session::SeekTurn{site.turn});
    if (site.thread != trace::none)
        requests.commands.push_back(
            session::PinLane{site.thread / trace::warp_size, site.thread % trace::warp_size});
}

}  // namespace lanescope::ui
