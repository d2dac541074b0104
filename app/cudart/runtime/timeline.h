// What the host submits and waits for, in the order of the program: events of the journal.
#pragma once

#include <cstdint>
#include <string>

#include "cudart/runtime/journal.h"

namespace lanescope::cudart {

class Device;

// Rows of bytes, as copies and fills touch them.
struct Rows {
    std::uint64_t address = 0, width_bytes = 0, pitch_bytes = 0, count = 1;
    std::uint64_t bytes() const { return width_bytes * count; }
};

class Timeline {
  public:
    explicit Timeline(Journal& journal) : journal_(journal) {}

    // The stream on which work runs until the next call; 0: the default one.
    std::uint64_t stream() const { return stream_; }
    void set_stream(std::uint64_t stream) { stream_ = stream; }

    void release(std::uint64_t buffer);
    void copy(const Device& device, const Rows& to, const Rows& from, const char* direction, double began_ms);
    void fill(const Device& device, const Rows& to, int value, double began_ms);
    void host_function(std::uint64_t stream);
    void launch_graph(std::uint64_t stream, std::uint64_t nodes);

    void create_stream(std::uint64_t stream, unsigned flags, int priority);
    void destroy_stream(std::uint64_t stream);
    void record_event(std::uint64_t event, std::uint64_t stream);
    void wait_for_event(std::uint64_t event, std::uint64_t stream);
    // The host waits.
    void wait_for_device();
    void wait_for_stream(std::uint64_t stream);
    void wait_for_event(std::uint64_t event);

    Journal& journal() { return journal_; }

  private:
    static nlohmann::ordered_json place_of(const Device& device, const Rows& rows);
    Journal& journal_;
    std::uint64_t stream_ = 0;
};

}  // namespace lanescope::cudart
