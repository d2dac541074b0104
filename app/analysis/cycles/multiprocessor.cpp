#include "analysis/cycles/multiprocessor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/cycles/memory_system.h"

namespace lanescope::analysis {

namespace {

constexpr double never = 1e18;

struct Warp {
    const std::vector<StreamEntry>* stream = nullptr;
    std::size_t at = 0;
    std::uint32_t block = 0;  // the how manieth of the multiprocessor
    std::uint32_t number = 0;
    std::uint32_t repetition = 0;  // how often the block's recording ran before
    double previous = 0;           // since then it waits
    double next = 0;               // the earliest issue, whatever its operands
    double ready = never;          // the earliest issue
    Stall next_reason = Stall::instructions, ready_reason = Stall::instructions;
    Stall held = Stall::not_selected;  // why it did not issue although it was ready
    double written_at = 0;             // all that it wrote is in L2
    double copied_at = 0;              // its asynchronous copies have arrived
    bool at_barrier = false, done = false;
    std::vector<float> value_at;
    std::vector<Stall> value_reason;
};

struct Block {
    std::uint32_t live = 0, arrived = 0;
    double ends = 0;
    std::vector<std::uint32_t> warps;
};

struct Scheduler {
    std::vector<std::uint32_t> warps;  // the oldest first
    std::uint32_t last = 0xffffffff;   // which issued last; it goes on while it can
    double free_at = 0;
    double alu = 0, wide = 0, float64 = 0, function = 0, convert = 0, matrix = 0;  // busy until then
};

class Simulation {
  public:
    Simulation(const LaunchStreams& streams, const LaunchContext& context, std::vector<StallCycles>& by_line)
        : streams_(streams),
          context_(context),
          device_(context.device),
          machine_(context.machine),
          by_line_(by_line),
          sharing_(streams, context),
          active_(std::min(device_.multiprocessors, context.grid)),
          blocks_(std::max(1.0, std::ceil(context.grid / device_.multiprocessors))),
          memory_(streams, context, sharing_, active_),
          code_seen_(machine_.size() + 1),
          repetitions_(streams.blocks.size()),
          schedulers_(static_cast<std::size_t>(std::max(1.0, device_.schedulers))) {
        choose_count();
    }

    LaunchCycles run() {
        for (std::uint64_t i = 0; i < resident_; ++i)
            start_block(0);
        while (ended_.size() < simulated_ && issued_ < context_.most_instructions) {
            double next = never;
            for (Scheduler& scheduler : schedulers_)
                next = std::min(next, step(scheduler));
            next = std::min(next, end_blocks());
            if (next >= never) break;
            now_ = std::max(next, now_);
        }
        return result();
    }

  private:
    void choose_count() {
        double entries = 0;
        for (const BlockStream& block : streams_.blocks)
            entries += static_cast<double>(block.entries());
        entries /= static_cast<double>(streams_.blocks.size());
        resident_ = static_cast<std::uint64_t>(
            std::min<double>(std::max<std::uint32_t>(1, context_.resident_blocks), blocks_));
        simulated_ =
            static_cast<std::uint64_t>(std::min(blocks_, std::max<double>(3 * resident_, resident_ + 2)));
        while (simulated_ > resident_ + 1 &&
               static_cast<double>(simulated_) * entries > static_cast<double>(context_.most_instructions))
            --simulated_;
        total_entries_ = entries * blocks_;
    }

    // The recording that stands for the multiprocessor's block `nth`.
    std::size_t recording_of(std::uint64_t nth) const {
        const std::vector<BlockStream>& recorded = streams_.blocks;
        // The launch ends with its longest block.
        if (blocks_ <= static_cast<double>(resident_) && nth == 0)
            return static_cast<std::size_t>(std::max_element(recorded.begin(), recorded.end(),
                                                             [](const BlockStream& a, const BlockStream& b) {
                                                                 return a.entries() < b.entries();
                                                             }) -
                                            recorded.begin());
        const double wanted = (static_cast<double>(nth) + 0.5) / static_cast<double>(simulated_) *
                              static_cast<double>(streams_.grid);
        auto found = std::lower_bound(recorded.begin(), recorded.end(), wanted,
                                      [](const BlockStream& a, double b) { return a.block < b; });
        if (found == recorded.end()) --found;
        if (found != recorded.begin() && wanted - (found - 1)->block <= found->block - wanted) --found;
        return static_cast<std::size_t>(found - recorded.begin());
    }

