#include "analysis/cycles/warp_streams.h"

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/metrics.h"
#include "trace/events.h"

namespace lanescope::analysis {

namespace {

constexpr std::uint64_t sector_bytes = 32;
constexpr unsigned line_sectors = 4;

class LaunchReader {
  public:
    LaunchReader(const trace::Trace& trace, const MachineCode& machine, std::vector<std::uint32_t>& lines)
        : trace_(trace), machine_(machine), lines_(lines) {}

    void read_turn(std::uint64_t number, LaunchStreams& to, std::vector<StreamEntry>& warp) {
        const trace::Turn& turn = trace_.turns[number];
        trace::EventReader reader(trace_, number);
        std::uint32_t pc = turn.pc, ordinal = 0;
        // The instructions before the event's; an event follows its instruction.
        const auto run_to = [&](std::uint32_t end) {
            for (; ordinal < end && ordinal < turn.instructions; ++ordinal, ++pc)
                if (pc < machine_.size()) {
                    if (lines_[pc] == 0) lines_[pc] = trace::line_of(trace_, turn, pc);
                    warp.push_back({pc, no_request});
                }
        };
        for (trace::Event event; reader.next(event);) {
            if (trace::is_access(event.kind)) {
                run_to(event.ordinal + 1u);
                // An asynchronous copy is both a load and a store; what it loads takes the time.
                if (warp.empty() || event.mask == 0) continue;
                StreamEntry& entry = warp.back();
                if (entry.request == no_request || event.space == trace::Space::global)
                    entry.request = add_request(event, machine_.at(entry.pc), to);
            } else if (event.kind == trace::EventKind::jump) {
                run_to(event.ordinal + 1u);
                pc = event.pc;
            }
        }
        run_to(turn.instructions);
    }

    // Puts the instructions of each region into the order of the assembler: what ran from one of its ends
    // towards the other.
    std::vector<StreamEntry> in_issue_order(std::vector<StreamEntry> entries) const {
        const auto earlier = [&](const StreamEntry& a, const StreamEntry& b) {
            return machine_.place_of(a.pc) < machine_.place_of(b.pc);
        };
        for (auto begin = entries.begin(); begin != entries.end();) {
            auto end = begin + 1;
            while (end != entries.end() && end->pc > (end - 1)->pc &&
                   machine_.region_of(end->pc) == machine_.region_of(begin->pc))
                ++end;
            if (machine_.is_unrolled(begin->pc)) end = join_iterations(entries, begin, end);
            std::sort(begin, end, earlier);
            begin = end;
        }
        return entries;
    }

  private:
    using Place = std::vector<StreamEntry>::iterator;

    // If [begin, end) is the first of several iterations that the assembler makes one of: replaces their
    // instructions, and returns the end of the last one.
    Place join_iterations(std::vector<StreamEntry>& entries, Place begin, Place end) const {
        const auto length = end - begin;
        if (entries.end() - begin < length * static_cast<std::ptrdiff_t>(MachineCode::copies)) return end;
        const Place last = begin + length * static_cast<std::ptrdiff_t>(MachineCode::copies);
        for (Place at = begin; at + length != last; ++at)
            if (at->pc != (at + length)->pc) return end;
        for (Place at = begin; at != last; ++at)
            at->pc = machine_.copy_of(at->pc, static_cast<std::uint32_t>((at - begin) / length));
        return last;
    }

    std::uint32_t add_request(const trace::Event& event, const MachineOp& op, LaunchStreams& to) {
        trace::Access& access = access_;
        access.kind = trace::access_kind(event.kind);
        access.space = event.space;
        access.width_bytes = static_cast<std::uint8_t>(event.width * op.joined);
        access.mask = event.mask;
        unsigned nth = 0;
        trace::each_lane(event.mask,
                         [&](unsigned lane) { access.offset[lane] = trace::offset_of(event, lane, nth++); });
        MemoryRequest request;
        request.kind = access.kind;
        request.space = event.space;
        request.width_bytes = access.width_bytes;
        request.lanes = static_cast<std::uint8_t>(nth);
        request.first = static_cast<std::uint32_t>(to.sectors.size());
        if (event.kind == trace::EventKind::atomic) {
            const AtomicUse use = atomic_use(access);
            request.passes = static_cast<std::uint8_t>(use.passes);
            request.wavefronts = static_cast<std::uint8_t>(
                op.counts_lanes || op.aggregated ? banks(access).wavefronts : use.wavefronts);
        } else if (event.space == trace::Space::shared) {
            request.wavefronts = static_cast<std::uint8_t>(
                std::min(255u, op.joined > 1 ? wide_wavefronts(access) : banks(access).wavefronts));
        }
        if (event.space == trace::Space::global) add_sectors(access, request, to);
        to.requests.push_back(request);
        return static_cast<std::uint32_t>(to.requests.size() - 1);
    }

