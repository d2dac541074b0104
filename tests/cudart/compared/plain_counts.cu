// A histogram in global memory with plain additions.
#include <cstdio>

__global__ void count(int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counts[i % 8] += 1;  // (bug)
}

int main() {
    int counts[8] = {}, *memory;
    cudaMalloc(&memory, sizeof counts);
    cudaMemset(memory, 0, sizeof counts);
    count<<<8, 128>>>(memory, 1024);
    cudaMemcpy(counts, memory, sizeof counts, cudaMemcpyDeviceToHost);
    std::printf("%d\n", counts[0]);
    cudaFree(memory);
}
