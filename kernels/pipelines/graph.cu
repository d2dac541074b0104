/*--- lanescope
title = "A graph of launches"

[params]
n = { default = 16, min = 0, max = 4096, label = "elements n" }

[buffers]
a = { type = "int", count = "n", init = "random(0, 99)" }

[[launch]]
kernel = "exchange"
repeat = ["round = 0; round < ceil_div(n, 2); round + 1", "parity = 0; parity < 2; parity + 1"]
grid   = ["max(1, ceil_div(n, 512))"]
block  = ["256"]
args   = ["a", "n", "parity"]

[[expect]]
buffer = "a"
equals = "sort(a)"
---*/
#include <cstdio>

// Each thread puts two neighbours in order: 0 and 1, 2 and 3, … or, with parity 1, 1 and 2, 3 and 4, …
__global__ void exchange(int* a, unsigned n, unsigned parity) {
    unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + parity;
    if (i + 1 < n && a[i] > a[i + 1]) {
        int x = a[i];
        a[i] = a[i + 1];
        a[i + 1] = x;
    }
}

// The host's part: two launches are recorded as a graph, and the graph is launched n / 2 times.
int main() {
    const unsigned n = 16;
    int host[n], *a;
    for (unsigned i = 0; i < n; ++i)
        host[i] = 7 * i % n;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t round;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    exchange<<<1, 256, 0, stream>>>(a, n, 0);  // nothing runs yet
    exchange<<<1, 256, 0, stream>>>(a, n, 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&round, graph, 0);
    for (unsigned k = 0; k < n / 2; ++k)
        cudaGraphLaunch(round, stream);
    cudaStreamSynchronize(stream);

    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host)
        printf("%d ", x);
    printf("\n");
    cudaGraphExecDestroy(round), cudaGraphDestroy(graph);
    cudaStreamDestroy(stream), cudaFree(a);
}
