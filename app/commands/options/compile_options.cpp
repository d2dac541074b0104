#include "commands/options/compile_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace lanescope {

namespace fs = std::filesystem;

void CompileOptions::add_to(CLI::App& app, Target target) {
    app.add_option("-I,--include", include_folders, "search headers in this folder, too")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    app.add_option("-D,--define", definitions, "define a macro: N, N=1024")
        ->type_name("NAME[=VALUE]")
        ->allow_extra_args(false);
    app.add_option("--std", standard, "the C++ standard: c++11, c++14, c++17, c++20, c++23 (default: c++17)")
        ->type_name("STANDARD");
    if (target == Target::chosen)
        app.add_option("--arch", arch,
                       "the target of the code: sm_50 to sm_90 (default: sm_90 for a file without front\n"
                       "matter or one that depends on it, else sm_75)")
            ->type_name("TARGET");
    app.add_option("--kernel", kernel, "the kernel to launch, for a file without front matter")
        ->type_name("NAME");
    const char* extents = "N[,N[,N]]";
    app.add_option("--grid", launch.grid, "of that launch: the blocks, as in 8 or 4x4")->type_name(extents);
    app.add_option("--block", launch.block, "the threads of a block, as in 256 or 16x16")->type_name(extents);
    app.add_option("--shared", launch.shared, "the bytes of dynamic shared memory")->type_name("BYTES");
    app.add_option("--count", launch.counts, "the elements of a pointer parameter: a=1024, a=n+1")
        ->type_name("NAME=N")
        ->allow_extra_args(false);
    app.add_option("--fill", launch.fills,
                   "what a pointer parameter holds: a=zero, a=3, a=iota, a='random(0, 9)'")
        ->type_name("NAME=CONTENTS")
        ->allow_extra_args(false);
}

bool CompileOptions::empty() const {
    return include_folders.empty() && definitions.empty() && standard.empty() && arch.empty() &&
           kernel.empty() && launch.empty();
}

Result<execution::Opening> CompileOptions::opening() const {
    execution::Opening opening{{{}, definitions, standard, arch}, kernel, launch};
    if (const Result<lesson::StatedParts> sound = lesson::parts_of(launch); !sound)
        return sound.diagnostics();
    for (const std::string& folder : include_folders) {
        std::error_code failed;
        if (!fs::is_directory(folder, failed))
            return error("-I " + folder + ": there is no such folder", "name a folder that holds headers");
        opening.flags.include_folders.push_back(fs::absolute(folder, failed).lexically_normal().string());
    }
    if (Result<void> fine = compile::check_flags(opening.flags); !fine) return fine.diagnostics();
    return opening;
}

std::vector<std::string> CompileOptions::for_nvcc() const {
    std::vector<std::string> words;
    for (const std::string& folder : include_folders)
        words.push_back("-I" + folder);
    for (const std::string& definition : definitions)
        words.push_back("-D" + definition);
    if (!standard.empty()) words.push_back("-std=" + standard);
    return words;
}

std::vector<std::string> with_long_options(int argc, char** argv) {
    std::vector<std::string> arguments;
    bool own = true;  // what follows "--" belongs to a program
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        own = own && argument != "--";
        const bool short_form = own && (argument.starts_with("-std=") || argument.starts_with("-arch="));
        arguments.push_back(short_form ? "-" + argument : argument);
    }
    return arguments;
}

}  // namespace lanescope
