// What the texts of a program say of its kernels and of the launches that host code makes. A proposal
// (execution/proposal) takes it over, and finds out the rest by trial runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::lesson {

struct SourceText {
    std::string file;
    std::string text;
    bool host_only = false;  // its launches count, its kernels do not
};

struct SourceRequest {
    std::vector<SourceText> texts;  // the file, then the headers beside it that it includes, then others
    std::vector<std::string> definitions;  // "N=1024", as the compiler gets them
    std::string kernel;                    // with or without its namespace; empty: all
};

struct StatedArgument {
    std::string name;                             // of the parameter, fit for the front matter
    std::string literal;                          // the real number that host code passes: "0.5"
    std::string text;                             // what host code computes from other arguments: "2 * n"
    std::optional<std::int64_t> value;            // the whole number that host code passes
    std::optional<std::int64_t> allocated_bytes;  // of the memory that host code passes
};

// The texts of extents and sizes are expressions over the names of the arguments.
struct StatedLaunch {
    std::string kernel;  // with its template arguments: "reduce<float, 128>"
    std::string file;
    int line = 0;
    std::string host_file;                  // that launches it, if its text is host_only
    std::vector<StatedArgument> arguments;  // one for each parameter of the kernel
    std::vector<std::string> grid, block;   // empty: not stated
    // Where the grid depends on variables of the host that the kernel does not get: the extents over these,
    // too, each empty where it is not known, and the names.
    std::vector<std::string> open_grid, open_names;
    std::vector<std::string> sized_block;               // the block where it depends on arguments: "K / 4"
    std::string shared;                                 // bytes of dynamic shared memory; empty: not stated
    std::optional<std::int64_t> template_block;         // a template argument that is the size of the block
    std::optional<std::int64_t> known_threads() const;  // of a block
    bool of_template() const { return kernel.find('<') != std::string::npos; }
};

struct StatedLaunches {
    std::vector<std::string> kernels;    // all, in the order of the texts
    std::vector<StatedLaunch> launches;  // of the wanted kernels, those that can be launched; at least one
};

// Errors, located at the kernel: the texts have no kernel, or none of the wanted name; a template whose
// arguments are not known; a parameter that only device code can pass.
Result<StatedLaunches> stated_launches(const SourceRequest& request);

// Why no launch can be proposed for the kernel at a line, and what to write instead.
Diagnostic no_proposal(const std::string& file, int line, const std::string& why);

}  // namespace lanescope::lesson
