#include "compile/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

namespace lanescope::compile {
namespace confine_test {

// In a child process: confines it to `readable`, then returns what `child` returns, or 100 without Landlock.
template <class Child>
int confined(const std::vector<std::filesystem::path>& readable, Child child) {
    const pid_t started = fork();
    if (started == 0) _exit(confine_to(readable) == 0 ? 100 : child());
    int status = 0;
    waitpid(started, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int opens(const std::filesystem::path& path, int flags) {
    return open(path.c_str(), flags, 0600) >= 0 ? 1 : 0;
}

TEST(Confine, only_the_named_folders_are_readable_and_nothing_is_writable) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lanescope_confined";
    std::filesystem::create_directories(folder / "in");
    std::filesystem::create_directories(folder / "out");
    std::ofstream(folder / "in/header.h") << "x";
    std::ofstream(folder / "out/secret") << "x";
    const int inside = confined({folder / "in"}, [&] { return opens(folder / "in/header.h", O_RDONLY); });
    if (inside == 100) GTEST_SKIP() << "the kernel offers no Landlock";
    EXPECT_EQ(inside, 1);
    EXPECT_EQ(confined({folder / "in"}, [&] { return opens(folder / "out/secret", O_RDONLY); }), 0);
    EXPECT_EQ(confined({folder / "in"}, [&] { return opens(folder / "in/header.h", O_WRONLY); }), 0);
    EXPECT_EQ(confined({folder / "in"}, [&] { return opens(folder / "in/made", O_WRONLY | O_CREAT); }), 0);
    EXPECT_EQ(confined({folder / "in"}, [&] { return opens("/etc/passwd", O_RDONLY); }), 0);
    std::filesystem::remove_all(folder);
}

TEST(Confine, a_folder_that_is_not_there_is_skipped) {
    const int ended = confined({"/nowhere/at/all"}, [] { return 7; });
    if (ended == 100) GTEST_SKIP() << "the kernel offers no Landlock";
    EXPECT_EQ(ended, 7);
}

TEST(Confine, a_process_that_has_all_libraries_reads_only_the_folders_and_starts_no_other) {
    const pid_t started = fork();
    if (started == 0) {
        const pid_t parent = getppid();
        if (confine_to({"/usr/include"}, Libraries::loaded) == 0 || !forbid_other_processes()) _exit(100);
        const bool thread_runs = std::invoke([] {
            bool ran = false;
            std::thread([&] { ran = true; }).join();
            return ran;
        });
        const bool apart = fork() < 0 && socket(AF_INET, SOCK_STREAM, 0) < 0 && kill(parent, 0) < 0;
        _exit(thread_runs && apart && opens("/usr/lib", O_RDONLY) == 0 &&
              opens("/usr/include", O_RDONLY) == 1);
    }
    int status = 0;
    waitpid(started, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 100) GTEST_SKIP() << "the kernel offers no Landlock";
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
}

}  // namespace confine_test
}  // namespace lanescope::compile
