// The records of a traced run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "device.h"

namespace lanescope::simt {
namespace trace_test {

// The modulo reduction of two warps: 64 threads sum 64 values.
class ReduceTrace : public testing::Test {
  protected:
    void SetUp() override {
        std::iota(values_.begin(), values_.end(), 1.0f);
        in_ = device_.buffer(values_, "in");
        out_ = device_.uninit<float>(1, "out");
        device_.record();
        outcome_ = device_.run("reduceModulo", {1, 1, 1}, {64, 1, 1}, in_, out_, 64);
        trace_ = device_.finish();
    }
    std::vector<std::uint32_t> lines_of(std::uint16_t warp) const {
        std::vector<std::uint32_t> lines;
        for (const trace::Turn& turn : trace_->turns)
            if (turn.warp == warp && (lines.empty() || lines.back() != turn.line)) lines.push_back(turn.line);
        return lines;
    }

    Device device_{corpus("simt_reduce_modulo.ptx")};
    std::vector<float> values_ = std::vector<float>(64);
    DeviceAddress in_ = 0, out_ = 0;
    Outcome outcome_;
    std::shared_ptr<const trace::Trace> trace_;
};

TEST_F(ReduceTrace, sums) {
    EXPECT_EQ(outcome_.ending, Ending::finished);
    EXPECT_EQ(device_.read<float>(out_, 1)[0], 2080.0f);
    EXPECT_EQ(device_.kinds(), Kinds{});
}

TEST_F(ReduceTrace, steps_follow_the_source) {
    // The setup, six rounds of the loop, the last test of its condition, the result.
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t line : {3, 5, 6, 7, 8})
        expected.push_back(line);
    for (int round = 0; round < 6; ++round)
        for (const std::uint32_t line : {9, 10, 11, 13})
            expected.push_back(line);
    for (const std::uint32_t line : {9, 15, 16})
        expected.push_back(line);
    EXPECT_EQ(lines_of(0), expected);
    // From the sixth round on, no thread of warp 1 is a multiple of 64.
    expected.erase(expected.begin() + 5 + 5 * 4 + 2);
    EXPECT_EQ(lines_of(1), expected);
}

TEST_F(ReduceTrace, replay_goes_both_ways) {
    trace::Replay replay(trace_);
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i <= trace_->turns.size(); ++i) {
        replay.seek(i);
        hashes.push_back(replay.state_hash());
    }
    for (std::uint64_t i = trace_->turns.size() + 1; i-- > 0;) {
        replay.seek(i);
        ASSERT_EQ(replay.state_hash(), hashes[i]) << i;
    }
}

TEST_F(ReduceTrace, variables_have_the_source_values) {
    const trace::Function& kernel =
        trace_->program.functions[trace_->program.code_rows[trace_->turns[0].pc].function];
    auto find = [&](const std::string& name) {
        for (const trace::Variable& variable : kernel.variables)
            if (variable.name == name) return variable;
        ADD_FAILURE() << name;
        return trace::Variable{};
    };
    const trace::Variable tid = find("tid"), i = find("i"), s = find("s"), n = find("n");
    trace::Replay replay(trace_);
    auto value = [&](std::uint32_t thread, const trace::Variable& variable) {
        const std::vector<std::byte> bytes = replay.variable(0, 0, thread, 0, variable);
        int number = -1;
        if (bytes.size() == sizeof number) std::memcpy(&number, bytes.data(), sizeof number);
        return number;
    };
    EXPECT_EQ(value(0, tid), -1);  // not set before the kernel runs
    int round = 0;
    for (std::uint64_t turn = 0; turn < trace_->turns.size(); ++turn) {
        if (trace_->turns[turn].warp != 0 || trace_->turns[turn].line != 11) continue;
        replay.seek(turn + 1);
        for (const std::uint32_t thread : {0u, 1u, 31u}) {
            EXPECT_EQ(value(thread, tid), static_cast<int>(thread));
            EXPECT_EQ(value(thread, i), static_cast<int>(thread));
            EXPECT_EQ(value(thread, n), 64);
            EXPECT_EQ(value(thread, s), 1 << round);
        }
        ++round;
    }
    EXPECT_EQ(round, 6);
}

