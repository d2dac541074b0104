// A frame in words: what a person reads in each panel, without a place, a size or a colour.
#pragma once

#include <span>
#include <string>

#include "ui/kit/drawn_frame.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

// Describes each panel, in alphabetical order:
//
//   == stage
//   CELLS  THREADS  FLOW | STATE                            rows of text from the top; | stands between
//   columns s: shared · 256 B                                       a picture in words: see
//   scene/stage/stage_words.h buttons: cell #, fit                                    names of what can be
//   clicked; #: a number
std::string frame_outline(std::span<const DrawnPanel> panels, const WidgetLog& log);

}  // namespace lanescope::ui
