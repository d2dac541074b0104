// Calls of CUB and of a barrier of libcu++; the second reduction uses the memory of the first without a barrier.
#include <cub/block/block_reduce.cuh>
#include <cuda/barrier>

__global__ void sums(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ int s[64];
    const int sum = Reduce(storage).Sum(in[threadIdx.x]);
    const int twice = Reduce(storage).Sum(2 * in[threadIdx.x]);
    if (threadIdx.x == 0) {
        init(&all, 64);
    }
    __syncthreads();
    s[threadIdx.x] = sum + twice;
    all.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 1, 256);
    sums<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
