// Finds work of different streams that touches the same memory and that nothing orders.
//
// Order as the CUDA C++ Programming Guide states it ("Asynchronous Concurrent Execution"): work of a stream
// is in order; the default stream waits for all blocking streams and they for it; events that a stream waits
// for; and all that the host waited for before it submits.
//
// Inaccuracies: the nodes of a graph count as work in order. Beyond 256 pieces of work for which the host has
// not waited, the oldest are forgotten.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "cudart/check/touched.h"

namespace lanescope::cudart {

class StreamOrder {
  public:
    // Whether there is a stream beside the default one, so that work can overlap.
    bool several() const { return several_; }
    bool forgot() const { return forgot_; }

    void create_stream(std::uint64_t stream, bool blocking);
    void record_event(std::uint64_t event, std::uint64_t stream);
    void wait_for_event(std::uint64_t event, std::uint64_t stream);
    // The host waits.
    void wait_for_device();
    void wait_for_stream(std::uint64_t stream);
    void wait_for_event(std::uint64_t event);

    struct Collision {
        std::uint64_t earlier = 0;  // its number
        std::uint64_t address = 0;
        TouchKind earlier_kind{}, later_kind{};
    };
    // Work is submitted; `number` is the caller's. The first collision with earlier work that is not ordered
    // before it.
    std::optional<Collision> submit(std::uint64_t stream, std::uint64_t number, Touched touched);

    // Whether the host has not waited for this work, of the caller's number.
    bool is_pending(std::uint64_t number) const;
    // The newest such work that writes the byte.
    std::optional<std::uint64_t> pending_write(std::uint64_t address) const;

  private:
    using Clock = std::map<std::uint64_t, std::uint64_t>;  // by stream: its work so far
    struct Work {
        std::uint64_t stream = 0, count = 0, number = 0;
        Touched touched;
    };
    static void join(Clock& into, const Clock& from);
    static bool knows(const Clock& clock, const Work& work);
    void begin(std::uint64_t stream);  // what comes next in the stream waits for what it must
    void drop_known();

    bool several_ = false, forgot_ = false;
    std::map<std::uint64_t, Clock> streams_{{0, {}}};
    std::map<std::uint64_t, bool> blocking_;
    std::map<std::uint64_t, Clock> events_;
    Clock host_;
    std::deque<Work> pending_;  // the host has not waited for them
};

}  // namespace lanescope::cudart