TEST_F(ReduceTrace, accesses_name_the_cells) {
    int round = 0;
    trace::TurnDetail detail;
    for (std::uint64_t turn = 0; turn < trace_->turns.size(); ++turn) {
        if (trace_->turns[turn].warp != 0 || trace_->turns[turn].line != 11) continue;
        const std::uint64_t step = 1ull << round++;
        trace::decode(*trace_, turn, detail);
        ASSERT_EQ(detail.accesses.size(), 3u);  // two operands, one result
        EXPECT_EQ(detail.accesses[0].kind, trace::AccessKind::load);
        EXPECT_EQ(detail.accesses[2].kind, trace::AccessKind::store);
        for (std::uint64_t lane = 0; lane < 32; lane += 2 * step) {
            EXPECT_EQ(detail.accesses[0].space, trace::Space::shared);
            EXPECT_EQ(detail.accesses[0].offset[lane], 4 * (lane + step));
            EXPECT_EQ(detail.accesses[2].offset[lane], 4 * lane);
        }
    }
    const trace::Launch& launch = trace_->launches[0];
    ASSERT_EQ(launch.shared.size(), 1u);
    EXPECT_EQ(launch.shared[0].name, "sdata");
    EXPECT_EQ(launch.shared[0].size_bytes, 1024u);
    EXPECT_EQ(trace::resolve(*trace_, 0, trace::Space::shared, 40).text, "sdata[10]");
    EXPECT_EQ(trace::resolve(*trace_, 0, trace::Space::global, in_ - (1ull << 40) + 8).symbol->name, "in");
}

TEST_F(ReduceTrace, branches_and_barriers) {
    unsigned divergent = 0, barriers = 0;
    trace::TurnDetail detail;
    for (std::uint64_t turn = 0; turn < trace_->turns.size(); ++turn) {
        trace::decode(*trace_, turn, detail);
        for (const trace::Branch& branch : detail.branches)
            divergent += branch.divergent() ? 1 : 0;
        barriers += trace_->turns[turn].end == trace::TurnEnd::barrier ? 1 : 0;
    }
    // The test diverges in six rounds in warp 0 and in five in warp 1; the last `if` diverges in warp 0.
    EXPECT_EQ(divergent, 6u + 5u + 1u);
    EXPECT_EQ(barriers, 2u * 7u);
    EXPECT_EQ(trace_->releases.size(), 7u);
}

TEST_F(ReduceTrace, memory_at_the_end_is_the_machine_s) {
    trace::Replay replay(trace_);
    replay.seek(trace_->turns.size());
    float sum = 0;
    bool set[4] = {};
    replay.read(trace::Space::global, 0, 0, out_ - (1ull << 40), std::as_writable_bytes(std::span(&sum, 1)),
                set);
    EXPECT_EQ(sum, 2080.0f);
    EXPECT_TRUE(set[0] && set[3]);
    replay.seek(0);
    replay.read(trace::Space::global, 0, 0, out_ - (1ull << 40), std::as_writable_bytes(std::span(&sum, 1)),
                set);
    EXPECT_FALSE(set[0] || set[3]);
}

std::shared_ptr<const trace::Trace> reduce_with(const char* schedule) {
    Device device(corpus("simt_reduce_modulo.ptx"), *parse_schedule(schedule));
    const DeviceAddress in = device.buffer(std::vector<float>(256, 1.0f), "in"),
                        out = device.uninit<float>(4, "out");
    device.record();
    device.run("reduceModulo", {4, 1, 1}, {64, 1, 1}, in, out, 256);
    return device.finish();
}
bool same_turns(const trace::Trace& a, const trace::Trace& b) {
    return a.turns.size() == b.turns.size() && std::equal(a.turns.begin(), a.turns.end(), b.turns.begin(),
                                                          [](const trace::Turn& x, const trace::Turn& y) {
                                                              return x.block == y.block && x.warp == y.warp &&
                                                                     x.mask == y.mask && x.pc == y.pc &&
                                                                     x.end == y.end;
                                                          });
}

