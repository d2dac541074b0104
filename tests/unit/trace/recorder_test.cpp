#include <gtest/gtest.h>

#include <cstring>

#include "maker.h"
#include "trace/events.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace recorder_test {

std::uint32_t word_at(const Replay& replay, std::uint64_t offset) {
    std::uint32_t word = 0;
    replay.read(Space::global, 0, 0, offset, std::as_writable_bytes(std::span(&word, 1)));
    return word;
}

TEST(Recorder, an_empty_trace) {
    const auto trace = Recorder().finish();
    Replay replay(trace);
    replay.seek(10);
    EXPECT_EQ(replay.position(), 0u);
    EXPECT_TRUE(replay.details(0, 5, 0).empty());
    EXPECT_TRUE(replay.frames(0, 0, 0).empty());
    EXPECT_EQ(word_at(replay, 1 << 20), 0u);
    EXPECT_FALSE(trace->truncated);
}

TEST(Recorder, stops_at_its_limit_and_says_so) {
    Maker maker({.trace_bytes = 200000, .snapshot_interval_bytes = 4096});
    maker.launch(1, 32);
    std::uint32_t turns = 0;
    for (; turns < 100000 && !maker.recorder.full(); ++turns) {
        maker.recorder.begin_turn(0, 0, all_lanes, turns % 50, 1, 0);
        maker.store(64, turns, turns + 1);
        maker.recorder.end_turn(TurnEnd::step, 1);
    }
    ASSERT_TRUE(maker.recorder.full());
    const std::uint64_t count = maker.recorder.turn_count();
    maker.recorder.begin_turn(0, 0, all_lanes, 0, 1, 0);
    maker.store(64, 7, 8);
    maker.recorder.end_turn(TurnEnd::step, 1);
    maker.recorder.barrier_release(0, 0);
    EXPECT_EQ(maker.recorder.turn_count(), count);
    const auto trace = maker.finish();
    EXPECT_TRUE(trace->truncated);
    EXPECT_NE(trace->truncation.find(std::to_string(count) + " turns"), std::string::npos)
        << trace->truncation;
    EXPECT_TRUE(trace->releases.empty());
    EXPECT_LT(trace->size_bytes(), 300000u);
    Replay replay(trace);
    for (std::uint64_t at = 0; at <= count; at += 97) {
        replay.seek(at);
        ASSERT_EQ(word_at(replay, 64), at);
    }
}

TEST(Recorder, lanes_that_store_to_one_address) {
    Maker maker;
    maker.launch(1, 32);
    maker.recorder.begin_turn(0, 0, all_lanes, 0, 1, 0);
    std::array<std::uint64_t, warp_size> offsets;
    offsets.fill(128);
    std::array<std::uint32_t, warp_size> before{}, after{};
    std::array<std::uint16_t, warp_size> newly;
    newly.fill(15);
    for (unsigned i = 0; i < warp_size; ++i)
        after[i] = 100 + i;  // every lane reads the memory before the instruction
    maker.recorder.access(AccessKind::store, Space::global, 0, 0, 4, all_lanes, offsets.data(),
                          reinterpret_cast<const std::byte*>(before.data()),
                          reinterpret_cast<const std::byte*>(after.data()), newly.data());
    maker.recorder.end_turn(TurnEnd::step, 1);
    Replay replay(maker.finish());
    const auto details = replay.details(0, 1, 0);
    EXPECT_EQ(word_at(replay, 128), 131u);
    std::uint32_t seen = 0;
    std::memcpy(&seen, details[0].accesses[0].before[31].data(), 4);
    EXPECT_EQ(seen, 130u);
    bool set[4];
    std::byte bytes[4];
    replay.read(Space::global, 0, 0, 128, bytes, set);
    EXPECT_TRUE(set[0] && set[3]);
    replay.seek(0);
    replay.read(Space::global, 0, 0, 128, bytes, set);
    EXPECT_FALSE(set[0] || set[3]);
    EXPECT_EQ(word_at(replay, 128), 0u);
}

