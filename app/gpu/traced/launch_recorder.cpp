#include "gpu/traced/launch_recorder.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lanescope::gpu {

using simt::Ending;

namespace {

constexpr std::uint64_t spare_slots = 1u << 18;  // of child grids, while records are counted
constexpr std::uint32_t furthest_point = 64;     // of a thread; address records lie before the first

std::uint64_t bytes_of_cursors(const TraceDevice& device, std::uint64_t threads) {
    return threads * sizeof(std::uint64_t) + (device.checks_accesses() ? sizeof(ptx::Verdict) : 0);
}

std::uint64_t cluster_size(const simt::LaunchRequest& request) {
    return request.cluster ? request.cluster->count() : 1;
}

// Blocks of whole clusters, one cluster after the other.
std::vector<std::uint32_t> by_cluster(const std::vector<std::uint32_t>& blocks,
                                      const simt::LaunchRequest& request) {
    if (cluster_size(request) == 1) return blocks;
    trace::Launch launch;
    launch.grid = request.grid;
    launch.cluster = *request.cluster;
    std::vector<std::uint32_t> ordered;
    for (const std::uint32_t block : blocks) {
        if (launch.rank_in_cluster(block) != 0) continue;
        const std::vector<std::uint32_t> cluster = launch.blocks_of_cluster(launch.cluster_of(block));
        ordered.insert(ordered.end(), cluster.begin(), cluster.end());
    }
    return ordered;
}

}  // namespace

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

Result<void> LaunchRecorder::set_ranges(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges) {
    range_count_ = ranges.size();
    if (ranges.empty()) return {};
    const Result<std::uint64_t> made = room(Use::ranges, ranges.size() * sizeof ranges.front());
    if (!made) return made.diagnostics();
    ranges_ = *made;
    return device_.write(ranges_, std::as_bytes(std::span(ranges)));
}

// A verdict lies behind the cursors.
Result<void> LaunchRecorder::set_probe_state(ptx::ProbeState value, std::uint64_t threads) {
    const bool checks = device_.checks_accesses();
    if (checks) {
        value.verdict = value.cursors + threads * sizeof(std::uint64_t);
        value.ranges = ranges_;
        value.range_count = range_count_;
        if (Result<void> cleared = device_.fill(value.verdict, sizeof(ptx::Verdict), std::byte{0}); !cleared)
            return cleared;
    }
    return device_.write(probe_state_,
                         std::as_bytes(std::span(&value, 1))
                             .first(checks ? sizeof value : offsetof(ptx::ProbeState, verdict)));
}

// If the device keeps records, the run that counts also writes them, as far as they fit: a launch that faults
// then shows what came before.
Result<bool> LaunchRecorder::record_while_counting(std::uint64_t threads) {
    constexpr std::uint64_t fewest = 4;  // records of a thread that are of use
    kept_ = {};
    if (grids_ || !device_.keeps_records()) return false;
    const std::uint64_t room_for = device_.record_bytes(), row = threads * sizeof(trace::Record);
    const std::uint64_t cursors_bytes = bytes_of_cursors(device_, threads);
    if (room_for < cursors_bytes + fewest * row) return false;
    const std::uint64_t capacity = std::min<std::uint64_t>((room_for - cursors_bytes) / row, trace::none);
    const Result<TraceDevice::Address> place = device_.records(room_for);
    if (!place) return place.diagnostics();
    kept_ = {*place, threads, capacity * row, static_cast<std::uint32_t>(capacity)};
    if (Result<void> cleared = device_.fill(*place, kept_.cursors, std::byte{0}); !cleared)
        return cleared.diagnostics();
    std::vector<std::uint64_t> next(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        next[i] = *place + i * sizeof(trace::Record);
    if (Result<void> written = device_.write(*place + kept_.cursors, std::as_bytes(std::span(next)));
        !written)
        return written.diagnostics();
    if (Result<void> set =
            set_probe_state({*place + kept_.cursors, 0, row, *place + kept_.cursors, 0}, threads);
        !set)
        return set.diagnostics();
    return true;
}

Result<TraceDevice::Ran> LaunchRecorder::count(const simt::LaunchRequest& request,
                                               const std::atomic<bool>* cancel,
                                               std::vector<std::uint32_t>& counts) {
    std::uint64_t threads = request.grid.count() * request.block.count();
    if (Result<void> reset = reset_slots(threads); !reset) return reset.diagnostics();
    if (grids_) threads += spare_slots;
    const Result<bool> kept = record_while_counting(threads);
    if (!kept) return kept.diagnostics();
    std::uint64_t cursors = kept_.address + kept_.cursors;
    if (!*kept) {
        const Result<std::uint64_t> made = room(Use::cursors, bytes_of_cursors(device_, threads));
        if (!made) return made.diagnostics();
        cursors = *made;
        if (Result<void> cleared = device_.fill(cursors, threads * 8, std::byte{0}); !cleared)
            return cleared.diagnostics();
        // Every cursor counts in steps of one; nothing lies before the end of the buffer.
        if (Result<void> set = set_probe_state({cursors, 0, 1, 0, grids_ ? threads : 0}, threads); !set)
            return set.diagnostics();
    }
    std::string unused;  // the launch that is recorded prints the same
    Result<TraceDevice::Ran> ran = device_.launch(request, limits_.seconds, cancel, unused);
    if (!ran || ran->ending != Ending::finished) return ran;
    if (grids_) {
        const Result<std::uint64_t> used = used_slots();
        if (!used) return used.diagnostics();
        threads = std::min(*used, threads);
    }
    std::vector<std::uint64_t> read(threads);
    if (Result<void> got = device_.read(cursors, std::as_writable_bytes(std::span(read))); !got)
        return got.diagnostics();
    counts.resize(threads);
    std::transform(read.begin(), read.end(), counts.begin(), [&](std::uint64_t each) {
        const std::uint64_t count = *kept ? (each - kept_.address) / sizeof(trace::Record) / threads : each;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, trace::none));
    });
    return ran;
}

