/*--- lanescope
title = "Atomics in shared memory: from one address for all lanes to one each"

[buffers]
out = { type = "int", count = "32", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "5"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "11"]

[[launch]]
kernel = "add_column"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "32"]

[[launch]]
kernel = "add_column"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "32"]

[[launch]]
kernel = "add_column"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "32"]

[[launch]]
kernel = "add_column"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "5"]

[[launch]]
kernel = "add_column"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "11"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["out", "2", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["out", "1", "5"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["out", "32", "11"]
---*/
__global__ void add(int* out, int addresses, int lanes) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (t < lanes) atomicAdd(&s[t % addresses], 1);
    __syncthreads();
    out[t] = s[t];
}

// All in bank 0.
__global__ void add_column(int* out, int addresses, int lanes) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t * 32] = 0;
    __syncthreads();
    if (t < lanes) atomicAdd(&s[t % addresses * 32], 1);
    __syncthreads();
    out[t] = s[t * 32];
}

__global__ void swap(int* out, int addresses, int lanes) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (t < lanes) atomicCAS(&s[t % addresses], 0, t);
    __syncthreads();
    out[t] = s[t];
}
