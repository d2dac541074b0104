#include "gpu/traced/launch_recorder.h"

#include <algorithm>
#include <numeric>

namespace lanescope::gpu {

using simt::Ending;

Result<void> LaunchRecorder::find_probe_state() {
    const Result<TraceDevice::Address> found = device_.symbol(ptx::ProbeState::symbol);
    if (!found) return found.diagnostics();
    probe_state_ = *found;
    return {};
}

Result<std::uint64_t> LaunchRecorder::room(Use use, std::uint64_t size_bytes) {
    std::uint64_t rounded = 4096;
    while (rounded < size_bytes)
        rounded *= 2;
    std::uint64_t& known = scratch_[{use, rounded}];
    if (known != 0) return known;
    Result<TraceDevice::Address> made = device_.allocate(rounded);
    if (!made) return made.diagnostics();
    return known = *made;
}

Result<void> LaunchRecorder::set_probe_state(const ptx::ProbeState& value) {
    return device_.write(probe_state_, std::as_bytes(std::span(&value, 1)));
}

Result<TraceDevice::Ran> LaunchRecorder::count(const simt::LaunchRequest& request,
                                               const std::atomic<bool>* cancel,
                                               std::vector<std::uint32_t>& counts) {
    const std::uint64_t threads = request.grid.count() * request.block.count();
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    if (Result<void> cleared = device_.fill(*cursors, threads * 8, std::byte{0}); !cleared)
        return cleared.diagnostics();
    // Every cursor counts in steps of one; nothing lies before the end of the buffer.
    if (Result<void> set = set_probe_state({*cursors, 0, 1, 0, 0}); !set) return set.diagnostics();
    std::string unused;  // the launch that is recorded prints the same
    Result<TraceDevice::Ran> ran = device_.launch(request, limits_.seconds, cancel, unused);
    if (!ran || ran->ending != Ending::finished) return ran;
    std::vector<std::uint64_t> read(threads);
    if (Result<void> got = device_.read(*cursors, std::as_writable_bytes(std::span(read))); !got)
        return got.diagnostics();
    counts.resize(threads);
    std::transform(read.begin(), read.end(), counts.begin(), [](std::uint64_t each) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(each, trace::none));
    });
    return ran;
}

