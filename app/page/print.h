// Prints a page that this program wrote as a PDF, with an installed browser: the PDF has the slides that the
// browser shows, with text that can be selected and embedded fonts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::page {

// $LANESCOPE_BROWSER, else the first browser of the Chromium family that is installed. Errors: there is none;
// the hint names some, and the way without one.
Result<std::filesystem::path> find_browser();

// Returns the command line that prints `page` into `pdf`. The browser keeps its files in `folder` and reaches
// no network. Without its sandbox (`root`) it shows nothing but our own page.
std::vector<std::string> print_arguments(const std::filesystem::path& browser,
                                         const std::filesystem::path& folder,
                                         const std::filesystem::path& page, const std::filesystem::path& pdf,
                                         bool root);

// Errors: the browser does not start, takes longer than two minutes, or prints no PDF; the file cannot be
// written.
Result<void> print_pdf(const std::filesystem::path& browser, const std::string& html,
                       const std::filesystem::path& output);

}  // namespace lanescope::page
