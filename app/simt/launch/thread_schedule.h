// Schedules that name threads. A thread's turn is one step of its source, but it ends before a second access
// to memory that others see: `a[i] = a[i] + 1` takes two turns. Entering the kernel belongs to the turn of
// its first step, leaving it to that of its last one.
//
// Lanes of one warp take their turns one by one, as CUDA allows them to since Volta. They meet where PTX
// makes them: at barriers, in operations with a member mask, in instructions of the whole warp.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simt/launch/side_effect.h"

namespace lanescope::simt {

// A number of turns in a row of one thread.
struct ThreadTurns {
    std::uint32_t block = 0;
    std::uint32_t thread = 0;  // in its block: x runs fastest
    std::uint64_t count = 1;

    bool operator==(const ThreadTurns&) const = default;
};

// What follows "threads:": "0*3,1,2.5" is three turns of thread 0 of block 0, one of thread 1, one of thread
// 5 of block 2. Errors: anything else, with the place.
Result<std::vector<ThreadTurns>> parse_thread_turns(std::string_view text);
std::string to_text(std::span<const ThreadTurns> turns);
// Adds a turn of the thread at the end.
void append_turn(std::vector<ThreadTurns>& turns, std::uint32_t block, std::uint32_t thread);

enum class ThreadState : std::uint8_t {
    absent,    // its block is not resident yet
    ready,     // can go on
    with,      // runs together with a lower lane of its warp, which is ready
    spinning,  // loops for ever unless another thread writes memory that it reads
    waiting,   // at a barrier or for other threads of its warp
    ended
};

// Every thread of the grid that runs. A thread's number is block × block_threads + thread.
struct ThreadTable {
    std::uint32_t launch = 0;
    std::uint32_t block_threads = 0;
    std::vector<ThreadState> states;
    std::vector<std::uint32_t> held_back;  // times it gave way because it only polled

    std::uint32_t block_of(std::size_t thread) const {
        return static_cast<std::uint32_t>(thread / block_threads);
    }
    std::uint32_t in_block(std::size_t thread) const {
        return static_cast<std::uint32_t>(thread % block_threads);
    }
};

struct ThreadChoice {
    enum class Kind : std::uint8_t { thread, stop, wrong };
    Kind kind = Kind::thread;
    std::size_t thread = 0;
    std::string message;  // wrong: the turn that the schedule names and why it is impossible
};

struct ThreadTurnDone {
    std::size_t thread = 0;
    std::span<const SideEffect> effects;
    // Threads that the turn released from a barrier or an operation of the warp.
    std::span<const std::size_t> released;
};

// Chooses the next thread. One chooser sees all launches of a run.
class ThreadChooser {
  public:
    virtual ~ThreadChooser() = default;
    // Chooses the next thread; at least one is ready.
    virtual ThreadChoice choose(const ThreadTable& threads) = 0;
    virtual void done(const ThreadTurnDone&) {}
};

// The turns of a list; after its end the threads that are ready take turns in their order.
class ListedTurns final : public ThreadChooser {
  public:
    explicit ListedTurns(std::span<const ThreadTurns> turns) : turns_(turns) {}
    ThreadChoice choose(const ThreadTable& threads) override;
    std::uint64_t left() const;  // turns that were not taken

  private:
    std::span<const ThreadTurns> turns_;
    std::size_t entry_ = 0;
    std::uint64_t taken_ = 0;  // of the entry
    std::uint64_t taken_in_all_ = 0;
    std::size_t last_ = 0;
    std::uint32_t launch_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace lanescope::simt
