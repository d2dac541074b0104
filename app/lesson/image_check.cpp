#include "lesson/image_check.h"

#include <cstdint>

namespace lanescope::lesson {

namespace {

constexpr std::size_t progressive_marker = 0xc2, table_marker = 0xc4, start_marker = 0xd8, end_marker = 0xd9,
                      scan_marker = 0xda;
constexpr std::size_t most_codes = 255;  // the decoder's mark for "none" is the 256th

std::size_t byte_at(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// Within a scan 0xff stands before a zero when it is data, and before 0xd0 … 0xd7 where decoding starts anew.
bool ends_scan(std::size_t marker) {
    return marker != 0 && (marker < 0xd0 || marker > 0xd7);
}

class HuffmanTables {
  public:
    // Decoders begin a table that does not end in its segment, so its counts are looked at, too.
    bool define(std::string_view bytes, std::size_t at, std::size_t end) {
        while (at < end) {
            std::size_t codes = 0;
            for (std::size_t length = 1; length <= 16; ++length)
                codes += byte_at(bytes, at + length);
            if (codes > most_codes) return false;
            there_[byte_at(bytes, at) >> 4 & 1] |= 1u << (byte_at(bytes, at) & 15);
            at += 17 + codes;
        }
        return true;
    }

    // Whether those that a scan uses are there: of a progressive one either the first coefficient's or the
    // others'.
    bool serve(std::string_view bytes, std::size_t at, bool progressive) const {
        const std::size_t components = byte_at(bytes, at), last = at + 1 + 2 * components;
        const bool first = byte_at(bytes, last) == 0, refines = byte_at(bytes, last + 2) >> 4 != 0;
        for (std::size_t i = 0; i < components && i < 4; ++i) {
            const std::size_t chosen = byte_at(bytes, at + 2 + 2 * i);
            const bool direct = (there_[0] >> (chosen >> 4) & 1) != 0,
                       others = (there_[1] >> (chosen & 15) & 1) != 0;
            if ((!progressive || (first && !refines)) && !direct) return false;
            if ((!progressive || !first) && !others) return false;
        }
        return true;
    }

  private:
    unsigned there_[2] = {0, 0};  // bits: of the first coefficient, of the others
};

}  // namespace

bool huffman_tables_fit(std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of('\xff');  // a marker may have any number of them
    if (start == 0 || byte_at(bytes, start) != start_marker) return true;
    HuffmanTables tables;
    bool in_scan = false, progressive = false;
    for (std::size_t at = start + 1; at < bytes.size();) {
        at = bytes.find('\xff', at);
        if (at == bytes.npos) break;
        at = bytes.find_first_not_of('\xff', at);
        if (at == bytes.npos) break;
        const std::size_t marker = byte_at(bytes, at++);
        if (in_scan && !ends_scan(marker)) continue;
        if (marker == end_marker) break;
        const std::size_t length = byte_at(bytes, at) << 8 | byte_at(bytes, at + 1);
        if (marker == table_marker && !tables.define(bytes, at + 2, at + length)) return false;
        if (marker == scan_marker && !tables.serve(bytes, at + 2, progressive)) return false;
        progressive = progressive || marker == progressive_marker;
        in_scan = marker == scan_marker;
        at += length < 2 ? 2 : length;
    }
    return true;
}

bool chunks_fit(std::string_view bytes) {
    if (!bytes.starts_with("\x89PNG")) return true;
    constexpr std::size_t signature_bytes = 8, around_data = 12;  // length, kind and checksum
    for (std::size_t at = signature_bytes; at + 8 <= bytes.size();) {
        const std::size_t length = byte_at(bytes, at) << 24 | byte_at(bytes, at + 1) << 16 |
                                   byte_at(bytes, at + 2) << 8 | byte_at(bytes, at + 3);
        if (bytes.substr(at + 4, 4) == "IEND") break;
        if (length + around_data > bytes.size() - at) return false;
        at += length + around_data;
    }
    return true;
}

}  // namespace lanescope::lesson
