#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "model.h"
#include "trace/checksum.h"
#include "trace/events.h"
#include "trace/io.h"
#include "trace/late_snapshots.h"
#include "trace/names.h"
#include "walk.h"

namespace lanescope::trace {
namespace io_test {

namespace fs = std::filesystem;

class TraceFile : public ::testing::Test {
  protected:
    fs::path path_ = fs::temp_directory_path() / ("lanescope-io-" + std::to_string(getpid()) + ".trace");

    ~TraceFile() override { fs::remove(path_); }
    std::string bytes_of(const Trace& trace) {
        EXPECT_TRUE(save(trace, path_).ok());
        return *read_file(path_);
    }
    Result<std::shared_ptr<const Trace>> open_bytes(const std::string& bytes) { return read(bytes, path_); }
    std::string message(const std::string& bytes) {
        const auto opened = open_bytes(bytes);
        return opened ? "" : to_text(opened.diagnostics());
    }
};

// Returns a trace with everything that a trace can hold.
std::shared_ptr<const Trace> rich_trace() {
    Recorder recorder({.trace_bytes = 1 << 20, .snapshot_interval_bytes = 512});
    Program program = model_program();
    ValueType pair;
    pair.kind = ValueType::Kind::structure;
    pair.name = "Pair";
    pair.size_bytes = 8;
    pair.members = {{"a", 0, program.types.named("int")}, {"b", 4, program.types.named("float")}};
    const TypeId type = program.types.add(pair);
    Variable variable;
    variable.name = "p";
    variable.type = program.types.array_of(type, 4);
    variable.home = Variable::Home::value;
    variable.value = {std::byte{1}, std::byte{2}};
    variable.parameter = true;
    program.functions[0].variables.push_back(variable);
    recorder.set_program(program);
    recorder.set_image(Space::global, std::vector<std::byte>(10000, std::byte{7}),
                       std::vector<std::uint64_t>(157, ~std::uint64_t{0}));
    recorder.add_symbol({"in", Space::global, type, 0, 4096, {16, 32}, true, false, 3});
    Launch launch;
    launch.kernel = "k";
    launch.grid = {2, 1, 1};
    launch.block = {64, 1, 1};
    launch.cluster = {2, 1, 1};
    launch.shared_bytes = 64;
    launch.shared = {{"s", Space::shared, type, 0, 64, {8}, false, true, 4}};
    recorder.begin_launch(launch);
    recorder.begin_turn(1, 1, ~Mask{0}, 3, 4, 0);
    recorder.exit_lanes(1);
    recorder.end_turn(TurnEnd::barrier, 2);
    recorder.barrier_release(1, 3);
    recorder.end_launch();
    Problem problem;
    problem.kind = ProblemKind::race;
    problem.variable = "s";
    problem.index = -4;
    problem.message = "Two threads …";
    problem.first = {0, 0, 4, 1, 2, 3, AccessKind::store, true};
    problem.second = {0, 0, 7, 0, 5, 3, AccessKind::load, true};
    problem.before_second = {SyncPoint::Kind::fence, FenceScope::system, 7, 5};
    problem.remedy = "a barrier";
    recorder.problem(problem);
    recorder.console("hello\n", 0, 3);
    return recorder.finish();
}

void expect_same_program(const Program& a, const Program& b) {
    EXPECT_EQ(a.source.path, b.source.path);
    EXPECT_EQ(a.source.text, b.source.text);
    EXPECT_EQ(a.ptx, b.ptx);
    EXPECT_EQ(a.engine, b.engine);
    EXPECT_EQ(a.code, b.code);
    ASSERT_EQ(a.types.size(), b.types.size());
    for (TypeId id = 0; id < a.types.size(); ++id) {
        EXPECT_EQ(a.types[id].name, b.types[id].name);
        EXPECT_EQ(a.types[id].size_bytes, b.types[id].size_bytes);
        EXPECT_EQ(a.types[id].members.size(), b.types[id].members.size());
    }
    ASSERT_EQ(a.code_rows.size(), b.code_rows.size());
    EXPECT_EQ(a.code_rows.back().ptx_line, b.code_rows.back().ptx_line);
    ASSERT_EQ(a.functions.size(), b.functions.size());
    EXPECT_EQ(a.functions[1].local_bytes, b.functions[1].local_bytes);
    ASSERT_EQ(a.functions[0].variables.size(), b.functions[0].variables.size());
}

TEST_F(TraceFile, everything_comes_back) {
    const auto trace = rich_trace();
    ASSERT_TRUE(save(*trace, path_).ok());
    const auto opened = open(path_);
    ASSERT_TRUE(opened.ok()) << to_text(opened.diagnostics());
    const Trace& back = **opened;
    expect_same_program(trace->program, back.program);
    EXPECT_EQ(back.program.functions[0].variables[0].value, trace->program.functions[0].variables[0].value);
    EXPECT_TRUE(back.program.functions[0].variables[0].parameter);
    ASSERT_EQ(back.symbols.size(), 1u);
    EXPECT_EQ(back.symbols[0].extents, (std::vector<std::uint64_t>{16, 32}));
    EXPECT_TRUE(back.symbols[0].buffer);
    ASSERT_EQ(back.launches.size(), 1u);
    EXPECT_EQ(back.launches[0].shared[0].name, "s");
    EXPECT_EQ(back.launches[0].block, trace->launches[0].block);
    EXPECT_EQ(back.launches[0].cluster, (Dim3{2, 1, 1}));
    ASSERT_EQ(back.turns.size(), 1u);
    EXPECT_EQ(std::memcmp(back.turns.data(), trace->turns.data(), sizeof(Turn)), 0);
    ASSERT_EQ(back.releases.size(), 1u);
    EXPECT_EQ(back.releases[0].barrier, 3u);
    ASSERT_EQ(back.problems.size(), 1u);
    EXPECT_EQ(back.problems[0].index, -4);
    EXPECT_EQ(back.problems[0].first.thread, 2u);
    EXPECT_EQ(back.problems[0].message, "Two threads …");
    EXPECT_EQ(back.problems[0].before_first.kind, SyncPoint::Kind::nothing);
    EXPECT_EQ(back.problems[0].before_second.kind, SyncPoint::Kind::fence);
    EXPECT_EQ(back.problems[0].before_second.scope, FenceScope::system);
    EXPECT_EQ(back.problems[0].before_second.line, 7u);
    EXPECT_EQ(back.problems[0].remedy, "a barrier");
    EXPECT_EQ(why_text(back.problems[0]),
              "thread 2 of block 1 has not synchronised since the kernel began, thread 5 of block 0 last "
              "synchronised at the __threadfence_system() in line 7; to order the two: a barrier");
    EXPECT_EQ(back.console, "hello\n");
    EXPECT_FALSE(back.truncated);
}

TEST_F(TraceFile, an_unplayed_trace_has_the_same_states) {
    const ModelRun run({.seed = 5});
    ASSERT_TRUE(save(*run.trace, path_).ok());
    const auto opened = open_unplayed(path_);
    ASSERT_TRUE(opened.ok()) << to_text(opened.diagnostics());
    EXPECT_EQ((*opened)->events->snapshots.size(), 1u);
    Replay whole(run.trace), unplayed(*opened);
    const std::uint64_t turns = run.trace->turns.size();
    const auto compare = [&] {
        for (const std::uint64_t position : {turns / 3, turns, std::uint64_t{0}, turns - 1, turns / 2}) {
            whole.seek(position);
            unplayed.seek(position);
            EXPECT_EQ(whole.state_hash(), unplayed.state_hash()) << position;
        }
    };
    compare();
    const std::atomic<bool> cancel = true;
    EXPECT_EQ(make_snapshots(**opened, &cancel).diagnostics()[0].message, "cancelled");
    EXPECT_FALSE((*opened)->events->late->is_complete());
    const Result<void> made = make_snapshots(**opened);
    ASSERT_TRUE(made.ok()) << to_text(made.diagnostics());
    EXPECT_TRUE((*opened)->events->late->is_complete());
    EXPECT_EQ(snapshots_around(*(*opened)->events, turns).before->position, turns);
    compare();
}

TEST_F(TraceFile, bad_events_of_an_unplayed_trace) {
    std::string bytes = bytes_of(*rich_trace());
    std::fill(bytes.end() - 28, bytes.end() - 8, char(0xff));
    const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, bytes.size() - 8));
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    ASSERT_TRUE(write_file(path_, bytes).ok());
    EXPECT_FALSE(open(path_).ok());
    const auto opened = open_unplayed(path_);
    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.diagnostics()[0].message.find("damaged"), std::string::npos);
}

