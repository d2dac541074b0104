// Compares the map of the shaders with a plain search, with states worked out by hand, and with the CPU.
#include "render/thread_map.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "map_comparison.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "render/shader.h"

namespace lanescope::render {
namespace thread_map_test {

struct Word4 {
    std::uint32_t head = 0, extra = 0;
    std::uint64_t value = 0;
};
enum Kind : std::uint32_t { begin = 1, point = 2, access = 3, variable = 5, end = 8 };

Word4 word(Kind kind, std::uint32_t pc, std::uint32_t extra, std::uint64_t value) {
    return {static_cast<std::uint32_t>(kind) << 28 | pc, extra, value};
}

// The records of the threads before they are interleaved.
struct Threads {
    StreamShape shape;
    std::vector<std::vector<Word4>> of;

    Threads(std::uint32_t blocks, std::uint32_t block_threads)
        : shape{blocks, block_threads, 0}, of(blocks * block_threads) {}
    Result<StreamBuffer> upload(std::uint32_t capacity = 0) {
        for (const auto& records : of)
            shape.capacity = std::max(shape.capacity, static_cast<std::uint32_t>(records.size()));
        if (capacity != 0) shape.capacity = capacity;
        std::vector<Word4> laid(std::size_t{shape.capacity} * of.size());
        std::vector<std::uint32_t> counts;
        for (std::size_t slot = 0; slot < of.size(); ++slot) {
            counts.push_back(static_cast<std::uint32_t>(of[slot].size()));
            for (std::size_t k = 0; k < std::min<std::size_t>(of[slot].size(), shape.capacity); ++k)
                laid[k * of.size() + slot] = of[slot][k];
        }
        return StreamBuffer::upload(shape, std::as_bytes(std::span(laid)), counts);
    }
};

class Map : public testing::Test {
  protected:
    void SetUp() override {
        auto context = HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        context_ = std::make_unique<HeadlessContext>(std::move(*context));
        auto map = ThreadMap::create();
        ASSERT_TRUE(map) << to_text(map.diagnostics());
        map_ = std::make_unique<ThreadMap>(std::move(*map));
    }
    ThreadState state(std::uint32_t slot) { return map_->thread(slot).state; }
    void show(const StreamBuffer& buffer, std::uint64_t time) {
        const Result<void> updated = map_->update(buffer, time);
        ASSERT_TRUE(updated) << to_text(updated.diagnostics());
    }

