#include "analysis/cycles/memory_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.h"

namespace lanescope::analysis {

namespace {

constexpr double bytes_of_sector = 32, sectors_per_pass = 4;
constexpr std::size_t most_arrivals = 1 << 16;

// A number in [0, 1) that depends on the key alone. Source: C. Wellons, "Prospecting for Hash Functions".
double fraction_of(std::uint32_t key) {
    key ^= key >> 16;
    key *= 0x7feb352d;
    key ^= key >> 15;
    key *= 0x846ca68b;
    key ^= key >> 16;
    return key / 4294967296.0;
}

}  // namespace

MemorySystem::MemorySystem(const LaunchStreams& streams, const LaunchContext& context, const Sharing& sharing,
                           double active)
    : streams_(streams),
      context_(context),
      device_(context.device),
      sharing_(sharing),
      active_(active),
      slice_sectors_(static_cast<std::uint32_t>(std::max(1.0, device_.slice_bytes / bytes_of_sector))),
      l2_rate_(std::min(device_.port_bytes_per_cycle, device_.l2_bytes_per_cycle / active)),
      dram_rate_(std::min(device_.port_bytes_per_cycle, device_.dram_gb_per_s / device_.clock_ghz / active)),
      l1_(std::max(16.0 * 1024,
                   device_.l1_bytes - context.resident_blocks * static_cast<double>(streams.shared_bytes))) {}

void MemorySystem::occupy(double now, double cycles) {
    unit_ = std::max(unit_, now) + cycles;
    l1_busy_ += cycles;
}

double MemorySystem::can_queue_at(double now) {
    while (!queue_.empty() && queue_.front() <= now)
        queue_.pop_front();
    return static_cast<double>(queue_.size()) < device_.queued_requests ? now : queue_.front();
}

std::uint32_t MemorySystem::place(std::uint32_t sector, std::uint32_t repetition) const {
    constexpr std::uint32_t apart = 0xc00f04;  // whole lines; wraps around seldom
    return repetition != 0 && sharing_.is_private(sector) ? sector + repetition * apart : sector;
}

// The other multiprocessors do the same, a little earlier or later: their accesses go where the last ones of
// this one went.
double MemorySystem::contend(std::uint32_t sector, double from, double cycles, unsigned sectors) {
    constexpr std::uint32_t most_recent = 1024, draws = 8;
    const std::uint32_t slice = sector / slice_sectors_;
    if (sharing_.is_contended(sector)) {
        for (unsigned i = 0; i < sectors; ++i) {
            if (recent_.size() < most_recent)
                recent_.push_back(slice);
            else
                recent_[contended_count_ % most_recent] = slice;
            ++contended_count_;
        }
        for (std::uint32_t i = 0; i < draws; ++i) {
            const double drawn =
                fraction_of(contended_count_ * draws + i) * static_cast<double>(recent_.size());
            double& other = busy_slice_[recent_[static_cast<std::size_t>(drawn)]];
            other = std::max(other, from) + cycles * (active_ - 1) / draws;
        }
    }
    double& until = busy_slice_[slice];
    until = std::max(until, from) + cycles;
    return until;
}

// The busier DRAM is, the longer an access waits for banks and rows; at full load it would wait for ever.
double MemorySystem::dram_wait(double now, double service) {
    constexpr double window = 1000, most_load = 1.1;
    dram_load_ = dram_load_ * elementary::exp((dram_seen_ - now) / window) + service;
    dram_seen_ = now;
    const double load = std::min(1.0, dram_load_ / window);
    return device_.dram_spread * load * load / (most_load - load);
}

MemorySystem::Answer MemorySystem::access_without_request(double now, const MachineOp& op) {
    occupy(now, device_.request_interval);
    queue_.push_back(std::max(unit_, now + 1));
    return {op.unused ? 0 : now + device_.alu_latency, 0, Stall::arithmetic};
}

MemorySystem::Answer MemorySystem::shuffle(double now) {
    occupy(now, device_.request_interval);
    queue_.push_back(std::max(unit_, now + 1));
    return {unit_ + device_.shuffle_latency - 1, 0, Stall::shared_memory};
}

MemorySystem::Answer MemorySystem::access(double now, const MachineOp& op, const MemoryRequest& request,
                                          std::uint32_t repetition, bool first_wave) {
    Answer answer;
    switch (request.space) {
        case trace::Space::shared:
            answer = shared(now, op, request);
            break;
        case trace::Space::constant:
            answer = {now + device_.constant_latency, 0, Stall::constant_cache};
            break;
        case trace::Space::local:
            occupy(now, device_.request_interval);
            answer = {request.kind == trace::AccessKind::load ? unit_ + device_.l1_latency : 0, 0};
            break;
        case trace::Space::global:
            answer = request.kind == trace::AccessKind::load ? load(now, op, request, repetition, first_wave)
                     : request.kind == trace::AccessKind::store ? store(now, request, repetition)
                                                                : atomic(now, op, request);
    }
    queue_.push_back(std::max(unit_, now + 1));
    return answer;
}

MemorySystem::Answer MemorySystem::shared(double now, const MachineOp& op, const MemoryRequest& request) {
    const bool atomic = request.kind == trace::AccessKind::atomic;
    if (atomic && !op.unused) {
        const double rounds = op.swap ? 2 : 1;
        occupy(now, std::max(1.0, request.wavefronts * rounds));
        return {unit_ + device_.shared_atomic * rounds, 0, Stall::shared_memory};
    }
    occupy(now, std::max(device_.request_interval, static_cast<double>(request.wavefronts)));
    const bool load = request.kind == trace::AccessKind::load;
    return {load ? unit_ + device_.shared_latency - 1 : 0, 0, Stall::shared_memory};
}

MemorySystem::Answer MemorySystem::load(double now, const MachineOp& op, const MemoryRequest& request,
                                        std::uint32_t repetition, bool first_wave) {
    occupy(now, std::max({device_.request_interval, request.lines * device_.line_interval,
                          request.sectors / sectors_per_pass}));
    const auto piece_sectors = static_cast<std::uint32_t>(device_.dram_bytes / bytes_of_sector);
    // The first fetch of a texture reads the texture's description before.
    if (op.texture && !std::exchange(texture_seen_, true)) unit_ += device_.dram_latency;
    double value_at = unit_ + device_.l1_latency - 1;
    unsigned misses = 0, fetches = 0;
    double slowest = -1;  // of what comes from DRAM, 0 … 1
    requested_.clear();
    for (std::uint32_t i = 0; i < request.sectors; ++i) {
        const std::uint32_t sector = place(streams_.sectors[request.first + i], repetition);
        const std::uint32_t piece = sector / piece_sectors;
        // What was asked for before may still be on its way.
        if (const auto found = arrival_.find(piece); found != arrival_.end())
            value_at = std::max(value_at, static_cast<double>(found->second));
        if (!op.uncached && l1_.touch(sector, true)) continue;
        ++misses;
        requested_.push_back(piece);
        if (!fetched_.insert(piece).second) continue;
        const bool fresh = fraction_of(piece) < sharing_.fresh();
        // What another multiprocessor has just asked for is on its way.
        if (!fresh && !(first_wave && context_.cold)) continue;
        slowest = std::max(slowest, fraction_of(~piece));
        fetches += fresh ? 1 : 0;
    }
    if (misses == 0) return {value_at, 0, Stall::global_memory};
    l2_ = std::max(l2_, unit_) + misses * bytes_of_sector / l2_rate_;
    l2_bytes_ += misses * bytes_of_sector;
    value_at = std::max(value_at, l2_ + device_.l2_latency);
    if (slowest >= 0) {
        dram_ = std::max(dram_, unit_) + fetches * device_.dram_bytes / dram_rate_;
        dram_bytes_ += fetches * device_.dram_bytes;
        const double wait = dram_wait(unit_, fetches * device_.dram_bytes / dram_rate_);
        value_at = std::max(value_at, dram_ + device_.dram_latency + (0.5 + slowest) * wait);
    }
    if (arrival_.size() > most_arrivals) arrival_.clear();
    for (const std::uint32_t piece : requested_)
        arrival_[piece] = static_cast<float>(value_at);
    return {value_at, 0, Stall::global_memory, misses * bytes_of_sector};
}

MemorySystem::Answer MemorySystem::store(double now, const MemoryRequest& request, std::uint32_t repetition) {
    occupy(now, std::max({device_.request_interval, request.lines * device_.line_interval,
                          request.sectors / sectors_per_pass}));
    const double bytes = request.sectors * bytes_of_sector;
    const double asked = std::min(bytes, static_cast<double>(request.lanes) * request.width_bytes);
    writes_ = std::max(writes_, unit_) +
              request.sectors * device_.store_interval * active_ / device_.multiprocessors;
    l2_ = std::max(l2_, unit_) + bytes / l2_rate_;
    dram_ = std::max(dram_, unit_) + asked / dram_rate_;
    l2_bytes_ += bytes;
    dram_bytes_ += asked;
    double done = std::max({l2_, dram_, writes_});
    for (std::uint32_t i = 0; i < request.sectors; ++i) {
        const std::uint32_t sector = streams_.sectors[request.first + i];
        l1_.touch(place(sector, repetition), false);
        if (sharing_.is_contended(sector)) done = std::max(done, contend(sector, unit_, 1, 1));
    }
    // The queue of stores is full: the unit has to wait.
    if (done - now > device_.queued_stores) unit_ = std::max(unit_, done - device_.queued_stores);
    return {0, done + device_.store_latency, Stall::global_memory};
}

MemorySystem::Answer MemorySystem::atomic(double now, const MachineOp& op, const MemoryRequest& request) {
    occupy(now, device_.atomic_request);
    const double sent = unit_;
    // Each slice of L2 does one sector after the other, and the lanes at one address too.
    const double passes = op.aggregated ? 1 : request.passes;
    double done = sent;
    for (std::uint32_t i = 0; i < request.sectors;) {
        const std::uint32_t first = streams_.sectors[request.first + i];
        unsigned sectors = 0;
        for (; i < request.sectors; ++i, ++sectors)
            if (streams_.sectors[request.first + i] / slice_sectors_ != first / slice_sectors_) break;
        const double cycles = std::max(sectors * device_.atomic_sector, passes * device_.atomic_interval);
        done = std::max(done, contend(first, sent, cycles, sectors));
    }
    l2_ = std::max(l2_, sent) + request.sectors * bytes_of_sector / l2_rate_;
    l2_bytes_ += request.sectors * bytes_of_sector;
    if (done - now > device_.queued_stores + device_.l2_latency)
        unit_ = std::max(unit_, done - device_.queued_stores - device_.l2_latency);
    if (op.unused) return {0, done + device_.l2_latency, Stall::global_memory};
    return {std::max(done, l2_) + device_.l2_latency, 0, Stall::global_memory,
            request.sectors * bytes_of_sector};
}

}  // namespace lanescope::analysis
