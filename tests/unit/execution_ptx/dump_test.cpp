// Whole buffers as files.
#include "session/report/dump.h"

#include "base/npy.h"
#include "simt/memory/memory.h"
#include "support.h"

namespace lanescope::session {
namespace dump_test {

namespace fs = std::filesystem;

// Writes thread t's number into cell t of `out`, which has more cells than threads.
const std::string numbers =
    "/*--- lanescope\n[buffers]\nout = { type = 'int', shape = [2, 4] }\nin = { type = 'float2', count = 2, "
    "init = "
    "'iota' }\n[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 6\nargs = ['out']\n---*/\n" +
    execution::kernel_text(".param .u64 out",
                           "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                           "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\n");

class Dump : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("dump_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
        auto run = execution::run_text(numbers);
        ASSERT_TRUE(run) << execution::problems_of(run);
        run_ = std::move(*run);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string written(const std::string& buffer, const std::string& name) {
        const auto request = parse_dump(buffer + "=" + (folder_ / name).string());
        if (!request) return execution::problems_of(request);
        const auto note = write_dump(run_, *request);
        if (!note) return execution::problems_of(note);
        note_ = *note;
        return *read_file(folder_ / name);
    }

    fs::path folder_;
    execution::RunResult run_;
    std::string note_;
};

TEST_F(Dump, csv_has_a_line_for_each_row) {
    EXPECT_EQ(written("out", "out.csv"), "0,1,2,3\n4,5,,\n");
    EXPECT_EQ(note_, "8 of 32 bytes of 'out' were never written: they are empty in " +
                         (folder_ / "out.csv").string());
    EXPECT_EQ(written("in", "in.csv"), "0,1\n2,3\n");
    EXPECT_EQ(note_, "");
}

TEST_F(Dump, npy_keeps_type_and_shape) {
    const std::string bytes = written("out", "out.npy");
    const auto header = read_npy(bytes);
    ASSERT_TRUE(header) << execution::problems_of(header);
    EXPECT_EQ(header->type(), "<i4");
    EXPECT_EQ(header->shape, (std::vector<std::uint64_t>{2, 4}));
    EXPECT_EQ(bytes.substr(header->data_offset + 20, 4), std::string("\5\0\0\0", 4));
    EXPECT_EQ(bytes.substr(header->data_offset + 24), std::string(8, '\0'));
    const auto vectors = read_npy(written("in", "in.npy"));
    ASSERT_TRUE(vectors);
    EXPECT_EQ(vectors->type(), "<f4");
    EXPECT_EQ(vectors->shape, (std::vector<std::uint64_t>{2, 2}));
}

TEST_F(Dump, bin_is_the_bytes) {
    EXPECT_EQ(written("out", "out.bin").size(), 32u);
    EXPECT_EQ(written("out", "OUT.BIN").substr(4, 4), std::string("\1\0\0\0", 4));
}

TEST_F(Dump, traces_are_read_at_their_end) {
    run_.buffers.clear();  // as in a saved trace
    EXPECT_EQ(written("out", "out.csv"), "0,1,2,3\n4,5,,\n");
    for (const trace::Symbol& symbol : run_.trace->symbols) {
        if (symbol.name != "out") continue;
        char address[32];
        std::snprintf(
            address, sizeof address, "0x%llx",
            static_cast<unsigned long long>(simt::window_start(simt::Window::global) + symbol.offset + 9));
        EXPECT_EQ(written(address, "out.csv"), "0,1,2,3\n4,5,,\n");
    }
    EXPECT_NE(written("0x10", "out.csv").find("no buffer is named '0x10'"), std::string::npos);
}

TEST_F(Dump, a_step_gives_the_contents_after_it) {
    EXPECT_EQ(written("out@0", "out.csv"), ",,,\n,,,\n");
    EXPECT_EQ(note_.substr(0, note_.find(':')), "32 of 32 bytes of 'out' are not written yet");
    std::size_t step = 1;
    while (written("out@" + std::to_string(step), "out.csv") == ",,,\n,,,\n" && step < 20)
        ++step;
    EXPECT_EQ(written("out@" + std::to_string(step), "out.csv"), "0,1,2,3\n4,5,,\n");
    EXPECT_GT(step, 1u);
}

TEST_F(Dump, bad_steps) {
    EXPECT_NE(written("out@99", "x.npy").find("but not a step 99"), std::string::npos);
    EXPECT_NE(execution::problems_of(parse_dump("out@-1=x.npy")).find("'-1' is not a step"),
              std::string::npos);
    EXPECT_EQ(written("oops@1", "x.npy"), "error: --dump: no buffer is named 'oops' (there are: out, in)\n");
}

TEST_F(Dump, mistakes_say_what_is_known) {
    EXPECT_EQ(written("oops", "x.npy"), "error: --dump: no buffer is named 'oops' (there are: out, in)\n");
    EXPECT_NE(execution::problems_of(parse_dump("out")).find("expected NAME=FILE"), std::string::npos);
    EXPECT_NE(execution::problems_of(parse_dump("out=")).find("expected NAME=FILE"), std::string::npos);
    EXPECT_NE(written("out", "no/such/folder/x.npy").find("error:"), std::string::npos);
}

}  // namespace dump_test
}  // namespace lanescope::session