    void start_block(double now) {
        const double at = std::max(now, last_start_ + active_ / device_.blocks_per_cycle);
        last_start_ = at;
        const std::size_t recording = recording_of(started_++);
        const std::uint32_t repetition = repetitions_[recording]++;
        const auto number = static_cast<std::uint32_t>(residents_.size());
        Block& block = residents_.emplace_back();
        for (const std::vector<StreamEntry>& stream : streams_.blocks[recording].warps) {
            if (stream.empty()) continue;
            const auto id = static_cast<std::uint32_t>(warps_.size());
            Warp& warp = warps_.emplace_back();
            warp.stream = &stream;
            warp.block = number;
            warp.number = block.live;
            warp.repetition = repetition;
            warp.previous = at + block.live * device_.warp_interval;
            warp.next = warp.previous + device_.first_instruction;
            warp.value_at.assign(machine_.register_count(), 0);
            warp.value_reason.assign(machine_.register_count(), Stall::arithmetic);
            schedulers_[(block.live + number) % schedulers_.size()].warps.push_back(id);
            block.warps.push_back(id);
            ++block.live;
            prepare(warp);
        }
        block.ends = at;
        begin_rows(number, static_cast<float>(at), streams_.blocks[recording].block);
        if (block.live == 0) ending_.push_back(number);
    }

    void begin_rows(std::uint32_t number, float at, std::uint32_t recorded) {
        const std::uint32_t warps = residents_[number].live;
        std::uint32_t row = rows_;
        if (free_rows_.empty()) {
            rows_ += warps;
        } else {
            row = free_rows_.front();
            free_rows_.erase(free_rows_.begin());
        }
        begun_.push_back({at, 0, recorded, row, warps});
    }

    // Passes over instructions that vanish, and finds out when the next one can issue.
    void prepare(Warp& warp) {
        for (; warp.at < warp.stream->size(); ++warp.at) {
            const MachineOp& op = machine_.at((*warp.stream)[warp.at].pc);
            if (op.unit != Unit::none && op.unit != Unit::constant) break;
            if (warp.at + 1 == warp.stream->size()) break;
            pass(warp, op);
        }
        warp.ready = warp.next;
        warp.ready_reason = warp.next_reason;
        const auto wait = [&](double until, Stall reason) {
            if (until <= warp.ready) return;
            warp.ready = until;
            warp.ready_reason = reason;
        };
        const MachineOp& op = machine_.at((*warp.stream)[warp.at].pc);
        for (const std::uint32_t reg : machine_.reads(op))
            wait(warp.value_at[reg], warp.value_reason[reg]);
        for (const std::uint32_t reg : machine_.writes(op))
            wait(warp.value_at[reg], warp.value_reason[reg]);
        if (op.unit == Unit::fence) wait(warp.written_at, Stall::fence);
        if (op.unit == Unit::copy_wait) wait(warp.copied_at, Stall::global_memory);
    }

    void pass(Warp& warp, const MachineOp& op) {
        float at = 0;
        Stall reason = Stall::arithmetic;
        for (const std::uint32_t reg : machine_.reads(op)) {
            if (warp.value_at[reg] <= at) continue;
            at = warp.value_at[reg];
            reason = warp.value_reason[reg];
        }
        if (op.unit == Unit::constant) {
            if (constants_at_ < 0) constants_at_ = std::max(now_, warp.next) + device_.cold_constants;
            if (constants_at_ > at) {
                at = static_cast<float>(constants_at_);
                reason = Stall::constant_cache;
            }
        }
        for (const std::uint32_t reg : machine_.writes(op)) {
            warp.value_at[reg] = at;
            warp.value_reason[reg] = reason;
        }
    }

