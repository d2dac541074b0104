// Fat binaries as nvcc writes them, for tests.
#pragma once

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lanescope::cudart {

enum class Packing { plain, lz4, zstd };

struct FatBinaryMaker {
    std::vector<std::byte> bytes;

    FatBinaryMaker() {
        put(std::uint32_t{0xBA55ED50});
        put(std::uint16_t{1});
        put(std::uint16_t{16});
        put(std::uint64_t{0});
    }

    // kind 1: PTX, 2: machine code.
    void add(const std::string& text, unsigned architecture, Packing packing, bool debug = true,
             unsigned kind = 1) {
        std::string content = text;
        std::uint64_t flags = 0x11 | (debug ? 0x2u : 0u);
        if (packing == Packing::lz4) {
            flags |= 0x2000;
            content.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
            content.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), content.data(),
                                                                         static_cast<int>(text.size()),
                                                                         static_cast<int>(content.size()))));
        } else if (packing == Packing::zstd) {
            flags |= 0x8000;
            content.resize(ZSTD_compressBound(text.size()));
            content.resize(ZSTD_compress(content.data(), content.size(), text.data(), text.size(), 3));
        }
        const auto packed = static_cast<std::uint32_t>(content.size());
        content.resize((content.size() + 7) / 8 * 8, '\0');
        put(static_cast<std::uint16_t>(kind));
        put(std::uint16_t{0x101});
        put(std::uint32_t{64});
        put(static_cast<std::uint64_t>(content.size()));
        put(packing == Packing::plain ? std::uint32_t{0} : packed);
        put(std::uint32_t{0});
        put(std::uint16_t{0});
        put(std::uint16_t{9});
        put(static_cast<std::uint32_t>(architecture));
        put(std::uint32_t{0});
        put(std::uint32_t{0});
        put(flags);
        put(std::uint64_t{0});
        put(packing == Packing::plain ? std::uint64_t{0} : static_cast<std::uint64_t>(text.size()));
        const std::size_t at = bytes.size();
        bytes.resize(at + content.size());
        std::memcpy(bytes.data() + at, content.data(), content.size());
        const std::uint64_t size = bytes.size() - 16;
        std::memcpy(bytes.data() + 8, &size, sizeof size);
    }

    template <class T>
    void put(T value) {
        const std::size_t at = bytes.size();
        bytes.resize(at + sizeof value);
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
};

}  // namespace lanescope::cudart
