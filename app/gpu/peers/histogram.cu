// cub::DeviceHistogram::HistogramEven: 256 bins of bytes, bins of four letters from 'a' on, or a bin for each
// whole number.
#include <cub/device/device_histogram.cuh>

#include "peer.cuh"

namespace lanescope::peers {
namespace {

// Bin b holds [first + b * width, first + (b + 1) * width).
struct Bins {
    int count, first, width;
};

Bins bins_of(const LanescopePeerRequest& request) {
    if (request.results < 1 || request.results > (1u << 20))
        throw Failure("cub_histogram takes 1 to 1048576 bins");
    const int count = static_cast<int>(request.results);
    if (is_element(request, "char")) return {count, 'a', (26 + count - 1) / count};
    return {count, 0, 1};
}

template <class T>
class Histogram : public LanescopePeer {
  public:
    explicit Histogram(const LanescopePeerRequest& request)
        : n_(static_cast<int>(request.n)),
          bins_(bins_of(request)),
          data_(request, sizeof(T), bins_.count * sizeof(unsigned)) {
        library = cub_version();
        check_cuda(run(nullptr, 0), "cub::DeviceHistogram::HistogramEven");
        scratch_ = std::make_unique<DeviceMemory>(scratch_bytes_);
    }

    void launch(std::uint64_t copy) override {
        check_cuda(run(scratch_->as<void>(), copy), "cub::DeviceHistogram::HistogramEven");
    }

    void check() override {
        launch(0);
        std::vector<unsigned> wanted(bins_.count);
        const T* in = data_.expected_from<T>();
        for (int i = 0; i < n_; ++i) {
            const int from_first = int(in[i]) - bins_.first;
            if (from_first >= 0 && from_first / bins_.width < bins_.count) ++wanted[from_first / bins_.width];
        }
        const std::vector<unsigned> got = data_.download<unsigned>();
        for (int b = 0; b < bins_.count; ++b)
            if (got[b] != wanted[b]) wrong_result(b, got[b], wanted[b]);
    }

    std::uint64_t compulsory_bytes() const override {
        return std::uint64_t(n_) * sizeof(T) + bins_.count * sizeof(unsigned);
    }

  private:
    // Without scratch memory it only says how much of it is needed.
    cudaError_t run(void* scratch, std::uint64_t copy) {
        return cub::DeviceHistogram::HistogramEven(
            scratch, scratch_bytes_, data_.inputs[copy]->as<const T>(), data_.outputs[copy]->as<unsigned>(),
            bins_.count + 1, bins_.first, bins_.first + bins_.count * bins_.width, n_, data_.stream);
    }

    int n_;
    Bins bins_;
    Data data_;
    std::size_t scratch_bytes_ = 0;
    std::unique_ptr<DeviceMemory> scratch_;
};

std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    return request.n * element_bytes(request, {"uchar", "char", "int"}) +
           bins_of(request).count * sizeof(unsigned);
}

PeerPointer open(const LanescopePeerRequest& request) {
    if (is_element(request, "int")) return std::make_unique<Histogram<int>>(request);
    return std::make_unique<Histogram<unsigned char>>(request);  // letters are below 128
}

}  // namespace

const Entry histogram_entry{"cub_histogram", bytes_per_copy, open};

}  // namespace lanescope::peers
