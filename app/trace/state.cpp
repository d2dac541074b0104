#include "trace/state.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::trace {
namespace {

constexpr unsigned page_mask = page_bytes - 1;

// A finaliser with good avalanche (splitmix64, Steele et al. 2014).
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Zero words add nothing, so that a page of zeros has the hash of a missing page.
std::uint64_t hash_bytes(const Page& page) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < page_bytes / 8; ++i) {
        std::uint64_t word;
        std::memcpy(&word, page.bytes.data() + 8 * i, 8);
        if (word != 0) sum += mix(word ^ mix(i));
    }
    return sum;
}

std::uint64_t hash_set(const Page& page) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < page.set.size(); ++i)
        if (page.set[i] != 0) sum += mix(page.set[i] ^ mix(i + 4096));
    return sum;
}

// Hashes only lanes that have a value, because remains of ended frames do not count.
std::uint64_t hash_slots(const Page& page) {
    std::uint64_t sum = 0;
    for (unsigned row = 0; row < page_bytes / slot_row_bytes; ++row) {
        for (std::uint64_t lanes = page.set[row]; lanes != 0; lanes &= lanes - 1) {
            const unsigned at = row * warp_size + static_cast<unsigned>(std::countr_zero(lanes));
            std::uint64_t word;
            std::memcpy(&word, page.bytes.data() + 8 * at, 8);
            sum += mix(word ^ mix(at));
        }
    }
    return sum + hash_set(page);
}

}  // namespace

Region region_of(Space space) {
    return static_cast<Region>(space);
}

Shape::Shape(const Launch* of) : launch(of) {
    if (of == nullptr) return;
    blocks = of->recorded_blocks.empty() ? of->grid.count() : of->recorded_blocks.size();
    warps = of->warps_per_block();
    threads = of->block.count();
}

std::uint32_t Shape::block_number(std::uint32_t block) const {
    if (launch == nullptr) return none;
    const auto& recorded = launch->recorded_blocks;
    if (recorded.empty()) return block < blocks ? block : none;
    const auto found = std::lower_bound(recorded.begin(), recorded.end(), block);
    if (found == recorded.end() || *found != block) return none;
    return static_cast<std::uint32_t>(found - recorded.begin());
}

std::uint64_t Shape::instances(Space space) const {
    switch (space) {
        case Space::global:
        case Space::constant:
            return 1;
        case Space::shared:
            return blocks;
        case Space::local:
            return blocks * threads;
    }
    return 1;
}

unsigned Shape::granule_bits(Space space) {
    switch (space) {
        case Space::global:
        case Space::constant:
            return page_bits;
        case Space::shared:
            return 10;
        case Space::local:
            return 6;
    }
    return page_bits;
}

std::uint64_t State::begin_launch(std::uint32_t launch) {
    launch_ = launch;
    std::uint64_t freed = 0;
    for (Region region : {Region::shared, Region::local, Region::slots, Region::frames})
        freed += tree(region).clear();
    return freed;
}

SlotRow State::slot_row(const Shape& shape, std::uint64_t number, std::uint64_t slot) {
    constexpr unsigned rows = page_bytes / slot_row_bytes;
    const std::uint64_t row = slot * shape.blocks * shape.warps + number;
    Page& page = tree(Region::slots).writable(row / rows);
    return {page.bytes.data() + row % rows * slot_row_bytes, &page.set[row % rows]};
}

std::uint32_t* State::frame_row(const Shape& shape, std::uint64_t number, std::uint32_t row) {
    constexpr unsigned rows = page_bytes / frame_row_bytes;
    const std::uint64_t at = row * shape.blocks * shape.warps + number;
    Page& page = tree(Region::frames).writable(at / rows);
    return reinterpret_cast<std::uint32_t*>(page.bytes.data() + at % rows * frame_row_bytes);
}

bool State::find_slot(const Shape& shape, std::uint64_t number, unsigned lane, std::uint64_t slot,
                      std::uint64_t& value) const {
    constexpr unsigned rows = page_bytes / slot_row_bytes;
    const std::uint64_t row = slot * shape.blocks * shape.warps + number;
    const Page* page = tree(Region::slots).find(row / rows);
    if (page == nullptr || (page->set[row % rows] >> lane & 1) == 0) return false;
    std::memcpy(&value, page->bytes.data() + row % rows * slot_row_bytes + 8 * lane, 8);
    return true;
}

