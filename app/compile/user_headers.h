// The headers of the user's own that a source text includes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compile/worker_protocol.h"

namespace lanescope::compile {

struct UserHeaders {
    std::vector<NamedText> headers;  // in the order of their first mention
    bool complete =
        true;  // false: an #include of a macro, or too many: the text alone does not say what is included
};

// Follows #include "x" and <x> that lie beside the including file or in `folder`, recursively. What is not
// there is left to the compiler: a toolkit header, or an error at its line.
UserHeaders find_user_headers(const std::string& source, const std::filesystem::path& folder);

// Names in the #include lines of a text, in order.
std::vector<std::string> included_names(const std::string& source, bool* has_computed = nullptr);

}  // namespace lanescope::compile
