// Streams of hand-made traces, with every record checked.
#include "trace/streams.h"

#include <gtest/gtest.h>

#include <numeric>

#include "maker.h"

namespace lanescope::trace {
namespace streams_test {

std::vector<Record> stream(const RecordStreams& streams, std::uint32_t slot) {
    std::vector<Record> records;
    for (std::uint32_t k = 0; k < streams.counts[slot]; ++k)
        records.push_back(streams.at(slot, k));
    return records;
}

struct Expected {
    RecordKind kind{};
    std::uint32_t pc = 0, extra = 0;
    std::uint64_t value = 0;
};

void expect_stream(const RecordStreams& streams, std::uint32_t slot, const std::vector<Expected>& expected) {
    const std::vector<Record> records = stream(streams, slot);
    ASSERT_EQ(records.size(), expected.size()) << "slot " << slot;
    for (std::size_t k = 0; k < records.size(); ++k) {
        EXPECT_EQ(kind_of(records[k]), expected[k].kind) << k;
        EXPECT_EQ(pc_of(records[k]), expected[k].pc) << k;
        EXPECT_EQ(records[k].extra, expected[k].extra) << k;
        EXPECT_EQ(records[k].value, expected[k].value) << k;
    }
}

using enum RecordKind;

TEST(Streams, points_of_lanes_that_part) {
    Maker maker;
    maker.launch(2, 4);
    maker.turn(0, 0, 0xf, 5);
    maker.turn(1, 0, 0xf, 5);
    maker.diverge(0, 0, 0xf, 6, 0x3);
    maker.turn(0, 0, 0x3, 7, TurnEnd::exited);
    maker.turn(0, 0, 0xc, 8, TurnEnd::exited);
    const RecordStreams streams = streams_of(*maker.finish(), 0);

    EXPECT_EQ(streams.blocks, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(streams.block_threads, 4u);
    EXPECT_EQ(streams.threads(), 8u);
    EXPECT_EQ(streams.capacity, 5u);
    EXPECT_EQ(streams.records.size(), 40u);
    expect_stream(
        streams, 1,
        {{begin, 5, 0, 0}, {point, 5, 0xf, 0}, {point, 6, 0xf, 2}, {point, 7, 0x3, 3}, {end, 7, 0, 3}});
    expect_stream(
        streams, 2,
        {{begin, 5, 0, 0}, {point, 5, 0xf, 0}, {point, 6, 0xf, 2}, {point, 8, 0xc, 4}, {end, 8, 0, 4}});
    // Block 1 never ends.
    expect_stream(streams, 7, {{begin, 5, 0, 1}, {point, 5, 0xf, 1}});
    EXPECT_EQ(kind_of(streams.at(7, 2)), empty);
}

TEST(Streams, lanes_that_leave_early_end_once) {
    Maker maker;
    maker.launch(1, 3);
    maker.recorder.begin_turn(0, 0, 0x7, 3, 3, 0);
    maker.recorder.exit_lanes(0x4, 0);
    maker.recorder.end_turn(TurnEnd::step, 1);
    maker.turn(0, 0, 0x3, 4, TurnEnd::exited);
    const RecordStreams streams = streams_of(*maker.finish(), 0);
    expect_stream(streams, 0, {{begin, 3, 0, 0}, {point, 3, 7, 0}, {point, 4, 3, 1}, {end, 4, 0, 1}});
    expect_stream(streams, 2, {{begin, 3, 0, 0}, {point, 3, 7, 0}, {end, 3, 0, 0}});
}

TEST(Streams, what_a_turn_does_stands_in_its_order) {
    Maker maker;
    maker.launch(1, 2);
    std::array<std::uint64_t, warp_size> offsets{}, none_before{}, first{}, second{};
    offsets[0] = 8, offsets[1] = 12;
    first[0] = 70, first[1] = 71;
    second[0] = 70, second[1] = 1ull << 40;
    std::array<std::uint32_t, warp_size> zeros{}, stored{};
    stored[0] = 700, stored[1] = 710;
    std::array<std::uint8_t, warp_size> source{};
    source[0] = 1, source[1] = 0;
    std::array<std::uint16_t, warp_size> newly{};
    newly.fill(15);
    maker.recorder.begin_turn(0, 0, 0x3, 100, 10, 0);
    maker.recorder.variable(2, 0x3, none_before.data(), first.data(), 0x3);
    maker.recorder.access(AccessKind::store, Space::shared, 101, 1, 4, 0x3, offsets.data(),
                          reinterpret_cast<const std::byte*>(zeros.data()),
                          reinterpret_cast<const std::byte*>(stored.data()), newly.data());
    maker.recorder.exchange(102, 2, 0x3, source.data());
    maker.recorder.variable(2, 0x2, first.data(), second.data(), 0);
    maker.recorder.end_turn(TurnEnd::step, 4);
    const auto trace = maker.finish();

    const std::uint64_t shared = stream_address(Space::shared, 0);
    EXPECT_EQ(shared, 2ull << 60);
    const RecordStreams streams = streams_of(*trace, 0);
    expect_stream(streams, 0,
                  {{begin, 100, 0, 0},
                   {point, 100, 3, 0},
                   {variable, 100, 2, 70},
                   {access, 101, 700, shared + 8},
                   {lane, 102, 1, 0}});
    expect_stream(streams, 1,
                  {{begin, 100, 0, 0},
                   {point, 100, 3, 0},
                   {variable, 100, 2, 71},
                   {access, 101, 710, shared + 12},
                   {lane, 102, 0, 0},
                   {variable, 100, 2, 1ull << 40}});
    const RecordStreams points = streams_of(*trace, 0, {.accesses = false, .variables = false, .blocks = {}});
    EXPECT_EQ(points.capacity, 2u);
    const RecordStreams variables =
        streams_of(*trace, 0, {.accesses = false, .variables = true, .blocks = {}});
    expect_stream(
        variables, 1,
        {{begin, 100, 0, 0}, {point, 100, 3, 0}, {variable, 100, 2, 71}, {variable, 100, 2, 1ull << 40}});
}

TEST(Streams, wide_values_and_atomics) {
    Maker maker;
    maker.launch(1, 1);
    const std::uint64_t offset = 64;
    const std::array<std::uint64_t, 2> zeros{}, wide{0x1111222233334444u, 0x5555666677778888u};
    const std::uint16_t none_new = 0;
    const auto bytes = [](const auto& value) { return reinterpret_cast<const std::byte*>(&value); };
    maker.recorder.begin_turn(0, 0, 1, 1, 1, 0);
    maker.recorder.access(AccessKind::store, Space::global, 1, 0, 16, 1, &offset, bytes(zeros), bytes(wide),
                          &none_new);
    maker.recorder.access(AccessKind::load, Space::global, 2, 1, 8, 1, &offset, nullptr, nullptr, nullptr);
    const std::uint32_t before = 0x33334444, after = 7;
    maker.recorder.access(AccessKind::atomic, Space::global, 3, 2, 4, 1, &offset, bytes(before), bytes(after),
                          &none_new);
    maker.recorder.access(AccessKind::load, Space::global, 4, 3, 2, 1, &offset, nullptr, nullptr, nullptr);
    maker.recorder.end_turn(TurnEnd::step, 4);
    expect_stream(streams_of(*maker.finish(), 0), 0,
                  {{begin, 1, 0, 0},
                   {point, 1, 1, 0},
                   {access, 1, 0x33334444, 64},
                   {data, 1, 0, wide[0]},
                   {data, 1, 0, wide[1]},
                   {access, 2, 0x33334444, 64},
                   {data, 2, 0, wide[0]},
                   {access, 3, 0x33334444, 64},
                   {access, 4, 7, 64}});
}

TEST(Streams, a_callee_s_variable_names_its_function) {
    Maker maker;
    maker.launch(1, 1);
    const std::uint64_t zero = 0, value = 9;
    maker.recorder.begin_turn(0, 0, 1, 50, 1, 0);
    maker.recorder.push_frame(1, 2, 0);
    maker.recorder.variable(1, 1, &zero, &value, 1);
    maker.recorder.end_turn(TurnEnd::step, 1);
    // Function 2 of the model begins at 200.
    expect_stream(streams_of(*maker.finish(), 0), 0,
                  {{begin, 50, 0, 0}, {point, 50, 1, 0}, {variable, 200, 1, 9}});
}

TEST(Streams, launches_and_blocks_apart) {
    Maker maker;
    maker.launch(1, 2);
    maker.turn(0, 0, 0x3, 1, TurnEnd::exited);
    maker.recorder.end_launch();
    maker.launch(9, 40, {3, 7});
    maker.turn(7, 1, 0xff, 2);
    maker.turn(3, 0, ~0u, 4);
    const auto trace = maker.finish();
    const RecordStreams second = streams_of(*trace, 1);
    EXPECT_EQ(second.blocks, (std::vector<std::uint32_t>{3, 7}));
    EXPECT_EQ(second.threads(), 80u);
    expect_stream(second, 31, {{begin, 4, 0, 1}, {point, 4, ~0u, 1}});
    expect_stream(second, 40 + 39, {{begin, 2, 0, 0}, {point, 2, 0xff, 0}});
    expect_stream(second, 39, {});
    const RecordStreams only = streams_of(*trace, 1, {.accesses = true, .variables = true, .blocks = {5, 7}});
    EXPECT_EQ(only.blocks, (std::vector<std::uint32_t>{7}));  // 5 is not recorded
    expect_stream(only, 39, {{begin, 2, 0, 0}, {point, 2, 0xff, 0}});
    EXPECT_EQ(streams_of(*trace, 2).threads(), 0u);
}

// In random traces, the predicted counts match the streams, and the last value of every variable matches the
// state.
TEST(Streams, counts_and_values_agree_with_the_state) {
    const ModelRun run({});
    for (std::uint32_t launch = 0; launch < run.trace->launches.size(); ++launch) {
        const RecordStreams streams = streams_of(*run.trace, launch);
        EXPECT_EQ(streams.counts, count_records(*run.trace, launch, {}));
        EXPECT_GT(streams.capacity, 4u);
        Replay replay(run.trace);
        replay.seek(run.trace->launches[launch].end_turn);
        for (std::uint32_t slot = 0; slot < streams.threads(); ++slot) {
            const auto frames = replay.frames(launch, streams.blocks[slot / streams.block_threads],
                                              slot % streams.block_threads);
            if (frames.size() != 1) continue;
            for (std::uint32_t variable_slot = 0;
                 variable_slot < run.trace->program.functions[frames[0]].slots; ++variable_slot) {
                const auto value = replay.slot(launch, streams.blocks[slot / streams.block_threads],
                                               slot % streams.block_threads, 0, variable_slot);
                std::uint64_t last = 0;
                for (const Record& record : stream(streams, slot)) {
                    if (kind_of(record) != variable || record.extra != variable_slot) continue;
                    if (run.trace->program.code_rows[pc_of(record)].function == frames[0])
                        last = record.value;
                }
                if (!value.set) continue;
                EXPECT_EQ(last, value.bits);
            }
        }
    }
}

}  // namespace streams_test
}  // namespace lanescope::trace