TEST(Schedules, equal_seeds_give_equal_traces) {
    for (const char* schedule : {"rr", "warp", "seed:5"})
        EXPECT_TRUE(same_turns(*reduce_with(schedule), *reduce_with(schedule))) << schedule;
    EXPECT_FALSE(same_turns(*reduce_with("seed:5"), *reduce_with("seed:6")));
}

TEST(Schedules, round_robin_takes_one_turn_of_each_warp) {
    const auto trace = reduce_with("rr");
    for (std::uint32_t turn = 0; turn < 16; ++turn) {
        EXPECT_EQ(trace->turns[turn].block, turn / 2 % 4);
        EXPECT_EQ(trace->turns[turn].warp, turn % 2);
    }
}

TEST(Schedules, by_warp_runs_on_up_to_a_barrier) {
    const auto trace = reduce_with("warp");
    std::size_t turn = 0;
    while (trace->turns[turn].end != trace::TurnEnd::barrier)
        EXPECT_EQ(trace->turns[turn++].warp, 0);
    EXPECT_EQ(trace->turns[turn].line, 8u);
    EXPECT_EQ(trace->turns[turn + 1].warp, 1);
}

TEST(Schedules, few_resident_blocks_run_in_order) {
    Schedule schedule;
    schedule.resident_blocks = 1;
    Device device(corpus("simt_reduce_modulo.ptx"), schedule);
    const DeviceAddress in = device.buffer(std::vector<float>(256, 1.0f), "in"),
                        out = device.uninit<float>(4, "out");
    device.record();
    device.run("reduceModulo", {4, 1, 1}, {64, 1, 1}, in, out, 256);
    const auto trace = device.finish();
    EXPECT_TRUE(std::is_sorted(trace->turns.begin(), trace->turns.end(),
                               [](const trace::Turn& a, const trace::Turn& b) { return a.block < b.block; }));
}

TEST(Schedules, bad_words) {
    for (const char* text :
         {"", "rrr", "seed", "seed:", "seed:x", "seed:1x", "seed:-1", "seed:99999999999999999999"})
        EXPECT_FALSE(parse_schedule(text).ok()) << text;
    EXPECT_EQ(parse_schedule("seed:18446744073709551615")->seed, 18446744073709551615ull);
}

TEST(Recording, blocks_that_are_not_recorded_still_change_memory) {
    Device device(corpus("simt_reduce_modulo.ptx"));
    const DeviceAddress in = device.buffer(std::vector<float>(256, 2.0f), "in"),
                        out = device.uninit<float>(4, "out");
    device.record();
    device.record_only({2}).run("reduceModulo", {4, 1, 1}, {64, 1, 1}, in, out, 256);
    const auto trace = device.finish();
    for (const trace::Turn& turn : trace->turns)
        EXPECT_EQ(turn.block, 2u);
    trace::Replay replay(trace);
    replay.seek(trace->turns.size());
    std::vector<float> sums(4);
    replay.read(trace::Space::global, 0, 0, out - (1ull << 40), std::as_writable_bytes(std::span(sums)));
    EXPECT_EQ(sums, std::vector<float>(4, 128.0f));
}

