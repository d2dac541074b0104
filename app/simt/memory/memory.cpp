#include "simt/memory/memory.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lanescope::simt {

std::uint64_t window_start(Window window) {
    switch (window) {
        case Window::shared:
            return window::shared;
        case Window::local:
            return window::local;
        case Window::constant:
            return window::constant;
        case Window::parameter:
            return window::parameter;
        case Window::function:
            return window::function;
        case Window::global:
            return window::global;
        case Window::none:
            break;
    }
    return 0;
}

trace::Space space_of(Window window) {
    switch (window) {
        case Window::shared:
            return trace::Space::shared;
        case Window::local:
            return trace::Space::local;
        case Window::constant:
        case Window::parameter:
            return trace::Space::constant;
        default:
            return trace::Space::global;
    }
}

namespace {

// Visits the words that [offset, offset + count) touches, each with the mask of its touched bits.
template <class Visit>
void for_each_word(std::uint64_t offset, std::uint64_t count, Visit visit) {
    for (std::uint64_t at = offset, end = offset + count; at < end;) {
        const std::uint64_t stop = std::min(end, (at | 63) + 1);
        const std::uint64_t length = stop - at;
        const std::uint64_t ones = length == 64 ? ~0ull : (1ull << length) - 1;
        visit(at >> 6, ones << (at & 63));
        at = stop;
    }
}

}  // namespace

void mark_range(std::uint64_t* set, std::uint64_t offset, std::uint64_t count) {
    for_each_word(offset, count, [set](std::uint64_t word, std::uint64_t mask) { set[word] |= mask; });
}

void clear_range(std::uint64_t* set, std::uint64_t offset, std::uint64_t count) {
    for_each_word(offset, count, [set](std::uint64_t word, std::uint64_t mask) { set[word] &= ~mask; });
}

std::uint64_t count_uninit(const std::uint64_t* set, std::uint64_t offset, std::uint64_t count) {
    std::uint64_t uninit = 0;
    for_each_word(offset, count, [&](std::uint64_t word, std::uint64_t mask) {
        uninit += static_cast<std::uint64_t>(std::popcount(~set[word] & mask));
    });
    return uninit;
}

void Bytes::release() {
#ifdef __linux__
    if (pages_) munmap(data_, size_);
    if (file_ >= 0) close(file_);
    file_ = -1;
#endif
    if (!pages_) std::free(data_);
}

bool Bytes::grow_file([[maybe_unused]] std::uint64_t capacity) {
#ifdef __linux__
    if (file_ < 0) file_ = memfd_create("lanescope device memory", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(capacity)) != 0) return false;
    void* made = pages_ ? mremap(data_, size_, capacity, MREMAP_MAYMOVE)
                        : mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (made == MAP_FAILED) return false;
    data_ = static_cast<std::byte*>(made);
    size_ = capacity;
    pages_ = true;
    return true;
#else
    return false;
#endif
}

void Bytes::discard([[maybe_unused]] std::uint64_t offset, [[maybe_unused]] std::uint64_t size) {
#ifdef __linux__
    constexpr std::uint64_t page = 4096;
    const std::uint64_t first = (offset + page - 1) / page * page, end = (offset + size) / page * page;
    // MADV_REMOVE frees the file's pages, MADV_DONTNEED those of private memory.
    if (pages_ && first < end)
        (void)madvise(data_ + first, end - first, file_ >= 0 ? MADV_REMOVE : MADV_DONTNEED);
#endif
}

bool Bytes::grow(std::uint64_t size) {
    if (size <= size_) return true;
    const std::uint64_t capacity = (std::max(size, size_ + size_ / 2) + 4095) / 4096 * 4096;
    if (!std::in_range<std::ptrdiff_t>(capacity)) return false;
    if (backing_ == Backing::memory_file) return grow_file(capacity);
#ifdef __linux__
    if (pages_) {
        void* moved = mremap(data_, size_, capacity, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED) return false;
        data_ = static_cast<std::byte*>(moved);
        size_ = capacity;
        return true;
    }
    const bool pages = capacity >= 1 << 20;
#else
    constexpr bool pages = false;
#endif
    std::byte* moved = nullptr;
#ifdef __linux__
    if (pages) {
        void* made = mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (made == MAP_FAILED) return false;
        moved = static_cast<std::byte*>(made);
    }
#endif
    if (!pages) {
        moved = static_cast<std::byte*>(std::aligned_alloc(64, capacity));
        if (moved == nullptr) return false;
        std::memset(moved + size_, 0, capacity - size_);
    }
    if (size_ != 0) std::memcpy(moved, data_, size_);
    release();
    data_ = moved;
    size_ = capacity;
    pages_ = pages;
    return true;
}