// The wanted blocks, from the first on, as many as fit into so many records; every thread gets as many as the
// longest needs.
std::vector<std::uint32_t> LaunchRecorder::blocks_that_fit(const std::vector<std::uint32_t>& wanted,
                                                           const std::vector<std::uint32_t>& counts,
                                                           std::uint32_t block_threads,
                                                           std::uint64_t room_for, std::uint32_t& capacity) {
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
void LaunchRecorder::choose_blocks(const simt::LaunchRequest& request, std::uint32_t launch,
                                   const std::vector<std::uint32_t>& counts) {
    records_ = {};
    records_.launch = launch;
    records_.block_threads = static_cast<std::uint32_t>(request.block.count());
    std::vector<std::uint32_t> all(request.grid.count());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::uint32_t> wanted = request.recorded_blocks.empty() ? all : request.recorded_blocks;
    std::sort(wanted.begin(), wanted.end());
    const std::uint64_t on_device = device_.record_bytes() / sizeof(trace::Record);
    std::uint32_t capacity = 0;
    traced_ = blocks_that_fit(wanted, counts, records_.block_threads,
                              std::min(on_device, limits_.decoded_records), capacity);
    records_.capacity = capacity;
    records_.blocks = traced_;
    std::uint32_t for_all = 0;
    std::vector<std::uint32_t> more =
        blocks_that_fit(all, counts, records_.block_threads, on_device, for_all);
    // The map shows more of the grid than the trace holds.
    if (more.size() > traced_.size() &&
        std::includes(more.begin(), more.end(), traced_.begin(), traced_.end())) {
        records_.capacity = std::max(for_all, 1u);
        records_.blocks = std::move(more);
    }
    describe_registers();
    narrowed_ = traced_.size() < wanted.size();
}

Result<TraceDevice::Ran> LaunchRecorder::record(const simt::LaunchRequest& request,
                                                const std::atomic<bool>* cancel, std::string& console) {
    const std::uint64_t threads = records_.threads(), blocks = request.grid.count();
    const std::uint64_t bytes = threads * records_.capacity * sizeof(trace::Record);
    const Result<TraceDevice::Address> place = device_.records(std::max<std::uint64_t>(bytes, 16));
    if (!place) return place.diagnostics();
    records_.address = *place;
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    std::vector<std::uint64_t> next(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        next[i] = *place + i * sizeof(trace::Record);
    if (Result<void> written = device_.write(*cursors, std::as_bytes(std::span(next))); !written)
        return written.diagnostics();
    ptx::ProbeState state{*cursors, 0, threads * sizeof(trace::Record), *place + bytes, 0};
    if (records_.blocks.size() != blocks) {
        std::vector<std::uint32_t> slots(blocks, trace::none);
        for (std::uint32_t i = 0; i < records_.blocks.size(); ++i)
            slots[records_.blocks[i]] = i;
        const Result<std::uint64_t> table = room(Use::slots, blocks * 4);
        if (!table) return table.diagnostics();
        if (Result<void> written = device_.write(*table, std::as_bytes(std::span(slots))); !written)
            return written.diagnostics();
        state.slots = *table;
    }
    if (Result<void> set = set_probe_state(state); !set) return set.diagnostics();
    Result<TraceDevice::Ran> ran = device_.launch(request, limits_.seconds, cancel, console);
    if (!ran || ran->ending != Ending::finished) return ran;
    if (Result<void> got = device_.read(*cursors, std::as_writable_bytes(std::span(next))); !got)
        return got.diagnostics();
    records_.counts.resize(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        records_.counts[i] = static_cast<std::uint32_t>((next[i] - *place) / sizeof(trace::Record) / threads);
    if (Result<void> got = read_starts(); !got) return got.diagnostics();
    if (Result<void> got = read_streams(); !got) return got.diagnostics();
    return ran;
}

// When and where each thread began: its first record, and its first point some records later.
// %globaltimer is common to all SMs, but coarse: the least that an SM's threads tell is the nearest.
Result<void> LaunchRecorder::read_starts() {
    const std::uint64_t threads = records_.threads(), row = threads * sizeof(trace::Record);
    records_.begins.resize(threads);
    records_.clocks.assign(threads, 0);
    if (Result<void> got = device_.read(records_.address, std::as_writable_bytes(std::span(records_.begins)));
        !got)
        return got;
    std::vector<trace::Record> next(threads);
    std::uint64_t missing = threads;
    constexpr std::uint32_t furthest = 64;  // address records lie in between
    for (std::uint32_t k = 1; k < std::min(records_.capacity, furthest) && missing > 0; ++k) {
        if (Result<void> got =
                device_.read(records_.address + k * row, std::as_writable_bytes(std::span(next)));
            !got)
            return got;
        for (std::uint64_t i = 0; i < threads; ++i) {
            if (records_.clocks[i] != 0 || kind_of(next[i]) != trace::RecordKind::point) continue;
            records_.clocks[i] = next[i].value;
            --missing;
        }
    }
    find_clock_offsets();
    return {};
}

void LaunchRecorder::find_clock_offsets() {
    std::uint64_t first = ~0ull;
    for (const trace::Record& begin : records_.begins)
        if (kind_of(begin) == trace::RecordKind::begin) first = std::min(first, begin.value);
    for (std::size_t i = 0; i < records_.begins.size(); ++i) {
        const trace::Record& begin = records_.begins[i];
        constexpr std::uint32_t max_sms = 65536;
        if (kind_of(begin) != trace::RecordKind::begin || records_.clocks[i] == 0 || begin.extra >= max_sms)
            continue;
        if (begin.extra >= records_.clock_offsets.size())
            records_.clock_offsets.resize(begin.extra + 1, ~0ull);
        const double since = static_cast<double>(begin.value - first) * device_.cycles_per_ns();
        const auto cycles = std::min(static_cast<std::uint64_t>(since), records_.clocks[i]);
        records_.clock_offsets[begin.extra] =
            std::min(records_.clock_offsets[begin.extra], records_.clocks[i] - cycles);
    }
}

void LaunchRecorder::describe_registers() {
    for (const simt::DecodedFunction& function : program_->functions) {
        auto& slots = records_.slot_registers.emplace_back();
        for (const std::vector<std::uint32_t>& pairs : function.slot_homes) {
            auto& registers = slots.emplace_back();
            for (const std::uint32_t pair : pairs)
                registers.push_back(function.homes[pair].reg);
        }
    }
}

// The streams of the blocks that go into the trace: runs of neighbouring slots at a time.
Result<void> LaunchRecorder::read_streams() {
    streams_ = {};
    streams_.launch = records_.launch;
    streams_.blocks = traced_;
    streams_.block_threads = records_.block_threads;
    streams_.capacity = records_.capacity;
    streams_.records.resize(std::uint64_t{streams_.capacity} * streams_.threads());
    const std::uint64_t pitch = std::uint64_t{records_.threads()} * sizeof(trace::Record);
    for (std::size_t first = 0; first < traced_.size();) {
        const auto at = std::lower_bound(records_.blocks.begin(), records_.blocks.end(), traced_[first]);
        const auto slot = static_cast<std::uint64_t>(at - records_.blocks.begin()) * records_.block_threads;
        std::size_t end = first + 1;
        while (end < traced_.size() &&
               at + static_cast<std::ptrdiff_t>(end - first) < records_.blocks.end() &&
               at[static_cast<std::ptrdiff_t>(end - first)] == traced_[end])
            ++end;
        const std::uint64_t count = (end - first) * records_.block_threads;
        std::vector<trace::Record> rows(count * streams_.capacity);
        if (Result<void> got = device_.read_rows(records_.address + slot * sizeof(trace::Record), pitch,
                                                 count * sizeof(trace::Record), streams_.capacity,
                                                 std::as_writable_bytes(std::span(rows)));
            !got)
            return got;
        for (std::uint64_t k = 0; k < streams_.capacity; ++k)
            std::copy_n(
                rows.begin() + static_cast<std::ptrdiff_t>(k * count), count,
                streams_.records.begin() +
                    static_cast<std::ptrdiff_t>(k * streams_.threads() + first * records_.block_threads));
        streams_.counts.insert(streams_.counts.end(),
                               records_.counts.begin() + static_cast<std::ptrdiff_t>(slot),
                               records_.counts.begin() + static_cast<std::ptrdiff_t>(slot + count));
        first = end;
    }
    return {};
}

}  // namespace lanescope::gpu
