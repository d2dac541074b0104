// The state of every thread of a launch at one time. Shaders compute and draw it from the records in GPU
// memory; the map itself never comes back to the host. In a browser the CPU does it: map_on_cpu.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "render/map_data.h"
#include "render/stream_buffer.h"

namespace lanescope::render {

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
    struct State;
    explicit ThreadMap(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::render
