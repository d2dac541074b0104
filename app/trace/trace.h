// A trace holds what every lane of the recorded blocks did, turn by turn, and the state before the first
// turn.
//
// The state (memory, variables, call frames) is a set of flat regions. Every event is a reversible difference
// (an XOR or a sum) on a region, so one encoding replays in both directions. Loads carry only addresses;
// their values come from the replayed state. A trace is self-contained: it includes source text, names and
// types.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/value_type.h"

namespace lanescope::trace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned warp_size = 32;
using Mask = std::uint32_t;  // bit i = lane i

constexpr unsigned lane_count(Mask mask) {
    return static_cast<unsigned>(std::popcount(mask));
}

template <class Visit>
void each_lane(Mask mask, Visit&& visit) {
    for (; mask != 0; mask &= mask - 1)
        visit(static_cast<unsigned>(std::countr_zero(mask)));
}

// Memory spaces in views. Offsets are bytes within one instance: `global` and `constant` have one instance
// for the whole trace, `shared` one per block and launch, `local` one per thread and launch.
enum class Space : std::uint8_t { global, constant, shared, local };

enum class AccessKind : std::uint8_t { load, store, atomic };

enum class TurnEnd : std::uint8_t {
    step,       // the group goes on to another source step
    diverged,   // a branch split the group
    barrier,    // the whole group waits at a block barrier
    warp_sync,  // the group waits for other lanes of its warp
    exited,     // the whole group has returned from the kernel
    fault,      // a problem ended the group
    yielded,    // another group of the warp became due (reconvergence or fairness)
};

// One scheduling of one group of lanes, at most one source step long.
struct Turn {
    std::uint64_t events = 0;        // offset of its first event in the event stream
    std::uint32_t block = 0;         // linear index in the grid of its launch
    Mask mask = 0;                   // active lanes
    std::uint32_t pc = 0;            // of the first instruction
    std::uint32_t line = 0;          // source line in the user's file, 0 if unknown
    std::uint16_t warp = 0;          // in the block
    std::uint16_t instructions = 0;  // warp instructions executed in this turn (capped turns are split)
    TurnEnd end = TurnEnd::step;
    std::uint8_t depth = 0;  // call depth of the step, 0 = kernel
    std::uint8_t marks = 0;  // TurnMark bits of its events
    std::uint8_t reserved = 0;
};
static_assert(sizeof(Turn) == 32);

enum TurnMark : std::uint8_t {
    lanes_exited = 1,     // some lanes returned while others went on
    branch_diverged = 2,  // a conditional branch whose lanes go both ways
};

// Synchronisation orders lanes in addition to the order of each lane's own instructions. Recorder::sync
// explains `detail`.
enum class SyncKind : std::uint8_t {
    fence,   // orders a lane's accesses for other threads; detail: FenceScope
    arrive,  // at a block barrier, without waiting; detail: its number
    wait,    // arrives at a block barrier and waits until it opens; detail: its number
    meet,    // the lanes of the mask met in one operation of their warp; detail: 0
};
enum class FenceScope : std::uint8_t { block, cluster, gpu, system };

// --- What the code is --------------------------------------------------------------------------------------

struct CodeRow {                 // one PTX instruction
    std::uint32_t function = 0;  // index into Program::functions
    std::uint32_t line = 0;      // in the user's file; 0: belongs to the caller's step
    std::uint32_t column = 0;
    std::uint32_t ptx_line = 0;  // in Program::ptx, from 1
};

struct Variable {
    std::string name;
    TypeId type = 0;
    int line = 0;  // of the declaration
    bool parameter = false;
    enum class Home : std::uint8_t { slot, local, shared, global, constant_space, value };
    Home home = Home::slot;
    std::uint32_t slot = 0;        // of a register variable: its 8-byte slot in the frame
    std::uint64_t offset = 0;      // in its space, from the frame (local) or the instance (others)
    std::vector<std::byte> value;  // of a constant
    std::uint32_t scope_begin_pc = 0, scope_end_pc = 0;  // visible while the lane's pc is in [begin, end)
};

struct Function {
    std::string name;    // spelling of the source
    std::string symbol;  // mangled
    int line = 0;
    bool user_code = false;
    std::uint32_t first_pc = 0, end_pc = 0;
    std::uint32_t slots = 0;        // variable slots of one frame
    std::uint32_t local_bytes = 0;  // local memory of one frame, after the caller's frame
    std::vector<Variable> variables;
};

struct SourceFile {
    std::string path;
    std::string text;
};

struct Program {
    SourceFile source;  // the user's file
    std::string ptx;
    std::string engine;  // "cpu" or the GPU's name, which every view shows
    std::string code;    // "debug" or "optimized"
    TypeTable types;
    std::vector<CodeRow> code_rows;
    std::vector<Function> functions;
};

// --- What the memory is ------------------------------------------------------------------------------------

// A named piece of a space: a buffer, a shared array, a constant, a module-scope variable.
struct Symbol {
    std::string name;
    Space space = Space::global;
    TypeId element = 0;        // type of one cell
    std::uint64_t offset = 0;  // bytes, in its instance
    std::uint64_t size_bytes = 0;
    std::vector<std::uint64_t> extents;  // {count}, {rows, columns}, …; product × element size = size_bytes
    bool buffer = false;                 // declared in the front matter
    bool text = false;                   // show cells as characters
    int line = 0;                        // of the declaration, 0 if there is none
};

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    bool operator==(const Dim3&) const = default;
};
std::string size_text(const Dim3& size);  // "32", "8×4", "8×1×2"

