// A histogram in two streams: the second one waits for the first one's event before it adds to the same counts.
#include <cstdio>
#include <vector>

constexpr int n = 1 << 18, bins = 64;

__global__ void count(const unsigned char* in, int size, unsigned* out) {
    __shared__ unsigned own[bins];
    if (threadIdx.x < bins) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i] % bins], 1u);
    __syncthreads();
    if (threadIdx.x < bins) atomicAdd(&out[threadIdx.x], own[threadIdx.x]);
}

int main() {
    std::vector<unsigned char> values(n);
    for (int i = 0; i < n; ++i)
        values[i] = static_cast<unsigned char>(i * 31 + i / 7);
    std::vector<unsigned> wanted(bins), got(bins);
    for (unsigned char each : values)
        ++wanted[each % bins];
    unsigned char* memory;
    unsigned* counts;
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMalloc(&memory, n);
    cudaMalloc(&counts, bins * sizeof(unsigned));
    cudaMemsetAsync(counts, 0, bins * sizeof(unsigned), first);
    cudaMemcpyAsync(memory, values.data(), n, cudaMemcpyHostToDevice, first);
    count<<<32, 128, 0, first>>>(memory, n / 2, counts);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    count<<<32, 128, 0, second>>>(memory + n / 2, n - n / 2, counts);
    cudaMemcpyAsync(got.data(), counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    std::printf("%s\n", got == wanted ? "right" : "wrong");
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(memory);
    cudaFree(counts);
    return got != wanted;
}
