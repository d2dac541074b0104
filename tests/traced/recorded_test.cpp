// Replays files that ran on an H200: every thread did the same as on the CPU machine, or
// reasons.txt says why not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/flow/provenance.h"
#include "base/files.h"
#include "compare.h"
#include "execution/run/run.h"
#include "recorded_device.h"

namespace lanescope::traced {
namespace recorded_test {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path here = fs::path(LANESCOPE_SOURCE_DIR) / "tests/traced";

json recorded_files() {
    std::ifstream in(here / "parity.json");
    return json::parse(in)["files"];
}

// "scan.blelloch" is kernels/scan/blelloch.cu, "corpus.k01" tests/corpus/k01.cu, "kernels.bulk_copy"
// tests/traced/kernels/bulk_copy.cu.
fs::path file_of(const std::string& name) {
    const std::string folder = name.substr(0, name.find('.')), stem = name.substr(name.find('.') + 1);
    const fs::path root = LANESCOPE_SOURCE_DIR;
    if (folder == "kernels") return here / "kernels" / (stem + ".cu");
    return (folder == "corpus" ? root / "tests/corpus" : root / "kernels" / folder) / (stem + ".cu");
}

fs::path answers_of(const std::string& name) {
    return fs::path(LANESCOPE_TRACED_ANSWERS) / (name + ".log");
}

std::vector<std::string> names_with_answers(bool same) {
    std::vector<std::string> names;
    for (const json& file : recorded_files())
        if ((file["verdict"] == "same") == same && fs::exists(answers_of(file["name"])))
            names.push_back(file["name"]);
    return names;
}

execution::RunRequest request_for(const std::string& name) {
    execution::RunRequest request;
    request.file = file_of(name).string();
    Result<std::string> source = read_text_file(request.file);
    if (source) request.source = *source;
    // As the recordings were made; the kernels of this folder name their own.
    if (!name.starts_with("kernels.")) request.flags.arch = "compute_75";
    return request;
}

class OnH200 : public testing::TestWithParam<std::string> {};

TEST_P(OnH200, every_thread_did_what_the_machine_does) {
    execution::RunRequest request = request_for(GetParam());
    const Result<execution::RunResult> expected = execution::execute(request);
    ASSERT_TRUE(expected) << to_text(expected.diagnostics());
    Result<DeviceLog> log = DeviceLog::open(answers_of(GetParam()));
    ASSERT_TRUE(log) << to_text(log.diagnostics());
    ReplayedDevice device(std::move(*log));
    request.device = &device;
    const Result<execution::RunResult> seen = execution::execute(request);
    ASSERT_TRUE(seen) << to_text(seen.diagnostics());
    EXPECT_EQ(seen->device, "NVIDIA H200");
    const Comparison compared = compare_threads(*expected->trace, *seen->trace);
    EXPECT_EQ(compared.difference, "");
    EXPECT_GT(compared.threads, 0u);
    EXPECT_EQ(expected->expectations.size(), seen->expectations.size());
    EXPECT_TRUE(seen->fine());
}

// The inputs of every element of every buffer, as text.
std::map<std::string, std::vector<std::string>> made_of(const execution::RunResult& run) {
    constexpr std::size_t most_elements = 2048;
    const std::shared_ptr<const analysis::Flow> flow = run.flow->get();
    EXPECT_TRUE(flow->complete) << flow->incomplete;
    analysis::Provenance provenance(*run.trace, *flow);
    std::map<std::string, std::vector<std::string>> found;
    for (std::size_t i = 0; i < flow->at_end.size(); ++i)
        for (std::size_t k = 0; k < std::min(most_elements, flow->at_end[i].size()); ++k) {
            bool cut = false;
            std::string text;
            for (const analysis::ValueId id : provenance.inputs(flow->at_end[i][k], 1 << 16, cut))
                text += provenance.name(id) + " ";
            found[run.trace->symbols[i].name].push_back(text);
        }
    return found;
}

TEST_P(OnH200, every_value_was_made_of_the_same) {
    execution::RunRequest request = request_for(GetParam());
    const Result<execution::RunResult> expected = execution::execute(request);
    Result<DeviceLog> log = DeviceLog::open(answers_of(GetParam()));
    ASSERT_TRUE(log) << to_text(log.diagnostics());
    ReplayedDevice device(std::move(*log));
    request.device = &device;
    const Result<execution::RunResult> seen = execution::execute(request);
    ASSERT_TRUE(expected && seen);
    const auto wanted = made_of(*expected), found = made_of(*seen);
    for (const auto& [name, elements] : wanted) {
        const auto there = found.find(name);
        if (there != found.end()) {
            EXPECT_EQ(elements, there->second) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, OnH200, testing::ValuesIn(names_with_answers(true)), [](const auto& name) {
    std::string text = name.param;
    std::replace(text.begin(), text.end(), '.', '_');
    return text;
});

// Files whose threads ran in another order on the H200 but computed the same results.
class OrderedOnH200 : public testing::TestWithParam<std::string> {};

TEST_P(OrderedOnH200, its_records_fit_the_program_and_its_result_is_right) {
    execution::RunRequest request = request_for(GetParam());
    Result<DeviceLog> log = DeviceLog::open(answers_of(GetParam()));
    ASSERT_TRUE(log) << to_text(log.diagnostics());
    ReplayedDevice device(std::move(*log));
    request.device = &device;
    const Result<execution::RunResult> seen = execution::execute(request);
    ASSERT_TRUE(seen) << to_text(seen.diagnostics());
    for (const lesson::ExpectOutcome& each : seen->expectations)
        EXPECT_TRUE(each.ok) << each.mismatch;
}

INSTANTIATE_TEST_SUITE_P(Files, OrderedOnH200, testing::ValuesIn(names_with_answers(false)),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::replace(text.begin(), text.end(), '.', '_');
                             return text;
                         });

TEST(Recorded, at_least_thirty_files_are_the_same_and_the_others_have_reasons) {
    std::set<std::string> same, other, explained;
    for (const json& file : recorded_files())
        (file["verdict"] == "same" ? same : other).insert(file["name"]);
    EXPECT_GE(same.size(), 30u);
    std::ifstream in(here / "reasons.txt");
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with('#')) explained.insert(line.substr(0, line.find(':')));
    EXPECT_EQ(other, explained);
}

}  // namespace recorded_test
}  // namespace lanescope::traced
