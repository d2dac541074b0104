#include "analysis/flow/held_values.h"

#include <algorithm>

namespace lanescope::analysis {

HeldValues::HeldValues(const trace::Trace& trace, const Flow& flow) {
    const std::vector<FlowWrite>& writes = flow.graph.writes();
    entries_.reserve(writes.size() + flow.patches.size());
    auto patch = flow.patches.begin();
    std::uint32_t launch = 0;
    for (const FlowWrite& write : writes) {
        for (; patch != flow.patches.end() && patch->turn <= write.turn; ++patch)
            add(1, patch->offset, 4, static_cast<std::uint32_t>(patch->turn), FlowGraph::outside);
        if (write.exchange) continue;
        while (launch + 1 < trace.launches.size() && write.turn >= trace.launches[launch].end_turn)
            ++launch;
        add(number(write.space, launch, write.place()), write.offset, write.width_bytes,
            static_cast<std::uint32_t>(write.turn), write.value);
    }
    for (; patch != flow.patches.end(); ++patch)
        add(1, patch->offset, 4, static_cast<std::uint32_t>(patch->turn), FlowGraph::outside);
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

// Global memory is instance 1; instance 0 does not exist.
std::uint64_t HeldValues::instance(trace::Space space, std::uint32_t launch, std::uint32_t block) const {
    if (space == trace::Space::global) return 1;
    if (space != trace::Space::shared) return 0;
    const auto found = shared_.find({launch, block});
    return found == shared_.end() ? 0 : found->second;
}

std::uint64_t HeldValues::number(trace::Space space, std::uint32_t launch, std::uint32_t block) {
    if (space == trace::Space::global) return 1;
    if (space != trace::Space::shared) return 0;
    return shared_.try_emplace({launch, block}, shared_.size() + 2).first->second;
}

void HeldValues::add(std::uint64_t instance, std::uint64_t offset, unsigned width_bytes, std::uint32_t turn,
                     ValueId value) {
    if (instance == 0) return;
    for (std::uint64_t at = offset; at < offset + width_bytes;) {
        const bool word = at % 4 == 0 && offset + width_bytes - at >= 4;
        entries_.push_back({key(instance, at, !word), turn, value});
        at += word ? 4 : 1;
    }
}

std::size_t HeldValues::first_at(std::uint64_t key) const {
    const auto first = std::lower_bound(entries_.begin(), entries_.end(), key,
                                        [](const Entry& each, std::uint64_t of) { return each.key < of; });
    return static_cast<std::size_t>(first - entries_.begin());
}

// Runs are short, except those of counters.
std::size_t HeldValues::end_of_run(std::size_t first) const {
    std::size_t step = 1, end = first + 1;
    while (end < entries_.size() && entries_[end].key == entries_[first].key) {
        end += step;
        step *= 2;
    }
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(std::max(first, end - step / 2));
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(std::min(end, entries_.size()));
    return static_cast<std::size_t>(
        std::upper_bound(std::min(begin, last), last, entries_[first].key,
                         [](std::uint64_t of, const Entry& each) { return of < each.key; }) -
        entries_.begin());
}

const HeldValues::Entry* HeldValues::last_before(std::size_t first, std::size_t end,
                                                 std::uint64_t turn) const {
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto after = std::lower_bound(begin, entries_.begin() + static_cast<std::ptrdiff_t>(end), turn,
                                        [](const Entry& each, std::uint64_t of) { return each.turn < of; });
    return after == begin ? nullptr : &*(after - 1);
}

}  // namespace lanescope::analysis
