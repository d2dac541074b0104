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
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif

__global__ void hello() {
    printf("Hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}
