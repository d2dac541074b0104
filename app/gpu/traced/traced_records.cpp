// Records of a traced run: counted, made room for, read back.
#include <numeric>

#include "gpu/traced/traced_state.h"

namespace lanescope::gpu {

using simt::Ending;

Result<void> TracedEngine::State::set_probe_state(const ptx::ProbeState& value) {
    return device.write(probe_state, std::as_bytes(std::span(&value, 1)));
}

Result<TraceDevice::Ran> TracedEngine::State::run(const simt::LaunchRequest& request,
                                                  const std::atomic<bool>* cancel) {
    return device.launch(request, limits.seconds, cancel, console);
}

Result<TraceDevice::Ran> TracedEngine::State::count(const simt::LaunchRequest& request,
                                                    const std::atomic<bool>* cancel,
                                                    std::vector<std::uint32_t>& counts) {
    const std::uint64_t threads = request.grid.count() * request.block.count();
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    if (Result<void> cleared = device.fill(*cursors, threads * 8, std::byte{0}); !cleared)
        return cleared.diagnostics();
    // Every cursor counts in steps of one; nothing lies before the end of the buffer.
    if (Result<void> set = set_probe_state({*cursors, 0, 1, 0, 0}); !set) return set.diagnostics();
    const std::string before = console;
    Result<TraceDevice::Ran> ran = run(request, cancel);
    console = before;
    if (!ran || ran->ending != Ending::finished) return ran;
    std::vector<std::uint64_t> read(threads);
    if (Result<void> got = device.read(*cursors, std::as_writable_bytes(std::span(read))); !got)
        return got.diagnostics();
    counts.resize(threads);
    std::transform(read.begin(), read.end(), counts.begin(), [](std::uint64_t each) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(each, trace::none));
    });
    return ran;
}

// The wanted blocks, from the first on, as many as fit into so many records; every thread gets as many as the
// longest needs.
std::vector<std::uint32_t> TracedEngine::State::blocks_that_fit(const std::vector<std::uint32_t>& wanted,
                                                                const std::vector<std::uint32_t>& counts,
                                                                std::uint32_t block_threads,
                                                                std::uint64_t room_for,
                                                                std::uint32_t& capacity) {
    std::vector<std::uint32_t> fitting;
    capacity = 0;
    for (const std::uint32_t block : wanted) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(std::uint64_t{block} * block_threads);
        // Threads that wait for others may go round more often the next time.
        const std::uint32_t most = *std::max_element(first, first + block_threads);
        const std::uint32_t longest = std::max(capacity, most + most / 8 + 16);
        if (std::uint64_t{longest} * block_threads * (fitting.size() + 1) > room_for && !fitting.empty())
            break;
        capacity = longest;
        fitting.push_back(block);
    }
    // Even a single block may be too long: then its threads are cut off.
    const std::uint64_t room_each = room_for / std::max<std::uint64_t>(1, fitting.size() * block_threads);
    capacity =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, std::max<std::uint64_t>(1, room_each)));
    return fitting;
}

// On the device as many blocks as its buffer takes; in the trace those of them that were asked for, up to a
// limit.
void TracedEngine::State::choose_blocks(const simt::LaunchRequest& request,
                                        const std::vector<std::uint32_t>& counts) {
    records = {};
    records.launch = launches;
    records.block_threads = static_cast<std::uint32_t>(request.block.count());
    std::vector<std::uint32_t> all(request.grid.count());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::uint32_t> wanted = request.recorded_blocks.empty() ? all : request.recorded_blocks;
    std::sort(wanted.begin(), wanted.end());
    const std::uint64_t on_device = device.record_bytes() / sizeof(trace::Record);
    std::uint32_t capacity = 0;
    traced = blocks_that_fit(wanted, counts, records.block_threads,
                             std::min(on_device, limits.decoded_records), capacity);
    records.capacity = capacity;
    records.blocks = traced;
    std::uint32_t for_all = 0;
    std::vector<std::uint32_t> more = blocks_that_fit(all, counts, records.block_threads, on_device, for_all);
    // The map shows more of the grid than the trace holds.
    if (more.size() > traced.size() &&
        std::includes(more.begin(), more.end(), traced.begin(), traced.end())) {
        records.capacity = std::max(for_all, 1u);
        records.blocks = std::move(more);
    }
    describe_registers();
    narrowed_now = traced.size() < wanted.size();
}

