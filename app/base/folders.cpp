#include "base/folders.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace lanescope {

namespace fs = std::filesystem;

namespace {

constexpr const char* build_tree_file = "build_tree.txt";

// The environment's names of a kind of folder, and its place in the home folder.
struct UserFolder {
    const char* own;
    const char* xdg;
    const char* home_relative;
};
constexpr UserFolder cache_place = {"LANESCOPE_CACHE", "XDG_CACHE_HOME", ".cache"};
constexpr UserFolder config_place = {"LANESCOPE_CONFIG", "XDG_CONFIG_HOME", ".config"};
constexpr UserFolder data_place = {"LANESCOPE_DATA", "XDG_DATA_HOME", ".local/share"};
constexpr UserFolder state_place = {"LANESCOPE_STATE", "XDG_STATE_HOME", ".local/state"};

// A relative folder would lie where the program was started. The XDG specification ignores it, too.
fs::path absolute_in(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
}

// Empty if the environment does not say.
fs::path place_of(const UserFolder& place) {
    if (const char* value = std::getenv(place.own); value && *value) return value;
    if (const fs::path base = absolute_in(place.xdg); !base.empty()) return base / "lanescope";
    if (const fs::path home = absolute_in("HOME"); !home.empty())
        return home / place.home_relative / "lanescope";
    return {};
}

Result<fs::path> made_folder(const UserFolder& place) {
    const fs::path folder = place_of(place);
    if (folder.empty())
        return error(std::string("no folder for the program's own files: set ") + place.xdg +
                     " or HOME to an absolute folder");
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return error_at(folder.string(), 0, 0, "cannot be created: " + code.message());
    return folder;
}

bool holds_resources(const fs::path& folder) {
    std::error_code code;
    return fs::is_directory(folder / "kernels", code) && fs::is_directory(folder / "assets", code);
}

}  // namespace

fs::path executable_path() {
    std::error_code code;
    fs::path path = fs::read_symlink("/proc/self/exe", code);
    return code ? fs::path{} : path;
}

BuildTree read_build_tree(const fs::path& folder) {
    BuildTree tree;
    std::ifstream file(folder / build_tree_file);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("source=")) tree.source = line.substr(7);
        if (line.starts_with("cuda=")) tree.cuda = line.substr(5);
    }
    return tree;
}

fs::path python_packages_of(const fs::path& folder) {
    const fs::path package = folder.parent_path();
    std::error_code code;
    return fs::is_regular_file(package / "__main__.py", code) ? package.parent_path() : fs::path();
}

fs::path find_resources(const fs::path& folder) {
    const fs::path installed = (folder / "../share/lanescope").lexically_normal();
    if (holds_resources(installed)) return installed;
    for (fs::path above = folder; !above.empty(); above = above.parent_path()) {
        if (holds_resources(above)) return above;
        if (above == above.root_path()) break;
    }
    const fs::path source = read_build_tree(folder).source;
    return !source.empty() && holds_resources(source) ? source : installed;
}

fs::path resource_folder() {
    if (const char* home = std::getenv("LANESCOPE_HOME"); home && *home) return home;
    return find_resources(executable_path().parent_path());
}

fs::path compiled_folder() {
    return resource_folder() / "compiled";
}

Result<fs::path> cache_folder() {
    return made_folder(cache_place);
}

Result<fs::path> config_folder() {
    return made_folder(config_place);
}

Result<fs::path> data_folder() {
    return made_folder(data_place);
}

Result<fs::path> state_folder() {
    return made_folder(state_place);
}

std::vector<fs::path> own_kernels_folders() {
    std::vector<fs::path> folders;
    const char* listed = std::getenv("LANESCOPE_KERNELS");
    std::istringstream names(listed ? listed : "");
    std::error_code code;
    for (std::string name; std::getline(names, name, ':');)
        if (!name.empty()) folders.push_back(fs::absolute(name, code).lexically_normal());
    if (const fs::path data = place_of(data_place); !data.empty()) folders.push_back(data / "kernels");
    return folders;
}

fs::path compiler_folder() {
    const fs::path data = place_of(data_place);
    return data.empty() ? fs::path() : data / "cuda";
}

}  // namespace lanescope