    // Until when the unit of the instruction is taken, and what the warp then waits for.
    double taken_until(const Scheduler& scheduler, const Warp& warp, const MachineOp& op, Stall& reason) {
        reason = Stall::pipe_busy;
        switch (op.unit) {
            case Unit::alu:
            case Unit::vote:
                return scheduler.alu;
            case Unit::add:
                return std::min(scheduler.alu, scheduler.wide);
            case Unit::wide:
                return scheduler.wide;
            case Unit::float64:
                return scheduler.float64;
            case Unit::function:
                return scheduler.function;
            case Unit::convert:
                return scheduler.convert;
            case Unit::matrix:
                return scheduler.matrix;
            case Unit::shuffle:
                reason = Stall::shared_queue;
                return memory_.can_queue_at(now_);
            case Unit::memory: {
                const StreamEntry& entry = (*warp.stream)[warp.at];
                const bool is_shared = entry.request != no_request &&
                                       streams_.requests[entry.request].space == trace::Space::shared;
                reason = is_shared ? Stall::shared_queue : Stall::memory_queue;
                return memory_.can_queue_at(now_);
            }
            default:
                return 0;
        }
    }

    // Issues an instruction of the scheduler if one is ready. Returns when to look again.
    double step(Scheduler& scheduler) {
        if (scheduler.free_at > now_) return scheduler.free_at;
        double next = never;
        std::uint32_t chosen = 0xffffffff;
        for (const std::uint32_t id : scheduler.warps) {
            Warp& warp = warps_[id];
            if (warp.done || warp.at_barrier) continue;
            if (warp.ready > now_) {
                next = std::min(next, warp.ready);
                continue;
            }
            if (chosen != 0xffffffff && id != scheduler.last) continue;
            Stall reason{};
            const MachineOp& op = machine_.at((*warp.stream)[warp.at].pc);
            const double taken = taken_until(scheduler, warp, op, reason);
            if (taken > now_) {
                warp.held = reason;
                next = std::min(next, taken);
                continue;
            }
            chosen = id;
        }
        if (chosen == 0xffffffff) return next;
        scheduler.last = chosen;
        issue(scheduler, warps_[chosen]);
        return scheduler.free_at;
    }

    void add(const Warp& warp, std::uint32_t line, Stall stall, double from, double to) {
        if (to <= from) return;
        stalls_[static_cast<std::size_t>(stall)] += to - from;
        if (line >= by_line_.size()) by_line_.resize(line + 1);
        const double weight = context_.grid / blocks_ * (warp.block >= resident_ ? later_weight() : 1);
        by_line_[line][static_cast<std::size_t>(stall)] += (to - from) * weight;
        if (intervals_.size() < context_.most_intervals)
            intervals_.push_back({static_cast<float>(from), static_cast<float>(to), line,
                                  static_cast<std::uint16_t>(warp.number),
                                  static_cast<std::uint16_t>(warp.block), stall});
    }
    // The simulated blocks after the first ones stand for all later ones.
    double later_weight() const {
        if (blocks_ <= static_cast<double>(simulated_) || simulated_ <= resident_) return 1;
        return (blocks_ - static_cast<double>(resident_)) / static_cast<double>(simulated_ - resident_);
    }

    void issue(Scheduler& scheduler, Warp& warp) {
        const StreamEntry entry = (*warp.stream)[warp.at];
        const MachineOp& op = machine_.at(entry.pc);
        const std::uint32_t line = context_.lines[entry.pc];
        const double could = std::max(warp.previous, std::min(warp.ready, now_));
        add(warp, line, warp.ready_reason, warp.previous, could);
        add(warp, line, warp.held, could, now_);
        add(warp, line, Stall::issues, now_, now_ + 1);
        ++issued_;
        double slots = op.slots;
        warp.next = now_ + 1;
        warp.next_reason = Stall::arithmetic;
        execute(scheduler, warp, op, entry, slots);
        scheduler.free_at = now_ + slots;
        warp.next = std::max(warp.next, scheduler.free_at);
        fetch(warp, entry.pc);
        warp.previous = now_ + 1;
        ++warp.at;
        warp.held = Stall::not_selected;
        if (warp.at == warp.stream->size())
            finish(warp, line);
        else if (warp.at_barrier)
            open_barrier(warp.block);
        else
            prepare(warp);
    }