TEST_F(TraceFile, every_state_comes_back) {
    const ModelRun run({.seed = 5});
    const auto opened = open_bytes(bytes_of(*run.trace));
    ASSERT_TRUE(opened.ok()) << to_text(opened.diagnostics());
    Replay before(run.trace), after(*opened);
    for (std::size_t at = 0; at <= run.trace->turns.size(); ++at) {
        before.seek(at);
        after.seek(at);
        ASSERT_EQ(before.state_hash(), after.state_hash()) << at;
    }
    ASSERT_EQ(difference(after, run.states.back()), "");
    EXPECT_EQ(bytes_of(**opened), bytes_of(*run.trace));
}

TEST_F(TraceFile, a_truncated_recording_comes_back) {
    const ModelRun run({.seed = 6, .trace_bytes = 30000});
    ASSERT_TRUE(run.trace->truncated);
    const auto opened = open_bytes(bytes_of(*run.trace));
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE((*opened)->truncated);
    EXPECT_EQ((*opened)->truncation, run.trace->truncation);
}

std::string with_checksum(std::string body) {
    const std::uint64_t sum = checksum(body);
    body.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return body;
}

std::string without_checksum(const std::string& bytes) {
    return bytes.substr(0, bytes.size() - 8);
}

// The outline of version 3 ends before the sizes of the clusters and the reasons of races.
std::string as_version_3(std::string body, const Trace& trace) {
    std::size_t added = trace.launches.size() * sizeof(Dim3);
    for (const Problem& problem : trace.problems)
        added += 2 * (1 + 1 + 4 + 8) + 8 + problem.remedy.size();
    constexpr std::size_t program = 16 + 4, head = 4 + 8;
    const auto size_at = [&](std::size_t section) {
        std::uint64_t size = 0;
        std::memcpy(&size, body.data() + section + 4, 8);
        return size;
    };
    const std::size_t outline = program + head + size_at(program);
    const std::uint64_t size = size_at(outline), shorter = size - added;
    body.erase(outline + head + shorter, size - shorter);
    std::memcpy(body.data() + outline + 4, &shorter, 8);
    body[16] = 3;
    return body;
}

