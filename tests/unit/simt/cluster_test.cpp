// Clusters, special registers that launches without clusters have, the stack, wide registers and
// accesses.
#include <gtest/gtest.h>

#include <numeric>

#include "device.h"

namespace lanescope::simt {
namespace cluster_test {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using trace::ProblemKind;

// Result of a kernel with 64-bit words at %b; %i is the thread, %o the address of its word.
struct Result {
    std::vector<U64> words;
    Kinds kinds;
};
Result run(const std::string& code, std::vector<U64> words, U32 threads = 1, const std::string& before = "") {
    const std::string text =
        (with_header(before +
                     ".visible .entry k(.param .u64 pb) {\n.shared .align 64 .b8 box[256];\n.reg .pred "
                     "%p<4>;\n.reg .b16 %h<8>;\n.reg .b32 %i, %r<12>;\n.reg .f32 %f<8>;\n.reg .b64 %b, %o, "
                     "%l<8>;\n.reg .b128 %q<4>;\nmov.u32 %i, %tid.x;\nld.param.u64 %b, [pb];\nmad.wide.u32 "
                     "%o, %i, 8, %b;\n" +
                     code + "\nret;\n}\n"));
    Device device(text), recorded(text);
    const DeviceAddress buffer = device.buffer(words, "words");
    device.run("k", {1, 1, 1}, {threads, 1, 1}, buffer);
    const DeviceAddress again = recorded.buffer(words, "words");
    recorded.record();
    recorded.run("k", {1, 1, 1}, {threads, 1, 1}, again);
    const Result result{device.read<U64>(buffer, words.size()), device.kinds()};
    EXPECT_EQ(recorded.kinds(), result.kinds);
    EXPECT_EQ(recorded.read<U64>(again, words.size()), result.words);
    expect_replay(recorded, again, words.size() * 8);
    return result;
}
std::vector<U64> fine(const std::string& code, std::vector<U64> words, U32 threads = 1,
                      const std::string& before = "") {
    Result result = run(code, std::move(words), threads, before);
    EXPECT_EQ(result.kinds, Kinds{});
    return result.words;
}

TEST(Cluster, special_registers) {
    std::string code = "mov.u32 %r0, 0;\n";
    for (const char* zero :
         {"%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
          "%reserved_smem_offset_0", "%reserved_smem_offset_1", "%cluster_ctarank", "%clusterid.x",
          "%cluster_ctaid.y", "%pm0", "%pm7", "%envreg0", "%envreg7"})
        code += "mov.u32 %r1, " + std::string(zero) + ";\nor.b32 %r0, %r0, %r1;\n";
    code +=
        "mov.u64 %l0, %pm3_64;\nmov.u64 %l1, %current_graph_exec;\nor.b64 %l0, %l0, %l1;\ncvt.u64.u32 %l1, "
        "%r0;\nor.b64 %l0, %l0, %l1;\nst.global.u64 [%b], %l0;\nmov.u32 %r0, %cluster_nctarank;\nmov.u32 "
        "%r1, "
        "%nclusterid.x;\nst.global.v2.u32 [%b+8], {%r0, %r1};\nmov.pred %p0, %is_explicit_cluster;\nselp.u32 "
        "%r0, 1, "
        "0, %p0;\nmov.u32 %r1, %total_smem_size;\nst.global.v2.u32 [%b+16], {%r0, %r1};";
    EXPECT_EQ(fine(code + "\nst.shared.u32 [box], 1;", {9, 9, 9}),
              (std::vector<U64>{0, 1 | 1ull << 32, 256ull << 32}));
}

TEST(Cluster, clocks_grow) {
    EXPECT_EQ(fine("mov.u64 %l0, %clock64;\nmov.u64 %l1, %clock64;\nsetp.lt.u64 %p0, %l0, %l1;\nmov.u64 %l0, "
                   "%globaltimer;\nsetp.lt.and.u64 %p0, %l1, %l0, %p0;\nselp.u64 %l0, 1, 0, "
                   "%p0;\nst.global.u64 [%b], "
                   "%l0;",
                   {0}),
              std::vector<U64>{1});
}

TEST(Cluster, addresses_map_to_the_only_block) {
    EXPECT_EQ(
        fine(
            "st.shared.u32 [box+4], 77;\nmov.u32 %r0, box;\nmapa.shared::cluster.u32 %r1, %r0, 0;\n"
            "ld.shared::cluster.u32 %r2, [%r1+4];\nmov.u64 %l0, box;\ncvta.shared.u64 %l0, %l0;\nmapa.u64 "
            "%l1, "
            "%l0, 0;\nld.u32 %r3, [%l1+4];\nst.global.v2.u32 [%b], {%r2, %r3};\nmapa.shared::cluster.u32 "
            "%r1, box, "
            "0;\nld.shared::cluster.u32 %r2, [%r1+4];\ngetctarank.shared::cluster.u32 %r3, %r1;\n"
            "st.global.v2.u32 [%b+8], {%r2, %r3};\nisspacep.shared::cluster %p0, %l1;\nisspacep.shared::cta "
            "%p1, "
            "%l1;\nselp.u32 %r2, 1, 0, %p0;\nselp.u32 %r3, 1, 0, %p1;\nst.global.v2.u32 [%b+16], {%r2, %r3};",
            {0, 0, 0}),
        (std::vector<U64>{77 | 77ull << 32, 77, 1 | 1ull << 32}));
    EXPECT_EQ(run("mov.u32 %r0, box;\nmapa.shared::cluster.u32 %r1, %r0, 1;", {0}).kinds,
              Kinds{ProblemKind::trap});
}

TEST(Cluster, barrier_lets_the_block_meet) {
    // The wait makes all writes before the arrivals visible.
    const std::string meet =
        "mov.u32 %r0, box;\nmad.lo.u32 %r1, %i, 4, %r0;\nst.shared.u32 [%r1], "
        "%i;\nbarrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;\nsub.u32 %r2, 63, %i;\nmad.lo.u32 %r2, %r2, 4, "
        "%r0;\nld.shared.u32 %r3, "
        "[%r2];\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\ncvt.u64.u32 %l0, %r3;\nst.global.u64 [%o], "
        "%l0;";
    const std::vector<U64> found = fine(meet, std::vector<U64>(64, 0), 64);
    for (U64 i = 0; i < 64; ++i)
        EXPECT_EQ(found[i], 63 - i);
    EXPECT_EQ(
        run("setp.eq.u32 %p0, %i, 0;\n@%p0 barrier.cluster.arrive;\nbarrier.cluster.wait;", {0}, 64).kinds,
        Kinds{ProblemKind::deadlock});
}

// A kernel for clusters of several blocks: %r0 is the rank, %r1 the number of blocks, %i the thread; `out`
// has a word for each block, at %o.
std::string clustered(const std::string& code) {
    return with_header(
        ".visible .entry k(.param .u64 out)\n{\n.shared .align 8 .b8 box[64];\n.reg .pred %p<4>;\n"
        ".reg .b32 %i, %r<12>;\n.reg .b64 %o, %l<8>;\nmov.u32 %i, %tid.x;\nmov.u32 %r0, %cluster_ctarank;\n"
        "mov.u32 %r1, %cluster_nctarank;\nld.param.u64 %o, [out];\nmov.u32 %r2, %ctaid.x;\n"
        "mad.wide.u32 %o, %r2, 4, %o;\n" +
        code + "\nret;\n}\n");
}
const std::string meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
// %r3: the box of the next block of the cluster
const std::string next_box =
    "add.u32 %r4, %r0, 1;\nrem.u32 %r4, %r4, %r1;\nmapa.shared::cluster.u32 %r3, box, %r4;\n";

TEST(Cluster, blocks_reach_the_shared_memory_of_the_others) {
    const std::string code = clustered(
        "st.shared.u32 [box], %r2;\nst.shared.u32 [box+4], 0;\n" + meet + next_box +
        "ld.shared::cluster.u32 %r5, [%r3];\nred.shared::cluster.add.u32 [%r3+4], 1;\n"
        "getctarank.shared::cluster.u32 %r6, %r3;\nmad.lo.u32 %r5, %r6, 100, %r5;\n" +
        meet + "ld.shared.u32 %r7, [box+4];\nmad.lo.u32 %r5, %r7, 1000, %r5;\nst.global.u32 [%o], %r5;");
    for (const char* schedule : {"rr", "warp", "seed:3"}) {
        Device device(code, *parse_schedule(schedule));
        const DeviceAddress out = device.uninit<U32>(6);
        // Each of 40 threads adds one.
        EXPECT_EQ(device.in_clusters({3, 1, 1}).run("k", {6, 1, 1}, {40, 1, 1}, out).ending,
                  Ending::finished);
        EXPECT_EQ(device.kinds(), Kinds{});
        EXPECT_EQ(device.read<U32>(out, 6), (std::vector<U32>{40101, 40202, 40000, 40104, 40205, 40003}))
            << schedule;
    }
}

TEST(Cluster, mistakes_in_the_memory_of_others_are_found) {
    const auto kinds = [](const std::string& code) {
        Device device(clustered(code));
        const DeviceAddress out = device.uninit<U32>(2);
        device.in_clusters({2, 1, 1}).run("k", {2, 1, 1}, {1, 1, 1}, out);
        return device.kinds();
    };
    const std::string store = "st.global.u32 [%o], %r5;";
    EXPECT_EQ(kinds(next_box + "ld.shared::cluster.u32 %r5, [%r3];\n" + meet + store),
              Kinds{ProblemKind::uninitialised});
    EXPECT_EQ(kinds("st.shared.u32 [box], 1;\n" + next_box + meet +
                    "ld.shared::cluster.u32 %r5, [%r3+64];\n" + meet + store),
              Kinds{ProblemKind::out_of_bounds});
    EXPECT_EQ(kinds("mapa.shared::cluster.u32 %r3, box, 2;"), Kinds{ProblemKind::trap});
    // Block 1 ends before block 0 reads.
    EXPECT_EQ(
        kinds("st.shared.u32 [box], 1;\n" + meet + "setp.eq.u32 %p0, %r0, 1;\n@%p0 ret;\n" +
              "mov.u32 %r6, 0;\nagain:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 100;\n@%p1 bra again;\n" +
              next_box + "ld.shared::cluster.u32 %r5, [%r3];\n" + store),
        Kinds{ProblemKind::out_of_bounds});
}

TEST(Cluster, problems_name_the_block_whose_memory_it_is) {
    Device device(clustered("st.shared.u32 [box], 1;\n" + meet + next_box +
                            "ld.shared::cluster.u32 %r5, [%r3+8];\n" + meet + "st.global.u32 [%o], %r5;"));
    const DeviceAddress out = device.uninit<U32>(2);
    device.in_clusters({2, 1, 1}).run("k", {2, 1, 1}, {1, 1, 1}, out);
    const trace::Problem& problem = device.only_problem();
    EXPECT_EQ(problem.kind, ProblemKind::uninitialised);
    EXPECT_EQ(problem.variable, "box");
    EXPECT_EQ(problem.message,
              "thread 0 of block 1 reads box[2], which was never written, in the shared memory of block 0");
}

TEST(Cluster, a_grid_is_divided_into_whole_clusters) {
    Device device(
        clustered("mov.u32 %r5, %clusterid.x;\nmad.lo.u32 %r5, %r5, 10, %r0;\nst.global.u32 [%o], %r5;"));
    const DeviceAddress out = device.uninit<U32>(8);
    EXPECT_EQ(device.in_clusters({4, 1, 1}).run("k", {8, 1, 1}, {1, 1, 1}, out).ending, Ending::finished);
    EXPECT_EQ(device.read<U32>(out, 8), (std::vector<U32>{0, 1, 2, 3, 10, 11, 12, 13}));
    EXPECT_EQ(device.run("k", {6, 1, 1}, {1, 1, 1}, out).ending, Ending::refused);
    EXPECT_NE(device.only_problem().message.find("cannot be divided into clusters"), std::string::npos);
}

TEST(Cluster, a_recording_has_the_accesses_to_other_blocks) {
    const std::string code =
        clustered("st.shared.u32 [box], %r2;\nst.shared.u32 [box+4], 0;\n" + meet + next_box +
                  "ld.shared::cluster.u32 %r5, [%r3];\nred.shared::cluster.add.u32 [%r3+4], 1;\n" + meet +
                  "ld.shared.u32 %r7, [box+4];\nmad.lo.u32 %r5, %r7, 1000, %r5;\nst.global.u32 [%o], %r5;");
    for (const char* schedule : {"rr", "warp", "seed:3"}) {
        Device device(code, *parse_schedule(schedule));
        const DeviceAddress out = device.uninit<U32>(6);
        device.record();
        EXPECT_EQ(device.in_clusters({3, 1, 1}).run("k", {6, 1, 1}, {40, 1, 1}, out).ending,
                  Ending::finished);
        EXPECT_EQ(device.kinds(), Kinds{});
        EXPECT_EQ(device.read<U32>(out, 6), (std::vector<U32>{40001, 40002, 40000, 40004, 40005, 40003}));
        expect_replay(device, out, 24);
        const auto trace = device.finish();
        EXPECT_EQ(trace->launches[0].cluster, (trace::Dim3{3, 1, 1}));
        U32 remote_atomics = 0, cluster_releases = 0;
        trace::TurnDetail detail;
        for (U64 turn = 0; turn < trace->turns.size(); ++turn) {
            trace::decode(*trace, turn, detail);
            const U32 block = trace->turns[turn].block;
            for (const trace::Access& access : detail.accesses) {
                if (access.owner == trace::none) continue;
                EXPECT_EQ(access.space, trace::Space::shared);
                EXPECT_EQ(access.owner, block / 3 * 3 + (block + 1) % 3);
                remote_atomics +=
                    access.kind == trace::AccessKind::atomic ? trace::lane_count(access.mask) : 0;
            }
        }
        for (const trace::BarrierRelease& release : trace->releases)
            cluster_releases += release.barrier == 16 ? 1 : 0;
        EXPECT_EQ(remote_atomics, 6u * 40);
        EXPECT_EQ(cluster_releases, 12u);
        trace::Replay replay(trace);
        replay.seek(trace->turns.size());
        for (U32 block = 0; block < 6; ++block) {
            U32 box[2] = {};
            replay.read(trace::Space::shared, 0, block, 0, std::as_writable_bytes(std::span(box)));
            EXPECT_EQ(box[0], block);
            EXPECT_EQ(box[1], 40u);
        }
    }
}

TEST(Cluster, lanes_that_reach_several_blocks) {
    // Lane i adds to block i % 3, by its generic address: its own too.
    Device device(clustered("st.shared.u32 [box], 0;\n" + meet +
                            "rem.u32 %r4, %i, 3;\nmov.u64 %l0, box;\ncvta.shared.u64 %l0, %l0;\n"
                            "mapa.u64 %l1, %l0, %r4;\nred.add.u32 [%l1], 1;\n" +
                            meet + "ld.shared.u32 %r5, [box];\nst.global.u32 [%o], %r5;"));
    const DeviceAddress out = device.uninit<U32>(3);
    device.record();
    device.in_clusters({3, 1, 1}).run("k", {3, 1, 1}, {32, 1, 1}, out);
    EXPECT_EQ(device.kinds(), Kinds{});
    EXPECT_EQ(device.read<U32>(out, 3), (std::vector<U32>{33, 33, 30}));
    expect_replay(device, out, 12);
    const auto trace = device.finish();
    trace::TurnDetail detail;
    std::vector<U32> reached;
    for (U64 turn = 0; turn < trace->turns.size(); ++turn) {
        trace::decode(*trace, turn, detail);
        for (const trace::Access& access : detail.accesses)
            if (access.kind == trace::AccessKind::atomic)
                reached.push_back(access.block_reached(trace->turns[turn].block));
    }
    std::sort(reached.begin(), reached.end());
    EXPECT_EQ(reached, (std::vector<U32>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
}

TEST(Cluster, clusters_are_recorded_whole) {
    Device device(clustered("st.shared.u32 [box], %r2;\n" + meet + next_box +
                            "ld.shared::cluster.u32 %r5, [%r3];\n" + meet + "st.global.u32 [%o], %r5;"));
    const DeviceAddress out = device.uninit<U32>(8);
    device.record();
    device.in_clusters({2, 1, 1}).record_only({5}).run("k", {8, 1, 1}, {1, 1, 1}, out);
    EXPECT_EQ(device.read<U32>(out, 8), (std::vector<U32>{1, 0, 3, 2, 5, 4, 7, 6}));
    EXPECT_EQ(device.finish()->launches[0].recorded_blocks, (std::vector<U32>{4, 5}));
    expect_replay(device, out, 32);
}

TEST(Cluster, cache_policies_and_prefetches_have_no_effect) {
    EXPECT_EQ(
        fine("createpolicy.fractional.L2::evict_last.b64 %l0, 0f3F800000;\nprefetch.global.L2 [%b];\n"
             "prefetchu.L1 [%b];\napplypriority.global.L2::evict_normal [%b], 128;\n"
             "cp.async.bulk.prefetch.L2.global [%b], 16;\nld.global.L2::cache_hint.u64 %l1, [%b], "
             "%l0;\ngriddepcontrol.wait;\nfence.mbarrier_init.release.cluster;\nst.global.u64 [%b+8], %l1;",
             {5, 0}),
        (std::vector<U64>{5, 5}));
}

TEST(Stack, allocations_are_uninit_and_given_back) {
    const std::string code =
        "stacksave.u64 %l0;\nalloca.u64 %l1, 40, 16;\nst.local.u64 [%l1+32], 7;\nalloca.u64 %l2, "
        "8;\nst.local.u64 [%l2], "
        "8;\nld.local.u64 %l3, [%l1+32];\nld.local.u64 %l4, [%l2];\nadd.u64 %l3, %l3, %l4;\nst.global.u64 "
        "[%b], "
        "%l3;\nand.b64 %l3, %l1, 15;\nst.global.u64 [%b+8], %l3;\nstackrestore.u64 %l0;\nstacksave.u64 "
        "%l5;\nsub.u64 %l5, "
        "%l5, %l0;\nst.global.u64 [%b+16], %l5;\n";
    EXPECT_EQ(fine(code, {0, 9, 9}), (std::vector<U64>{15, 0, 0}));
    EXPECT_EQ(run(code + "ld.local.u64 %l3, [%l1];", {0, 0, 0}).kinds, Kinds{ProblemKind::out_of_bounds});
    EXPECT_EQ(run("alloca.u64 %l1, 40;\nld.local.u64 %l3, [%l1];", {0}).kinds,
              Kinds{ProblemKind::uninitialised});
    EXPECT_EQ(run("alloca.u64 %l1, 8589934592;", {0}).kinds, Kinds{ProblemKind::out_of_bounds});
}

TEST(Stack, parameters_have_addresses) {
    const std::string function =
        ".func (.param .b64 r) f(.param .b64 before, .param .align 8 .b8 p[24]) {\n.reg .b64 %l<8>;\nmov.b64 "
        "%l0, "
        "p;\nld.local.u64 %l1, [%l0+16];\nadd.u64 %l1, %l1, 1;\nst.local.u64 [%l0+16], %l1;\nld.param.u64 "
        "%l2, "
        "[p+16];\nld.param.u64 %l3, [p];\nadd.u64 %l2, %l2, %l3;\nld.param.u64 %l4, [before];\nadd.u64 %l2, "
        "%l2, "
        "%l4;\ncvta.local.u64 %l5, %l0;\nld.u64 %l6, [%l5+8];\nadd.u64 %l2, %l2, %l6;\nst.param.b64 [r], "
        "%l2;\nret;\n}\n";
    EXPECT_EQ(fine("{\n.param .b64 a0;\n.param .align 8 .b8 a1[24];\n.param .b64 res;\ncvt.u64.u32 %l0, %i;\n"
                   "st.param.b64 [a0], %l0;\nst.param.b64 [a1], 1000;\nst.param.b64 [a1+8], "
                   "200;\nst.param.b64 [a1+16], "
                   "30;\ncall (res), f, (a0, a1);\nld.param.b64 %l1, [res];\nst.global.u64 [%o], %l1;\n}",
                   {0, 0, 0}, 3, function),
              (std::vector<U64>{1231, 1232, 1233}));
}

TEST(Wide, registers_of_128_bits) {
    EXPECT_EQ(
        fine(
            "ld.global.b128 %q0, [%b];\nmov.b128 {%l0, %l1}, %q0;\nadd.u64 %l0, %l0, 1;\nmov.b128 %q1, {%l1, "
            "%l0};\nmov.b128 %q2, %q1;\nst.global.b128 [%b+16], %q2;",
            {10, 20, 0, 0}),
        (std::vector<U64>{10, 20, 20, 11}));
    EXPECT_EQ(fine("ld.global.b128 %q0, [%b+16];\natom.global.exch.b128 %q1, [%b], %q0;\nst.global.b128 "
                   "[%b+32], %q1;\n"
                   "atom.cas.b128 %q2, [%b], %q0, %q1;\natom.cas.b128 %q3, [%b], %q0, %q2;\nst.global.b128 "
                   "[%b+48], %q3;",
                   {1, 2, 3, 4, 0, 0, 0, 0}),
              (std::vector<U64>{1, 2, 3, 4, 1, 2, 1, 2}));
    EXPECT_EQ(run("ld.global.b128 %q0, [%b+8];", {0, 0, 0}).kinds, Kinds{ProblemKind::misaligned});
}

TEST(Wide, accesses_of_256_bits) {
    // The buffer is aligned to 256 bytes; the second half of the destination overwrites the address.
    EXPECT_EQ(fine("ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%b];\nst.global.v8.b32 "
                   "[%b+32], {%r7, "
                   "%r6, %r5, %r4, %r3, %r2, %r1, %r0};",
                   {1 | 2ull << 32, 3 | 4ull << 32, 5 | 6ull << 32, 7 | 8ull << 32, 0, 0, 0, 0}),
              (std::vector<U64>{1 | 2ull << 32, 3 | 4ull << 32, 5 | 6ull << 32, 7 | 8ull << 32,
                                8 | 7ull << 32, 6 | 5ull << 32, 4 | 3ull << 32, 2 | 1ull << 32}));
    EXPECT_EQ(fine("mov.u64 %l0, %b;\nld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%l0];\nst.global.v4.b64 "
                   "[%b+32], {%l3, %l2, "
                   "%l1, %l0};",
                   {1, 2, 3, 4, 0, 0, 0, 0}),
              (std::vector<U64>{1, 2, 3, 4, 4, 3, 2, 1}));
    EXPECT_EQ(run("ld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%b+16];", std::vector<U64>(8)).kinds,
              Kinds{ProblemKind::misaligned});
    const Result outside =
        run("add.u64 %l4, %b, 64;\nld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%l4];", std::vector<U64>(8));
    EXPECT_EQ(outside.kinds, Kinds{ProblemKind::out_of_bounds});
}

TEST(Wide, the_trace_has_both_halves) {
    Device device(with_header(
        ".visible .entry k(.param .u64 pb) {\n.reg .b64 %b, %l<4>;\nld.param.u64 %b, "
        "[pb];\nld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%b];\nst.global.v4.b64 [%b+32], {%l3, %l2, "
        "%l1, %l0};\nret;\n}\n"));
    const DeviceAddress buffer = device.buffer(std::vector<U64>{1, 2, 3, 4, 0, 0, 0, 0});
    device.record();
    device.run("k", {1, 1, 1}, {1, 1, 1}, buffer);
    const auto trace = device.finish();
    trace::TurnDetail detail;
    trace::decode(*trace, 0, detail);
    ASSERT_EQ(detail.accesses.size(), 4u);
    EXPECT_EQ(detail.accesses[1].pc, 1u);
    EXPECT_EQ(detail.accesses[1].offset[0], detail.accesses[0].offset[0] + 16);
    EXPECT_EQ(detail.accesses[3].pc, 2u);
    EXPECT_EQ(detail.accesses[3].kind, trace::AccessKind::store);
    trace::Replay replay(trace);
    replay.seek(trace->turns.size());
    U64 last = 0;
    replay.read(trace::Space::global, 0, 0, buffer - (1ull << 40) + 56,
                std::as_writable_bytes(std::span(&last, 1)));
    EXPECT_EQ(last, 1u);
}

TEST(Wide, vector_atomics) {
    EXPECT_EQ(fine("mov.f32 %f0, 0f3F800000;\nmov.f32 %f1, 0f40000000;\natom.global.v2.f32.add {%f2, %f3}, "
                   "[%b], {%f0, "
                   "%f1};\nred.global.v2.f32.add [%b], {%f0, %f1};\nst.global.v2.f32 [%b+8], {%f2, %f3};",
                   {0x3f80000040000000ull, 0}),
              (std::vector<U64>{0x40a0000040800000ull, 0x3f80000040000000ull}));
    // 1 + 2 = 3 in each f16 of two pairs; the smaller of 1 and 2.
    EXPECT_EQ(fine("mov.b32 %r0, 0x40004000;\nred.global.v2.f16x2.add.noftz [%b], {%r0, "
                   "%r0};\nred.global.v2.f16x2.min."
                   "noftz [%b+8], {%r0, %r0};",
                   {0x3c003c003c003c00ull, 0x3c003c003c003c00ull}),
              (std::vector<U64>{0x4200420042004200ull, 0x3c003c003c003c00ull}));
    EXPECT_EQ(fine("mov.b16 %h0, 0x4000;\nred.global.v4.bf16.max.noftz [%b], {%h0, %h0, %h0, %h0};",
                   {0x3f803f803f803f80ull}),
              (std::vector<U64>{0x4000400040004000ull}));
}

}  // namespace cluster_test
}  // namespace lanescope::simt