    // The first warp that reaches a line of code waits for it.
    void fetch(Warp& warp, std::uint32_t pc) {
        const auto line = static_cast<std::size_t>(pc / device_.instructions_per_line);
        if (code_seen_[line]) return;
        code_seen_[line] = true;
        if (now_ + device_.cold_instructions <= warp.next) return;
        warp.next = now_ + device_.cold_instructions;
        warp.next_reason = Stall::instructions;
    }

    void set_results(Warp& warp, const MachineOp& op, double at, Stall reason) {
        for (const std::uint32_t reg : machine_.writes(op)) {
            warp.value_at[reg] = static_cast<float>(at);
            warp.value_reason[reg] = reason;
        }
    }

    void execute(Scheduler& scheduler, Warp& warp, const MachineOp& op, const StreamEntry& entry,
                 double& slots) {
        const DeviceModel& d = device_;
        const auto arithmetic = [&](double& busy, double interval, double latency) {
            busy = std::max(busy, now_) + interval * op.slots;
            set_results(warp, op, now_ + op.slots - 1 + latency, Stall::arithmetic);
        };
        switch (op.unit) {
            case Unit::alu:
                return arithmetic(scheduler.alu, d.alu_interval, d.alu_latency);
            case Unit::add:
                return scheduler.alu <= now_ ? arithmetic(scheduler.alu, d.alu_interval, d.alu_latency)
                                             : arithmetic(scheduler.wide, d.wide_interval, d.alu_latency);
            case Unit::fma:
                return set_results(warp, op, now_ + d.fma_latency, Stall::arithmetic);
            case Unit::wide:
                return arithmetic(scheduler.wide, d.wide_interval, d.wide_latency);
            case Unit::float64:
                return arithmetic(scheduler.float64, d.double_interval, d.double_latency);
            case Unit::function:
                scheduler.function = now_ + d.function_interval;
                return set_results(warp, op, now_ + op.slots - 1 + d.function_latency, Stall::shared_memory);
            case Unit::convert:
                scheduler.convert = now_ + d.convert_interval;
                return set_results(warp, op, now_ + d.convert_latency, Stall::shared_memory);
            case Unit::matrix:
                return arithmetic(scheduler.matrix, d.matrix_interval, d.matrix_latency);
            case Unit::special:
                return set_results(warp, op, now_ + d.special_register, Stall::shared_memory);
            case Unit::divide:
            case Unit::int_divide:
                slots = op.slots * (op.unit == Unit::divide ? d.float_divide : d.integer_divide);
                // Both begin with a reciprocal; that of an integer is converted there and back.
                scheduler.function = now_ + d.function_interval;
                return set_results(warp, op,
                                   now_ + slots * d.alu_latency + d.function_latency +
                                       (op.unit == Unit::int_divide ? 2 * d.convert_latency : 0),
                                   Stall::arithmetic);
            case Unit::memory:
                return access(warp, op, entry);
            case Unit::shuffle: {
                const MemorySystem::Answer answer = memory_.shuffle(now_);
                return set_results(warp, op, answer.value_at, answer.reason);
            }
            case Unit::vote:
                return arithmetic(scheduler.alu, d.alu_interval, d.vote_latency);
            case Unit::warp_sync:
                return wait(warp, d.warp_sync, Stall::arithmetic);
            case Unit::fence:
                return wait(warp, d.fence, Stall::fence);
            case Unit::branch:
                return wait(warp, d.branch, Stall::branch);
            case Unit::barrier:
                set_results(warp, op, now_ + d.barrier, Stall::barrier);
                warp.at_barrier = true;
                ++residents_[warp.block].arrived;
                return;
            case Unit::none:
            case Unit::constant:
            case Unit::arrive:
            case Unit::copy_wait:
            case Unit::other:
                return set_results(warp, op, now_ + d.alu_latency, Stall::arithmetic);
        }
    }

