// Asynchronous copies: which lane issued them, and when and where their bytes arrived.
//
// A trace has the reads of a copy where it is issued and its writes where they arrive: in the turn that
// waits, which may be another warp's if an mbarrier object tracks the copy. Copies of one instruction arrive
// in the order of their issue. Inaccuracy: of a lane that reads nothing and writes zeros the trace has no
// issue.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "trace/trace.h"

namespace lanescope::analysis {

class Code;

// What is known of each copy that was issued and has not arrived.
template <class T>
class PendingCopies {
  public:
    void issue(std::uint32_t block, std::uint32_t warp, unsigned lane, std::uint32_t pc, T known) {
        copies_[{block, pc, lane}].push_back({warp, std::move(known)});
    }
    // Takes the oldest copy of the lane: one of the warp in whose turn it arrives, else of another warp.
    std::optional<T> arrive(std::uint32_t block, std::uint32_t warp, unsigned lane, std::uint32_t pc) {
        const auto found = copies_.find({block, pc, lane});
        if (found == copies_.end()) return {};
        std::deque<Copy>& list = found->second;
        auto at = list.begin();
        while (at != list.end() && at->warp != warp)
            ++at;
        if (at == list.end()) at = list.begin();
        std::optional<T> known = std::move(at->known);
        list.erase(at);
        if (list.empty()) copies_.erase(found);
        return known;
    }
    void clear() { copies_.clear(); }

  private:
    struct Copy {
        std::uint32_t warp = 0;
        T known;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::deque<Copy>> copies_;
};

struct AsyncCopy {  // of one lane: up to 16 bytes, or a piece of a bulk copy
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    std::uint64_t issued = 0, arrived = never;  // turns
    std::uint16_t issue_ordinal = 0, arrival_ordinal = 0;
    std::uint32_t pc = 0;
    std::uint32_t block = 0, thread = 0;  // that issued it; linear in the block
    trace::Space from_space{}, to_space{};
    std::uint64_t from = 0, to = 0;  // offsets; `to` of a copy that arrived
    std::uint8_t read_bytes = 0, width_bytes = 0;
};

// Whether the instruction copies asynchronously.
bool copies_later(const Code& code, std::uint32_t pc);

// The copies of these turns, in the order of their issue.
std::vector<AsyncCopy> find_async_copies(const trace::Trace& trace, const Code& code,
                                         std::uint64_t first_turn, std::uint64_t end_turn);

}  // namespace lanescope::analysis
