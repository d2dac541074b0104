// The memory of a machine: its generic 64-bit addresses, and which bytes hold a value.
//
// Global and constant memory are images that grow; each allocation is surrounded by unmapped guard space.
// Shared memory is one region per block, local memory one per thread. Every byte has a bit that says whether
// it was ever written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "simt/texture/texture.h"
#include "trace/trace.h"

namespace lanescope::simt {

// Windows of the generic address space. cvta adds, cvta.to subtracts a window's start; global addresses are
// generic.
namespace window {
constexpr std::uint64_t shared = 1ull << 32;
constexpr std::uint64_t local = 2ull << 32;
constexpr std::uint64_t constant = 3ull << 32;
constexpr std::uint64_t parameter = 4ull << 32;
constexpr std::uint64_t function = 5ull << 32;  // code addresses: function number × 16
constexpr std::uint64_t global = 1ull << 40;
constexpr std::uint64_t global_end = 1ull << 47;
constexpr std::uint64_t size = 1ull << 32;

// Where cvta sees the local memory of a thread. Hardware gives all threads the same addresses, so that a
// pointer to another thread's variable reaches one's own memory; here the address says whose it is. Blocks
// whose numbers differ by a multiple of 7 share addresses.
constexpr unsigned local_shift = 18;
constexpr std::uint64_t local_bytes = 1ull << local_shift;  // of a thread
constexpr std::uint64_t local_of(std::uint32_t block, std::uint32_t thread) {
    constexpr std::uint32_t block_threads = 1024, blocks = 7;
    return local + ((std::uint64_t{1} + thread + block % blocks * block_threads) << local_shift);
}
static_assert(local_of(6, 1023) + local_bytes <= local + (1ull << 31));  // see wrap_addresses()
}  // namespace window

enum class Window : std::uint8_t { none, shared, local, constant, parameter, function, global };

constexpr Window window_of(std::uint64_t address) {
    const std::uint64_t number = address >> 32;
    if (number >= (window::global >> 32)) return address < window::global_end ? Window::global : Window::none;
    return number <= 5 ? static_cast<Window>(number) : Window::none;
}
static_assert(window_of(window::shared) == Window::shared && window_of(window::function) == Window::function);

std::uint64_t window_start(Window window);
trace::Space space_of(Window window);  // parameter space shows as constant

// A run of addresses with its bytes. Bit i of `set` says that byte base + i has a value; base is a multiple
// of 64.
struct Region {
    std::uint64_t base = 0;
    std::uint64_t size_bytes = 0;
    std::byte* data = nullptr;
    std::uint64_t* set = nullptr;
    std::uint64_t uninit_bytes = 0;

    bool holds(std::uint64_t first, std::uint64_t end) const {
        return first >= base && end <= base + size_bytes;
    }
};

// Which of the `width` bytes at `offset` are set, as low bits. The bytes lie in one word: the access is
// aligned.
inline std::uint32_t set_bits(const std::uint64_t* set, std::uint64_t offset, unsigned width) {
    return static_cast<std::uint32_t>(set[offset >> 6] >> (offset & 63)) & ((1u << width) - 1);
}
inline void mark_set(std::uint64_t* set, std::uint64_t offset, unsigned width) {
    set[offset >> 6] |= std::uint64_t{(1u << width) - 1} << (offset & 63);
}
void mark_range(std::uint64_t* set, std::uint64_t offset, std::uint64_t count);
void clear_range(std::uint64_t* set, std::uint64_t offset, std::uint64_t count);
std::uint64_t count_uninit(const std::uint64_t* set, std::uint64_t offset, std::uint64_t count);

// Where bytes come from. Pages of a file in memory can be mapped a second time; see Arena::map_for_host.
enum class Backing : std::uint8_t { own, memory_file };

// Zeroed bytes, 64-byte aligned, that grow in place or move. Many of them are pages of the system that take
// no memory until they are touched, and that move without a copy.
class Bytes {
  public:
    explicit Bytes(Backing backing = Backing::own) : backing_(backing) {}
    ~Bytes() { release(); }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    std::uint64_t size() const { return size_; }
    Backing backing() const { return backing_; }
    bool grow(std::uint64_t size);  // never shrinks; false: the system has no memory
    // Gives the whole pages within [offset, offset + size) back to the system; they read as zeros again.
    void discard(std::uint64_t offset, std::uint64_t size);
    int file() const { return file_; }  // -1: there is none

  private:
    void release();
    bool grow_file(std::uint64_t capacity);
    Backing backing_ = Backing::own;
    int file_ = -1;
    std::byte* data_ = nullptr;
    std::uint64_t size_ = 0;
    bool pages_ = false;
};

// Counts the bytes that a machine may use.
class Budget {
  public:
    explicit Budget(std::uint64_t limit_bytes = 0) : limit_(limit_bytes) {}
    bool take(std::uint64_t bytes) {
        if (used_ > limit_ || bytes > limit_ - used_) return false;
        used_ += bytes;
        return true;
    }
    void give(std::uint64_t bytes) { used_ -= bytes; }
    // Less than is used already lets nothing more be taken.
    void set_limit(std::uint64_t bytes) { limit_ = bytes; }
    std::uint64_t limit() const { return limit_; }
    std::uint64_t used() const { return used_; }