Result<TraceDevice::Ran> TracedEngine::State::record(const simt::LaunchRequest& request,
                                                     const std::atomic<bool>* cancel) {
    const std::uint64_t threads = records.threads(), blocks = request.grid.count();
    const std::uint64_t bytes = threads * records.capacity * sizeof(trace::Record);
    const Result<TraceDevice::Address> place = device.records(std::max<std::uint64_t>(bytes, 16));
    if (!place) return place.diagnostics();
    records.address = *place;
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    std::vector<std::uint64_t> next(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        next[i] = *place + i * sizeof(trace::Record);
    if (Result<void> written = device.write(*cursors, std::as_bytes(std::span(next))); !written)
        return written.diagnostics();
    ptx::ProbeState state{*cursors, 0, threads * sizeof(trace::Record), *place + bytes, 0};
    if (records.blocks.size() != blocks) {
        std::vector<std::uint32_t> slots(blocks, trace::none);
        for (std::uint32_t i = 0; i < records.blocks.size(); ++i)
            slots[records.blocks[i]] = i;
        const Result<std::uint64_t> table = room(Use::slots, blocks * 4);
        if (!table) return table.diagnostics();
        if (Result<void> written = device.write(*table, std::as_bytes(std::span(slots))); !written)
            return written.diagnostics();
        state.slots = *table;
    }
    if (Result<void> set = set_probe_state(state); !set) return set.diagnostics();
    Result<TraceDevice::Ran> ran = run(request, cancel);
    if (!ran || ran->ending != Ending::finished) return ran;
    if (Result<void> got = device.read(*cursors, std::as_writable_bytes(std::span(next))); !got)
        return got.diagnostics();
    records.counts.resize(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        records.counts[i] = static_cast<std::uint32_t>((next[i] - *place) / sizeof(trace::Record) / threads);
    if (Result<void> got = read_starts(); !got) return got.diagnostics();
    if (Result<void> got = read_streams(); !got) return got.diagnostics();
    return ran;
}

// When and where each thread began: its first record, and its first point some records later.
// %globaltimer is common to all SMs, but coarse: the least that an SM's threads tell is the nearest.
Result<void> TracedEngine::State::read_starts() {
    const std::uint64_t threads = records.threads(), row = threads * sizeof(trace::Record);
    records.begins.resize(threads);
    records.clocks.assign(threads, 0);
    if (Result<void> got = device.read(records.address, std::as_writable_bytes(std::span(records.begins)));
        !got)
        return got;
    std::vector<trace::Record> next(threads);
    std::uint64_t missing = threads;
    constexpr std::uint32_t furthest = 64;  // address records lie in between
    for (std::uint32_t k = 1; k < std::min(records.capacity, furthest) && missing > 0; ++k) {
        if (Result<void> got =
                device.read(records.address + k * row, std::as_writable_bytes(std::span(next)));
            !got)
            return got;
        for (std::uint64_t i = 0; i < threads; ++i) {
            if (records.clocks[i] != 0 || kind_of(next[i]) != trace::RecordKind::point) continue;
            records.clocks[i] = next[i].value;
            --missing;
        }
    }
    find_clock_offsets();
    return {};
}

void TracedEngine::State::find_clock_offsets() {
    std::uint64_t first = ~0ull;
    for (const trace::Record& begin : records.begins)
        if (kind_of(begin) == trace::RecordKind::begin) first = std::min(first, begin.value);
    for (std::size_t i = 0; i < records.begins.size(); ++i) {
        const trace::Record& begin = records.begins[i];
        constexpr std::uint32_t max_sms = 65536;
        if (kind_of(begin) != trace::RecordKind::begin || records.clocks[i] == 0 || begin.extra >= max_sms)
            continue;
        if (begin.extra >= records.clock_offsets.size()) records.clock_offsets.resize(begin.extra + 1, ~0ull);
        const double since = static_cast<double>(begin.value - first) * device.cycles_per_ns();
        const auto cycles = std::min(static_cast<std::uint64_t>(since), records.clocks[i]);
        records.clock_offsets[begin.extra] =
            std::min(records.clock_offsets[begin.extra], records.clocks[i] - cycles);
    }
}

void TracedEngine::State::describe_registers() {
    for (const simt::DecodedFunction& function : program->functions) {
        auto& slots = records.slot_registers.emplace_back();
        for (const std::vector<std::uint32_t>& pairs : function.slot_homes) {
            auto& registers = slots.emplace_back();
            for (const std::uint32_t pair : pairs)
                registers.push_back(function.homes[pair].reg);
        }
    }
}

// The streams of the blocks that go into the trace: runs of neighbouring slots at a time.
Result<void> TracedEngine::State::read_streams() {
    streams = {};
    streams.launch = records.launch;
    streams.blocks = traced;
    streams.block_threads = records.block_threads;
    streams.capacity = records.capacity;
    streams.records.resize(std::uint64_t{streams.capacity} * streams.threads());
    const std::uint64_t pitch = std::uint64_t{records.threads()} * sizeof(trace::Record);
    for (std::size_t first = 0; first < traced.size();) {
        const auto at = std::lower_bound(records.blocks.begin(), records.blocks.end(), traced[first]);
        const auto slot = static_cast<std::uint64_t>(at - records.blocks.begin()) * records.block_threads;
        std::size_t end = first + 1;
        while (end < traced.size() && at + static_cast<std::ptrdiff_t>(end - first) < records.blocks.end() &&
               at[static_cast<std::ptrdiff_t>(end - first)] == traced[end])
            ++end;
        const std::uint64_t count = (end - first) * records.block_threads;
        std::vector<trace::Record> rows(count * streams.capacity);
        if (Result<void> got = device.read_rows(records.address + slot * sizeof(trace::Record), pitch,
                                                count * sizeof(trace::Record), streams.capacity,
                                                std::as_writable_bytes(std::span(rows)));
            !got)
            return got;
        for (std::uint64_t k = 0; k < streams.capacity; ++k)
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(k * count), count,
                        streams.records.begin() + static_cast<std::ptrdiff_t>(k * streams.threads() +
                                                                              first * records.block_threads));
        streams.counts.insert(streams.counts.end(),
                              records.counts.begin() + static_cast<std::ptrdiff_t>(slot),
                              records.counts.begin() + static_cast<std::ptrdiff_t>(slot + count));
        first = end;
    }
    return {};
}

}  // namespace lanescope::gpu
