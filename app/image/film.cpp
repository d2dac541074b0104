#include "image/film.h"

#include <utility>

#include "base/files.h"
#include "base/process.h"
#include "image/encode.h"

namespace lanescope::image {

namespace {

constexpr int limit_ms = 600'000;

}  // namespace

Result<FilmWriter> FilmWriter::create(const std::filesystem::path& path) {
    std::filesystem::path ffmpeg = find_program("ffmpeg");
    if (ffmpeg.empty())
        return error("a film is packed by ffmpeg, which is not installed",
                     "install it (Debian: apt install ffmpeg), or use a name that ends in .gif");
    Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return folder.diagnostics();
    return FilmWriter(path, std::move(ffmpeg), std::move(*folder));
}

Result<void> FilmWriter::add(const Image& image, int delay_ms) {
    last_ = std::to_string(count_++) + ".png";
    list_ += "file '" + last_ + "'\nduration " + std::to_string(delay_ms / 1000) + "." +
             std::to_string(1000 + delay_ms % 1000).substr(1) + "\n";
    return save_png(image, Content::drawing, folder_.path() / last_);
}

Result<void> FilmWriter::finish() {
    // The list names the last picture twice, or ffmpeg forgets how long it lasts.
    const std::filesystem::path list = folder_.path() / "list.txt",
                                film = folder_.path() / ("film" + path_.extension().string());
    if (Result<void> written = write_file(list, list_ + "file '" + last_ + "'\n"); !written) return written;
    // Sides of common players are even.
    const Result<ProcessOutcome> packed =
        run_process({ffmpeg_.string(), "-nostdin", "-loglevel", "error", "-f", "concat", "-i", list.string(),
                     "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,fps=25", "-pix_fmt", "yuv420p", film.string()},
                    "", limit_ms);
    if (!packed) return packed.diagnostics();
    if (packed->timed_out) return error("ffmpeg does not end within ten minutes");
    const Result<std::string> bytes = read_file(film);
    if (!packed->succeeded() || !bytes)
        return error("ffmpeg packs no film: " + packed->err.substr(0, packed->err.find('\n')));
    return write_file(path_, *bytes);
}

}  // namespace lanescope::image
