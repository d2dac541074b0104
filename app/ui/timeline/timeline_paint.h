// How the timeline's contents look: colours, and rows of narrow cells as rows of pixels.
#pragma once

#include <imgui.h>

#include <span>

#include "scene/timeline/timeline_model.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

ImU32 kind_colour(CellKind kind);
ImU32 cell_colour(const TimelineCell& cell);  // fewer lanes: paler
// One of the bucket's kinds, or 0 for none: over many buckets each kind comes as often as its share. Mixing
// the colours instead would give hues that mean nothing. `index` makes the choice, so that it stays while the
// view moves.
ImU32 bucket_colour(const TimelineBucket& bucket, std::size_t index);

// Paints a row into pixel columns: column i shows the steps from begin + i / per_step_px. Costs at most some
// steps per column, however many steps there are. Columns where nothing happened stay 0 (transparent).
void paint_row(const TimelineRow& row, std::size_t step_count, double begin, double per_step_px,
               std::span<ImU32> columns);

}  // namespace lanescope::ui
