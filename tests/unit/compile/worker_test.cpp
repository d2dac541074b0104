// A compiler process that is missing, hangs, crashes or answers junk.
#include "fixture.h"

namespace lanescope::compile {
namespace worker_test {

namespace fs = std::filesystem;

constexpr const char* plain_kernel = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n";

class Worker : public CompileTest {
  protected:
    // Replaces the worker with a shell script.
    void replace_worker(const std::string& script) {
        write("worker", "#!/bin/sh\n" + script + "\n");
        fs::permissions(folder / "worker", fs::perms::owner_all);
        set_worker(folder / "worker");
    }
    std::string message(int timeout_ms = 20'000) const {
        Options options = uncached();
        options.timeout_ms = timeout_ms;
        const Result<Output> output = compile(plain_kernel, "x.cu", options);
        return output ? "compiled" : to_text(output.diagnostics());
    }
};

TEST_F(Worker, bad_a_hang_ends_at_the_time_limit) {
    replace_worker("exec sleep 60");
    EXPECT_NE(message(200).find("x.cu: error: the compiler did not finish within 200 ms"), std::string::npos)
        << message(200);
}

TEST_F(Worker, bad_a_compilation_that_takes_too_long) {
    Options options = uncached();
    options.timeout_ms = 400;
    const Result<Output> output = compile(
        "template <int D, int I> struct F { static constexpr int v = F<D - 1, 2 * I>::v + F<D - 1, 2 * I + "
        "1>::v; };\n"
        "template <int I> struct F<0, I> { static constexpr int v = 1; };\n"
        "__global__ void k(int* p) { p[0] = F<26, 0>::v; }\n",
        "x.cu", options);
    ASSERT_FALSE(output);
    EXPECT_NE(to_text(output.diagnostics()).find("did not finish within 400 ms"), std::string::npos)
        << to_text(output.diagnostics());
}

TEST_F(Worker, bad_a_crash_is_told) {
    replace_worker("kill -SEGV $$");
    EXPECT_NE(message().find("the compiler process ended by signal 11"), std::string::npos) << message();
}

TEST_F(Worker, bad_a_failure_tells_its_last_words) {
    replace_worker("echo first >&2; echo no licence >&2; exit 3");
    EXPECT_NE(message().find("ended with code 3 (no licence)"), std::string::npos) << message();
}

TEST_F(Worker, bad_junk_is_no_answer) {
    replace_worker("cat; echo junk");
    EXPECT_NE(message().find("sent an invalid answer"), std::string::npos) << message();
}

TEST_F(Worker, bad_a_missing_worker) {
    set_worker(folder / "nothing");
    EXPECT_NE(message(), "compiled");
}

TEST_F(Worker, bad_a_missing_library_says_what_to_install) {
    setenv("LANESCOPE_NVRTC", "/nowhere/libnvrtc.so", 1);
    EXPECT_NE(message().find("/nowhere/libnvrtc.so"), std::string::npos) << message();
    EXPECT_FALSE(find_toolkit());
}

TEST_F(Worker, bad_a_library_that_is_none) {
    write("libnvrtc.so", "not a library");
    setenv("LANESCOPE_NVRTC", path("libnvrtc.so").c_str(), 1);
    EXPECT_NE(message().find("NVRTC cannot be loaded"), std::string::npos) << message();
    EXPECT_NE(message().find("lanescope doctor --get-compiler"), std::string::npos) << message();
}

TEST_F(Worker, the_toolkit_is_found_with_its_headers) {
    const Result<Toolkit> toolkit = find_toolkit();
    ASSERT_TRUE(toolkit) << to_text(toolkit.diagnostics());
    EXPECT_GE(std::stoi(toolkit->version), 12);
    ASSERT_FALSE(toolkit->include_folders.empty());
    EXPECT_TRUE(fs::exists(toolkit->include_folders[0] / "cuda_fp16.h"));
}

}  // namespace worker_test
}  // namespace lanescope::compile
