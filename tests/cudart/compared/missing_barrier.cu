// A tree in shared memory without the barrier between its rounds.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
    __shared__ int part[256];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2)
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  // (bug)
    if (threadIdx.x == 0) *out = part[0];
}

int main() {
    int values[256], result = 0, *in, *out;
    for (int i = 0; i < 256; ++i)
        values[i] = i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
    cudaFree(in);
    cudaFree(out);
}
