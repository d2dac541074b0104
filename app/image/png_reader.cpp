// Reads PNG (ISO/IEC 15948) with libpng.
#include <png.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "image/decode.h"
#include "image/png_trap.h"
#include "image/reader.h"

namespace lanescope::image {

namespace {

constexpr std::size_t max_deflation = 1032;  // most bytes that DEFLATE makes of one byte (zlib, FAQ 36)

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
    auto& left = *static_cast<std::string_view*>(png_get_io_ptr(png));
    if (count > left.size()) png_error(png, "the file is cut off");
    std::memcpy(to, left.data(), count);
    left.remove_prefix(count);
}

class PngReader final : public Reader {
  public:
    explicit PngReader(std::string_view bytes) : bytes_(bytes), left_(bytes) {}
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;
    ~PngReader() override { png_destroy_read_struct(&png_, &info_, nullptr); }

    Result<Header> header() override {
        constexpr std::size_t size_at = 16;  // 8 bytes of signature, length and name of the chunk IHDR
        if (bytes_.size() < size_at + 8) return cut_off();
        Header said{big_endian(bytes_, size_at), big_endian(bytes_, size_at + 4), 3, 8};
        if (said.pixels() == 0 || std::max(said.width, said.height) > max_side) return said;
        if (!open()) return failed();
        said.channels = png_get_channels(png_, info_);
        said.bits = png_get_bit_depth(png_, info_);
        return said;
    }

    Result<Samples> samples() override {
        const std::size_t row_bytes = png_get_rowbytes(png_, info_), rows = png_get_image_height(png_, info_);
        if (packed_row_bytes_ * rows / max_deflation > bytes_.size()) return cut_off();
        const bool wide = png_get_bit_depth(png_, info_) == 16;
        Samples samples(row_bytes / (wide ? 2 : 1) * rows);
        unsigned char* const first = bytes_of(samples).data();
        const bool read = trap_.passes([&] {
            for (int pass = 0; pass < passes_; ++pass)
                for (std::size_t y = 0; y < rows; ++y)
                    png_read_row(png_, first + y * row_bytes, nullptr);
            png_read_end(png_, nullptr);
        });
        if (!read) return failed();
        if (!wide) widen(samples);
        return samples;
    }

  private:
    // Reads the header and asks libpng for whole samples and all channels.
    bool open() {
        png_ =
            png_create_read_struct(PNG_LIBPNG_VER_STRING, &trap_, png_error_springs, png_warning_is_ignored);
        info_ = png_ ? png_create_info_struct(png_) : nullptr;
        return info_ && trap_.passes([&] {
            png_set_read_fn(png_, &left_, read_bytes);
            png_set_user_limits(png_, max_side, max_side);
            // Text, times and profiles are not needed and not worth their memory.
            png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
            png_read_info(png_, info_);
            packed_row_bytes_ = png_get_rowbytes(png_, info_);
            png_set_expand(png_);
            if (std::endian::native == std::endian::little) png_set_swap(png_);
            passes_ = png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
        });
    }
    Diagnostic failed() const {
        return error(
            "the PNG cannot be read: " + std::string(*trap_.message() ? trap_.message() : "no memory"),
            "the file is damaged: copy, download or save it again");
    }

    std::string_view bytes_, left_;
    Trap trap_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::size_t packed_row_bytes_ = 0;  // row size in the file
    int passes_ = 1;                    // 7 if the image is interlaced
};

}  // namespace

std::unique_ptr<Reader> png_reader(std::string_view bytes) {
    return std::make_unique<PngReader>(bytes);
}

}  // namespace lanescope::image
