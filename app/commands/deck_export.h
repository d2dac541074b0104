// `lanescope export TOPIC -o slides.html`: a topic as a deck of slides.
#pragma once

#include <string>

#include "base/result.h"

namespace lanescope {

// Whether the name is a topic of the course or of the person's own, or a folder that holds one.
bool names_topic(const std::string& name);

// Draws the figures with OpenGL, without a window. Errors: the folder is damaged; those of page::make_deck().
Result<void> export_deck(const std::string& topic, const std::string& output, const std::string& version);

}  // namespace lanescope
