// mbarrier objects (PTX ISA 9.7.13.15). Lanes take effect one after the other, in lane order.
//
// An object lives from mbarrier.init to mbarrier.inval or the end of its block; anything else that a program
// does with 64 bits of shared memory that are not an object is reported. A wait on such bits succeeds, so
// that the program goes on.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/mbarrier.h"
#include "simt/exec/executors.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/block.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

namespace {

constexpr unsigned object_bytes = 8;

std::uint64_t word_at(const std::byte* object) {
    std::uint64_t word;
    std::memcpy(&word, object, sizeof word);
    return word;
}

// The 8 bytes of shared memory at the address; null when there are none, which is reported.
std::byte* place_at(Warp& warp, const Decoded& decoded, unsigned lane, std::uint64_t address) {
    const Decoded piece = piece_at(warp.run->pc_of(decoded), Window::shared, object_bytes);
    return resolve_range(warp, piece, lane, address, object_bytes, object_bytes, trace::AccessKind::store)
        .data;
}

void fault(Warp& warp, std::uint32_t pc, unsigned lane, const std::string& what) {
    report(warp, trace::ProblemKind::trap, pc, lane_bit(lane), what);
}

void record_object(Warp& warp, const Decoded& piece, trace::AccessKind kind, Mask lanes,
                   const Addresses& addresses, const Recorded& values) {
    if (warp.run->recorder != nullptr || warp.run->effects != nullptr)
        record_access(warp, piece, kind, lanes, addresses, &values);
}

// Applies change(barrier, lane) to the objects of the lanes, one after the other; gives the words before.
template <class Change>
Mask change_objects(Warp& warp, const Decoded& decoded, Mask mask,
                    std::array<std::uint64_t, warp_size>& before, Change change) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    Recorded values;
    Mask sound = 0;
    for_each_lane(mask, [&](unsigned lane) {
        std::byte* object = object_at(warp, decoded, lane, addresses[lane]);
        if (object == nullptr) return;
        const std::uint64_t old = word_at(object);
        Mbarrier barrier = Mbarrier::unpack(old);
        change(barrier, lane);
        const std::uint64_t next = barrier.pack();
        std::memcpy(object, &next, sizeof next);
        if (next != old) warp.progressed = true;
        std::memcpy(values.before.data() + lane * object_bytes, &old, sizeof old);
        std::memcpy(values.after.data() + lane * object_bytes, &next, sizeof next);
        before[lane] = old;
        sound |= lane_bit(lane);
    });
    record_object(warp, piece_at(warp.run->pc_of(decoded), Window::shared, object_bytes),
                  trace::AccessKind::atomic, sound, addresses, values);
    return sound;
}

void initialise(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    const auto* counts = warp.row<std::uint32_t>(decoded.b);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    for_each_lane(mask, [&](unsigned lane) {
        if (place_at(warp, decoded, lane, addresses[lane]) == nullptr) return;
        if (counts[lane] == 0 || counts[lane] > Mbarrier::max_arrivals)
            return fault(warp, pc, lane,
                         "initialised an mbarrier object for " + std::to_string(counts[lane]) +
                             " arrivals, which is not in 1 to 1048575");
        Mbarrier barrier;
        barrier.pending = barrier.expected = counts[lane];
        const std::uint64_t word = barrier.pack();
        write_range(warp, piece_at(pc, Window::shared, object_bytes), lane, addresses[lane],
                    reinterpret_cast<const std::byte*>(&word), sizeof word);
        async_of(warp).objects[addresses[lane]].clear();
    });
    warp.progressed = true;
}

void invalidate(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    for_each_lane(mask, [&](unsigned lane) {
        if (object_at(warp, decoded, lane, addresses[lane]) == nullptr) return;
        async_of(warp).objects.erase(addresses[lane]);
        const std::uint64_t zero = 0;
        write_range(warp, piece_at(warp.run->pc_of(decoded), Window::shared, object_bytes), lane,
                    addresses[lane], reinterpret_cast<const std::byte*>(&zero), sizeof zero);
    });
}