TEST(Recorder, images_grow) {
    Maker maker;
    maker.recorder.set_image(Space::global, std::vector<std::byte>(100, std::byte{9}),
                             std::vector<std::uint64_t>(2, ~std::uint64_t{0}));
    maker.launch(1, 32);
    maker.recorder.add_symbol({"heap", Space::global, 0, 1u << 20, 64, {}, false, false, 0});
    maker.recorder.begin_turn(0, 0, all_lanes, 0, 1, 0);
    maker.store((1u << 20) + 8, 0, 77);
    maker.recorder.end_turn(TurnEnd::step, 1);
    const auto trace = maker.finish();
    Replay replay(trace);
    replay.seek(1);
    EXPECT_EQ(word_at(replay, (1u << 20) + 8), 77u);
    bool set[8];
    std::byte bytes[8];
    replay.read(Space::global, 0, 0, 96, bytes, set);
    EXPECT_TRUE(set[3]);
    EXPECT_FALSE(set[4]);  // outside of the image
    EXPECT_EQ(resolve(*trace, 0, Space::global, (1u << 20) + 8).symbol->name, "heap");
}

TEST(Recorder, only_recorded_blocks) {
    Maker maker;
    maker.launch(10, 32, {7, 2});
    EXPECT_TRUE(maker.recorder.records(2));
    EXPECT_FALSE(maker.recorder.records(3));
    maker.turn(7, 0, all_lanes, 1);
    maker.recorder.barrier_release(3, 0);
    maker.recorder.barrier_release(7, 0);
    const auto trace = maker.finish();
    EXPECT_EQ(trace->releases.size(), 1u);
    EXPECT_EQ(trace->launches[0].recorded_blocks, (std::vector<std::uint32_t>{2, 7}));
    EXPECT_FALSE(maker.recorder.records(2));  // no launch runs
}

TEST(Recorder, a_small_turn_is_a_few_bytes) {
    Maker maker;
    maker.launch(1, 32);
    for (int i = 0; i < 1000; ++i) {
        maker.recorder.begin_turn(0, 0, all_lanes, 5, 1, 0);
        std::array<std::uint64_t, warp_size> offsets;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            offsets[lane] = 100000 + 4 * lane;
        maker.recorder.access(AccessKind::load, Space::global, 7, 2, 4, all_lanes, offsets.data(), nullptr,
                              nullptr, nullptr);
        std::array<std::uint64_t, warp_size> before, after;
        before.fill(static_cast<std::uint64_t>(i));
        after.fill(static_cast<std::uint64_t>(i + 1));
        maker.recorder.variable(0, all_lanes, before.data(), after.data(), i == 0 ? all_lanes : 0);
        maker.recorder.end_turn(TurnEnd::step, 4);
    }
    EXPECT_LE(maker.finish()->events->bytes.size(), 1000u * 12 + 16);
}

Variable variable(Variable::Home home, TypeId type, std::uint64_t offset) {
    Variable made;
    made.home = home;
    made.type = type;
    made.slot = static_cast<std::uint32_t>(offset);
    made.offset = offset;
    return made;
}