    void wait(Warp& warp, double cycles, Stall reason) {
        if (now_ + cycles <= warp.next) return;
        warp.next = now_ + cycles;
        warp.next_reason = reason;
    }

    void access(Warp& warp, const MachineOp& op, const StreamEntry& entry) {
        const MemorySystem::Answer answer = entry.request == no_request
                                                ? memory_.access_without_request(now_, op)
                                                : memory_.access(now_, op, streams_.requests[entry.request],
                                                                 warp.repetition, is_first_wave(warp));
        warp.written_at = std::max(warp.written_at, answer.written_at);
        if (answer.flight_bytes > 0 && flights_.size() < context_.most_intervals)
            flights_.push_back({static_cast<float>(now_), static_cast<float>(answer.value_at),
                                static_cast<std::uint32_t>(answer.flight_bytes)});
        if (op.asynchronous) warp.copied_at = std::max(warp.copied_at, answer.value_at);
        set_results(warp, op, answer.value_at, answer.reason);
    }

    // If only a part of the first wave is simulated, it stands for all waves.
    bool is_first_wave(const Warp& warp) const {
        if (warp.block >= resident_) return false;
        return total_entries_ * static_cast<double>(simulated_) <=
                   static_cast<double>(context_.most_instructions) * blocks_ ||
               blocks_ < 2 * static_cast<double>(resident_);
    }

    void open_barrier(std::uint32_t number) {
        Block& block = residents_[number];
        if (block.arrived < block.live || block.arrived == 0) return;
        block.arrived = 0;
        for (const std::uint32_t id : block.warps) {
            Warp& warp = warps_[id];
            if (!warp.at_barrier) continue;
            warp.at_barrier = false;
            warp.next = now_ + device_.barrier;
            warp.next_reason = Stall::barrier;
            prepare(warp);
        }
    }

    void finish(Warp& warp, std::uint32_t line) {
        warp.done = true;
        const double end = std::max(now_ + 1, warp.written_at);
        add(warp, line, Stall::drain, now_ + 1, end);
        Block& block = residents_[warp.block];
        if (std::exchange(warp.at_barrier, false)) --block.arrived;
        block.ends = std::max(block.ends, end);
        if (--block.live == 0)
            ending_.push_back(warp.block);
        else
            open_barrier(warp.block);
    }

    // Returns when the next block ends whose warps have all ended.
    double end_blocks() {
        double next = never;
        for (std::size_t i = 0; i < ending_.size();) {
            Block& block = residents_[ending_[i]];
            if (block.ends > now_) {
                next = std::min(next, block.ends);
                ++i;
                continue;
            }
            begun_[ending_[i]].end = static_cast<float>(now_);
            free_rows_.push_back(begun_[ending_[i]].first_row);
            ending_.erase(ending_.begin() + static_cast<std::ptrdiff_t>(i));
            ended_.push_back(now_);
            for (Scheduler& scheduler : schedulers_)
                std::erase_if(scheduler.warps,
                              [&](std::uint32_t id) { return warps_[id].done && forget(id, block); });
            if (started_ < simulated_) {
                start_block(now_ + device_.block_turnaround);
                next = std::min(next, now_);
            }
        }
        return next;
    }
    bool forget(std::uint32_t id, const Block& block) {
        if (std::find(block.warps.begin(), block.warps.end(), id) == block.warps.end()) return false;
        warps_[id].value_at = {};
        warps_[id].value_reason = {};
        return true;
    }

