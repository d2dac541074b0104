#include "cudart/image/fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lanescope::cudart {

namespace {

constexpr std::uint32_t header_magic = 0xBA55ED50;
constexpr std::uint64_t most_text_bytes = 1ull << 30;

struct Header {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t content_bytes;
};
static_assert(sizeof(Header) == 16);

struct Entry {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t padded_bytes;
    std::uint32_t compressed_bytes, options;
    std::uint16_t minor, major;
    std::uint32_t architecture, name, name_bytes;
    std::uint64_t flags, reserved, plain_bytes;
};
static_assert(sizeof(Entry) == 64);

constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint64_t flag_debug = 0x2, flag_lz4 = 0x2000, flag_zstd = 0x8000;

template <class T>
T read(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// PTX ends with zeros, which are not a part of its text.
std::string text_of(std::string bytes) {
    bytes.erase(std::find(bytes.begin(), bytes.end(), '\0'), bytes.end());
    return bytes;
}

Result<std::string> unpack(const Entry& entry, const char* content) {
    if ((entry.flags & (flag_lz4 | flag_zstd)) == 0) return text_of({content, entry.padded_bytes});
    if (entry.compressed_bytes > entry.padded_bytes || entry.plain_bytes > most_text_bytes)
        return error("a fat binary has a damaged size");
    std::string plain(entry.plain_bytes, '\0');
    bool fine = false;
    if ((entry.flags & flag_lz4) != 0) {
        const int made = LZ4_decompress_safe(content, plain.data(), static_cast<int>(entry.compressed_bytes),
                                             static_cast<int>(plain.size()));
        fine = made >= 0 && static_cast<std::size_t>(made) == plain.size();
    } else {
        fine = ZSTD_decompress(plain.data(), plain.size(), content, entry.compressed_bytes) == plain.size();
    }
    if (!fine) return error("compressed code in a fat binary is damaged");
    return text_of(std::move(plain));
}

// Calls visit(entry, its content) until it gives an error.
template <class Visit>
Result<void> for_entries(const void* fat_binary, const Visit& visit) {
    const auto* const start = static_cast<const std::byte*>(fat_binary);
    const auto header = read<Header>(start);
    if (header.magic != header_magic || header.header_bytes < sizeof(Header))
        return error("device code of the program is not a fat binary");
    const std::uint64_t end = header.header_bytes + header.content_bytes;
    for (std::uint64_t at = header.header_bytes; at + sizeof(Entry) <= end;) {
        const auto entry = read<Entry>(start + at);
        const std::uint64_t room = end - at;
        if (entry.header_bytes < sizeof(Entry) || entry.header_bytes > room ||
            entry.padded_bytes > room - entry.header_bytes)
            return error("a fat binary is damaged");
        const Result<void> visited =
            visit(entry, reinterpret_cast<const char*>(start + at + entry.header_bytes));
        if (!visited) return visited;
        at += entry.header_bytes + entry.padded_bytes;
    }
    return {};
}

}  // namespace

bool has_debug_code(const void* fat_binary) {
    bool found = false;
    const Result<void> read = for_entries(fat_binary, [&](const Entry& entry, const char*) -> Result<void> {
        found = found || (entry.flags & flag_debug) != 0;
        return {};
    });
    return read && found;
}

Result<std::vector<PtxImage>> ptx_images(const void* fat_binary) {
    std::vector<PtxImage> images;
    const Result<void> read =
        for_entries(fat_binary, [&](const Entry& entry, const char* content) -> Result<void> {
            if (entry.kind != kind_ptx) return {};
            Result<std::string> text = unpack(entry, content);
            if (!text) return text.diagnostics();
            images.push_back({std::move(*text), entry.architecture, (entry.flags & flag_debug) != 0});
            return {};
        });
    if (!read) return read.diagnostics();
    return images;
}

const PtxImage* best_image(const std::vector<PtxImage>& images, unsigned capability) {
    const auto rank = [capability](const PtxImage& image) {
        const bool fits = image.architecture <= capability;
        const int near = fits ? static_cast<int>(image.architecture) : -static_cast<int>(image.architecture);
        return std::pair(near, image.debug);
    };
    const auto best =
        std::max_element(images.begin(), images.end(),
                         [&](const PtxImage& a, const PtxImage& b) { return rank(a) < rank(b); });
    return best == images.end() ? nullptr : &*best;
}

}  // namespace lanescope::cudart
