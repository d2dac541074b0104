// What a program's host did as rows: lanes, order, words, and where findings belong.
#include "scene/inspector/host_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace host_timeline_test {

using program::HostEvent;
using Kind = HostEvent::Kind;

HostEvent event(Kind kind, int line, std::int64_t stream = -1) {
    HostEvent made;
    made.kind = kind;
    made.function = "cudaCall";
    made.place = {"/tmp/p.cu", line, "main"};
    made.stream = stream;
    return made;
}

program::ProgramRun run() {
    program::ProgramRun made;
    HostEvent allocate = event(Kind::allocate, 10);
    allocate.function = "cudaMalloc";
    allocate.bytes = 4000;
    allocate.to = {0, 0, "d_in"};
    HostEvent copy = event(Kind::copy, 11, 0);
    copy.bytes = 4000;
    copy.to = {0, 16, "d_in"};
    HostEvent launch = event(Kind::launch, 12, 2);
    launch.launch = 0;
    HostEvent wait = event(Kind::synchronise, 14, 2);
    wait.of = "stream";
    made.host = {allocate, copy, launch, wait};
    program::ProgramLaunch kernel;
    kernel.kernel = "scale";
    kernel.ending = "finished";
    kernel.warp_instructions = 12345;
    kernel.place = launch.place;
    program::LaunchProblem problem;
    problem.kind = "out_of_bounds";
    problem.message = "beyond d_in";
    problem.line = 3;
    kernel.problems = {problem};
    made.launches = {kernel};
    program::ProgramError error;
    error.function = "cudaMemcpy";
    error.name = "cudaErrorInvalidValue";
    error.place = {"/tmp/p.cu", 13, "main"};
    error.seen = false;
    error.before_event = 3;
    made.errors = {error};
    program::ProgramBuffer buffer;
    buffer.name = "d_in";
    buffer.kind = "device";
    buffer.size_bytes = 4000;
    buffer.place = allocate.place;
    buffer.leaked = true;
    made.buffers = {buffer};
    return made;
}

TEST(HostTimeline, rows_stand_in_order_with_lanes_of_streams) {
    const program::ProgramRun ran = run();
    const HostTimeline host(ran);
    EXPECT_EQ(host.lanes(), (std::vector<std::string>{"host", "default stream", "stream 2"}));
    ASSERT_EQ(host.rows().size(), 5u);
    std::vector<HostMark> marks;
    std::vector<int> lanes;
    for (const HostRow& row : host.rows()) {
        marks.push_back(row.mark);
        lanes.push_back(row.lane);
    }
    EXPECT_EQ(marks, (std::vector<HostMark>{HostMark::memory, HostMark::to_device, HostMark::launch,
                                            HostMark::error, HostMark::wait}));
    EXPECT_EQ(lanes, (std::vector<int>{0, 1, 2, 0, 2}));
    EXPECT_TRUE(host.has_streams());
    EXPECT_NE(host.source_words().find("Not real time"), std::string::npos);
}

TEST(HostTimeline, words_say_what_happened) {
    const program::ProgramRun ran = run();
    const HostTimeline host(ran);
    const HostWords allocated = host.words(host.rows()[0]), copied = host.words(host.rows()[1]),
                    launched = host.words(host.rows()[2]), failed = host.words(host.rows()[3]),
                    waited = host.words(host.rows()[4]);
    EXPECT_EQ(allocated.what, "allocate d_in");
    EXPECT_EQ(allocated.place, "p.cu:10");
    EXPECT_NE(allocated.story.find("note: not freed"), std::string::npos) << allocated.story;
    EXPECT_EQ(copied.what, "copy host → d_in + 16 B");
    EXPECT_EQ(launched.what, "launch 0: scale");
    EXPECT_NE(launched.story.find("out of bounds"), std::string::npos) << launched.story;
    EXPECT_EQ(failed.what, "cudaMemcpy returned cudaErrorInvalidValue");
    EXPECT_NE(failed.story.find("the program did not look"), std::string::npos) << failed.story;
    EXPECT_EQ(waited.what, "the host waits for stream 2");
}

