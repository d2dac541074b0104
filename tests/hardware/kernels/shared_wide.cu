/*--- lanescope
title = "Shared accesses of 1, 2, 8 and 16 bytes, patterns over the warp"

[buffers]
out = { type = "int", count = "512", init = "zero" }

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "4", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "5", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x0000ffff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x00ff00ff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x55555555"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x000000ff"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x11111111"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x80000001"]

[[launch]]
kernel = "load<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0x0f0f0f0f"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "4", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "5", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x0000ffff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x00ff00ff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x55555555"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x000000ff"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x11111111"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x80000001"]

[[launch]]
kernel = "load<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0x0f0f0f0f"]

[[launch]]
kernel = "load<short>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "load<short>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "load<short>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "load<short>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "load<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "0", "0xffffffff"]

[[launch]]
kernel = "load<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "load<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "load<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x0000ffff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x00ff00ff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x55555555"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x000000ff"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x11111111"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x80000001"]

[[launch]]
kernel = "store<float2>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0x0f0f0f0f"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "3", "0xffffffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0xffffffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "7", "0xffffffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x0000ffff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x00ff00ff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x55555555"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x000000ff"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0x11111111"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0x80000001"]

[[launch]]
kernel = "store<float4>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "6", "0x0f0f0f0f"]

[[launch]]
kernel = "store<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "0xffffffff"]

[[launch]]
kernel = "store<char>"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "0xffffffff"]
---*/
// Which element a lane takes: all the same, neighbours, strides, halves or quarters that repeat, pairs, a permutation.
__device__ int element(int t, int pattern) {
    switch (pattern) {
        case 0: return 0;
        case 1: return t;
        case 2: return t * 2;
        case 3: return t * 16;
        case 4: return t % 16;
        case 5: return t % 8;
        case 6: return t / 2;
        default: return t * 13 % 32;
    }
}

template <class T>
__global__ void load(int* out, int pattern, unsigned lanes) {
    __shared__ float4 s[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 32) s[i] = make_float4(i, i, i, i);
    __syncthreads();
    if (lanes >> t & 1) ((T*)out)[t] = ((T*)s)[element(t, pattern)];
}

template <class T>
__global__ void store(int* out, int pattern, unsigned lanes) {
    __shared__ float4 s[512];
    int t = threadIdx.x;
    if (lanes >> t & 1) ((T*)s)[element(t, pattern)] = ((T*)out)[t];
    __syncthreads();
    if (t == 0) out[0] = 1;
}
