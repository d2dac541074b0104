// What the host does: copies of several kinds, streams, events, and every wait.
#include <cstdio>
#include <cstdlib>

__constant__ int factor;

__global__ void scale(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}

int main(int argc, char** argv) {
    const int n = 64, rounds = argc > 1 ? atoi(argv[1]) : 1;
    int *d_values, *h_values;
    int two = 2;
    cudaMalloc(&d_values, 2 * n * sizeof(int)), cudaMallocHost(&h_values, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        h_values[i] = i;
    cudaMemcpyToSymbol(factor, &two, sizeof two);
    cudaStream_t stream;
    cudaEvent_t done;
    cudaStreamCreate(&stream);
    cudaEventCreate(&done);
    cudaMemset(d_values, 0, 2 * n * sizeof(int));
    for (int round = 0; round < rounds; ++round)
        cudaMemcpyAsync(d_values + n, h_values, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    scale<<<1, n, 0, stream>>>(d_values + n, n);
    cudaEventRecord(done, stream);
    cudaStreamWaitEvent(0, done, 0);
    cudaMemcpy(h_values, d_values + n, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%d\n", h_values[n - 1]);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFreeHost(h_values);
    cudaFree(d_values);
    return 0;
}
