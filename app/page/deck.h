// Writes a topic as a deck of slides: one HTML file for a lecture, with the figures, questions, answers and
// the lecturer's notes. It needs no other file and no network. The page's script continues long texts on
// further slides; printed, each slide is a page.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope::page {

// The room for a figure on a slide of 1280 × 720 pixels.
constexpr int slide_figure_width = 1160, slide_figure_height = 488;

struct FigureImage {
    std::string png;
    int width = 0, height = 0;  // on the slide
    int least_height = 0;       // at which its type can still be read from the last row
};

// Returns a figure of a lesson; `target` as in its text: "stage?line=31".
using DrawFigure = std::function<Result<FigureImage>(const lesson::LessonEntry&, const std::string& target)>;

struct DeckOptions {
    std::string version;
    bool notes = false;  // the notes are shown at first; printed, a slide with notes is a sheet with both
};

// Errors: a lesson's file or a file of assets/html is missing; a figure's target is wrong; those of `draw`.
Result<std::string> make_deck(const lesson::Topic& topic, const DrawFigure& draw, const DeckOptions& options);

}  // namespace lanescope::page
