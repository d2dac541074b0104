// Paints the timeline's content: colours, and rows of narrow cells as rows of pixels.
#pragma once

#include <imgui.h>

#include <span>

#include "scene/timeline/timeline_model.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

ImU32 kind_colour(CellKind kind);
ImU32 cell_colour(const TimelineCell& cell);  // paler for fewer lanes
// Returns the colour of one of the bucket's kinds, or 0 for none. Over many buckets each kind appears as
// often as its share; mixed colours would have hues without a meaning. The choice depends on `index`, so that
// it stays the same while the view moves.
ImU32 bucket_colour(const TimelineBucket& bucket, std::size_t index);

// Paints a row into pixel columns: column i shows the steps from begin + i / per_step_px. The cost depends on
// the number of columns, not of steps. Columns in which nothing happens stay 0 (transparent).
void paint_row(const TimelineRow& row, std::size_t step_count, double begin, double per_step_px,
               std::span<ImU32> columns);

}  // namespace lanescope::ui
