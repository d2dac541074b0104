#include "trace/recorder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/sizes.h"
#include "trace/event_writer.h"
#include "trace/snapshots.h"
#include "trace/warp_calls.h"

namespace lanescope::trace {
namespace {

// For the snapshots, turns are played in portions that stay in the cache.
constexpr std::uint64_t portion_bytes = 64u << 10;
constexpr std::uint64_t portion_turns = 1024;
constexpr std::uint64_t launch_bytes = 2048;  // of the description of a launch, about

struct HostWrite {
    Space space{};
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
};

std::string in_words(std::uint64_t bytes) {
    const bool large = bytes >= 1ull << 20;
    return std::to_string(large ? bytes >> 20 : bytes) + (large ? " MiB" : " bytes");
}

struct WarpShadow {
    Mask started = 0;
    std::uint32_t kernel = 0;          // function
    std::unique_ptr<WarpCalls> calls;  // only in a warp that called a function
};

}  // namespace

struct Recorder::State {
    explicit State(RecorderLimits recorder_limits)
        : limits(recorder_limits),
          stream(std::make_shared<EventStream>()),
          trace(std::make_shared<Trace>()),
          writer(stream->bytes),
          snapshots(*trace, *stream, {recorder_limits.snapshot_interval_bytes}) {
        trace->events = stream;
    }

    RecorderLimits limits;
    std::shared_ptr<EventStream> stream;
    std::shared_ptr<Trace> trace;
    EventWriter writer;
    SnapshotMaker snapshots;
    std::vector<WarpShadow> warps;       // of the running launch that have run
    std::vector<HostWrite> host_writes;  // not yet in the stream
    WarpShadow* warp = nullptr;          // of the open turn; null if none is open
    WarpShadow in_slice;                 // stands for all warps, if slices are taken
    bool in_launch = false;
    std::uint64_t played_turns = 0, played_bytes = 0;

    Turn& turn() { return trace->turns.back(); }
    Launch& launch() { return trace->launches.back(); }
    bool started() const { return !trace->turns.empty(); }
    void write_image(Space space, std::uint64_t offset, std::span<const std::byte> bytes);
    void write_host_bytes();
    void write_patches(const trace::State& now, const HostWrite& write);
    void open_turn();
    bool in_slices() const { return limits.take_slice != nullptr; }
    void hand_over(bool last);
    bool has_room();
    void play();
    void start_lanes(Mask mask, std::uint32_t pc);
    void variable_in_kernel(std::uint32_t slot, Mask mask, const std::uint64_t* before,
                            const std::uint64_t* after, Mask newly_set);
    WarpCalls& calls();
    void note_local_use(const std::uint64_t* offsets, Mask mask, unsigned width_bytes);
};

Recorder::Recorder(RecorderLimits limits) : state_(std::make_unique<State>(limits)) {
    state_->limits.trace_bytes = holdable(limits.trace_bytes);
}
Recorder::~Recorder() = default;

// --- Before the first launch, and between launches ---------------------------------------------------------

void Recorder::set_program(Program program) {
    state_->trace->program = std::move(program);
}
void Recorder::add_symbol(Symbol symbol) {
    state_->trace->symbols.push_back(std::move(symbol));
}

void Recorder::set_image(Space space, std::span<const std::byte> bytes,
                         std::span<const std::uint64_t> set_bits) {
    assert(!state_->started() && space <= Space::constant);
    if (state_->in_slices()) return;
    PageTree& pages = state_->snapshots.initial().tree(region_of(space));
    for (std::uint64_t first = 0; first < bytes.size(); first += page_bytes) {
        const std::size_t size = std::min<std::uint64_t>(page_bytes, bytes.size() - first);
        std::array<std::uint64_t, page_bytes / 64> set{};
        std::uint64_t any = 0;
        for (std::size_t word = 0; word * 64 < size && first / 64 + word < set_bits.size(); ++word) {
            set[word] = set_bits[first / 64 + word];
            if (size - word * 64 < 64) set[word] &= (std::uint64_t{1} << (size - word * 64)) - 1;
            any |= set[word];
        }
        if (any == 0) continue;
        Page& page = pages.writable(first >> page_bits);
        page.set = set;
        for (std::size_t i = 0; i < size; ++i)
            page.bytes[i] = (set[i / 64] >> i % 64 & 1) != 0 ? bytes[first + i] : std::byte{0};
    }
}

void Recorder::State::write_image(Space space, std::uint64_t offset, std::span<const std::byte> bytes) {
    PageTree& pages = snapshots.initial().tree(region_of(space));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        Page& page = pages.writable((offset + i) >> page_bits);
        const std::size_t at = (offset + i) & (page_bytes - 1);
        page.bytes[at] = bytes[i];
        page.set[at / 64] |= std::uint64_t{1} << at % 64;
    }
}

