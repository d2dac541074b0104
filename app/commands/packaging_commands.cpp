#include "commands/packaging_commands.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "base/files.h"
#include "base/folders.h"
#include "commands/options/command.h"
#include "compile/compiler.h"
#include "execution/run/launch_arguments.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

// Names the toolkit that made a folder of compiled lessons.
constexpr const char* toolkit_file = "nvrtc.txt";

// The lessons, and the preview's own kernel, as the session and the preview compile them.
std::vector<CourseFile> files_to_compile(const lesson::Registry& registry) {
    std::vector<std::string> files = {(resource_folder() / "assets/preview/any_mask.cu").string()};
    for (const lesson::Topic& topic : registry.topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            files.push_back(entry.path.string());
    std::vector<CourseFile> all;
    for (const std::string& file : files)
        std::ranges::move(all_code_of(file), std::back_inserter(all));
    return all;
}

// Compiles on all cores; each compilation is a process of its own.
Result<std::set<fs::path>> compile_course(const std::vector<CourseFile>& files, const fs::path& folder) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::set<fs::path> made;
    Diagnostics problems;
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
            workers.emplace_back([&] {
                for (std::size_t at = next++; at < files.size(); at = next++) {
                    Result<fs::path> path = compile_course_file(files[at], folder);
                    const std::scoped_lock lock(mutex);
                    if (path)
                        made.insert(*path);
                    else
                        problems.insert(problems.end(), path.diagnostics().begin(), path.diagnostics().end());
                }
            });
    }
    if (!problems.empty()) return problems;
    return made;
}

// Another NVRTC writes other code: what an older one made is removed.
Result<void> begin_course_folder(const fs::path& folder) {
    const Result<compile::Toolkit> toolkit = compile::find_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    const Result<std::string> before = read_file(folder / toolkit_file);
    const std::string now = toolkit->version + "\n";
    std::error_code failed;
    if (!before || *before != now) fs::remove_all(folder, failed);
    fs::create_directories(folder, failed);
    return write_file(folder / toolkit_file, now);
}

int compile_course_command(const fs::path& folder) {
    const lesson::Registry registry = lesson::load_registry(resource_folder() / "kernels");
    if (!registry.problems.empty()) return fail(registry.problems);
    if (const Result<void> begun = begin_course_folder(folder); !begun) return fail(begun.diagnostics());
    const Result<std::set<fs::path>> made = compile_course(files_to_compile(registry), folder);
    if (!made) return fail(made.diagnostics());
    std::error_code failed;
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (entry.path().extension() == ".entry" && !made->contains(entry.path()))
            fs::remove(entry.path(), failed);  // of a lesson that has changed
        else
            bytes += entry.file_size(failed);
    }
    std::printf("%zu compiled files, %.1f MB\n", made->size(), double(bytes) / 1e6);
    return fine;
}

}  // namespace

std::vector<CourseFile> all_code_of(const std::string& file) {
    return {{file, compile::Code::debug},
            {file, compile::Code::optimized},
            {file, compile::Code::optimized, compile::newest_target}};
}

Result<fs::path> compile_course_file(const CourseFile& wanted, const fs::path& folder) {
    const Result<std::string> source = read_text_file(wanted.file);
    if (!source) return source.diagnostics();
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(*source, wanted.file);
    if (!front) return front.diagnostics();
    compile::Options options;
    options.code = wanted.code;
    options.timeout_ms = 300'000;  // a machine that builds is busy
    compile::Flags asked;
    asked.arch = wanted.target;
    Result<compile::Flags> flags = execution::flags_of(*front, wanted.file, asked);
    if (!flags) return flags.diagnostics();
    options.flags = std::move(*flags);
    options.instantiations = lesson::template_kernels(*front);
    return compile::compile_ahead(*source, wanted.file, options, folder);
}

int packaging_command(const CLI::App& app, const std::vector<std::string>& words) {
    const std::string command = words.front(), argument = words.size() > 1 ? words[1] : "";
    const CommandTable table = command_table(app);
    if (command == "__manual") {
        std::cout << manual_page(table, LANESCOPE_VERSION);
        return fine;
    }
    if (command == "__completions" && argument == "bash") {
        std::cout << bash_completions(table);
        return fine;
    }
    if (command == "__completions" && argument == "zsh") {
        std::cout << zsh_completions(table);
        return fine;
    }
    if (command == "__completions" && argument == "fish") {
        std::cout << fish_completions(table);
        return fine;
    }
    if (command == "__compile-course" && !argument.empty()) return compile_course_command(argument);
    return fail(error("unknown internal command '" + command + "'",
                      "__completions bash, __completions zsh, __completions fish, __manual or "
                      "__compile-course FOLDER"));
}

}  // namespace lanescope
