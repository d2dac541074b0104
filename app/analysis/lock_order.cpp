#include "analysis/lock_order.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "ptx/module.h"
#include "trace/events.h"
#include "trace/replay.h"

namespace lanescope::analysis {
namespace {

constexpr std::size_t most_locations = 1 << 16, most_edges = 1 << 14, most_notes = 20;

using Location =
    std::tuple<std::uint32_t, trace::Space, std::uint64_t, std::uint64_t>;  // launch, …, block, offset
using Thread = std::pair<std::uint32_t, std::uint32_t>;                     // block, thread

struct Lock {
    bool held = false, released = false, refuted = false;
    Thread holder;
};

struct Edge {
    Thread thread;
    trace::ProblemSite site;  // where the second lock was taken
    std::set<Location> held;
};

bool changes(const trace::Event& event, unsigned lane, unsigned nth) {
    if (trace::newly_set_of(event, lane, nth) != 0) return true;
    const std::byte* delta = event.deltas + (event.uniform ? 0 : nth * event.delta_bytes);
    return std::any_of(delta, delta + event.delta_bytes, [](std::byte each) { return each != std::byte{0}; });
}

class LockOrders {
  public:
    LockOrders(const trace::Trace& trace, const Code& code)
        : trace_(trace), takes_(trace.program.code_rows.size()) {
        for (std::uint32_t pc = 0; pc < takes_.size(); ++pc)
            if (const ptx::Instruction* made = code.at(pc))
                takes_[pc] =
                    made->op == ptx::Op::atom && (made->has(ptx::Mod::cas) || made->has(ptx::Mod::exch));
    }

    std::vector<trace::Problem> run(const std::atomic<bool>* cancelled) {
        if (std::find(takes_.begin(), takes_.end(), true) == takes_.end()) return {};
        trace::Event event;
        for (std::uint32_t launch = 0; launch < trace_.launches.size(); ++launch)
            for (std::uint64_t turn = trace_.launches[launch].first_turn;
                 turn < trace_.launches[launch].end_turn; ++turn) {
                if ((turn & 1023) == 0 && cancelled != nullptr && cancelled->load(std::memory_order_relaxed))
                    return {};
                trace::EventReader reader(trace_, turn);
                while (reader.next(event))
                    if (event.kind == trace::EventKind::store || event.kind == trace::EventKind::atomic)
                        note(launch, turn, event);
            }
        return notes();
    }

  private:
    void note(std::uint32_t launch, std::uint64_t turn, const trace::Event& event) {
        if (event.space != trace::Space::global && event.space != trace::Space::shared) return;
        const bool takes =
            event.kind == trace::EventKind::atomic && event.pc < takes_.size() && takes_[event.pc];
        const trace::Turn& of = trace_.turns[turn];
        unsigned nth = 0;
        for (trace::Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (!takes && locks_.empty()) continue;
            if (event.kind == trace::EventKind::atomic && !changes(event, lane, nth)) continue;
            const bool shared = event.space == trace::Space::shared;
            const std::uint32_t owner = event.owner == trace::none ? of.block : event.owner;
            const Location at{shared ? launch : 0, event.space, shared ? owner : 0,
                              trace::offset_of(event, lane, nth)};
            const Thread thread{of.block, of.warp * trace::warp_size + lane};
            changed(at, thread, takes, launch, turn, event);
        }
    }

    void changed(const Location& at, const Thread& thread, bool takes, std::uint32_t launch,
                 std::uint64_t turn, const trace::Event& event) {
        auto found = locks_.find(at);
        if (found == locks_.end()) {
            if (!takes || locks_.size() >= most_locations) return;
            found = locks_.try_emplace(at).first;
        }
        Lock& lock = found->second;
        if (lock.refuted) return;
        if (lock.held && lock.holder != thread) {
            lock.refuted = true;
            held_[lock.holder].erase(at);
            return;
        }
        if (lock.held) {
            lock.held = false;
            lock.released = true;
            held_[thread].erase(at);
            return;
        }
        if (!takes) return;
        lock.held = true;
        lock.holder = thread;
        add_edges(at, thread, launch, turn, event);
        held_[thread].insert(at);
    }

