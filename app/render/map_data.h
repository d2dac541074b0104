// What the map of threads is computed from, and what it shows: the same for shaders and for the CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanescope::render {

struct StreamShape {
    std::uint32_t blocks = 0;  // recorded blocks
    std::uint32_t block_threads = 0;
    std::uint32_t capacity = 0;  // records per thread
    static constexpr std::uint32_t record_bytes = 16;

    std::uint32_t threads() const { return blocks * block_threads; }
    std::uint32_t warps_per_block() const { return (block_threads + 31) / 32; }
    std::uint64_t bytes() const { return std::uint64_t{capacity} * threads() * record_bytes; }
};

enum class ThreadState : std::uint8_t {
    absent,
    not_started,
    active,    // ran last together with all threads of its warp that have not ended
    diverged,  // ran last with a part of its warp
    at_barrier,
    finished,
    cut_off,      // later records are missing
    left_behind,  // diverged; other threads of its warp ran later
};
constexpr std::size_t thread_states = 8;

// What the map knows about a pc.
struct CodePoint {
    std::uint32_t line_rank = 0;  // of the line; larger than max_ranks - 2: all other lines
    std::uint32_t flags = 0;      // CodeFlag
    std::uint32_t function = 0;
    std::uint32_t colour = 0;  // of its line, RGBA8
};
enum CodeFlag : std::uint32_t { waits_at_barrier = 1 };
constexpr std::uint32_t max_ranks = 256;

// A register or slot that holds the shown variable.
struct WatchedRegister {
    std::uint32_t number = 0;
    std::uint32_t type = 0;  // value_type()
};
enum class NumberKind : std::uint8_t { unsigned_int, signed_int, floating };
constexpr std::uint32_t value_type(NumberKind kind, std::uint32_t size_bytes) {
    return static_cast<std::uint32_t>(kind) | size_bytes << 2;
}

struct ThreadNow {
    ThreadState state = ThreadState::absent;
    std::uint32_t pc = 0;
    bool has_value = false;
    std::uint32_t type = 0;
    std::uint64_t bits = 0;
};

struct Tally {
    std::array<std::uint32_t, thread_states> states{};
    std::array<std::uint32_t, max_ranks> lines{};  // threads that run or wait, by rank of their line
};

struct ValueRange {
    bool any = false;
    float least = 0, greatest = 0;
};

enum class ColourBy : std::uint8_t { state, line, value };

struct MapPicture {
    int width = 0, height = 0;         // px, of the bound target
    float origin_x = 0, origin_y = 0;  // of the first block's first cell, from the upper left corner
    float cell = 1, gap = 0;           // px
    std::uint32_t columns = 1;         // of blocks
    ColourBy colour_by = ColourBy::state;
    ValueRange range;
    std::array<std::uint32_t, thread_states> state_colours{};
    std::array<std::uint32_t, 5> scale_colours{};
    std::uint32_t unset_colour = 0;
};

}  // namespace lanescope::render
