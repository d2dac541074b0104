// Writes a trace while an engine runs. The engine calls it in execution order. It never waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

struct RecorderLimits {
    std::uint64_t trace_bytes = 1ull << 30;              // turns, events and snapshots together
    std::uint64_t snapshot_interval_bytes = 4ull << 20;  // of events; more if snapshots are large
    // If this is given, only what analyses of races need is recorded: turns, accesses to global and shared
    // memory, synchronisation and exits. Each time that this takes `trace_bytes`, and at the end of a launch
    // (`last`), the function gets the trace, and the recorder forgets the turns and events so far. False: the
    // rest of the launch is not recorded.
    std::function<bool(const Trace& slice, bool last)> take_slice = {};
};

class Recorder {
  public:
    explicit Recorder(RecorderLimits limits = {});
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // --- before the first launch
    void set_program(Program program);
    // Sets the contents of the whole global or constant image and the flags of its set bytes (packed: bit i
    // of word i / 64). The images grow when later accesses reach further (device malloc). Everywhere in a
    // trace, a byte without a value reads as zero.
    void set_image(Space space, std::span<const std::byte> bytes, std::span<const std::uint64_t> set_bits);
    void add_symbol(Symbol symbol);

    // --- launches
    void begin_launch(Launch launch);  // the recorder sets turn range, local_bytes, slots, frames
    void end_launch();
    // With `take_slice`: forgets launches, symbols and findings.
    void restart();
    bool in_slices() const;
    // The host writes a buffer between launches (copies, memset). The next turn shows the change.
    void host_write(Space space, std::uint64_t offset, std::span<const std::byte> bytes);

    // --- turns. Events go to the open turn; its warp and block determine the memory instances.
    // Returns whether the block is recorded. For other blocks, call only foreign_store().
    bool records(std::uint32_t block) const;
    void begin_turn(std::uint32_t block, std::uint16_t warp, Mask mask, std::uint32_t pc, std::uint32_t line,
                    std::uint8_t depth);
    void end_turn(TurnEnd end, std::uint16_t instructions);

    // Records one warp-level memory instruction. `ordinal`: the number of earlier instructions in the turn.
    // `offsets[lane]`: for lanes of `mask`. `before`/`after`: lane i's bytes at i × width_bytes (null for
    // loads). `newly_set[lane]`: bit b is set if byte b had no value before; null if there are none.
    // width_bytes: 1 … 16. Lanes that write the same address take effect in lane order: the last lane's store
    // stays; an atomic finds the value of the previous lane. `owner`: the block whose shared memory is
    // reached, if it is another block of the cluster.
    void access(AccessKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width_bytes,
                Mask mask, const std::uint64_t* offsets, const std::byte* before, const std::byte* after,
                const std::uint16_t* newly_set, std::uint32_t owner = none);
    // Records the change of a register variable: its slot in the lanes' current frame, old and new 8-byte
    // values per lane (0 if it had none), and the lanes in which it had no value before. A load of unset
    // bytes sets no mark, because the problem reports it.
    void variable(std::uint32_t slot, Mask mask, const std::uint64_t* before, const std::uint64_t* after,
                  Mask newly_set);

    // Records a conditional branch; `taken` is a subset of the turn's mask.
    void branch(std::uint32_t pc, std::uint16_t ordinal, Mask active, Mask taken);
    // Records that execution went on at `pc` instead of the next instruction within the turn.
    void jump(std::uint32_t pc, std::uint16_t ordinal);
    // Records an exchange between lanes (shfl): lane i of `mask` took its value from `source[i]`.
    void exchange(std::uint32_t pc, std::uint16_t ordinal, Mask mask, const std::uint8_t* source);

    // Records that the lanes of `mask` synchronise. A `meet` may include lanes outside the turn. `detail`:
    // the barrier's number (0 … 15; 16: the cluster's) or a FenceScope.
    void sync(SyncKind kind, std::uint32_t pc, std::uint16_t ordinal, Mask mask, unsigned detail);

    // These record calls of functions and returns. The engine does not push the kernel's own frame:
    // begin_turn makes it for lanes that run for the first time, and it stays. `function` is an index into
    // Program::functions. The frame owns Function::local_bytes of the thread's local memory from `local_base`
    // on; by default it follows the caller's frame. A new frame's variables and local memory have no value.
    void push_frame(Mask mask, std::uint32_t function, std::uint32_t local_base = none);
    void pop_frame(Mask mask);
    void barrier_release(std::uint32_t block, std::uint32_t barrier);
    // Records that lanes returned with the instruction `ordinal` while others of the turn went on.
    void exit_lanes(Mask mask, std::uint16_t ordinal = 0xffff);

    // Records that an unrecorded block changed global memory.
    void foreign_store(Space space, std::uint64_t offset, std::span<const std::byte> before,
                       std::span<const std::byte> after, std::uint16_t newly_set);

    // --- results
    void problem(Problem problem);
    // Records what a thread of the block printed. In a recorded block, the text belongs to the open turn.
    void console(std::string_view text, std::uint32_t block, std::uint32_t thread);
    std::uint64_t turn_count()
        const;          // turns begun so far; a ProblemSite in the open turn has turn_count() - 1
    bool full() const;  // the limit is reached; the engine should begin no more turns
    std::shared_ptr<Trace> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::trace