TEST_F(TraceFile, version_3_has_neither_clusters_nor_reasons) {
    const auto trace = rich_trace();
    const auto opened = open_bytes(with_checksum(as_version_3(without_checksum(bytes_of(*trace)), *trace)));
    ASSERT_TRUE(opened.ok()) << to_text(opened.diagnostics());
    EXPECT_EQ((*opened)->launches[0].cluster, Dim3{});
    EXPECT_EQ((*opened)->problems[0].remedy, "");
    EXPECT_EQ((*opened)->launches[0].grid, trace->launches[0].grid);
    EXPECT_EQ((*opened)->console, "hello\n");
    EXPECT_EQ((*opened)->turns.size(), 1u);
}

TEST_F(TraceFile, bad_clusters) {
    const std::string body = without_checksum(bytes_of(*rich_trace()));
    const Dim3 wanted{2, 1, 1};
    const std::size_t at =
        body.rfind(std::string(reinterpret_cast<const char*>(&wanted), sizeof wanted));  // the cluster's
    ASSERT_NE(at, std::string::npos);
    for (const Dim3& bad : {Dim3{0, 1, 1}, Dim3{3, 1, 1}, Dim3{2, 2, 1}, Dim3{2, 0xffffffff, 1}}) {
        std::string changed = body;
        std::memcpy(changed.data() + at, &bad, sizeof bad);
        EXPECT_NE(message(with_checksum(changed)).find("invalid size"), std::string::npos) << bad.x;
    }
}

TEST_F(TraceFile, bad_length) {
    const std::string bytes = bytes_of(*rich_trace());
    ASSERT_TRUE(open_bytes(with_checksum(without_checksum(bytes))).ok());
    for (std::size_t size = 0; size + 8 < bytes.size();
         size += size < 2000 || size + 3000 > bytes.size() ? 1 : 97) {
        EXPECT_FALSE(open_bytes(bytes.substr(0, size)).ok()) << size;
        EXPECT_FALSE(open_bytes(with_checksum(bytes.substr(0, size))).ok()) << size;
    }
    EXPECT_FALSE(open_bytes(bytes + "x").ok());
    EXPECT_NE(message(bytes.substr(0, bytes.size() - 1)), "");
}

TEST_F(TraceFile, bad_bytes_are_noticed) {
    const std::string bytes = bytes_of(*rich_trace());
    for (std::size_t at = 0; at < bytes.size(); at += 13) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        EXPECT_FALSE(open_bytes(damaged).ok()) << at;
    }
}

// Damaged bytes with a correct checksum test the checks after it.
TEST_F(TraceFile, bad_bytes_with_a_checksum) {
    const ModelRun run({.seed = 8, .turns_per_launch = 12, .launches = 2});
    const std::string body = without_checksum(bytes_of(*run.trace));
    std::mt19937_64 random(3);
    std::size_t opened_ones = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = body;
        // Most of the file is text and memory. The outline, the turns and the events are more interesting.
        const std::size_t at = round % 3 == 0 ? random() % body.size() : body.size() - 1 - random() % 6000;
        damaged[at] = static_cast<char>(random());
        const auto opened = open_bytes(with_checksum(std::move(damaged)));
        if (!opened) continue;
        ++opened_ones;
        walk(*opened);
    }
    EXPECT_GT(opened_ones, 100u);
}

TEST_F(TraceFile, bad_magic_version_and_files) {
    EXPECT_NE(message("").find("not a trace"), std::string::npos);
    EXPECT_NE(message("#include <cuda.h>").find("not a trace"), std::string::npos);
    std::string bytes = bytes_of(*rich_trace());
    bytes[16] = 9;
    EXPECT_NE(message(bytes).find("version 9"), std::string::npos);
    EXPECT_FALSE(open(fs::temp_directory_path()).ok());
    EXPECT_FALSE(open(path_.string() + ".missing").ok());
    EXPECT_FALSE(save(*rich_trace(), path_ / "below" / "a file").ok());
}

}  // namespace io_test
}  // namespace lanescope::trace
