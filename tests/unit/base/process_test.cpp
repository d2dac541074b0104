#include "base/process.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/child_process.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/standard_streams.h"
#include "base/temporary_folder.h"

namespace lanescope {
namespace process_test {

TEST(Process, feeds_input_and_returns_both_streams) {
    const std::string input(1 << 20, 'x');
    const auto outcome = run_process({"sh", "-c", "cat; echo problem >&2; exit 3"}, input, 10'000);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->out, input);
    EXPECT_EQ(outcome->err, "problem\n");
    EXPECT_EQ(outcome->exit_code, 3);
    EXPECT_FALSE(outcome->timed_out);
}

TEST(Process, bad_time_limit_kills_the_child) {
    const auto outcome = run_process({"sleep", "60"}, "", 100);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->timed_out);
}

// Four parts of 150 ms each: more than the limit together, less than it each.
TEST(Process, time_limit_begins_anew_with_each_output_that_is_heard) {
    constexpr int limit_ms = 400;
    const std::vector<std::string> parts{"sh", "-c", "for i in 1 2 3 4; do sleep 0.15; echo part; done"};
    std::string heard;
    const auto outcome = run_process(parts, "", limit_ms, 1000, nullptr, {}, false,
                                     [&](std::string_view text) { heard += text; });
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->succeeded());
    EXPECT_EQ(heard, "part\npart\npart\npart\n");
    EXPECT_EQ(outcome->out, heard);
    const auto unheard = run_process(parts, "", limit_ms);
    ASSERT_TRUE(unheard);
    EXPECT_TRUE(unheard->timed_out);
    const auto silent = run_process({"sh", "-c", "echo part; sleep 60"}, "", limit_ms, 1000, nullptr, {},
                                    false, [](std::string_view) {});
    ASSERT_TRUE(silent);
    EXPECT_TRUE(silent->timed_out);
}

TEST(Process, bad_output_limit_kills_the_child) {
    const auto outcome = run_process({"yes"}, "", 10'000, 1 << 16);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->too_much_output);
    EXPECT_FALSE(outcome->timed_out);
    EXPECT_FALSE(outcome->succeeded());
}

TEST(Process, bad_child_that_ignores_its_input_or_dies) {
    const auto ignoring = run_process({"true"}, std::string(1 << 20, 'x'), 10'000);
    ASSERT_TRUE(ignoring);
    EXPECT_EQ(ignoring->exit_code, 0);
    const auto killed = run_process({"sh", "-c", "kill -SEGV $$"}, "", 10'000);
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->signal, 11);
}

TEST(Process, cancelling_ends_the_child) {
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        cancel = true;
    });
    const auto outcome = run_process({"sleep", "60"}, "", 60'000, 1000, &cancel);
    later.join();
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->cancelled);
    EXPECT_FALSE(outcome->timed_out);
    EXPECT_EQ(outcome->signal, 0);
}

TEST(Process, bad_closed_standard_streams_are_opened) {
    const auto next_file = [] {
        close(0), close(1);
        open_standard_streams();
        _exit(dup(2));
    };
    EXPECT_EXIT(
        next_file(), [](int status) { return WIFEXITED(status) && WEXITSTATUS(status) > 2; }, "");
}

// Whether the process exists and has not ended; one that no process waits for stays as a zombie.
bool runs(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    return std::getline(file, text) && text.find(") Z") == std::string::npos;
}

bool ends_soon(pid_t pid) {
    constexpr int tries = 500;
    for (int i = 0; i < tries && runs(pid); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return !runs(pid);
}

// Kills a process of its own that runs `work`, once a child has written its number into `file`. Returns the
// child's number.
template <class Work>
pid_t killed_while(const std::string& file, const Work& work) {
    const pid_t parent = fork();
    if (parent == 0) {
        work();
        _exit(0);
    }
    pid_t child = 0;
    constexpr int tries = 500;
    for (int i = 0; i < tries && child == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (const Result<std::string> text = read_file(file); text && text->ends_with("\n"))
            child = std::stoi(*text);
    }
    EXPECT_TRUE(child != 0 && runs(child)) << "the child did not start";
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    return child;
}

std::vector<std::string> tells_its_number(const std::string& file) {
    return {"sh", "-c", "echo $$ > '" + file + "'; exec sleep 100"};
}

TEST(Process, a_child_ends_with_a_killed_process) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    ASSERT_TRUE(folder);
    const std::string file = folder->path() / "number";
    const pid_t waited = killed_while(file, [&] { (void)run_process(tells_its_number(file), "", 100'000); });
    EXPECT_TRUE(ends_soon(waited));
    std::filesystem::remove(file);
    const pid_t attached = killed_while(file, [&] { (void)run_attached(tells_its_number(file)); });
    EXPECT_TRUE(ends_soon(attached));
}

// The thread that starts such a child may end long before it.
TEST(ChildProcess, ends_with_a_killed_process_but_not_with_a_thread) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    ASSERT_TRUE(folder);
    const std::string file = folder->path() / "number";
    const pid_t child = killed_while(file, [&] {
        Result<std::unique_ptr<ChildProcess>> started = error("not started");
        std::thread([&] { started = ChildProcess::start(tells_its_number(file)); }).join();
        std::this_thread::sleep_for(std::chrono::seconds(100));
    });
    EXPECT_TRUE(ends_soon(child));
}

TEST(Process, bad_program_that_does_not_exist) {
    EXPECT_FALSE(run_process({"/no/such/program"}, "", 1000));
    EXPECT_FALSE(run_process({}, "", 1000));
}

TEST(Descriptor, is_passed_over_a_socket) {
    std::array<int, 2> sockets{}, pipes{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
    ASSERT_EQ(pipe(pipes.data()), 0);
    const Descriptor here(sockets[0]), reads(pipes[0]);
    Descriptor there(sockets[1]), writes(pipes[1]);
    ASSERT_TRUE(send_descriptor(here.number(), writes));
    writes.close();
    {
        const Result<Descriptor> came = receive_descriptor(there.number(), 5);
        ASSERT_TRUE(came) << to_text(came.diagnostics());
        EXPECT_EQ(write(came->number(), "x", 1), 1);
    }
    std::array<char, 2> bytes{};
    EXPECT_EQ(read(reads.number(), bytes.data(), bytes.size()), 1) << "all ends for writing are closed";
    EXPECT_EQ(read(reads.number(), bytes.data(), bytes.size()), 0);
    EXPECT_FALSE(receive_descriptor(there.number(), 0.01)) << "nothing was sent";
    ASSERT_EQ(write(here.number(), "x", 1), 1);
    EXPECT_FALSE(receive_descriptor(there.number(), 1)) << "a byte without a descriptor";
    there.close();
    EXPECT_FALSE(send_descriptor(here.number(), reads));
}

TEST(ChildProcess, has_a_socket_for_descriptors) {
    const auto child = ChildProcess::start({"sh", "-c", "exec 3>&-; cat"}, Passing::descriptors);
    ASSERT_TRUE(child);
    ASSERT_GE((*child)->passing(), 0);
    EXPECT_FALSE(receive_descriptor((*child)->passing(), 5)) << "the child has closed its end";
}

}  // namespace process_test
}  // namespace lanescope