    std::unique_ptr<HeadlessContext> context_;  // declared first, so that it is destroyed last
    std::unique_ptr<ThreadMap> map_;
};

TEST_F(Map, states_of_a_warp_by_hand) {
    // Lanes 0 and 1 run together, then lane 0 alone, then both wait at a barrier (pc 3) and
    // exit. Lane 2 exits at once.
    Threads threads(1, 3);
    threads.of[0] = {word(begin, 0, 0, 10), word(point, 0, 7, 10), word(access, 0, 0, 99),
                     word(point, 1, 1, 20), word(point, 3, 3, 30), word(point, 4, 3, 40),
                     word(end, 4, 0, 40)};
    threads.of[1] = {word(begin, 0, 0, 10), word(point, 0, 7, 10), word(point, 3, 3, 30),
                     word(point, 4, 3, 40), word(end, 4, 0, 40)};
    threads.of[2] = {word(begin, 0, 0, 10), word(point, 0, 7, 10), word(end, 0, 0, 10)};
    auto buffer = threads.upload();
    ASSERT_TRUE(buffer);
    std::vector<CodePoint> code(5);
    for (std::uint32_t pc = 0; pc < 5; ++pc)
        code[pc].line_rank = pc;
    code[3].flags = waits_at_barrier;
    ASSERT_TRUE(map_->set_code(code));
    using enum ThreadState;
    struct StepState {
        std::uint64_t time;
        ThreadState states[3];
        std::uint32_t pc0;
    };
    for (const StepState& step_state :
         {StepState{9, {not_started, not_started, not_started}, 0},
          StepState{10, {active, active, active}, 0}, StepState{11, {active, active, finished}, 0},
          StepState{20, {diverged, left_behind, finished}, 1}, StepState{30, {active, active, finished}, 3},
          StepState{35, {at_barrier, at_barrier, finished}, 3}, StepState{40, {active, active, finished}, 4},
          StepState{41, {finished, finished, finished}, 4}}) {
        show(*buffer, step_state.time);
        for (std::uint32_t slot = 0; slot < 3; ++slot)
            EXPECT_EQ(state(slot), step_state.states[slot]) << step_state.time << " slot " << slot;
        EXPECT_EQ(map_->thread(0).pc, step_state.pc0) << step_state.time;
    }
    show(*buffer, 35);
    const Tally tally = map_->tally();
    EXPECT_EQ(tally.states[std::size_t(at_barrier)], 2u);
    EXPECT_EQ(tally.states[std::size_t(finished)], 1u);
    EXPECT_EQ(tally.lines[3], 2u);
    EXPECT_EQ(tally.lines[0], 0u);
}

TEST_F(Map, clocks_are_64_bits_and_each_multiprocessor_has_its_own) {
    const std::uint64_t base = 0xfffffff0ull, high = base + 100;  // the low word overflows in between
    Threads threads(2, 1);
    for (std::uint32_t block = 0; block < 2; ++block) {
        const std::uint64_t from = block == 0 ? base : base + (7ull << 40);
        threads.of[block] = {word(begin, 0, block, 5), word(point, 1, 1, from),
                             word(point, 2, 1, from + 100)};
    }
    auto buffer = threads.upload();
    ASSERT_TRUE(buffer);
    const std::vector<std::uint64_t> offsets{base, base + (7ull << 40)};
    ASSERT_TRUE(map_->set_clock_offsets(offsets));
    for (const auto& [time, pc] :
         {std::pair{0u, 1u}, std::pair{99u, 1u}, std::pair{100u, 2u}, std::pair{5000u, 2u}}) {
        show(*buffer, time);
        EXPECT_EQ(map_->thread(0).pc, pc) << time << " " << high;
        EXPECT_EQ(map_->thread(1).pc, pc) << time;
    }
}

TEST_F(Map, cut_off_streams_say_so) {
    Threads threads(1, 1);
    for (std::uint32_t k = 0; k < 6; ++k)
        threads.of[0].push_back(k == 0 ? word(begin, 0, 0, 0) : word(point, k, 1, 10 * k));
    auto buffer = threads.upload(4);  // holds points 1, 2 and 3
    ASSERT_TRUE(buffer);
    show(*buffer, 30);
    EXPECT_EQ(state(0), ThreadState::active);
    show(*buffer, 31);
    EXPECT_EQ(state(0), ThreadState::cut_off);
}

TEST_F(Map, last_value_of_a_variable_and_its_range) {
    Threads threads(1, 2);
    const auto bits = [](float number) { return std::uint64_t{std::bit_cast<std::uint32_t>(number)}; };
    // Function 0 keeps the variable in register 4 (float), function 1 in register 9 (short).
    threads.of[0] = {word(begin, 0, 0, 0),     word(point, 0, 3, 0),  word(variable, 0, 4, bits(-2.5f)),
                     word(variable, 0, 5, 77), word(point, 0, 3, 10), word(variable, 1, 9, 0xfffe),
                     word(variable, 1, 4, 1),  word(point, 0, 3, 20)};
    threads.of[1] = {word(begin, 0, 0, 0), word(point, 0, 3, 0), word(point, 0, 3, 10),
                     word(variable, 0, 4, bits(1000)), word(point, 0, 3, 20)};
    auto buffer = threads.upload();
    ASSERT_TRUE(buffer);
    std::vector<CodePoint> code(2);
    code[1].function = 1;
    ASSERT_TRUE(map_->set_code(code));
    ASSERT_TRUE(map_->set_watched(
        {{{4, value_type(NumberKind::floating, 4)}}, {{9, value_type(NumberKind::signed_int, 2)}}}));
    show(*buffer, 0);
    EXPECT_TRUE(map_->thread(0).has_value);
    EXPECT_EQ(map_->thread(0).bits, bits(-2.5f));
    EXPECT_FALSE(map_->thread(1).has_value);
    show(*buffer, 15);
    EXPECT_EQ(map_->thread(0).bits, 0xfffeu);
    EXPECT_EQ(map_->thread(0).type, value_type(NumberKind::signed_int, 2));
    EXPECT_EQ(map_->thread(1).bits, bits(1000));
    const ValueRange range = map_->range(*buffer);
    ASSERT_TRUE(range.any);
    EXPECT_FLOAT_EQ(range.least, -2.5f);
    EXPECT_FLOAT_EQ(range.greatest, 1000);
    ASSERT_TRUE(map_->set_watched({}));
    EXPECT_FALSE(map_->range(*buffer).any);
}

// In many random streams, the map and a plain loop find the same last point at or before a time.
TEST_F(Map, random_streams_agree_with_a_plain_search) {
    std::mt19937 random(7);
    Threads threads(50, 70);
    for (auto& records : threads.of) {
        records.push_back(word(begin, 0, 0, 0));
        std::uint64_t clock = 0;
        const unsigned count = random() % 40;
        for (unsigned i = 0; i < count; ++i) {
            if (random() % 3 == 0)
                records.push_back(word(point, random() % 1000, ~0u, clock += random() % 9));
            else
                records.push_back(word(access, 0, 0, random()));
        }
    }
    auto buffer = threads.upload();
    ASSERT_TRUE(buffer);
    for (const std::uint64_t time : {0u, 3u, 17u, 40u, 1000u}) {
        show(*buffer, time);
        for (std::uint32_t slot = 0; slot < threads.of.size(); slot += 3) {
            std::uint32_t pc = 0;
            bool started = false;
            for (const Word4& record : threads.of[slot])
                if (record.head >> 28 == point && record.value <= time)
                    pc = record.head & 0x0fffffff, started = true;
            ASSERT_EQ(map_->thread(slot).pc, pc) << "slot " << slot << " at " << time;
            ASSERT_EQ(state(slot) != ThreadState::not_started, started) << slot;
        }
    }
}

// Warps that diverge, wait, end and are cut off, on multiprocessors with clocks of their own.
struct Launch {
    std::vector<trace::Record> records;
    std::vector<std::uint32_t> counts;
    MapTables tables;
    StreamShape shape{7, 75, 50};
    std::uint64_t length = 0;

