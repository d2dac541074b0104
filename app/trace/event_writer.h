// Encodes events. EventReader decodes them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/events.h"
#include "trace/trace.h"

namespace lanescope::trace {

struct LaneChanges;

// The change by a store or an atomic, lane by lane.
struct AccessChange {
    const std::byte* before = nullptr;
    const std::byte* after = nullptr;
    const std::uint16_t* newly_set = nullptr;  // null if there are none
};

class EventWriter {
  public:
    explicit EventWriter(ByteBuffer& bytes) : bytes_(bytes) {}
    void begin_turn(Mask mask, std::uint32_t pc);

    // The next event is an access to the shared memory of this block, which is not the turn's.
    void owner(std::uint32_t block);
    // The arguments are those of Recorder, which explains them.
    void load(Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width, Mask mask,
              const std::uint64_t* offsets);
    void change(AccessKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width,
                Mask mask, const std::uint64_t* offsets, const AccessChange& change);
    void variable(std::uint32_t slot, std::uint32_t depth, std::uint32_t slot_base, Mask mask,
                  const std::uint64_t* before, const std::uint64_t* after, Mask newly_set);
    void unset(std::uint64_t slot, Mask mask);
    // Bytes of local memory lose their values. `set`: the bytes that have one; `old`: their values, `width`
    // bytes per lane.
    void forget_local(std::uint64_t offset, unsigned width, Mask mask, const std::byte* old,
                      const std::uint16_t* set);
    void branch(std::uint32_t pc, std::uint16_t ordinal, Mask active, Mask taken);
    void jump(std::uint32_t pc, std::uint16_t ordinal);
    void exchange(std::uint32_t pc, std::uint16_t ordinal, Mask mask, const std::uint8_t* source);
    void sync(SyncKind kind, std::uint32_t pc, std::uint16_t ordinal, Mask mask, unsigned detail);
    void push(Mask mask, std::uint32_t function, std::uint32_t local_base);
    void pop(Mask mask, std::uint32_t function, std::uint32_t local_base);
    void exit(Mask mask, std::uint16_t ordinal);
    // `length` ≤ page_bytes; `newly_set`: one bit per byte, null if there are none.
    void patch(Space space, std::uint64_t offset, const std::byte* deltas, std::size_t length,
               const std::byte* newly_set);
    void launch(std::uint32_t number);

  private:
    // The longest event is a patch of a page. All others stay under 1 KiB.
    static constexpr std::size_t max_event_bytes = page_bytes + page_bytes / 8 + 64;

    void begin(EventKind kind, Mask mask, unsigned extra = 0);
    void place(std::uint32_t pc, std::uint16_t ordinal);
    void finish() { bytes_.written_to(at_); }
    void byte(unsigned value) { *at_++ = static_cast<std::byte>(value); }
    void number(std::uint64_t value);
    void signed_number(std::uint64_t value) { number((value << 1) ^ (0 - (value >> 63))); }
    void raw(const void* from, std::size_t size_bytes);
    void mask_if_other(Mask mask);
    // Writes an access without its change. `distinct`: the lanes are known to touch different bytes.
    void access(EventKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width,
                Mask mask, const std::uint64_t* offsets, bool& distinct);
    void lane_changes(const LaneChanges& changes);
    void frame(EventKind kind, Mask mask, std::uint32_t function, std::uint32_t local_base);

    ByteBuffer& bytes_;
    std::byte* at_ = nullptr;
    std::byte* first_ = nullptr;
    Mask turn_mask_ = 0;
    std::uint32_t pc_ = 0;
    std::uint16_t ordinal_ = 0;
};

}  // namespace lanescope::trace
