#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "program/build.h"
#include "program/check.h"
#include "program/host_lines.h"
#include "program/report.h"

namespace lanescope::program {
namespace program_test {

TEST(Program, is_a_file_that_defines_main) {
    EXPECT_TRUE(is_cuda_program("__global__ void k() {}\nint main(int argc, char** argv) { return 0; }\n"));
    EXPECT_TRUE(is_cuda_program("namespace a { int x; }\nauto main() -> int { cudaFree(0); }\n"));
    EXPECT_TRUE(is_cuda_program("extern \"C\" {\nint f();\n}\nint main() { k<<<1, 1>>>(); }\n"));
    EXPECT_FALSE(is_cuda_program("__global__ void k() {}\n"));
    EXPECT_FALSE(is_cuda_program("int main() { return 0; }\n")) << "nothing of CUDA";
    EXPECT_FALSE(is_cuda_program("// __global__ int main()\nconst char* s = \"int main()\";\n"));
    EXPECT_FALSE(is_cuda_program("struct S { int main(); };\nvoid f() { g.main(); }\n")) << "a member";
    EXPECT_FALSE(is_cuda_program("int mains() {}\nint domain(int);\n"));
}

TEST(Program, line_directives_renumber_a_source) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(numbered_lines("a\nb\n", "x.cu"), (Lines{"a", "b"}));
    EXPECT_EQ(numbered_lines("a\n#line 4\nb\n", "x.cu"), (Lines{"a", "", "", "b"}));
    EXPECT_EQ(numbered_lines("a\n# 3 \"x.cu\"\nb\n", "dir/x.cu"), (Lines{"a", "", "b"}));
    EXPECT_EQ(numbered_lines("a\n#line 2 \"y.cu\"\nb\n#line 2 \"x.cu\"\nc\n", "x.cu"), (Lines{"a", "c"}));
    EXPECT_EQ(numbered_lines("a\n#line 1\nb\n", "x.cu"), (Lines{""})) << "two lines have the number 1";
    EXPECT_EQ(numbered_lines("#define b\n#line 18446744073709551615\nc\nd\n", "x.cu"), (Lines{"#define b"}));
}

TEST(Program, may_have_its_main_in_a_header) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    ASSERT_TRUE(folder);
    ASSERT_TRUE(write_file(folder->path() / "start.h", "int main() { return 0; }\n"));
    ASSERT_TRUE(write_file(folder->path() / "tools.h", "inline int twice(int a) { return 2 * a; }\n"));
    const std::filesystem::path file = folder->path() / "k.cu";
    EXPECT_TRUE(is_cuda_program(file, "__global__ void k() {}\n#include \"start.h\"\n"));
    EXPECT_FALSE(is_cuda_program(file, "__global__ void k() {}\n#include \"tools.h\"\n"));
    EXPECT_FALSE(is_cuda_program(file, "__global__ void k() {}\n// #include \"start.h\"\n"));
}

TEST(Program, what_nvcc_is_given_already_stays) {
    setenv("NVCC_APPEND_FLAGS", "-DA=1", 1);
    const std::string flags = build_environment().at("NVCC_APPEND_FLAGS");
    unsetenv("NVCC_APPEND_FLAGS");
    EXPECT_TRUE(flags.starts_with("-DA=1 -G ")) << flags;
    EXPECT_NE(flags.find("--cudart=shared"), std::string::npos);
}

ProgramRun two_kernels() {
    ProgramRun run;
    run.used_the_machine = run.ended = true;
    for (std::uint64_t i = 0; i < 5; ++i) {
        ProgramLaunch launch;
        launch.number = i;
        launch.kernel = i == 3 ? "lib::detail::sort<int, lib::Policy<int, 4>, lib::Identity>" : "add";
        launch.grid = {4, 1, 1};
        launch.block = {32, 2, 1};
        launch.ending = "finished";
        launch.warp_instructions = 10 + i;
        run.launches.push_back(launch);
    }
    return run;
}

