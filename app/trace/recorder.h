// Writes a trace while an engine runs. The engine calls it in the order in which things happen; it never
// waits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

struct RecorderLimits {
    std::uint64_t trace_bytes = 1ull << 30;  // turns, events and snapshots together
    std::uint64_t snapshot_interval_bytes = 4ull
                                            << 20;  // events between two snapshots; more where they are dear
};

class Recorder {
  public:
    explicit Recorder(RecorderLimits limits = {});
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // --- before the first launch
    void set_program(Program program);
    // The contents of the whole global and constant images and which of their bytes are set (one bool per
    // byte, packed: bit i of word i/64). The images grow as later accesses reach further (device malloc).
    // Everywhere in a trace a byte that has no value reads as zero.
    void set_image(Space space, std::span<const std::byte> bytes, std::span<const std::uint64_t> set_bits);
    void add_symbol(Symbol symbol);

    // --- launches
    void begin_launch(Launch launch);  // turn range, local_bytes, slots, frames are filled in by the recorder
    void end_launch();
    // Between launches the host may write buffers (copies, memset). The next turn shows it, not the last one.
    void host_write(Space space, std::uint64_t offset, std::span<const std::byte> bytes);

    // --- turns. Events go to the open turn; its warp and block say which instances are meant.
    // False: this block is not recorded; call only foreign_store() for it, and none of the rest.
    bool records(std::uint32_t block) const;
    void begin_turn(std::uint32_t block, std::uint16_t warp, Mask mask, std::uint32_t pc, std::uint32_t line,
                    std::uint8_t depth);
    void end_turn(TurnEnd end, std::uint16_t instructions);

    // One warp-level memory instruction. `ordinal`: how many instructions of the turn came before it.
    // `offsets[lane]` for lanes of `mask`. `before`/`after`: lane i's bytes at i × width_bytes (null for
    // loads). `newly_set[lane]`: bit b says that byte b had no value before; null when none. width_bytes is 1
    // … 16. Lanes that write the same address take effect in lane order: of a store the last lane's value
    // stays, an atomic's lane finds the value of the one before.
    void access(AccessKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width_bytes,
                Mask mask, const std::uint64_t* offsets, const std::byte* before, const std::byte* after,
                const std::uint16_t* newly_set);
    // A load that met unset bytes marks nothing; the problem says it.

    // A register variable changed: slot of the lanes' current frame, old and new 8-byte values per lane (0
    // when it had none), and the lanes for which it had no value before.
    void variable(std::uint32_t slot, Mask mask, const std::uint64_t* before, const std::uint64_t* after,
                  Mask newly_set);

    // A conditional branch was executed; `taken` is a subset of the turn's mask.
    void branch(std::uint32_t pc, std::uint16_t ordinal, Mask active, Mask taken);
    // Execution went on at `pc`, not at the next instruction, without ending the turn.
    void jump(std::uint32_t pc, std::uint16_t ordinal);
    // A value moved between lanes (shfl): lane i of `mask` took its value from `source[i]`.
    void exchange(std::uint32_t pc, std::uint16_t ordinal, Mask mask, const std::uint8_t* source);

    // Lanes of `mask` synchronise; the operation of a `meet` may hold lanes that the turn does not. `detail`:
    // the barrier's number (0 … 15; 16: the cluster's), or a FenceScope.
    void sync(SyncKind kind, std::uint32_t pc, std::uint16_t ordinal, Mask mask, unsigned detail);

    // Calls of functions and returns from them. The kernel's own frame is not the engine's business:
    // begin_turn makes it for lanes that run for the first time, and it stays for good. A new frame's
    // variables have no value. `function` is an index into Program::functions. The frame owns the thread's
    // local memory from `local_base` on, Function::local_bytes of it; by default it follows the caller's.
    // That memory has no value either.
    void push_frame(Mask mask, std::uint32_t function, std::uint32_t local_base = none);
    void pop_frame(Mask mask);
    void barrier_release(std::uint32_t block, std::uint32_t barrier);
    // Lanes that returned while others of the turn went on, with the instruction `ordinal`.
    void exit_lanes(Mask mask, std::uint16_t ordinal = 0xffff);

    // A block that is not recorded changed global memory.
    void foreign_store(Space space, std::uint64_t offset, std::span<const std::byte> before,
                       std::span<const std::byte> after, std::uint16_t newly_set);

    // --- results
    void problem(Problem problem);
    // What a thread of the block printed; in a recorded block it does so in the open turn.
    void console(std::string_view text, std::uint32_t block, std::uint32_t thread);
    std::uint64_t turn_count()
        const;          // of turns begun so far; a ProblemSite in the open turn names turn_count() - 1
    bool full() const;  // the limit is reached; the engine should stop calling begin_turn
    std::shared_ptr<Trace> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::trace
