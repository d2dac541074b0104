// Source lines of a program's host code, from its debug information.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/run.h"

namespace lanescope::program {

struct CallFrame {
    std::string file;  // the program, or a library
    std::uint64_t offset = 0;
};

// The lines of a source by the numbers that the compiler gives them: #line renumbers those that follow, or
// says that they are another file's. A number that two lines have is an empty line.
std::vector<std::string> numbered_lines(const std::string& text, const std::string& file);

class HostLines {
  public:
    // `own_names`: of files, by those in the debug information; not an object if there are none.
    explicit HostLines(nlohmann::ordered_json own_names = {});
    ~HostLines();
    HostLines(const HostLines&) = delete;
    HostLines& operator=(const HostLines&) = delete;

    // The innermost frame that lies in a source of the user: not in a header of CUDA or of the system, nor in
    // code that nvcc generates.
    // `kernel`: of a launch, the kernel's mangled name, whose stub on the host is left out.
    HostPlace place_of(const std::vector<CallFrame>& frames, const std::string& kernel = {});
    // "d_in" where the line reads cudaMalloc(&d_in, …) or cudaMalloc((void**)&d_in, …); empty if it does not.
    // `calls_before`: how often the line allocated before. A line with several calls makes them in their
    // order.
    std::string first_argument(const HostPlace& place, std::size_t calls_before);

    // Whether the line calls the function as a statement of its own, so that what it returns is lost.
    // Launches return nothing. False where the source does not tell.
    bool ignores_result(const HostPlace& place, const std::string& function);

  private:
    struct Module;
    Module& module(const std::string& file);
    const std::vector<std::string>& lines_of(const std::string& file);
    nlohmann::ordered_json own_names_;
    std::map<std::string, std::unique_ptr<Module>> modules_;
    std::map<std::string, std::vector<std::string>> sources_;
};

}  // namespace lanescope::program
