#include "ptx/cfg.h"

#include <utility>

namespace lanescope::ptx {
namespace {

constexpr std::uint64_t max_steps = 100'000'000;

bool has_flag(const Instruction& instruction, unsigned flag) {
    return (info(instruction.op).flags & flag) != 0;
}

bool ends_block(const Instruction& instruction) {
    return has_flag(instruction, op_flag::branch) || has_flag(instruction, op_flag::ends);
}

// Visits the instructions to which a branch can go, including the end of the text.
template <class Visit>
void for_each_target(const Function& function, const Instruction& instruction, Visit visit) {
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == Operand::Kind::label) visit(function.labels[operand.label].instruction);
        if (operand.refers.kind != Reference::Kind::targets) continue;
        for (const std::uint32_t label : function.branch_targets[operand.refers.index].labels)
            visit(function.labels[label].instruction);
    }
}

void find_blocks(const Function& function, Cfg& cfg) {
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> leads(count + 1, false);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!ends_block(function.instructions[i])) continue;
        leads[i + 1] = true;
        if (has_flag(function.instructions[i], op_flag::branch))
            for_each_target(function, function.instructions[i],
                            [&](std::uint32_t target) { leads[target] = true; });
    }
    cfg.block_of.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i == 0 || leads[i]) cfg.blocks.emplace_back().first = i;
        cfg.blocks.back().end = i + 1;
        cfg.block_of[i] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
    }
}

// `seen[b]` is the last block that got b as a successor, which detects duplicates in constant time.
void connect(const Function& function, Cfg& cfg, std::uint32_t from, std::vector<std::uint32_t>& seen) {
    Block& block = cfg.blocks[from];
    const Instruction& last = function.instructions[block.end - 1];
    const auto go_to = [&](std::uint32_t instruction) {
        if (instruction == function.instructions.size()) {
            block.leaves = true;
            return;
        }
        const std::uint32_t to = cfg.block_of[instruction];
        if (std::exchange(seen[to], from) == from) return;
        block.successors.push_back(to);
        cfg.blocks[to].predecessors.push_back(from);
    };
    const bool branches = has_flag(last, op_flag::branch);
    if (branches) for_each_target(function, last, go_to);
    if (last.op == Op::ret || last.op == Op::exit) block.leaves = true;
    if (!ends_block(last) || last.guard != no_index) go_to(block.end);
}

// Works on the reversed graph. Its root, the function's end, is one node more than the blocks.
class PostDominators {
  public:
    explicit PostDominators(Cfg& cfg)
        : cfg_(cfg),
          end_(static_cast<std::uint32_t>(cfg.blocks.size())),
          order_(end_ + 1, 0),
          parent_(end_ + 1, no_index) {}

    void compute() {
        number_nodes();
        parent_[end_] = end_;
        for (bool changed = true; changed && steps_ < max_steps;) {
            changed = false;
            for (auto node = nodes_.rbegin(); node != nodes_.rend() && steps_ < max_steps; ++node)
                if (*node != end_) changed |= update(*node);
        }
        if (steps_ >= max_steps) return;
        for (std::uint32_t b = 0; b < end_; ++b)
            cfg_.blocks[b].post_dominator = parent_[b] == end_ ? no_index : parent_[b];
    }

  private:
    // Postorder of a depth-first search from the end, along predecessors.
    void number_nodes() {
        struct Visit {
            std::uint32_t node;
            std::size_t next;
        };
        std::vector<std::uint32_t> leaving;
        for (std::uint32_t b = 0; b < end_; ++b)
            if (cfg_.blocks[b].leaves) leaving.push_back(b);
        std::vector<bool> seen(end_ + 1, false);
        std::vector<Visit> stack{{end_, 0}};
        seen[end_] = true;
        while (!stack.empty()) {
            Visit& top = stack.back();
            const auto& before = top.node == end_ ? leaving : cfg_.blocks[top.node].predecessors;
            if (top.next == before.size()) {
                order_[top.node] = static_cast<std::uint32_t>(nodes_.size());
                nodes_.push_back(top.node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t node = before[top.next++];
            if (seen[node]) continue;
            seen[node] = true;
            stack.push_back({node, 0});
        }
    }

    bool update(std::uint32_t node) {
        std::uint32_t found = cfg_.blocks[node].leaves ? end_ : no_index;
        for (const std::uint32_t successor : cfg_.blocks[node].successors) {
            ++steps_;
            if (parent_[successor] == no_index) continue;
            found = found == no_index ? successor : intersect(successor, found);
        }
        return std::exchange(parent_[node], found) != found;
    }

    std::uint32_t intersect(std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            ++steps_;
            if (order_[a] < order_[b])
                a = parent_[a];
            else
                b = parent_[b];
        }
        return a;
    }

    Cfg& cfg_;
    std::uint32_t end_;
    std::vector<std::uint32_t> nodes_;  // in postorder
    std::vector<std::uint32_t> order_;  // position in nodes_
    std::vector<std::uint32_t> parent_;
    std::uint64_t steps_ = 0;
};

}  // namespace

Cfg build_cfg(const Function& function) {
    Cfg cfg;
    find_blocks(function, cfg);
    std::vector<std::uint32_t> seen(cfg.blocks.size(), no_index);
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
        connect(function, cfg, b, seen);
    PostDominators(cfg).compute();
    return cfg;
}

}  // namespace lanescope::ptx
