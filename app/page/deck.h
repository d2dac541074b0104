// Writes a topic as a deck of slides or as a handout: one HTML file with the figures, which needs no other
// file and no network. The page's script makes texts and figures fit; printed, each slide is a page.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/run/step_place.h"
#include "lesson/course/registry.h"

namespace lanescope::page {

// The room for a figure on a slide of 1280 × 720 pixels.
constexpr int slide_figure_width = 1160, slide_figure_height = 488;

struct FigureImage {
    std::string png;
    int width = 0, height = 0;  // on the slide
    int least_height = 0;       // at which its type can still be read from the last row
};

// What a deck asks of the program that runs the lessons.
struct DeckSource {
    // Returns a figure of a lesson; `target` as in its text: "stage?line=31". With `lanes`, the lanes of the
    // warps stand below the arrays where they have room.
    std::function<Result<FigureImage>(const lesson::LessonEntry&, const std::string& target, bool lanes)>
        draw;
    // Where a note of a lesson belongs; nothing if the run has no such step.
    std::function<std::optional<execution::PlacedStep>(const lesson::LessonEntry&, const lesson::StepNote&)>
        place;
};

enum class Answers : std::uint8_t {
    off,    // the file does not hold them
    click,  // hidden until a click or a key
    on
};

struct DeckOptions {
    std::string version = {};
    bool notes = false;  // the notes are shown at first; printed, a slide with notes is a sheet with both
    Answers answers = Answers::click;
    std::string web = {};  // where the version for browsers is, to which lessons link; may be empty
};

// Errors: a lesson's file or a file of assets/html is missing; a figure's target is wrong; those of `draw`.
Result<std::string> make_deck(const lesson::Topic& topic, const DeckSource& source,
                              const DeckOptions& options);

// Returns the topic as a text to print: figures, code, questions with room for answers, exercises, sources;
// and no notes of the lecturer. Errors: as make_deck().
Result<std::string> make_handout(const lesson::Topic& topic, const DeckSource& source,
                                 const DeckOptions& options);

// A step of a run as a slide.
struct StepSlide {
    std::string heading, caption;
    std::string link;  // opens the step in the version for browsers; may be empty
    std::string svg;   // the picture, at most slide_figure_width wide and step_figure_height high
};
constexpr int step_figure_height = 500;

// Returns the deck of a run's steps. `fonts`: CSS with the typefaces of the pictures. Errors: a file of
// assets/html is missing.
Result<std::string> make_step_deck(const std::string& title, const std::vector<StepSlide>& slides,
                                   const std::string& fonts, const DeckOptions& options);

// Returns a page of exactly one picture, without any margin, to be printed as a figure.
std::string figure_page(const std::string& svg, int width, int height, const std::string& fonts);

}  // namespace lanescope::page
