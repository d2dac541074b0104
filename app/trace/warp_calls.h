// Tracks the called functions of one warp while it is recorded: the slots and local memory of each frame and
// their contents. A frame's variables and stack objects have no value when it begins; the engine need not
// record that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/event_writer.h"
#include "trace/trace.h"

namespace lanescope::trace {

class WarpCalls {
  public:
    WarpCalls(const Program& program, std::uint32_t kernel) : program_(&program), kernel_(kernel) {}

    Mask deep() const { return deep_; }  // lanes inside a called function
    std::uint32_t frames() const {
        return frames_used_;
    }  // deepest stack so far, including the kernel's frame
    std::uint32_t slots() const { return slots_used_; }

    void push(EventWriter& writer, Mask mask, std::uint32_t function, std::uint32_t local_base);
    void pop(EventWriter& writer, Mask mask);  // ignores lanes that are in the kernel
    void variable(EventWriter& writer, std::uint32_t slot, Mask mask,
                  const std::uint64_t* after);  // only for deep lanes
    // Records a store or an atomic to local memory. Recorder::access documents the arguments.
    void change_local(EventWriter& writer, AccessKind kind, std::uint32_t pc, std::uint16_t ordinal,
                      unsigned width, Mask mask, const std::uint64_t* offsets, const AccessChange& change);

  private:
    struct Frame {
        std::uint32_t function = 0;
        std::uint32_t local_base = 0;
        bool operator==(const Frame&) const = default;
    };
    // A lane's local memory after the kernel's own frame.
    struct LaneMemory {
        std::vector<std::byte> bytes;
        std::vector<std::uint8_t> set;
    };

    std::uint32_t slots_of(std::uint32_t function) const;
    std::uint32_t local_bytes_of(std::uint32_t function) const;
    Frame top(unsigned lane) const;
    Mask alike(Mask mask) const;  // lanes of the mask in the same frame as its first lane
    void push_alike(EventWriter& writer, Mask mask, Frame frame);
    void pop_alike(EventWriter& writer, Mask mask);
    void forget_local(EventWriter& writer, Mask mask, Frame frame);
    bool set_at(unsigned lane, std::uint64_t offset) const;

    const Program* program_;
    std::uint32_t kernel_;
    std::uint32_t frames_used_ = 1, slots_used_ = 0;
    Mask deep_ = 0;
    std::array<std::uint32_t, warp_size> depth_{};
    std::array<std::uint32_t, warp_size> slot_base_{};          // of the innermost frame
    std::vector<std::array<Frame, warp_size>> stack_;           // [depth - 1][lane]
    std::vector<std::array<std::uint64_t, warp_size>> values_;  // [slot of the thread][lane]
    std::vector<Mask> set_;                                     // [slot of the thread]
    std::array<LaneMemory, warp_size> local_;
};

}  // namespace lanescope::trace