void Recorder::host_write(Space space, std::uint64_t offset, std::span<const std::byte> bytes) {
    assert(space <= Space::constant);
    if (state_->in_slices()) return;
    if (!state_->started())
        state_->write_image(space, offset, bytes);
    else if (!state_->trace->truncated)
        state_->host_writes.push_back({space, offset, {bytes.begin(), bytes.end()}});
}

// The differences need the state at the end of the stream, so a copy of the player goes there.
void Recorder::State::write_host_bytes() {
    if (host_writes.empty()) return;
    Player now = snapshots.player();
    while (now.position() < trace->turns.size())
        now.forward();
    for (const HostWrite& write : host_writes) {
        write_patches(now.state(), write);
        for (std::size_t i = 0; i < write.bytes.size(); ++i) {
            Page& page = now.state().tree(region_of(write.space)).writable((write.offset + i) >> page_bits);
            const std::size_t at = (write.offset + i) & (page_bytes - 1);
            page.bytes[at] = write.bytes[i];
            page.set[at / 64] |= std::uint64_t{1} << at % 64;
        }
    }
    host_writes.clear();
}

void Recorder::State::write_patches(const trace::State& now, const HostWrite& write) {
    std::array<std::byte, page_bytes> deltas;
    std::array<bool, page_bytes> set;
    for (std::size_t first = 0; first < write.bytes.size(); first += page_bytes) {
        const std::size_t size = std::min(page_bytes, write.bytes.size() - first);
        now.read(Shape(), write.space, 0, write.offset + first, std::span(deltas).first(size),
                 std::span(set).first(size));
        std::array<std::byte, page_bytes / 8> newly{};
        bool any_new = false, any = false;
        for (std::size_t i = 0; i < size; ++i) {
            deltas[i] ^= write.bytes[first + i];
            any = any || deltas[i] != std::byte{0};
            if (set[i]) continue;
            newly[i / 8] |= static_cast<std::byte>(1u << i % 8);
            any_new = true;
        }
        if (any || any_new)
            writer.patch(write.space, write.offset + first, deltas.data(), size,
                         any_new ? newly.data() : nullptr);
    }
}

void Recorder::foreign_store(Space space, std::uint64_t offset, std::span<const std::byte> before,
                             std::span<const std::byte> after, std::uint16_t newly_set) {
    assert(space <= Space::constant && before.size() == after.size() && after.size() <= 16);
    State& state = *state_;
    if (state.in_slices()) return;
    if (!state.started()) return state.write_image(space, offset, after);
    if (state.trace->truncated) return;
    state.write_host_bytes();
    std::array<std::byte, 16> deltas;
    for (std::size_t i = 0; i < after.size(); ++i)
        deltas[i] = (newly_set >> i & 1) != 0 ? after[i] : before[i] ^ after[i];
    std::array<std::byte, 2> newly;
    std::memcpy(newly.data(), &newly_set, 2);
    state.writer.patch(space, offset, deltas.data(), after.size(), newly_set != 0 ? newly.data() : nullptr);
}

// --- Launches and turns ------------------------------------------------------------------------------------

void Recorder::begin_launch(Launch launch) {
    State& state = *state_;
    assert(!state.in_launch);
    launch.first_turn = launch.end_turn = state.trace->turns.size();
    launch.local_bytes = launch.slots = 0;
    launch.frames = 1;
    std::sort(launch.recorded_blocks.begin(), launch.recorded_blocks.end());
    state.trace->launches.push_back(std::move(launch));
    state.warps.clear();
    state.in_launch = true;
}

void Recorder::end_launch() {
    assert(state_->in_launch && state_->warp == nullptr);
    if (state_->in_slices()) state_->hand_over(true);
    state_->in_launch = false;
}

bool Recorder::in_slices() const {
    return state_->in_slices();
}

void Recorder::State::hand_over(bool last) {
    if (!trace->truncated && !limits.take_slice(*trace, last)) trace->truncated = true;
    if (last) trace->truncated = false;
    trace->turns.clear();
    trace->releases.clear();
    stream->bytes.written_to(stream->bytes.data());
    launch().first_turn = launch().end_turn = 0;
}

void Recorder::restart() {
    assert(state_->in_slices() && !state_->in_launch);
    Trace& trace = *state_->trace;
    trace.launches.clear();
    trace.symbols.clear();
    trace.problems.clear();
    trace.prints.clear();
    trace.console.clear();
}

bool Recorder::records(std::uint32_t block) const {
    return state_->in_launch && state_->launch().records(block);
}

