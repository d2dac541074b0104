// Proposes a launch for a file without front matter: from the kernel's signature, its guards and indices, and
// from the launches that host code makes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

struct SourceText {
    std::string file;
    std::string text;
};

struct ProposalRequest {
    std::vector<SourceText> texts;         // the file, then the headers beside it that it includes
    std::vector<std::string> definitions;  // "N=1024", as the compiler gets them
    std::string kernel;  // with or without its namespace; empty: the first that can be launched
};

// FrontMatter::proposal of the result says what was guessed. Errors, located at the kernel: the texts have no
// kernel, or none of the wanted name; an argument that no front matter can state, such as a structure with
// pointers; a template whose arguments are not known.
Result<FrontMatter> propose(const ProposalRequest& request);

}  // namespace lanescope::lesson