// Bytes, set bits, the table of granules while it grows, and the description.
std::uint64_t Arena::cost_of(std::uint64_t room, const trace::Symbol& symbol) {
    constexpr std::uint64_t allocation_bytes = sizeof(Allocation) + 256;
    return room + room / 8 + room / granule_bytes * 12 + allocation_bytes + symbol.name.size() +
           symbol.extents.size() * sizeof(std::uint64_t);
}

bool Arena::reserve(std::uint64_t used) {
    const std::byte* before = data_.data();
    const std::byte* set_before = set_.data();
    if (!data_.grow(used) || !set_.grow((used + 63) / 64 * 8)) return false;
    if (before == data_.data() && set_before == set_.data()) return true;
    for (auto& allocation : allocations_) {
        const std::uint64_t offset = allocation->region.base - base_;
        allocation->region.data = data_.data() + offset;
        allocation->region.set = reinterpret_cast<std::uint64_t*>(set_.data()) + offset / 64;
    }
    return true;
}

namespace {

constexpr std::uint64_t page_bytes = 4096;

#ifdef __linux__
void* host_pointer(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}
#endif

}  // namespace

Arena::~Arena() {
#ifdef __linux__
    for (const auto& [first, end] : host_ranges_)
        munmap(host_pointer(first), end - first);
#endif
}

void Arena::release(Allocation& allocation, Budget& budget) {
    const Region& region = allocation.region;
#ifdef __linux__
    // Only an allocation of whole pages has a range of its own.
    if (const auto mapped = host_ranges_.find(region.base); mapped != host_ranges_.end()) {
        munmap(host_pointer(mapped->first), mapped->second - mapped->first);
        host_ranges_.erase(mapped);
    }
#endif
    allocation.live = false;
    data_.discard(region.base - base_, region.size_bytes);
    set_.discard((region.base - base_) / 8, region.size_bytes / 8);
    budget.give(std::exchange(allocation.cost_bytes, 0));
}

bool Arena::host_has(std::uint64_t address) const {
#ifdef __linux__
    if (data_.backing() != Backing::memory_file) return false;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(address / page * page), page, &resident) == 0;
#else
    return address == 0 && data_.backing() == Backing::memory_file;
#endif
}

bool Arena::map_for_host([[maybe_unused]] const Allocation& allocation) {
#ifdef __linux__
    if (data_.file() < 0) return false;
    const Region& region = allocation.region;
    std::uint64_t first = region.base / page_bytes * page_bytes;
    const std::uint64_t end = (region.base + std::max<std::uint64_t>(region.size_bytes, 1) + page_bytes - 1) /
                              page_bytes * page_bytes;
    while (first < end) {  // variables share pages
        const auto next = host_ranges_.upper_bound(first);
        if (next != host_ranges_.begin() && std::prev(next)->second > first) {
            first = std::prev(next)->second;
            continue;
        }
        const std::uint64_t stop = next == host_ranges_.end() ? end : std::min(end, next->first);
        void* const made =
            mmap(host_pointer(first), stop - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                 data_.file(), static_cast<off_t>(first - base_));
        if (made == MAP_FAILED) return false;
        if (made != host_pointer(first)) {  // an old kernel takes the address for a hint
            munmap(made, stop - first);
            return false;
        }
        host_ranges_.emplace(first, stop);
        first = stop;
    }
    return true;
#else
    return false;
#endif
}

Allocation* Arena::allocate(std::uint64_t size_bytes, std::uint64_t guard_bytes, trace::Symbol symbol,
                            Budget& budget, std::uint64_t alignment) {
    if (size_bytes > budget.limit()) return nullptr;
    const std::uint64_t offset = (used_ + alignment - 1) / alignment * alignment;
    const std::uint64_t room =
        offset - used_ + (size_bytes + guard_bytes + granule_bytes - 1) / granule_bytes * granule_bytes;
    const std::uint64_t cost = cost_of(room, symbol);
    if (!budget.take(cost)) return nullptr;
    if (!reserve(used_ + room)) {
        budget.give(cost);
        return nullptr;
    }
    used_ += room;
    auto allocation = std::make_unique<Allocation>();
    allocation->cost_bytes = cost;
    allocation->region = {base_ + offset, size_bytes, data_.data() + offset,
                          reinterpret_cast<std::uint64_t*>(set_.data()) + offset / 64, size_bytes};
    symbol.space = space_;
    symbol.offset = offset;
    symbol.size_bytes = size_bytes;
    allocation->symbol = std::move(symbol);
    allocations_.push_back(std::move(allocation));
    granules_.resize(used_ / granule_bytes, 0);
    const std::uint64_t first = offset / granule_bytes;
    const std::uint64_t count = (size_bytes + granule_bytes - 1) / granule_bytes;
    std::fill_n(granules_.begin() + static_cast<std::ptrdiff_t>(first), count,
                static_cast<std::uint32_t>(allocations_.size()));
    return allocations_.back().get();
}

