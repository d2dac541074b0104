// Tests of the real driver and GPU; skipped without a GPU.
#include <array>
#include <cstring>
#include <vector>

#include "fixture.h"
#include "gpu/clean/bandwidth.h"
#include "gpu/driver/memory.h"
#include "gpu/driver/stream.h"
#include "kernels.h"

namespace lanescope::gpu {
namespace device_test {

TEST_F(RealGpu, buffers_hold_what_was_written) {
    auto buffer = DeviceBuffer::allocate(*context_, 4096);
    ASSERT_TRUE(buffer);
    std::vector<std::byte> out(4096), back(4096);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::byte>(i * 7);
    ASSERT_TRUE(buffer->write(out));
    ASSERT_TRUE(buffer->read(back));
    EXPECT_EQ(out, back);
    ASSERT_TRUE(buffer->fill(std::byte{0xcd}));
    ASSERT_TRUE(buffer->read(std::span(back).first(16), 4080));
    EXPECT_EQ(back[15], std::byte{0xcd});
    EXPECT_FALSE(buffer->read(back, 1));
    EXPECT_FALSE(buffer->write(back, 4097));
}

TEST_F(RealGpu, kernels_run_and_events_time_them) {
    auto buffer = DeviceBuffer::allocate(*context_, 4);
    auto begin = Event::create(*context_), end = Event::create(*context_);
    ASSERT_TRUE(buffer && begin && end);
    ASSERT_TRUE(begin->record(context_->stream()));
    launch(*context_, "store", buffer->address());
    ASSERT_TRUE(end->record(context_->stream()));
    const auto waited = context_->wait(context_->stream(), {.seconds = 10});
    ASSERT_TRUE(waited);
    EXPECT_EQ(*waited, Waited::finished);
    std::array<std::byte, 4> back{};
    ASSERT_TRUE(buffer->read(back));
    EXPECT_EQ(back[0], std::byte{42});
    const auto milliseconds = end->milliseconds_since(*begin);
    ASSERT_TRUE(milliseconds);
    EXPECT_GT(*milliseconds, 0);
    EXPECT_LT(*milliseconds, 1000);
}

TEST_F(RealGpu, bad_size_names_the_free_memory_and_leaves_the_context_well) {
    const auto large = DeviceBuffer::allocate(*context_, 1ull << 46);
    ASSERT_FALSE(large);
    EXPECT_NE(to_text(large.diagnostics()).find("64 TiB (70368744177664 bytes) wanted"), std::string::npos)
        << to_text(large.diagnostics());
    EXPECT_TRUE(DeviceBuffer::allocate(*context_, 4096));
}

TEST_F(RealGpu, bandwidth_is_plausible) {
    const auto transfers =
        measure_bandwidth(*context_, {.bytes = 8u << 20, .large_bytes = 64u << 20, .runs = 5});
    ASSERT_TRUE(transfers) << to_text(transfers.diagnostics());
    ASSERT_EQ(transfers->size(), 6u);
    for (const Transfer& transfer : *transfers) {
        EXPECT_EQ(transfer.runs, 5);
        EXPECT_GT(transfer.minimum, 0.1) << transfer.direction;
        EXPECT_LE(transfer.minimum, transfer.median);
        EXPECT_LE(transfer.median, transfer.maximum);
        EXPECT_LT(transfer.maximum, 100'000) << transfer.direction;
    }
}

}  // namespace device_test
}  // namespace lanescope::gpu
