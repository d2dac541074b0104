/*--- lanescope
title = "Global accesses of 1, 2, 8 and 16 bytes"

[buffers]
a = { type = "float4", count = "256", init = "iota" }
b = { type = "float4", count = "256", init = "zero" }

[[launch]]
kernel = "bytes"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "32"]

[[launch]]
kernel = "bytes"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "2", "32"]

[[launch]]
kernel = "bytes"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "0", "32"]

[[launch]]
kernel = "bytes"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "3", "11"]

[[launch]]
kernel = "halves"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "32"]

[[launch]]
kernel = "halves"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "2", "32"]

[[launch]]
kernel = "halves"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "0", "32"]

[[launch]]
kernel = "halves"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "3", "11"]

[[launch]]
kernel = "eight"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "32"]

[[launch]]
kernel = "eight"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "2", "32"]

[[launch]]
kernel = "eight"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "0", "32"]

[[launch]]
kernel = "eight"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "3", "11"]

[[launch]]
kernel = "sixteen"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "32"]

[[launch]]
kernel = "sixteen"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "2", "32"]

[[launch]]
kernel = "sixteen"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "0", "32"]

[[launch]]
kernel = "sixteen"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "3", "11"]
---*/
// Lanes below `lanes` alone: requests with a part of the warp.
template <class T>
__device__ void move(const float4* a, float4* b, int stride, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) ((T*)b)[t * stride] = ((const T*)a)[t * stride];
}

__global__ void bytes(const float4* a, float4* b, int stride, int lanes) { move<char>(a, b, stride, lanes); }
__global__ void halves(const float4* a, float4* b, int stride, int lanes) { move<short>(a, b, stride, lanes); }
__global__ void eight(const float4* a, float4* b, int stride, int lanes) { move<float2>(a, b, stride, lanes); }
__global__ void sixteen(const float4* a, float4* b, int stride, int lanes) { move<float4>(a, b, stride, lanes); }
