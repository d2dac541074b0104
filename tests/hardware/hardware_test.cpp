// Lanescope's counts equal those of the hardware profiler for each launch, except for the
// entries of `differences`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "differences.h"
#include "execution/run/run.h"
#include "work.h"

namespace lanescope::parity {
namespace hardware_test {

namespace fs = std::filesystem;
using analysis::Metrics;
using nlohmann::json;

const fs::path root = LANESCOPE_SOURCE_DIR;

const json& recorded() {
    static const json document = [] {
        auto text = read_file((root / "tests/hardware/h200.json").string());
        return text.ok() ? json::parse(*text) : json();
    }();
    return document;
}

// Names of the course's kernels include the topic: "reduction/modulo.cu".
fs::path path_of(const std::string& name) {
    for (const char* folder : {"tests/hardware/kernels", "tests/corpus", "kernels"})
        if (fs::exists(root / folder / name)) return root / folder / name;
    return {};
}

std::string test_name(std::string file) {
    std::replace(file.begin(), file.end(), '/', '_');
    return file.substr(0, file.find('.'));
}

// The profiler's counters of one launch.
class Counters {
  public:
    explicit Counters(const json& launch) : launch_(launch) {}
    std::string kernel() const { return launch_[0]; }
    // Returns the sum of these counters; none if one of them was not recorded.
    std::optional<std::uint64_t> operator()(std::initializer_list<const char*> names) const {
        std::uint64_t sum = 0;
        for (const char* name : names) {
            const json& all = recorded()["counters"];
            const auto found = std::find(all.begin(), all.end(), name);
            if (found == all.end()) return {};
            const json& value = launch_[static_cast<std::size_t>(found - all.begin()) + 1];
            if (value.is_null()) return {};
            sum += value.get<std::uint64_t>();
        }
        return sum;
    }

