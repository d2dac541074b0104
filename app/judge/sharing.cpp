#include "judge/sharing.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analysis/flow/flow.h"
#include "analysis/memory_order.h"
#include "trace/events.h"

namespace lanescope::judge {

namespace {

// How much each thread of each launch did.
class Work {
  public:
    explicit Work(const trace::Trace& trace) : trace_(trace), by_thread_(trace.launches.size()) {}

    void add(std::uint32_t launch, std::uint32_t block, std::uint32_t thread) {
        ++by_thread_[launch][block * trace_.launches[launch].block.count() + thread];
    }

    std::optional<Sharing> sharing(const char* unit) const {
        Sharing made;
        made.unit = unit;
        double shared = 0, possible = 0;
        for (std::size_t i = 0; i < by_thread_.size(); ++i) {
            const trace::Launch& launch = trace_.launches[i];
            const std::uint64_t threads = launch.grid.count() * launch.block.count();
            std::uint64_t all = 0, most = 0, busiest = 0;
            for (const auto& [thread, work] : by_thread_[i]) {
                all += work;
                if (work > most || (work == most && thread < busiest)) most = work, busiest = thread;
            }
            if (threads < 2 || most == 0) continue;
            shared += static_cast<double>(all - most);
            const std::uint64_t workers = std::max<std::uint64_t>(2, std::min(threads, all));
            possible += static_cast<double>(most) * static_cast<double>(workers - 1);
            if (all <= made.all) continue;
            made.all = all;
            made.busiest = most;
            made.threads = threads;
            made.block = static_cast<std::uint32_t>(busiest / launch.block.count());
            made.thread = static_cast<std::uint32_t>(busiest % launch.block.count());
        }
        if (possible == 0) return {};
        made.share = shared / possible;
        return made;
    }

  private:
    const trace::Trace& trace_;
    std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> by_thread_;  // of each launch
};

// Without those that wait for others or signal to them: a thread that polls does not work.
std::optional<Sharing> of_accesses(const execution::RunResult& run) {
    const trace::Trace& trace = *run.trace;
    std::vector<bool> strong;
    for (std::uint32_t pc = 0; pc < trace.program.code_rows.size(); ++pc)
        strong.push_back(analysis::memory_order(*run.instructions, pc).strong);
    Work work(trace);
    for (std::uint64_t number = 0; number < trace.turns.size(); ++number) {
        const trace::Turn& turn = trace.turns[number];
        const std::uint32_t launch = trace.launch_of(number);
        trace::EventReader reader(trace, number);
        trace::Event event;
        while (reader.next(event)) {
            if (!trace::is_access(event.kind) ||
                (event.space != trace::Space::global && event.space != trace::Space::shared) ||
                strong[event.pc])
                continue;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                if (event.mask >> lane & 1) work.add(launch, turn.block, turn.warp * trace::warp_size + lane);
        }
    }
    return work.sharing("plain accesses to global and shared memory");
}

std::optional<Sharing> of_results(const execution::RunResult& run) {
    const auto flow = run.flow->get();
    const analysis::FlowGraph& graph = flow->graph;
    if (!flow->complete) return {};
    std::vector<analysis::ValueId> open;
    std::vector<bool> seen(graph.end());
    const auto visit = [&](analysis::ValueId value) {
        if (!graph.is_node(value) || seen[value]) return;
        seen[value] = true;
        open.push_back(value);
    };
    for (const lesson::ExpectOutcome& outcome : run.expectations)
        for (std::size_t i = 0; i < run.trace->symbols.size() && i < flow->at_end.size(); ++i)
            if (run.trace->symbols[i].name == outcome.buffer)
                for (const analysis::ValueId value : flow->at_end[i])
                    visit(value);
    Work work(*run.trace);
    while (!open.empty()) {
        const analysis::ValueId value = open.back();
        open.pop_back();
        const analysis::FlowGraph::Node& node = graph.node(value);
        visit(node.operands[0]);
        if (analysis::is_copy(graph.op(value))) {
            const analysis::FlowWrite& write = graph.write_of(value);
            work.add(run.trace->launch_of(write.turn), write.block, write.thread);
            if (write.atomic) visit(node.operands[2]);
            continue;
        }
        visit(node.operands[1]);
        visit(node.operands[2]);
    }
    return work.sharing("writes that the result was made by");
}

}  // namespace

std::optional<Sharing> sharing_of(const execution::RunResult& run) {
    // The thread that keeps the sum takes part in every round of a tree, so that even a good tree of shuffles
    // has a small share: 0.083 in a block of 1024 threads.
    constexpr double of_a_tree = 0.7;
    const std::optional<Sharing> accesses = of_accesses(run);
    std::optional<Sharing> results = of_results(run);
    if (results) results->share = std::min(1.0, results->share / of_a_tree);
    if (!accesses || !results) return accesses ? accesses : results;
    return accesses->share <= results->share ? accesses : results;
}

std::string words_of(const Sharing& sharing) {
    return "one of " + std::to_string(sharing.threads) + " threads, thread " +
           std::to_string(sharing.thread) + " of block " + std::to_string(sharing.block) + ", makes " +
           std::to_string(sharing.busiest) + " of the " + std::to_string(sharing.all) + " " + sharing.unit;
}

}  // namespace lanescope::judge
