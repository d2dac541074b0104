// One pass over the trace with a shadow of the memory: the last write of each cell and the reads since, each
// with its thread and time (FastTrack: C. Flanagan, S. Freund, PLDI 2009; warps take the place of threads
// where their lanes agree).
#include "analysis/races.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analysis/async_copies.h"
#include "analysis/checked_reads.h"
#include "analysis/ended_blocks.h"
#include "analysis/happens_before.h"
#include "analysis/memory_order.h"
#include "analysis/race_log.h"
#include "analysis/shadow.h"
#include "analysis/written_pages.h"
#include "trace/events.h"

namespace lanescope::analysis {
namespace {

using trace::AccessKind;
using trace::Event;
using trace::EventKind;
using trace::Mask;
using trace::Space;
using trace::Trace;
using trace::Turn;

// What is the same for all lanes of an access.
struct LaneAccess {
    const Event* event = nullptr;
    const MemoryOrder* order = nullptr;
    Time time = 0;
    std::uint32_t warp = 0;
    std::uint64_t instance = 0;
    bool reads = false, writes = false;
    Time issued = 0;  // of a copy whose bytes arrive: when it was issued, if that is known
};

// The later lanes of a store that write what is there already.
bool writes_same_value(const Event& event, unsigned lane, unsigned nth) {
    if (trace::newly_set_of(event, lane, nth) != 0) return false;
    const std::byte* delta = event.deltas + (event.uniform ? 0 : std::size_t{nth} * event.delta_bytes);
    for (unsigned i = 0; i < event.delta_bytes; ++i)
        if (delta[i] != std::byte{0}) return false;
    return true;
}

}  // namespace

class RaceSearch::Search {
  public:
    Search(const Trace& trace, const Code& code, const RaceLimits& limits, const std::atomic<bool>* cancelled)
        : trace_(trace), code_(code), log_(trace, limits, orders_), limits_(limits), cancelled_(cancelled) {
        orders_.reserve(trace.program.code_rows.size());
        for (std::uint32_t pc = 0; pc < trace.program.code_rows.size(); ++pc)
            orders_.push_back(memory_order(code, pc));
        copies_later_ = std::any_of(orders_.begin(), orders_.end(),
                                    [](const MemoryOrder& order) { return order.copies; });
    }

    RaceReport run() {
        for (std::uint32_t launch = 0; launch < trace_.launches.size(); ++launch) {
            begin_launch(launch);
            run_turns(trace_.launches[launch], true);
            end_launch();
        }
        return finish();
    }

    void take_slice(bool last) {
        if (order_ == nullptr) begin_launch(static_cast<std::uint32_t>(trace_.launches.size() - 1));
        release_ = 0;
        log_.begin_slice(slice_begin_);
        run_turns(trace_.launches.back(), last);
        slice_begin_ += trace_.turns.size();
        if (last) end_launch();
    }

    RaceReport finish() {
        report_.problems = log_.take();
        for (trace::Problem& problem : ended_.take())
            report_.problems.push_back(std::move(problem));
        return std::move(report_);
    }

  private:
    void begin_launch(std::uint32_t number) {
        const trace::Launch& launch = trace_.launches[number];
        log_.begin_launch(number, slice_begin_);
        ended_.begin_launch(number);
        order_ = std::make_unique<HappensBefore>(launch);
        global_ = Shadow();
        shared_.clear();
        agreements_.clear();
        seen_.clear();
        copies_.clear();
        arrived_.clear();
        bytes_left_ = limits_.shadow_bytes;
        written_ = WrittenPages();
        all_written_ = false;
        warps_per_block_ = launch.warps_per_block();
        one_thread_ = launch.grid.count() == 1 && launch.block.count() == 1;
    }

    void end_launch() {
        reads_.flush();
        order_ = nullptr;
    }

    // `last`: later slices cannot write what the launch has read so far.
    void run_turns(const trace::Launch& launch, bool last) {
        if (one_thread_) return skip_releases(launch.end_turn);
        all_written_ = all_written_ || !last;
        if (!all_written_) find_writes(launch);
        find_copies(launch);
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn && !cancelled(turn); ++turn) {
            release_barriers(turn);
            run_turn(turn);
        }
        release_barriers(launch.end_turn);
        skip_releases(launch.end_turn);
    }

    bool may_be_written(std::uint64_t page) const { return all_written_ || written_.holds(page); }