TEST(Replay, variables_of_every_home) {
    Program program = model_program();
    const TypeId int_type = program.types.named("int"), bool_type = program.types.named("bool");
    Maker maker;
    maker.recorder.set_program(program);
    maker.recorder.set_image(Space::constant, std::vector<std::byte>(8, std::byte{3}),
                             std::vector<std::uint64_t>{0xf});
    maker.launch(2, 32);
    maker.recorder.begin_turn(1, 0, all_lanes, 0, 1, 0);
    maker.recorder.push_frame(4, 1);
    std::array<std::uint64_t, warp_size> offsets{}, before{}, after{};
    after.fill(0x1234567801u);
    maker.recorder.variable(2, 4, before.data(), after.data(), 4);
    offsets.fill(40);
    const std::array<std::byte, 128> old{};
    std::array<std::byte, 128> now;
    now.fill(std::byte{5});
    std::array<std::uint16_t, warp_size> newly;
    newly.fill(15);
    for (const Space space : {Space::local, Space::shared})
        maker.recorder.access(AccessKind::store, space, 0, 0, 4, 4, offsets.data(), old.data(), now.data(),
                              newly.data());
    maker.recorder.end_turn(TurnEnd::step, 1);
    const auto trace = maker.finish();
    Replay replay(trace);
    replay.seek(1);
    const auto value = [&](Variable::Home home, TypeId type, std::uint64_t offset, std::uint32_t depth = 1) {
        return replay.variable(0, 1, 2, depth, variable(home, type, offset));
    };
    EXPECT_EQ(value(Variable::Home::slot, int_type, 2).size(), 4u);
    EXPECT_EQ(value(Variable::Home::slot, bool_type, 2), std::vector<std::byte>{std::byte{1}});
    EXPECT_EQ(value(Variable::Home::slot, 0, 2).size(), 8u);  // unknown type
    EXPECT_TRUE(value(Variable::Home::slot, int_type, 1).empty());
    EXPECT_TRUE(value(Variable::Home::slot, int_type, 2, 0).empty());
    EXPECT_EQ(value(Variable::Home::local, int_type, 40), (std::vector<std::byte>(4, std::byte{5})));
    EXPECT_TRUE(value(Variable::Home::local, int_type, 44).empty());
    EXPECT_EQ(value(Variable::Home::shared, int_type, 40), (std::vector<std::byte>(4, std::byte{5})));
    EXPECT_EQ(value(Variable::Home::constant_space, int_type, 0), (std::vector<std::byte>(4, std::byte{3})));
    EXPECT_TRUE(value(Variable::Home::constant_space, int_type, 4).empty());
    EXPECT_TRUE(replay.variable(0, 9, 2, 0, variable(Variable::Home::shared, int_type, 40)).empty());
    EXPECT_TRUE(replay.variable(5, 0, 2, 0, variable(Variable::Home::slot, int_type, 0)).empty());
}

TEST(Replay, bad_places_read_as_nothing) {
    Maker maker;
    maker.launch(2, 40);
    maker.turn(0, 0, all_lanes, 1);
    const auto trace = maker.finish();
    Replay replay(trace);
    replay.seek(99);
    EXPECT_EQ(replay.position(), 1u);
    std::byte bytes[16];
    bool set[16];
    for (const Space space : {Space::global, Space::constant, Space::shared, Space::local})
        for (const std::uint64_t at : {std::uint64_t{0}, ~std::uint64_t{0} - 5, std::uint64_t{1} << 60}) {
            replay.read(space, 0, at, at, bytes, set);
            EXPECT_FALSE(set[0]);
        }
    EXPECT_TRUE(replay.frames(0, 0, 40).empty());
    EXPECT_TRUE(replay.frames(0, 2, 0).empty());
    EXPECT_EQ(replay.frames(0, 0, 0).size(), 1u);
    EXPECT_FALSE(replay.slot(0, 0, 0, 5, 0).set);
    EXPECT_FALSE(replay.slot(0, 0, 0, 0, 4000000000u).set);
}

TEST(Resolve, cells_by_name) {
    Trace trace;
    const TypeId int_type = trace.program.types.named("int");
    trace.symbols = {{"a", Space::global, int_type, 256, 64, {16}, true, false, 0},
                     {"one", Space::global, int_type, 512, 4, {}, false, false, 0},
                     {"c", Space::constant, 0, 0, 8, {8}, false, false, 0}};
    Launch launch;
    launch.shared = {{"tile", Space::shared, int_type, 16, 8 * 33 * 4, {8, 33}, false, false, 0}};
    trace.launches.push_back(launch);
    EXPECT_EQ(resolve(trace, 0, Space::global, 256 + 14 * 4).text, "a[14]");
    EXPECT_EQ(resolve(trace, 0, Space::global, 256 + 14 * 4 + 2).byte, 2u);
    EXPECT_EQ(resolve(trace, 0, Space::global, 512).text, "one");
    EXPECT_EQ(resolve(trace, 0, Space::global, 320).symbol, nullptr);
    EXPECT_EQ(resolve(trace, 0, Space::global, 320).text, "global + 320");
    const Resolved cell = resolve(trace, 0, Space::shared, 16 + (2 * 33 + 5) * 4);
    EXPECT_EQ(cell.text, "tile[2][5]");
    EXPECT_EQ(cell.index, 71u);
    EXPECT_EQ(resolve(trace, 3, Space::shared, 16).text, "shared + 16");
    EXPECT_EQ(resolve(trace, 0, Space::local, 16).text, "local + 16");
    EXPECT_EQ(resolve(trace, 0, Space::constant, 5).text, "c[5]");
}

}  // namespace recorder_test
}  // namespace lanescope::trace
