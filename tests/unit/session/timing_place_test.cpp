// Times of a GPU at another place: what goes there, and what comes back. The place is a function here.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "session/timing/time_files.h"
#include "session/timing/time_parcel.h"

namespace lanescope::session {
namespace timing_place_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* source = R"(/*--- lanescope
[params]
n = { default = 4, min = 1, max = 64 }
[buffers]
a = { type = "int", file = "data/a.npy" }
b = { type = "int", count = "n" }
[[launch]]
kernel = "copy"
grid = ["1"]
block = ["n"]
args = ["a", "b"]
[cost]
bytes = "8 * n"
---*/
__global__ void copy(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }
)";

std::string four_numbers() {
    const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }";
    std::string bytes = "\x93NUMPY\1";
    bytes += '\0';
    constexpr std::size_t header_bytes = 118;
    bytes += static_cast<char>(header_bytes);
    bytes += '\0';
    bytes += header + std::string(header_bytes - 1 - header.size(), ' ') + '\n';
    for (const int each : {7, 8, 9, 10})
        bytes += std::string{static_cast<char>(each), 0, 0, 0};
    return bytes;
}

const std::string sampled =
    R"({"lines": {"samples": 10, "dropped": 0, "period_cycles": 64, "kernels": {"copy": 1.0}, )"
    R"("lines": [{"line": 15, "share": 1.0, "stalls": {"issues": 1.0}}]}})";

class TimingPlaceTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::make_unique<TemporaryFolder>(*TemporaryFolder::create());
        fs::create_directories(folder_->path() / "data");
        ASSERT_TRUE(write_file(folder_->path() / "copy.cu", source));
        ASSERT_TRUE(write_file(folder_->path() / "data/a.npy", four_numbers()));
    }
    std::string file() const { return (folder_->path() / "copy.cu").string(); }
    TimeRequest request() const {
        TimeRequest made;
        made.files = {file()};
        return made;
    }

    std::unique_ptr<TemporaryFolder> folder_;
};

Json answer_of(const std::string& input) {
    return Json::from_msgpack(input);
}

ProcessOutcome printed(const std::string& text) {
    ProcessOutcome outcome;
    outcome.out = text;
    return outcome;
}

std::string timing_line(const Json& request) {
    Json timing{{"file", request["shown"]},
                {"parameters", request["points"][0]},
                {"launches", 1},
                {"median_ms", 0.5},
                {"minimum_ms", 0.5},
                {"lower_quartile_ms", 0.5},
                {"upper_quartile_ms", 0.5},
                {"maximum_ms", 0.5},
                {"runs", 21},
                {"batch", 1},
                {"copies", 2},
                {"restored", false},
                {"copy_gb_per_s", 4000.0},
                {"checked", "none"}};
    return Json{{"timing", timing}}.dump() + "\n";
}

TEST_F(TimingPlaceTest, it_gets_code_and_data_and_its_times_and_samples_come_back) {
    std::vector<Json> asked;
    std::vector<std::string> told;
    TimeRequest wanted = request();
    wanted.lines = true;
    wanted.tell = [&](const std::string& words) { told.push_back(words); };
    const auto run = [&](const std::string& input, int limit_ms,
                         const std::atomic<bool>*) -> Result<ProcessOutcome> {
        EXPECT_GT(limit_ms, 0);
        const Json& request = asked.emplace_back(answer_of(input));
        if (request.contains("ask")) return printed(R"({"compute_capability": 90})");
        if (request.contains("sample_ms")) return printed(sampled);
        return printed(timing_line(request));
    };
    Result<TimingPlace> place = timing_place(run, 3);
    ASSERT_TRUE(place) << to_text(place.diagnostics());
    EXPECT_EQ(asked.front()["device"], 3);
    EXPECT_EQ(place->compute_capability, 90);
    wanted.place = *place;
    const Result<TimingReport> report = time_files(wanted);
    ASSERT_TRUE(report) << to_text(report.diagnostics());
    ASSERT_EQ(report->timings.size(), 1u);
    const TimingRecord& record = report->timings.front();
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.timing.median_ms, 0.5);
    ASSERT_TRUE(record.lines) << record.lines_error;
    EXPECT_EQ(record.lines->lines.front().line, 15);
    EXPECT_EQ(told.size(), 3u) << "compiling, timing, sampling";

    // The place has neither the file nor a compiler.
    fs::remove_all(folder_->path() / "data");
    fs::remove(file());
    const Result<TimeParcel> parcel = time_parcel_of(asked.back().at("parcel"), file());
    ASSERT_TRUE(parcel) << to_text(parcel.diagnostics());
    EXPECT_EQ(parcel->source, source);
    EXPECT_TRUE(
        parcel->code.compiled.cubin.starts_with("\x7f"
                                                "ELF"));
    ASSERT_EQ(parcel->code.kernels.size(), 1u);
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(parcel->source, file());
    ASSERT_TRUE(front);
    const Result<lesson::Instance> instance = instantiate(*parcel, *front, {}, file(), 1 << 20);
    ASSERT_TRUE(instance) << to_text(instance.diagnostics());
    EXPECT_EQ(instance->buffers.front().contents.at(4), std::byte{8});
}

