// Schedules that name threads: their text, the order of turns, the meeting points of lanes.
#include "simt/launch/thread_schedule.h"

#include <gtest/gtest.h>

#include "device.h"

namespace lanescope::simt {
namespace thread_schedule_test {

using trace::ProblemKind;

TEST(ThreadSchedule, text_and_back) {
    const auto schedule = parse_schedule("threads:0*3,1,2.5,0.7*2");
    ASSERT_TRUE(schedule.ok());
    EXPECT_EQ(schedule->turns, (std::vector<ThreadTurns>{{0, 0, 3}, {0, 1, 1}, {2, 5, 1}, {0, 7, 2}}));
    EXPECT_EQ(to_text(*schedule), "threads:0*3,1,2.5,7*2");
    for (const char* text : {"rr", "warp", "seed:7"})
        EXPECT_EQ(to_text(*parse_schedule(text)), text);
}

TEST(ThreadSchedule, turns_of_one_thread_are_counted_together) {
    std::vector<ThreadTurns> turns;
    for (const std::uint32_t thread : {0u, 0u, 1u, 0u})
        append_turn(turns, 0, thread);
    EXPECT_EQ(to_text(turns), "0*2,1,0");
}

TEST(ThreadSchedule, bad_texts_are_located) {
    const auto message = [](const char* text) {
        const auto parsed = parse_schedule(text);
        return parsed.ok() ? std::string("no error") : parsed.diagnostics()[0].message;
    };
    EXPECT_NE(message("threads:").find("the end at character 1"), std::string::npos);
    EXPECT_NE(message("threads:0,,1").find("',' at character 3"), std::string::npos);
    EXPECT_NE(message("threads:0*0").find("number of turns"), std::string::npos);
    EXPECT_NE(message("threads:1.x").find("'x' at character 3"), std::string::npos);
    EXPECT_NE(message("threads:0;1").find("';' at character 2"), std::string::npos);
    EXPECT_NE(message("threads:4294967296").find("character 1"), std::string::npos);
    EXPECT_NE(message("thread:1").find("unknown schedule"), std::string::npos);
}

Schedule named(const std::string& turns) {
    auto schedule = parse_schedule("threads:" + turns);
    EXPECT_TRUE(schedule.ok());
    return *schedule;
}

const std::string lost_update = with_header(
    ".visible .entry k(.param .u64 px) {\n.reg .b32 %w;\n.reg .b64 %x;\nld.param.u64 %x, [px];\n"
    "ld.global.u32 %w, [%x];\nadd.u32 %w, %w, 1;\nst.global.u32 [%x], %w;\nret;\n}\n");

std::uint32_t updated(const std::string& turns) {
    Device device(lost_update, named(turns));
    const DeviceAddress x = device.buffer(std::vector<std::uint32_t>{0});
    device.run("k", {1, 1, 1}, {2, 1, 1}, x);
    EXPECT_EQ(device.kinds(), Kinds{});
    return device.read<std::uint32_t>(x, 1)[0];
}

TEST(ThreadSchedule, the_order_of_turns_decides) {
    EXPECT_EQ(updated("0*2,1*2"), 2u);
    EXPECT_EQ(updated("1*2,0*2"), 2u);
    EXPECT_EQ(updated("0,1,0,1"), 1u);
    EXPECT_EQ(updated("0,1*2,0"), 1u);
    EXPECT_EQ(updated("0"), 1u);  // then round robin: 1, 0, 1
    EXPECT_EQ(updated("0*2"), 2u);
}

TEST(ThreadSchedule, bad_thread_of_a_schedule_is_refused) {
    const auto refused = [](const std::string& turns) {
        Device device(lost_update, named(turns));
        const DeviceAddress x = device.buffer(std::vector<std::uint32_t>{0});
        EXPECT_EQ(device.run("k", {1, 1, 1}, {2, 1, 1}, x).ending, Ending::refused);
        EXPECT_EQ(device.kinds(), Kinds{ProblemKind::launch_config});
        return device.only_problem().message;
    };
    EXPECT_NE(refused("0*3").find("turn 3 of the schedule is for thread 0 of block 0, which has ended"),
              std::string::npos);
    EXPECT_NE(refused("2").find("its blocks have 2 threads"), std::string::npos);
    EXPECT_NE(refused("1.0").find("the grid has 1 block"), std::string::npos);
}

TEST(ThreadSchedule, bad_turn_of_a_thread_that_waits) {
    Device device(with_header(".visible .entry k() {\nbar.sync 0;\nret;\n}\n"), named("0*2"));
    EXPECT_EQ(device.run("k", {1, 1, 1}, {2, 1, 1}).ending, Ending::refused);
    EXPECT_NE(device.only_problem().message.find("which waits for other threads"), std::string::npos);
}

TEST(ThreadSchedule, turns_that_nobody_took_are_counted) {
    Device device(lost_update, named("0*2,1*2,0*5"));
    const DeviceAddress x = device.buffer(std::vector<std::uint32_t>{0});
    device.run("k", {1, 1, 1}, {2, 1, 1}, x);
    EXPECT_EQ(device.machine().turns_left(), 5u);
}

// Lanes arrive one by one at shuffles, votes and barriers, and execute them together.
TEST(ThreadSchedule, lanes_meet_where_they_must) {
    const std::string code = with_header(
        ".visible .entry k(.param .u64 po) {\n.reg .pred %p;\n.reg .b32 %i, %v, %w;\n.reg .b64 %o;\n"
        "mov.u32 %i, %tid.x;\nshfl.sync.down.b32 %v, %i, 1, 31, 0xffffffff;\n"
        "setp.lt.u32 %p, %i, 8;\nvote.sync.ballot.b32 %w, %p, 0xffffffff;\nadd.u32 %v, %v, %w;\n"
        "bar.warp.sync 0xffffffff;\nbar.sync 0;\n"
        "ld.param.u64 %o, [po];\nmad.wide.u32 %o, %i, 4, %o;\nst.global.u32 [%o], %v;\nret;\n}\n");
    for (const char* turns : {"0", "31,30,29,3*1,0", "5,4,3,2,1"}) {
        Device device(code, named(turns));
        const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(64, 0));
        device.run("k", {1, 1, 1}, {64, 1, 1}, out);
        EXPECT_EQ(device.kinds(), Kinds{});
        const auto values = device.read<std::uint32_t>(out, 64);
        for (std::uint32_t i = 0; i < 64; ++i)
            EXPECT_EQ(values[i], (i % 32 == 31 ? i : i + 1) + (i < 32 ? 255u : 0u)) << i;
    }
}

// ldmatrix needs all 32 lanes at once: the lanes wait for each other, load together, and separate again.
TEST(ThreadSchedule, the_whole_warp_gathers_for_a_matrix) {
    const std::string code = with_header(
        ".visible .entry k(.param .u64 po) {\n.shared .align 16 .b8 s[128];\n.reg .b32 %i, %v, %a;\n.reg "
        ".b64 "
        "%o;\nmov.u32 %i, %tid.x;\nmov.u32 %a, s;\nmad.lo.u32 %v, %i, 4, %a;\nst.shared.u32 [%v], %i;\n"
        "bar.sync 0;\nand.b32 %v, %i, 7;\nmad.lo.u32 %a, %v, 16, %a;\n"
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%a];\n"
        "ld.param.u64 %o, [po];\nmad.wide.u32 %o, %i, 4, %o;\nst.global.u32 [%o], %v;\nret;\n}\n");
    for (const char* turns : {"0", "7,6,5*1,31,0", "30"}) {
        Device device(code, named(turns));
        const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(32, 99));
        EXPECT_EQ(device.run("k", {1, 1, 1}, {32, 1, 1}, out).ending, Ending::finished);
        EXPECT_EQ(device.kinds(), Kinds{});
        const auto values = device.read<std::uint32_t>(out, 32);
        for (std::uint32_t i = 0; i < 32; ++i)
            EXPECT_EQ(values[i], i);
    }
}