    void add_edges(const Location& at, const Thread& thread, std::uint32_t launch, std::uint64_t turn,
                   const trace::Event& event) {
        const std::set<Location>& held = held_[thread];
        for (const Location& other : held) {
            std::vector<Edge>& edges = edges_[{other, at}];
            const bool known = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
                return edge.thread == thread && edge.held == held;
            });
            if (known || edges.size() >= 16 || edges_.size() > most_edges) continue;
            Edge edge{thread, {}, held};
            edge.site.turn = turn;
            edge.site.launch = launch;
            edge.site.block = thread.first;
            edge.site.thread = thread.second;
            edge.site.pc = event.pc;
            edge.site.line = trace::line_of(trace_, trace_.turns[turn], event.pc);
            edge.site.access = trace::AccessKind::atomic;
            edge.site.has_access = true;
            edges.push_back(std::move(edge));
        }
    }

    bool is_lock(const Location& at) const {
        const auto found = locks_.find(at);
        return found != locks_.end() && found->second.released && !found->second.refuted;
    }

    std::vector<trace::Problem> notes() const {
        std::vector<trace::Problem> found;
        for (const auto& [pair, edges] : edges_) {
            const auto& [first, second] = pair;
            const auto back = edges_.find({second, first});
            if (!(first < second) || back == edges_.end() || !is_lock(first) || !is_lock(second)) continue;
            for (const Edge& a : edges) {
                const auto b = std::find_if(back->second.begin(), back->second.end(),
                                            [&](const Edge& each) { return opposed(a, each); });
                if (b == back->second.end()) continue;
                found.push_back(note_of(a, *b, first, second));
                break;
            }
            if (found.size() >= most_notes) break;
        }
        return found;
    }

    // Whether two threads can be between their two locks at the same time.
    bool opposed(const Edge& a, const Edge& b) const {
        if (a.thread == b.thread || a.site.launch != b.site.launch) return false;
        return std::none_of(a.held.begin(), a.held.end(),
                            [&](const Location& each) { return b.held.contains(each) && is_lock(each); });
    }

    std::string name(const Location& at, std::uint32_t launch) const {
        return trace::resolve(trace_, launch, std::get<1>(at), std::get<3>(at)).text;
    }

    trace::Problem note_of(const Edge& a, const Edge& b, const Location& first,
                           const Location& second) const {
        const auto who = [](const Thread& thread) {
            return "thread " + std::to_string(thread.second) + " of block " + std::to_string(thread.first);
        };
        const std::string one = name(first, a.site.launch), two = name(second, a.site.launch);
        trace::Problem problem;
        problem.kind = trace::ProblemKind::deadlock;
        problem.note = true;
        problem.space = std::get<1>(second);
        const trace::Resolved at =
            trace::resolve(trace_, a.site.launch, std::get<1>(second), std::get<3>(second));
        if (at.symbol != nullptr) problem.variable = at.symbol->name;
        problem.index = static_cast<std::int64_t>(at.index);
        problem.first = a.site;
        problem.second = b.site;
        problem.message = "line " + std::to_string(a.site.line) + ": " + who(a.thread) + " takes the lock " +
                          two + " while it holds " + one + ", and in line " + std::to_string(b.site.line) +
                          " " + who(b.thread) + " takes " + one + " while it holds " + two +
                          ": under another schedule both can wait forever";
        return problem;
    }

    const trace::Trace& trace_;
    std::vector<bool> takes_;  // per pc: compare-and-swap or exchange
    std::map<Location, Lock> locks_;
    std::map<Thread, std::set<Location>> held_;
    std::map<std::pair<Location, Location>, std::vector<Edge>> edges_;
};

}  // namespace

std::vector<trace::Problem> find_lock_orders(const trace::Trace& trace, const Code& code,
                                             const std::atomic<bool>* cancelled) {
    return LockOrders(trace, code).run(cancelled);
}

}  // namespace lanescope::analysis
