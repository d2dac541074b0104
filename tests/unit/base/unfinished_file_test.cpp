#include "base/unfinished_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace lanescope {
namespace unfinished_file_test {

std::filesystem::path scratch_file(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / ("lanescope_" + name);
    std::ofstream(path) << "half";
    return path;
}

// Returns the signal that ended a child which runs this.
template <class Child>
int signal_of(Child child) {
    const pid_t started = fork();
    if (started == 0) {
        child();
        _exit(0);
    }
    int status = 0;
    waitpid(started, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(UnfinishedFile, is_removed_by_signals_that_end_the_process) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        const std::filesystem::path path = scratch_file("unfinished.part");
        EXPECT_EQ(signal_of([&] {
                      remove_unfinished_files_on_signals();
                      const UnfinishedFile unfinished(path);
                      raise(number);
                  }),
                  number);
        EXPECT_FALSE(std::filesystem::exists(path)) << number;
    }
}

TEST(UnfinishedFile, stays_once_it_is_finished) {
    const std::filesystem::path path = scratch_file("finished");
    EXPECT_EQ(signal_of([&] {
                  remove_unfinished_files_on_signals();
                  { const UnfinishedFile unfinished(path); }
                  raise(SIGTERM);
              }),
              SIGTERM);
    EXPECT_TRUE(std::filesystem::exists(path));
    std::filesystem::remove(path);
}

TEST(UnfinishedFile, ignored_signals_stay_ignored) {
    EXPECT_EQ(signal_of([] {
                  signal(SIGHUP, SIG_IGN);
                  remove_unfinished_files_on_signals();
                  raise(SIGHUP);
              }),
              0);
}

TEST(UnfinishedFile, more_files_than_can_be_registered_do_no_harm) {
    std::vector<std::unique_ptr<UnfinishedFile>> many;
    for (int i = 0; i < 40; ++i)
        many.push_back(std::make_unique<UnfinishedFile>("/nowhere/" + std::to_string(i)));
}

}  // namespace unfinished_file_test
}  // namespace lanescope