    // Each half of a warp asks for its distinct pieces, 128 bytes a pass.
    static unsigned wide_wavefronts(const trace::Access& access) {
        constexpr unsigned half = trace::warp_size / 2, pass_bytes = 128;
        unsigned passes = 0;
        for (unsigned first = 0; first < trace::warp_size; first += half) {
            std::array<std::uint64_t, half> pieces;
            unsigned count = 0;
            for (unsigned lane = first; lane < first + half; ++lane)
                if ((access.mask >> lane & 1) != 0) pieces[count++] = access.offset[lane];
            std::sort(pieces.begin(), pieces.begin() + count);
            const auto distinct =
                static_cast<unsigned>(std::unique(pieces.begin(), pieces.begin() + count) - pieces.begin());
            passes += (distinct * access.width_bytes + pass_bytes - 1) / pass_bytes;
        }
        return passes;
    }

    void add_sectors(const trace::Access& access, MemoryRequest& request, LaunchStreams& to) {
        std::array<std::uint32_t, 2 * trace::warp_size> found;
        unsigned count = 0;
        trace::each_lane(access.mask, [&](unsigned lane) {
            const std::uint64_t first = access.offset[lane] / sector_bytes,
                                last = (access.offset[lane] + access.width_bytes - 1) / sector_bytes;
            for (std::uint64_t sector = first; sector <= last && count < found.size(); ++sector)
                if (count == 0 || found[count - 1] != sector)
                    found[count++] = static_cast<std::uint32_t>(sector);
        });
        std::sort(found.begin(), found.begin() + count);
        const auto end = std::unique(found.begin(), found.begin() + count);
        std::uint32_t line = 0xffffffff;
        for (auto sector = found.begin(); sector != end; ++sector) {
            if (*sector / line_sectors != line) ++request.lines;
            line = *sector / line_sectors;
            to.sectors.push_back(*sector);
        }
        request.sectors = static_cast<std::uint8_t>(end - found.begin());
    }

    const trace::Trace& trace_;
    const MachineCode& machine_;
    std::vector<std::uint32_t>& lines_;
    trace::Access access_;
};

}  // namespace

std::uint64_t BlockStream::entries() const {
    std::uint64_t count = 0;
    for (const std::vector<StreamEntry>& warp : warps)
        count += warp.size();
    return count;
}

LaunchStreams read_launch(const trace::Trace& trace, const MachineCode& machine, std::uint32_t launch,
                          std::uint64_t most_entries, std::vector<std::uint32_t>& lines) {
    const trace::Launch& of = trace.launches[launch];
    LaunchStreams made;
    made.grid = of.grid.count();
    made.warps = of.warps_per_block();
    made.shared_bytes = of.shared_bytes;
    std::map<std::uint32_t, std::vector<std::uint64_t>> turns;  // by block
    for (std::uint64_t turn = of.first_turn; turn < of.end_turn && turn < trace.turns.size(); ++turn)
        turns[trace.turns[turn].block].push_back(turn);
    lines.resize(machine.size());
    LaunchReader reader(trace, machine, lines);
    // Blocks from all parts of the grid, should not all of them fit.
    std::vector<std::uint32_t> ran, order;
    for (const auto& [block, list] : turns)
        ran.push_back(block);
    for (std::size_t stride = std::bit_ceil(ran.size() + 1); stride > 0; stride /= 2)
        for (std::size_t at = stride - 1; at < ran.size(); at += 2 * stride)
            order.push_back(ran[at]);
    std::uint64_t entries = 0;
    for (const std::uint32_t block : order) {
        if (entries > most_entries) break;
        std::vector<std::vector<StreamEntry>> warps(made.warps);
        for (const std::uint64_t turn : turns[block])
            if (trace.turns[turn].warp < made.warps)
                reader.read_turn(turn, made, warps[trace.turns[turn].warp]);
        BlockStream stream{block, {}};
        for (const std::vector<StreamEntry>& warp : warps)
            stream.warps.push_back(reader.in_issue_order(warp));
        entries += stream.entries();
        made.blocks.push_back(std::move(stream));
    }
    for (std::uint32_t pc = machine.first_copy(); pc < machine.size(); ++pc)
        lines[pc] = lines[machine.origin_of(pc)];
    std::sort(made.blocks.begin(), made.blocks.end(),
              [](const BlockStream& a, const BlockStream& b) { return a.block < b.block; });
    return made;
}

}  // namespace lanescope::analysis