TEST(ProgramReport, equal_launches_are_one_row) {
    ProgramRun run = two_kernels();
    const std::string text = report_text(run, "again");
    EXPECT_NE(text.find("launches     5, 60 warp instructions"), std::string::npos) << text;
    EXPECT_NE(text.find("  0  add         4   32×2             0         4                 47"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("sort<…>"), std::string::npos) << text;
    EXPECT_NE(text.find("step by step again 4"), std::string::npos) << "most work: " << text;
    EXPECT_TRUE(run.fine());
    LaunchProblem problem;
    problem.kind = "race";
    problem.message = "two threads write a[0]";
    run.launches[1].problems.push_back(problem);
    EXPECT_FALSE(run.fine());
    EXPECT_EQ(run.first_choice()->number, 1u);
    EXPECT_NE(report_text(run, "again").find("problem      launch 1, add: two threads write a[0]"),
              std::string::npos);
}

TEST(ProgramReport, what_the_host_did_wrong_is_told) {
    ProgramRun run = two_kernels();
    run.errors.push_back({"cudaMalloc", "cudaErrorMemoryAllocation", 2, {"a.cu", 7, "main"}, "too much"});
    run.buffers.push_back({0, "d_in", "device", 1ull << 40, 400, {}, true});
    run.lost_output = true;
    run.lost_error = "cudaErrorIllegalAddress";
    const std::string text = report_text(run, "");
    EXPECT_NE(text.find("cudaMalloc returned cudaErrorMemoryAllocation (a.cu:7): too much"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("1 buffer (400 bytes) not freed"), std::string::npos) << text;
    EXPECT_NE(text.find("what they printed is lost"), std::string::npos) << text;
    EXPECT_NE(text.find("no call returned it"), std::string::npos) << text;
    EXPECT_FALSE(run.fine());
    EXPECT_NE(report_json(run, "a.cu").find("\"lost_error\": \"cudaErrorIllegalAddress\""),
              std::string::npos);
}

TEST(ProgramReport, host_events_have_lines_and_both_ends) {
    ProgramRun run = two_kernels();
    HostEvent copy;
    copy.kind = HostEvent::Kind::copy;
    copy.function = "cudaMemcpy";
    copy.place = {"a.cu", 9, "main"};
    copy.stream = 0;
    copy.bytes = 64;
    copy.direction = "host to device";
    copy.to = {3, 16, "d_in"};
    run.host.push_back(copy);
    run.left_out["copy"] = 5;
    const std::string json = report_json(run, "a.cu");
    EXPECT_NE(json.find("\"line\": 9"), std::string::npos) << json;
    EXPECT_NE(json.find("\"offset\": 16"), std::string::npos) << json;
    EXPECT_NE(json.find("\"from\": null"), std::string::npos) << "the host's memory: " << json;
    EXPECT_NE(report_text(run, "").find("5 further events of the kind 'copy'"), std::string::npos);
}

TEST(ProgramCheck, findings_are_told_once_and_leaks_fail_if_wanted) {
    ProgramRun run = two_kernels();
    LaunchProblem problem;
    problem.kind = "out_of_bounds";
    problem.message = "line 3: thread 0 of block 0 reads device 1[0], which was freed";
    problem.file = "a.cu";
    problem.line = 3;
    run.launches[0].problems.push_back(problem);
    run.launches[1].problems.push_back(problem);
    run.buffers.push_back({0, "d_in", "device", 1ull << 40, 400, {"a.cu", 5, "main"}, true});
    run.errors.push_back({"cudaMalloc", "cudaErrorMemoryAllocation", 2, {"a.cu", 7, "main"}, "", false});
    run.errors.push_back({"cudaFree", "cudaErrorInvalidValue", 1, {"a.cu", 8, "main"}, "", true});
    const std::vector<Finding> findings = findings_of(run, false);
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].kind, "use_after_free");
    EXPECT_EQ(findings[0].occurrences, 2u);
    EXPECT_EQ(findings[1].kind, "unchecked_error");
    EXPECT_TRUE(findings[2].note);
    EXPECT_FALSE(findings_of(run, true)[2].note);
    EXPECT_NE(text_of(findings).find("2 problems"), std::string::npos) << text_of(findings);
    EXPECT_EQ(diagnostics_of(findings)[0].line, 3);
    EXPECT_EQ(diagnostics_of(findings)[1].line, 7);
}

TEST(ProgramCheck, a_racy_line_is_one_finding) {
    ProgramRun run = two_kernels();
    run.launches[1].kernel = run.launches[0].kernel;
    run.launches[1].place = run.launches[0].place;
    LaunchProblem race;
    race.kind = "race";
    race.message = "line 3: thread 1 writes d[4]";
    race.variable = "d";
    race.file = "a.cu";
    race.line = race.second_line = 3;
    race.why = "neither thread has synchronised since the kernel began";
    run.launches[0].problems = {race};
    race.message = "line 3: thread 1 writes d[5]";
    run.launches[1].problems = {race};
    ASSERT_EQ(findings_of(run, false).size(), 1u);
    EXPECT_EQ(findings_of(run, false)[0].occurrences, 2u);
    EXPECT_NE(text_of(findings_of(run, false)).find(race.why), std::string::npos);
    EXPECT_EQ(report_text(run, "", true).find("problem "), std::string::npos) << report_text(run, "", true);
    race.variable = "e";
    run.launches[1].problems = {race};
    EXPECT_EQ(findings_of(run, false).size(), 2u);
    race.variable = "d";
    race.second_line = 4;
    race.schedule = "seed:3";
    run.launches[1].problems = {race};
    const std::vector<Finding> lines = findings_of(run, false);
    EXPECT_EQ(lines.size(), 2u);
    EXPECT_NE(text_of(lines).find("found with --schedule seed:3"), std::string::npos) << text_of(lines);
}

TEST(ProgramCheck, an_error_that_the_program_saw_is_a_note) {
    ProgramRun run = two_kernels();
    for (ProgramLaunch& each : run.launches)
        each.problems.clear();
    run.schedules = {"rr", "warp"};
    run.errors.push_back({"cudaMemcpy", "cudaErrorInvalidValue", 1, {"a.cu", 8, "main"}, "", true});
    run.errors.push_back({"cudaStreamQuery", "cudaErrorNotReady", 600, {"a.cu", 9, "main"}, "", true});
    const std::vector<Finding> findings = findings_of(run, false);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, "failed_call");
    EXPECT_TRUE(findings[0].note);
    EXPECT_NE(text_of(findings).find("0 problems, 1 note"), std::string::npos) << text_of(findings);
    EXPECT_NE(report_text(run, "", true).find("2 schedules: rr, warp"), std::string::npos);
}

TEST(ProgramReport, a_program_without_the_shared_runtime_is_told_how_to_be_built) {
    ProgramRun run;
    EXPECT_NE(report_text(run, "").find("lanescope build"), std::string::npos);
}

}  // namespace program_test
}  // namespace lanescope::program
