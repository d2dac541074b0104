// PTX that Numba and Triton wrote (tests/corpus/languages) runs with proposed launches, and computes what its
// Python says.
#include <cmath>
#include <numeric>

#include "session/report/report.h"
#include "support.h"

namespace lanescope::session {
namespace languages_test {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(LANESCOPE_SOURCE_DIR) / "tests/corpus/languages";

execution::RunResult proposed(const std::string& file, const lesson::ParameterValues& parameters = {}) {
    const auto run = execution::run_file(corpus / file, parameters);
    EXPECT_TRUE(run) << execution::problems_of(run);
    if (!run) return {};
    EXPECT_TRUE(run->fine()) << file << ": " << report_text(*run);
    EXPECT_EQ(fs::path(run->lines_file).extension(), ".py") << file;
    return *run;
}

std::vector<double> softmax(const std::vector<float>& values, std::size_t columns) {
    std::vector<double> made;
    for (std::size_t row = 0; row + columns <= values.size(); row += columns) {
        const float largest = *std::max_element(&values[row], &values[row] + columns);
        double total = 0;
        for (std::size_t j = 0; j < columns; ++j)
            total += std::exp(double(values[row + j]) - largest);
        for (std::size_t j = 0; j < columns; ++j)
            made.push_back(std::exp(double(values[row + j]) - largest) / total);
    }
    return made;
}

template <class T>
void expect_near(const std::vector<T>& results, const std::vector<double>& wanted) {
    ASSERT_EQ(results.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_NEAR(results[i], wanted[i], 1e-5 * std::max(1.0, std::abs(wanted[i]))) << i;
}

void expect_sum(const execution::RunResult& run, const std::string& a, const std::string& b,
                const std::string& out) {
    const auto left = before<float>(run, a), right = before<float>(run, b), sum = after<float>(run, out);
    ASSERT_FALSE(sum.empty());
    ASSERT_EQ(left.size(), sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i)
        ASSERT_EQ(sum[i], left[i] + right[i]) << i;
}

void expect_total(const execution::RunResult& run) {
    const auto values = before<float>(run, "values"), total = after<float>(run, "total");
    ASSERT_EQ(total.size(), 1u);
    EXPECT_EQ(total[0], std::accumulate(values.begin(), values.end(), 0.0f));
}

void expect_histogram(const execution::RunResult& run) {
    const auto values = before<int>(run, "values"), counts = after<int>(run, "counts");
    ASSERT_GE(counts.size(), 10u);
    for (int digit = 0; digit < 10; ++digit)
        EXPECT_EQ(counts[std::size_t(digit)], std::count(values.begin(), values.end(), digit));
}

TEST(Numba, vector_add) {
    for (const char* file : {"numba/vector_add.ptx", "numba/vector_add_debug.ptx"})
        expect_sum(proposed(file, {{"n", 77}}), "a", "b", "c");
}

TEST(Numba, block_sum) {
    for (const char* file : {"numba/block_sum.ptx", "numba/block_sum_debug.ptx"})
        expect_total(proposed(file));
}

TEST(Numba, matmul) {
    const execution::RunResult run = proposed("numba/matmul_tile.ptx", {{"n", 13}});
    EXPECT_EQ(run.instance.launches.at(0).block[1], 8u);
    const auto a = before<float>(run, "a"), b = before<float>(run, "b");
    ASSERT_EQ(a.size(), 169u);
    std::vector<double> wanted;
    for (std::size_t i = 0; i < 13; ++i)
        for (std::size_t j = 0; j < 13; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 13; ++k)
                sum += double(a[i * 13 + k]) * b[k * 13 + j];
            wanted.push_back(sum);
        }
    expect_near(after<float>(run, "c"), wanted);
}

TEST(Numba, softmax) {
    const execution::RunResult run = proposed("numba/softmax_rows.ptx");
    const auto values = before<float>(run, "a");
    const std::size_t columns = run.instance.buffers.at(0).extents.back();
    expect_near(after<float>(run, "out"), softmax(values, columns));
}

TEST(Numba, histogram) {
    expect_histogram(proposed("numba/histogram.ptx"));
}

TEST(Numba, saxpy) {
    const execution::RunResult run = proposed("numba/saxpy.ptx");
    const auto x = before<float>(run, "x"), y = before<float>(run, "y"), made = after<float>(run, "y");
    ASSERT_FALSE(made.empty());
    for (std::size_t i = 0; i < made.size(); ++i)
        ASSERT_EQ(made[i], 2 * x[i] + y[i]);
}

TEST(Triton, vector_add) {
    expect_sum(proposed("triton/vector_add.ptx", {{"n", 700}}), "x", "y", "out");
}

TEST(Triton, block_sum) {
    expect_total(proposed("triton/block_sum.ptx"));
}

TEST(Triton, softmax) {
    const execution::RunResult run = proposed("triton/softmax_rows.ptx");
    const auto values = before<float>(run, "x");
    const auto columns = static_cast<std::size_t>(run.instance.parameters.at("columns"));
    expect_near(after<float>(run, "out"), softmax(values, columns));
}

TEST(Triton, histogram) {
    expect_histogram(proposed("triton/histogram.ptx"));
}

TEST(Triton, prefix_sum) {
    const execution::RunResult run = proposed("triton/prefix_sum.ptx");
    const auto x = before<float>(run, "x");
    std::vector<double> wanted(x.size());
    std::partial_sum(x.begin(), x.end(), wanted.begin());
    expect_near(after<float>(run, "out"), wanted);
}

TEST(Triton, matmul_on_tensor_cores) {
    const execution::RunResult run = proposed("triton/matmul_tile.ptx");
    EXPECT_GT(run.instance.launches.at(0).shared_bytes, 0u);
    EXPECT_EQ(run.instance.buffers.at(0).type, "half");
    const auto m = std::size_t(run.instance.parameters.at("m")),
               n = std::size_t(run.instance.parameters.at("n"));
    EXPECT_EQ(after<float>(run, "c").size(), m * n);
    const auto c = after<float>(run, "c");
    EXPECT_TRUE(std::any_of(c.begin(), c.end(), [](float value) { return value > 100; }));
}

// As `lanescope.trace` writes it: front matter and arrays beside the PTX, a store behind each assignment.
TEST(Triton, tiles_are_buffers) {
    const execution::RunResult run = proposed("triton/softmax_tiles.ptx");
    const auto x = before<float>(run, "x"), values = after<float>(run, "values"), e = after<float>(run, "e");
    ASSERT_EQ(x.size(), 100u);
    ASSERT_EQ(values.size(), 128u);
    const float largest = *std::max_element(x.begin(), x.end());
    for (std::size_t i = 0; i < 128; ++i) {
        ASSERT_EQ(values[i], i < 100 ? x[i] : -INFINITY) << i;
        ASSERT_NEAR(e[i], i < 100 ? std::exp(x[i] - largest) : 0, 1e-6) << i;
    }
    expect_near(after<float>(run, "out"), softmax(x, 100));
}

// Triton gives "values" four types in turn: an offset, an address, bits and the numbers.
TEST(Triton, a_variable_of_many_types_is_shown_once) {
    const execution::RunResult run = proposed("triton/softmax_tiles.ptx");
    const trace::Program& program = run.trace->program;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    for (const trace::Variable& variable : program.functions.at(0).variables)
        if (variable.name == "values") ranges.emplace_back(variable.scope_begin_pc, variable.scope_end_pc);
    ASSERT_GE(ranges.size(), 3u);
    std::size_t visible = 0;
    for (const auto& [begin, end] : ranges)
        visible += end + 2 > program.functions[0].end_pc;
    EXPECT_EQ(visible, 1u);
}

}  // namespace languages_test
}  // namespace lanescope::session
