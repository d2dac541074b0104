/*--- lanescope
title = "Hello"

[params]
blocks = { default = 2, min = 1, max = 1024, label = "blocks" }
block  = { default = 4, min = 1, max = 1024, label = "block size" }

[[launch]]
kernel = "hello"
grid   = ["1"]
block  = ["1"]

[[launch]]
kernel = "hello"
grid   = ["blocks"]
block  = ["block"]
---*/
#include <cstdio>

__global__ void hello() {
    printf("Hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}

int main() {
    hello<<<1, 1>>>();
    hello<<<2, 4>>>();
    cudaDeviceSynchronize();  // wait for the device
}