  private:
    std::uint64_t limit_ = 0;
    std::uint64_t used_ = 0;
};

// Bytes taken from a budget, given back with the thing that they are for.
class Charge {
  public:
    Charge() = default;
    Charge(Charge&& other) noexcept { *this = std::move(other); }
    Charge& operator=(Charge&& other) noexcept {
        std::swap(budget_, other.budget_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Charge() {
        if (budget_ != nullptr) budget_->give(bytes_);
    }
    bool take(Budget& budget, std::uint64_t bytes) {  // once
        if (!budget.take(bytes)) return false;
        budget_ = &budget;
        bytes_ = bytes;
        return true;
    }

  private:
    Budget* budget_ = nullptr;
    std::uint64_t bytes_ = 0;
};

struct Allocation {
    Region region;
    trace::Symbol symbol;  // offset and size filled in
    bool live = true;
    bool device = false;  // made by malloc() in a kernel
    bool shown = true;    // in the trace
    std::uint64_t cost_bytes = 0;
};

// The image of global or of constant memory.
class Arena {
  public:
    Arena(std::uint64_t base, trace::Space space, Backing backing = Backing::own)
        : base_(base), space_(space), data_(backing) {}
    ~Arena();

    // The address of new memory of which no byte is set; null when memory is short. `guard_bytes` stay free
    // behind it. `alignment`: a power of two of at least 256.
    Allocation* allocate(std::uint64_t size_bytes, std::uint64_t guard_bytes, trace::Symbol symbol,
                         Budget& budget, std::uint64_t alignment = granule_bytes);
    // Ends the life of an allocation: an access to it is a fault from now on, and its address is not used
    // again.
    void release(Allocation& allocation, Budget& budget);
    // Makes the pages of an allocation readable and writable for the host at the device's address. False:
    // the backing is not a file, or the address is taken.
    bool map_for_host(const Allocation& allocation);
    // Whether a program of the host runs in this process and has memory at this address.
    bool host_has(std::uint64_t address) const;
    std::uint64_t end() const { return base_ + used_; }  // where the next allocation begins
    // The allocation that holds the address, dead ones included; null when none does.
    Allocation* find(std::uint64_t address) {
        const std::uint64_t granule = (address - base_) / granule_bytes;
        if (address < base_ || granule >= granules_.size() || granules_[granule] == 0) return nullptr;
        return allocations_[granules_[granule] - 1].get();
    }
    const Allocation* find(std::uint64_t address) const { return const_cast<Arena*>(this)->find(address); }
    // The region that holds the whole of [first, end), or null.
    Region* region(std::uint64_t first, std::uint64_t end) {
        Allocation* found = find(first);
        return found != nullptr && found->live && found->region.holds(first, end) ? &found->region : nullptr;
    }
    // The allocation whose bytes are nearest to the address; null when there is none.
    const Allocation* nearest(std::uint64_t address) const;

    // The same bytes for a thread that runs beside others, with set bits of its own. It allocates nothing.
    std::unique_ptr<Arena> view() const;
    // Takes over the set bits of such a view.
    void merge(const Arena& view);
    std::uint64_t uninit_bytes() const;  // of all allocations
    void restore(std::span<const std::byte> bytes) { std::memcpy(data_.data(), bytes.data(), bytes.size()); }

    std::uint64_t base() const { return base_; }
    std::span<const std::byte> bytes() const { return {data_.data(), static_cast<std::size_t>(used_)}; }
    std::span<const std::uint64_t> set_words() const;
    const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

    static constexpr std::uint64_t granule_bytes = 256;

  private:
    static std::uint64_t cost_of(std::uint64_t room, const trace::Symbol& symbol);
    bool reserve(std::uint64_t used);

    std::uint64_t base_;
    trace::Space space_;
    Bytes data_;
    Bytes set_;
    std::uint64_t used_ = 0;
    std::vector<std::uint32_t> granules_;  // allocation number + 1 of each granule
    std::vector<std::unique_ptr<Allocation>> allocations_;
    std::map<std::uint64_t, std::uint64_t> host_ranges_;  // pages that the host sees: first address, end
};

// The memory of a device: what the machines of several modules share.
struct DeviceMemory {
    explicit DeviceMemory(std::uint64_t limit_bytes, Backing backing = Backing::own)
        : budget(limit_bytes), global(window::global, trace::Space::global, backing) {}
    Budget budget;
    // What malloc() in kernels can take; cudaLimitMallocHeapSize begins with this size, too.
    Budget heap{8ull << 20};
    Arena global;
    Arena constant{window::constant, trace::Space::constant};
    ImageObjects images;
};

// Writes and reads by the host; the caller has checked the bounds.
void host_write(Region& region, std::uint64_t address, std::span<const std::byte> bytes);
// From this byte on, a new region holds zeros.
void host_zero(Region& region, std::uint64_t offset);

// Local memory of the 32 lanes of a warp: equal offsets in every lane.
class LocalMemory {
  public:
    std::uint64_t lane_bytes() const { return lane_bytes_; }
    bool reserve(std::uint64_t lane_bytes, Budget& budget);  // false: memory is short
    void release(Budget& budget);
    // The bytes charged to the budget: those of all lanes and their set bits.
    static std::uint64_t cost_of(std::uint64_t lane_bytes);
    std::byte* data(unsigned lane) { return data_.data() + lane * lane_bytes_; }
    const std::byte* data(unsigned lane) const { return data_.data() + lane * lane_bytes_; }
    std::uint64_t* set(unsigned lane) { return set_.data() + lane * lane_bytes_ / 64; }
    // A new frame's bytes have no value and are zero.
    void clear(unsigned lane, std::uint64_t offset, std::uint64_t count) {
        if (count == 0) return;  // there may be no memory at all
        std::memset(data(lane) + offset, 0, count);
        clear_range(set(lane), offset, count);
    }

  private:
    std::uint64_t lane_bytes_ = 0;
    std::vector<std::byte> data_;
    std::vector<std::uint64_t> set_;
};

}  // namespace lanescope::simt
