// Links to the version for browsers: https://your.server/lanescope/?lesson=scan/blelloch&step=32&n=16
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lanescope::lesson {

// Returns where the version for browsers is, as $LANESCOPE_WEB says; empty if it says nothing.
std::string web_address();

// Errors: an address that no link can begin with.
Result<void> check_web_address(const std::string& address);

using LinkWords = std::vector<std::pair<std::string, std::string>>;

// Returns what follows the ? of a link that opens the file. A file that is neither of the course nor of the
// person's own lessons is named without its folder.
std::string link_query(const std::filesystem::path& file, const LinkWords& more = {});

// Reads a query; a name without "=" has an empty value.
LinkWords words_of_link(std::string_view query);

// Returns the file of a lesson such as "scan/blelloch", in the course or among the person's own. It need not
// exist.
std::filesystem::path file_of_lesson(const std::string& name);

}  // namespace lanescope::lesson
