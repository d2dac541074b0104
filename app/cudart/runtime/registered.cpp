#include "cudart/runtime/registered.h"

#include <algorithm>
#include <cstring>

#include "cudart/runtime/device.h"

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t widest_access = 16;

std::uint64_t host_address(const Registered::Range& range) {
    return reinterpret_cast<std::uint64_t>(range.host);
}

bool holds(std::uint64_t begin, std::uint64_t room, std::uint64_t address, std::uint64_t size) {
    return address >= begin && address - begin < room && size <= room - (address - begin);
}

}  // namespace

bool Registered::add(Device& device, void* host, std::uint64_t size_bytes, unsigned flags) {
    const auto at = reinterpret_cast<std::uint64_t>(host);
    const std::uint64_t before = at % widest_access;  // so that both are aligned alike
    const auto block = device.allocate(before + size_bytes, Block::Kind::registered, flags);
    if (!block) return false;
    ranges_[at] = {static_cast<std::byte*>(host), size_bytes, *block + before, *block, flags, {}};
    return true;
}

bool Registered::remove(Device& device, const void* host) {
    const auto found = ranges_.find(reinterpret_cast<std::uint64_t>(host));
    if (found == ranges_.end()) return false;
    device.release(found->second.block);
    ranges_.erase(found);
    return true;
}

bool Registered::overlaps(const void* host, std::uint64_t size_bytes) const {
    const auto begin = reinterpret_cast<std::uint64_t>(host);
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& each) {
        return begin < each.first + each.second.size_bytes && each.first < begin + size_bytes;
    });
}

const Registered::Range* Registered::find(std::uint64_t address, std::uint64_t size_bytes) const {
    for (const auto& [at, range] : ranges_)
        if (holds(at, range.size_bytes, address, size_bytes) ||
            holds(range.address, range.size_bytes, address, size_bytes))
            return &range;
    return nullptr;
}

std::uint64_t Registered::to_host(std::uint64_t address) const {
    const Range* range = find(address);
    if (range == nullptr || address - range->address >= range->size_bytes) return address;
    return address - range->address + host_address(*range);
}

std::uint64_t Registered::to_device(std::uint64_t address) const {
    const Range* range = find(address);
    if (range == nullptr || address - host_address(*range) >= range->size_bytes) return address;
    return address - host_address(*range) + range->address;
}

void Registered::copy_in(Device& device) {
    for (auto& [at, range] : ranges_) {
        range.before.assign(range.host, range.host + range.size_bytes);
        device.write(range.address, range.before.data(), range.size_bytes);
    }
}

void Registered::copy_out(Device& device) {
    constexpr std::uint64_t piece = 4096;
    std::vector<std::byte> after(piece);
    for (auto& [at, range] : ranges_) {
        for (std::uint64_t first = 0; first < range.size_bytes; first += piece) {
            const std::uint64_t count = std::min(piece, range.size_bytes - first);
            device.read(after.data(), range.address + first, count);
            if (std::memcmp(after.data(), range.before.data() + first, count) == 0) continue;
            // Only changed bytes: another thread of the host may write beside them.
            for (std::uint64_t i = 0; i < count; ++i)
                if (after[i] != range.before[first + i]) range.host[first + i] = after[i];
        }
        range.before = {};
    }
}

}  // namespace lanescope::cudart