  private:
    const json& launch_;
};

struct Comparison {
    const char* name;
    std::initializer_list<const char*> counters;
    std::uint64_t (*ours)(const Metrics&);
    bool (*applies)(const Metrics&) = nullptr;
};

// Debug code reads constant memory through generic addresses, which the hardware counts as global loads. The
// hardware counts reductions (atomics without a result) separately.
const std::initializer_list<Comparison> comparisons = {
    {"global_load_requests",
     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld"},
     [](const Metrics& m) { return m.global_load_requests + m.constant_generic_requests; }},
    {"global_load_sectors",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld"},
     [](const Metrics& m) { return m.global_load_sectors + m.constant_generic_sectors; }},
    {"global_store_requests",
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st"},
     [](const Metrics& m) { return m.global_store_requests; }},
    {"global_store_sectors",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st"},
     [](const Metrics& m) { return m.global_store_sectors; }},
    {"global_atomic_requests",
     {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", "l1tex__t_requests_pipe_lsu_mem_global_op_red"},
     [](const Metrics& m) { return m.global_atomic_requests; }},
    {"global_atomic_sectors",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", "l1tex__t_sectors_pipe_lsu_mem_global_op_red"},
     [](const Metrics& m) { return m.global_atomic_sectors; }},
    {"shared_load_wavefronts",
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"},
     [](const Metrics& m) { return m.shared_load_wavefronts; }},
    {"shared_store_wavefronts",
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"},
     [](const Metrics& m) { return m.shared_store_wavefronts; }},
    {"shared_load_requests",
     {"smsp__sass_inst_executed_op_shared_ld"},
     [](const Metrics& m) { return m.shared_load_requests; }},
    {"shared_store_requests",
     {"smsp__sass_inst_executed_op_shared_st"},
     [](const Metrics& m) { return m.shared_store_requests; }},
    {"divergent_branches",
     {"smsp__sass_branch_targets_threads_divergent"},
     [](const Metrics& m) { return m.divergent_branches; }},
    {"float_add",
     {"smsp__sass_thread_inst_executed_op_fadd_pred_on", "smsp__sass_thread_inst_executed_op_dadd_pred_on"},
     [](const Metrics& m) { return m.operations[analysis::Operation::float_add]; }},
    {"float_multiply",
     {"smsp__sass_thread_inst_executed_op_fmul_pred_on", "smsp__sass_thread_inst_executed_op_dmul_pred_on"},
     [](const Metrics& m) { return m.operations[analysis::Operation::float_multiply]; }},
    {"float_multiply_add",
     {"smsp__sass_thread_inst_executed_op_ffma_pred_on", "smsp__sass_thread_inst_executed_op_dfma_pred_on"},
     [](const Metrics& m) { return m.operations[analysis::Operation::float_multiply_add]; }},
    // The counter includes global atomics. Each counts once; atomics with two operands
    // or eight bytes count twice.
    {"shared_atomic_wavefronts",
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"},
     [](const Metrics& m) { return m.shared_atomic_wavefronts + m.global_atomic_requests; },
     [](const Metrics& m) { return m.shared_atomic_requests > 0; }},
};

bool near(std::uint64_t ours, std::uint64_t theirs, const std::string& name) {
    if (!name.starts_with("shared_") || !name.ends_with("wavefronts")) return ours == theirs;
    return 50 * (ours > theirs ? ours - theirs : theirs - ours) <= theirs;  // 2 %
}

bool is_different(const std::string& file, std::size_t launch, const std::string& name) {
    const auto found = differences.find(file + " " + std::to_string(launch));
    return found != differences.end() && found->second.names.contains(name);
}

// Hardware instructions differ from PTX instructions, and so do their shares of active lanes. But either both
// have an instruction with inactive lanes, or neither has one.
void check_lanes(const Counters& counters, const Metrics& metrics, const std::string& file, std::size_t i) {
    const auto warps = counters({"smsp__inst_executed"}), lanes = counters({"smsp__thread_inst_executed"});
    ASSERT_TRUE(warps && lanes);
    if (is_different(file, i, "global_atomic_requests")) return;  // the driver's code is counted, too
    EXPECT_EQ(metrics.thread_instructions == 32 * metrics.warp_instructions, *lanes == 32 * *warps)
        << file << " " << i;
}

class Hardware : public testing::TestWithParam<std::string> {};

TEST_P(Hardware, counts_what_the_profiler_counts) {
    const std::string& file = GetParam();
    const json& record = recorded()["files"][file];
    execution::RunRequest request;
    request.file = path_of(file).string();
    auto source = read_file(request.file);
    ASSERT_TRUE(source.ok());
    request.source = *source;
    // This file was recorded as code for the oldest target, in which headers emulate its copies and barriers.
    if (file == "k24_async.cu") request.flags.arch = "compute_75";
    const auto result = execution::execute(request);
    ASSERT_TRUE(result.ok()) << to_text(result.diagnostics());
    char work[32];
    std::snprintf(work, sizeof work, "%016llx",
                  static_cast<unsigned long long>(work_hash(*source, result->instance)));
    ASSERT_EQ(record["work"].get<std::string>(), std::string(work))
        << file << ": the recording belongs to other code, launches or inputs; record it again";
    ASSERT_EQ(record["launches"].size(), result->report.launches.size());
    for (std::size_t i = 0; i < record["launches"].size(); ++i) {
        const Counters counters(record["launches"][i]);
        const Metrics& metrics = result->report.launches[i];
        check_lanes(counters, metrics, file, i);
        for (const Comparison& each : comparisons) {
            const auto theirs = counters(each.counters);
            if (!theirs || (each.applies != nullptr && !each.applies(metrics))) continue;
            const std::uint64_t ours = each.ours(metrics);
            EXPECT_NE(near(ours, *theirs, each.name), is_different(file, i, each.name))
                << file << " " << i << " " << counters.kernel() << " " << each.name << ": " << ours
                << " here, " << *theirs << " there";
        }
    }
}

std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& [name, record] : recorded()["files"].items())
        names.push_back(name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Hardware, testing::ValuesIn(files()),
                         [](const auto& tested) { return test_name(tested.param); });

TEST(HardwareRecording, holds_enough) {
    EXPECT_GE(files().size(), 40u);
    for (const auto& [launch, difference] : differences)
        EXPECT_TRUE(recorded()["files"].contains(launch.substr(0, launch.find(' ')))) << launch;
}

}  // namespace hardware_test
}  // namespace lanescope::parity