TEST(ThreadSchedule, parts_of_a_warp_meet_by_themselves) {
    // Lanes 0-1 and lanes 2-3 shuffle with separate masks.
    const std::string code = with_header(
        ".visible .entry k(.param .u64 po) {\n.reg .b32 %i, %v, %m;\n.reg .b64 %o;\nmov.u32 %i, %tid.x;\n"
        "and.b32 %m, %i, 2;\nshl.b32 %m, 3, %m;\nshfl.sync.bfly.b32 %v, %i, 1, 31, %m;\n"
        "ld.param.u64 %o, [po];\nmad.wide.u32 %o, %i, 4, %o;\nst.global.u32 [%o], %v;\nret;\n}\n");
    Device device(code, named("2,0,1,3"));
    const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(4, 9));
    device.run("k", {1, 1, 1}, {4, 1, 1}, out);
    EXPECT_EQ(device.kinds(), Kinds{}) << (device.kinds().empty() ? "" : device.only_problem().message);
    EXPECT_EQ(device.read<std::uint32_t>(out, 4), (std::vector<std::uint32_t>{1, 0, 3, 2}));
}

TEST(ThreadSchedule, a_recorded_run_can_be_played_backwards) {
    Device device(lost_update, named("0,1*2,0"));
    const DeviceAddress x = device.buffer(std::vector<std::uint32_t>{0});
    device.record();
    device.run("k", {1, 1, 1}, {2, 1, 1}, x);
    expect_replay(device, x, 4);
}

TEST(ThreadSchedule, spinning_threads_are_a_deadlock_when_nobody_else_is_left) {
    Device device(
        with_header(".visible .entry k(.param .u64 px) {\n.reg .pred %p;\n.reg .b32 %w;\n.reg .b64 "
                    "%x;\nld.param.u64 %x, [px];\nWAIT: ld.volatile.global.u32 %w, [%x];\nsetp.eq.u32 "
                    "%p, %w, 0;\n@%p bra WAIT;\nret;\n}\n"),
        named("0"));
    const DeviceAddress x = device.buffer(std::vector<std::uint32_t>{0});
    EXPECT_EQ(device.run("k", {2, 1, 1}, {3, 1, 1}, x).ending, Ending::deadlock);
    EXPECT_EQ(device.kinds(), Kinds{ProblemKind::deadlock});
}

}  // namespace thread_schedule_test
}  // namespace lanescope::simt