bool Recorder::State::has_room() {
    if (trace->truncated || in_slices()) return !trace->truncated;
    const std::uint64_t used = trace->turns.size() * sizeof(Turn) + stream->bytes.size() + snapshots.bytes() +
                               trace->launches.size() * launch_bytes +
                               trace->releases.size() * sizeof(BarrierRelease);
    if (used < limits.trace_bytes) return true;
    trace->truncated = true;
    trace->truncation = "The trace reached its limit of " + in_words(limits.trace_bytes) + " after " +
                        std::to_string(trace->turns.size()) + " turns; later turns are not recorded.";
    return false;
}

void Recorder::State::play() {
    if (stream->bytes.size() - played_bytes < portion_bytes &&
        trace->turns.size() - played_turns < portion_turns)
        return;
    snapshots.advance(trace->turns.size());
    played_bytes = stream->bytes.size();
    played_turns = trace->turns.size();
}

void Recorder::begin_turn(std::uint32_t block, std::uint16_t warp, Mask mask, std::uint32_t pc,
                          std::uint32_t line, std::uint8_t depth) {
    State& state = *state_;
    assert(state.in_launch && state.warp == nullptr && mask != 0);
    if (!records(block) || !state.has_room()) return;
    if (!state.in_slices()) {
        if (state.started())
            state.play();
        else
            state.snapshots.start();
    }
    const bool first = state.launch().first_turn == state.trace->turns.size();
    Turn turn;
    turn.events = state.stream->bytes.size();
    turn.block = block;
    turn.mask = mask;
    turn.pc = pc;
    turn.line = line;
    turn.warp = warp;
    turn.depth = depth;
    state.writer.begin_turn(mask, pc);
    if (first) {
        state.write_host_bytes();
        state.writer.launch(static_cast<std::uint32_t>(state.trace->launches.size() - 1));
    }
    state.trace->turns.push_back(turn);
    state.launch().end_turn = state.trace->turns.size();
    state.open_turn();
    if (!state.in_slices() && (mask & ~state.warp->started) != 0)
        state.start_lanes(mask & ~state.warp->started, pc);
}

void Recorder::State::open_turn() {
    if (in_slices()) {
        warp = &in_slice;
        return;
    }
    const Launch& of = launch();
    const std::uint64_t number =
        std::uint64_t{Shape(&of).block_number(turn().block)} * of.warps_per_block() + turn().warp;
    if (number >= warps.size()) warps.resize(number + 1);
    warp = &warps[number];
}

void Recorder::State::start_lanes(Mask mask, std::uint32_t pc) {
    const auto& rows = trace->program.code_rows;
    warp->kernel = pc < rows.size() ? rows[pc].function : 0;
    warp->started |= mask;
    if (warp->kernel < trace->program.functions.size())
        launch().slots = std::max(launch().slots, trace->program.functions[warp->kernel].slots);
    writer.push(mask, warp->kernel, 0);
}

void Recorder::end_turn(TurnEnd end, std::uint16_t instructions) {
    State& state = *state_;
    if (state.warp == nullptr) return;
    state.turn().end = end;
    state.turn().instructions = instructions;
    state.warp = nullptr;
    if (state.in_slices() &&
        state.trace->turns.size() * sizeof(Turn) + state.stream->bytes.size() >= state.limits.trace_bytes)
        state.hand_over(false);
}

// --- What happens in a turn --------------------------------------------------------------------------------

void Recorder::access(AccessKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal,
                      unsigned width_bytes, Mask mask, const std::uint64_t* offsets, const std::byte* before,
                      const std::byte* after, const std::uint16_t* newly_set, std::uint32_t owner) {
    State& state = *state_;
    assert(width_bytes >= 1 && width_bytes <= 16);
    if (state.warp == nullptr || mask == 0) return;
    if (state.in_slices() && space == Space::local) return;
    if (space == Space::local) state.note_local_use(offsets, mask, width_bytes);
    const bool of_calls = space == Space::local && state.warp->calls != nullptr;
    const AccessChange change{before, after, newly_set};
    if (owner != none && owner != state.turn().block) {
        assert(space == Space::shared && records(owner));
        state.writer.owner(owner);
    }
    if (kind == AccessKind::load)
        state.writer.load(space, pc, ordinal, width_bytes, mask, offsets);
    else if (of_calls)
        state.warp->calls->change_local(state.writer, kind, pc, ordinal, width_bytes, mask, offsets, change);
    else
        state.writer.change(kind, space, pc, ordinal, width_bytes, mask, offsets, change);
}

void Recorder::State::note_local_use(const std::uint64_t* offsets, Mask mask, unsigned width_bytes) {
    std::uint64_t end = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        end = std::max(end, offsets[std::countr_zero(rest)] + width_bytes);
    if (end > launch().local_bytes)
        launch().local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, none));
    const auto& functions = trace->program.functions;
    const bool outside = warp->kernel >= functions.size() || end > functions[warp->kernel].local_bytes;
    if (outside) calls();
}

