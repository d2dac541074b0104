#include "analysis/cycles/list_schedule.h"

#include <algorithm>
#include <map>

#include "analysis/code.h"
#include "analysis/cycles/machine_code.h"
#include "ptx/module.h"

namespace lanescope::analysis {

namespace {

constexpr std::uint32_t most_instructions = 4096;
// What the assembler expects of an instruction, in cycles; loads that miss are not expected.
constexpr int arithmetic_latency = 4, shared_latency = 24, global_latency = 40, other_latency = 14;

struct Node {
    std::vector<std::uint16_t> after;  // which have to wait for it
    int before = 0;                    // how many it has to wait for
    int latency = 0, path = 0;
};

bool is_shared(const ptx::Instruction& made) {
    return made.space() == ptx::Space::shared || made.space() == ptx::Space::shared_cta;
}

// What keeps its place: every other access stays on its side.
bool is_fixed(Unit unit) {
    return unit == Unit::barrier || unit == Unit::arrive || unit == Unit::fence || unit == Unit::warp_sync ||
           unit == Unit::copy_wait || unit == Unit::other;
}

class Graph {
  public:
    Graph(const Code& code, const MachineCode& machine, std::span<const std::uint32_t> pcs)
        : code_(code), machine_(machine), pcs_(pcs), nodes_(pcs.size()) {
        for (std::uint32_t i = 0; i < nodes_.size(); ++i)
            add(static_cast<std::uint16_t>(i));
        for (std::size_t i = nodes_.size(); i-- > 0;)
            for (const std::uint16_t next : nodes_[i].after)
                nodes_[i].path = std::max(nodes_[i].path, nodes_[i].latency + nodes_[next].path);
    }
    std::vector<Node> take() { return std::move(nodes_); }

  private:
    const ptx::Instruction& instruction(std::size_t at) const {
        return *code_.at(machine_.origin_of(pcs_[at]));
    }

    void edge(std::uint16_t from, std::uint16_t to) {
        nodes_[from].after.push_back(to);
        ++nodes_[to].before;
    }

    int latency_of(const MachineOp& op, const ptx::Instruction& made) const {
        switch (op.unit) {
            case Unit::none:
            case Unit::constant:
                return 0;
            case Unit::memory:
                return is_shared(made) ? shared_latency : global_latency;
            case Unit::special:
            case Unit::shuffle:
            case Unit::function:
            case Unit::convert:
            case Unit::divide:
            case Unit::int_divide:
                return other_latency;
            default:
                return arithmetic_latency;
        }
    }

    void add(std::uint16_t at) {
        const MachineOp& op = machine_.at(pcs_[at]);
        const ptx::Instruction& made = instruction(at);
        nodes_[at].latency = latency_of(op, made);
        for (const std::uint32_t reg : machine_.reads(op)) {
            if (const auto found = writer_.find(reg); found != writer_.end()) edge(found->second, at);
            readers_[reg].push_back(at);
        }
        for (const std::uint32_t reg : machine_.writes(op)) {
            if (const auto found = writer_.find(reg); found != writer_.end() && found->second != at)
                edge(found->second, at);
            for (const std::uint16_t reader : readers_[reg])
                if (reader != at) edge(reader, at);
            readers_[reg].clear();
            writer_[reg] = at;
        }
        order_memory(at, op, made);
        const bool last = at + 1u == nodes_.size();
        if (!last || (ptx::info(made.op).flags & (ptx::op_flag::branch | ptx::op_flag::ends)) == 0) return;
        for (std::uint16_t before = 0; before < at; ++before)
            edge(before, at);
    }

    // Loads change places with loads. Whether two addresses differ is known only between spaces, and for
    // loads of memory that the kernel only reads.
    void order_memory(std::uint16_t at, const MachineOp& op, const ptx::Instruction& made) {
        if (is_fixed(op.unit) || op.unit == Unit::shuffle || op.unit == Unit::vote) {
            const bool lanes_only = op.unit == Unit::shuffle || op.unit == Unit::vote;
            if (!lanes_only)
                for (const std::uint16_t before : accesses_)
                    edge(before, at);
            if (fixed_ >= 0) edge(static_cast<std::uint16_t>(fixed_), at);
            fixed_ = at;
            return;
        }
        if (op.unit != Unit::memory) return;
        if (fixed_ >= 0) edge(static_cast<std::uint16_t>(fixed_), at);
        const bool load = (ptx::info(made.op).flags & ptx::op_flag::store) == 0;
        const bool constant = made.has(ptx::Mod::nc);
        if (!constant) {
            for (const std::uint16_t before : accesses_) {
                const ptx::Instruction& other = instruction(before);
                const bool other_load = (ptx::info(other.op).flags & ptx::op_flag::store) == 0;
                const bool apart = is_shared(made) != is_shared(other) &&
                                   made.space() != ptx::Space::generic &&
                                   other.space() != ptx::Space::generic;
                if ((load && other_load) || apart || other.has(ptx::Mod::nc)) continue;
                edge(before, at);
            }
        }
        accesses_.push_back(at);
    }

    const Code& code_;
    const MachineCode& machine_;
    std::span<const std::uint32_t> pcs_;
    std::vector<Node> nodes_;
    std::map<std::uint32_t, std::uint16_t> writer_;
    std::map<std::uint32_t, std::vector<std::uint16_t>> readers_;
    std::vector<std::uint16_t> accesses_;
    int fixed_ = -1;
};

}  // namespace

std::vector<std::uint16_t> list_schedule(const Code& code, const MachineCode& machine,
                                         std::span<const std::uint32_t> pcs) {
    std::vector<std::uint16_t> order;
    if (pcs.empty()) return order;
    order.reserve(pcs.size());
    if (pcs.size() > most_instructions || code.at(machine.origin_of(pcs[0])) == nullptr) {
        for (std::size_t i = 0; i < pcs.size(); ++i)
            order.push_back(static_cast<std::uint16_t>(i));
        return order;
    }
    std::vector<Node> nodes = Graph(code, machine, pcs).take();
    std::vector<int> ready_at(nodes.size(), 0);
    std::vector<std::uint16_t> waiting;
    for (std::uint16_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].before == 0) waiting.push_back(i);
    for (int now = 0; !waiting.empty();) {
        // The longest path among those that can issue now; else the one that can issue first.
        const auto better = [&](std::uint16_t a, std::uint16_t b) {
            const bool a_now = ready_at[a] <= now, b_now = ready_at[b] <= now;
            if (a_now != b_now) return a_now;
            if (!a_now && ready_at[a] != ready_at[b]) return ready_at[a] < ready_at[b];
            return nodes[a].path != nodes[b].path ? nodes[a].path > nodes[b].path : a < b;
        };
        const auto best = std::min_element(waiting.begin(), waiting.end(), better);
        const std::uint16_t at = *best;
        waiting.erase(best);
        order.push_back(at);
        const bool vanishes = nodes[at].latency == 0;
        now = std::max(now, ready_at[at]) + (vanishes ? 0 : 1);
        for (const std::uint16_t next : nodes[at].after) {
            ready_at[next] = std::max(ready_at[next], now + std::max(0, nodes[at].latency - 1));
            if (--nodes[next].before == 0) waiting.push_back(next);
        }
    }
    return order;
}

}  // namespace lanescope::analysis
