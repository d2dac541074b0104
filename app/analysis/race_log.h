// Races as problems: one for each pair of lines and variable, with the first instance and a count.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/happens_before.h"
#include "analysis/memory_order.h"
#include "analysis/races.h"

namespace lanescope::analysis {

// The last one counts most. `relaxed`: strong accesses, in an order that no fence promises; `barrier`: a
// block's barrier stands where PTX asks for an acquire; `unawaited`: a race with an asynchronous copy that
// was under way.
enum class RaceClass : std::uint8_t { note, relaxed, barrier, exchanged, unsynced, race, unawaited };

struct RaceSide {
    ThreadId thread;
    Time time = 0;
    std::uint32_t pc = 0;
    trace::AccessKind kind{};
    std::uint32_t line = 0;
};

struct Conflict {
    RaceClass what{};
    RaceSide earlier, later;
    trace::Space space{};
    std::uint64_t offset = 0;
    std::uint32_t owner = trace::none;  // the block whose shared memory it is, if blocks meet there
    bool unawaited = false;             // the later one is a copy that was issued before the earlier one
    bool unfenced = false;              // a fence of the later thread would have ordered them
    std::string_view exchange{};        // the operation that alone stands between, and its line
    std::uint32_t exchange_line = 0;
    std::uint32_t signal_line = 0;  // of relaxed: the line of the later write that the reader saw before
};

class RaceLog {
  public:
    // `orders`: those of the code, by pc.
    RaceLog(const trace::Trace& trace, const RaceLimits& limits, const std::vector<MemoryOrder>& orders)
        : trace_(trace), limits_(limits), orders_(orders) {}
    // `turns_before`: in slices before the first one of the launch.
    void begin_launch(std::uint32_t launch, std::uint64_t turns_before);
    void begin_slice(std::uint64_t turns_before) { slice_begin_ = turns_before; }
    void add(const Conflict& conflict);
    std::vector<trace::Problem> take();

  private:
    // Conflicts of the same instructions belong to the same problem as long as they meet in the same
    // variable.
    struct Key {
        const trace::Symbol* symbol = nullptr;
        std::uint32_t launch = 0, low_line = 0, high_line = 0;
        auto operator<=>(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Conflict conflict;
        std::uint32_t launch = 0;
        std::uint64_t occurrences = 0;
        bool dropped = false;
        bool reads = false;                      // in lockstep, before or after another lane wrote
        bool collides = false;                   // lanes wrote the same place with one instruction
        bool read = false, overwritten = false;  // what one thread wrote, by the other
        trace::SyncPoint before_earlier{}, before_later{};
    };

    trace::ProblemSite site_of(const RaceSide& side, std::uint32_t launch) const;
    std::size_t entry_for(const Conflict& conflict);
    void find_reasons(Entry& entry) const;
    trace::SyncPoint sync_before(const RaceSide& side) const;
    trace::SyncPoint last_sync_in(std::uint64_t turn, const RaceSide& side) const;
    trace::Problem problem_of(const Entry& entry) const;
    std::string remedy_of(const Entry& entry) const;
    std::string message_of(const Entry& entry) const;
    void judge_lockstep();
    void fold(RaceClass what);

    const trace::Trace& trace_;
    const RaceLimits& limits_;
    const std::vector<MemoryOrder>& orders_;
    std::uint32_t launch_ = 0;
    std::uint64_t launch_begin_ = 0, slice_begin_ = 0;  // turns before the launch and the slice
    std::vector<Entry> entries_;
    std::map<Key, std::size_t> by_key_;
    struct Recent {
        std::size_t entry = 0;
        trace::Space space{};
        std::uint64_t begin = 0, end = 0;  // offsets of the entry's variable
    };
    std::unordered_map<std::uint64_t, Recent> recent_;  // by the two lines
};

}  // namespace lanescope::analysis
