// The libraries that lessons are compared with: refused requests and, on a GPU, correct results.
#include "gpu/peers/peer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fixture.h"

namespace lanescope::gpu {
namespace peer_test {

const std::vector<std::string> all_peers = {
    "copy",       "cub_exclusive_scan", "cub_histogram", "cub_inclusive_scan",
    "cub_reduce", "cublas_geam",        "cublas_hgemm",  "cublas_sgemm"};

template <class T>
PeerRequest request_of(const std::string& name, const std::string& element, const std::vector<T>& input) {
    PeerRequest request;
    request.name = name;
    request.element = element;
    request.n = input.size();
    request.input = std::as_bytes(std::span(input));
    request.input_bytes = request.input.size();
    request.results = 1;
    return request;
}

TEST(Peers, are_all_there_or_none) {
    const std::vector<std::string> names = built_peers();
    if (names.empty()) GTEST_SKIP() << "this build has no library peers";
    EXPECT_EQ(names, all_peers);
}

class PeersOnGpu : public RealGpu {
  protected:
    void SetUp() override {
        if (built_peers().empty()) GTEST_SKIP() << "this build has no library peers";
        RealGpu::SetUp();
    }
    std::string message_of(const PeerRequest& request) {
        const auto timed = time_peer(*context_, request);
        return timed ? "" : to_text(timed.diagnostics());
    }
    PeerTiming timed(const PeerRequest& request) {
        auto result = time_peer(*context_, request);
        EXPECT_TRUE(result) << request.name << ": " << to_text(result.diagnostics());
        return result ? *result : PeerTiming();
    }
    std::vector<int> integers_ = std::vector<int>(100'003, 7);
    std::vector<float> reals_ = std::vector<float>(100'003, 0.5f);
};

TEST_F(PeersOnGpu, compute_what_the_host_computes) {
    for (const char* name : {"cub_reduce", "cub_inclusive_scan", "cub_exclusive_scan", "copy"}) {
        const PeerTiming integers = timed(request_of(name, "int", integers_));
        EXPECT_GE(integers.timing.runs, min_runs);
        EXPECT_GT(integers.timing.median_ms, 0);
        EXPECT_GE(integers.bytes, 400'012u);
        EXPECT_FALSE(integers.library.empty());
        timed(request_of(name, "float", reals_));
    }
}

TEST_F(PeersOnGpu, histogram_counts_bytes_letters_and_whole_numbers) {
    std::vector<unsigned char> bytes(100'003);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(i * i);
    for (const bool constant : {false, true}) {
        if (constant) std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(3));
        PeerRequest request = request_of("cub_histogram", "uchar", bytes);
        request.results = 256;
        EXPECT_EQ(timed(request).bytes, 100'003u + 4 * 256);
    }
    const std::string text = "programming massively parallel processors";
    const std::vector<char> characters(text.begin(), text.end());
    PeerRequest letters = request_of("cub_histogram", "char", characters);
    letters.results = 7;
    timed(letters);
    PeerRequest whole = request_of("cub_histogram", "int", integers_);
    whole.results = 48;
    timed(whole);
}

TEST_F(PeersOnGpu, geam_transposes) {
    std::vector<float> matrix(37 * 129);
    for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = static_cast<float>(i);
    PeerRequest request = request_of("cublas_geam", "float", matrix);
    request.rows = 37, request.columns = 129;
    EXPECT_EQ(timed(request).bytes, 2 * matrix.size() * sizeof(float));
}

TEST_F(PeersOnGpu, products_of_floats_and_halves) {
    constexpr std::size_t n = 96;
    std::vector<float> floats(n * n);
    std::vector<std::uint16_t> halves(n * n);  // 0, 1 and 2
    for (std::size_t i = 0; i < n * n; ++i) {
        floats[i] = static_cast<float>(i % 7);
        halves[i] = std::array<std::uint16_t, 3>{0, 0x3c00, 0x4000}[i % 3];
    }
    PeerRequest request = request_of("cublas_sgemm", "float", floats);
    request.rows = request.columns = n;
    EXPECT_EQ(timed(request).bytes, 3 * n * n * sizeof(float));
    request = request_of("cublas_hgemm", "half", halves);
    request.rows = request.columns = n;
    EXPECT_EQ(timed(request).bytes, n * n * (2 * sizeof(std::uint16_t) + sizeof(float)));
    request.columns = 48;
    EXPECT_NE(message_of(request).find("needs a square matrix"), std::string::npos);
}

TEST_F(PeersOnGpu, bad_requests_are_refused) {
    const std::vector<double> reals(8);
    const std::vector<int> nothing;
    EXPECT_NE(message_of(request_of("cub_sort", "int", integers_)).find("no library peer 'cub_sort'"),
              std::string::npos);
    EXPECT_NE(message_of(request_of("cub_reduce", "double", reals)).find("(only int, float)"),
              std::string::npos);
    EXPECT_NE(message_of(request_of("cub_reduce", "int", nothing)).find("takes 1 to 2147483647 elements"),
              std::string::npos);
    EXPECT_NE(message_of(request_of("cublas_geam", "int", integers_)).find("needs a matrix"),
              std::string::npos);
    PeerRequest histogram = request_of("cub_histogram", "int", integers_);
    histogram.results = 0;
    EXPECT_NE(message_of(histogram).find("1 to 1048576 bins"), std::string::npos);
    PeerRequest shortened = request_of("cub_reduce", "int", integers_);
    shortened.input_bytes = 8;
    EXPECT_NE(message_of(shortened).find("instead of 8"), std::string::npos);
}

}  // namespace peer_test
}  // namespace lanescope::gpu
