// Asynchronous copies and mbarrier objects. Expected values follow from PTX ISA 9.7.9.25 and 9.7.13.15.
#include <gtest/gtest.h>

#include <numeric>

#include "base/mbarrier.h"
#include "device.h"

namespace lanescope::simt {
namespace async_test {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using trace::ProblemKind;

// Returns a kernel with input words at %in, output words at %out and the thread in %i. %si and %o are the
// addresses of the thread's words in `box` (shared) and in the output.
std::string kernel(const std::string& code) {
    return with_header(
        ".visible .entry k(.param .u64 pin, .param .u64 pout) {\n.shared .align 128 .b8 box[1024];\n.shared "
        ".align 8 "
        ".b64 bar[2];\n.reg .pred %p<4>;\n.reg .b32 %i, %s, %si, %r<8>;\n.reg .b64 %in, %out, %n, %o, "
        "%l<8>;\nmov.u32 %i, %tid.x;\nld.param.u64 %in, [pin];\nld.param.u64 %out, [pout];\nmov.u32 %s, "
        "box;\nmad.lo.u32 %si, %i, 4, %s;\nmad.wide.u32 %n, %i, 4, %in;\nmad.wide.u32 %o, %i, 4, %out;\n" +
        code + "\nret;\n}\n");
}

struct Result {
    std::vector<U32> words;
    Kinds kinds;
    Ending ending;
    std::string message;
};
Result run(const std::string& code, U32 threads = 1, std::size_t words = 32, Limits limits = {}) {
    Device device(kernel(code), {}, limits);
    std::vector<U32> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 100);
    const DeviceAddress in = device.buffer(numbers, "in"),
                        out = device.buffer(std::vector<U32>(words, 0), "out");
    const Ending ending = device.run("k", {1, 1, 1}, {threads, 1, 1}, in, out).ending;
    const auto& problems = device.machine().problems();
    Result result{device.read<U32>(out, words), device.kinds(), ending,
                  problems.empty() ? "" : problems[0].message};
    Device recorded(kernel(code), {}, limits);
    const DeviceAddress in_again = recorded.buffer(numbers, "in");
    const DeviceAddress out_again = recorded.buffer(std::vector<U32>(words, 0), "out");
    recorded.record();
    EXPECT_EQ(recorded.run("k", {1, 1, 1}, {threads, 1, 1}, in_again, out_again).ending, ending);
    EXPECT_EQ(recorded.read<U32>(out_again, words), result.words);
    expect_replay(recorded, out_again, words * 4);
    return result;
}
std::vector<U32> first(const Result& result, std::size_t count) {
    EXPECT_EQ(result.kinds, Kinds{}) << result.message;
    return {result.words.begin(), result.words.begin() + static_cast<std::ptrdiff_t>(count)};
}

const std::string store = "ld.shared.u32 %r1, [%si];\nst.global.u32 [%o], %r1;";

TEST(Async, copies_are_there_after_the_wait) {
    EXPECT_EQ(
        first(run("cp.async.ca.shared.global [%si], [%n], 4;\ncp.async.wait_all;\n" + store, 32), 32)[31],
        131u);
    EXPECT_EQ(
        first(run("cp.async.cg.shared::cta.global.L2::128B [box], [%in+16], 16;\n"
                  "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.v4.u32 {%r1, %r2, %r3, %r4}, "
                  "[box];\nst.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};"),
              4),
        (std::vector<U32>{104, 105, 106, 107}));
}

TEST(Async, nothing_arrives_before_the_wait) {
    // Old contents stay, unset bytes stay unset.
    EXPECT_EQ(first(run("st.shared.u32 [%si], 7;\ncp.async.ca.shared.global [%si], [%n], "
                        "4;\ncp.async.commit_group;\n" +
                        store),
                    1),
              (std::vector<U32>{7}));
    EXPECT_EQ(run("cp.async.ca.shared.global [%si], [%n], 4;\n" + store).kinds,
              Kinds{ProblemKind::uninitialised});
    // wait_group 0 does not wait for a group that is not committed.
    EXPECT_EQ(run("cp.async.ca.shared.global [%si], [%n], 4;\ncp.async.wait_group 0;\n" + store).kinds,
              Kinds{ProblemKind::uninitialised});
}

TEST(Async, wait_group_leaves_the_last_groups_pending) {
    const std::string three =
        "st.shared.v4.u32 [box], {1, 2, 3, 4};\ncp.async.ca.shared.global [box], [%in], "
        "4;\ncp.async.commit_group;\n"
        "cp.async.ca.shared.global [box+4], [%in+4], 4;\ncp.async.commit_group;\ncp.async.ca.shared.global "
        "[box+8], [%in+8], 4;\ncp.async.commit_group;\n";
    const std::string out =
        "\nld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [box];\nst.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};";
    EXPECT_EQ(first(run(three + "cp.async.wait_group 3;" + out), 3), (std::vector<U32>{1, 2, 3}));
    EXPECT_EQ(first(run(three + "cp.async.wait_group 1;" + out), 3), (std::vector<U32>{100, 101, 3}));
    EXPECT_EQ(first(run(three + "cp.async.wait_group 0;" + out), 3), (std::vector<U32>{100, 101, 102}));
}

TEST(Async, each_thread_waits_for_its_own_copies) {
    // Thread 1 does not wait, so its word is unchanged.
    EXPECT_EQ(
        first(
            run("st.shared.u32 [%si], 9;\ncp.async.ca.shared.global [%si], [%n], 4;\ncp.async.commit_group;\n"
                "setp.ne.u32 %p0, %i, 1;\n@%p0 cp.async.wait_group 0;\n" +
                    store,
                3),
            3),
        (std::vector<U32>{100, 9, 102}));
}

TEST(Async, source_size_fills_with_zeros) {
    EXPECT_EQ(first(run("cp.async.cg.shared.global [box], [%in], 16, "
                        "6;\ncp.async.wait_all;\nld.shared.v4.u32 {%r1, %r2, "
                        "%r3, %r4}, [box];\nst.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};"),
                    4),
              (std::vector<U32>{100, 101, 0, 0}));
    EXPECT_EQ(first(run("mov.u32 %r5, 0;\nmov.u64 %l0, 0;\ncp.async.ca.shared.global [%si], [%l0], 4, %r5;\n"
                        "cp.async.wait_all;\n" +
                        store),
                    1),
              (std::vector<U32>{0}))
        << "no byte is read, so the address does not matter";
    EXPECT_EQ(first(run("setp.eq.u32 %p0, %i, 1;\ncp.async.ca.shared.global [%si], [%n], 4, "
                        "%p0;\ncp.async.wait_all;\n" +
                            store,
                        3),
                    3),
              (std::vector<U32>{100, 0, 102}));
}

TEST(Async, wrong_copies_are_located) {
    EXPECT_EQ(run("cp.async.ca.shared.global [%si+2], [%n], 4;").kinds, Kinds{ProblemKind::misaligned});
    EXPECT_EQ(run("cp.async.cg.shared.global [box], [%in+4], 16;").kinds, Kinds{ProblemKind::misaligned});
    EXPECT_EQ(run("cp.async.ca.shared.global [box+4096], [%in], 4;").kinds,
              Kinds{ProblemKind::out_of_bounds});
    const Result result = run("cp.async.ca.shared.global [box], [%in+1024], 4;");
    EXPECT_EQ(result.kinds, Kinds{ProblemKind::out_of_bounds});
    EXPECT_NE(result.message.find("reads in[1024]"), std::string::npos) << result.message;
}

const std::string wait_parity = "\nW:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra W;\n";

TEST(Async, mbarrier_tracks_copies) {
    const std::string start =
        "setp.eq.u32 %p0, %i, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\nst.shared.u32 "
        "[%si], "
        "5;\ncp.async.ca.shared.global [%si], [%n], 4;\n";
    EXPECT_EQ(
        first(run(start + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" + wait_parity + store, 64, 64),
              64)[63],
        163u);
    // Without .noinc each thread must also arrive itself.
    EXPECT_EQ(
        first(run(start +
                      "cp.async.mbarrier.arrive.shared.b64 [bar];\nmbarrier.arrive.shared.b64 %l0, [bar];\n" +
                      wait_parity + store,
                  64, 64),
              64)[40],
        140u);
    // No thread waits for the mbarrier, so the copies have not arrived.
    EXPECT_EQ(first(run(start + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" + store, 64, 64), 64)[3],
              5u);
}

TEST(Async, bulk_copies_complete_an_mbarrier) {
    const std::string copy =
        "mbarrier.init.shared.b64 [bar], 1;\nst.shared.u32 [box], 1;\nst.shared.u32 [box+60], 1;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %l0, [bar], 64;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%in+32], 64, [bar];\n";
    const std::string out =
        "\nld.shared.u32 %r1, [box];\nld.shared.u32 %r2, [box+60];\nst.global.v2.u32 [%out], {%r1, %r2};";
    EXPECT_EQ(first(run(copy + wait_parity + out), 2), (std::vector<U32>{108, 123}));
    EXPECT_EQ(first(run(copy + out), 2), (std::vector<U32>{1, 1}));
    EXPECT_EQ(
        first(run(copy + "W:\nmbarrier.try_wait.shared.b64 %p1, [bar], %l0, 1000;\n@!%p1 bra W;\n" + out), 2),
        (std::vector<U32>{108, 123}));
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar], "
                  "1;\ncp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
                  "[box], [%in], 20, [bar];")
                  .kinds,
              Kinds{ProblemKind::misaligned});
}

TEST(Async, bulk_copies_out_of_shared_memory) {
    const std::string copy =
        "st.shared.v4.u32 [box], {1, 2, 3, "
        "4};\nfence.proxy.async;\ncp.async.bulk.global.shared::cta.bulk_group "
        "[%out+16], [box], 16;\ncp.async.bulk.commit_group;\n";
    EXPECT_EQ(first(run(copy + "cp.async.bulk.wait_group 0;"), 8),
              (std::vector<U32>{0, 0, 0, 0, 1, 2, 3, 4}));
    EXPECT_EQ(first(run(copy), 8), (std::vector<U32>{0, 0, 0, 0, 1, 2, 3, 4}))
        << "the thread waits for its copies before it ends";
    // The source is read as late as possible: a write before .read changes the copy, a later write does not.
    const std::string change = "\nst.shared.u32 [box], 9;\n";
    EXPECT_EQ(first(run(copy + change + "cp.async.bulk.wait_group 0;"), 5)[4], 9u);
    EXPECT_EQ(
        first(run(copy + "cp.async.bulk.wait_group.read 0;" + change + "cp.async.bulk.wait_group 0;"), 5)[4],
        1u);
    EXPECT_EQ(
        first(run(copy +
                  "cp.async.bulk.wait_group.read 0;\nld.global.u32 %r1, [%out+16];\nst.global.u32 [%out], "
                  "%r1;"),
              1),
        (std::vector<U32>{0}))
        << "the destination is not written yet";
}

TEST(Mbarrier, phases_flip_when_all_have_arrived) {
    // With 2 arrivals per phase, test_wait of parity 0 is false, false, true; then
    // phase 1 awaits two arrivals.
    const std::string test =
        "mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0;\nselp.u32 %r1, 1, 0, %p0;\nmad.lo.u32 %r2, %r2, "
        "2, %r1;\n";
    const std::string arrive = "mbarrier.arrive.shared.b64 %l0, [bar];\n";
    EXPECT_EQ(first(run("mov.u32 %r2, 0;\nmbarrier.init.shared.b64 [bar], 2;\n" + test + arrive + test +
                        arrive + test + arrive + test + arrive + test + "st.global.u32 [%out], %r2;"),
                    1),
              (std::vector<U32>{0b00110}));
}

TEST(Mbarrier, states_count_what_is_pending) {
    // The pending counts before each arrival are 5, 4 (two at once), 2 (drop); then the next phase awaits 4.
    EXPECT_EQ(first(run("mbarrier.init.shared::cta.b64 [bar], 5;\nmbarrier.arrive.shared.b64 %l0, [bar];\n"
                        "mbarrier.arrive.noComplete.shared.b64 %l1, [bar], "
                        "2;\nmbarrier.arrive_drop.shared.b64 %l2, [bar];\n"
                        "mbarrier.arrive.shared.b64 %l3, [bar], 1;\nmbarrier.arrive.shared.b64 %l4, [bar];\n"
                        "mbarrier.pending_count.b64 %r0, %l0;\nmbarrier.pending_count.b64 %r1, "
                        "%l1;\nmbarrier.pending_count.b64 %r2, %l2;\nmbarrier.pending_count.b64 %r3, %l4;\n"
                        "st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};\nmbarrier.test_wait.shared.b64 %p0, "
                        "[bar], %l3;\n"
                        "selp.u32 %r0, 1, 0, %p0;\nmbarrier.test_wait.shared.b64 %p0, [bar], %l4;\nselp.u32 "
                        "%r1, 1, 0, "
                        "%p0;\nst.global.v2.u32 [%out+16], {%r0, %r1};"),
                    6),
              (std::vector<U32>{5, 4, 2, 4, 1, 0}));
}

TEST(Mbarrier, bytes_hold_a_phase_back) {
    const std::string test =
        "mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0;\nselp.u32 %r1, 1, 0, %p0;\nmad.lo.u32 %r2, %r2, "
        "2, %r1;\n";
    EXPECT_EQ(first(run("mov.u32 %r2, 0;\nmbarrier.init.shared.b64 [bar], "
                        "1;\nmbarrier.expect_tx.relaxed.cta.shared.b64 "
                        "[bar], 48;\nmbarrier.arrive.shared.b64 _, [bar];\n" +
                        test + "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 32;\n" + test +
                        "mbarrier.complete_tx.shared.b64 [bar], 16;\n" + test + "st.global.u32 [%out], %r2;"),
                    1),
              (std::vector<U32>{0b001}));
}

TEST(Mbarrier, threads_meet) {
    // Each of 96 threads writes a word, arrives, waits and reads the word of the thread opposite.
    const Result result =
        run("setp.eq.u32 %p0, %i, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 96;\nbar.sync 0;\nst.shared.u32 "
            "[%si], "
            "%i;\nmbarrier.arrive.shared.b64 %l0, [bar];\nW:\nmbarrier.try_wait.shared.b64 %p1, [bar], "
            "%l0;\n@!%p1 bra "
            "W;\nsub.u32 %r0, 95, %i;\nmad.lo.u32 %r0, %r0, 4, %s;\nld.shared.u32 %r1, [%r0];\nst.global.u32 "
            "[%o], "
            "%r1;\nsetp.eq.u32 %p0, %i, 0;\nbar.sync 0;\n@%p0 mbarrier.inval.shared.b64 [bar];",
            96, 96);
    EXPECT_EQ(first(result, 96)[0], 95u);
    EXPECT_EQ(result.words[95], 0u);
}

// Threads that meet in 8 phases at one object.
const std::string phases =
    "setp.eq.u32 %p0, %i, 0;\nmov.u32 %r2, %ntid.x;\n@%p0 mbarrier.init.shared.b64 [bar], %r2;\nbar.sync "
    "0;\nmov.u32 %r0, 0;\nL:\nmbarrier.arrive.shared.b64 %l0, [bar];\nW:\n";
const std::string next_phase =
    "@!%p1 bra W;\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p2, %r0, 8;\n@%p2 bra L;\nst.global.u32 [%o], %r0;";

TEST(Mbarrier, a_warp_that_waits_gives_way_at_once) {
    const std::string code = phases + "mbarrier.try_wait.shared.b64 %p1, [bar], %l0;\n" + next_phase;
    for (const char* order : {"rr", "warp", "seed:7"}) {
        Device device(kernel(code), *parse_schedule(order));
        const DeviceAddress in = device.buffer(std::vector<U32>(8, 0), "in"),
                            out = device.buffer(std::vector<U32>(512, 0), "out");
        const Outcome outcome = device.run("k", {1, 1, 1}, {512, 1, 1}, in, out);
        EXPECT_EQ(outcome.ending, Ending::finished) << order;
        EXPECT_EQ(device.read<U32>(out, 512), std::vector<U32>(512, 8)) << order;
        EXPECT_LT(outcome.warp_instructions, 16u * 8u * 60u) << order;  // 16 warps, 8 phases
    }
}

TEST(Mbarrier, a_thread_that_polls_may_do_other_work) {
    // The first warp counts its tests and arrives last, when it has counted to 100.
    const std::string code =
        "setp.lt.u32 %p0, %i, 32;\nsetp.eq.u32 %p2, %i, 0;\n@%p2 mbarrier.init.shared.b64 [bar], "
        "64;\nbar.sync 0;\nmov.u32 %r0, 0;\n@!%p0 mbarrier.arrive.shared.b64 _, [bar];\nW:\nadd.u32 %r0, "
        "%r0, 1;\nsetp.eq.and.u32 %p2, %r0, 100, %p0;\n@%p2 mbarrier.arrive.shared.b64 _, [bar];\n"
        "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra W;\nst.global.u32 [%o], %r0;";
    for (const char* order : {"rr", "warp", "seed:7"}) {
        Device device(kernel(code), *parse_schedule(order));
        const DeviceAddress in = device.buffer(std::vector<U32>(8, 0), "in"),
                            out = device.buffer(std::vector<U32>(64, 0), "out");
        EXPECT_EQ(device.run("k", {1, 1, 1}, {64, 1, 1}, in, out).ending, Ending::finished) << order;
        EXPECT_EQ(device.read<U32>(out, 1)[0], 100u) << order;
    }
}

TEST(Mbarrier, wrong_use_is_located) {
    const Result never = run("mbarrier.arrive.shared.b64 %l0, [bar];");
    EXPECT_EQ(never.kinds, Kinds{ProblemKind::uninitialised});
    EXPECT_NE(never.message.find("mbarrier object that was not initialised"), std::string::npos)
        << never.message;
    EXPECT_EQ(
        run("st.shared.u64 [bar], 0x2000000000100001;\nmbarrier.test_wait.parity.shared.b64 %p0, [bar], 0;")
            .kinds,
        Kinds{ProblemKind::uninitialised});
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar], 1;\nmbarrier.inval.shared.b64 "
                  "[bar];\nmbarrier.arrive.shared.b64 %l0, "
                  "[bar];")
                  .kinds,
              Kinds{ProblemKind::uninitialised});
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar+4], 1;").kinds, Kinds{ProblemKind::misaligned});
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar], 0;").kinds, Kinds{ProblemKind::trap});
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar], 2;\nmbarrier.arrive.shared.b64 %l0, [bar], 3;").kinds,
              Kinds{ProblemKind::trap});
    EXPECT_EQ(
        run("mbarrier.init.shared.b64 [bar], 2;\nmbarrier.arrive.noComplete.shared.b64 %l0, [bar], 2;").kinds,
        Kinds{ProblemKind::trap});
    EXPECT_EQ(run("mbarrier.init.b64 [%in], 1;").kinds, Kinds{ProblemKind::out_of_bounds});
    Limits few;
    few.warp_instructions = 10'000;
    EXPECT_EQ(run("mbarrier.init.shared.b64 [bar], 2;\n" + wait_parity, 1, 32, few).ending, Ending::deadlock);
}

