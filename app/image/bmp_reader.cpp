// Reads uncompressed Windows and OS/2 bitmaps (Microsoft, "Bitmap Storage", BITMAPINFOHEADER and
// BITMAPV5HEADER).
#include <array>
#include <bit>
#include <string>

#include "image/reader.h"

namespace lanescope::image {

namespace {

constexpr std::uint32_t os2_head_bytes = 12, mask_bytes = 4, stored_masks = 3, masks_at = 54;

// Part of a pixel of 16 or 32 bits.
struct Field {
    std::uint32_t mask = 0;

    // Returns 8 bits: longer fields lose their last bits, shorter fields are repeated.
    std::uint16_t level(std::uint32_t pixel) const {
        const int width = std::popcount(mask);
        if (width == 0) return 0;
        const std::uint32_t value = (pixel & mask) >> std::countr_zero(mask);
        if (width >= 8) return static_cast<std::uint16_t>(value >> (width - 8) & 255);
        std::uint32_t level = value << (8 - width);
        for (int have = width; have < 8; have *= 2)
            level |= level >> have;
        return static_cast<std::uint16_t>(level);
    }
    bool is_contiguous() const {
        const std::uint32_t low = mask == 0 ? 0 : mask >> std::countr_zero(mask);
        return (low & (low + 1)) == 0;
    }
};

class BmpReader final : public Reader {
  public:
    explicit BmpReader(std::string_view bytes) : bytes_(bytes) {}

    Result<Header> header() override {
        if (bytes_.size() < 26) return cut_off();
        pixels_at_ = number(10, 4);
        head_bytes_ = number(14, 4);
        const bool os2 = head_bytes_ == os2_head_bytes;
        if (!os2 && bytes_.size() < masks_at) return cut_off();
        if (!os2 && head_bytes_ != 40 && head_bytes_ != 52 && head_bytes_ != 56 && head_bytes_ != 108 &&
            head_bytes_ != 124)
            return unsupported("a header of " + std::to_string(head_bytes_) + " bytes");
        const std::int64_t height =
            os2 ? std::int64_t{number(20, 2)} : std::int64_t{static_cast<std::int32_t>(number(22, 4))};
        top_down_ = height < 0;
        header_.width = number(18, os2 ? 2 : 4);
        header_.height = static_cast<std::uint32_t>(top_down_ ? -height : height);
        bits_ = number(os2 ? 24 : 28, 2);
        if (const Result<void> kind = read_kind(os2 ? 0 : number(30, 4)); !kind) return kind.diagnostics();
        header_.channels = fields_[3].mask != 0 ? 4 : 3;
        return header_;
    }

    Result<Samples> samples() override {
        const std::uint64_t row_bytes = (std::uint64_t{bits_} * header_.width + 31) / 32 * 4;
        if (bytes_.size() < pixels_at_ + row_bytes * header_.height) return cut_off();
        if (bits_ <= 8) read_palette();
        Samples samples;
        samples.reserve(header_.pixels() * header_.channels);
        for (std::uint32_t y = 0; y < header_.height; ++y) {
            const std::uint32_t row = top_down_ ? y : header_.height - 1 - y;
            read_row(bytes_.substr(pixels_at_ + row * row_bytes, row_bytes), samples);
        }
        // Many programs write opaque pictures with 32 bits and an alpha of 0.
        if (alpha_may_be_unused_ && !saw_alpha_)
            for (std::size_t i = 3; i < samples.size(); i += 4)
                samples[i] = 255;
        return samples;
    }

  private:
    // Reads a little-endian number; bytes beyond the end are 0.
    std::uint32_t number(std::size_t at, std::size_t count) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count && at + i < bytes_.size(); ++i)
            value |= std::uint32_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
        return value;
    }

    static Diagnostic unsupported(const std::string& what) {
        return error("a BMP with " + what + " is not supported", "save it as PNG, or as BMP of 24 bits");
    }

    Result<void> read_kind(std::uint32_t compression) {
        constexpr std::uint32_t none = 0, bit_fields = 3;
        if (compression == 1 || compression == 2) return unsupported("run-length compression");
        if (compression != none && compression != bit_fields)
            return unsupported("compression " + std::to_string(compression));
        if (bits_ != 1 && bits_ != 4 && bits_ != 8 && bits_ != 16 && bits_ != 24 && bits_ != 32)
            return unsupported(std::to_string(bits_) + " bits per pixel");
        if (bits_ == 16) fields_ = {{{0x7c00}, {0x03e0}, {0x001f}, {0}}};
        if (bits_ == 32) fields_ = {{{0xff0000}, {0xff00}, {0xff}, {0xff000000}}};
        alpha_may_be_unused_ = bits_ == 32 && compression == none;
        if (compression == none || (bits_ != 16 && bits_ != 32)) return {};
        if (bytes_.size() < masks_at + stored_masks * mask_bytes) return cut_off();
        const std::size_t stored = head_bytes_ >= 56 ? 4 : stored_masks;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            fields_[i].mask = i < stored ? number(masks_at + i * mask_bytes, mask_bytes) : 0;
            if (!fields_[i].is_contiguous()) return unsupported("non-contiguous colour masks");
        }
        return {};
    }

    // Pixels whose index exceeds the palette are black.
    void read_palette() {
        const std::size_t entry = head_bytes_ == os2_head_bytes ? 3 : 4, first = 14 + head_bytes_;
        for (std::size_t i = 0; i < std::size_t{1} << bits_; ++i)
            if (const std::size_t at = first + i * entry; at + entry <= pixels_at_)
                palette_[i] = number(at, 3);
    }

    void read_row(std::string_view row, Samples& samples) {
        for (std::uint32_t x = 0; x < header_.width; ++x) {
            if (bits_ == 16 || bits_ == 32) {
                const std::uint32_t pixel = little_endian(row, x * (bits_ / 8), bits_ / 8);
                for (std::uint32_t c = 0; c < header_.channels; ++c)
                    samples.push_back(fields_[c].level(pixel));
                saw_alpha_ = saw_alpha_ || (pixel & fields_[3].mask) != 0;
                continue;
            }
            const std::uint32_t colour =
                bits_ == 24 ? little_endian(row, std::size_t{x} * 3, 3) : palette_[entry_at(row, x)];
            for (const int shift : {16, 8, 0})
                samples.push_back(static_cast<std::uint16_t>(colour >> shift & 255));
        }
    }

    static std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
        return value;
    }

    // The highest bits of a byte hold its leftmost pixel.
    std::size_t entry_at(std::string_view row, std::uint32_t x) const {
        const std::size_t bit = std::size_t{x} * bits_;
        const auto byte = static_cast<unsigned char>(row[bit / 8]);
        return byte >> (8 - bits_ - bit % 8) & ((1u << bits_) - 1);
    }

    std::string_view bytes_;
    Header header_;
    std::uint64_t pixels_at_ = 0;
    std::uint32_t head_bytes_ = 0, bits_ = 0;
    bool top_down_ = false, alpha_may_be_unused_ = false, saw_alpha_ = false;
    std::array<Field, 4> fields_{};  // red, green, blue, alpha
    std::array<std::uint32_t, 256> palette_{};
};

}  // namespace

std::unique_ptr<Reader> bmp_reader(std::string_view bytes) {
    return std::make_unique<BmpReader>(bytes);
}

}  // namespace lanescope::image