struct Launch {
    std::string kernel;  // name in the front matter
    Dim3 grid, block;
    Dim3 cluster;  // blocks of a cluster, which can reach each other's shared memory
    std::uint64_t first_turn = 0, end_turn = 0;
    std::uint32_t shared_bytes = 0;  // per block, static and dynamic
    std::uint32_t local_bytes = 0;   // per thread: largest stack used
    std::uint32_t slots = 0;         // per thread: largest number of variable slots over its frames
    std::uint32_t frames = 1;        // deepest call stack
    std::vector<Symbol> shared;      // shared arrays of this kernel
    // Ascending; empty: all blocks of the grid. Clusters are recorded whole.
    std::vector<std::uint32_t> recorded_blocks;
    unsigned warps_per_block() const {
        return static_cast<unsigned>((block.count() + warp_size - 1) / warp_size);
    }
    bool records(std::uint32_t block_index) const;
    std::uint32_t cluster_of(std::uint32_t block_index) const;  // the cluster's number in the grid
    // The block's place in its cluster, counted along x first.
    std::uint32_t rank_in_cluster(std::uint32_t block_index) const;
    std::vector<std::uint32_t> blocks_of_cluster(std::uint32_t cluster_number) const;  // by rank
};

// A launch by a kernel, known while it runs; not saved.
struct GridOrigin {
    std::uint32_t launch = 0, parent = 0;  // into Trace::launches
    std::uint64_t turn = 0;                // of the parent, in which it was launched
};

struct BarrierRelease {      // a block's barrier opened
    std::uint64_t turn = 0;  // number of turns of the trace before it opened
    std::uint32_t block = 0;
    std::uint32_t barrier = 0;  // barrier number (0 … 15; 16: the cluster's)
};

// The output of one call by one thread. Its text in Trace::console begins at the end of the previous print.
struct Print {
    std::uint64_t turn = std::numeric_limits<std::uint64_t>::max();  // none if its block is not recorded
    std::uint64_t end = 0;                                           // in Trace::console, bytes
    std::uint32_t launch = 0, block = 0;
    std::uint32_t thread = none;  // linear in the block
    std::uint32_t line = 0;       // 0 if its block is not recorded
};
static_assert(sizeof(Print) == 32);

// --- What went wrong ---------------------------------------------------------------------------------------

enum class ProblemKind : std::uint8_t {
    race,
    unsynced_lanes,
    out_of_bounds,
    misaligned,
    uninitialised,
    barrier_divergence,
    deadlock,
    step_limit,
    timeout,
    trap,
    launch_config,
    unsupported,
    addition_order
};
const char* to_text(ProblemKind kind);
std::string kind_words(ProblemKind kind);  // "barrier divergence"

struct ProblemSite {
    std::uint64_t turn = std::numeric_limits<std::uint64_t>::max();  // none if not recorded
    std::uint32_t launch = 0;
    std::uint32_t line = 0;
    std::uint32_t block = none;
    std::uint32_t thread = none;  // linear in the block
    std::uint32_t pc = none;
    AccessKind access = AccessKind::load;
    bool has_access = false;
};

// The last thing that a thread did before an access, and that can order accesses.
struct SyncPoint {
    // nothing: since the kernel began; unknown: it was not recorded. `atomic` is any strong access.
    enum class Kind : std::uint8_t { nothing, barrier, cluster_barrier, syncwarp, fence, atomic, unknown };
    Kind kind = Kind::nothing;
    FenceScope scope = FenceScope::gpu;  // of a fence
    std::uint32_t line = 0;
    std::uint64_t turn = std::numeric_limits<std::uint64_t>::max();  // none if not recorded
};

struct Problem {
    ProblemKind kind{};
    Space space = Space::global;
    std::string variable;           // symbol, empty if there is none
    std::int64_t index = 0;         // cell of the symbol; may be outside
    ProblemSite first, second;      // second.line == 0 if there is no second site
    std::uint64_t occurrences = 1;  // folded problems of the same kind and place
    bool note = false;              // information that does not make the run fail
    std::string message;            // one sentence in plain words
    // What the two threads of a race did before their accesses, and what would order them; empty: no race.
    SyncPoint before_first, before_second;
    std::string remedy;
};

// --- The whole ---------------------------------------------------------------------------------------------

class EventStream;  // encoded events and snapshots; trace/events.h

struct Trace {
    Program program;
    std::vector<Symbol> symbols;  // global and constant
    std::vector<Launch> launches;
    std::vector<Turn> turns;
    std::vector<BarrierRelease> releases;  // ascending turn
    std::vector<Problem> problems;
    std::string console;        // the output of printf
    std::vector<Print> prints;  // the parts of `console` in order; may be empty if unknown
    bool truncated = false;     // true if the memory limit ended the recording early
    std::string truncation;     // why, in words
    std::shared_ptr<const EventStream> events;

    std::uint32_t launch_of(std::uint64_t turn) const;  // returns the launch of this turn
    std::uint64_t size_bytes() const;                   // of turns, events and snapshots
};

}  // namespace lanescope::trace
