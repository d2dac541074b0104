#include "simt/inspect/liveness.h"

#include <cstdint>

#include "ptx/cfg.h"
#include "ptx/register_use.h"

namespace lanescope::simt {

namespace {

using Bits = std::vector<std::uint64_t>;

bool test(const Bits& bits, std::uint32_t i) {
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}
void set(Bits& bits, std::uint32_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

// Registers that a block reads before it writes them, and registers that it always writes.
struct BlockUse {
    Bits exposed, killed;
};

BlockUse use_of(const ptx::Function& function, const ptx::Block& block, std::size_t words) {
    BlockUse use{Bits(words), Bits(words)};
    for (std::uint32_t i = block.first; i < block.end; ++i) {
        const ptx::Instruction& instruction = function.instructions[i];
        for (const std::uint32_t reg : ptx::reads(instruction))
            if (!test(use.killed, reg)) set(use.exposed, reg);
        if (instruction.guard != ptx::no_index) continue;  // lanes that are off keep the old value
        for (const std::uint32_t reg : ptx::writes(instruction))
            set(use.killed, reg);
    }
    return use;
}

}  // namespace

std::vector<bool> read_before_written(const ptx::Function& function) {
    const ptx::Cfg cfg = ptx::build_cfg(function);
    const std::size_t words = (function.registers.size() + 63) / 64;
    // Code larger than any compiler makes: every register gets an initial value.
    constexpr std::size_t max_words = 1 << 22, max_rounds = 64;
    if (words * cfg.blocks.size() > max_words) return std::vector<bool>(function.registers.size(), true);
    std::vector<BlockUse> uses;
    for (const ptx::Block& block : cfg.blocks)
        uses.push_back(use_of(function, block, words));
    std::vector<Bits> live(cfg.blocks.size(), Bits(words));  // at a block's start
    std::size_t rounds = 0;
    for (bool changed = true; changed;) {
        if (++rounds > max_rounds) return std::vector<bool>(function.registers.size(), true);
        changed = false;
        for (std::size_t b = cfg.blocks.size(); b-- > 0;) {
            for (std::size_t w = 0; w < words; ++w) {
                std::uint64_t after = 0;
                for (const std::uint32_t next : cfg.blocks[b].successors)
                    after |= live[next][w];
                const std::uint64_t before = uses[b].exposed[w] | (after & ~uses[b].killed[w]);
                changed = changed || before != live[b][w];
                live[b][w] = before;
            }
        }
    }
    std::vector<bool> result(function.registers.size(), false);
    for (std::uint32_t reg = 0; reg < result.size() && !live.empty(); ++reg)
        result[reg] = test(live[0], reg);
    return result;
}

}  // namespace lanescope::simt
