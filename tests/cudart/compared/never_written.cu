// A sum begins with what the memory happens to hold.
#include <cstdio>

__global__ void add(const int* in, int n, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);  // (bug)
}

int main() {
    const int n = 512;
    int ones[n], result = 0, *in, *out;
    for (int& each : ones)
        each = 1;
    cudaMalloc(&in, sizeof ones);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice);
    add<<<2, 256>>>(in, n, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result > 0);
    cudaFree(in);
    cudaFree(out);
}
