// Which value of the flow each cell of memory holds at any time of the run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/flow/flow.h"

namespace lanescope::analysis {

// Cells of one size, side by side in an instance of a space.
struct HeldRange {
    trace::Space space{};
    std::uint32_t launch = 0, block = 0;  // of shared memory
    std::uint64_t offset = 0;             // bytes, of the first cell
    unsigned cell_bytes = 4;
    std::uint64_t count = 0;
};

class HeldValues {
  public:
    // Copies what it needs: nothing has to outlive it.
    HeldValues(const trace::Trace& trace, const Flow& flow);

    // Calls each(cell, value) for every piece that was written before `turn` and that a cell still holds
    // then: several times for a cell of several words, not at all for a cell that was never written.
    template <class F>
    void each(const HeldRange& range, std::uint64_t turn, F&& each) const;

  private:
    struct Entry {
        std::uint64_t key = 0;  // instance, offset, and whether it is a single byte
        std::uint32_t turn = 0;
        ValueId value = 0;
    };
    static constexpr unsigned offset_bits = 40;
    static std::uint64_t key(std::uint64_t instance, std::uint64_t offset, bool byte) {
        return instance << offset_bits | offset << 1 | (byte ? 1 : 0);
    }
    std::uint64_t instance(trace::Space space, std::uint32_t launch, std::uint32_t block) const;
    std::uint64_t number(trace::Space space, std::uint32_t launch, std::uint32_t block);
    void add(std::uint64_t instance, std::uint64_t offset, unsigned width_bytes, std::uint32_t turn,
             ValueId value);
    // The last entry of the run of equal keys that begins at `first`, before `turn`; null if there is none.
    const Entry* last_before(std::size_t first, std::size_t end, std::uint64_t turn) const;
    std::size_t end_of_run(std::size_t first) const;
    std::size_t first_at(std::uint64_t key) const;

    std::vector<Entry> entries_;  // ascending keys; equal keys in the order of time
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> shared_;  // instances, by launch, block
};

template <class F>
void HeldValues::each(const HeldRange& range, std::uint64_t turn, F&& each) const {
    const std::uint64_t of = instance(range.space, range.launch, range.block);
    if (of == 0 || range.count == 0 || range.cell_bytes == 0) return;
    const std::uint64_t end = range.offset + range.count * range.cell_bytes;
    for (std::size_t i = first_at(key(of, range.offset & ~std::uint64_t{3}, false)); i < entries_.size();) {
        const std::uint64_t word = entries_[i].key >> 3;
        const std::uint64_t at = (word << 3 & ((std::uint64_t{1} << offset_bits) - 1)) >> 1;
        if (entries_[i].key >> offset_bits != of || at >= end) return;
        const Entry* whole = nullptr;
        std::array<const Entry*, 4> bytes{};
        while (i < entries_.size() && entries_[i].key >> 3 == word) {
            const std::size_t run_end = end_of_run(i);
            const Entry* held = last_before(i, run_end, turn);
            const bool single = (entries_[i].key & 1) != 0;
            (single ? bytes[entries_[i].key >> 1 & 3] : whole) = held;
            i = run_end;
        }
        std::uint64_t last_cell = ~0ull;
        ValueId last_value = 0;
        for (std::uint64_t byte = 0; byte < 4; ++byte) {
            const Entry* held = bytes[byte];
            if (held == nullptr || (whole != nullptr && whole->turn > held->turn)) held = whole;
            if (held == nullptr || at + byte < range.offset || at + byte >= end) continue;
            const std::uint64_t cell = (at + byte - range.offset) / range.cell_bytes;
            if (cell == last_cell && held->value == last_value) continue;
            last_cell = cell;
            last_value = held->value;
            each(cell, held->value);
        }
    }
}

}  // namespace lanescope::analysis
