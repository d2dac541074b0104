// Reads JPEG (ITU-T T.81) with libjpeg-turbo.
#include <cstdio>  // for jpeglib.h

#include <jerror.h>
#include <jpeglib.h>

#include <string>

#include "image/reader.h"
#include "image/trap.h"

namespace lanescope::image {

namespace {

// A progressive file with more scans only costs time; encoders make about ten.
constexpr int max_scans = 500;

Trap& trap_of(j_common_ptr info) {
    return *static_cast<Trap*>(info->client_data);
}

void spring_trap(j_common_ptr info) {
    char message[JMSG_LENGTH_MAX];
    info->err->format_message(info, message);
    trap_of(info).spring(message);
}

// After these warnings the library invents pixels, and half a picture would look like a whole one. Other
// warnings, such as bytes between two markers, lose no pixels.
bool loses_pixels(int code) {
    return code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
           code == JWRN_MUST_RESYNC || code == JWRN_BOGUS_PROGRESSION;
}

void warn(j_common_ptr info, int level) {
    if (level < 0 && loses_pixels(info->err->msg_code)) spring_trap(info);
}

void count_scans(j_common_ptr info) {
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > max_scans)
        trap_of(info).spring("more than 500 scans");
}

class JpegReader final : public Reader {
  public:
    explicit JpegReader(std::string_view bytes) : bytes_(bytes) {
        info_.err = jpeg_std_error(&errors_);
        errors_.error_exit = spring_trap;
        errors_.emit_message = warn;
        info_.client_data = &trap_;
        progress_.progress_monitor = count_scans;
    }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;
    ~JpegReader() override { jpeg_destroy_decompress(&info_); }

    Result<Header> header() override {
        const bool read = trap_.passes([&] {
            jpeg_create_decompress(&info_);
            info_.progress = &progress_;
            jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
            jpeg_read_header(&info_, TRUE);
        });
        if (!read) return failed();
        const J_COLOR_SPACE colours = info_.jpeg_color_space;
        if (colours == JCS_CMYK || colours == JCS_YCCK)
            return error("a JPEG with CMYK colours, which are for printing, is not supported",
                         "convert it to RGB, or to PNG");
        if (info_.arith_code)
            return error("a JPEG with arithmetic coding is not supported",
                         "save it as an ordinary JPEG, or as PNG");
        if (info_.data_precision != 8 ||
            (colours != JCS_GRAYSCALE && colours != JCS_YCbCr && colours != JCS_RGB))
            return error("a JPEG of " + std::to_string(info_.data_precision) + " bits and " +
                             std::to_string(info_.num_components) + " components is not supported",
                         "convert it to grey or RGB of 8 bits, or to PNG");
        return Header{info_.image_width, info_.image_height, colours == JCS_GRAYSCALE ? 1u : 3u, 8};
    }

    Result<Samples> samples() override {
        // Each block of 8 × 8 pixels takes at least one bit of a Huffman code.
        std::uint64_t blocks = 0;
        for (int i = 0; i < info_.num_components; ++i)
            blocks += std::uint64_t{info_.comp_info[i].width_in_blocks} * info_.comp_info[i].height_in_blocks;
        if (blocks / 8 > bytes_.size()) return cut_off();
        info_.out_color_space = info_.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
        const std::size_t channels = info_.out_color_space == JCS_GRAYSCALE ? 1 : 3,
                          row_bytes = info_.image_width * channels;
        Samples samples(row_bytes * info_.image_height);
        unsigned char* const first = bytes_of(samples).data();
        const bool read = trap_.passes([&] {
            jpeg_start_decompress(&info_);
            while (info_.output_scanline < info_.output_height) {
                JSAMPROW row = first + info_.output_scanline * row_bytes;
                jpeg_read_scanlines(&info_, &row, 1);
            }
            jpeg_finish_decompress(&info_);
        });
        if (!read) return failed();
        widen(samples);
        return samples;
    }

  private:
    Diagnostic failed() const {
        if (errors_.msg_code == JWRN_JPEG_EOF || errors_.msg_code == JERR_INPUT_EMPTY) return cut_off();
        return error("the JPEG cannot be read: " + std::string(trap_.message()),
                     "copy or download it again, or save it as an ordinary JPEG or PNG");
    }

    std::string_view bytes_;
    Trap trap_;
    jpeg_decompress_struct info_ = {};
    jpeg_error_mgr errors_ = {};
    jpeg_progress_mgr progress_ = {};
};

}  // namespace

std::unique_ptr<Reader> jpeg_reader(std::string_view bytes) {
    return std::make_unique<JpegReader>(bytes);
}

}  // namespace lanescope::image
