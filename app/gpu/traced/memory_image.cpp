#include "gpu/traced/memory_image.h"

#include <algorithm>
#include <cstring>

namespace lanescope::gpu {

MemoryImage::Page& MemoryImage::page(std::uint64_t number) {
    if (number == last_number_) return *last_;
    std::unique_ptr<Page>& found = pages_[number];
    if (found == nullptr) found = std::make_unique<Page>();
    last_number_ = number;
    last_ = found.get();
    return *last_;
}

const MemoryImage::Page* MemoryImage::find(std::uint64_t number) const {
    if (number == last_number_) return last_;
    const auto found = pages_.find(number);
    if (found == pages_.end()) return nullptr;
    last_number_ = number;
    last_ = found->second.get();
    return last_;
}

void MemoryImage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        Page& to = page(offset >> page_bits);
        const std::uint64_t at = offset & (page_bytes - 1);
        const std::size_t count = std::min<std::size_t>(bytes.size(), page_bytes - at);
        std::memcpy(to.bytes + at, bytes.data(), count);
        for (std::uint64_t i = at; i < at + count; ++i)
            to.set[i / 64] |= std::uint64_t{1} << i % 64;
        bytes = bytes.subspan(count);
        offset += count;
    }
}

std::uint16_t MemoryImage::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    std::uint16_t known = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const Page* from = find((offset + i) >> page_bits);
        const std::uint64_t at = (offset + i) & (page_bytes - 1);
        const bool set = from != nullptr && (from->set[at / 64] >> at % 64 & 1) != 0;
        bytes[i] = set ? from->bytes[at] : std::byte{0};
        if (set) known = static_cast<std::uint16_t>(known | 1u << i);
    }
    return known;
}

void MemoryImage::forget(std::uint64_t offset, std::uint64_t size_bytes) {
    for (std::uint64_t at = offset; at < offset + size_bytes; ++at) {
        if (find(at >> page_bits) == nullptr) continue;
        Page& from = page(at >> page_bits);
        from.set[(at & (page_bytes - 1)) / 64] &= ~(std::uint64_t{1} << at % 64);
    }
}

}  // namespace lanescope::gpu