Result<void> LaunchRecorder::recover(const simt::LaunchRequest& request, std::uint32_t launch,
                                     simt::Ending ending) {
    if (kept_.capacity == 0) return error("the device keeps no records");
    const Result<TraceDevice::Address> now = device_.kept_records();
    if (!now) return now.diagnostics();
    std::vector<std::uint64_t> next(kept_.threads);
    if (Result<void> got = device_.read(*now + kept_.cursors, std::as_writable_bytes(std::span(next))); !got)
        return got;
    const std::uint64_t after = *now + kept_.cursors + kept_.threads * sizeof(std::uint64_t);
    verdict_ = {};
    if (device_.checks_accesses())
        if (Result<void> got = device_.read(after, std::as_writable_bytes(std::span(&verdict_, 1))); !got)
            return got;
    records_ = {};
    records_.launch = launch;
    records_.address = *now;
    records_.block_threads = static_cast<std::uint32_t>(request.block.count());
    records_.blocks.resize(request.grid.count());
    std::iota(records_.blocks.begin(), records_.blocks.end(), 0u);
    std::uint32_t most = 1;
    for (const std::uint64_t each : next) {
        const std::uint64_t made = (each - kept_.address) / sizeof(trace::Record) / kept_.threads;
        // One more than there is room for says that there were more.
        records_.counts.push_back(
            static_cast<std::uint32_t>(std::min(made, std::uint64_t{kept_.capacity} + 1)));
        most = std::max(most, std::min(records_.counts.back(), kept_.capacity));
    }
    records_.capacity = most;
    std::vector<std::uint32_t> wanted =
        request.recorded_blocks.empty() ? records_.blocks : request.recorded_blocks;
    std::sort(wanted.begin(), wanted.end());
    // A loop that does not end soon fills gigabytes, and says the same again and again.
    const std::uint64_t room_for =
        ending == simt::Ending::timeout ? limits_.endless_records : limits_.decoded_records;
    const std::uint64_t cluster_threads = cluster_size(request) * records_.block_threads;
    const auto capacity =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room_for / cluster_threads, 1, most));
    const std::uint64_t clusters = std::max<std::uint64_t>(room_for / (capacity * cluster_threads), 1),
                        blocks = clusters * cluster_size(request);
    narrowed_ = wanted.size() > blocks;
    if (narrowed_) {
        wanted = by_cluster(wanted, request);
        wanted.resize(blocks);
        std::sort(wanted.begin(), wanted.end());
    }
    traced_ = std::move(wanted);
    describe_registers();
    if (Result<void> got = read_starts(); !got) return got;
    if (Result<void> got = read_streams(capacity); !got) return got;
    cut_at_gaps();
    return {};
}

// A fault may come between the record and the cursor behind it.
void LaunchRecorder::cut_at_gaps() {
    for (std::uint32_t slot = 0; slot < streams_.counts.size(); ++slot) {
        std::uint32_t& count = streams_.counts[slot];
        for (std::uint32_t k = 0; k < std::min(count, streams_.capacity); ++k)
            if (streams_.at(slot, k).head == 0) count = k;
    }
}

