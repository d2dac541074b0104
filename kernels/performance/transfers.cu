/*--- lanescope
title = "Transfers: pageable, pinned, in chunks"

[params]
n     = { default = 64, min = 0, max = 16777216, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
#include <cstdio>
#include <cstdlib>

__global__ void square(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i];
        out[i] = x * x;
    }
}

int *device_in, *device_out;
cudaStream_t stream[2];

// Copies `n` elements of host memory to the device, squares them and copies them back, in chunks.
void run(const char* name, const int* in, int* out, unsigned n, unsigned chunks) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (unsigned c = 0; c < chunks; ++c) {
        cudaStream_t s = stream[c % 2];
        unsigned first = n / chunks * c, size = c + 1 < chunks ? n / chunks : n - first;
        cudaMemcpyAsync(device_in + first, in + first, size * sizeof(int), cudaMemcpyHostToDevice, s);
        square<<<(size + 255) / 256, 256, 0, s>>>(device_in + first, device_out + first, size);
        cudaMemcpyAsync(out + first, device_out + first, size * sizeof(int), cudaMemcpyDeviceToHost, s);
    }
    cudaEventRecord(end);  // in the default stream, which waits for both
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    printf("%s: %g ms, %d\n", name, ms, out[n - 1]);
    cudaEventDestroy(begin), cudaEventDestroy(end);
}

int main(int argc, char** argv) {
    unsigned n = argc > 1 ? atoi(argv[1]) : 4096;
    size_t bytes = n * sizeof(int);
    int *pinned_in, *pinned_out, *in = (int*)malloc(bytes), *out = (int*)malloc(bytes);
    cudaMallocHost(&pinned_in, bytes), cudaMallocHost(&pinned_out, bytes);
    cudaMalloc(&device_in, bytes), cudaMalloc(&device_out, bytes);
    cudaStreamCreate(&stream[0]), cudaStreamCreate(&stream[1]);
    for (unsigned i = 0; i < n; ++i)
        in[i] = pinned_in[i] = i % 10;
    run("pageable", in, out, n, 1);
    run("pinned", pinned_in, pinned_out, n, 1);
    run("pinned, 8 chunks", pinned_in, pinned_out, n, 8);
    cudaStreamDestroy(stream[0]), cudaStreamDestroy(stream[1]);
    cudaFree(device_in), cudaFree(device_out);
    cudaFreeHost(pinned_in), cudaFreeHost(pinned_out), free(in), free(out);
}
