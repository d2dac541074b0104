#include "ui/kit/stage_tabs.h"

namespace lanescope::ui {

void stage_tabs(Heading& heading, WindowState& shared) {
    if (heading.word("Stage", shared.stage_tab == StageTab::cells)) shared.stage_tab = StageTab::cells;
    if (shared.comparing) return;  // a side of a comparison shows cells
    if (heading.word("Threads", shared.stage_tab == StageTab::threads)) shared.stage_tab = StageTab::threads;
}

}  // namespace lanescope::ui
