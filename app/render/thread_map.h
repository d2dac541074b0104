// The state of every thread of a launch at one time. Shaders compute and draw it from the records in GPU
// memory; the map itself never comes back to the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/shader.h"
#include "render/stream_buffer.h"

namespace lanescope::render {

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

// The shaders' data about a pc.
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

class ThreadMap {
  public:
    static Result<ThreadMap> create();  // error: the driver refuses a shader
    ~ThreadMap();
    ThreadMap(ThreadMap&& other) noexcept;
    ThreadMap& operator=(ThreadMap&& other) noexcept;

    Result<void> set_code(std::span<const CodePoint> code);
    Result<void> set_clock_offsets(std::span<const std::uint64_t> offsets);  // per SM: its clock at time 0
    // Per function. If all lists are empty, update() determines no values.
    Result<void> set_watched(const std::vector<std::vector<WatchedRegister>>& by_function);

    // Computes all states at this time.
    Result<void> update(const StreamBuffer& streams, std::uint64_t time);
    // Returns the range of values over the whole launch.
    ValueRange range(const StreamBuffer& streams) const;
    // These read small results of the last update back.
    Tally tally() const;
    ThreadNow thread(std::uint32_t slot) const;
    // Draws the last update into the bound target.
    void draw(const StreamBuffer& streams, const MapPicture& picture) const;

  private:
    ThreadMap() = default;
    void bind(const StreamBuffer& streams) const;

    Shader states_program_, range_program_, draw_program_;
    Buffer code_, offsets_, watched_, states_, tally_, range_;
    GLuint vertices_ = 0;  // an empty array; OpenGL does not draw without one
    bool watching_ = false;
};

}  // namespace lanescope::render
