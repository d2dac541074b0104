// Streams of kernels that ran on the machine.
#include "trace/streams.h"

#include <gtest/gtest.h>

#include <numeric>

#include "device.h"

namespace lanescope::simt {
namespace streams_test {

using trace::RecordKind;

struct Streams {
    std::shared_ptr<const trace::Trace> trace;
    trace::RecordStreams streams;

    Streams(Device& device) : trace(device.finish()), streams(trace::streams_of(*trace, 0)) {}
    std::uint32_t line(const trace::Record& record) const {
        return trace->program.code_rows[trace::pc_of(record)].line;
    }
    // Returns the records of one kind of a thread.
    std::vector<trace::Record> of(std::uint32_t slot, RecordKind kind) const {
        std::vector<trace::Record> records;
        for (std::uint32_t k = 0; k < streams.counts[slot]; ++k)
            if (trace::kind_of(streams.at(slot, k)) == kind) records.push_back(streams.at(slot, k));
        return records;
    }
    std::uint32_t slot_of(const std::string& function, const std::string& name) const {
        for (const trace::Function& of : trace->program.functions)
            for (const trace::Variable& variable : of.variables)
                if (of.name == function && variable.name == name) return variable.slot;
        ADD_FAILURE() << function << " has no " << name;
        return trace::none;
    }
};

TEST(StreamsOfRuns, modulo_reduction) {
    Device device(corpus("simt_reduce_modulo.ptx"));
    std::vector<float> values(64);
    std::iota(values.begin(), values.end(), 1.0f);
    const DeviceAddress in = device.buffer(values, "in"), out = device.uninit<float>(1, "out");
    device.record();
    device.run("reduceModulo", {1, 1, 1}, {64, 1, 1}, in, out, 64);
    const Streams run(device);
    ASSERT_EQ(run.streams.threads(), 64u);

    // Thread 0 adds in all six rounds and writes the result; thread 1 never adds.
    std::vector<std::uint32_t> lines[2];
    for (const std::uint32_t thread : {0u, 1u})
        for (const trace::Record& record : run.of(thread, RecordKind::point))
            if (lines[thread].empty() || lines[thread].back() != run.line(record))
                lines[thread].push_back(run.line(record));
    EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), 11), 6);
    EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), 15), 1);
    EXPECT_EQ(std::count(lines[1].begin(), lines[1].end(), 11), 0);

    // The active masks of line 11 in warp 0 are every second lane, every fourth lane, …
    std::vector<std::uint32_t> masks;
    for (const trace::Record& record : run.of(0, RecordKind::point))
        if (run.line(record) == 11) masks.push_back(record.extra);
    EXPECT_EQ(masks, (std::vector<std::uint32_t>{0x55555555, 0x11111111, 0x01010101, 0x00010001, 1, 1}));

    // s takes the values 1, 2, 4, … 64.
    const std::uint32_t s = run.slot_of("reduceModulo", "s");
    std::vector<std::uint64_t> steps;
    for (const trace::Record& record : run.of(5, RecordKind::variable))
        if (record.extra == s) steps.push_back(record.value);
    EXPECT_EQ(steps, (std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32, 64}));

    // Thread 2 loads in[2], stores sdata[2] and adds sdata[3] to it in round 0; the
    // values are bits of floats.
    std::vector<std::pair<std::uint64_t, float>> touched;
    for (const trace::Record& record : run.of(2, RecordKind::access)) {
        const trace::Space space = trace::space_of(record.value);
        if (space != trace::Space::global && space != trace::Space::shared) continue;
        touched.emplace_back(record.value, std::bit_cast<float>(record.extra));
    }
    const std::uint64_t in_offset = in - (1ull << 40),
                        shared = trace::stream_address(trace::Space::shared, 0);
    ASSERT_GE(touched.size(), 5u);
    EXPECT_EQ(touched[0], (std::pair{in_offset + 8, 3.0f}));
    EXPECT_EQ(touched[1], (std::pair{shared + 8, 3.0f}));
    EXPECT_EQ(touched[2].second + touched[3].second, 3.0f + 4.0f);
    EXPECT_EQ(touched[4], (std::pair{shared + 8, 7.0f}));

    // Every thread begins and ends once, and its clock never decreases.
    for (std::uint32_t thread = 0; thread < 64; ++thread) {
        EXPECT_EQ(run.of(thread, RecordKind::begin).size(), 1u);
        ASSERT_EQ(run.of(thread, RecordKind::end).size(), 1u);
        const auto points = run.of(thread, RecordKind::point);
        EXPECT_EQ(points.front().value, run.of(thread, RecordKind::begin)[0].value);
        EXPECT_EQ(points.back().value, run.of(thread, RecordKind::end)[0].value);
        EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                                   [](const auto& a, const auto& b) { return a.value < b.value; }));
    }
}

TEST(StreamsOfRuns, exchanges_name_their_lanes) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(256, "out");
    device.record();
    device.run("warp_functions", {1, 1, 1}, {32, 1, 1}, out);
    const Streams run(device);
    std::vector<std::uint32_t> sources;
    for (const trace::Record& record : run.of(3, RecordKind::lane))
        sources.push_back(record.extra);
    // Lane 3 reads from five rounds of shuffle down, lane 0, up by one within 8,
    // exclusive or with 5, and 15 - 3.
    ASSERT_GE(sources.size(), 9u);
    EXPECT_EQ(std::vector<std::uint32_t>(sources.begin(), sources.begin() + 8),
              (std::vector<std::uint32_t>{19, 11, 7, 5, 4, 0, 2, 6}));
    EXPECT_EQ(sources.back(), 12u);
}

TEST(StreamsOfRuns, atomics_say_what_they_found) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress in = device.buffer(std::vector<int>(4, 5), "in");
    device.record();
    device.run("add_up", {1, 1, 1}, {4, 1, 1}, in, 4);
    const Streams run(device);
    // The weights are zero, so every thread finds the total 0.
    for (std::uint32_t thread = 0; thread < 4; ++thread) {
        const auto accesses = run.of(thread, RecordKind::access);
        ASSERT_FALSE(accesses.empty());
        EXPECT_EQ(trace::space_of(accesses.back().value), trace::Space::global);
        EXPECT_EQ(accesses.back().extra, 0u);
    }
}

TEST(StreamsOfRuns, calls_name_the_callee_s_slots) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(8, "out");
    device.record();
    device.run("recursion", {1, 1, 1}, {8, 1, 1}, out);
    const Streams run(device);
    const std::uint32_t n = run.slot_of("factorial", "n");
    std::vector<std::uint64_t> values;
    for (const trace::Record& record : run.of(4, RecordKind::variable)) {
        const auto& function =
            run.trace->program.functions[run.trace->program.code_rows[trace::pc_of(record)].function];
        if (function.name == "factorial" && record.extra == n) values.push_back(record.value);
    }
    EXPECT_EQ(values, (std::vector<std::uint64_t>{4, 3, 2, 1}));
}

}  // namespace streams_test
}  // namespace lanescope::simt
