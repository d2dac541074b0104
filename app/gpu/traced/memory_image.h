// The contents of memory while a recording is decoded: bytes, and which of them have a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

namespace lanescope::gpu {

class MemoryImage {
  public:
    void write(std::uint64_t offset, std::span<const std::byte> bytes);
    // Copies the known bytes into `bytes` (zero elsewhere); bit i of the answer: byte i has a value. At most
    // 16 bytes.
    std::uint16_t read(std::uint64_t offset, std::span<std::byte> bytes) const;
    void forget(std::uint64_t offset, std::uint64_t size_bytes);  // these bytes have no value any more

  private:
    static constexpr unsigned page_bits = 8;
    static constexpr std::uint64_t page_bytes = 1u << page_bits;
    struct Page {
        std::byte bytes[page_bytes] = {};
        std::uint64_t set[page_bytes / 64] = {};
    };
    Page& page(std::uint64_t number);
    const Page* find(std::uint64_t number) const;

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    mutable std::uint64_t last_number_ = ~0ull;
    mutable Page* last_ = nullptr;
};

}  // namespace lanescope::gpu
