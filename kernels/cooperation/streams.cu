/*--- lanescope
title = "One launch for each part"

[params]
n     = { default = 100, min = 0, max = 16777216, label = "elements n" }
parts = { default = 4, min = 1, max = 64, label = "parts" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
repeat = "p = 0; p < parts; p + 1"
grid   = ["max(1, ceil_div(ceil_div(n, parts), block))"]
block  = ["block"]
args   = ["in", "out", "min(n, p * ceil_div(n, parts))", "min(n, (p + 1) * ceil_div(n, parts))"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
#include <cstdio>

// Works on the elements of one part: those from `first` up to the element before `end`.
__global__ void square(const int* in, int* out, unsigned first, unsigned end) {
    unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        out[i] = in[i] * in[i];
}

// The host's part: each part is copied in, squared and copied out in a stream of its own.
int main() {
    const unsigned n = 100, parts = 4, size = (n + parts - 1) / parts, bytes = n * sizeof(int);
    int *in, *out, *device_in, *device_out;
    cudaMallocHost(&in, bytes);  // pinned memory, which the GPU copies by itself
    cudaMallocHost(&out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (unsigned i = 0; i < n; ++i)
        in[i] = i % 10;

    cudaStream_t stream[parts];
    for (unsigned p = 0; p < parts; ++p) {
        unsigned first = p * size, end = min(n, first + size), part = (end - first) * sizeof(int);
        cudaStreamCreate(&stream[p]);
        cudaMemcpyAsync(device_in + first, in + first, part, cudaMemcpyHostToDevice, stream[p]);
        square<<<1, 32, 0, stream[p]>>>(device_in, device_out, first, end);
        cudaMemcpyAsync(out + first, device_out + first, part, cudaMemcpyDeviceToHost, stream[p]);
    }
    for (unsigned p = 0; p < parts; ++p) {
        cudaStreamSynchronize(stream[p]);
        cudaStreamDestroy(stream[p]);
    }
    printf("%d %d\n", out[1], out[n - 1]);
    cudaFree(device_in), cudaFree(device_out);
    cudaFreeHost(in), cudaFreeHost(out);
}
