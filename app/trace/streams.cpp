#include "trace/streams.h"
#include "trace/late_snapshots.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "base/sizes.h"
#include "trace/events.h"
#include "trace/player.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace {

std::uint32_t data_records(unsigned width_bytes) {
    return width_bytes <= 4 ? 0 : (width_bytes + 7) / 8;
}

// The slots of a launch's threads, and the threads that have begun and ended.
class Slots {
  public:
    Slots(const Launch& launch, std::vector<std::uint32_t> blocks)
        : blocks_(std::move(blocks)), threads_(static_cast<std::uint32_t>(launch.block.count())) {
        if (blocks_.empty()) blocks_ = launch.recorded_blocks;
        if (blocks_.empty()) {
            blocks_.resize(to_size(launch.grid.count()));
            std::iota(blocks_.begin(), blocks_.end(), 0u);
        }
        std::erase_if(blocks_, [&](std::uint32_t block) { return !launch.records(block); });
        begun_.resize(blocks_.size() * launch.warps_per_block());
        ended_.resize(begun_.size());
        warps_ = launch.warps_per_block();
    }

    // Returns false if the block is not wanted.
    bool enter(const Turn& turn) {
        if (number_ >= blocks_.size() || blocks_[number_] != turn.block) {
            const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), turn.block);
            if (at == blocks_.end() || *at != turn.block) return false;
            number_ = static_cast<std::uint32_t>(at - blocks_.begin());
        }
        warp_ = number_ * warps_ + turn.warp;
        first_slot_ = number_ * threads_ + turn.warp * warp_size;
        const std::uint32_t rest = threads_ - std::min(threads_, std::uint32_t{turn.warp} * warp_size);
        there_ = rest >= warp_size ? ~Mask{0} : (Mask{1} << rest) - 1;
        return true;
    }
    // These return the lanes of the mask that exist in the block, and those of them that begin or end now.
    Mask there(Mask mask) const { return mask & there_; }
    Mask begin(Mask mask) { return add(begun_[warp_], there(mask)); }
    Mask end(Mask mask) { return add(ended_[warp_], there(mask)); }

    std::uint32_t slot(unsigned lane) const { return first_slot_ + lane; }
    const std::vector<std::uint32_t>& blocks() const { return blocks_; }
    std::uint32_t block_threads() const { return threads_; }
    std::size_t threads() const { return blocks_.size() * threads_; }

  private:
    static Mask add(Mask& to, Mask mask) {
        const Mask fresh = mask & ~to;
        to |= fresh;
        return fresh;
    }

    std::vector<std::uint32_t> blocks_;
    std::uint32_t threads_ = 0, warps_ = 0;
    std::uint32_t number_ = none, warp_ = 0, first_slot_ = 0;
    Mask there_ = 0;
    std::vector<Mask> begun_, ended_;
};

// Returns the number of records that an event makes for each of its lanes.
std::uint32_t records_of(const Event& event, const StreamsWanted& wanted) {
    if (is_access(event.kind)) return wanted.accesses ? 1 + data_records(event.width) : 0;
    if (event.kind == EventKind::exchange) return wanted.accesses ? 1 : 0;
    return event.kind == EventKind::variable && wanted.variables ? 1 : 0;
}

bool valid(const Trace& trace, std::uint32_t launch) {
    return launch < trace.launches.size() && trace.events != nullptr;
}

bool stopped(const StreamsWanted& wanted) {
    return wanted.cancelled != nullptr && wanted.cancelled->load(std::memory_order_relaxed);
}

// Returns whether all lanes of the turn leave the kernel at its end.
bool exits_whole(const Turn& turn) {
    return turn.end == TurnEnd::exited;
}

class Counter {
  public:
    Counter(const Trace& trace, std::uint32_t launch, const StreamsWanted& wanted)
        : trace_(trace),
          wanted_(wanted),
          slots_(trace.launches[launch], wanted.blocks),
          counts_(slots_.threads()) {
        const Launch& of = trace.launches[launch];
        for (std::uint64_t turn = of.first_turn; turn < of.end_turn && !stopped(wanted); ++turn)
            if (slots_.enter(trace.turns[turn])) count(turn);
    }
    std::vector<std::uint32_t> take() { return std::move(counts_); }

  private:
    void add(Mask mask, std::uint32_t records) {
        each_lane(slots_.there(mask), [&](unsigned lane) { counts_[slots_.slot(lane)] += records; });
    }
    void count(std::uint64_t number) {
        const Turn& turn = trace_.turns[number];
        add(slots_.begin(turn.mask), 1);
        add(turn.mask, 1);
        EventReader reader(trace_, number);
        Event event;
        while (reader.next(event)) {
            const std::uint32_t records = records_of(event, wanted_);
            if (records != 0) add(event.mask, records);
            if (event.kind == EventKind::exit) add(slots_.end(event.mask), 1);
        }
        if (exits_whole(turn)) add(slots_.end(turn.mask), 1);
    }

    const Trace& trace_;
    const StreamsWanted& wanted_;
    Slots slots_;
    std::vector<std::uint32_t> counts_;
};

// Plays the launch and records its events.
class Maker : public EventWatcher {
  public:
    Maker(const Trace& trace, std::uint32_t launch, const StreamsWanted& wanted)
        : trace_(trace), wanted_(wanted), slots_(trace.launches[launch], wanted.blocks), player_(trace) {
        out_.launch = launch;
        out_.blocks = slots_.blocks();
        out_.block_threads = slots_.block_threads();
        const std::vector<std::uint32_t> counts = count_records(trace, launch, wanted);
        if (!counts.empty())
            out_.capacity = std::min(wanted.max_records, *std::max_element(counts.begin(), counts.end()));
        out_.counts.resize(slots_.threads());
        out_.records.resize(to_size(std::uint64_t{out_.capacity} * slots_.threads()));
    }

