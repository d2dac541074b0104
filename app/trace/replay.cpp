#include "trace/replay.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "trace/lane_states.h"
#include "trace/late_snapshots.h"
#include "trace/player.h"
#include "trace/snapshots.h"
#include "trace/steps.h"

namespace lanescope::trace {
namespace {

constexpr std::uint64_t unreachable = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t variable_limit_bytes = 1u << 20;

}  // namespace

struct Replay::State {
    explicit State(std::shared_ptr<const Trace> of) : trace(std::move(of)), player(*trace) {}

    std::shared_ptr<const Trace> trace;
    Player player;
    mutable std::unique_ptr<TurnIndex> turns;
    mutable std::unique_ptr<LaneStates> lanes;

    std::uint64_t cost(std::uint64_t from, std::uint64_t to) const;
    // Returns the least cost to reach a position. `from`: the snapshot to start from; null for the current
    // state.
    std::uint64_t min_cost(std::uint64_t position, const SnapshotsAround& around,
                           const Snapshot*& from) const;
    void go(std::uint64_t position);
    // Returns whether the trace was played to its end, within the memory limit.
    bool was_played() const { return trace->events->late == nullptr || trace->events->late->is_complete(); }
    // Returns whether the state holds shared and local memory, variables and frames of this launch.
    bool holds(std::uint32_t launch) const;
    const trace::State& now() const { return player.state(); }
};

Replay::Replay(std::shared_ptr<const Trace> trace) : state_(std::make_unique<State>(std::move(trace))) {
    const Snapshot& first = state_->trace->events->snapshots.front();
    state_->player.restore(first.state, first.position);
}

Replay::~Replay() = default;

const Trace& Replay::trace() const {
    return *state_->trace;
}
std::uint64_t Replay::position() const {
    return state_->player.position();
}
std::uint64_t Replay::state_hash() const {
    return state_->now().hash();
}

// --- Moving ------------------------------------------------------------------------------------------------

// Replay goes backwards only within a launch, because its first turn cannot be taken back.
std::uint64_t Replay::State::cost(std::uint64_t from, std::uint64_t to) const {
    if (to >= from) return replay_cost(*trace, to) - replay_cost(*trace, from);
    const std::uint32_t launch = trace->launch_of(from - 1);
    if (to <= trace->launches[launch].first_turn) return unreachable;
    return replay_cost(*trace, from) - replay_cost(*trace, to);
}

void Replay::State::go(std::uint64_t position) {
    // An unplayed trace may need any amount of memory, so replay stops at the limit.
    const bool played = was_played();
    const auto within_limit = [&] {
        return played ||
               (player.state().pages_made() - player.pages_dropped()) * sizeof(Page) <= state_limit_bytes;
    };
    while (player.position() < position && within_limit())
        if (!player.forward()) break;
    while (player.position() > position)
        if (!player.backward()) break;
}

std::uint64_t Replay::State::min_cost(std::uint64_t position, const SnapshotsAround& around,
                                      const Snapshot*& from) const {
    std::uint64_t least = cost(player.position(), position);
    from = nullptr;
    for (const std::optional<Snapshot>* each : {&around.after, &around.before}) {
        if (!*each) continue;
        const std::uint64_t of_this = cost((*each)->position, position);
        if (of_this >= least) continue;
        least = of_this;
        from = &**each;
    }
    return least;
}

void Replay::seek(std::uint64_t position) {
    State& state = *state_;
    position = std::min<std::uint64_t>(position, state.trace->turns.size());
    const SnapshotsAround around = snapshots_around(*state.trace->events, position);
    const Snapshot* from = nullptr;
    state.min_cost(position, around, from);
    if (from != nullptr) state.player.restore(from->state, from->position);
    state.go(position);
}

bool Replay::is_near(std::uint64_t first, std::uint64_t end) const {
    const State& state = *state_;
    if (state.was_played()) return true;
    constexpr SnapshotPolicy policy;
    // The distance between snapshots plus a turn or two.
    constexpr std::uint64_t limit = policy.interval_bytes * policy.interval_limit + policy.interval_bytes / 4;
    const Snapshot* from = nullptr;
    const std::uint64_t there = state.min_cost(first, snapshots_around(*state.trace->events, first), from);
    return there <= limit && state.cost(first, std::max(first, end)) <= limit - there;
}

std::vector<TurnDetail> Replay::details(std::uint64_t first, std::uint64_t end, std::uint32_t block) {
    State& state = *state_;
    const auto& turns = state.trace->turns;
    end = std::min<std::uint64_t>(end, turns.size());
    std::vector<TurnDetail> details;
    if (first >= end) {
        seek(end);
        return details;
    }
    seek(first);
    for (std::uint64_t turn = first; turn < end; ++turn) {
        if (turns[turn].block != block) {
            state.player.forward();
            continue;
        }
        details.emplace_back().turn = turn;
        state.player.forward(details.back());
    }
    return details;
}

// --- Reading -----------------------------------------------------------------------------------------------

bool Replay::State::holds(std::uint32_t launch) const {
    return launch < trace->launches.size() && launch == now().launch();
}

void Replay::read(Space space, std::uint32_t launch, std::uint64_t instance, std::uint64_t offset,
                  std::span<std::byte> bytes, std::span<bool> set) const {
    const State& state = *state_;
    const bool one = space == Space::global || space == Space::constant;
    if (one) return state.now().read(Shape(), space, 0, offset, bytes, set);
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    std::fill(set.begin(), set.end(), false);
    if (!state.holds(launch)) return;
    const Shape shape(&state.trace->launches[launch]);
    const std::uint64_t of_block = space == Space::shared ? 1 : shape.threads;
    if (instance / of_block >= none) return;
    const std::uint32_t block = shape.block_number(static_cast<std::uint32_t>(instance / of_block));
    if (block == none) return;
    state.now().read(shape, space, block * of_block + instance % of_block, offset, bytes, set);
}

namespace {

// The position of a thread in the state of its launch.
struct Thread {
    Shape shape;
    std::uint64_t warp = 0;  // among all recorded warps
    unsigned lane = 0;
    bool valid = false;

