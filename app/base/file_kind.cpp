#include "base/file_kind.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace lanescope {

namespace {

struct Ending {
    std::string_view text;  // or a whole name, which comes before endings
    FileKind kind;
};

// The first ending of a kind is the usual one.
constexpr Ending endings[] = {
    {"cmakelists.txt", FileKind::build},
    {"makefile", FileKind::build},
    {"gnumakefile", FileKind::build},
    {".mk", FileKind::build},
    {".cmake", FileKind::build},
    {".cu", FileKind::cuda},
    {".cuh", FileKind::cpp},
    {".h", FileKind::cpp},
    {".hh", FileKind::cpp},
    {".hpp", FileKind::cpp},
    {".hxx", FileKind::cpp},
    {".inl", FileKind::cpp},
    {".inc", FileKind::cpp},
    {".ipp", FileKind::cpp},
    {".tpp", FileKind::cpp},
    {".def", FileKind::cpp},
    {".c", FileKind::cpp},
    {".cc", FileKind::cpp},
    {".cpp", FileKind::cpp},
    {".cxx", FileKind::cpp},
    {".py", FileKind::python},
    {".ptx", FileKind::ptx},
    {".trace", FileKind::trace},
    {".png", FileKind::png},
    {".gif", FileKind::gif},
    {".mp4", FileKind::film},
    {".webm", FileKind::film},
    {".svg", FileKind::svg},
    {".tikz", FileKind::tikz},
    {".jpg", FileKind::image},
    {".jpeg", FileKind::image},
    {".bmp", FileKind::image},
    {".tga", FileKind::image},
    {".pbm", FileKind::image},
    {".pgm", FileKind::image},
    {".ppm", FileKind::image},
    {".pnm", FileKind::image},
    {".tif", FileKind::image},
    {".tiff", FileKind::image},
    {".webp", FileKind::image},
    {".html", FileKind::html},
    {".htm", FileKind::html},
    {".pdf", FileKind::pdf},
    {".txt", FileKind::text},
    {".mask", FileKind::mask},
    {".npy", FileKind::npy},
    {".csv", FileKind::csv},
    {".bin", FileKind::bytes},
    {".json", FileKind::json},
    {".sarif", FileKind::sarif},
    {".toml", FileKind::toml},
};

}  // namespace

FileKind kind_of(const std::filesystem::path& file) {
    const std::string name = lower_case(file.filename().string()),
                      ending = lower_case(file.extension().string());
    const auto found = std::find_if(std::begin(endings), std::end(endings), [&](const Ending& each) {
        return each.text == ending || (each.text == name && !name.starts_with('.'));
    });
    return found == std::end(endings) ? FileKind::other : found->kind;
}

bool is_image(FileKind kind) {
    return kind == FileKind::png || kind == FileKind::gif || kind == FileKind::image;
}

std::string endings_of(std::span<const FileKind> kinds) {
    std::vector<std::string_view> known;
    for (const FileKind kind : kinds)
        for (const Ending& each : endings)
            if (each.kind == kind) known.push_back(each.text);
    std::string text;
    for (std::size_t i = 0; i < known.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == known.size() ? " or " : ", ").append(known[i]);
    return text;
}

}  // namespace lanescope