    explicit Launch(NumberKind kind, std::uint32_t size_bytes) {
        using trace::Record, trace::RecordKind, trace::record_head;
        std::mt19937 random(5 + size_bytes);
        tables.clock_offsets = {1000, 5'000'000'000, 77};
        tables.watched = {{{4, value_type(kind, size_bytes)}}, {}, {{9, value_type(kind, size_bytes)}}, {}};
        for (std::uint32_t pc = 0; pc < 40; ++pc)
            tables.code.push_back({pc * 9, pc % 3 == 0 ? std::uint32_t{waits_at_barrier} : 0u, pc % 4,
                                   0xff000000u | pc * 0x050b11u});
        records.resize(std::size_t{shape.capacity} * shape.threads());
        for (std::uint32_t block = 0; block < shape.blocks; ++block)
            for (std::uint32_t first = 0; first < shape.block_threads; first += 32)
                add_warp(random, block, first);
    }

    void add_warp(std::mt19937& random, std::uint32_t block, std::uint32_t first) {
        using trace::RecordKind;
        const std::uint32_t lanes = std::min(shape.block_threads - first, 32u), slot = counts.size();
        counts.resize(slot + lanes);
        const auto add = [&](std::uint32_t lane, RecordKind of, std::uint32_t pc, std::uint32_t extra,
                             std::uint64_t value) {
            const std::size_t k = counts[slot + lane]++;
            if (k < shape.capacity)
                records[k * shape.threads() + slot + lane] = {trace::record_head(of, pc), extra, value};
        };
        const std::uint32_t sm = block % 4;  // the clock of the last one is not known
        std::uint64_t time = random() % 30;
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            add(lane, RecordKind::begin, 0, sm, 0);
        for (std::uint32_t step = 0; step < 18 + 5 * (block % 3); ++step, time += random() % 9) {
            const std::uint32_t mask = step % 5 < 2 ? random() : ~0u, pc = random() % 40;
            for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                if ((mask >> lane & 1) == 0) continue;
                add(lane, RecordKind::point, pc, mask, time + (sm < 3 ? tables.clock_offsets[sm] : 0));
                if (random() % 3 == 0) add(lane, RecordKind::access, pc, 0, random());
                if (random() % 2 == 0)
                    add(lane, RecordKind::variable, pc, pc % 4 == 0 ? 4 : 9, random() << 4 | random());
            }
        }
        for (std::uint32_t lane = 0; lane < lanes; lane += 1 + block % 2)
            add(lane, RecordKind::end, 0, sm, 0);
        length = std::max(length, time);
    }
};

TEST_F(Map, the_cpu_computes_and_draws_the_same) {
    Tally seen;
    std::size_t picture = 0;
    for (const auto& [kind, size_bytes] :
         {std::pair{NumberKind::signed_int, 4u}, std::pair{NumberKind::unsigned_int, 8u},
          std::pair{NumberKind::signed_int, 8u}, std::pair{NumberKind::floating, 4u},
          std::pair{NumberKind::floating, 8u}, std::pair{NumberKind::signed_int, 2u},
          std::pair{NumberKind::unsigned_int, 1u}}) {
        const Launch launch(kind, size_bytes);
        MapComparison comparison({launch.shape, launch.records, launch.counts}, launch.tables);
        const MapZoom zooms[] = {{0.31f, 5, 3, 4}, {0.62f, -20, 2, 3}, {1, 0, 0, 2},    {2.7f, -31, -4, 1},
                                 {6, 4, 0, 3},     {17, -300, -20, 2}, {41, -300, 7, 1}};
        // Forwards in short and long steps, then back.
        for (const std::uint64_t share : {0, 1, 2, 3, 8, 20, 21, 35, 50, 51, 70, 90, 101, 60, 30, 29}) {
            comparison.at(launch.length * share / 100, zooms[picture % std::size(zooms)],
                          ColourBy(picture % 3));
            ++picture;
            if (HasFatalFailure()) return;
            for (std::size_t state = 0; state < thread_states; ++state)
                seen.states[state] += comparison.tally().states[state];
        }
    }
    for (std::size_t state = 1; state < thread_states; ++state)
        EXPECT_GT(seen.states[state], 0u) << "no thread was ever in state " << state;
}

TEST_F(Map, draws_blocks_side_by_side) {
    Threads threads(2, 64);
    for (std::uint32_t slot = 0; slot < 128; ++slot)
        threads.of[slot] = {word(begin, 0, 0, 0), word(point, slot < 64 ? 0 : 1, ~0u, slot == 5 ? 50 : 0)};
    auto buffer = threads.upload();
    ASSERT_TRUE(buffer);
    std::vector<CodePoint> code(2);
    code[0].colour = 0xff0000ffu;  // red
    code[1].colour = 0xffff0000u;  // blue
    ASSERT_TRUE(map_->set_code(code));
    show(*buffer, 10);
    auto target = Framebuffer::create(140, 8);
    ASSERT_TRUE(target);
    target->bind();
    MapPicture picture;
    picture.width = 140, picture.height = 8;
    picture.cell = 2, picture.gap = 8, picture.columns = 2;
    picture.colour_by = ColourBy::line;
    picture.state_colours[std::size_t(ThreadState::not_started)] = 0xff00ff00u;  // green
    map_->draw(*buffer, picture);
    const auto image = target->read();
    ASSERT_TRUE(image);
    const auto pixel = [&](int x, int y) {
        std::uint32_t colour = 0;
        for (std::uint32_t channel = 0; channel < 4; ++channel)
            colour |= std::uint32_t{image->at(std::uint32_t(x), std::uint32_t(y), channel)} << (8 * channel);
        return colour;
    };
    EXPECT_EQ(pixel(0, 0), 0xff0000ffu);
    EXPECT_EQ(pixel(11, 1), 0xff00ff00u);  // thread 5 has not started
    EXPECT_EQ(pixel(11, 2), 0xff0000ffu);  // thread 37: second warp
    EXPECT_EQ(pixel(67, 0), 0u);           // between the blocks
    EXPECT_EQ(pixel(72, 3), 0xffff0000u);
    EXPECT_EQ(pixel(0, 6), 0u);  // below
}

TEST_F(Map, bad_size_names_the_limit) {
    const auto buffer = StreamBuffer::create({1u << 20, 256, 1u << 10});
    ASSERT_FALSE(buffer);
    EXPECT_NE(buffer.diagnostics().front().message.find("MiB"), std::string::npos);
}

TEST_F(Map, bad_shader_is_located) {
    const auto shader = Shader::load({"no_such_file.comp"});
    ASSERT_FALSE(shader);
    EXPECT_NE(to_text(shader.diagnostics()).find("no_such_file.comp"), std::string::npos);
}

}  // namespace thread_map_test
}  // namespace lanescope::render