TEST(Mbarrier, words_pack_and_unpack) {
    Mbarrier barrier{3, 1048575, -1048575, true};
    const Mbarrier again = Mbarrier::unpack(barrier.pack());
    EXPECT_EQ(again.pending, 3u);
    EXPECT_EQ(again.expected, 1048575u);
    EXPECT_EQ(again.bytes, -1048575);
    EXPECT_TRUE(again.phase);
    EXPECT_TRUE(Mbarrier::is_object(barrier.pack()));
    EXPECT_FALSE(Mbarrier::is_object(0));
}

TEST(Async, the_trace_shows_the_copies) {
    Device device(
        kernel("mbarrier.init.shared.b64 [bar], 1;\nst.shared.u32 [box], 3;\n"
               "cp.async.ca.shared.global [box], [%in], 4;\ncp.async.wait_all;\n"
               "mbarrier.arrive.expect_tx.shared.b64 %l0, [bar], 32;\n"
               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [box+16], [%in+16], 32, "
               "[bar];\n" +
               wait_parity + store));
    const DeviceAddress in =
        device.buffer(std::vector<U32>{50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61}, "in");
    const DeviceAddress out = device.uninit<U32>(1, "out");
    device.record();
    EXPECT_EQ(device.run("k", {1, 1, 1}, {1, 1, 1}, in, out).ending, Ending::finished);
    const auto trace = device.finish();
    trace::Replay replay(trace);
    const std::uint64_t start = replay.state_hash();
    replay.seek(trace->turns.size());
    U32 words[12];
    replay.read(trace::Space::shared, 0, 0, 0, std::as_writable_bytes(std::span(words)));
    EXPECT_EQ(words[0], 50u);
    EXPECT_EQ(words[4], 54u);
    EXPECT_EQ(words[11], 61u);
    replay.seek(0);
    EXPECT_EQ(replay.state_hash(), start);
    unsigned loads = 0, stores = 0;
    for (std::uint64_t turn = 0; turn < trace->turns.size(); ++turn) {
        trace::TurnDetail detail;
        trace::decode(*trace, turn, detail);
        for (const trace::Access& access : detail.accesses) {
            if (access.space == trace::Space::global && access.kind == trace::AccessKind::load) ++loads;
            if (access.space == trace::Space::shared && access.kind == trace::AccessKind::store) ++stores;
        }
    }
    EXPECT_EQ(loads, 3u) << "one load of 4 bytes, two of 16";
    EXPECT_EQ(stores, 5u) << "the mbarrier, a word, the copy, two stores of 16 bytes";
}