// The wanted blocks, from the first on, as many whole clusters as fit into so many records; every thread gets
// as many as the longest needs.
std::vector<std::uint32_t> LaunchRecorder::blocks_that_fit(const simt::LaunchRequest& request,
                                                           const std::vector<std::uint32_t>& wanted,
                                                           const std::vector<std::uint32_t>& counts,
                                                           std::uint64_t room_for, std::uint32_t& capacity) {
    const std::uint64_t block_threads = request.block.count(), together = cluster_size(request);
    const std::vector<std::uint32_t> blocks = by_cluster(wanted, request);
    std::uint64_t needed = 0;
    std::vector<std::uint32_t> fitting;
    for (std::size_t i = 0; i + together <= blocks.size(); i += together) {
        std::uint64_t longest = needed;
        for (std::size_t k = i; k < i + together; ++k) {
            const auto first = counts.begin() + static_cast<std::ptrdiff_t>(blocks[k] * block_threads);
            // Threads that wait for others may go round more often the next time.
            const std::uint64_t most =
                *std::max_element(first, first + static_cast<std::ptrdiff_t>(block_threads));
            longest = std::max(longest, most + most / 8 + 16);
        }
        if (longest * block_threads * (fitting.size() + together) > room_for && !fitting.empty()) break;
        needed = longest;
        for (std::size_t k = i; k < i + together; ++k)
            fitting.push_back(blocks[k]);
    }
    // Even a single cluster may be too long: then its threads are cut off.
    const std::uint64_t room_each = room_for / std::max<std::uint64_t>(1, fitting.size() * block_threads);
    capacity = static_cast<std::uint32_t>(
        std::min<std::uint64_t>({needed, std::max<std::uint64_t>(1, room_each), trace::none - 1}));
    std::sort(fitting.begin(), fitting.end());
    return fitting;
}

