// The device code of one module of a program, decoded for machines, and what its debug information says.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "cudart/runtime/journal.h"
#include "cudart/runtime/registry.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/launch/launch.h"
#include "simt/program/kernel_info.h"
#include "simt/program/program.h"

namespace lanescope::cudart {

struct DeviceCode {
    std::vector<std::string> parts;  // the PTX of each file; several are linked
    std::size_t described = 0;       // the part whose debug information is known
    ptx::Module module;
    std::string text;
    nlohmann::ordered_json own_names;  // of files, by those in the PTX: as in request.json
    std::string shared_types;          // PTX that tells the types of shared variables; empty: there is none
    ptx::DebugInfo debug;
    simt::Placement placement;  // set by the owner before describe()
    std::shared_ptr<const simt::Program> program;

    // Takes the PTX for a device of this compute capability (90: 9.0) and parses it. Errors: there is no
    // PTX; it is damaged. The journal gets a warning about code without debug information.
    Result<void> read(const RegisteredModule& registered, unsigned capability, Journal& journal);
    Result<void> parse();  // `parts`
    // Decodes the module for the steps of one file; without a name, of the first kernel's.
    Result<void> describe(const std::string& file = "");
    // Makes the steps those of the file in which the kernel stands. Whether `program` is another now.
    bool show_file_of(const std::string& kernel);

    // The variable that the debug information has for a parameter; null where there is none.
    const ptx::DebugVariable* parameter(const simt::Kernel& kernel, std::size_t index) const;
    // The program with the values that the kernel's parameters have in this launch.
    trace::Program with_arguments(const simt::LaunchRequest& request) const;
};

// Whether request.json wants this launch: "record": ["all", "12", "kernel", "kernel:3"]. Launches count from
// 0, `number` of all, `of_kernel` of this kernel.
bool is_wanted(const nlohmann::ordered_json& request, const std::string& kernel, std::uint64_t number,
               std::uint64_t of_kernel);

}  // namespace lanescope::cudart
