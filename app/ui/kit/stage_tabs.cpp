#include "ui/kit/stage_tabs.h"

namespace lanescope::ui {

void stage_tabs(Heading& heading, const WindowState& window, Requests& requests) {
    if (heading.word("Stage", window.stage_tab == StageTab::cells))
        requests.set(&WindowState::stage_tab, StageTab::cells);
    // A side of a comparison has no map of threads.
    if (!window.comparing && heading.word("Threads", window.stage_tab == StageTab::threads))
        requests.set(&WindowState::stage_tab, StageTab::threads);
    if (heading.word("Flow", window.stage_tab == StageTab::flow))
        requests.set(&WindowState::stage_tab, StageTab::flow);
}

}  // namespace lanescope::ui
