// Lessons that ship compiled: found for exactly their text and options, and for nothing else.
#include "compile/compiled_course.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/folders.h"
#include "compile/compiler.h"
#include "fixture.h"

namespace lanescope::compile {
namespace compiled_course_test {

namespace fs = std::filesystem;

class Course : public testing::Test {
  protected:
    Course() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        request_.options = {"--gpu-architecture=compute_75", "--device-debug", "-I/some/toolkit"};
        request_.source = {"twice.cu", "__global__ void twice(int* a) {}", "/build/machine/twice.cu"};
        answer_.library_loaded = answer_.compiled = true;
        answer_.ptx = std::string(100'000, 'x');
        Diagnostic warning = error_at("/build/machine/twice.cu", 3, 4, "unused");
        warning.severity = Severity::warning;
        answer_.diagnostics = {warning};
    }
    ~Course() override { fs::remove_all(folder_); }

    const fs::path folder_ = fs::temp_directory_path() / ("lanescope-course-" + std::to_string(getpid()));
    const CompiledCourse course_{folder_};
    Request request_;
    Answer answer_;
};

TEST_F(Course, what_was_put_is_found_on_another_machine) {
    ASSERT_TRUE(course_.put(request_, answer_));
    Request elsewhere = request_;
    elsewhere.options.back() = "-I/another/toolkit";
    elsewhere.library = "/another/libnvrtc.so";
    elsewhere.source.shown = "/home/me/twice.cu";
    const std::optional<Answer> found = course_.find(elsewhere);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ptx, answer_.ptx);
    EXPECT_EQ(found->diagnostics.at(0).file, "/home/me/twice.cu");
    EXPECT_LT(fs::file_size(course_.path_of(request_)), 2000u) << "it is compressed";
    EXPECT_TRUE(course_.path_of(request_).filename().string().starts_with("twice.debug."));
}

TEST_F(Course, bad_a_changed_text_is_not_found) {
    ASSERT_TRUE(course_.put(request_, answer_));
    const auto differs = [&](auto change) {
        Request other = request_;
        change(other);
        return !course_.find(other);
    };
    EXPECT_TRUE(differs([](Request& r) { r.source.text += " "; }));
    EXPECT_TRUE(differs([](Request& r) { r.source.name = "other.cu"; }));
    EXPECT_TRUE(differs([](Request& r) { r.options[1] = "--generate-line-info"; }));
    EXPECT_TRUE(differs([](Request& r) { r.options[0] = "--gpu-architecture=compute_90"; }));
    EXPECT_TRUE(differs([](Request& r) { r.instantiations = {"twice<int>"}; }));
    EXPECT_TRUE(differs([](Request& r) { r.alias = true; }));
    EXPECT_TRUE(differs([](Request& r) { r.target = "sm_90"; }));
    EXPECT_TRUE(differs([](Request& r) { r.headers = {{"own.h", "int own;", "/x/own.h"}}; }));
}

TEST_F(Course, bad_a_damaged_file_is_not_found) {
    ASSERT_TRUE(course_.put(request_, answer_));
    const fs::path path = course_.path_of(request_);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(path)) - 3);
    file.put('?');
    file.close();
    EXPECT_FALSE(course_.find(request_));
    fs::resize_file(path, 10);
    EXPECT_FALSE(course_.find(request_));
}

TEST_F(Course, bad_an_answer_without_code_is_not_found) {
    answer_.compiled = false;
    ASSERT_TRUE(course_.put(request_, answer_));
    EXPECT_FALSE(course_.find(request_));
}

// compile_ahead() fills what compile() asks first: then no compiler is needed, and a changed text needs one
// again.
class Ahead : public CompileTest {
  protected:
    void SetUp() override {
        CompileTest::SetUp();
        for (const char* part : {"home/kernels", "home/assets", "home/compiled"})
            fs::create_directories(folder / part);
    }
    void TearDown() override {
        for (const char* name : {"LANESCOPE_HOME", "LANESCOPE_NO_SYSTEM_CUDA", "LANESCOPE_DATA"})
            unsetenv(name);
        CompileTest::TearDown();
    }
};

TEST_F(Ahead, a_shipped_lesson_compiles_without_a_compiler) {
    const std::string source = "__global__ void twice(int* a) { a[threadIdx.x] *= 2; }\n";
    Options options;
    const Result<fs::path> made =
        compile_ahead(source, "/lessons/twice.cu", options, folder / "home/compiled");
    ASSERT_TRUE(made) << to_text(made.diagnostics());
    const auto written = fs::last_write_time(*made);
    ASSERT_TRUE(compile_ahead(source, "/lessons/twice.cu", options, folder / "home/compiled"));
    EXPECT_EQ(fs::last_write_time(*made), written) << "what is there is not made again";

    setenv("LANESCOPE_HOME", (folder / "home").c_str(), 1);
    setenv("LANESCOPE_NO_SYSTEM_CUDA", "1", 1);
    setenv("LANESCOPE_CACHE", (folder / "empty cache").c_str(), 1);
    setenv("LANESCOPE_DATA", (folder / "empty data").c_str(), 1);
    const Result<Output> output = compile(source, "/elsewhere/twice.cu", options);
    ASSERT_TRUE(output) << to_text(output.diagnostics());
    EXPECT_TRUE(output->from_cache);
    EXPECT_NE(output->ptx.find("twice"), std::string::npos);

    const Result<Output> changed = compile(source + "// changed\n", "/elsewhere/twice.cu", options);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.diagnostics()[0].file, "/elsewhere/twice.cu");
    EXPECT_NE(changed.diagnostics()[0].hint.find(get_compiler_command), std::string::npos);
    EXPECT_FALSE(toolkit_is_installed());
}

}  // namespace compiled_course_test
}  // namespace lanescope::compile
