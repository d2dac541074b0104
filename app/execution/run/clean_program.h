// A file's optimised machine code with its launches, as app/gpu runs them untouched.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "gpu/clean/clean_run.h"
#include "lesson/instance.h"
#include "simt/program/kernel_info.h"

namespace lanescope::execution {

// Compiled once, for all sizes of a file.
struct CleanCode {
    compile::Output compiled;
    std::vector<simt::KernelInfo> kernels;
    std::vector<std::string> variables;  // symbols of module-scope variables that can be written
};

// `target`: "sm_90", whatever the flags say about it. Errors: compiler errors, at their lines; PTX that this
// program cannot read.
Result<CleanCode> compile_clean(const std::string& source, const std::string& file,
                                const lesson::FrontMatter& front, const std::string& target,
                                const compile::Flags& flags = {});

// What is known of code that was compiled elsewhere; it needs PTX, machine code and symbols. Error: PTX that
// this program cannot read.
Result<CleanCode> clean_code_of(compile::Output compiled, const std::string& file);

// The result refers to `code` and to the contents of `instance`, which must live as long. `notes`: settings
// that a GPU does not obey. Errors: those of prepare_launch; a buffer that names no module-scope variable, or
// one that is too small.
Result<gpu::CleanProgram> clean_program(const CleanCode& code, const lesson::Instance& instance,
                                        const std::string& file, std::vector<std::string>& notes);

}  // namespace lanescope::execution