// On the device as many blocks as its buffer takes; in the trace those of them that were asked for, up to a
// limit.
void LaunchRecorder::choose_blocks(const simt::LaunchRequest& request, std::uint32_t launch,
                                   const std::vector<std::uint32_t>& counts) {
    records_ = {};
    records_.launch = launch;
    records_.block_threads = static_cast<std::uint32_t>(request.block.count());
    if (grids_) {
        const std::uint64_t own = request.grid.count() * request.block.count();
        const std::uint32_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
        slots_ = std::max<std::uint64_t>(counts.size(), own);
        slots_ += (slots_ - own) / 8;
        const std::uint64_t room_for =
            std::min(device_.record_bytes() / sizeof(trace::Record), limits_.decoded_records);
        // Whole paths of fewer grids rather than the beginnings of all.
        records_.capacity = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(room_for / std::max<std::uint64_t>(own, 1), 1, most + most / 8 + 16));
        slots_ = std::clamp(slots_, own, std::max(own, room_for / records_.capacity));
        narrowed_ = false;
        return;
    }
    std::vector<std::uint32_t> all(request.grid.count());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::uint32_t> wanted = request.recorded_blocks.empty() ? all : request.recorded_blocks;
    std::sort(wanted.begin(), wanted.end());
    const std::uint64_t on_device = device_.record_bytes() / sizeof(trace::Record);
    std::uint32_t capacity = 0;
    traced_ =
        blocks_that_fit(request, wanted, counts, std::min(on_device, limits_.decoded_records), capacity);
    records_.capacity = capacity;
    records_.blocks = traced_;
    std::uint32_t for_all = 0;
    std::vector<std::uint32_t> more = blocks_that_fit(request, all, counts, on_device, for_all);
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
    kept_ = {};  // this run writes over what was kept
    if (grids_) return record_family(request, cancel, console);
    const std::uint64_t threads = records_.threads(), blocks = request.grid.count();
    const std::uint64_t bytes = threads * records_.capacity * sizeof(trace::Record);
    const Result<TraceDevice::Address> place = device_.records(std::max<std::uint64_t>(bytes, 16));
    if (!place) return place.diagnostics();
    records_.address = *place;
    const Result<std::uint64_t> cursors = room(Use::cursors, bytes_of_cursors(device_, threads));
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
    if (Result<void> set = set_probe_state(state, threads); !set) return set.diagnostics();
    Result<TraceDevice::Ran> ran = device_.launch(request, limits_.seconds, cancel, console);
    if (!ran || ran->ending != Ending::finished) return ran;
    if (Result<void> got = device_.read(*cursors, std::as_writable_bytes(std::span(next))); !got)
        return got.diagnostics();
    records_.counts.resize(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        records_.counts[i] = static_cast<std::uint32_t>((next[i] - *place) / sizeof(trace::Record) / threads);
    if (Result<void> got = read_starts(); !got) return got.diagnostics();
    if (Result<void> got = read_streams(records_.capacity); !got) return got.diagnostics();
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
    for (std::uint32_t k = 1; k < std::min(records_.capacity, furthest_point) && missing > 0; ++k) {
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
        const auto clock = static_cast<double>(records_.clocks[i]);
        const std::uint64_t cycles = since < clock ? static_cast<std::uint64_t>(since) : records_.clocks[i];
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
Result<void> LaunchRecorder::read_streams(std::uint32_t capacity) {
    streams_ = {};
    streams_.launch = records_.launch;
    streams_.blocks = traced_;
    streams_.block_threads = records_.block_threads;
    streams_.capacity = capacity;
    if (assumed_ && !records_.counts.empty())  // most of the room was not needed
        streams_.capacity = std::clamp<std::uint32_t>(
            *std::max_element(records_.counts.begin(), records_.counts.end()), 1, records_.capacity);
    // The other process says how much room it has for records; this one keeps within its own limit.
    streams_.capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        streams_.capacity,
        std::max<std::uint64_t>(1, limits_.decoded_records / std::max(1u, streams_.threads()))));
    streams_.records.resize(std::uint64_t{streams_.capacity} * streams_.threads());
    const std::uint64_t pitch = std::uint64_t{records_.threads()} * sizeof(trace::Record);
    if (!traced_.empty() && traced_.front() != records_.blocks.front()) {
        streams_.first_block = records_.blocks.front();
        streams_.first_records.resize(std::min(streams_.capacity, furthest_point));
        if (Result<void> got = device_.read_rows(records_.address, pitch, sizeof(trace::Record),
                                                 streams_.first_records.size(),
                                                 std::as_writable_bytes(std::span(streams_.first_records)));
            !got)
            return got;
    }
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

std::vector<std::uint32_t> LaunchRecorder::assumed_counts(const simt::LaunchRequest& request) {
    constexpr std::uint64_t fewest = 64, most = 1u << 16;
    std::uint64_t threads = request.grid.count() * request.block.count();
    if (grids_) threads += threads * 8 + 4096;
    const std::uint64_t room_for =
        std::min(device_.record_bytes() / sizeof(trace::Record), limits_.decoded_records);
    assumed_ = true;
    // choose_blocks() adds an eighth.
    return std::vector<std::uint32_t>(
        threads, static_cast<std::uint32_t>(std::clamp(room_for / threads / 8 * 7, fewest, most)));
}

// --- Grids that launch grids -------------------------------------------------------------------------------

Result<void> LaunchRecorder::reset_slots(std::uint64_t used) {
    if (!grids_) return {};
    const Result<TraceDevice::Address> counter = device_.symbol(ptx::GridSlots::symbol);
    if (!counter) return counter.diagnostics();
    return device_.write(*counter, std::as_bytes(std::span(&used, 1)));
}

Result<std::uint64_t> LaunchRecorder::used_slots() {
    const Result<TraceDevice::Address> counter = device_.symbol(ptx::GridSlots::symbol);
    if (!counter) return counter.diagnostics();
    std::uint64_t used = 0;
    if (Result<void> got = device_.read(*counter, std::as_writable_bytes(std::span(&used, 1))); !got)
        return got.diagnostics();
    return used;
}

Result<TraceDevice::Ran> LaunchRecorder::record_family(const simt::LaunchRequest& request,
                                                       const std::atomic<bool>* cancel,
                                                       std::string& console) {
    const std::uint64_t bytes = slots_ * records_.capacity * sizeof(trace::Record);
    const Result<TraceDevice::Address> place = device_.records(std::max<std::uint64_t>(bytes, 16));
    if (!place) return place.diagnostics();
    const Result<std::uint64_t> cursors = room(Use::cursors, bytes_of_cursors(device_, slots_));
    if (!cursors) return cursors.diagnostics();
    std::vector<std::uint64_t> next(slots_);
    for (std::uint64_t i = 0; i < slots_; ++i)
        next[i] = *place + i * sizeof(trace::Record);
    if (Result<void> written = device_.write(*cursors, std::as_bytes(std::span(next))); !written)
        return written.diagnostics();
    const ptx::ProbeState state{*cursors, 0, slots_ * sizeof(trace::Record), *place + bytes, slots_};
    if (Result<void> set = set_probe_state(state, slots_); !set) return set.diagnostics();
    if (Result<void> reset = reset_slots(request.grid.count() * request.block.count()); !reset)
        return reset.diagnostics();
    Result<TraceDevice::Ran> ran = device_.launch(request, limits_.seconds, cancel, console);
    if (!ran || ran->ending != Ending::finished) return ran;
    const Result<std::uint64_t> used = used_slots();
    if (!used) return used.diagnostics();
    if (Result<void> got = device_.read(*cursors, std::as_writable_bytes(std::span(next))); !got)
        return got.diagnostics();
    family_ = {};
    family_.launch = records_.launch;
    family_.block_threads = 1;
    family_.capacity = records_.capacity;
    family_.counts.resize(slots_);
    for (std::uint64_t i = 0; i < slots_; ++i)
        family_.counts[i] = static_cast<std::uint32_t>((next[i] - *place) / sizeof(trace::Record) / slots_);
    const std::uint64_t own = request.grid.count() * request.block.count();
    if (Result<void> got = read_family(std::clamp(*used, own, slots_), *place); !got)
        return got.diagnostics();
    taken_slots_.assign(family_.counts.size(), false);
    take_slots(0, own);
    streams_ = grid_streams(0, request);
    return ran;
}

// The records of the slots that were used, and the clocks of the SMs.
Result<void> LaunchRecorder::read_family(std::uint64_t slots, std::uint64_t place) {
    family_.counts.resize(slots);
    family_.capacity = std::clamp<std::uint32_t>(
        *std::max_element(family_.counts.begin(), family_.counts.end()), 1, family_.capacity);
    family_.blocks.resize(slots);
    std::iota(family_.blocks.begin(), family_.blocks.end(), 0u);
    family_.records.resize(slots * family_.capacity);
    if (Result<void> got =
            device_.read_rows(place, slots_ * sizeof(trace::Record), slots * sizeof(trace::Record),
                              family_.capacity, std::as_writable_bytes(std::span(family_.records)));
        !got)
        return got;
    records_.begins.assign(family_.records.begin(),
                           family_.records.begin() + static_cast<std::ptrdiff_t>(slots));
    records_.clocks.assign(slots, 0);
    for (std::uint32_t slot = 0; slot < slots; ++slot)
        for (std::uint32_t k = 1; k < std::min(family_.counts[slot], family_.capacity); ++k)
            if (kind_of(family_.at(slot, k)) == trace::RecordKind::point) {
                records_.clocks[slot] = family_.at(slot, k).value;
                break;
            }
    find_clock_offsets();
    records_.begins.clear();
    records_.clocks.clear();
    return {};
}

bool LaunchRecorder::take_slots(std::uint64_t first_slot, std::uint64_t threads) {
    const std::uint64_t all = taken_slots_.size();
    if (first_slot >= all || threads > all - first_slot) return false;
    const auto first = taken_slots_.begin() + static_cast<std::ptrdiff_t>(first_slot);
    const auto end = first + static_cast<std::ptrdiff_t>(threads);
    if (std::find(first, end, true) != end) return false;
    std::fill(first, end, true);
    return true;
}

trace::RecordStreams LaunchRecorder::grid_streams(std::uint64_t first_slot,
                                                  const simt::LaunchRequest& request) const {
    trace::RecordStreams streams;
    streams.launch = records_.launch;
    streams.block_threads = static_cast<std::uint32_t>(request.block.count());
    streams.capacity = family_.capacity;
    const std::uint64_t all = family_.counts.size();
    streams.blocks = request.recorded_blocks;
    std::sort(streams.blocks.begin(), streams.blocks.end());
    if (streams.blocks.empty()) {
        streams.blocks.resize(request.grid.count());
        std::iota(streams.blocks.begin(), streams.blocks.end(), 0u);
    }
    const auto add_blocks = [&](const auto& from, std::uint64_t row, auto& to) {
        for (const std::uint32_t block : streams.blocks) {
            const auto first =
                from.begin() +
                static_cast<std::ptrdiff_t>(row + first_slot + std::uint64_t{block} * streams.block_threads);
            to.insert(to.end(), first, first + streams.block_threads);
        }
    };
    add_blocks(family_.counts, 0, streams.counts);
    streams.records.reserve(std::uint64_t{streams.threads()} * streams.capacity);
    for (std::uint32_t k = 0; k < streams.capacity; ++k)
        add_blocks(family_.records, k * all, streams.records);
    return streams;
}

}  // namespace lanescope::gpu
