#include "ui/kit/stage_tabs.h"

namespace lanescope::ui {

void stage_tabs(Heading& heading, const WindowState& shared, Requests& requests) {
    if (heading.word("Stage", shared.stage_tab == StageTab::cells))
        requests.set(&WindowState::stage_tab, StageTab::cells);
    if (shared.comparing) return;  // a side of a comparison shows cells
    if (heading.word("Threads", shared.stage_tab == StageTab::threads))
        requests.set(&WindowState::stage_tab, StageTab::threads);
}

}  // namespace lanescope::ui