void expect_bytes(Warp& warp, std::uint32_t pc, unsigned lane, Mbarrier& barrier, std::int64_t bytes) {
    barrier.bytes += bytes;
    if (barrier.bytes >= -Mbarrier::max_bytes && barrier.bytes <= Mbarrier::max_bytes) return;
    fault(warp, pc, lane,
          "brought the byte count of an mbarrier object to " + std::to_string(barrier.bytes) +
              ", beyond 1048575");
    barrier.bytes = 0;
}

void take_arrivals(Warp& warp, std::uint32_t pc, unsigned lane, Mbarrier& barrier, std::uint32_t count) {
    if (count == 0 || count > barrier.pending) {
        fault(warp, pc, lane,
              "arrived " + std::to_string(count) + " times at an mbarrier object whose phase awaits " +
                  std::to_string(barrier.pending) + " arrivals");
        count = std::min(count, barrier.pending);
    }
    barrier.pending -= count;
}

// Decoded::mode of the arrivals.
namespace arrival {
constexpr std::uint8_t drop = 1, no_complete = 2, expects = 4;
}

// b: count (or the bytes that are expected), dst: the state before.
void arrive(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* operand = decoded.b == no_ref ? nullptr : warp.row<std::uint32_t>(decoded.b);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    std::array<std::uint64_t, warp_size> before{};
    change_objects(warp, decoded, mask, before, [&](Mbarrier& barrier, unsigned lane) {
        const bool expects = (decoded.mode & arrival::expects) != 0;
        const std::uint32_t count = operand == nullptr || expects ? 1 : operand[lane];
        if (expects) expect_bytes(warp, pc, lane, barrier, operand[lane]);
        if ((decoded.mode & arrival::no_complete) && count >= barrier.pending)
            fault(warp, pc, lane, "completed the phase of an mbarrier object with an arrival that must not");
        if (decoded.mode & arrival::drop) {
            if (count > barrier.expected)
                fault(warp, pc, lane, "dropped more arrivals from an mbarrier object than it has");
            barrier.expected -= std::min(count, barrier.expected);
        }
        take_arrivals(warp, pc, lane, barrier, count);
        barrier.settle();
    });
    if (decoded.dst == no_ref) return;
    auto* out = warp.row<std::uint64_t>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) { out[lane] = before[lane]; });
}

template <bool completes>
void change_bytes(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* bytes = warp.row<std::uint32_t>(decoded.b);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    std::array<std::uint64_t, warp_size> before{};
    change_objects(warp, decoded, mask, before, [&](Mbarrier& barrier, unsigned lane) {
        const std::int64_t count = bytes[lane];
        expect_bytes(warp, pc, lane, barrier, completes ? -count : count);
        if (completes) barrier.settle();
    });
}

// A group that waits gives way to others at once, until the same wait finds the phase complete.
void note_wait(Warp& warp, bool complete) {
    if (warp.run->by_thread()) return;
    Group& group = warp.groups[warp.current];
    if (!complete) {
        group.awaited = warp.poll;
        ++group.held_back;
        warp.signal = Signal::yielded;
    } else if (group.awaited.pc == warp.poll.pc && group.awaited.address == warp.poll.address) {
        group.awaited = {};
        group.held_back = 0;
    }
}

// dst: whether the phase of a state or parity (b) is complete. First, all that the objects track takes place.
template <bool parity>
void test_wait(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    for_each_lane(mask, [&](unsigned lane) { finish_tracked(warp, addresses[lane]); });
    Mask complete = 0, sound = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const std::byte* object = object_at(warp, decoded, lane, addresses[lane]);
        if (object == nullptr) {
            complete |= lane_bit(lane);
            return;
        }
        sound |= lane_bit(lane);
        const bool phase = Mbarrier::unpack(word_at(object)).phase;
        bool asked = false;
        if constexpr (parity)
            asked = (warp.row<std::uint32_t>(decoded.b)[lane] & 1) != 0;
        else
            asked = Mbarrier::unpack(warp.row<std::uint64_t>(decoded.b)[lane]).phase;
        if (phase != asked) complete |= lane_bit(lane);
    });
    record_access(warp, piece_at(warp.run->pc_of(decoded), Window::shared, object_bytes),
                  trace::AccessKind::load, sound, addresses, nullptr);
    Mask& row = warp.predicate(decoded.dst);
    row = (row & ~mask) | complete;
    warp.note_poll(warp.run->pc_of(decoded), addresses[first_lane(mask) % warp_size]);
    if (mask != 0) note_wait(warp, complete != 0);
}

