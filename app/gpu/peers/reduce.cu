// cub::DeviceReduce::Sum.
#include <cub/device/device_reduce.cuh>

#include "peer.cuh"

namespace lanescope::peers {
namespace {

template <class T>
class Reduce : public LanescopePeer {
  public:
    explicit Reduce(const LanescopePeerRequest& request)
        : n_(static_cast<int>(request.n)), data_(request, sizeof(T), sizeof(T)) {
        library = cub_version();
        check_cuda(run(nullptr, 0), "cub::DeviceReduce::Sum");
        scratch_ = std::make_unique<DeviceMemory>(scratch_bytes_);
    }

    void launch(std::uint64_t copy) override {
        check_cuda(run(scratch_->as<void>(), copy), "cub::DeviceReduce::Sum");
    }

    void check() override {
        launch(0);
        const T* in = data_.expected_from<T>();
        decltype(wide(T())) sum = 0;
        double terms = 0;
        for (int i = 0; i < n_; ++i)
            sum += in[i], terms += std::abs(double(in[i]));
        const T got = data_.download<T>()[0];
        if (!close_enough(wide(got), sum, terms)) wrong_result(0, double(got), double(sum));
    }

    std::uint64_t compulsory_bytes() const override { return (std::uint64_t(n_) + 1) * sizeof(T); }

  private:
    // Without scratch memory it only says how much of it is needed.
    cudaError_t run(void* scratch, std::uint64_t copy) {
        return cub::DeviceReduce::Sum(scratch, scratch_bytes_, data_.inputs[copy]->as<const T>(),
                                      data_.outputs[copy]->as<T>(), n_, data_.stream);
    }

    int n_;
    Data data_;
    std::size_t scratch_bytes_ = 0;
    std::unique_ptr<DeviceMemory> scratch_;
};

std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    return (request.n + 1) * element_bytes(request, {"int", "float"});
}

PeerPointer open(const LanescopePeerRequest& request) {
    if (is_element(request, "int")) return std::make_unique<Reduce<int>>(request);
    return std::make_unique<Reduce<float>>(request);
}

}  // namespace

const Entry reduce_entry{"cub_reduce", bytes_per_copy, open};

}  // namespace lanescope::peers
