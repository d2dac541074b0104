// Writes a topic as a deck of slides: one HTML file for a lecture, with the figures, questions, answers and
// the lecturer's notes. It needs no other file and no network. The page's script continues long texts on
// further slides; printed, each slide is a page.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

// A step of a run as a slide.
struct StepSlide {
    std::string heading, caption;
    std::string svg;  // the picture, at most slide_figure_width wide and step_figure_height high
};
constexpr int step_figure_height = 500;

// Returns the deck of a run's steps. `fonts`: CSS with the typefaces of the pictures. Errors: a file of
// assets/html is missing.
Result<std::string> make_step_deck(const std::string& title, const std::vector<StepSlide>& slides,
                                   const std::string& fonts, const DeckOptions& options);

// Returns a page of exactly one picture, without any margin, to be printed as a figure.
std::string figure_page(const std::string& svg, int width, int height, const std::string& fonts);

}  // namespace lanescope::page
