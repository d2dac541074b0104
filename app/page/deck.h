// Writes a topic as a deck of slides: one HTML file for a lecture, with the figures, questions that unfold
// and the lecturer's notes. It needs no other file and no network.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "lesson/figure.h"
#include "lesson/registry.h"

namespace lanescope::page {

// Returns a figure of a lesson as a PNG file.
using DrawFigure = std::function<Result<std::string>(const lesson::LessonEntry&, const lesson::Figure&)>;

// Errors: a lesson's file or a file of assets/html is missing; a figure's target is wrong; those of `draw`.
Result<std::string> make_deck(const lesson::Topic& topic, const DrawFigure& draw, const std::string& version);

}  // namespace lanescope::page
