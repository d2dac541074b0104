// The text that the source view shows for reading.
#pragma once

#include <string>

#include "scene/source/cuda_tokens.h"
#include "session/session.h"

namespace lanescope::ui {

// The open file, or the source that a PTX file was compiled from; the file itself is edited.
const std::string& shown_text(const session::Session& session);
scene::Language language_of_shown_text(const session::Session& session);
// "kernel.ptx — kernel.py"; empty if the file itself is shown.
std::string title_with_source(const session::Session& session);

}  // namespace lanescope::ui
