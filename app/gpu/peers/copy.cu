// Copies on the device, by the driver and by a plain kernel: the ceiling for whatever reads and writes each
// byte once.
#include "peer.cuh"

namespace lanescope::peers {
namespace {

// One element a thread: no loop limits how many loads are under way.
__global__ void copy_vectors(const uint4* in, uint4* out, std::uint64_t vectors) {
    const std::uint64_t i = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < vectors) out[i] = in[i];
}

__global__ void copy_bytes(const char* in, char* out, std::uint64_t first, std::uint64_t end) {
    const std::uint64_t i = first + threadIdx.x;
    if (i < end) out[i] = in[i];
}

template <bool by_kernel>
class Copy : public LanescopePeer {
  public:
    explicit Copy(const LanescopePeerRequest& request, std::size_t bytes_each)
        : bytes_(request.n * bytes_each), data_(request, bytes_each, bytes_) {
        library = by_kernel ? "copy kernel" : "cudaMemcpyAsync";
    }

    void launch(std::uint64_t copy) override {
        const void* in = data_.inputs[copy]->as<const void>();
        void* out = data_.outputs[copy]->as<void>();
        if constexpr (by_kernel) {
            constexpr unsigned block = 256;
            const std::uint64_t vectors = bytes_ / 16;
            if (vectors > 0)
                copy_vectors<<<unsigned((vectors + block - 1) / block), block, 0, data_.stream>>>(
                    static_cast<const uint4*>(in), static_cast<uint4*>(out), vectors);
            if (bytes_ % 16 > 0)
                copy_bytes<<<1, 16, 0, data_.stream>>>(static_cast<const char*>(in), static_cast<char*>(out),
                                                       16 * vectors, bytes_);
            check_cuda(cudaGetLastError(), "launching the copy kernel");
        } else {
            check_cuda(cudaMemcpyAsync(out, in, bytes_, cudaMemcpyDeviceToDevice, data_.stream),
                       "cudaMemcpyAsync");
        }
    }

    void check() override {
        launch(0);
        const std::vector<char> got = data_.download<char>();
        for (std::size_t i = 0; i < got.size(); ++i)
            if (got[i] != data_.host[i]) wrong_result(i, got[i], data_.host[i]);
    }

    std::uint64_t compulsory_bytes() const override { return 2 * bytes_; }

  private:
    std::uint64_t bytes_;
    Data data_;
};

std::size_t size_of(const LanescopePeerRequest& request) {
    return element_bytes(request, {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half",
                                   "float", "double", "int2", "uint2", "float2", "int4", "uint4", "float4"});
}

std::uint64_t bytes_per_copy(const LanescopePeerRequest& request) {
    return 2 * request.n * size_of(request);
}

template <bool by_kernel>
PeerPointer open(const LanescopePeerRequest& request) {
    return std::make_unique<Copy<by_kernel>>(request, size_of(request));
}

}  // namespace

const Entry memcpy_entry{"copy_memcpy", bytes_per_copy, open<false>};
const Entry copy_kernel_entry{"copy_kernel", bytes_per_copy, open<true>};

}  // namespace lanescope::peers
