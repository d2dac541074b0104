// Moves along a trace in both directions and returns the state.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

// A memory instruction of a turn, decoded. Lane arrays are valid where `mask` has a bit.
struct Access {
    AccessKind kind{};
    Space space{};
    std::uint8_t width_bytes = 0;
    std::uint16_t ordinal = 0;
    std::uint32_t pc = 0;
    std::uint32_t line = 0;
    Mask mask = 0;
    std::uint32_t owner = none;  // the other block of the cluster whose shared memory it reaches
    std::array<std::uint64_t, warp_size> offset{};
    // Only Replay::details fills these: the value after (loads: the value read) and before.
    std::array<std::array<std::byte, 16>, warp_size> value{};
    std::array<std::array<std::byte, 16>, warp_size> before{};

    // The block whose shared memory it reaches in a turn of block `own`.
    std::uint32_t block_reached(std::uint32_t own) const { return owner == none ? own : owner; }
};

struct Branch {
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
    Mask active = 0;
    Mask taken = 0;
    bool divergent() const { return taken != 0 && taken != active; }
};

struct Exchange {
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
    Mask mask = 0;
    std::array<std::uint8_t, warp_size> source{};
};

// A fence, an arrival at a barrier or a meeting of lanes of a warp; see SyncKind. The mask may include lanes
// outside the turn.
struct Sync {
    SyncKind kind{};
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
    Mask mask = 0;
    std::uint32_t detail = 0;
    bool operator==(const Sync&) const = default;
};

// After the instruction `ordinal`, execution went on at `pc`, which is not the next instruction.
struct Jump {
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
};

// Lanes that returned while others of the turn went on.
struct Exit {
    std::uint16_t ordinal = 0xffff;  // of their last instruction; 0xffff: not known
    Mask mask = 0;
};

struct VariableChange {
    std::uint32_t slot = 0;
    std::uint32_t depth = 0;  // of its frame, 0 = kernel
    Mask mask = 0;
};

struct TurnDetail {
    std::uint64_t turn = 0;
    std::vector<Access> accesses;
    std::vector<Branch> branches;
    std::vector<Exchange> exchanges;
    std::vector<Sync> syncs;
    std::vector<Jump> jumps;
    std::vector<Exit> exits;
    std::vector<VariableChange> changes;
};

// Decodes the parts of a turn that need no state, for analyses that pass over a whole trace. Reuses `out`'s
// storage.
void decode(const Trace& trace, std::uint64_t turn, TurnDetail& out);

class TurnIndex;

enum class LaneStatus : std::uint8_t {
    absent,     // the block has no such thread
    unstarted,  // has not run yet
    active,     // ran in the requested turn or step
    ready,      // runs when its warp is scheduled next
    diverged,   // waits while another group of its warp runs
    at_barrier,
    at_warp_sync,
    finished,
    faulted,
};

struct LaneInfo {
    LaneStatus status = LaneStatus::absent;
    std::uint32_t line = 0;  // of the active turn, or where the lane goes on
    std::uint32_t pc = 0;
    std::uint32_t split_line = 0;  // diverged: the line of the branch that split it from the others
};

class Replay {
  public:
    explicit Replay(std::shared_ptr<const Trace> trace);
    ~Replay();
    const Trace& trace() const;

    // Moves to the state after `position` turns, 0 … turns.size(). In a trace of 10 million turns, a seek
    // takes under 50 ms where is_near() is true.
    void seek(std::uint64_t position);
    // Returns whether details(first, end) takes no longer than between two snapshots. Always true except
    // while make_snapshots (io.h) still plays the trace.
    bool is_near(std::uint64_t first, std::uint64_t end) const;
    std::uint64_t position() const;

    // Returns details with values for the turns [first, end) of one block. Leaves the position at `end`.
    std::vector<TurnDetail> details(std::uint64_t first, std::uint64_t end, std::uint32_t block);

    // Reads memory at the position. `instance`: 0 for global and constant, the block for shared, block ×
    // threads per block + thread for local. `launch` matters only for shared and local, which live until the
    // next launch's first turn. Reads outside give unset zeros. `set` (may be empty) gets one flag per byte.
    void read(Space space, std::uint32_t launch, std::uint64_t instance, std::uint64_t offset,
              std::span<std::byte> bytes, std::span<bool> set = {}) const;

    // Returns the call frames of a thread, outermost first, as indices into Program::functions; empty before
    // its first turn.
    std::vector<std::uint32_t> frames(std::uint32_t launch, std::uint32_t block, std::uint32_t thread) const;
    struct Value {
        bool set = false;
        std::uint64_t bits = 0;
    };
    // Returns a register variable of the frame at `depth` (0 = kernel) of a thread.
    Value slot(std::uint32_t launch, std::uint32_t block, std::uint32_t thread, std::uint32_t depth,
               std::uint32_t slot) const;
    // Returns up to 1 MiB of a variable of a thread's frame (register, local, shared, constant); empty if
    // none of its bytes has a value.
    std::vector<std::byte> variable(std::uint32_t launch, std::uint32_t block, std::uint32_t thread,
                                    std::uint32_t depth, const Variable& variable) const;

    // Returns what each lane of a warp does at the position. Lanes that ran in turns [active_from, position)
    // are `active`.
    std::array<LaneInfo, warp_size> lanes(std::uint32_t launch, std::uint32_t block, std::uint32_t warp,
                                          std::uint64_t active_from) const;

    // Returns the turns of each warp; builds the index at the first call.
    const TurnIndex& turns() const;

    // Returns a hash of the whole state. Equal states have equal hashes, whatever the path to them.
    std::uint64_t state_hash() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// The symbol and the cell of an address: "s[14]".
struct Resolved {
    const Symbol* symbol = nullptr;  // null if there is none
    std::uint64_t index = 0;         // cell
    std::uint32_t byte = 0;          // within the cell
    std::string text;                // "s[14]", "tile[2][5]", "local + 16"
};
Resolved resolve(const Trace& trace, std::uint32_t launch, Space space, std::uint64_t offset);

}  // namespace lanescope::trace