    double total_cycles() {
        if (ended_.size() < simulated_) {
            // It was stopped: the rest runs at the same rate.
            const double rest = total_entries_ - static_cast<double>(issued_) * entries_per_issue();
            return now_ * (1 + std::max(0.0, rest) / std::max(1.0, total_entries_ - rest));
        }
        const double end = ended_.empty() ? now_ : ended_.back();
        const double later = blocks_ - static_cast<double>(simulated_);
        if (later <= 0) return end;
        // From the end of the first wave on the multiprocessor is as full as it stays.
        const std::size_t count = ended_.size();
        const std::size_t first = count >= resident_ + 2 && resident_ > 0 ? resident_ - 1 : 0;
        const double rate = count >= resident_ + 2
                                ? (ended_.back() - ended_[first]) / static_cast<double>(count - 1 - first)
                                : end / static_cast<double>(count);
        return end + later * rate;
    }
    // Entries of streams for each issued instruction: some vanish.
    double entries_per_issue() const {
        double passed = 0;
        for (const Warp& warp : warps_)
            passed += static_cast<double>(warp.at);
        return passed / static_cast<double>(std::max<std::uint64_t>(1, issued_));
    }

    LaunchCycles result() {
        LaunchCycles made;
        made.cycles = total_cycles();
        made.blocks = static_cast<std::uint64_t>(context_.grid);
        made.resident_blocks = static_cast<std::uint32_t>(resident_);
        made.issued = issued_;
        made.whole = ended_.size() >= blocks_;
        made.simulated_cycles = now_;
        made.rows = rows_;
        made.stalls = stalls_;
        made.useful_flight = memory_.useful_flight();
        made.intervals = std::move(intervals_);
        if (context_.most_intervals > 0) made.simulated = std::move(begun_);
        made.flights = std::move(flights_);
        const double time = std::max(1.0, now_);
        const double passed = static_cast<double>(issued_) * entries_per_issue();
        const double scale = total_entries_ / std::max(1.0, passed) * context_.grid / blocks_;
        made.dram_bytes = memory_.dram_bytes() * scale;
        made.l2_bytes = memory_.l2_bytes() * scale;
        made.issue_share = static_cast<double>(issued_) / (device_.schedulers * time);
        made.dram_share = memory_.dram_bytes() / memory_.dram_rate() / time;
        made.l2_share = memory_.l2_bytes() / memory_.l2_rate() / time;
        made.l1_share = memory_.l1_busy() / time;
        made.dispatch_share = static_cast<double>(started_) * active_ / device_.blocks_per_cycle / time;
        return made;
    }

    const LaunchStreams& streams_;
    const LaunchContext& context_;
    const DeviceModel& device_;
    const MachineCode& machine_;
    std::vector<StallCycles>& by_line_;
    Sharing sharing_;
    double active_;                               // multiprocessors
    double blocks_;                               // of the busiest multiprocessor
    std::uint64_t resident_ = 1, simulated_ = 1;  // blocks
    double total_entries_ = 0;
    MemorySystem memory_;
    std::vector<bool> code_seen_;
    std::vector<std::uint32_t> repetitions_;  // of each recording
    std::vector<Warp> warps_;
    std::vector<Block> residents_;
    std::vector<Scheduler> schedulers_;
    std::vector<std::uint32_t> ending_;
    std::vector<double> ended_;
    StallCycles stalls_{};
    std::vector<WarpInterval> intervals_;
    std::vector<SimulatedBlock> begun_;
    std::vector<MemoryFlight> flights_;
    std::vector<std::uint32_t> free_rows_;  // first rows that ended blocks have left
    std::uint32_t rows_ = 0;
    double now_ = 0, last_start_ = -1e9, constants_at_ = -1;
    std::uint64_t started_ = 0, issued_ = 0;
};

}  // namespace

LaunchCycles simulate(const LaunchStreams& streams, const LaunchContext& context,
                      std::vector<StallCycles>& by_line) {
    return Simulation(streams, context, by_line).run();
}

}  // namespace lanescope::analysis