    void find_writes(const trace::Launch& launch) {
        Event event;
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn && !cancelled(turn); ++turn) {
            trace::EventReader reader(trace_, turn);
            while (reader.next(event))
                if (event.space == Space::global &&
                    (event.kind == EventKind::store || event.kind == EventKind::atomic))
                    written_.add(event);
        }
    }

    // Where the copies of these turns go is known once they arrive.
    void find_copies(const trace::Launch& launch) {
        issues_.clear(), arrivals_.clear();
        next_issue_ = 0;
        if (!copies_later_) return;
        for (const AsyncCopy& copy : find_async_copies(trace_, code_, launch.first_turn, launch.end_turn)) {
            if (copy.arrived == AsyncCopy::never || !order_of(copy.pc).copies) continue;
            arrivals_[{copy.arrived, copy.arrival_ordinal, copy.to}] = {
                time_of(slice_begin_ + copy.issued + 1, copy.issue_ordinal),
                copy.block * warps_per_block_ + copy.thread / trace::warp_size};
            issues_.push_back(copy);
        }
    }

    // A copy may write from its issue on: what others did with the place must come before that.
    void issue_copies(const Event& read, std::uint64_t number, LaneAccess access) {
        Event write = read;
        write.kind = EventKind::store;
        write.affine = write.uniform = true;
        write.newly = trace::NewlySet::all;
        write.stride = 0;
        access.event = &write;
        access.reads = false;
        access.writes = true;
        while (next_issue_ < issues_.size() && issues_[next_issue_].issued < number)
            ++next_issue_;
        for (std::size_t i = next_issue_; i < issues_.size() && issues_[i].issued == number; ++i) {
            const AsyncCopy& copy = issues_[i];
            const unsigned lane = copy.thread % trace::warp_size;
            if (copy.pc != read.pc || copy.issue_ordinal != read.ordinal || (read.mask >> lane & 1) == 0)
                continue;
            write.space = copy.to_space;
            write.width = copy.width_bytes;
            write.base = copy.to;
            write.mask = write.newly_mask = Mask{1} << lane;
            access.instance = copy.to_space == Space::shared ? std::uint64_t{copy.block} + 1 : 0;
            touch(copy.to_space == Space::global ? global_ : shared_[copy.block], access, copy.to, lane, 0,
                  write.mask);
        }
    }

    void release_barriers(std::uint64_t turn) {
        for (; release_ < trace_.releases.size() && trace_.releases[release_].turn <= turn; ++release_)
            order_->release_barrier(trace_.releases[release_].block, trace_.releases[release_].barrier,
                                    time_of(slice_begin_ + trace_.releases[release_].turn, 0xffff));
    }
    void skip_releases(std::uint64_t end) {
        while (release_ < trace_.releases.size() && trace_.releases[release_].turn <= end)
            ++release_;
    }

    void run_turn(std::uint64_t number) {
        const Turn& turn = trace_.turns[number];
        const std::uint32_t warp = turn.block * warps_per_block_ + turn.warp;
        trace::EventReader reader(trace_, number);
        Event event;
        Mask exited = 0;
        while (reader.next(event)) {
            // The first turn's own time would be 0, which means never.
            const Time now = time_of(slice_begin_ + number + 1, event.ordinal);
            if (trace::is_access(event.kind)) {
                if (event.space == Space::global || event.space == Space::shared)
                    access(event, turn, number, warp, now);
            } else if (event.kind == EventKind::sync) {
                synchronise(event, warp, now);
            } else if (event.kind == EventKind::exit) {
                exited |= event.mask;
            }
        }
        if (turn.end == trace::TurnEnd::exited || turn.end == trace::TurnEnd::fault) exited |= turn.mask;
        if (exited == 0) return;
        order_->exit(warp, exited);
        ended_.exit(*order_, warp, exited, turn.line, order_->finished(turn.block));
        if (order_->cluster_finished(turn.block)) forget_shared(turn.block);
    }

    // No thread reaches the shared memory of the cluster's blocks any more.
    void forget_shared(std::uint32_t block) {
        for (const std::uint32_t each : order_->cluster_around(block)) {
            const auto own = shared_.find(each);
            if (own == shared_.end()) continue;
            bytes_left_ += own->second.bytes();
            shared_.erase(own);
        }
    }

    void synchronise(const Event& event, std::uint32_t warp, Time now) {
        switch (event.sync) {
            case trace::SyncKind::fence:
                return order_->fence(warp, event.mask, static_cast<trace::FenceScope>(event.detail), now);
            case trace::SyncKind::arrive:
                if (event.detail == HappensBefore::cluster_barrier)
                    return order_->arrive_at_cluster(warp, event.mask, order_of(event.pc).relaxed_arrival,
                                                     now);
                return order_->arrive(warp, event.mask, event.detail, false, now);
            case trace::SyncKind::wait:
                if (event.detail == HappensBefore::cluster_barrier)
                    return order_->wait_for_cluster(warp, event.mask);
                return order_->arrive(warp, event.mask, event.detail, true, now);
            case trace::SyncKind::meet:
                return order_->meet(warp, event.mask, now,
                                    order_of(event.pc).exchange.empty() ? trace::none : event.pc);
        }
    }

    void access(const Event& event, const Turn& turn, std::uint64_t number, std::uint32_t warp, Time now) {
        LaneAccess access;
        access.event = &event;
        access.order = &order_of(event.pc);
        access.time = now;
        access.warp = warp;
        const std::uint32_t owner = event.owner == trace::none ? turn.block : event.owner;
        access.instance = event.space == Space::shared ? std::uint64_t{owner} + 1 : 0;
        access.reads = event.kind != EventKind::store;
        access.writes = event.kind != EventKind::load;
        if (access.order->copies && line_in_code(event.pc) == 0) note_copy(event, turn, warp, now);
        if (access.order->copies && event.kind == EventKind::load) issue_copies(event, number, access);
        if (access.order->asynchronous || reads_constants(event)) return;
        Shadow& shadow = event.space == Space::global ? global_ : shared_[owner];
        const bool uniform = event.affine && event.stride == 0 && event.kind == EventKind::load;
        unsigned nth = 0;
        for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const std::uint64_t offset = trace::offset_of(event, lane, nth);
            if (access.order->copies && access.writes) attribute(number, offset, warp, access);
            touch(shadow, access, offset, lane, nth, uniform ? event.mask : Mask{1} << lane);
            if (uniform) break;
        }
        if (event.owner != trace::none && !order_->finished(owner)) note_remote(event, access);
        if (!access.order->strong && !access.writes) return;
        nth = 0;
        for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth)
            hand_on(access, static_cast<std::uint8_t>(std::countr_zero(rest)), nth);
    }

    // Bytes that arrive in a turn of another warp are written by the one that issued the copy.
    void attribute(std::uint64_t turn, std::uint64_t offset, std::uint32_t running,
                   LaneAccess& access) const {
        const auto found = arrivals_.find({turn, access.event->ordinal, offset});
        const bool known = found != arrivals_.end();
        access.issued = known ? found->second.issued : 0;
        access.warp = known ? found->second.warp : running;
    }

    // The bytes of a copy arrive in the step that waits for them; its line is that of the step that made it.
    void note_copy(const Event& event, const Turn& turn, std::uint32_t warp, Time now) {
        constexpr std::size_t most = 4096;  // as many as the machine lets a warp have
        std::deque<Copy>& made = copies_[{warp, event.pc}];
        if (event.kind == EventKind::load) {
            if (made.size() >= most) made.pop_front();
            made.push_back({event.mask, trace::line_of(trace_, turn, event.pc)});
            return;
        }
        for (Copy& copy : made) {
            if ((copy.lanes & event.mask) == 0) continue;
            copy.lanes &= ~event.mask;
            arrived_[{now, event.pc}] = copy.line;
            break;
        }
        while (!made.empty() && made.front().lanes == 0)
            made.pop_front();
    }

    void note_remote(const Event& event, const LaneAccess& access) {
        const std::uint32_t line = line_at(access.time, event.pc);
        unsigned nth = 0;
        for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
            const auto lane = static_cast<std::uint8_t>(std::countr_zero(rest));
            ended_.note(event.owner, {access.warp, lane},
                        {event.pc, line, trace::access_kind(event.kind), trace::offset_of(event, lane, nth),
                         access.time});
        }
    }

    // Whether the access loads neighbouring memory that no thread writes in this launch.
    bool reads_constants(const Event& event) const {
        if (event.kind != EventKind::load || event.space != Space::global || !event.affine) return false;
        const auto first = static_cast<unsigned>(std::countr_zero(event.mask));
        const auto last = 31 - static_cast<unsigned>(std::countl_zero(event.mask));
        const std::uint64_t a = trace::offset_of(event, first, 0), b = trace::offset_of(event, last, 0);
        const std::uint64_t end = (std::max(a, b) + event.width - 1) / Shadow::page_bytes;
        std::uint64_t page = std::min(a, b) / Shadow::page_bytes;
        if (event.mask == 0 || end - page > 16) return false;
        while (page <= end && !may_be_written(page))
            ++page;
        return page > end;
    }

    // Applies the effect of the access on the order of threads.
    void hand_on(const LaneAccess& access, std::uint8_t lane, unsigned nth) {
        const HappensBefore::Location location{access.instance, trace::offset_of(*access.event, lane, nth)};
        const MemoryOrder& order = *access.order;
        if (order.compares)
            reads_.settle({access.warp, lane}, access.instance, location.offset, access.event->width);
        if (!order.strong) return order_->weak_write(location);
        const HappensBefore::Strength strength{order.scope, order.releases, order.acquires, order.atomic};
        if (access.reads) order_->strong_read({access.warp, lane}, location, strength);
        if (!access.writes || (order.polls && writes_same_value(*access.event, lane, nth))) return;
        order_->strong_write({access.warp, lane}, location, strength, access.time);
    }

    // All cells of one lane's bytes. `readers`: the lanes that read these very bytes.
    void touch(Shadow& shadow, const LaneAccess& access, std::uint64_t offset, unsigned lane, unsigned nth,
               Mask readers) {
        const unsigned width = access.event->width;
        const bool narrow = ((offset | width) & 3) != 0;
        for (std::uint64_t at = offset; at < offset + width;) {
            const std::uint64_t number = at / Shadow::page_bytes;
            const std::uint64_t end = std::min(offset + width, (number + 1) * Shadow::page_bytes);
            Shadow::Page* page = nullptr;
            if (access.event->space == Space::shared || may_be_written(number))
                page = shadow.page(number, narrow, bytes_left_);
            else
                at = end;
            if (page == nullptr && at != end) note_incomplete();
            for (; page != nullptr && at < end; at += std::uint64_t{1} << page->shift) {
                ShadowCell& cell = page->cells[at % Shadow::page_bytes >> page->shift];
                if (access.writes)
                    write(shadow, cell, access, at, lane, nth);
                else
                    read(shadow, cell, access, at, readers);
            }
            at = end;
        }
    }

    bool before_barrier(const ShadowAccess& earlier, std::uint32_t warp) {
        return order_->block_of(earlier.warp) == order_->block_of(warp) &&
               earlier.time <= order_->full_barrier(order_->block_of(warp));
    }

    void read(Shadow& shadow, ShadowCell& cell, const LaneAccess& access, std::uint64_t offset, Mask lanes) {
        check(cell.write, access, lanes, offset, cell.agreed, &cell);
        if (access.order->strong) see(cell.write, access, lanes);
        if (cell.older_writes && (cell.older_plain || !quiet(access.event->pc)))
            for (std::uint32_t at = cell.older; at != 0; at = shadow.older(at).next)
                if (shadow.older(at).touch.writes)
                    check(shadow.older(at).touch, access, lanes, offset, false);
        const ShadowAccess now{access.time, access.warp, lanes, access.event->pc, false};
        ShadowAccess& last = cell.read;
        const bool covers = !access.order->strong || order_of(last.pc).strong;
        if (last.lanes == 0 || cell.read_stale ||
            (covers && last.warp == now.warp && (last.lanes & ~lanes) == 0)) {
            last = now;
        } else if (last.time == now.time && last.warp == now.warp && last.pc == now.pc) {
            last.lanes |= lanes;
        } else {
            if (!before_barrier(last, now.warp)) keep(shadow, cell, last);
            last = now;
        }
        cell.read_stale = false;
    }

    void write(Shadow& shadow, ShadowCell& cell, const LaneAccess& access, std::uint64_t offset,
               unsigned lane, unsigned nth) {
        const Mask self = Mask{1} << lane;
        const bool strong = access.order->strong;
        if (access.issued != 0) {
            if (trace::newly_set_of(*access.event, lane, nth) == 0)
                find_unawaited(shadow, cell, access, offset, lane);
            // The issue was compared with what came before it.
            shadow.free_older(cell.older);
            cell.older = 0;
            cell.older_count = 0;
            cell.older_writes = cell.older_plain = false;
            cell.read_stale = cell.read.lanes != 0;
            cell.write = {access.time, access.warp, self, access.event->pc, true};
            return;
        }
        const bool same =
            cell.write.lanes != 0 && !access.reads && writes_same_value(*access.event, lane, nth);
        const bool noted = check(cell.write, access, self, offset, same) && same;
        // The last write hides what was read before it only if this write conflicts with the last write, too.
        bool raced = false;
        if (!cell.read_stale || noted || (strong && order_of(cell.write.pc).strong))
            raced = check(cell.read, access, self, offset, same && !cell.read_stale, &cell);
        if (cell.older_plain || !quiet(access.event->pc))
            for (std::uint32_t at = cell.older; at != 0; at = shadow.older(at).next)
                check(shadow.older(at).touch, access, self, offset, false);
        const ShadowAccess now{access.time, access.warp, self, access.event->pc, true};
        agree(cell, now, {access.instance, offset}, same && !strong && !order_of(cell.write.pc).strong,
              noted);
        // A compare-and-swap checks what its thread has read.
        if (access.order->compares && cell.read.warp == access.warp) cell.read.lanes &= ~self;
        if (raced || (noted && !cell.read_stale)) cell.read.lanes = 0;
        cell.read_stale = cell.read.lanes != 0;
        if (strong) {
            // They need no order among themselves: a later weak access has to come after all of them. A weak
            // one stays: another thread's strong access may come after this one, and not after that.
            const bool weak = !order_of(cell.write.pc).strong;
            if (cell.write.lanes != 0 &&
                (weak ? !before_barrier(cell.write, now.warp) : cell.write.warp != now.warp))
                keep(shadow, cell, cell.write);
        } else {
            shadow.free_older(cell.older);
            cell.older = 0;
            cell.older_count = 0;
            cell.older_writes = cell.older_plain = false;
        }
        cell.write = now;
    }

    // Accesses since the copy was issued, in any order: its bytes may have been there or not. A cell without
    // a value is another finding, that of the access.
    void find_unawaited(Shadow& shadow, const ShadowCell& cell, const LaneAccess& access,
                        std::uint64_t offset, unsigned lane) {
        const auto look = [&](const ShadowAccess& touch) {
            if (touch.lanes == 0 || touch.time <= access.issued) return;
            const ThreadId who{touch.warp, static_cast<std::uint8_t>(std::countr_zero(touch.lanes))};
            conflict(touch, who, {access.warp, static_cast<std::uint8_t>(lane)}, access, offset,
                     RaceClass::unawaited);
        };
        look(cell.read);
        look(cell.write);
        for (std::uint32_t at = cell.older; at != 0; at = shadow.older(at).next)
            look(shadow.older(at).touch);
    }

    // Remembers which threads wrote the value that a cell has. `same`: `now` writes it again.
    void agree(ShadowCell& cell, const ShadowAccess& now, HappensBefore::Location place, bool same,
               bool noted) {
        constexpr std::size_t most = 1 << 16;  // beyond, a thread that reads its own value has a race
        if (same && (cell.agreed || (noted && agreements_.size() < most))) {
            Writers& writers = agreements_[place];
            if (!cell.agreed) writers = {{cell.write.warp, cell.write.lanes}};
            writers[now.warp] |= now.lanes;
            cell.agreed = true;
        } else if (cell.agreed) {
            agreements_.erase(place);
            cell.agreed = false;
        }
    }

    // Whether the thread wrote the value that the cell has.
    bool wrote(const ShadowCell& cell, HappensBefore::Location place, ThreadId thread) const {
        if (cell.write.warp == thread.warp && (cell.write.lanes >> thread.lane & 1) != 0) return true;
        const auto found = cell.agreed ? agreements_.find(place) : agreements_.end();
        if (found == agreements_.end()) return false;
        const auto lanes = found->second.find(thread.warp);
        return lanes != found->second.end() && (lanes->second >> thread.lane & 1) != 0;
    }

    // Reports each lane of `lanes` that is not ordered after a lane of the earlier touch. `same_value`: the
    // write changes nothing; beside a read, which names its cell, only if the reader wrote that value itself.
    bool check(const ShadowAccess& earlier, const LaneAccess& access, Mask lanes, std::uint64_t offset,
               bool same_value, const ShadowCell* read_cell = nullptr) {
        if (earlier.lanes == 0 || before_barrier(earlier, access.warp)) return false;
        if (may_stand(earlier, access)) {
            look_for_signal(earlier, access, lanes, offset);
            return false;
        }
        bool found = false;
        for (Mask left = earlier.lanes; left != 0; left &= left - 1) {
            const ThreadId who{earlier.warp, static_cast<std::uint8_t>(std::countr_zero(left))};
            for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
                const ThreadId later{access.warp, static_cast<std::uint8_t>(std::countr_zero(rest))};
                const bool before = order_->ordered(who, earlier.time, later, order_of(earlier.pc).strong);
                HappensBefore::Meeting met;
                if (before) met = order_->exchanged_alone(who, earlier.time, later);
                if (before && !met) {
                    if (!earlier.writes || access.order->strong ||
                        !order_->acquired_by_barrier(who, earlier.time, later, order_of(earlier.pc).strong))
                        continue;
                    conflict(earlier, who, later, access, offset, RaceClass::barrier);
                    continue;
                }
                const bool same =
                    same_value && (read_cell == nullptr || wrote(*read_cell, {access.instance, offset},
                                                                 earlier.writes ? later : who));
                if (met && same) continue;
                conflict(earlier, who, later, access, offset, same ? RaceClass::note : RaceClass::race, met);
                found = true;
            }
        }
        return found;
    }

    static std::uint64_t key_of(ThreadId thread) {
        return std::uint64_t{thread.warp} * trace::warp_size + thread.lane;
    }

    // The lanes have read what a strong access wrote.
    void see(const ShadowAccess& write, const LaneAccess& access, Mask lanes) {
        constexpr std::size_t most = 32;  // writers that a thread remembers
        if (write.lanes == 0 || write.warp == access.warp || !order_of(write.pc).strong) return;
        const ThreadId writer{write.warp, static_cast<std::uint8_t>(std::countr_zero(write.lanes))};
        trace::each_lane(lanes, [&](std::uint8_t lane) {
            std::vector<Seen>& list = seen_[key_of({access.warp, lane})];
            for (Seen& each : list)
                if (each.writer == writer) {
                    if (each.time < write.time) each = {writer, write.time, write.pc};
                    return;
                }
            if (list.size() >= most) list.erase(list.begin());
            list.push_back({writer, write.time, write.pc});
        });
    }

    // Strong accesses, of which a volatile one carries data: the reader saw a later write of the same thread,
    // and no fence promises that this write comes after the earlier one.
    void look_for_signal(const ShadowAccess& earlier, const LaneAccess& access, Mask lanes,
                         std::uint64_t offset) {
        if (!earlier.writes || !access.reads || access.writes || seen_.empty() ||
            earlier.warp == access.warp || !(order_of(earlier.pc).is_volatile && access.order->is_volatile))
            return;
        const ThreadId who{earlier.warp, static_cast<std::uint8_t>(std::countr_zero(earlier.lanes))};
        trace::each_lane(lanes, [&](std::uint8_t lane) {
            const ThreadId later{access.warp, lane};
            const auto list = seen_.find(key_of(later));
            if (list == seen_.end() || order_->ordered(who, earlier.time, later, false)) return;
            for (const Seen& each : list->second)
                if (each.writer == who && each.time > earlier.time)
                    conflict(earlier, who, later, access, offset, RaceClass::relaxed, {},
                             line_at(each.time, each.pc));
        });
    }

    // Atomics never race with each other, but those of block or cluster scope do across blocks or clusters.
    bool quiet(std::uint32_t pc) const {
        const MemoryOrder& order = order_of(pc);
        return order.atomic && order.scope >= trace::FenceScope::gpu;
    }

    // Keeps a touch that is no longer the last one.
    void keep(Shadow& shadow, ShadowCell& cell, const ShadowAccess& touch) {
        constexpr unsigned most = 16;
        cell.older = shadow.add_older(touch, cell.older);
        cell.older_writes = cell.older_writes || touch.writes;
        cell.older_plain = cell.older_plain || !quiet(touch.pc);
        if (++cell.older_count > most) forget(shadow, cell);
    }

    // Drops touches that come before the newest one, because what comes after it comes after them, and
    // earlier touches of the same warp; if a cell has very many, also the oldest.
    void forget(Shadow& shadow, ShadowCell& cell) {
        constexpr unsigned most = 8;
        const ShadowAccess newest = shadow.older(cell.older).touch;
        unsigned count = 1;
        std::uint32_t* link = &shadow.older(cell.older).next;
        while (*link != 0) {
            Shadow::Older& entry = shadow.older(*link);
            const ShadowAccess& touch = entry.touch;
            const bool covered = touch.warp == newest.warp && touch.writes == newest.writes &&
                                 (touch.lanes & ~newest.lanes) == 0 &&
                                 (order_of(touch.pc).strong || !order_of(newest.pc).strong);
            if (count >= most || covered || before_barrier(touch, newest.warp)) {
                const std::uint32_t gone = *link;
                *link = entry.next;
                entry.next = 0;
                shadow.free_older(gone);
            } else {
                ++count;
                link = &entry.next;
            }
        }
        cell.older_count = static_cast<std::uint8_t>(count);
    }

    const MemoryOrder& order_of(std::uint32_t pc) const {
        static const MemoryOrder weak;
        return pc < orders_.size() ? orders_[pc] : weak;
    }

    // Lanes that ran together when the earlier access happened: what lockstep alone would order.
    bool in_lockstep(const ShadowAccess& earlier, ThreadId later) const {
        if (earlier.warp != later.warp) return false;
        const Turn* turn = turn_at(earlier.time);
        return turn == nullptr || (turn->mask >> later.lane & 1) != 0;
    }

    // Null: it was in an earlier slice.
    const Turn* turn_at(Time time) const {
        const std::uint64_t number = turn_of(time) - 1;
        return number < slice_begin_ ? nullptr : &trace_.turns[number - slice_begin_];
    }

    std::uint32_t line_in_code(std::uint32_t pc) const {
        return pc < trace_.program.code_rows.size() ? trace_.program.code_rows[pc].line : 0;
    }

    std::uint32_t line_at(Time time, std::uint32_t pc) const {
        if (const auto copy = arrived_.find({time, pc}); copy != arrived_.end()) return copy->second;
        const Turn* turn = turn_at(time);
        return turn != nullptr ? trace::line_of(trace_, *turn, pc) : line_in_code(pc);
    }

    // Two strong accesses never race, whatever their order. Volatile ones that lockstep orders are looked at
    // lane by lane.
    bool may_stand(const ShadowAccess& earlier, const LaneAccess& access) const {
        const MemoryOrder& before = order_of(earlier.pc);
        const MemoryOrder& after = *access.order;
        if (!before.strong || !after.strong) return false;
        if (earlier.warp == access.warp && !before.atomic && !after.atomic) return false;
        const auto either = [&](trace::FenceScope scope) {
            return before.scope == scope || after.scope == scope;
        };
        if (either(trace::FenceScope::block))
            return order_->block_of(earlier.warp) == order_->block_of(access.warp);
        return !either(trace::FenceScope::cluster) || order_->in_one_cluster(earlier.warp, access.warp);
    }

    void conflict(const ShadowAccess& earlier, ThreadId who, ThreadId later, const LaneAccess& access,
                  std::uint64_t offset, RaceClass what, HappensBefore::Meeting met = {},
                  std::uint32_t signal_line = 0) {
        const MemoryOrder& before = order_of(earlier.pc);
        const MemoryOrder& after = *access.order;
        const bool same_instruction = earlier.warp == access.warp && earlier.time == access.time;
        const bool lockstep = !same_instruction && in_lockstep(earlier, later);
        const bool hidden = lockstep && (before.is_volatile || after.is_volatile);
        if (before.strong && after.strong && earlier.warp == access.warp && !hidden) return;
        Conflict found;
        found.what = what == RaceClass::race && lockstep ? RaceClass::unsynced : what;
        if (what == RaceClass::unawaited) {
            found.what = RaceClass::race;
            found.unawaited = true;
        }
        found.signal_line = signal_line;
        if (met) {
            // A matrix operation whose lanes meet only in the operation itself has not waited for them.
            const bool itself = !before.exchange.empty() || !after.exchange.empty();
            found.what = itself ? RaceClass::unsynced : RaceClass::exchanged;
            found.exchange = order_of(met.pc).exchange;
            found.exchange_line = line_at(met.time, met.pc);
        }
        const AccessKind kind = before.atomic    ? AccessKind::atomic
                                : earlier.writes ? AccessKind::store
                                                 : AccessKind::load;
        found.earlier = {who, earlier.time - time_of(1, 0), earlier.pc, kind,
                         line_at(earlier.time, earlier.pc)};
        found.later = {later, access.time - time_of(1, 0), access.event->pc,
                       trace::access_kind(access.event->kind), line_at(access.time, access.event->pc)};
        found.space = access.event->space;
        found.offset = offset;
        const std::uint32_t block = order_->block_of(later.warp);
        if (access.instance != 0 && (block != access.instance - 1 || block != order_->block_of(who.warp)))
            found.owner = static_cast<std::uint32_t>(access.instance - 1);
        found.unfenced = what == RaceClass::race && order_->ordered_by_fence(who, earlier.time, later);
        if (kind == AccessKind::load && after.atomic) return reads_.defer(who, access.instance, found);
        if (found.later.kind == AccessKind::load && before.atomic)
            return reads_.defer(later, access.instance, found);
        log_.add(found);
    }

    bool cancelled(std::uint64_t turn) {
        if (cancelled_ == nullptr || turn % 1024 != 0 || !cancelled_->load(std::memory_order_relaxed))
            return false;
        report_.complete = false;
        report_.incomplete = "the search for races was cancelled";
        return true;
    }

    void note_incomplete() {
        if (!report_.complete) return;
        report_.complete = false;
        report_.incomplete = "races were not looked for everywhere: what is remembered of accesses reached " +
                             std::to_string(limits_.shadow_bytes >> 20) + " MiB";
    }

    const Trace& trace_;
    const Code& code_;
    RaceLog log_;
    CheckedReads reads_{log_};
    EndedBlocks ended_{trace_};
    const RaceLimits& limits_;
    const std::atomic<bool>* cancelled_;
    std::vector<MemoryOrder> orders_;
    RaceReport report_;
    std::size_t release_ = 0;
    std::uint64_t slice_begin_ = 0;  // turns in earlier slices
    // of the launch
    std::unique_ptr<HappensBefore> order_;
    Shadow global_;
    std::unordered_map<std::uint32_t, Shadow> shared_;        // of blocks that have not finished
    using Writers = std::unordered_map<std::uint32_t, Mask>;  // lanes of warps
    std::unordered_map<HappensBefore::Location, Writers, HappensBefore::LocationHash> agreements_;
    struct Seen {
        ThreadId writer;
        Time time = 0;
        std::uint32_t pc = 0;
    };
    std::unordered_map<std::uint64_t, std::vector<Seen>> seen_;  // the last writes that a thread read
    struct Copy {
        Mask lanes = 0;  // whose bytes have not arrived
        std::uint32_t line = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Copy>> copies_;  // of a warp, by pc
    std::map<std::pair<Time, std::uint32_t>, std::uint32_t> arrived_;             // the lines of copies
    bool copies_later_ = false;      // the code has asynchronous copies of lanes
    std::vector<AsyncCopy> issues_;  // of the slice, by issue: those that arrive in it
    std::size_t next_issue_ = 0;
    struct Issue {
        Time issued = 0;
        std::uint32_t warp = 0;
    };
    std::map<std::tuple<std::uint64_t, std::uint16_t, std::uint64_t>, Issue> arrivals_;
    std::uint64_t bytes_left_ = 0;
    WrittenPages written_;
    bool all_written_ = false;  // perhaps: later slices are not known
    std::uint32_t warps_per_block_ = 1;
    bool one_thread_ = false;
};

RaceSearch::RaceSearch(const Trace& trace, const Code& code, const RaceLimits& limits,
                       const std::atomic<bool>* cancelled)
    : search_(std::make_unique<Search>(trace, code, limits, cancelled)) {}
RaceSearch::~RaceSearch() = default;

void RaceSearch::take_slice(bool last) {
    search_->take_slice(last);
}

RaceReport RaceSearch::finish() {
    return search_->finish();
}

RaceReport RaceSearch::in_whole_trace() {
    return search_->run();
}

RaceReport find_races(const Trace& trace, const Code& code, const RaceLimits& limits,
                      const std::atomic<bool>* cancelled) {
    if (trace.events == nullptr) return {};
    return RaceSearch(trace, code, limits, cancelled).in_whole_trace();
}

}  // namespace lanescope::analysis