void pending_count(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* state = warp.row<std::uint64_t>(decoded.a);
    auto* out = warp.row<std::uint32_t>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) { out[lane] = Mbarrier::unpack(state[lane]).pending; });
}

}  // namespace

std::byte* object_at(Warp& warp, const Decoded& decoded, unsigned lane, std::uint64_t address) {
    std::byte* object = place_at(warp, decoded, lane, address);
    if (object == nullptr) return nullptr;
    const auto& objects = async_of(warp).objects;
    if (objects.find(address) != objects.end() && Mbarrier::is_object(word_at(object))) return object;
    report(warp, trace::ProblemKind::uninitialised, warp.run->pc_of(decoded), lane_bit(lane),
           "used an mbarrier object that was not initialised");
    return nullptr;
}

void change_object(Warp& running, std::uint32_t pc, unsigned lane, std::uint64_t address,
                   const std::function<void(Mbarrier&)>& change) {
    Region& shared = running.block->shared;
    std::byte* object = shared.data + (address - shared.base);
    const std::uint64_t old = word_at(object);
    if (!Mbarrier::is_object(old)) return;
    Mbarrier barrier = Mbarrier::unpack(old);
    change(barrier);
    const std::uint64_t next = barrier.pack();
    std::memcpy(object, &next, sizeof next);
    running.progressed = running.progressed || next != old;
    Addresses addresses;
    addresses[lane] = address;
    Recorded values;
    std::memcpy(values.before.data() + lane * object_bytes, &old, sizeof old);
    std::memcpy(values.after.data() + lane * object_bytes, &next, sizeof next);
    record_object(running, piece_at(pc, Window::shared, object_bytes), trace::AccessKind::atomic,
                  lane_bit(lane), addresses, values);
}

void finish_tracked(Warp& running, std::uint64_t object) {
    if (running.block->async == nullptr) return;
    BlockAsync& async = *running.block->async;
    const auto found = async.objects.find(object);
    if (found == async.objects.end() || found->second.empty()) return;
    for (Tracked& tracked : std::exchange(found->second, {})) {
        const unsigned lane = first_lane(tracked.lanes);
        if (tracked.bulk) {
            const auto bytes = static_cast<std::int64_t>(tracked.copy.size_bytes);
            finish_bulk(running, tracked.copy);
            async.bulk_bytes -= tracked.copy.size_bytes;
            change_object(running, tracked.pc, lane, object, [&](Mbarrier& barrier) {
                expect_bytes(running, tracked.pc, lane, barrier, -bytes);
                barrier.settle();
            });
            continue;
        }
        finish_copies(running, tracked.warp, tracked.lanes, tracked.before);
        change_object(running, tracked.pc, lane, object, [&](Mbarrier& barrier) {
            take_arrivals(running, tracked.pc, lane, barrier, 1);
            barrier.settle();
        });
    }
}

Exec select_initialise(const Instruction&, bool) {
    return &initialise;
}
Exec select_invalidate(const Instruction&, bool) {
    return &invalidate;
}
Exec select_expect(const Instruction&, bool) {
    return &change_bytes<false>;
}
Exec select_complete(const Instruction&, bool) {
    return &change_bytes<true>;
}
Exec select_arrive(const Instruction&, bool) {
    return &arrive;
}
Exec select_test_wait(const Instruction& instruction, bool) {
    return instruction.has(Mod::parity) ? &test_wait<true> : &test_wait<false>;
}
Exec select_pending_count(const Instruction&, bool) {
    return &pending_count;
}

std::uint8_t arrival_mode_of(const Instruction& instruction) {
    const Op op = instruction.op;
    std::uint8_t mode = instruction.has(Mod::no_complete) ? arrival::no_complete : 0;
    if (op == Op::mbarrier_arrive_drop || op == Op::mbarrier_arrive_drop_expect_tx) mode |= arrival::drop;
    if (op == Op::mbarrier_arrive_expect_tx || op == Op::mbarrier_arrive_drop_expect_tx)
        mode |= arrival::expects;
    return mode;
}

}  // namespace lanescope::simt