    RecordStreams make() {
        const Launch& launch = trace_.launches[out_.launch];
        go_to(launch.first_turn);
        while (player_.position() < launch.end_turn && !stopped(wanted_)) {
            const Turn& turn = trace_.turns[player_.position()];
            clock_ = player_.position() - launch.first_turn;
            if (!slots_.enter(turn)) {
                if (!player_.forward()) break;
                continue;
            }
            begin(turn);
            const bool whole = player_.forward(*this);
            if (exits_whole(turn)) end(turn.mask);
            if (!whole) break;
        }
        return std::move(out_);
    }

    void seen(const Event& event, const Access* access) override {
        if (event.kind == EventKind::exit) end(event.mask);
        if (records_of(event, wanted_) == 0) return;
        if (access != nullptr) return add(*access);
        if (event.kind == EventKind::variable) return add_variable(event);
        std::array<std::uint8_t, warp_size> sources;
        source_lanes(event, sources.data());
        each(event.mask, [&](unsigned lane) { put(lane, RecordKind::lane, event.pc, sources[lane], 0); });
    }

  private:
    void go_to(std::uint64_t turn) {
        const SnapshotsAround around = snapshots_around(*trace_.events, turn);
        if (!around.before) return;
        player_.restore(around.before->state, around.before->position);
        while (player_.position() < turn && player_.forward()) {
        }
    }
    template <class Each>
    void each(Mask mask, Each what) {
        each_lane(slots_.there(mask), what);
    }
    void put(unsigned lane, RecordKind kind, std::uint32_t pc, std::uint32_t extra, std::uint64_t value) {
        const std::uint32_t slot = slots_.slot(lane);
        const std::uint64_t at = std::uint64_t{out_.counts[slot]++} * out_.counts.size() + slot;
        if (at < out_.records.size()) out_.records[at] = {record_head(kind, pc), extra, value};
    }
    void begin(const Turn& turn) {
        pc_ = turn.pc;
        each_lane(slots_.begin(turn.mask),
                  [&](unsigned lane) { put(lane, RecordKind::begin, pc_, 0, clock_); });
        const std::uint32_t point = point_of(turn);
        each(turn.mask, [&](unsigned lane) { put(lane, RecordKind::point, point, turn.mask, clock_); });
    }
    // A turn may begin in a library's function: its line then has another place.
    std::uint32_t point_of(const Turn& turn) {
        const auto& rows = trace_.program.code_rows;
        if (turn.pc >= rows.size() || rows[turn.pc].line != 0 || turn.line == 0) return turn.pc;
        if (first_of_line_.empty())
            for (std::uint32_t pc = 0; pc < rows.size(); ++pc)
                first_of_line_.try_emplace(rows[pc].line, pc);
        const auto found = first_of_line_.find(turn.line);
        return found == first_of_line_.end() ? turn.pc : found->second;
    }
    void end(Mask mask) {
        each_lane(slots_.end(mask), [&](unsigned lane) { put(lane, RecordKind::end, pc_, 0, clock_); });
    }
    void add(const Access& access) {
        const auto& values = access.kind == AccessKind::atomic ? access.before : access.value;
        each(access.mask, [&](unsigned lane) {
            std::array<std::uint64_t, 2> bytes{};
            std::memcpy(bytes.data(), values[lane].data(), access.width_bytes);
            put(lane, RecordKind::access, access.pc, static_cast<std::uint32_t>(bytes[0]),
                stream_address(access.space, access.offset[lane]));
            for (std::uint32_t i = 0; i < data_records(access.width_bytes); ++i)
                put(lane, RecordKind::data, access.pc, 0, bytes[i]);
        });
    }
    void add_variable(const Event& event) {
        const auto& rows = trace_.program.code_rows;
        const auto& functions = trace_.program.functions;
        const std::uint32_t here = pc_ < rows.size() ? rows[pc_].function : none;
        each(event.mask, [&](unsigned lane) {
            const std::uint32_t function = player_.function(lane, event.depth);
            const bool elsewhere = function != here && function < functions.size();
            put(lane, RecordKind::variable, elsewhere ? functions[function].first_pc : pc_, event.slot,
                player_.variable(event, lane));
        });
    }

    const Trace& trace_;
    const StreamsWanted& wanted_;
    Slots slots_;
    Player player_;
    RecordStreams out_;
    std::unordered_map<std::uint32_t, std::uint32_t> first_of_line_;
    std::uint32_t pc_ = 0;
    std::uint64_t clock_ = 0;
};

}  // namespace

std::vector<std::uint32_t> count_records(const Trace& trace, std::uint32_t launch,
                                         const StreamsWanted& wanted) {
    if (!valid(trace, launch)) return {};
    return Counter(trace, launch, wanted).take();
}

RecordStreams streams_of(const Trace& trace, std::uint32_t launch, const StreamsWanted& wanted) {
    return valid(trace, launch) ? Maker(trace, launch, wanted).make() : RecordStreams{};
}

RecordStreams streams_of(const Trace& trace, std::uint32_t launch) {
    return streams_of(trace, launch, {});
}

}  // namespace lanescope::trace
