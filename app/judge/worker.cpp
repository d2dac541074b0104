#include <sys/resource.h>
#include <unistd.h>

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "compile/confine.h"
#include "compile/toolkit.h"
#include "judge/mark.h"
#include "lesson/course/registry.h"

namespace lanescope::judge {

namespace {

using nlohmann::ordered_json;

void limit_process(double seconds) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr rlim_t bytes = 6ull << 30;
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    constexpr double most_threads = 4;  // that compute at once
    const auto cpu_seconds = static_cast<rlim_t>(most_threads * (seconds + 5));
    const rlimit processor{cpu_seconds, cpu_seconds};
    setrlimit(RLIMIT_CPU, &processor);
}

// A run may read compiled code, the program and images of the exercise; it starts the compiler again where
// nothing is cached.
void confine(const std::filesystem::path& topic) {
    std::vector<std::filesystem::path> readable{executable_path().parent_path(), compiled_folder(), topic};
    if (const Result<std::filesystem::path> cache = cache_folder()) readable.push_back(*cache);
    if (const Result<compile::ToolkitFiles> toolkit = compile::locate_toolkit()) {
        readable.push_back(toolkit->nvrtc.parent_path());
        std::error_code failed;
        readable.push_back(std::filesystem::canonical(toolkit->nvrtc, failed).parent_path());
        for (const std::filesystem::path& folder : toolkit->include_folders)
            readable.push_back(folder);
    }
    std::erase_if(readable, [](const std::filesystem::path& path) { return path.empty(); });
    (void)compile::confine_to(readable);
}

ordered_json answer(const ordered_json& request) {
    const auto text = [&](const char* key) { return request.value(key, std::string()); };
    const double seconds = request.value("seconds", 60.0);
    const std::filesystem::path topic = text("topic");
    const lesson::Registry registry = lesson::load_topic(topic);
    const Result<const lesson::Exercise*> exercise = registry.exercise(text("exercise"));
    if (!exercise) return {{"error_of_exercise", exercise.diagnostics().front().message}};
    JudgeLimits limits;
    limits.seconds = seconds;
    const Result<Verdict> verdict =
        judge(**exercise, {text("file"), text("source"), text("arch")}, limits, [&] { confine(topic); });
    if (!verdict) return {{"error_of_exercise", to_text(verdict.diagnostics().front())}};
    return json_of(*verdict);
}

}  // namespace

int mark_worker_main() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const ordered_json request = ordered_json::parse(text, nullptr, false);
    if (!request.is_object()) return 2;
    limit_process(request.value("seconds", 60.0));
    std::cout << answer(request).dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    std::cout.flush();
    return 0;
}

}  // namespace lanescope::judge