    Thread(const Launch& launch, std::uint32_t block, std::uint32_t thread) : shape(&launch) {
        const std::uint32_t number = shape.block_number(block);
        valid = number != none && thread < shape.threads;
        warp = number * shape.warps + thread / warp_size;
        lane = thread % warp_size;
    }
    std::uint32_t frame(const State& state, std::uint32_t row) const {
        return state.find_frame(shape, warp, lane, row);
    }
};

}  // namespace

std::vector<std::uint32_t> Replay::frames(std::uint32_t launch, std::uint32_t block,
                                          std::uint32_t thread) const {
    std::vector<std::uint32_t> frames;
    if (!state_->holds(launch)) return frames;
    const Thread at(state_->trace->launches[launch], block, thread);
    if (!at.valid) return frames;
    const std::uint32_t depth = at.frame(state_->now(), depth_row);
    for (std::uint32_t i = 0; i < depth; ++i)
        frames.push_back(at.frame(state_->now(), function_row(i)) - 1);
    return frames;
}

Replay::Value Replay::slot(std::uint32_t launch, std::uint32_t block, std::uint32_t thread,
                           std::uint32_t depth, std::uint32_t slot) const {
    Value value;
    if (!state_->holds(launch)) return value;
    const Thread at(state_->trace->launches[launch], block, thread);
    if (!at.valid || depth >= at.frame(state_->now(), depth_row)) return value;
    const auto& functions = state_->trace->program.functions;
    std::uint64_t base = 0;
    for (std::uint32_t i = 0; i < depth; ++i) {
        const std::uint32_t function = at.frame(state_->now(), function_row(i)) - 1;
        if (function < functions.size()) base += functions[function].slots;
    }
    const std::uint32_t function = at.frame(state_->now(), function_row(depth)) - 1;
    if (function < functions.size() && slot >= functions[function].slots) return value;
    value.set = state_->now().find_slot(at.shape, at.warp, at.lane, base + slot, value.bits);
    return value;
}

std::vector<std::byte> Replay::variable(std::uint32_t launch, std::uint32_t block, std::uint32_t thread,
                                        std::uint32_t depth, const Variable& variable) const {
    const State& state = *state_;
    if (launch >= state.trace->launches.size()) return {};
    std::size_t size = state.trace->program.types[variable.type].size_bytes;
    if (variable.home == Variable::Home::value) return variable.value;
    if (variable.home == Variable::Home::slot) {
        const Value value = slot(launch, block, thread, depth, variable.slot);
        if (!value.set) return {};
        const auto* bytes = reinterpret_cast<const std::byte*>(&value.bits);
        // If the type is not known, return the whole slot.
        return {bytes, bytes + (size == 0 ? 8 : std::min<std::size_t>(size, 8))};
    }
    size = std::min(size, variable_limit_bytes);
    std::vector<std::byte> bytes(size);
    const Thread at(state.trace->launches[launch], block, thread);
    Space space = variable.home == Variable::Home::global ? Space::global : Space::constant;
    std::uint64_t instance = 0, offset = variable.offset;
    if (variable.home == Variable::Home::shared) {
        space = Space::shared;
        instance = block;
    } else if (variable.home == Variable::Home::local) {
        if (!at.valid || !state.holds(launch) || depth >= at.frame(state.now(), depth_row)) return {};
        space = Space::local;
        instance = block * at.shape.threads + thread;
        offset += at.frame(state.now(), local_base_row(depth));
    }
    const auto set = std::make_unique<bool[]>(size);
    read(space, launch, instance, offset, bytes, std::span(set.get(), size));
    if (std::none_of(set.get(), set.get() + size, [](bool one) { return one; })) return {};
    return bytes;
}

// --- Warps -------------------------------------------------------------------------------------------------

const TurnIndex& Replay::turns() const {
    if (state_->turns == nullptr) state_->turns = std::make_unique<TurnIndex>(*state_->trace);
    return *state_->turns;
}

std::array<LaneInfo, warp_size> Replay::lanes(std::uint32_t launch, std::uint32_t block, std::uint32_t warp,
                                              std::uint64_t active_from) const {
    if (state_->lanes == nullptr) state_->lanes = std::make_unique<LaneStates>(*state_->trace, turns());
    return state_->lanes->at(launch, block, warp, active_from, position());
}

}  // namespace lanescope::trace
