// The byte encoding of events and their stream.
//
// An event begins with a byte: the kind (bits 0-3), "its lanes are the turn's" (bit 4), "its pc follows from
// the instruction count" (bit 5) and two bits that depend on the kind. The rest depends on the kind and is as
// small as the values allow: addresses that are affine in the lane are two numbers, other addresses are
// offsets of 1 to 8 bytes from the smallest; changes are differences in the smallest width that holds them
// all. Every difference is reversible, so the same bytes replay forwards and backwards. Numbers are LEB128,
// signed numbers are zigzag.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/state.h"
#include "trace/trace.h"

namespace lanescope::trace {

static_assert(std::endian::native == std::endian::little, "events are copied with their memory layout");

enum class EventKind : std::uint8_t {
    load,
    store,
    atomic,
    variable,
    unset,   // variables lose their value because their frame ends
    forget,  // local memory loses its value because its frame begins or ends
    branch,
    jump,
    exchange,
    push,
    pop,
    exit,
    patch,   // memory changed by the host or by a block that is not recorded
    launch,  // a launch's first turn begins; shared and local memory, variables and frames start anew
    sync,    // fences, barriers, operations that synchronise the lanes of a warp
    owner,   // not an event of its own: the block whose shared memory the access that follows reaches
    count
};

// The bytes or lanes that had no value before.
enum class NewlySet : std::uint8_t { nothing, all, lanes, bytes };

// One event of the stream. Only the fields of its kind are valid. Pointers point into the stream.
struct Event {
    EventKind kind{};
    Space space{};
    NewlySet newly{};
    bool affine = true;             // accesses: offsets; variable: the differences are sums, otherwise XORs
    bool uniform = false;           // accesses: one difference for all lanes
    std::uint8_t width = 0;         // bytes per lane of an access
    std::uint32_t owner = none;     // of an access to the shared memory of another block: that block
    std::uint8_t offset_bytes = 0;  // per lane, if not affine
    std::uint8_t delta_bytes = 0;   // per lane
    std::uint16_t ordinal = 0;
    Mask mask = 0;
    Mask newly_mask = 0;  // lanes; branch: the lanes that take the branch
    std::uint32_t pc = 0;
    std::uint32_t slot = 0;       // of the frame
    std::uint32_t depth = 0;      // of the frame
    std::uint32_t slot_base = 0;  // first slot of the frame
    std::uint32_t function = 0;   // of a launch event: the launch
    std::uint32_t local_base = 0;
    SyncKind sync{};
    std::uint32_t detail = 0;  // of a sync
    std::uint64_t base = 0;    // + lane × stride
    std::uint64_t stride = 0;
    std::uint64_t length = 0;  // of a patch
    const std::byte* offsets = nullptr;
    const std::byte* newly_bytes = nullptr;  // 16 bits per lane; patch: one bit per byte
    const std::byte* deltas = nullptr;       // exchange: five bits per lane
};

inline bool is_access(EventKind kind) {
    return kind == EventKind::load || kind == EventKind::store || kind == EventKind::atomic;
}
// Returns the access kind of an access event.
AccessKind access_kind(EventKind kind);
// Returns the source line of an instruction of the turn; the turn's line if the instruction has none.
std::uint32_t line_of(const Trace& trace, const Turn& turn, std::uint32_t pc);

// Returns the offset of lane `lane`, which is the `nth` active lane.
inline std::uint64_t offset_of(const Event& event, unsigned lane, unsigned nth);
// Returns the bytes of that lane that had no value, as bits.
inline std::uint16_t newly_set_of(const Event& event, unsigned lane, unsigned nth);
void source_lanes(const Event& exchange, std::uint8_t* lanes);

// A buffer that grows in place if the allocator can. It may be read `slack_bytes` beyond its end.
class ByteBuffer {
  public:
    static constexpr std::size_t slack_bytes = 64;

    std::size_t size() const { return size_; }
    const std::byte* data() const { return data_.get(); }
    // Makes room for `more_bytes`. The writer then calls written_to() with the end of its data.
    std::byte* reserve(std::size_t more_bytes) {
        if (size_ + more_bytes + slack_bytes > capacity_) grow(more_bytes);
        return data_.get() + size_;
    }
    void written_to(const std::byte* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
    // Refers to another owner's bytes. The `slack_bytes` after them must be readable. The buffer cannot grow.
    void borrow(std::shared_ptr<const std::byte> owner, std::size_t size);

  private:
    struct Free {
        std::shared_ptr<const std::byte> owner;  // null: the bytes are the buffer's own
        void operator()(std::byte* bytes) const;
    };
    void grow(std::size_t more_bytes);

    std::unique_ptr<std::byte[], Free> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

struct Snapshot {
    std::uint64_t position = 0;  // number of turns before it
    State state;
};

class LateSnapshots;

class EventStream {
  public:
    ByteBuffer bytes;
    std::vector<Snapshot> snapshots;      // ascending positions; the first is 0
    std::uint64_t snapshot_bytes = 0;     // of pages that the snapshots hold
    std::shared_ptr<LateSnapshots> late;  // null if the trace was played when it was opened
};

// Returns the end of the events of the turns before `position`.
std::uint64_t events_end(const Trace& trace, std::uint64_t position);

// Reads the events of one turn. Never reads beyond their end, even if the bytes are damaged.
class EventReader {
  public:
    EventReader(const Trace& trace, std::uint64_t turn);
    bool next(Event& event);  // false at the end or at damaged bytes
    bool damaged() const { return damaged_; }

  private:
    bool read_body(Event& event, unsigned first);
    bool read_access(Event& event, unsigned first);
    bool read_variable(Event& event, unsigned first);
    bool read_branch(Event& event, unsigned first);
    bool read_frame(Event& event);
    bool read_patch(Event& event, unsigned first);
    bool read_place(Event& event, unsigned first);
    bool read_mask(Event& event, unsigned first);
    template <class T>
    bool read_number(T& value);
    bool read_signed(std::uint64_t& value);
    template <class T>
    bool read_raw(T& value);
    bool read_block(const std::byte*& block, std::uint64_t size_bytes);

    const std::byte* at_;
    const std::byte* end_;
    Mask turn_mask_;
    std::uint32_t pc_;
    std::uint16_t ordinal_ = 0;
    bool damaged_ = false;
};

// Returns the `width`-byte number at `bytes`.
inline std::uint64_t load_bytes(const std::byte* bytes, unsigned width) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, bytes, 8);  // streams and pages may be read beyond their end
    return width >= 8 ? value : value & ((std::uint64_t{1} << (8 * width)) - 1);
}

inline std::uint64_t offset_of(const Event& event, unsigned lane, unsigned nth) {
    if (event.affine) return event.base + lane * event.stride;
    return event.base + load_bytes(event.offsets + nth * event.offset_bytes, event.offset_bytes);
}

inline std::uint16_t newly_set_of(const Event& event, unsigned lane, unsigned nth) {
    const auto all = static_cast<std::uint16_t>((1u << event.width) - 1);
    switch (event.newly) {
        case NewlySet::nothing:
            return 0;
        case NewlySet::all:
            return all;
        case NewlySet::lanes:
            return (event.newly_mask >> lane & 1) != 0 ? all : 0;
        case NewlySet::bytes:
            return static_cast<std::uint16_t>(load_bytes(event.newly_bytes + 2 * nth, 2)) & all;
    }
    return 0;
}

}  // namespace lanescope::trace
