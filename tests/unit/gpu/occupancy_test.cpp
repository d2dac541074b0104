#include "gpu/clean/occupancy.h"

#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace occupancy_test {

// What the driver says of an H200.
constexpr MultiprocessorLimits hopper{90, 2048, 32, 65536, 233472, 1024};
// Compute capability 7.5 in the programming guide's tables.
constexpr MultiprocessorLimits turing{75, 1024, 16, 65536, 65536, 0};

void expect(const MultiprocessorLimits& limits, const BlockNeeds& needs, int blocks, int warps,
            const std::string& limiter) {
    const Occupancy found = occupancy_of(limits, needs);
    EXPECT_EQ(found.blocks_per_sm, blocks) << limiter;
    EXPECT_EQ(found.warps, warps) << limiter;
    EXPECT_EQ(found.limiter, limiter);
}

TEST(Occupancy, names_what_is_exhausted_first) {
    expect(hopper, {256, 32, 0}, 8, 64, "threads");
    expect(hopper, {32, 32, 0}, 32, 32, "blocks");
    expect(hopper, {256, 128, 0}, 2, 16, "registers");
    expect(hopper, {128, 32, 48 << 10}, 4, 16, "shared_memory");
    expect(turing, {128, 32, 48 << 10}, 1, 4, "shared_memory");
}

TEST(Occupancy, allocates_in_units) {
    // 33 registers of a warp take 1280, so that a quarter of the registers holds 12 warps and not 15.
    expect(hopper, {256, 33, 0}, 6, 48, "registers");
    // A block of 33 threads has two warps.
    expect(hopper, {33, 16, 0}, 32, 64, "threads");
    // 1 byte takes 128 bytes beside the reserved 1024, or 256 bytes on older devices.
    expect(hopper, {32, 16, 8193}, 24, 24, "shared_memory");
    expect(turing, {32, 16, 8193}, 7, 7, "shared_memory");
}

TEST(Occupancy, limits_show_their_arithmetic) {
    const std::vector<OccupancyLimit> limits = occupancy_limits(hopper, {256, 33, 8193});
    ASSERT_EQ(limits.size(), 4u);
    EXPECT_EQ(limits[0].arithmetic, "64 warps / 8 of a block");
    EXPECT_EQ(limits[0].blocks, 8);
    EXPECT_EQ(limits[1].arithmetic, "at most 32");
    EXPECT_EQ(limits[2].arithmetic,
              "33 × 32 = 1 056 of a warp, rounded up to 1 280; 4 × (16 384 / 1 280) = 48 warps / 8 of a "
              "block");
    EXPECT_EQ(limits[2].blocks, 6);
    EXPECT_EQ(limits[3].arithmetic,
              "8 193 bytes + 1 024 of the system, rounded up to 9 344; 233 472 / 9 344");
    EXPECT_EQ(limits[3].blocks, 24);
}

TEST(Occupancy, block_that_does_not_fit_has_none) {
    expect(hopper, {1024, 255, 0}, 0, 0, "registers");
    EXPECT_EQ(occupancy_of(hopper, {1024, 255, 0}).share(), 0);
}

TEST(Occupancy, equal_launches_are_one_entry) {
    std::vector<LaunchOccupancy> all;
    LaunchOccupancy launch{"reduce", 1, {256, 16, 1024}, occupancy_of(hopper, {256, 16, 1024})};
    add_launch(all, launch);
    add_launch(all, launch);
    launch.block.threads = 128;
    add_launch(all, launch);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].launches, 2u);
    EXPECT_EQ(occupancy_text(all[0]),
              "reduce: 8 blocks of 256 threads on a multiprocessor, 64 of 64 warps (100 %), limited by "
              "threads; 16 registers a thread, 1024 bytes of shared memory a block");
}

}  // namespace occupancy_test
}  // namespace lanescope::gpu