TEST_F(TimingPlaceTest, a_process_that_dies_there_is_an_error_of_its_size) {
    TimeRequest wanted = request();
    wanted.place = TimingPlace{[](const std::string&, int, const std::atomic<bool>*) {
                                   ProcessOutcome outcome;
                                   outcome.signal = 9;
                                   return Result<ProcessOutcome>(outcome);
                               },
                               90};
    const Result<TimingReport> report = time_files(wanted);
    ASSERT_TRUE(report) << to_text(report.diagnostics());
    EXPECT_EQ(report->timings.front().error, "the process that timed it was ended by signal 9");
}

TEST_F(TimingPlaceTest, bad_lost_connection_ends_the_command) {
    TimeRequest wanted = request();
    wanted.place = TimingPlace{[](const std::string&, int, const std::atomic<bool>*) {
                                   return Result<ProcessOutcome>(error("the connection is lost"));
                               },
                               90};
    const Result<TimingReport> report = time_files(wanted);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.diagnostics().front().message, "the connection is lost");
}

TEST_F(TimingPlaceTest, bad_compiler_errors_are_found_before_anything_goes_there) {
    std::string text = source;
    text.replace(text.rfind("b[threadIdx"), 1, "c");
    ASSERT_TRUE(write_file(file(), text));
    TimeRequest wanted = request();
    wanted.place = TimingPlace{[](const std::string&, int, const std::atomic<bool>*) {
                                   ADD_FAILURE() << "nothing can be timed";
                                   return Result<ProcessOutcome>(error("not reached"));
                               },
                               90};
    const Result<TimingReport> report = time_files(wanted);
    ASSERT_TRUE(report) << to_text(report.diagnostics());
    EXPECT_NE(report->timings.front().error.find("copy.cu:15"), std::string::npos)
        << report->timings.front().error;
}

TEST_F(TimingPlaceTest, bad_data_of_an_absolute_path) {
    std::string text = source;
    text.replace(text.find("data/a.npy"), 4, "/tmp");
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(text, file());
    ASSERT_TRUE(front) << to_text(front.diagnostics());
    const Result<TimeParcel> parcel = make_time_parcel(text, file(), *front, false, "sm_90", {});
    ASSERT_FALSE(parcel);
    EXPECT_NE(to_text(parcel.diagnostics()).find("'/tmp/a.npy' is a path of this machine only"),
              std::string::npos);
}

TEST_F(TimingPlaceTest, bad_data_that_leads_out_of_its_folder) {
    TimeParcel parcel;
    parcel.data.push_back({"a/../../../b", "x"});
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(source, file());
    EXPECT_TRUE(instantiate(parcel, *front, {}, file(), 1 << 20).diagnostics().size() > 0);
    parcel.data = {{"/b", "x"}};
    const Result<lesson::Instance> instance = instantiate(parcel, *front, {}, file(), 1 << 20);
    ASSERT_FALSE(instance);
    EXPECT_NE(to_text(instance.diagnostics()).find("leads out of the folder"), std::string::npos);
}

TEST(TimingPlace, bad_answers) {
    const auto answering = [](const std::string& text) {
        return timing_place(
            [text](const std::string&, int, const std::atomic<bool>*) {
                return Result<ProcessOutcome>(printed(text));
            },
            0);
    };
    EXPECT_EQ(answering(R"({"failed": "error: no GPU there\n"})").diagnostics().front().message,
              "no GPU there");
    for (const char* text : {"", "[]", "{\"compute_capability\": \"90\"}"})
        EXPECT_FALSE(answering(text)) << text;
}

}  // namespace timing_place_test
}  // namespace lanescope::session
