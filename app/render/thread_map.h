// The state of every thread of a launch at one time. Shaders compute and draw it from the records in GPU
// memory; the map itself never comes back to the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/map_data.h"
#include "render/shader.h"
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
    ThreadMap() = default;
    void bind(const StreamBuffer& streams) const;

    Shader states_program_, range_program_, draw_program_;
    Buffer code_, offsets_, watched_, states_, tally_, range_;
    GLuint vertices_ = 0;  // an empty array; OpenGL does not draw without one
    bool watching_ = false;
};

}  // namespace lanescope::render
