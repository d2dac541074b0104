#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "base/file_kind.h"
#include "base/files.h"
#include "program/build.h"

namespace lanescope::program {

namespace {

namespace fs = std::filesystem;

// The compute capabilities for which nvcc makes code: 75, 80, …
std::set<int> known_capabilities() {
    std::set<int> found;
    const Result<fs::path> nvcc = find_nvcc();
    if (!nvcc) return found;
    constexpr int timeout_ms = 20'000;
    const Result<ProcessOutcome> outcome = run_process({nvcc->string(), "--list-gpu-arch"}, "", timeout_ms);
    if (!outcome || !outcome->succeeded()) return found;
    constexpr std::string_view name = "compute_";
    for (std::size_t at = outcome->out.find(name); at != std::string::npos;
         at = outcome->out.find(name, at + name.size()))
        found.insert(std::atoi(outcome->out.c_str() + at + name.size()));
    return found;
}

// The targets in a line that are not known: "sm_20", "compute_35".
std::vector<std::string> strange_targets(std::string_view line, const std::set<int>& known) {
    std::vector<std::string> found;
    for (const std::string_view name : {"sm_", "compute_"})
        for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
            std::size_t end = at + name.size();
            while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0)
                ++end;
            const std::string target(line.substr(at, end - at));
            const bool whole = at == 0 || (std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0 &&
                                           line[at - 1] != '_');
            if (whole && end > at + name.size() && !known.contains(std::atoi(target.c_str() + name.size())) &&
                std::find(found.begin(), found.end(), target) == found.end())
                found.push_back(target);
        }
    constexpr std::string_view list = "CUDA_ARCHITECTURES";  // of CMake: numbers alone
    const std::size_t begin = line.find(list);
    for (std::size_t at = begin == line.npos ? line.size() : begin + list.size(); at < line.size();) {
        std::size_t end = at;
        while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0)
            ++end;
        const std::string number(line.substr(at, end - at));
        const bool whole = end > at && std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0;
        if (whole && number.size() <= 3 && !known.contains(std::atoi(number.c_str())))
            found.push_back("sm_" + number);
        at = std::max(end, at + 1);
    }
    return found;
}

Diagnostic about(const std::string& target, int oldest, Diagnostic at) {
    at.message =
        "nvcc does not know the target " + target + ": its oldest one is sm_" + std::to_string(oldest);
    at.hint = "leave out the target, or write sm_" + std::to_string(machine_capability) +
              ": the CPU machine is a device of this capability, and 'lanescope build' adds its own target";
    return at;
}

void look_into(const fs::path& file, const std::set<int>& known, Diagnostics& found) {
    const Result<std::string> text = read_file(file);
    if (!text) return;
    int number = 0;
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        ++number;
        const std::string_view line(text->data() + at, end - at);
        if (line.find_first_not_of(" \t") != std::string_view::npos &&
            line[line.find_first_not_of(" \t")] != '#')
            for (const std::string& target : strange_targets(line, known))
                found.push_back(about(target, *known.begin(), error_at(file.string(), number, 0, "")));
        at = end + 1;
    }
}

}  // namespace

Diagnostics unknown_targets(const std::vector<std::string>& command, const fs::path& folder) {
    const std::set<int> known = known_capabilities();
    Diagnostics found;
    if (known.empty()) return found;
    for (const std::string& word : command)
        for (const std::string& target : strange_targets(word, known))
            found.push_back(about(target, *known.begin(), error("")));
    std::error_code failed;
    std::vector<fs::path> files;
    for (const fs::directory_entry& each : fs::directory_iterator(folder.empty() ? "." : folder, failed))
        if (each.is_regular_file(failed) && kind_of(each.path()) == FileKind::build)
            files.push_back(each.path().filename());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        look_into(folder / file, known, found);
    return found;
}

}  // namespace lanescope::program
