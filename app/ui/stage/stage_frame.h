// The space that the stage has in a rectangle.
#pragma once

#include "scene/stage/stage_model.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

LayoutFrame stage_frame(const Rect& inside, const LaneColumns& columns, float scale);

// A few threads and cells are shown larger, because there is room and they are easier to read from afar.
void fit_columns(const StageModel& model, const Rect& inside, const session::Session& session, float scale,
                 LaneColumns& columns);

}  // namespace lanescope::ui
