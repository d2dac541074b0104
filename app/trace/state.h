// The state at one position of a trace: memory, variables and call frames as regions of copy-on-write pages.
//
// Instances are interleaved so that small ones share pages: byte `offset` of instance i of n is in granule
// (offset / granule) × n + i. Variables are rows of 32 eight-byte values, one row per slot and warp; the rows
// of one slot are adjacent. A page holds 16 rows, and `set` word r of a page is the mask of lanes that have a
// value in row r. Frames are rows of 32 four-byte numbers per warp: depth, first slot of the innermost frame,
// and for every depth the function + 1 and the start of its stack objects.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "trace/pages.h"
#include "trace/trace.h"

namespace lanescope::trace {

enum class Region : std::uint8_t { global, constant, shared, local, slots, frames, count };

// The number of instances of a launch and their addresses.
struct Shape {
    std::uint64_t blocks = 1;   // recorded blocks
    std::uint64_t warps = 1;    // per block
    std::uint64_t threads = 1;  // per block
    const Launch* launch = nullptr;

    explicit Shape(const Launch* of = nullptr);
    // Returns the index of a block among the recorded ones; `none` if it is not recorded.
    std::uint32_t block_number(std::uint32_t block) const;
    std::uint64_t instances(Space space) const;
    static unsigned granule_bits(Space space);  // at most page_bits
    std::uint64_t address(Space space, std::uint64_t instance, std::uint64_t offset) const {
        const unsigned bits = granule_bits(space);
        const std::uint64_t within = offset & ((std::uint64_t{1} << bits) - 1);
        return ((offset >> bits) * instances(space) + instance) << bits | within;
    }
};

constexpr unsigned slot_row_bytes = warp_size * 8;
constexpr unsigned frame_row_bytes = warp_size * 4;
enum FrameRow : std::uint32_t { depth_row, base_row, first_function_row };
constexpr std::uint32_t function_row(std::uint32_t depth) {
    return first_function_row + 2 * depth;
}
constexpr std::uint32_t local_base_row(std::uint32_t depth) {
    return function_row(depth) + 1;
}

// A row of a warp's variables: eight bytes per lane, and the mask of lanes that have a value.
struct SlotRow {
    std::byte* values = nullptr;
    std::uint64_t* set = nullptr;
};

class State {
  public:
    PageTree& tree(Region region) { return trees_[static_cast<unsigned>(region)]; }
    const PageTree& tree(Region region) const { return trees_[static_cast<unsigned>(region)]; }

    std::uint32_t launch() const { return launch_; }  // of the instances; none before the first turn
    // Clears shared and local memory, variables and frames. Returns the number of pages that only this state
    // held.
    std::uint64_t begin_launch(std::uint32_t launch);

    // `number` is the index of the warp among the recorded warps of the launch.
    SlotRow slot_row(const Shape& shape, std::uint64_t number, std::uint64_t slot);
    std::uint32_t* frame_row(const Shape& shape, std::uint64_t number, std::uint32_t row);
    // These read a lane's variable and frame number without making pages.
    bool find_slot(const Shape& shape, std::uint64_t number, unsigned lane, std::uint64_t slot,
                   std::uint64_t& value) const;
    std::uint32_t find_frame(const Shape& shape, std::uint64_t number, unsigned lane,
                             std::uint32_t row) const;

    // Reads bytes of one instance; `set` may be empty.
    void read(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
              std::span<std::byte> bytes, std::span<bool> set) const;
    // XORs up to 16 bytes and flips the "has a value" bits that are set in `newly_set`. May read `deltas` up
    // to 8 bytes beyond its end.
    void change(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
                const std::byte* deltas, unsigned delta_bytes, unsigned width, std::uint16_t newly_set);

    // The same in two parts, so that many memory fetches can overlap. Without a page, the bytes cross a
    // border and need the change() above.
    struct Spot {
        Page* page = nullptr;
        unsigned at = 0;
    };
    Spot locate(const Shape& shape, Space space, std::uint64_t instance, std::uint64_t offset,
                unsigned width);
    static void change(Spot spot, const std::byte* deltas, unsigned delta_bytes, std::uint16_t newly_set);

    std::uint64_t pages_made() const;
    std::uint64_t hash() const;

  private:
    std::array<PageTree, static_cast<unsigned>(Region::count)> trees_;
    std::uint32_t launch_ = none;
};

Region region_of(Space space);

}  // namespace lanescope::trace
