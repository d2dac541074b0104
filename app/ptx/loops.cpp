#include "ptx/loops.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace lanescope::ptx {
namespace {

constexpr unsigned max_depth = 64;

class LoopFinder {
  public:
    explicit LoopFinder(const Cfg& cfg)
        : cfg_(cfg),
          region_(cfg.blocks.size(), 0),
          number_(cfg.blocks.size(), 0),
          low_(cfg.blocks.size(), 0),
          component_(cfg.blocks.size(), no_index) {
        nest_.inner.assign(cfg.blocks.size(), no_index);
        nest_.place.assign(cfg.blocks.size(), 0);
    }

    LoopNest run() {
        std::vector<std::uint32_t> all(cfg_.blocks.size());
        for (std::uint32_t b = 0; b < all.size(); ++b)
            all[b] = b;
        order(all, no_index, 0);
        return std::move(nest_);
    }

  private:
    // Places the blocks of a region: the whole function, or a loop without the edges to its header. `blocks`
    // are in text order.
    void order(const std::vector<std::uint32_t>& blocks, std::uint32_t loop, unsigned depth) {
        const std::uint32_t header = loop == no_index ? no_index : nest_.loops[loop].header;
        if (depth == max_depth) {
            for (const std::uint32_t block : blocks)
                nest_.place[block] = next_place_++;
            return;
        }
        const std::uint32_t region = ++regions_;
        for (const std::uint32_t block : blocks)
            region_[block] = region;
        const auto visit_next = [this, region, header](std::uint32_t block, const auto& visit) {
            for (const std::uint32_t next : cfg_.blocks[block].successors)
                if (region_[next] == region && next != header) visit(next);
        };
        std::vector<std::vector<std::uint32_t>> components = find_components(blocks, visit_next);
        for (const std::uint32_t component : topological(components, visit_next)) {
            const std::vector<std::uint32_t>& members = components[component];
            const bool repeats = members.size() > 1 || goes_to_itself(members.front(), header);
            if (!repeats) {
                nest_.place[members.front()] = next_place_++;
                continue;
            }
            const auto inner = static_cast<std::uint32_t>(nest_.loops.size());
            nest_.loops.push_back({entry_of(members), loop});
            for (const std::uint32_t block : members)
                nest_.inner[block] = inner;
            order(members, inner, depth + 1);
        }
    }

    bool goes_to_itself(std::uint32_t block, std::uint32_t header) const {
        const auto& next = cfg_.blocks[block].successors;
        return block != header && std::find(next.begin(), next.end(), block) != next.end();
    }

    // The first block of the text that control can reach from outside.
    std::uint32_t entry_of(const std::vector<std::uint32_t>& members) const {
        for (const std::uint32_t block : members) {
            const auto& before = cfg_.blocks[block].predecessors;
            if (block == 0 || std::any_of(before.begin(), before.end(), [&](std::uint32_t from) {
                    return !std::binary_search(members.begin(), members.end(), from);
                }))
                return block;
        }
        return members.front();
    }

    // R. Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion. Members are in
    // text order.
    template <class VisitNext>
    std::vector<std::vector<std::uint32_t>> find_components(const std::vector<std::uint32_t>& blocks,
                                                            const VisitNext& visit_next) {
        struct Visit {
            std::uint32_t block;
            std::vector<std::uint32_t> next;
        };
        for (const std::uint32_t block : blocks) {
            number_[block] = 0;
            component_[block] = no_index;
        }
        std::vector<std::vector<std::uint32_t>> components;
        std::vector<std::uint32_t> open;
        std::vector<Visit> path;
        std::uint32_t numbers = 0;
        const auto enter = [&](std::uint32_t block) {
            number_[block] = low_[block] = ++numbers;
            open.push_back(block);
            path.push_back({block, {}});
            visit_next(block, [&](std::uint32_t next) { path.back().next.push_back(next); });
        };
        for (const std::uint32_t root : blocks) {
            if (number_[root] == 0) enter(root);
            while (!path.empty()) {
                const std::uint32_t block = path.back().block;
                if (!path.back().next.empty()) {
                    const std::uint32_t next = path.back().next.back();
                    path.back().next.pop_back();
                    if (number_[next] == 0)
                        enter(next);
                    else if (component_[next] == no_index)
                        low_[block] = std::min(low_[block], number_[next]);
                    continue;
                }
                path.pop_back();
                if (!path.empty()) low_[path.back().block] = std::min(low_[path.back().block], low_[block]);
                if (low_[block] != number_[block]) continue;
                std::vector<std::uint32_t>& members = components.emplace_back();
                std::uint32_t member = no_index;
                do {
                    member = open.back();
                    open.pop_back();
                    component_[member] = static_cast<std::uint32_t>(components.size() - 1);
                    members.push_back(member);
                } while (member != block);
                std::sort(members.begin(), members.end());
            }
        }
        return components;
    }

    // Components in topological order; of those that could come next, the first of the text.
    template <class VisitNext>
    std::vector<std::uint32_t> topological(const std::vector<std::vector<std::uint32_t>>& components,
                                           const VisitNext& visit_next) const {
        std::vector<std::uint32_t> waits_for(components.size(), 0);
        const auto visit_edges = [&](std::uint32_t component, const auto& visit) {
            for (const std::uint32_t block : components[component])
                visit_next(block, [&](std::uint32_t next) {
                    if (component_[next] != component) visit(component_[next]);
                });
        };
        for (std::uint32_t c = 0; c < components.size(); ++c)
            visit_edges(c, [&](std::uint32_t next) { ++waits_for[next]; });
        using Candidate = std::pair<std::uint32_t, std::uint32_t>;  // first block, component
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready;
        const auto add = [&](std::uint32_t c) { ready.emplace(components[c].front(), c); };
        for (std::uint32_t c = 0; c < components.size(); ++c)
            if (waits_for[c] == 0) add(c);
        std::vector<std::uint32_t> sorted;
        while (!ready.empty()) {
            const std::uint32_t component = ready.top().second;
            ready.pop();
            sorted.push_back(component);
            visit_edges(component, [&](std::uint32_t next) {
                if (--waits_for[next] == 0) add(next);
            });
        }
        return sorted;
    }

    const Cfg& cfg_;
    LoopNest nest_;
    std::vector<std::uint32_t> region_;  // per block: the region that is being ordered
    std::vector<std::uint32_t> number_, low_, component_;
    std::uint32_t regions_ = 0, next_place_ = 0;
};

}  // namespace

LoopNest find_loops(const Cfg& cfg) {
    return LoopFinder(cfg).run();
}

}  // namespace lanescope::ptx
