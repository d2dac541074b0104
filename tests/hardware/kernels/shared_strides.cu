/*--- lanescope
title = "Shared loads and stores of 4 bytes at many strides, and in part of the lanes"

[buffers]
out = { type = "int", count = "32", init = "zero" }

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "4", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "16", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "31", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "33", "0xffffffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0x0000ffff"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0x11111111"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "0x80000001"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x55555555"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "4", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "16", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "31", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "33", "0xffffffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0x0000ffff"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "8", "0x11111111"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "0x80000001"]
---*/
__global__ void load(int* out, int stride, unsigned lanes) {
    __shared__ int s[33 * 32];
    for (int i = threadIdx.x; i < 33 * 32; i += 32) s[i] = i;
    __syncthreads();
    if (lanes >> threadIdx.x & 1) out[threadIdx.x] = s[threadIdx.x * stride];
}

__global__ void store(int* out, int stride, unsigned lanes) {
    __shared__ int s[33 * 32];
    if (lanes >> threadIdx.x & 1) s[threadIdx.x * stride] = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s[0];
}
