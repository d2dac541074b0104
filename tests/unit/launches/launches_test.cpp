// The open program: which launch is shown, recordings that fail and that are cancelled. A script stands in
// the place of the program.
#include "session/launches/launches.h"
#include "session/launches/host_code.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "program/build.h"

namespace lanescope::session {
namespace launches_test {

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

    Result<TemporaryFolder> folder_ = TemporaryFolder::create();
    Jobs jobs_{2};
    Launches launches_{jobs_};
};

TEST_F(LaunchesOfAScript, another_file_closes_the_program) {
    launches_.open(program("true"));
    EXPECT_FALSE(launches_.shown());
    EXPECT_EQ(launches_.take(), folder_->path() / "p-launch-2.trace");
    ASSERT_TRUE(launches_.is_recording(folder_->path() / "p-launch-2.trace"));
    EXPECT_FALSE(launches_.is_recording(folder_->path() / "p-launch-3.trace"));
    launches_.show(folder_->path() / "p-launch-2.trace");
    EXPECT_EQ(launches_.shown(), 2u);
    launches_.follow("p.cu");
    ASSERT_TRUE(launches_.program());
    launches_.follow("other.cu");
    EXPECT_FALSE(launches_.program());
    EXPECT_FALSE(launches_.shown());
}

TEST_F(LaunchesOfAScript, a_launch_that_does_not_come_again_is_named) {
    if (!program::runtime_folder()) GTEST_SKIP() << "this build has no library for programs";
    launches_.open(program("true"));
    launches_.take();
    launches_.record(5);
    EXPECT_EQ(launches_.recording(), 5u);
    launches_.wait();
    EXPECT_FALSE(launches_.recording());
    EXPECT_FALSE(launches_.take());
    ASSERT_FALSE(launches_.problems().empty());
    EXPECT_NE(to_text(launches_.problems()).find("launch 5 of p.cu was not recorded"), std::string::npos)
        << to_text(launches_.problems());
}

TEST_F(LaunchesOfAScript, what_was_recorded_opens_at_once) {
    launches_.open(program("exit 1"));
    launches_.record(2);
    EXPECT_FALSE(launches_.recording());
    EXPECT_EQ(launches_.take(), folder_->path() / "p-launch-2.trace");
    EXPECT_FALSE(launches_.take());
}

TEST_F(LaunchesOfAScript, a_recording_can_be_cancelled) {
    launches_.open(program("sleep 60"));
    launches_.take();
    launches_.record(5);
    launches_.cancel();
    launches_.wait();
    EXPECT_FALSE(launches_.recording());
    EXPECT_FALSE(launches_.take());
    EXPECT_TRUE(launches_.problems().empty());
}

TEST(HostCode, a_program_is_offered_and_runs_only_after_consent) {
    Jobs jobs(1);
    HostCode host(jobs);
    const std::string program = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
    const auto open = HostCode::Stand::offered;
    host.follow("k.cu", "__global__ void k() {}\n", false, false);
    EXPECT_EQ(host.stand(), HostCode::Stand::no_program);
    host.follow("p.cu", program, true, true);
    EXPECT_EQ(host.stand(), HostCode::Stand::no_program) << "an edited lesson is not saved";
    host.follow("p.cu", "/*--- lanescope\nlaunch = \"k<<<1, 1>>>\"\n---*/\n" + program, true, false);
    if (host.stand() == HostCode::Stand::no_compiler) GTEST_SKIP() << to_text(host.missing());
    EXPECT_EQ(host.stand(), open);
    EXPECT_TRUE(host.of_course());
    host.decline();
    EXPECT_EQ(host.stand(), HostCode::Stand::declined);
    ProgramRequest request = host.request();
    EXPECT_EQ(request.file, "p.cu");
    request.arguments = {"7"};
    host.agree(request);
    EXPECT_TRUE(host.runs());
    EXPECT_EQ(host.request().arguments, std::vector<std::string>{"7"});
    host.follow("q.cu", program, false, false);  // another file is another question
    EXPECT_EQ(host.stand(), open);
    host.forbid();
    EXPECT_EQ(host.stand(), HostCode::Stand::forbidden);
    host.follow("p.cu", program, false, false);
    EXPECT_FALSE(host.runs());
}

TEST(HostCode, arguments_are_a_line) {
    const std::vector<std::string> words{"-n", "500", "a b", "it's", "", "\\", "x\"y"};
    EXPECT_EQ(*words_of(line_of(words)), words);
    EXPECT_EQ(*words_of("  one 'two three'four \"five\\\"\"  "),
              (std::vector<std::string>{"one", "two threefour", "five\""}));
    EXPECT_TRUE(words_of("")->empty());
    ASSERT_FALSE(words_of("'open"));
    EXPECT_NE(to_text(words_of("'open").diagnostics()).find("a ' that is not closed"), std::string::npos);
}

}  // namespace launches_test
}  // namespace lanescope::session
