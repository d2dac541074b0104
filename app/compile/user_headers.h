// Finds the user's own headers that a source text includes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compile/worker_protocol.h"

namespace lanescope::compile {

struct UserHeaders {
    std::vector<NamedText> headers;    // in the order of their first mention
    std::vector<std::string> refused;  // names of files that exist but must not be read
    bool complete = true;              // false if headers may be missing: #include of a macro, or too many
};

// Follows #include "x" and <x> recursively, beside the including file, in `folder` and in `more` folders.
// Leaves other headers to the compiler: they are toolkit headers or errors at their line. A file outside of
// these folders, which a stranger's text can name, is read only if its name ends like that of a source file.
UserHeaders find_user_headers(const std::string& source, const std::filesystem::path& folder,
                              const std::vector<std::filesystem::path>& more = {});

// Returns the names in the #include lines of a text, in order.
std::vector<std::string> included_names(const std::string& source, bool* has_computed = nullptr);

}  // namespace lanescope::compile
