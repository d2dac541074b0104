#include "ui/stage/stage_frame.h"

#include <algorithm>

#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

LayoutFrame stage_frame(const Rect& inside, const LaneColumns& columns, float scale) {
    return {lane_grid(inside, columns, scale),
            inside.height,
            scale,
            lane_scale(columns),
            cell_fonts().sizes,
            columns.fit,
            columns.tall};
}

// Lowers cells a little where all arrays then are in sight.
static void fit_height(const StageModel& model, const Rect& inside, float scale, LaneColumns& columns) {
    for (const float tall : {1.0f, 0.9f, 0.8f, 0.72f}) {
        columns.tall = tall;
        if (model.layout_in(stage_frame(inside, columns, scale)).height <= inside.height) return;
    }
    columns.tall = 1;
}

void fit_columns(const StageModel& model, const Rect& inside, const session::Session& session, float scale,
                 LaneColumns& columns) {
    const session::StepState& step_state = *session.playhead().step_state();
    const std::uint64_t threads = step_state.launch ? step_state.launch->block.count() : trace::warp_size;
    const auto lanes = static_cast<unsigned>(std::min<std::uint64_t>(threads, trace::warp_size));
    const StageLayout usual =
        model.layout_in(stage_frame(inside, {.zoom = 1, .fit = 1, .tall = 1, .pan_px = 0}, scale));
    for (float fit : {4.0f, 3.5f, 3.0f, 2.5f, 2.0f, 1.75f, 1.5f, 1.25f, 1.0f}) {
        for (float share : {1.0f, 0.75f, 0.5f, 0.25f, 0.0f}) {
            columns.fit = fit;
            columns.tall = 1 + (fit - 1) * share;
            const LaneColumns trial{.zoom = 1, .fit = fit, .tall = columns.tall, .pan_px = 0};
            if (fit == 1) return fit_height(model, inside, scale, columns);
            if (model.fits(stage_frame(inside, trial, scale), lanes, usual)) return;
        }
    }
}

}  // namespace lanescope::ui
