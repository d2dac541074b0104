#include "image/encode.h"

#include <png.h>

#include <bit>
#include <vector>

#include "base/files.h"
#include "image/png_trap.h"

namespace lanescope::image {

namespace {

constexpr int compression = 6;  // level 9 takes four times as long and saves one twentieth
constexpr std::size_t chunk_bytes = 1 << 16;

void append(png_structp png, png_bytep bytes, std::size_t count) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void flush(png_structp) {}

bool is_opaque(const Image& image) {
    if (!image.has_alpha()) return true;
    for (std::size_t i = image.channels - 1; i < image.samples.size(); i += image.channels)
        if (image.samples[i] < image.max_level()) return false;
    return true;
}

class PngWriter {
  public:
    PngWriter() {
        png_ =
            png_create_write_struct(PNG_LIBPNG_VER_STRING, &trap_, png_error_springs, png_warning_is_ignored);
        info_ = png_ ? png_create_info_struct(png_) : nullptr;
    }
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;
    ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

    // Writes the first `channels` channels of each pixel.
    bool write(const Image& image, std::uint32_t channels, Content content) {
        std::vector<std::uint16_t> row(std::size_t{image.width} * channels);
        return info_ && trap_.passes([&] {
            begin(image, channels, content);
            for (std::uint32_t y = 0; y < image.height; ++y) {
                pack(image, channels, y, row.data());
                png_write_row(png_, reinterpret_cast<png_const_bytep>(row.data()));
            }
            png_write_end(png_, info_);
        });
    }
    std::string take() { return std::move(file_); }
    std::string failure() const { return *trap_.message() ? trap_.message() : "no memory"; }

  private:
    void begin(const Image& image, std::uint32_t channels, Content content) {
        constexpr int colour_types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                        PNG_COLOR_TYPE_RGB_ALPHA};
        png_set_write_fn(png_, &file_, append, flush);
        png_set_IHDR(png_, info_, image.width, image.height, static_cast<int>(image.bits),
                     colour_types[channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_set_filter(png_, PNG_FILTER_TYPE_DEFAULT,
                       content == Content::photo ? PNG_FILTER_PAETH : PNG_FILTER_NONE);
        png_set_compression_level(png_, compression);
        png_set_compression_buffer_size(png_, chunk_bytes);
        png_write_info(png_, info_);
        if (image.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
    }

    // Packs the first `channels` channels of each pixel. Samples of 8 bits become bytes in the first half of
    // `row`.
    static void pack(const Image& image, std::uint32_t channels, std::uint32_t y, std::uint16_t* row) {
        const std::uint16_t* from = &image.samples[std::size_t{y} * image.width * image.channels];
        auto* const bytes = reinterpret_cast<unsigned char*>(row);
        for (std::size_t i = 0; i < std::size_t{image.width} * channels; from += image.channels)
            for (std::uint32_t c = 0; c < channels; ++c, ++i) {
                if (image.bits == 16)
                    row[i] = from[c];
                else
                    bytes[i] = static_cast<unsigned char>(from[c]);
            }
    }

    Trap trap_;
    std::string file_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

}  // namespace

Result<std::string> encode_png(const Image& image, Content content) {
    if (!image.is_complete()) return error("an empty picture cannot be written");
    const bool drops_alpha = content == Content::drawing && image.has_alpha() && is_opaque(image);
    PngWriter writer;
    if (!writer.write(image, image.channels - (drops_alpha ? 1 : 0), content))
        return error("the PNG cannot be written: " + writer.failure(), "make the picture smaller");
    return writer.take();
}

Result<void> save_png(const Image& image, Content content, const std::filesystem::path& path) {
    const Result<std::string> bytes = encode_png(image, content);
    if (!bytes) {
        Diagnostic why = bytes.diagnostics().front();
        why.file = path.string();
        return why;
    }
    return write_file(path, *bytes);
}

}  // namespace lanescope::image
