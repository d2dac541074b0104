#include "scene/stage/cell_life.h"

#include <algorithm>
#include <bit>

#include "analysis/flow/provenance.h"
#include "trace/replay.h"

namespace lanescope::scene {

namespace {

using trace::AccessKind;

constexpr std::size_t most_events = 1000;

class Biography {
  public:
    Biography(std::shared_ptr<const trace::Trace> trace, const analysis::Flow* flow, const CellPlace& cell)
        : trace_(std::move(trace)), flow_(flow), cell_(cell), replay_(trace_) {
        if (flow_ != nullptr) provenance_ = std::make_unique<analysis::Provenance>(*trace_, *flow_);
    }

    void run(const std::atomic<bool>* cancelled) {
        std::uint64_t first = 0, end = trace_->turns.size();
        if (cell_.launch != trace::none) {
            first = trace_->launches[cell_.launch].first_turn;
            end = trace_->launches[cell_.launch].end_turn;
        }
        trace::TurnDetail detail;
        for (std::uint64_t turn = first; turn < end; ++turn) {
            if ((turn & 1023) == 0 && cancelled != nullptr && cancelled->load(std::memory_order_relaxed))
                return;
            const std::uint32_t block = trace_->turns[turn].block;
            if (!reaches(block, turn)) continue;
            trace::decode(*trace_, turn, detail);
            if (std::any_of(detail.accesses.begin(), detail.accesses.end(),
                            [&](const trace::Access& access) { return lanes_of(access, block) != 0; }))
                add(turn);
        }
    }

    std::shared_ptr<CellLife> take() { return std::move(life_); }

  private:
    // Whether threads of the block can reach the cell. Blocks of a cluster reach each other's shared memory.
    bool reaches(std::uint32_t block, std::uint64_t turn) const {
        if (cell_.block == trace::none || block == cell_.block) return true;
        const trace::Launch& launch = trace_->launches[trace_->launch_of(turn)];
        return launch.cluster.count() > 1 && launch.cluster_of(block) == launch.cluster_of(cell_.block);
    }

    // `block`: which made the access.
    trace::Mask lanes_of(const trace::Access& access, std::uint32_t block) const {
        if (access.space != cell_.space) return 0;
        if (cell_.block != trace::none && access.block_reached(block) != cell_.block) return 0;
        trace::Mask lanes = 0;
        for (trace::Mask rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const std::uint64_t at = access.offset[lane];
            if (at < cell_.offset + cell_.bytes && cell_.offset < at + access.width_bytes)
                lanes |= trace::Mask{1} << lane;
        }
        return lanes;
    }

    void add(std::uint64_t turn) {
        const trace::Turn& of = trace_->turns[turn];
        replay_.seek(turn);
        unset_ = !is_set(of);
        for (const trace::TurnDetail& detail : replay_.details(turn, turn + 1, of.block))
            for (const trace::Access& access : detail.accesses) {
                const trace::Mask lanes = lanes_of(access, of.block);
                if (lanes == 0) continue;
                if (access.kind == AccessKind::load)
                    add(of, turn, access, static_cast<unsigned>(std::countr_zero(lanes)),
                        trace::lane_count(lanes));
                else
                    for (trace::Mask rest = lanes; rest != 0; rest &= rest - 1)
                        add(of, turn, access, static_cast<unsigned>(std::countr_zero(rest)), 1);
            }
    }

    bool is_set(const trace::Turn& of) const {
        std::vector<std::byte> bytes(cell_.bytes);
        const auto set = std::make_unique<bool[]>(cell_.bytes);
        const std::uint64_t instance = cell_.space != trace::Space::shared ? 0
                                       : cell_.block == trace::none        ? of.block
                                                                           : cell_.block;
        replay_.read(cell_.space, cell_.launch == trace::none ? 0 : cell_.launch, instance, cell_.offset,
                     bytes, std::span(set.get(), cell_.bytes));
        return std::all_of(set.get(), set.get() + cell_.bytes, [](bool each) { return each; });
    }

    void add(const trace::Turn& of, std::uint64_t turn, const trace::Access& access, unsigned lane,
             std::uint32_t threads) {
        if (life_->events.size() >= most_events) {
            ++life_->left_out;
            return;
        }
        CellEvent event;
        event.turn = turn;
        event.block = of.block;
        event.line = access.line;
        event.first_thread = of.warp * trace::warp_size + lane;
        event.threads = threads;
        event.kind = access.kind;
        event.before = unset_ ? "?" : value(access, lane, access.before[lane]);
        unset_ = unset_ && access.kind == AccessKind::load;
        event.after = value(access, lane, access.value[lane]);
        if (access.kind != AccessKind::load) event.origin = origin(turn, access, event.first_thread);
        life_->events.push_back(std::move(event));
    }

    // Accesses of parts of the cell show nothing.
    std::string value(const trace::Access& access, unsigned lane,
                      const std::array<std::byte, 16>& bytes) const {
        const std::uint64_t at = access.offset[lane];
        if (cell_.offset < at || cell_.offset + cell_.bytes > at + access.width_bytes) return {};
        return format_value(trace_->program.types, cell_.element,
                            std::span(bytes.data() + (cell_.offset - at), cell_.bytes));
    }

    std::string origin(std::uint64_t turn, const trace::Access& access, std::uint32_t thread) {
        constexpr std::uint64_t most_steps = 1 << 14;
        if (flow_ == nullptr) return {};
        const std::vector<analysis::FlowWrite>& writes = flow_->graph.writes();
        auto at = std::lower_bound(
            writes.begin(), writes.end(), turn,
            [](const analysis::FlowWrite& write, std::uint64_t wanted) { return write.turn < wanted; });
        for (; at != writes.end() && at->turn == turn; ++at)
            if (!at->exchange && at->ordinal == access.ordinal && at->thread == thread &&
                at->space == cell_.space && at->offset >= cell_.offset &&
                at->offset < cell_.offset + cell_.bytes)
                return provenance_->origin(at->value, most_steps).text;
        return {};
    }

    std::shared_ptr<const trace::Trace> trace_;
    const analysis::Flow* flow_;
    CellPlace cell_;
    trace::Replay replay_;
    bool unset_ = false;  // nothing was written to it yet
    std::unique_ptr<analysis::Provenance> provenance_;
    std::shared_ptr<CellLife> life_ = std::make_shared<CellLife>();
};

}  // namespace

std::shared_ptr<const CellLife> life_of(std::shared_ptr<const trace::Trace> trace, const analysis::Flow* flow,
                                        const CellPlace& cell, const std::atomic<bool>* cancelled) {
    Biography biography(std::move(trace), flow, cell);
    biography.run(cancelled);
    return biography.take();
}

std::string change_text(const CellEvent& event) {
    if (event.kind == AccessKind::load) return event.after;
    return event.before + " → " + event.after;
}

}  // namespace lanescope::scene