TEST(HostTimeline, findings_lead_to_their_rows) {
    const program::ProgramRun ran = run();
    const HostTimeline host(ran);
    ASSERT_EQ(host.findings().size(), 3u);
    const auto row_of = [&](const std::string& kind) {
        for (const HostFinding& each : host.findings())
            if (each.finding.kind == kind) return each.row;
        return -2;
    };
    EXPECT_EQ(row_of("out_of_bounds"), 2);
    EXPECT_EQ(row_of("unchecked_error"), 3);
    EXPECT_EQ(row_of("leak"), 0);
    EXPECT_TRUE(host.rows()[2].problem);
    EXPECT_FALSE(host.rows()[0].problem);  // a leak is a note
    EXPECT_EQ(filtered(host, HostFilter{"", true}), (std::vector<std::size_t>{0, 2, 3}));
    EXPECT_EQ(filtered(host, HostFilter{"D_IN", false}), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(HostTimeline, many_streams_share_the_last_lane) {
    program::ProgramRun ran;
    for (int stream = 0; stream < 20; ++stream)
        ran.host.push_back(event(Kind::memset, stream + 1, stream));
    const HostTimeline host(ran);
    EXPECT_EQ(host.lanes().size(), host_lane_limit);
    EXPECT_EQ(host.lanes().back(), "more streams");
    EXPECT_EQ(host.rows().back().lane, host_lane_limit - 1);
    EXPECT_EQ(host.rows()[1].lane, 2);
}

TEST(HostTimeline, columns_keep_what_matters_most) {
    program::ProgramRun ran;
    constexpr int calls = 100'000;
    for (int i = 0; i < calls; ++i)
        ran.host.push_back(event(i == 777 ? Kind::launch : Kind::record_event, 1, 0));
    const HostTimeline host(ran);
    constexpr std::size_t columns = 100;
    const std::vector<std::int32_t> folds = folded(host.rows(), host.lanes().size(), columns);
    ASSERT_EQ(folds.size(), 2 * columns);
    EXPECT_EQ(folds[columns], 777);  // of the first 1000
    EXPECT_EQ(folds[0], -1);         // the host's own lane
    EXPECT_TRUE(
        std::all_of(folds.begin() + columns, folds.end(), [](std::int32_t each) { return each >= 0; }));
}

HostEvent work(Kind kind, std::int64_t stream, const char* direction = "") {
    HostEvent made = event(kind, 1, stream);
    made.function = kind == Kind::copy ? "cudaMemcpyAsync" : "cudaCall";
    made.direction = direction;
    made.to = {0, 0, "d"};
    made.from = {1, 0, "h"};  // pinned
    return made;
}

// The unit in which each row begins.
std::vector<int> begins(const HostTimeline& host) {
    std::vector<int> made;
    for (const HostRow& row : host.rows())
        made.push_back(static_cast<int>(std::lround(row.at * static_cast<float>(host.units()))));
    return made;
}

TEST(HostTimeline, work_of_streams_overlaps) {
    program::ProgramRun ran;
    for (int stream = 1; stream <= 4; ++stream) {
        ran.host.push_back(work(Kind::copy, stream, "host to device"));
        ran.host.push_back(work(Kind::launch, stream));
        ran.host.push_back(work(Kind::copy, stream, "device to host"));
    }
    const HostTimeline host(ran);
    EXPECT_EQ(host.units(), 6u);
    EXPECT_EQ(begins(host), (std::vector<int>{0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5}));
    EXPECT_EQ(host.rows()[0].mark, HostMark::to_device);
    EXPECT_EQ(host.short_words(host.rows()[2]), "copy out");
    for (HostEvent& each : ran.host)
        each.stream = 1;
    EXPECT_EQ(HostTimeline(ran).units(), 12u) << "one stream keeps the order";
    for (HostEvent& each : ran.host)
        each.from = {}, each.stream = 0;
    EXPECT_TRUE(HostTimeline(ran).rows()[0].holds_host) << "from memory that is not pinned";
}

TEST(HostTimeline, events_and_waits_order_streams) {
    program::ProgramRun ran;
    HostEvent record = event(Kind::record_event, 1, 1), waits = event(Kind::wait_for_event, 1, 2),
              host_waits = event(Kind::synchronise, 1, 2);
    record.cuda_event = waits.cuda_event = 7;
    host_waits.of = "stream";
    ran.host = {work(Kind::launch, 1), record,     work(Kind::launch, 1), waits,
                work(Kind::launch, 2), host_waits, work(Kind::launch, 3)};
    EXPECT_EQ(begins(HostTimeline(ran)), (std::vector<int>{0, 1, 1, 1, 1, 0, 2}));
}

TEST(HostTimeline, the_default_stream_waits_for_blocking_streams) {
    program::ProgramRun ran;
    HostEvent blocking = event(Kind::create_stream, 1, 1), apart = event(Kind::create_stream, 1, 2);
    apart.blocking = false;
    ran.host = {blocking,
                apart,
                work(Kind::launch, 1),
                work(Kind::launch, 2),
                work(Kind::launch, 2),
                work(Kind::launch, 0),
                work(Kind::launch, 1),
                work(Kind::launch, 2)};
    EXPECT_EQ(begins(HostTimeline(ran)), (std::vector<int>{0, 0, 0, 0, 1, 1, 2, 2}));
}

TEST(HostTimeline, times_of_a_gpu_are_places) {
    program::ProgramRun ran;
    ran.device = "NVIDIA H200";
    ran.host = {event(Kind::allocate, 1), event(Kind::memset, 2, 0), event(Kind::free, 3)};
    ran.host[1].at_ms = 9;
    ran.host[1].ms = 0.5;
    ran.host[2].at_ms = 9.5;
    ran.host[2].ms = 0.5;
    const HostTimeline host(ran);
    EXPECT_FLOAT_EQ(host.rows()[1].at, 0.9f);
    EXPECT_NE(host.words(host.rows()[1]).amount.find("µs"), std::string::npos);
    EXPECT_EQ(host.source_words(),
              "real times of the calls on NVIDIA H200; work that a call only submits ends later");
}

}  // namespace host_timeline_test
}  // namespace lanescope::scene
