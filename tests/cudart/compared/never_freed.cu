// Each round allocates a buffer; the last one is not freed.
#include <cstdio>

__global__ void fill(int* out) {
    out[threadIdx.x] = threadIdx.x;
}

int main() {
    int *kept = nullptr, last = 0;
    for (int i = 0; i < 4; ++i) {
        if (kept != nullptr) cudaFree(kept);
        cudaMalloc(&kept, 64 * sizeof(int));  // (bug)
        fill<<<1, 64>>>(kept);
    }
    cudaMemcpy(&last, kept + 63, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%d\n", last);
    cudaDeviceSynchronize();
}
