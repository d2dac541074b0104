// What a file is, by its name. The only place that compares the endings of a person's files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

enum class FileKind : std::uint8_t {
    other,   // no ending, or one that is not known
    cuda,    // a .cu file: kernels, or a program with main()
    cpp,     // a header or another C++ source
    python,  // from which Triton or Numba made PTX
    ptx,
    trace,
    png,
    gif,
    film,  // .mp4 or .webm
    svg,
    tikz,
    image,  // of another format, which is read or refused by name
    html,
    pdf,
    text,
    mask,
    npy,
    csv,
    bytes,
    json,
    sarif,
    toml,
    build  // of make or CMake
};

// Upper and lower case are the same.
FileKind kind_of(const std::filesystem::path& file);

// Returns whether the file may be opened as an image; the decoder refuses some formats by name.
bool is_image(FileKind kind);

// ".png, .gif or .txt"
std::string endings_of(std::span<const FileKind> kinds);

}  // namespace lanescope
