// Sectors and wavefronts of single requests, compared with closed forms.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

#include "analysis/metrics.h"

namespace lanescope::analysis {
namespace requests_test {

using trace::Access;
using trace::Mask;

Access strided(std::uint64_t start, std::uint64_t stride_bytes, unsigned width, Mask mask = ~Mask{0}) {
    Access access;
    access.width_bytes = static_cast<std::uint8_t>(width);
    access.mask = mask;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        access.offset[lane] = start + lane * stride_bytes;
    return access;
}

TEST(Sectors, four_bytes_at_any_stride) {
    for (unsigned stride = 0; stride <= 33; ++stride) {
        const unsigned expected = stride <= 8 ? 31 * stride / 8 + 1 : 32;
        EXPECT_EQ(sectors(strided(256, 4 * stride, 4)), expected) << "stride " << stride;
    }
}

TEST(Sectors, eight_and_sixteen_bytes) {
    EXPECT_EQ(sectors(strided(0, 8, 8)), 8u);
    EXPECT_EQ(sectors(strided(0, 16, 8)), 16u);
    EXPECT_EQ(sectors(strided(0, 16, 16)), 16u);
    EXPECT_EQ(sectors(strided(0, 32, 16)), 32u);
}

TEST(Sectors, a_misaligned_start_costs_one_more) {
    EXPECT_EQ(sectors(strided(128, 4, 4)), 4u);
    EXPECT_EQ(sectors(strided(132, 4, 4)), 5u);
    EXPECT_EQ(sectors(strided(31, 4, 4)), 5u);  // each lane unaligned
}

TEST(Sectors, broadcast_order_and_masks) {
    EXPECT_EQ(sectors(strided(64, 0, 4)), 1u);
    EXPECT_EQ(sectors(strided(4096, std::uint64_t{0} - 4, 4)), 5u);  // descending: 4096 down to 3972
    EXPECT_EQ(sectors(strided(0, 4, 4, 0x1)), 1u);
    EXPECT_EQ(sectors(strided(0, 4, 4, 0x80000001)), 2u);
    EXPECT_EQ(sectors(strided(0, 4, 4, 0)), 0u);
    EXPECT_EQ(sectors(strided(30, 0, 4)), 2u);  // crosses a sector border
}

TEST(Sectors, ideal_counts_distinct_bytes) {
    EXPECT_EQ(ideal_sectors(strided(256, 4, 4)), 4u);
    EXPECT_EQ(ideal_sectors(strided(260, 4, 4)), 4u);
    EXPECT_EQ(ideal_sectors(strided(256, 128, 4)), 4u);
    EXPECT_EQ(ideal_sectors(strided(256, 0, 4)), 1u);
    EXPECT_EQ(ideal_sectors(strided(256, 2, 4)), 3u);  // overlapping: 66 bytes
    EXPECT_EQ(ideal_sectors(strided(256, 16, 16)), 16u);
}

TEST(Banks, four_bytes_at_any_stride) {
    for (unsigned stride = 0; stride <= 33; ++stride) {
        const unsigned expected = stride == 0 ? 1 : std::gcd(stride, 32u);
        const BankUse use = banks(strided(0, 4 * stride, 4));
        EXPECT_EQ(use.wavefronts, expected) << "stride " << stride;
        for (unsigned bank = 0; bank < 32; ++bank) {
            const bool used = stride == 0 ? bank == 0 : bank % std::gcd(stride, 32u) == 0;
            EXPECT_EQ(use.words[bank], used ? expected : 0) << "stride " << stride << " bank " << bank;
        }
    }
}

TEST(Banks, lanes_of_each_bank) {
    const BankUse two = banks(strided(0, 8, 4));
    EXPECT_EQ(two.lanes[0], 0x00010001u);
    EXPECT_EQ(two.lanes[1], 0u);
    EXPECT_EQ(two.lanes[2], 0x00020002u);
    EXPECT_EQ(banks(strided(4, 0, 4)).lanes[1], 0xffffffffu);
}

TEST(Banks, a_padded_column_is_free_of_conflicts) {
    EXPECT_EQ(banks(strided(0, 32 * 4, 4)).wavefronts, 32u);
    EXPECT_EQ(banks(strided(0, 33 * 4, 4)).wavefronts, 1u);
}

TEST(Banks, eight_bytes_by_half_warps) {
    EXPECT_EQ(banks(strided(0, 8, 8)).wavefronts, 2u);
    EXPECT_EQ(banks(strided(0, 8, 8, 0xffff)).wavefronts, 1u);
    EXPECT_EQ(banks(strided(0, 16, 8)).wavefronts, 4u);
    EXPECT_EQ(banks(strided(0, 256, 8)).wavefronts, 32u);
}

TEST(Banks, sixteen_bytes_by_quarter_warps) {
    EXPECT_EQ(banks(strided(0, 16, 16)).wavefronts, 4u);
    EXPECT_EQ(banks(strided(0, 32, 16)).wavefronts, 8u);
    EXPECT_EQ(banks(strided(0, 16, 16, 0xff00)).wavefronts, 1u);
}

// Each expectation is what Nsight Compute counted on an H200 for one request (driver 580.159.04, 2026-11-29).
TEST(Banks, wide_loads_in_pairs) {
    const auto wavefronts = [](unsigned width, auto&& element_of, Mask mask = ~Mask{0},
                               trace::AccessKind kind = trace::AccessKind::load) {
        Access access = strided(0, 0, width, mask);
        access.kind = kind;
        for (unsigned lane = 0; lane < trace::warp_size; ++lane)
            access.offset[lane] = std::uint64_t{element_of(lane)} * width;
        return banks(access, Addressing::shared).wavefronts;
    };
    const auto neighbours = [](unsigned lane) { return lane / 2; };
    const auto next_but_one = [](unsigned lane) { return (lane & 1) | lane / 4 * 2; };
    EXPECT_EQ(wavefronts(16, neighbours), 2u);
    EXPECT_EQ(wavefronts(16, next_but_one), 2u);
    EXPECT_EQ(wavefronts(16, [](unsigned lane) { return (lane & 3) | lane / 8 * 4; }), 4u);
    EXPECT_EQ(wavefronts(16, [](unsigned) { return 0u; }), 2u);
    EXPECT_EQ(wavefronts(16, [&](unsigned lane) { return lane / 2 * 8; }), 16u);
    // All pairs of the warp, and all of one kind.
    EXPECT_EQ(wavefronts(16, [&](unsigned lane) { return lane < 16 ? neighbours(lane) : lane; }), 4u);
    EXPECT_EQ(
        wavefronts(16, [&](unsigned lane) { return lane < 16 ? neighbours(lane) : next_but_one(lane); }), 4u);
    EXPECT_EQ(wavefronts(16, [&](unsigned lane) { return lane < 2 ? 40 + lane : neighbours(lane); }), 5u);
    // Lanes that are off need no partner.
    EXPECT_EQ(wavefronts(
                  16, [](unsigned lane) { return lane / 2; }, 0x55555555),
              2u);
    EXPECT_EQ(wavefronts(16, neighbours, ~Mask{0}, trace::AccessKind::store), 4u);
    EXPECT_EQ(wavefronts(8, neighbours), 1u);
    EXPECT_EQ(wavefronts(8, next_but_one), 1u);
    EXPECT_EQ(wavefronts(8, neighbours, ~Mask{0}, trace::AccessKind::store), 2u);
}

TEST(Banks, bytes_of_one_word_do_not_conflict) {
    EXPECT_EQ(banks(strided(0, 1, 1)).wavefronts, 1u);
    EXPECT_EQ(banks(strided(0, 2, 2)).wavefronts, 1u);
    EXPECT_EQ(banks(strided(0, 1, 1)).words[7], 1u);
    EXPECT_EQ(banks(strided(0, 4, 4, 0)).wavefronts, 0u);
}

TEST(Banks, degree_and_ideal) {
    const auto expect = [](const Access& access, unsigned degree, unsigned ideal) {
        EXPECT_EQ(banks(access).degree, degree);
        EXPECT_EQ(banks(access).ideal, ideal);
    };
    expect(strided(0, 4, 4), 1, 1);
    expect(strided(0, 0, 4), 1, 1);  // a broadcast
    expect(strided(0, 8, 4), 2, 1);
    expect(strided(0, 128, 4), 32, 1);
    expect(strided(0, 128, 4, 0x7), 3, 1);
    expect(strided(0, 8, 8), 1, 2);  // no conflict in either half
    expect(strided(0, 16, 8), 2, 2);
    expect(strided(0, 0, 16), 1, 4);
    expect(strided(0, 256, 16), 8, 4);
    expect(strided(0, 8, 8, 0xffff0000), 1, 1);
    expect(strided(0, 4, 4, 0), 0, 0);
}

Access cyclic(unsigned addresses, std::uint64_t stride_bytes, unsigned width, Mask mask = ~Mask{0}) {
    Access access = strided(0, 0, width, mask);
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        access.offset[lane] = lane % addresses * stride_bytes;
    return access;
}

TEST(Atomics, lanes_on_one_address_wait) {
    EXPECT_EQ(atomic_use(cyclic(1, 4, 4)).passes, 32u);
    EXPECT_EQ(atomic_use(cyclic(2, 4, 4)).passes, 16u);
    EXPECT_EQ(atomic_use(cyclic(32, 4, 4)).passes, 1u);
    EXPECT_EQ(atomic_use(cyclic(5, 4, 4)).passes, 7u);
    EXPECT_EQ(atomic_use(cyclic(1, 4, 4, 0x1f)).passes, 5u);
    EXPECT_EQ(atomic_use(cyclic(1, 4, 4, 0)).passes, 0u);
}

// The H200 behaves so: tests/hardware/kernels/atomics_global.cu, atomics_shared.cu.
TEST(Atomics, a_sector_takes_as_long_as_its_busiest_address) {
    EXPECT_EQ(atomic_use(cyclic(1, 4, 4)).sectors, 32u);
    EXPECT_EQ(atomic_use(cyclic(2, 4, 4)).sectors, 16u);
    EXPECT_EQ(atomic_use(cyclic(8, 4, 4)).sectors, 4u);
    EXPECT_EQ(atomic_use(cyclic(32, 4, 4)).sectors, 4u);
    EXPECT_EQ(atomic_use(cyclic(2, 64, 4)).sectors, 32u);
    EXPECT_EQ(atomic_use(cyclic(32, 64, 4)).sectors, 32u);
    EXPECT_EQ(atomic_use(cyclic(8, 8, 8)).sectors, 8u);
    EXPECT_EQ(atomic_use(cyclic(32, 4, 4, 0x7ff)).sectors, 2u);
}

TEST(Atomics, a_bank_takes_one_lane_at_a_time) {
    EXPECT_EQ(atomic_use(cyclic(1, 4, 4)).wavefronts, 32u);
    EXPECT_EQ(atomic_use(cyclic(2, 4, 4)).wavefronts, 16u);
    EXPECT_EQ(atomic_use(cyclic(32, 4, 4)).wavefronts, 1u);
    EXPECT_EQ(atomic_use(cyclic(32, 128, 4)).wavefronts, 32u);
    EXPECT_EQ(atomic_use(cyclic(32, 128, 4, 0x7ff)).wavefronts, 11u);
}

// Compares random addresses with a direct implementation of the definitions.
TEST(Requests, random_addresses) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        Access access;
        access.kind = trace::AccessKind::store;
        access.width_bytes = static_cast<std::uint8_t>(1u << random() % 5);
        access.mask = static_cast<Mask>(random());
        std::set<std::uint64_t> segments, bytes;
        const unsigned lanes = access.width_bytes <= 4 ? 32 : access.width_bytes == 8 ? 16 : 8;
        std::vector<std::vector<std::set<std::uint64_t>>> words(4, std::vector<std::set<std::uint64_t>>(32));
        for (unsigned lane = 0; lane < 32; ++lane) {
            access.offset[lane] = random() % 600;
            if ((access.mask >> lane & 1) == 0) continue;
            for (unsigned i = 0; i < access.width_bytes; ++i) {
                const std::uint64_t byte = access.offset[lane] + i;
                segments.insert(byte / 32);
                bytes.insert(byte);
                words[lane / lanes][byte / 4 % 32].insert(byte / 4);
            }
        }
        std::size_t passes = 0;
        for (const auto& pass : words) {
            std::size_t most = 0;
            for (const auto& bank : pass)
                most = std::max(most, bank.size());
            passes += most;
        }
        ASSERT_EQ(sectors(access), segments.size());
        ASSERT_EQ(ideal_sectors(access), (bytes.size() + 31) / 32);
        ASSERT_EQ(banks(access).wavefronts, passes);
    }
}

}  // namespace requests_test
}  // namespace lanescope::analysis
