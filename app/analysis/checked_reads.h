// Plain reads beside atomics. They are correct if the reader continues with a compare-and-swap, which checks
// the value, so that their conflicts wait until that is known.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "analysis/race_log.h"

namespace lanescope::analysis {

class CheckedReads {
  public:
    explicit CheckedReads(RaceLog& log) : log_(log) {}

    // `reader`: the one of the two that read; `instance`: of the memory, as HappensBefore::Location has it.
    void defer(ThreadId reader, std::uint64_t instance, const Conflict& conflict) {
        constexpr std::size_t most = 1 << 16;
        if (waiting_.size() >= most) return log_.add(conflict);
        const auto [at, added] =
            waiting_.try_emplace({instance, conflict.offset, reader.warp, reader.lane}, conflict);
        if (!added && conflict.what > at->second.what) at->second = conflict;
    }

    // The thread compares and swaps these bytes.
    void settle(ThreadId thread, std::uint64_t instance, std::uint64_t offset, unsigned width_bytes) {
        if (waiting_.empty()) return;
        for (std::uint64_t at = offset; at < offset + width_bytes; ++at) {
            const auto found = waiting_.find({instance, at, thread.warp, thread.lane});
            if (found == waiting_.end()) continue;
            checked_.insert(reading_pc(found->second));
            waiting_.erase(found);
        }
    }

    // At the end of a launch. Threads that read there and needed no compare-and-swap are correct as well.
    void flush() {
        for (const auto& [key, conflict] : waiting_)
            if (!checked_.contains(reading_pc(conflict))) log_.add(conflict);
        waiting_.clear();
        checked_.clear();
    }

  private:
    static std::uint32_t reading_pc(const Conflict& conflict) {
        return conflict.later.kind == trace::AccessKind::load ? conflict.later.pc : conflict.earlier.pc;
    }

    RaceLog& log_;
    std::set<std::uint32_t> checked_;  // pcs of reads that a compare-and-swap checked
    // The key is the reader: instance, offset, warp, lane.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint8_t>, Conflict> waiting_;
};

}  // namespace lanescope::analysis
