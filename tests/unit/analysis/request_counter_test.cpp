// An encoded request counts the same as its lanes counted one by one.
#include "analysis/request_counter.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::analysis {
namespace request_counter_test {

trace::Access lanes_of(const trace::Event& event) {
    trace::Access access;
    access.kind = event.kind == trace::EventKind::load ? trace::AccessKind::load : trace::AccessKind::store;
    access.space = event.space;
    access.width_bytes = event.width;
    access.mask = event.mask;
    access.owner = event.owner;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        access.offset[lane] = event.base + lane * event.stride;
    return access;
}

TEST(RequestCounter, affine_requests_of_all_kinds) {
    std::mt19937 random(3);
    const trace::Mask masks[] = {~0u, 0xffff, 0xff00, 0x1, 0x80000000, 0x7ffffffe, 0x55555555, 0x0ff00ff0, 0};
    RequestCounter counter;
    for (int round = 0; round < 20'000; ++round) {
        trace::Event event;
        event.kind = random() % 2 ? trace::EventKind::load : trace::EventKind::store;
        event.space = random() % 2 ? trace::Space::global : trace::Space::shared;
        if (event.space == trace::Space::shared && random() % 4 == 0) event.owner = 1;
        event.width = static_cast<std::uint8_t>(random() % 4 ? 1u << random() % 5 : 12);
        const std::uint64_t strides[] = {0, event.width, 4, 2ull * event.width, 128};
        event.stride = strides[random() % 5];
        event.base = random() % 3 ? random() % 8 * event.width : random() % 200;
        event.mask = random() % 4 ? masks[random() % 9] : random();
        Metrics encoded, one_by_one;
        counter.add(event, {}, encoded);
        RequestCounter::add(lanes_of(event), {}, one_by_one);
        for (const MetricField& field : metric_fields())
            ASSERT_EQ(encoded.*field.value, one_by_one.*field.value)
                << field.name << ": width " << int(event.width) << " base " << event.base << " stride "
                << event.stride << " mask " << event.mask;
    }
}

TEST(RequestCounter, requests_to_other_blocks_have_no_wavefronts) {
    RequestCounter counter;
    Metrics metrics;
    trace::Event event;
    event.space = trace::Space::shared;
    event.width = 4;
    event.stride = 128;  // one bank
    event.mask = 0xff;
    event.owner = 1;
    for (const trace::EventKind kind : {trace::EventKind::load, trace::EventKind::store,
                                        trace::EventKind::store, trace::EventKind::atomic}) {
        event.kind = kind;
        counter.add(event, {}, metrics);
    }
    EXPECT_EQ(metrics.remote_load_requests, 1u);
    EXPECT_EQ(metrics.remote_store_requests, 2u);
    EXPECT_EQ(metrics.remote_atomic_requests, 1u);
    EXPECT_EQ(metrics.remote_lanes, 32u);
    EXPECT_EQ(metrics.atomics, 8u);
    EXPECT_EQ(metrics.shared_load_requests + metrics.shared_store_requests + metrics.shared_atomic_requests,
              0u);
    EXPECT_EQ(metrics.shared_load_wavefronts + metrics.shared_store_wavefronts, 0u);
    EXPECT_EQ(metrics.shared_atomic_wavefronts + metrics.shared_conflict_degree, 0u);
}

}  // namespace request_counter_test
}  // namespace lanescope::analysis
