// One warp-level memory instruction: how many pieces of memory it touches.
#include <algorithm>
#include <array>
#include <bit>

#include "analysis/bank_passes.h"
#include "analysis/metrics.h"
#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

using trace::Access;
using trace::Mask;
using trace::warp_size;

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t word_bytes = 4;
constexpr unsigned bank_count = 32;

struct Offsets {
    std::array<std::uint64_t, warp_size> at;
    unsigned count = 0;
};

Offsets sorted_offsets(const Access& access) {
    Offsets offsets;
    bool ascending = true;
    for (Mask rest = access.mask; rest != 0; rest &= rest - 1) {
        const std::uint64_t offset = access.offset[static_cast<unsigned>(std::countr_zero(rest))];
        ascending = ascending && (offsets.count == 0 || offset >= offsets.at[offsets.count - 1]);
        offsets.at[offsets.count++] = offset;
    }
    if (!ascending) std::sort(offsets.at.begin(), offsets.at.begin() + offsets.count);
    return offsets;
}

// Each lane i reads what lane i ^ distance reads, where both are on.
bool read_in_pairs(const Access& access, unsigned distance) {
    for (Mask rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest)), other = lane ^ distance;
        if ((access.mask >> other & 1) != 0 && access.offset[lane] != access.offset[other]) return false;
    }
    return true;
}

// Distinct words per bank for the lanes of one pass.
std::array<std::uint8_t, bank_count> words_per_bank(const Access& access, Mask lanes, BankUse& use) {
    std::array<std::uint64_t, warp_size * 5> words;  // 16 unaligned bytes lie in five words
    unsigned count = 0;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t last = (access.offset[lane] + access.width_bytes - 1) / word_bytes;
        for (std::uint64_t word = access.offset[lane] / word_bytes; word <= last; ++word) {
            words[count++] = word;
            use.lanes[word % bank_count] |= rest & (0 - rest);
        }
    }
    std::sort(words.begin(), words.begin() + count);
    const auto end = std::unique(words.begin(), words.begin() + count);
    std::array<std::uint8_t, bank_count> per_bank{};
    for (auto word = words.begin(); word != end; ++word)
        ++per_bank[*word % bank_count];
    return per_bank;
}

// Calls visit(lanes) for each pass that has lanes.
template <class Visit>
void each_pass(const Access& access, unsigned lanes, Visit&& visit) {
    for (unsigned first = 0; first < warp_size; first += lanes) {
        const Mask pass = access.mask & ((lanes == 32 ? ~Mask{0} : (Mask{1} << lanes) - 1) << first);
        if (pass != 0) visit(pass);
    }
}

unsigned wavefronts(const Access& access, unsigned lanes) {
    unsigned all = 0;
    each_pass(access, lanes, [&](Mask pass) {
        BankUse use;
        const auto words = words_per_bank(access, pass, use);
        all += *std::max_element(words.begin(), words.end());
    });
    return all;
}

// Lanes that one pass serves: their bytes are at most 128. A wide load from shared memory needs fewer passes
// where all pairs of neighbours, or of next neighbours, read the same. Nsight Compute counted so on an H200,
// for 298 patterns of 8 and 16 bytes a lane; stores and generic loads do not join their passes.
unsigned lanes_per_pass(const Access& access, Addressing addressing) {
    if (access.width_bytes <= 4) return 32;
    const unsigned lanes = access.width_bytes <= 8 ? 16 : 8;
    if (addressing != Addressing::shared || access.kind != trace::AccessKind::load) return lanes;
    if (!read_in_pairs(access, 1) && !read_in_pairs(access, 2)) return lanes;
    return wavefronts(access, 2 * lanes) < wavefronts(access, lanes) ? 2 * lanes : lanes;
}

}  // namespace

SectorUse sector_use(const Access& access) {
    const Offsets offsets = sorted_offsets(access);
    std::uint64_t bytes = 0, sectors = 0;
    std::uint64_t next_byte = 0, next_sector = 0;  // the first ones not yet counted
    for (unsigned i = 0; i < offsets.count; ++i) {
        const std::uint64_t end = offsets.at[i] + access.width_bytes,
                            end_sector = (end - 1) / sector_bytes + 1;
        if (end <= next_byte) continue;
        bytes += end - std::max(offsets.at[i], next_byte);
        sectors += end_sector - std::min(end_sector, std::max(offsets.at[i] / sector_bytes, next_sector));
        next_byte = end;
        next_sector = end_sector;
    }
    const std::uint64_t ideal = (bytes + sector_bytes - 1) / sector_bytes;
    return {static_cast<unsigned>(sectors), static_cast<unsigned>(ideal)};
}

unsigned sectors(const Access& access) {
    return sector_use(access).sectors;
}
unsigned ideal_sectors(const Access& access) {
    return sector_use(access).ideal;
}

Addressing addressing_of(const ptx::Instruction* instruction) {
    return instruction != nullptr && instruction->space() == ptx::Space::shared ? Addressing::shared
                                                                                : Addressing::generic;
}

BankUse banks(const Access& access, Addressing addressing) {
    BankUse use;
    unsigned worst = 0;
    each_pass(access, lanes_per_pass(access, addressing), [&](Mask pass) {
        const auto words = words_per_bank(access, pass, use);
        const unsigned most = *std::max_element(words.begin(), words.end());
        use.wavefronts += most;
        ++use.ideal;
        if (most <= worst) return;
        worst = most;
        use.words = words;
        use.degree = most;
    });
    return use;
}

std::vector<BankPass> bank_passes(const Access& access, Addressing addressing) {
    std::vector<BankPass> passes;
    each_pass(access, lanes_per_pass(access, addressing), [&](Mask pass) {
        BankUse use;
        BankPass& made = passes.emplace_back();
        made.lanes = pass;
        made.words = words_per_bank(access, pass, use);
        made.wavefronts = *std::max_element(made.words.begin(), made.words.end());
    });
    return passes;
}

AtomicUse atomic_use(const Access& access) {
    AtomicUse use;
    const Offsets offsets = sorted_offsets(access);
    unsigned busiest = 0;  // address of the current sector
    for (unsigned i = 0; i < offsets.count;) {
        unsigned end = i + 1;
        while (end < offsets.count && offsets.at[end] == offsets.at[i])
            ++end;
        const bool same_sector = i > 0 && offsets.at[i] / sector_bytes == offsets.at[i - 1] / sector_bytes;
        if (!same_sector) {
            use.sectors += busiest;
            busiest = 0;
        }
        busiest = std::max(busiest, end - i);
        use.passes = std::max(use.passes, end - i);
        i = end;
    }
    use.sectors += busiest;
    std::array<std::uint8_t, bank_count> lanes{};
    for (unsigned i = 0; i < offsets.count; ++i)
        use.wavefronts = std::max<unsigned>(use.wavefronts, ++lanes[offsets.at[i] / word_bytes % bank_count]);
    return use;
}

}  // namespace lanescope::analysis
