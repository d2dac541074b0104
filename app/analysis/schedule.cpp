#include "analysis/schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace lanescope::analysis {
namespace {

using trace::Record;
using trace::RecordKind;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// A block from its threads' records, in the GPU's own units.
struct RawBlock {
    std::uint32_t block = 0, sm = 0;
    std::uint64_t begin_ns = never, end_ns = 0;
    std::uint64_t first_cycle = never, last_cycle = 0;
    bool ended = true;
    std::vector<std::vector<std::uint64_t>> arrivals;  // per warp: cycles of its barrier points
    std::uint64_t cycles() const { return last_cycle > first_cycle ? last_cycle - first_cycle : 0; }
    std::uint64_t ns() const { return end_ns > begin_ns ? end_ns - begin_ns : 0; }
};

void add_thread(const trace::RecordStreams& streams, std::uint32_t slot, const std::vector<bool>& barriers,
                std::vector<std::uint64_t>* arrivals, RawBlock& out) {
    const std::uint32_t count = std::min(streams.counts[slot], streams.capacity);
    bool ended = false;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Record& record = streams.at(slot, k);
        switch (trace::kind_of(record)) {
            case RecordKind::begin:
                out.sm = record.extra;
                out.begin_ns = std::min(out.begin_ns, record.value);
                out.end_ns = std::max(out.end_ns, record.value);
                break;
            case RecordKind::end:
                out.end_ns = std::max(out.end_ns, record.value);
                ended = true;
                break;
            case RecordKind::point: {
                out.first_cycle = std::min(out.first_cycle, record.value);
                out.last_cycle = std::max(out.last_cycle, record.value);
                const std::uint32_t pc = trace::pc_of(record);
                if (arrivals != nullptr && pc < barriers.size() && barriers[pc])
                    arrivals->push_back(record.value);
                break;
            }
            default:
                break;
        }
    }
    out.ended = out.ended && (ended || count == 0);
}

std::optional<RawBlock> raw_block(const trace::RecordStreams& streams, std::uint32_t number,
                                  const std::vector<bool>& barriers) {
    RawBlock raw;
    raw.block = streams.blocks[number];
    for (std::uint32_t thread = 0; thread < streams.block_threads; ++thread) {
        const bool first_lane = thread % trace::warp_size == 0;
        if (first_lane) raw.arrivals.emplace_back();
        add_thread(streams, number * streams.block_threads + thread, barriers,
                   first_lane ? &raw.arrivals.back() : nullptr, raw);
    }
    if (raw.begin_ns == never) return std::nullopt;
    return raw;
}

// The n-th barrier of a block: all warps that came to so many.
std::vector<Span> waits_of(const RawBlock& raw, const Span& span) {
    std::vector<Span> waits;
    if (raw.cycles() == 0) return waits;
    std::size_t least = raw.arrivals.front().size();
    for (const auto& warp : raw.arrivals)
        least = std::min(least, warp.size());
    const double ns_per_cycle = span.length_ns() / double(raw.cycles());
    for (std::size_t n = 0; n < least; ++n) {
        std::uint64_t first = never, last = 0;
        for (const auto& warp : raw.arrivals) {
            first = std::min(first, warp[n]);
            last = std::max(last, warp[n]);
        }
        waits.push_back({span.begin_ns + double(first - raw.first_cycle) * ns_per_cycle,
                         span.begin_ns + double(last - raw.first_cycle) * ns_per_cycle});
    }
    return waits;
}

// Each block takes the first lane of its SM that is free.
void place_on_lanes(std::vector<ScheduledBlock>& blocks) {
    std::sort(blocks.begin(), blocks.end(), [](const ScheduledBlock& a, const ScheduledBlock& b) {
        return std::tie(a.sm, a.span.begin_ns, a.block) < std::tie(b.sm, b.span.begin_ns, b.block);
    });
    struct Lane {
        double end_ns = 0;
        std::uint32_t blocks = 0;
    };
    std::map<std::uint32_t, std::vector<Lane>> sms;
    for (ScheduledBlock& block : blocks) {
        std::vector<Lane>& lanes = sms[block.sm];
        auto free = std::find_if(lanes.begin(), lanes.end(),
                                 [&](const Lane& lane) { return lane.end_ns <= block.span.begin_ns; });
        if (free == lanes.end()) free = lanes.insert(lanes.end(), Lane{});
        block.lane = static_cast<std::uint32_t>(free - lanes.begin());
        block.wave = free->blocks++;
        free->end_ns = block.span.end_ns;
    }
    std::sort(blocks.begin(), blocks.end(), [](const ScheduledBlock& a, const ScheduledBlock& b) {
        return std::tie(a.sm, a.lane, a.wave) < std::tie(b.sm, b.lane, b.wave);
    });
}

