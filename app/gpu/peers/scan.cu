// cub::DeviceScan::ExclusiveSum and InclusiveSum.
#include <cub/device/device_scan.cuh>

#include "peer.cuh"

namespace lanescope::peers {
namespace {

template <class T, bool inclusive>
class Scan : public LanescopePeer {
  public:
    explicit Scan(const LanescopePeerRequest& request)
        : n_(static_cast<int>(request.n)), data_(request, sizeof(T), request.n * sizeof(T)) {
        library = cub_version();
        check_cuda(run(nullptr, 0), "cub::DeviceScan");
        scratch_ = std::make_unique<DeviceMemory>(scratch_bytes_);
    }

    void launch(std::uint64_t copy) override {
        check_cuda(run(scratch_->as<void>(), copy), "cub::DeviceScan");
    }

    void check() override {
        launch(0);
        const T* in = data_.expected_from<T>();
        const std::vector<T> got = data_.download<T>();
        decltype(wide(T())) sum = 0;
        double terms = 0;
        for (int i = 0; i < n_; ++i) {
            const auto before = sum;
            sum += in[i], terms += std::abs(double(in[i]));
            const auto wanted = inclusive ? sum : before;
            if (!close_enough(wide(got[i]), wanted, terms)) wrong_result(i, double(got[i]), double(wanted));
        }
    }

    std::uint64_t compulsory_bytes() const override { return 2 * std::uint64_t(n_) * sizeof(T); }

  private:
    // Without scratch memory it only says how much of it is needed.
    cudaError_t run(void* scratch, std::uint64_t copy) {
        const T* in = data_.inputs[copy]->as<const T>();
        T* out = data_.outputs[copy]->as<T>();
        if constexpr (inclusive)
            return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes_, in, out, n_, data_.stream);
        else
            return cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes_, in, out, n_, data_.stream);
    }

    int n_;
    Data data_;
    std::size_t scratch_bytes_ = 0;
    std::unique_ptr<DeviceMemory> scratch_;
};

std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    return 2 * request.n * element_bytes(request, {"int", "float"});
}

template <bool inclusive>
PeerPointer open(const LanescopePeerRequest& request) {
    if (is_element(request, "int")) return std::make_unique<Scan<int, inclusive>>(request);
    return std::make_unique<Scan<float, inclusive>>(request);
}

}  // namespace

const Entry exclusive_scan_entry{"cub_exclusive_scan", bytes_per_copy, open<false>};
const Entry inclusive_scan_entry{"cub_inclusive_scan", bytes_per_copy, open<true>};

}  // namespace lanescope::peers
