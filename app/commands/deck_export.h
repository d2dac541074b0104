// `lanescope export TOPIC -o slides.html`: a topic as a deck of slides.
#pragma once

#include <string>

#include "base/result.h"
#include "page/deck.h"

namespace lanescope {

// Whether the name is a topic of the course or of the person's own, or a folder that holds one.
bool names_topic(const std::string& name);

// Returns the page with the slides. Draws the figures with OpenGL, without a window. Errors: the folder is
// damaged; those of page::make_deck().
Result<std::string> make_deck(const std::string& topic, const page::DeckOptions& options);

// Writes the page or, for a name that ends in .pdf, prints it with a browser. Returns the exit code.
int export_deck(const std::string& topic, const std::string& output, const page::DeckOptions& options);

}  // namespace lanescope