void group_by_sm(Schedule& schedule) {
    for (std::uint32_t i = 0; i < schedule.blocks.size(); ++i) {
        const ScheduledBlock& block = schedule.blocks[i];
        if (schedule.sms.empty() || schedule.sms.back().sm != block.sm)
            schedule.sms.push_back({block.sm, 0, {}, 0});
        ScheduledSm& sm = schedule.sms.back();
        sm.lanes = std::max(sm.lanes, block.lane + 1);
        sm.blocks.push_back(i);
        sm.last_end_ns = std::max(sm.last_end_ns, block.span.end_ns);
        schedule.length_ns = std::max(schedule.length_ns, block.span.end_ns);
    }
}

// A block that begins in the nanosecond in which another one ends takes its place.
std::uint32_t max_at_once(const std::vector<ScheduledBlock>& blocks) {
    std::vector<std::pair<double, int>> changes;
    for (const ScheduledBlock& block : blocks) {
        changes.emplace_back(block.span.begin_ns, 1);
        changes.emplace_back(block.span.end_ns, -1);
    }
    std::sort(changes.begin(), changes.end());
    int now = 0, most = 0;
    for (const auto& [when, change] : changes)
        most = std::max(most, now += change);
    return static_cast<std::uint32_t>(std::max(most, blocks.empty() ? 0 : 1));
}

void add_figures(Schedule& schedule) {
    if (schedule.blocks.empty()) return;
    for (const ScheduledSm& sm : schedule.sms)
        schedule.blocks_per_sm = std::max(schedule.blocks_per_sm, sm.lanes);
    schedule.blocks_at_once = max_at_once(schedule.blocks);
    schedule.waves = double(schedule.blocks.size()) / double(schedule.blocks_at_once);
    schedule.tail_begin_ns = schedule.length_ns;
    for (const ScheduledSm& sm : schedule.sms)
        schedule.tail_begin_ns = std::min(schedule.tail_begin_ns, sm.last_end_ns);
    const double tail_ns = schedule.length_ns - schedule.tail_begin_ns;
    if (tail_ns <= 0 || schedule.length_ns <= 0) return;
    double idle_ns = 0;
    for (const ScheduledSm& sm : schedule.sms)
        idle_ns += schedule.length_ns - sm.last_end_ns;
    schedule.tail_share = tail_ns / schedule.length_ns;
    schedule.idle_in_tail = idle_ns / (tail_ns * double(schedule.sms.size()));
}

// The clocks' rate over all blocks together, then each SM's clock at the launch's begin from its first block.
void add_clocks(const std::vector<RawBlock>& raw, std::uint64_t begin_ns, Schedule& schedule) {
    double cycles = 0, ns = 0;
    std::uint32_t sms = 0;
    for (const RawBlock& block : raw) {
        if (block.cycles() == 0 || block.ns() == 0) continue;
        cycles += double(block.cycles()), ns += double(block.ns());
        sms = std::max(sms, block.sm + 1);
    }
    if (ns == 0) return;
    schedule.cycles_per_ns = cycles / ns;
    schedule.clock_offsets.resize(sms);
    std::vector<const RawBlock*> first(sms);
    for (const RawBlock& block : raw)
        if (block.sm < sms && block.first_cycle != never &&
            (first[block.sm] == nullptr || block.first_cycle < first[block.sm]->first_cycle))
            first[block.sm] = &block;
    for (std::uint32_t sm = 0; sm < sms; ++sm) {
        if (first[sm] == nullptr) continue;
        const auto late =
            static_cast<std::uint64_t>(double(first[sm]->begin_ns - begin_ns) * schedule.cycles_per_ns);
        schedule.clock_offsets[sm] = first[sm]->first_cycle - std::min(late, first[sm]->first_cycle);
    }
}

}  // namespace

Schedule schedule_of(const trace::RecordStreams& streams, const std::vector<bool>& barriers,
                     std::uint64_t grid_blocks) {
    std::vector<RawBlock> raw;
    std::uint64_t begin_ns = never;
    for (std::uint32_t number = 0; number < streams.blocks.size(); ++number)
        if (auto block = raw_block(streams, number, barriers)) {
            begin_ns = std::min(begin_ns, block->begin_ns);
            raw.push_back(std::move(*block));
        }
    Schedule schedule;
    for (const RawBlock& block : raw) {
        ScheduledBlock& out = schedule.blocks.emplace_back();
        out.block = block.block;
        out.sm = block.sm;
        out.ended = block.ended;
        out.span = {double(block.begin_ns - begin_ns), double(block.end_ns - begin_ns)};
        out.waits = waits_of(block, out.span);
    }
    schedule = schedule_of_blocks(std::move(schedule.blocks), grid_blocks);
    add_clocks(raw, begin_ns, schedule);
    return schedule;
}

Schedule schedule_of_blocks(std::vector<ScheduledBlock> blocks, std::uint64_t grid_blocks) {
    Schedule schedule;
    schedule.blocks = std::move(blocks);
    place_on_lanes(schedule.blocks);
    group_by_sm(schedule);
    schedule.whole = schedule.blocks.size() >= grid_blocks;
    if (schedule.whole) add_figures(schedule);
    return schedule;
}

}  // namespace lanescope::analysis