void Recorder::variable(std::uint32_t slot, Mask mask, const std::uint64_t* before,
                        const std::uint64_t* after, Mask newly_set) {
    State& state = *state_;
    if (state.warp == nullptr || mask == 0 || state.in_slices()) return;
    const Mask deep = state.warp->calls == nullptr ? 0 : state.warp->calls->deep() & mask;
    if (deep != mask) state.variable_in_kernel(slot, mask & ~deep, before, after, newly_set & mask & ~deep);
    if (deep != 0) state.warp->calls->variable(state.writer, slot, deep, after);
}

void Recorder::State::variable_in_kernel(std::uint32_t slot, Mask mask, const std::uint64_t* before,
                                         const std::uint64_t* after, Mask newly_set) {
    std::array<std::uint64_t, warp_size> known;
    if (newly_set != 0) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            known[lane] = (newly_set >> lane & 1) != 0 || (mask >> lane & 1) == 0 ? 0 : before[lane];
        before = known.data();
    }
    writer.variable(slot, 0, 0, mask, before, after, newly_set);
}

void Recorder::branch(std::uint32_t pc, std::uint16_t ordinal, Mask active, Mask taken) {
    if (state_->warp == nullptr || state_->in_slices()) return;
    if (taken != 0 && taken != active) state_->turn().marks |= TurnMark::branch_diverged;
    state_->writer.branch(pc, ordinal, active, taken);
}

void Recorder::jump(std::uint32_t pc, std::uint16_t ordinal) {
    if (state_->warp != nullptr && !state_->in_slices()) state_->writer.jump(pc, ordinal);
}

void Recorder::exchange(std::uint32_t pc, std::uint16_t ordinal, Mask mask, const std::uint8_t* source) {
    if (state_->warp != nullptr && !state_->in_slices()) state_->writer.exchange(pc, ordinal, mask, source);
}

void Recorder::sync(SyncKind kind, std::uint32_t pc, std::uint16_t ordinal, Mask mask, unsigned detail) {
    if (state_->warp != nullptr && mask != 0) state_->writer.sync(kind, pc, ordinal, mask, detail);
}

void Recorder::exit_lanes(Mask mask, std::uint16_t ordinal) {
    if (state_->warp == nullptr || mask == 0) return;
    state_->turn().marks |= TurnMark::lanes_exited;
    state_->writer.exit(mask, ordinal);
}

void Recorder::barrier_release(std::uint32_t block, std::uint32_t barrier) {
    if (state_->trace->truncated || !records(block)) return;
    state_->trace->releases.push_back({state_->trace->turns.size(), block, barrier});
}

// --- Frames ------------------------------------------------------------------------------------------------

WarpCalls& Recorder::State::calls() {
    if (warp->calls == nullptr) warp->calls = std::make_unique<WarpCalls>(trace->program, warp->kernel);
    return *warp->calls;
}

void Recorder::push_frame(Mask mask, std::uint32_t function, std::uint32_t local_base) {
    State& state = *state_;
    if (state.warp == nullptr || mask == 0 || state.in_slices()) return;
    WarpCalls& calls = state.calls();
    calls.push(state.writer, mask, function, local_base);
    state.launch().frames = std::max(state.launch().frames, calls.frames());
    state.launch().slots = std::max(state.launch().slots, calls.slots());
}

void Recorder::pop_frame(Mask mask) {
    State& state = *state_;
    if (state.warp != nullptr && state.warp->calls != nullptr) state.warp->calls->pop(state.writer, mask);
}

// --- Results -----------------------------------------------------------------------------------------------

void Recorder::problem(Problem problem) {
    state_->trace->problems.push_back(std::move(problem));
}
void Recorder::console(std::string_view text, std::uint32_t block, std::uint32_t thread) {
    Trace& trace = *state_->trace;
    trace.console += text;
    Print print;
    print.end = trace.console.size();
    print.launch = static_cast<std::uint32_t>(trace.launches.size() - 1);
    print.block = block;
    print.thread = thread;
    if (records(block) && !trace.turns.empty()) {
        print.turn = trace.turns.size() - 1;
        print.line = trace.turns.back().line;
    }
    trace.prints.push_back(print);
}
std::uint64_t Recorder::turn_count() const {
    return state_->trace->turns.size();
}
bool Recorder::full() const {
    return state_->trace->truncated;
}

std::shared_ptr<Trace> Recorder::finish() {
    State& state = *state_;
    if (state.started()) {
        state.warp = nullptr;
        state.write_host_bytes();
    } else {
        state.snapshots.start();
    }
    state.snapshots.advance(state.trace->turns.size());
    state.snapshots.finish();
    return state.trace;
}

}  // namespace lanescope::trace
