// Compares the bytes and operations that lesson.toml states for a lesson with the counts of the CPU machine.
#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "execution/run/run.h"
#include "lesson/course/registry.h"

namespace lanescope::execution {
namespace cost_test {

using analysis::Metrics;
using analysis::Operation;

const lesson::Registry& course() {
    static const lesson::Registry registry =
        lesson::load_registry(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
    return registry;
}

std::string full_name(const lesson::Topic& topic, const lesson::LessonEntry& entry) {
    return topic.name + "/" + entry.name;
}

std::uint64_t counted_bytes(const Metrics& metrics) {
    return 32 * (metrics.global_load_sectors + metrics.global_store_sectors + metrics.global_atomic_sectors);
}

// Returns the additions and multiplications on data; a multiply-add counts twice.
std::uint64_t counted_arithmetic(const Metrics& metrics) {
    std::uint64_t sum = 0;
    for (const Operation operation :
         {Operation::int_add, Operation::int_multiply, Operation::float_add, Operation::float_multiply})
        sum += metrics.data_operations[operation];
    for (const Operation operation : {Operation::int_multiply_add, Operation::float_multiply_add})
        sum += 2 * metrics.data_operations[operation];
    return sum;
}

// The work of these lessons depends on the data (counted letters, failed attempts, costs of items) or on the
// schedule (looking back), or the machine also counts arithmetic that is not part of the algorithm, or tensor
// cores do it.
const std::set<std::string> not_exact = {"reduction/tree_relaunch",  // counts its wasted work
                                         "reduction/tree_grid_sync",
                                         "cooperation/grid_sync",  // the barrier of cooperative groups
                                         "scan/fastest",
                                         "histogram/sections",
                                         "histogram/interleaved",
                                         "histogram/racy",
                                         "histogram/privatised",
                                         "histogram/privatised_unguarded",
                                         "atomics/cas_loop",
                                         "atomics/contention",
                                         "atomics/in_shared",  // adds each sum twice
                                         "cooperation/work_queue",
                                         "cooperation/work_queue_no_barrier",
                                         "cooperation/dynamic_parallelism",
                                         "matmul/wmma",
                                         "matmul/tensor_cores",
                                         "attention/softmax",  // expf itself multiplies and adds
                                         "attention/softmax_online",
                                         "attention/layer_norm",
                                         "attention/attention",
                                         "attention/attention_tiled",
                                         "attention/convolution_as_matmul",  // multiplies zeros
                                         "stencil/heat_2d_blocked",  // repeats work where tiles overlap
                                         "sparse/csr_vector",        // adds zeros of lanes without an entry
                                         "sparse/csr_by_length",
                                         "sparse/bfs",           // computes the level for each edge
                                         "pipelines/bulk_copy",  // the barrier's wait counts
                                         "pipelines/cluster"};
// Lessons whose atomic operations belong to the algorithm, not to the bookkeeping of its blocks.
const std::set<std::string> with_atomics = {
    "reduction/grid_atomic", "reduction/fastest",   "histogram/global_atomics", "histogram/partly_privatised",
    "histogram/fastest",     "atomics/lost_update", "atomics/atomic_add",       "atomics/zoo",
    "atomics/in_global",     "atomics/scopes",      "cooperation/last_block"};

TEST(Cost, agrees_with_what_the_machine_counts) {
    std::size_t compared = 0;
    for (const lesson::Topic& topic : course().topics)
        for (const lesson::LessonEntry& entry : topic.lessons) {
            const std::string name = full_name(topic, entry);
            SCOPED_TRACE(name);
            RunRequest request;
            request.file = entry.path.string();
            const auto source = read_text_file(entry.path);
            ASSERT_TRUE(source);
            request.source = *source;
            const auto run = execute(request);
            ASSERT_TRUE(run) << to_text(run.diagnostics());
            const std::string toml = (entry.path.parent_path() / "lesson.toml").string();
            const auto cost = lesson::cost_of(entry.cost, run->instance, toml);
            ASSERT_TRUE(cost) << to_text(cost.diagnostics());
            // Reads through textures are neither counted nor timed.
            const bool stated = !run->instance.buffers.empty() && run->instance.front.textures.empty();
            EXPECT_EQ(cost->bytes != 0, stated);
            EXPECT_LE(std::uint64_t(cost->bytes), counted_bytes(run->report.total));
            if (not_exact.count(name) || entry.cost.operations.text.empty()) continue;
            const std::uint64_t atomics = with_atomics.count(name) ? run->report.total.atomics : 0;
            EXPECT_EQ(std::uint64_t(cost->operations), counted_arithmetic(run->report.total) + atomics);
            ++compared;
        }
    EXPECT_GE(compared, 45u);
}

TEST(Cost, bytes_are_exact_where_every_sector_is_used_once) {
    for (const char* name : {"transpose/fastest.cu", "scan/hillis_steele.cu", "first_steps/set_zero.cu"}) {
        RunRequest request;
        request.file = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + name;
        const auto source = read_text_file(request.file);
        ASSERT_TRUE(source);
        request.source = *source;
        const auto run = execute(request);
        ASSERT_TRUE(run) << to_text(run.diagnostics());
        const lesson::LessonEntry* entry = course().find(request.file);
        ASSERT_TRUE(entry);
        const auto cost = lesson::cost_of(entry->cost, run->instance, "lesson.toml");
        ASSERT_TRUE(cost);
        EXPECT_EQ(std::uint64_t(cost->bytes), counted_bytes(run->report.total)) << name;
    }
}

TEST(Cost, holds_at_the_limits_of_the_parameters) {
    for (const lesson::Topic& topic : course().topics)
        for (const lesson::LessonEntry& entry : topic.lessons) {
            const auto source = read_text_file(entry.path);
            ASSERT_TRUE(source);
            const auto front = lesson::parse_front_matter(*source, entry.path.string());
            ASSERT_TRUE(front);
            lesson::ParameterValues smallest;
            for (const lesson::Parameter& parameter : front->parameters)
                smallest[parameter.name] = parameter.choices.empty()
                                               ? parameter.min.value_or(parameter.default_value)
                                               : parameter.choices.front();
            const auto instance = lesson::instantiate(*front, smallest, entry.path.string());
            ASSERT_TRUE(instance) << to_text(instance.diagnostics());
            const auto cost = lesson::cost_of(entry.cost, *instance, entry.path.string());
            EXPECT_TRUE(cost) << to_text(cost.diagnostics());
        }
}

// A lesson names only library implementations that exist.
TEST(Cost, names_the_peers_that_there_are) {
    const std::set<std::string> known = {"",
                                         "copy",
                                         "cub_exclusive_scan",
                                         "cub_histogram",
                                         "cub_inclusive_scan",
                                         "cub_reduce",
                                         "cublas_geam",
                                         "cublas_hgemm",
                                         "cublas_sgemm",
                                         "pytorch_attention",
                                         "pytorch_conv2d",
                                         "pytorch_layer_norm",
                                         "pytorch_softmax",
                                         "pytorch_spmv"};
    for (const lesson::Topic& topic : course().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            EXPECT_TRUE(known.count(entry.cost.peer)) << full_name(topic, entry) << ": " << entry.cost.peer;
}

}  // namespace cost_test
}  // namespace lanescope::execution
