#include "ui/kit/stage_tabs.h"

#include "base/language.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {

void stage_tabs(Heading& heading, const WindowState& window, Requests& requests) {
    for (const StageMode& mode : stage_modes) {
        if (window.comparing && !mode.in_comparison) continue;
        if (heading.word(tr(mode.word), window.stage_tab == mode.tab))
            requests.set(&WindowState::stage_tab, StageTab(mode.tab));
    }
}

}  // namespace lanescope::ui
