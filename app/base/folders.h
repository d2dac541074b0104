// Where the program's own files are, and where it keeps those of the person. No other file knows these
// places.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"

namespace lanescope {

std::filesystem::path executable_path();

// --- What ships with the program
// -----------------------------------------------------------------------------

// Returns the folder that holds kernels/, shaders/ and assets/: $LANESCOPE_HOME, else find_resources() of the
// executable.
std::filesystem::path resource_folder();

// Returns the lessons as they were compiled for the installed program. A build folder has no such folder.
std::filesystem::path compiled_folder();

// Returns, of an executable in `folder`: ../share/lanescope (an installed program), else the nearest folder
// above with kernels/ and assets/ (a checkout), else the checkout that the build folder belongs to. If none
// of these exists, returns ../share/lanescope, which messages then name.
std::filesystem::path find_resources(const std::filesystem::path& folder);

// What CMake wrote beside the executables of a build folder, in build_tree.txt; empty for an installed
// program.
struct BuildTree {
    std::filesystem::path source;  // the checkout
    std::filesystem::path cuda;    // the CUDA Toolkit that the program was built with
};
BuildTree read_build_tree(const std::filesystem::path& folder);

// The folder of Python packages (site-packages) into which pip put this program; NVIDIA's wheels lie beside
// it in nvidia/. Empty for a program that pip did not install. `folder`: the executable's, lanescope/bin.
std::filesystem::path python_packages_of(const std::filesystem::path& folder);

// --- What belongs to the person
// ------------------------------------------------------------------------------

// The next four return per-user folders and create them if they are missing. Results that can be computed
// again: $LANESCOPE_CACHE, $XDG_CACHE_HOME/lanescope or ~/.cache/lanescope.
Result<std::filesystem::path> cache_folder();

// What the user set: $LANESCOPE_CONFIG, $XDG_CONFIG_HOME/lanescope or ~/.config/lanescope.
Result<std::filesystem::path> config_folder();

// What the user wrote, such as notes: $LANESCOPE_DATA, $XDG_DATA_HOME/lanescope or ~/.local/share/lanescope.
Result<std::filesystem::path> data_folder();

// State that the program keeps: $LANESCOPE_STATE, $XDG_STATE_HOME/lanescope or ~/.local/state/lanescope.
Result<std::filesystem::path> state_folder();

// Returns the folders of the person's own lessons, which need not exist: those of $LANESCOPE_KERNELS
// (DIR:DIR), then kernels/ in data_folder(). Creates nothing.
std::vector<std::filesystem::path> own_kernels_folders();

// Returns where `lanescope doctor --get-compiler` puts NVRTC: cuda/ in data_folder(). Creates nothing. Empty
// if neither a data folder nor a home folder is known.
std::filesystem::path compiler_folder();

}  // namespace lanescope
