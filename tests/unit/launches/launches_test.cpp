// The open program: which launch is shown, recordings that fail and that are cancelled. A script stands in
// the place of the program.
#include "session/launches/launches.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "program/build.h"

namespace lanescope::session {
namespace {

class LaunchesOfAScript : public testing::Test {
  protected:
    OpenedProgram program(const std::string& script) {
        OpenedProgram made;
        made.file = "p.cu";
        made.argv = {"/bin/sh", "-c", script};
        made.traces = folder_->path();
        made.launch = 2;
        made.trace = made.trace_of(2);
        made.run.journal_bytes = 100;
        return made;
    }

    Result<TemporaryFolder> folder_ = TemporaryFolder::create(std::filesystem::temp_directory_path());
    Jobs jobs_{2};
    Launches launches_{jobs_};
};

TEST_F(LaunchesOfAScript, AnotherFileClosesTheProgram) {
    launches_.open(program("true"));
    EXPECT_FALSE(launches_.shown());
    launches_.follow(folder_->path() / "p-launch-2.trace");
    EXPECT_EQ(launches_.shown(), 2u);
    ASSERT_TRUE(launches_.program());
    launches_.follow("other.cu");
    EXPECT_FALSE(launches_.program());
    EXPECT_FALSE(launches_.shown());
}

TEST_F(LaunchesOfAScript, ALaunchThatDoesNotComeAgainIsNamed) {
    if (!program::runtime_folder()) GTEST_SKIP() << "this build has no library for programs";
    launches_.open(program("true"));
    launches_.record(5);
    EXPECT_EQ(launches_.recording(), 5u);
    launches_.wait();
    EXPECT_FALSE(launches_.recording());
    EXPECT_FALSE(launches_.take());
    ASSERT_FALSE(launches_.problems().empty());
    EXPECT_NE(to_text(launches_.problems()).find("launch 5 of p.cu was not recorded"), std::string::npos)
        << to_text(launches_.problems());
}

TEST_F(LaunchesOfAScript, WhatWasRecordedOpensAtOnce) {
    launches_.open(program("exit 1"));
    launches_.record(2);
    EXPECT_FALSE(launches_.recording());
    EXPECT_EQ(launches_.take(), folder_->path() / "p-launch-2.trace");
    EXPECT_FALSE(launches_.take());
}

TEST_F(LaunchesOfAScript, ARecordingCanBeCancelled) {
    launches_.open(program("sleep 60"));
    launches_.record(5);
    launches_.cancel();
    launches_.wait();
    EXPECT_FALSE(launches_.recording());
    EXPECT_FALSE(launches_.take());
    EXPECT_TRUE(launches_.problems().empty());
}

}  // namespace
}  // namespace lanescope::session