std::uint32_t State::find_frame(const Shape& shape, std::uint64_t number, unsigned lane,
                                std::uint32_t row) const {
    constexpr unsigned rows = page_bytes / frame_row_bytes;
    const std::uint64_t at = row * shape.blocks * shape.warps + number;
    const Page* page = tree(Region::frames).find(at / rows);
    if (page == nullptr) return 0;
    std::uint32_t value;
    std::memcpy(&value, page->bytes.data() + at % rows * frame_row_bytes + 4 * lane, 4);
    return value;
}

void State::read(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
                 std::span<std::byte> bytes, std::span<bool> set) const {
    const PageTree& pages = tree(region_of(space));
    const std::uint64_t granule = std::uint64_t{1} << Shape::granule_bits(space);
    for (std::size_t done = 0; done < bytes.size();) {
        const std::uint64_t at = offset + done;
        const std::size_t size = std::min<std::uint64_t>(bytes.size() - done, granule - (at & (granule - 1)));
        const std::uint64_t address = shape.address(space, instance, at);
        const Page* page = at < offset ? nullptr : pages.find(address >> page_bits);
        const unsigned first = address & page_mask;
        if (page != nullptr)
            std::memcpy(bytes.data() + done, page->bytes.data() + first, size);
        else
            std::memset(bytes.data() + done, 0, size);
        if (!set.empty())
            for (unsigned i = 0; i < size; ++i)
                set[done + i] = page != nullptr && (page->set[(first + i) / 64] >> (first + i) % 64 & 1) != 0;
        done += size;
    }
}

State::Spot State::locate(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
                          unsigned width) {
    const std::uint64_t granule = std::uint64_t{1} << Shape::granule_bits(space);
    const std::uint64_t address = shape.address(space, instance, offset);
    const unsigned at = address & page_mask;
    if ((offset & (granule - 1)) + width > granule || at + 16 > page_bytes) return {};
    return {&tree(region_of(space)).writable(address >> page_bits), at};
}

// Writes whole words even if fewer bytes change; a difference of zero leaves the neighbours unchanged.
void State::change(Spot spot, const std::byte* deltas, unsigned delta_bytes, std::uint16_t newly_set) {
    for (unsigned i = 0; i < delta_bytes; i += 8) {
        std::byte* bytes = spot.page->bytes.data() + spot.at + i;
        std::uint64_t word, delta;
        std::memcpy(&word, bytes, 8);
        std::memcpy(&delta, deltas + i, 8);
        if (delta_bytes - i < 8) delta &= (std::uint64_t{1} << 8 * (delta_bytes - i)) - 1;
        word ^= delta;
        std::memcpy(bytes, &word, 8);
    }
    if (newly_set == 0) return;
    const unsigned bit = spot.at % 64;
    std::uint64_t* set = &spot.page->set[spot.at / 64];
    set[0] ^= std::uint64_t{newly_set} << bit;
    if (bit > 48) set[1] ^= std::uint64_t{newly_set} >> (64 - bit);
}

void State::change(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
                   const std::byte* deltas, unsigned delta_bytes, unsigned width, std::uint16_t newly_set) {
    const Spot spot = locate(shape, space, instance, offset, width);
    if (spot.page != nullptr) return change(spot, deltas, delta_bytes, newly_set);
    PageTree& pages = tree(region_of(space));
    for (unsigned i = 0; i < width; ++i) {
        const std::uint64_t address = shape.address(space, instance, offset + i);
        Page& page = pages.writable(address >> page_bits);
        const unsigned byte = address & page_mask;
        if (i < delta_bytes) page.bytes[byte] ^= deltas[i];
        page.set[byte / 64] ^= std::uint64_t{newly_set >> i & 1u} << byte % 64;
    }
}

std::uint64_t State::pages_made() const {
    std::uint64_t sum = 0;
    for (const PageTree& pages : trees_)
        sum += pages.pages_made();
    return sum;
}

std::uint64_t State::hash() const {
    std::uint64_t sum = mix(launch_);
    for (unsigned region = 0; region < trees_.size(); ++region) {
        trees_[region].each([&](std::uint64_t number, const Page& page) {
            const bool slots = region == static_cast<unsigned>(Region::slots);
            const std::uint64_t content = slots ? hash_slots(page) : hash_bytes(page) + hash_set(page);
            if (content != 0) sum += mix(content ^ mix(number * 8 + region + 1));
        });
    }
    return sum;
}

}  // namespace lanescope::trace