// Compiled by nvcc for sm_90 from tests/corpus/k24_async.cu.
TEST(Async, cooperative_groups_and_cuda_barrier_code_of_sm_90) {
    Device device(corpus("k24_async.sm_90.ptx"));
    std::vector<float> numbers(1024);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const DeviceAddress in = device.buffer(numbers, "in"), out = device.uninit<float>(1024, "out");
    EXPECT_EQ(device.shared(256 * 4).run("asyncCG", {4, 1, 1}, {256, 1, 1}, in, out, 1024).ending,
              Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{});
    const std::vector<float> reversed = device.read<float>(out, 1024);
    for (int i = 0; i < 1024; ++i)
        ASSERT_EQ(reversed[static_cast<std::size_t>(i)], static_cast<float>(i / 256 * 256 + 255 - i % 256));
    const DeviceAddress barrier_out = device.uninit<float>(512, "barrier_out");
    EXPECT_EQ(device.shared(0).run("asyncBarrier", {1, 1, 1}, {128, 1, 1}, in, barrier_out).ending,
              Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{}) << device.machine().problems()[0].message;
    const std::vector<float> vectors = device.read<float>(barrier_out, 512);
    for (int i = 0; i < 512; ++i)
        ASSERT_EQ(vectors[static_cast<std::size_t>(i)], static_cast<float>((127 - i / 4) * 4 + i % 4));
}

}  // namespace async_test
}  // namespace lanescope::simt
