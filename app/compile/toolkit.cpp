#include "compile/toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "base/folders.h"
#include "base/process.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

// Newest first. This program reads the debug information of CUDA 12 and 13.
const std::vector<std::string> library_names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

std::vector<fs::path> sorted_children(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path());
    std::sort(found.rbegin(), found.rend());  // newer versions first
    return found;
}

// `folder`: where wheels were unpacked.
void add_wheels(const fs::path& folder, std::vector<fs::path>& roots) {
    for (const char* preferred : {"cu13", "cuda_nvrtc", "cu12"})
        roots.push_back(folder / "nvidia" / preferred);
}

// $LANESCOPE_NO_SYSTEM_CUDA, as app/run.sh has it.
bool system_cuda_allowed() {
    const char* value = std::getenv("LANESCOPE_NO_SYSTEM_CUDA");
    return !value || !*value;
}

void add_system_roots(const fs::path& program_folder, std::vector<fs::path>& roots) {
    if (fs::path known = read_build_tree(program_folder).cuda; !known.empty())
        roots.push_back(std::move(known));
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(name); value && *value) roots.emplace_back(value);
    roots.emplace_back("/usr/local/cuda");
    for (fs::path& other : sorted_children("/usr/local", "cuda-"))
        roots.push_back(std::move(other));
}

std::vector<fs::path> candidate_roots() {
    std::vector<fs::path> roots;
    const fs::path program_folder = executable_path().parent_path();
    // What pip installed with this program has the versions that it was tested with.
    if (const fs::path packages = python_packages_of(program_folder); !packages.empty())
        add_wheels(packages, roots);
    if (system_cuda_allowed()) add_system_roots(program_folder, roots);
    for (fs::path folder = program_folder; folder.has_relative_path(); folder = folder.parent_path())
        add_wheels(folder / "cuda-wheels", roots);
    if (const fs::path got = compiler_folder(); !got.empty()) add_wheels(got, roots);
    return roots;
}

using LibraryNames = std::vector<std::string>;

std::optional<fs::path> library_in(const fs::path& root, const LibraryNames& names) {
    std::error_code code;
    for (const char* sub : {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
        for (const std::string& name : names)
            if (fs::is_regular_file(root / sub / name, code)) return fs::absolute(root / sub / name, code);
    return std::nullopt;
}

// Finds another library of the same toolkit: beside NVRTC, or in its own folder with wheels of CUDA 12. Falls
// back to another toolkit.
fs::path companion(const fs::path& nvrtc, const char* component, const LibraryNames& names,
                   const std::vector<fs::path>& roots) {
    const fs::path folder = nvrtc.parent_path();
    std::error_code code;
    for (const std::string& name : names)
        if (nvrtc.has_parent_path() && fs::is_regular_file(folder / name, code)) return folder / name;
    if (const auto found = library_in(folder.parent_path().parent_path() / component, names);
        found && nvrtc.has_parent_path())
        return *found;
    for (const fs::path& root : roots)
        if (const auto found = library_in(root, names)) return *found;
    return {};
}

fs::path find_linker(const fs::path& nvrtc, const std::vector<fs::path>& roots) {
    if (const char* chosen = std::getenv("LANESCOPE_NVJITLINK"); chosen && *chosen) return chosen;
    const LibraryNames names{"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"};
    const fs::path found = companion(nvrtc, "nvjitlink", names, roots);
    return found.empty() ? fs::path(names[0]) : found;
}

// Returns the header folders of the library's own toolkit. Wheels of CUDA 12 keep each component's headers in
// a separate folder.
std::vector<fs::path> include_folders_for(const fs::path& library, const std::vector<fs::path>& roots) {
    std::error_code code;
    std::vector<fs::path> candidates;
    const fs::path folder = library.parent_path();
    if (library.has_parent_path()) {
        candidates.push_back(folder.parent_path() / "include");
        candidates.push_back(folder.parent_path().parent_path().parent_path() /
                             "include");  // root/targets/x/lib
        for (const char* component : {"cuda_runtime", "cuda_cccl"})
            candidates.push_back(folder.parent_path().parent_path() / component / "include");
    }
    for (const fs::path& root : roots)
        candidates.push_back(root / "include");
    candidates.emplace_back("/usr/include");
    std::vector<fs::path> found;
    for (const fs::path& candidate : candidates) {
        const bool runtime = fs::is_regular_file(candidate / "cuda_fp16.h", code);
        const bool cccl_only = !found.empty() && candidate.parent_path().filename() == "cuda_cccl";
        if (!(found.empty() && runtime) && !(cccl_only && fs::is_directory(candidate, code))) continue;
        found.push_back(fs::absolute(candidate, code));
        if (fs::is_directory(candidate / "cccl", code))
            found.push_back(fs::absolute(candidate / "cccl", code));
    }
    return found;
}

std::string stamp(const fs::path& path) {
    std::error_code code;
    const auto time = fs::last_write_time(path, code).time_since_epoch().count();
    const auto size = fs::file_size(path, code);
    return path.string() + '|' + std::to_string(size) + '|' + std::to_string(time) + '\n';
}

ToolkitFiles described(fs::path library, const std::vector<fs::path>& roots) {
    ToolkitFiles files;
    files.include_folders = include_folders_for(library, roots);
    files.identity = stamp(library);
    for (const fs::path& folder : files.include_folders) {
        files.identity += stamp(folder);
        for (const char* header :
             {"cuda_fp16.h", "cooperative_groups.h", "cuda_runtime_api.h", "cuda/std/version"})
            files.identity += stamp(folder / header);
    }
    files.linker = find_linker(library, roots);
    files.device_runtime = companion(library, "cuda_runtime", {"libcudadevrt.a"}, roots);
    files.nvrtc = std::move(library);
    return files;
}

}  // namespace

Result<ToolkitFiles> locate_toolkit() {
    std::error_code code;
    const std::vector<fs::path> roots = candidate_roots();
    if (const char* chosen = std::getenv("LANESCOPE_NVRTC"); chosen && *chosen) {
        if (!fs::is_regular_file(chosen, code))
            return error("NVRTC, the CUDA compiler library, is not at the path in $LANESCOPE_NVRTC: " +
                             std::string(chosen),
                         "unset LANESCOPE_NVRTC to search the usual places");
        return described(fs::absolute(chosen, code), roots);
    }
    for (const fs::path& root : roots)
        if (std::optional<fs::path> library = library_in(root, library_names))
            return described(std::move(*library), roots);
    // The loader's own search; a name that it cannot know where no system's library is wanted.
    return described(system_cuda_allowed() ? library_names[0] : "libnvrtc-not-installed.so", roots);
}

fs::path toolkit_program(const std::string& name) {
    for (const fs::path& root : candidate_roots())
        if (is_program(root / "bin" / name)) return root / "bin" / name;
    return find_program(name);
}

}  // namespace lanescope::compile
