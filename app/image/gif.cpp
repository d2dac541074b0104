#include "image/gif.h"

#include <fcntl.h>
#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/unfinished_file.h"
#include "image/palette.h"

namespace lanescope::image {
namespace {

constexpr std::size_t max_colours = 255;  // beside the transparent one
constexpr std::uint32_t no_pixel = ~0u;

std::vector<std::uint32_t> pixels_of(const Image& image) {
    std::vector<std::uint32_t> pixels(image.pixels());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const std::uint16_t* const rgb = &image.samples[i * image.channels];
        pixels[i] = std::uint32_t(rgb[0]) << 16 | std::uint32_t(rgb[1]) << 8 | rgb[2];
    }
    return pixels;
}

struct Area {
    int left = 0, top = 0, width = 0, height = 0;
};

// Returns the smallest rectangle that holds all pixels that differ; one pixel if none differs, because a
// frame must not be empty.
Area changed_area(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
                  int width) {
    const int height = int(now.size()) / width;
    int left = width, right = -1, top = height, bottom = -1;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto i = std::size_t(y) * std::size_t(width) + std::size_t(x);
            if (before[i] == now[i]) continue;
            left = std::min(left, x), right = std::max(right, x);
            top = std::min(top, y), bottom = y;
        }
    if (right < 0) return {0, 0, 1, 1};
    return {left, top, right - left + 1, bottom - top + 1};
}

}  // namespace

struct GifWriter::State {
    std::filesystem::path path, part;
    std::optional<UnfinishedFile> unfinished;
    GifFileType* file = nullptr;
    int width = 0, height = 0;
    std::vector<std::uint32_t> before;  // the last picture as it was given

    Diagnostic failure() const {
        const char* why = file ? GifErrorString(file->Error) : nullptr;
        return error(path.string() + ": cannot be written" + (why ? std::string(": ") + why : std::string()));
    }
    ~State() {
        int ignored = 0;
        if (file) EGifCloseFile(file, &ignored);
        std::error_code none;
        if (!part.empty()) std::filesystem::remove(part, none);
    }
    bool begin();
    bool put_head(const Area& area, const Palette& palette, int delay_ms);
    bool put_rows(const Area& area, const std::vector<std::uint32_t>& now, const Palette& palette);
};

// Writes the screen and the extension that makes readers repeat the animation forever.
bool GifWriter::State::begin() {
    EGifSetGifVersion(file, true);
    if (EGifPutScreenDesc(file, width, height, 8, 0, nullptr) != GIF_OK) return false;
    const unsigned char loop[] = {1, 0, 0};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, 3, loop) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK;
}

bool GifWriter::State::put_head(const Area& area, const Palette& palette, int delay_ms) {
    const std::size_t colours = palette.colours().size();
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = std::max(delay_ms / 10, 2);  // readers take a delay below 20 ms for a mistake
    control.TransparentColor = int(colours);
    unsigned char bytes[4];
    EGifGCBToExtension(&control, bytes);
    if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) != GIF_OK) return false;
    int size = 2;
    while (size < int(colours) + 1)
        size *= 2;
    ColorMapObject* map = GifMakeMapObject(size, nullptr);
    if (!map) return false;
    for (std::size_t i = 0; i < colours; ++i)
        map->Colors[i] = {palette.colours()[i][0], palette.colours()[i][1], palette.colours()[i][2]};
    const bool put =
        EGifPutImageDesc(file, area.left, area.top, area.width, area.height, false, map) == GIF_OK;
    GifFreeMapObject(map);
    return put;
}

bool GifWriter::State::put_rows(const Area& area, const std::vector<std::uint32_t>& now,
                                const Palette& palette) {
    std::vector<GifPixelType> row(std::size_t(area.width));
    for (int y = area.top; y < area.top + area.height; ++y) {
        for (int x = 0; x < area.width; ++x) {
            const auto i = std::size_t(y) * std::size_t(width) + std::size_t(area.left + x);
            row[std::size_t(x)] =
                now[i] == before[i] ? GifPixelType(palette.colours().size()) : palette.nearest(now[i]);
        }
        if (EGifPutLine(file, row.data(), area.width) != GIF_OK) return false;
    }
    return true;
}

GifWriter::GifWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GifWriter::GifWriter(GifWriter&&) noexcept = default;
GifWriter& GifWriter::operator=(GifWriter&&) noexcept = default;
GifWriter::~GifWriter() = default;

Result<GifWriter> GifWriter::create(const std::filesystem::path& path, int width, int height) {
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        return error(path.string() + ": a GIF must be 1 to 65535 pixels wide and high");
    auto state = std::make_unique<State>();
    state->path = path;
    std::filesystem::path part = path;
    part += ".part";
    state->width = width, state->height = height;
    int code = 0;
    // A file that giflib itself opens can be read by its owner only.
    const int opened = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (opened < 0) return error(path.string() + ": cannot be written");
    state->part = part;
    state->unfinished.emplace(part);
    state->file = EGifOpenFileHandle(opened, &code);
    if (!state->file) return error(path.string() + ": cannot be written");
    if (!state->begin()) return state->failure();
    state->before.assign(std::size_t(width) * std::size_t(height), no_pixel);
    return GifWriter(std::move(state));
}

Result<void> GifWriter::add(const Image& image, int delay_ms) {
    State& s = *state_;
    if (int(image.width) != s.width || int(image.height) != s.height)
        return error(s.path.string() + ": all pictures of a GIF must have the same size");
    if (!image.is_complete() || image.channels < 3 || image.bits != 8)
        return error(s.path.string() + ": a picture of a GIF must be RGB with 8 bits");
    std::vector<std::uint32_t> now = pixels_of(image);
    const Area area = changed_area(s.before, now, s.width);
    std::vector<std::uint32_t> changed;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] != s.before[i]) changed.push_back(now[i]);
    const Palette palette(changed, max_colours);
    if (!s.put_head(area, palette, delay_ms) || !s.put_rows(area, now, palette)) return s.failure();
    s.before = std::move(now);
    return {};
}

Result<void> GifWriter::finish() {
    State& s = *state_;
    int code = 0;
    const bool closed = EGifCloseFile(std::exchange(s.file, nullptr), &code) == GIF_OK;
    std::error_code failed;
    if (closed) std::filesystem::rename(s.part, s.path, failed);
    if (!closed || failed) return s.failure();
    s.part.clear();
    return {};
}

}  // namespace lanescope::image