TEST(Recording, a_full_trace_does_not_stop_the_run) {
    auto module = ptx::parse(corpus("simt_reduce_modulo.ptx"), "test.ptx");
    const auto program = load(*module, {}, "", "", "");
    Machine machine(*program, {}, {});
    trace::Recorder recorder({20'000, 4 << 20});
    std::vector<float> values(4096, 1.0f);
    const auto in = machine.allocate(values.size() * 4, {}), out = machine.allocate(64, {});
    ASSERT_TRUE(machine.write(*in, std::as_bytes(std::span(values))).ok());
    machine.record_into(&recorder);
    LaunchRequest request;
    request.kernel = "_Z12reduceModuloPKfPfi";
    request.grid = {16, 1, 1};
    request.block = {256, 1, 1};
    const int n = 4096;
    for (const auto bytes : {std::as_bytes(std::span(&*in, 1)), std::as_bytes(std::span(&*out, 1)),
                             std::as_bytes(std::span(&n, 1))})
        request.arguments.emplace_back(bytes.begin(), bytes.end());
    EXPECT_EQ(machine.launch(request).ending, Ending::finished);
    std::vector<float> sums(16);
    ASSERT_TRUE(machine.read(*out, std::as_writable_bytes(std::span(sums))).ok());
    EXPECT_EQ(sums, std::vector<float>(16, 256.0f));
    const auto trace = recorder.finish();
    EXPECT_TRUE(trace->truncated);
    EXPECT_LT(trace->size_bytes(), 100'000u);  // the whole trace has over 300'000
}

TEST(Recording, traced_and_untraced_runs_count_the_same) {
    Outcome outcomes[2];
    for (const bool traced : {false, true}) {
        Device device(corpus("simt_kernels.ptx"));
        const DeviceAddress out = device.uninit<int>(32, "out");
        if (traced) device.record();
        outcomes[traced ? 1 : 0] = device.run("recursion", {1, 1, 1}, {32, 1, 1}, out);
    }
    EXPECT_EQ(outcomes[0].warp_instructions, outcomes[1].warp_instructions);
    EXPECT_EQ(outcomes[0].thread_instructions, outcomes[1].thread_instructions);
}

TEST(Recording, call_frames_hold_the_variables_of_each_call) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(8, "out");
    device.record();
    device.run("recursion", {1, 1, 1}, {8, 1, 1}, out);
    const auto trace = device.finish();
    trace::Replay replay(trace);
    std::size_t deepest = 0, seen = 0;
    for (std::uint64_t turn = 1; turn <= trace->turns.size(); ++turn) {
        replay.seek(turn);
        const std::vector<std::uint32_t> frames = replay.frames(0, 0, 7);
        deepest = std::max(deepest, frames.size());
        for (std::size_t depth = 1; depth < frames.size(); ++depth) {
            const trace::Function& function = trace->program.functions[frames[depth]];
            EXPECT_EQ(function.name, "factorial");
            const std::vector<std::byte> bytes =
                replay.variable(0, 0, 7, static_cast<std::uint32_t>(depth), function.variables.at(0));
            if (bytes.size() < 4) continue;  // not loaded yet
            ++seen;
            int n = 0;
            std::memcpy(&n, bytes.data(), sizeof n);
            EXPECT_EQ(n, 8 - static_cast<int>(depth));
        }
    }
    EXPECT_EQ(deepest, 8u);
    EXPECT_GE(seen, 28u);  // one value is visible in the first call, …, seven in the deepest
    for (const trace::Turn& turn : trace->turns)
        EXPECT_LE(turn.depth, 7);
}

TEST(Recording, console_problems_and_heap_are_in_the_trace) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(4, "out");
    device.record();
    device.run("speak", {1, 1, 1}, {2, 1, 1}, 42);
    device.run("heap", {1, 1, 1}, {4, 1, 1}, out);
    const auto trace = device.finish();
    EXPECT_EQ(trace->console, device.machine().console());
    ASSERT_EQ(trace->problems.size(), 1u);
    EXPECT_EQ(trace->problems[0].first.launch, 1u);
    EXPECT_LT(trace->problems[0].first.turn, trace->turns.size());
    EXPECT_EQ(trace->turns[trace->problems[0].first.turn].line, 87u);
    EXPECT_TRUE(std::any_of(trace->symbols.begin(), trace->symbols.end(),
                            [](const trace::Symbol& s) { return s.name == "malloc#3"; }));
}

}  // namespace trace_test
}  // namespace lanescope::simt