const Allocation* Arena::nearest(std::uint64_t address) const {
    const Allocation* best = nullptr;
    std::uint64_t best_distance = ~0ull;
    for (const auto& allocation : allocations_) {
        const Region& region = allocation->region;
        const std::uint64_t end = region.base + region.size_bytes;
        const std::uint64_t distance = address < region.base ? region.base - address
                                       : address >= end      ? address - end
                                                             : 0;
        if (distance < best_distance) {
            best = allocation.get();
            best_distance = distance;
        }
    }
    return best;
}

std::span<const std::uint64_t> Arena::set_words() const {
    return {reinterpret_cast<const std::uint64_t*>(set_.data()), static_cast<std::size_t>((used_ + 63) / 64)};
}

std::uint64_t Arena::uninit_bytes() const {
    std::uint64_t uninit = 0;
    for (const auto& allocation : allocations_)
        uninit += allocation->region.uninit_bytes;
    return uninit;
}

std::unique_ptr<Arena> Arena::view() const {
    auto made = std::make_unique<Arena>(base_, space_);
    made->granules_ = granules_;
    made->used_ = used_;
    const std::span<const std::uint64_t> words = set_words();
    const bool all_set = uninit_bytes() == 0;  // then these bits are not used
    if (!all_set) {
        if (!made->set_.grow(words.size_bytes())) return nullptr;
        std::memcpy(made->set_.data(), words.data(), words.size_bytes());
    }
    for (const auto& allocation : allocations_) {
        made->allocations_.push_back(std::make_unique<Allocation>(*allocation));
        Region& region = made->allocations_.back()->region;
        region.set = all_set
                         ? nullptr
                         : reinterpret_cast<std::uint64_t*>(made->set_.data()) + (region.base - base_) / 64;
    }
    return made;
}

void Arena::merge(const Arena& view) {
    for (const auto& allocation : allocations_) {
        Region& region = allocation->region;
        if (region.uninit_bytes == 0) continue;
        const std::uint64_t* theirs =
            reinterpret_cast<const std::uint64_t*>(view.set_.data()) + (region.base - base_) / 64;
        for (std::uint64_t word = 0; word < (region.size_bytes + 63) / 64; ++word)
            region.set[word] |= theirs[word];
        region.uninit_bytes = count_uninit(region.set, 0, region.size_bytes);
    }
}

void host_zero(Region& region, std::uint64_t offset) {
    const std::uint64_t count = region.size_bytes - std::min(offset, region.size_bytes);
    region.uninit_bytes -= count_uninit(region.set, offset, count);
    mark_range(region.set, offset, count);
}

void host_write(Region& region, std::uint64_t address, std::span<const std::byte> bytes) {
    const std::uint64_t offset = address - region.base;
    if (!bytes.empty()) std::memcpy(region.data + offset, bytes.data(), bytes.size());
    if (region.uninit_bytes == 0) return;
    region.uninit_bytes -= count_uninit(region.set, offset, bytes.size());
    mark_range(region.set, offset, bytes.size());
}

bool LocalMemory::reserve(std::uint64_t lane_bytes, Budget& budget) {
    if (lane_bytes <= lane_bytes_) return true;
    const std::uint64_t grown = std::max<std::uint64_t>(std::bit_ceil(lane_bytes), 64);
    if (!budget.take(cost_of(grown))) return false;  // both exist while one is copied
    std::vector<std::byte> data(grown * trace::warp_size);
    std::vector<std::uint64_t> set(grown * trace::warp_size / 64);
    for (unsigned lane = 0; lane < trace::warp_size && lane_bytes_ != 0; ++lane) {
        std::copy_n(data_.data() + lane * lane_bytes_, lane_bytes_, data.data() + lane * grown);
        std::copy_n(set_.data() + lane * lane_bytes_ / 64, lane_bytes_ / 64, set.data() + lane * grown / 64);
    }
    data_.swap(data);
    set_.swap(set);
    budget.give(cost_of(lane_bytes_));
    lane_bytes_ = grown;
    return true;
}

void LocalMemory::release(Budget& budget) {
    budget.give(cost_of(lane_bytes_));
    *this = {};
}

std::uint64_t LocalMemory::cost_of(std::uint64_t lane_bytes) {
    return lane_bytes * trace::warp_size + lane_bytes * trace::warp_size / 8;
}

}  // namespace lanescope::simt
