#include "base/jobs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace lanescope {
namespace jobs_test {

TEST(Jobs, completion_runs_on_the_polling_thread) {
    Jobs jobs;
    std::thread::id completed_on;
    jobs.start("a", [&](JobContext&) { return [&] { completed_on = std::this_thread::get_id(); }; });
    jobs.wait("a");
    EXPECT_TRUE(jobs.poll());
    EXPECT_EQ(completed_on, std::this_thread::get_id());
    EXPECT_FALSE(jobs.poll());
}

TEST(Jobs, newer_job_of_the_same_tag_supersedes_the_older) {
    Jobs jobs;
    int result = 0;
    std::atomic<bool> started{false};
    jobs.start("a", [&](JobContext& context) {
        started = true;
        while (!context.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return [&] { result = 1; };
    });
    while (!started)
        std::this_thread::yield();
    jobs.start("a", [&](JobContext&) { return [&] { result = 2; }; });
    jobs.wait("a");
    jobs.poll();
    EXPECT_EQ(result, 2);
}

TEST(Jobs, cancelled_job_has_no_completion_and_is_not_busy) {
    Jobs jobs;
    bool completed = false;
    jobs.start("a", [&](JobContext& context) {
        while (!context.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return [&] { completed = true; };
    });
    EXPECT_TRUE(jobs.busy("a"));
    jobs.cancel("a");
    EXPECT_FALSE(jobs.busy("a"));
    jobs.wait("a");
    jobs.poll();
    EXPECT_FALSE(completed);
}

TEST(Jobs, is_busy_until_its_completion_has_run) {
    Jobs jobs;
    bool busy_within = true;
    jobs.start("a", [&](JobContext&) { return [&] { busy_within = jobs.busy("a"); }; });
    jobs.wait("a");
    EXPECT_TRUE(jobs.busy("a"));
    EXPECT_TRUE(jobs.poll());
    EXPECT_FALSE(busy_within);
    EXPECT_FALSE(jobs.busy("a"));
}

TEST(Jobs, destructor_ends_running_work) {
    std::atomic<bool> ended{false};
    {
        Jobs jobs(2);
        std::atomic<bool> started{false};
        jobs.start("a", [&](JobContext& context) {
            started = true;
            while (!context.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ended = true;
            return Jobs::Completion{};
        });
        while (!started)
            std::this_thread::yield();
    }
    EXPECT_TRUE(ended);
}

}  // namespace jobs_test
}  // namespace lanescope
