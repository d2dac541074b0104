/*--- lanescope
title = "Atomics in global memory: from one address for all lanes to one each"

[buffers]
c = { type = "ulong", count = "1024", init = "zero" }
out = { type = "int", count = "32", init = "zero" }

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "add"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "add_spread"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "add_wide"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "add_float"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "largest"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "2", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "8", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "32"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "1", "5"]

[[launch]]
kernel = "swap"
grid   = ["1"]
block  = ["32"]
args   = ["c", "32", "11"]

[[launch]]
kernel = "returned"
grid   = ["1"]
block  = ["32"]
args   = ["c", "out", "1"]

[[launch]]
kernel = "returned"
grid   = ["1"]
block  = ["32"]
args   = ["c", "out", "8"]

[[launch]]
kernel = "returned"
grid   = ["1"]
block  = ["32"]
args   = ["c", "out", "32"]
---*/
// `addresses` neighbouring cells are shared by the lanes below `lanes`.
__global__ void add(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicAdd((int*)c + t % addresses, 1);
}

__global__ void add_spread(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicAdd((int*)c + t % addresses * 16, 1);
}

__global__ void add_wide(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicAdd(c + t % addresses, 1ull);
}

__global__ void add_float(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicAdd((float*)c + t % addresses, 1.0f);
}

__global__ void largest(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicMax((int*)c + t % addresses, t);
}

__global__ void swap(unsigned long long* c, int addresses, int lanes) {
    int t = threadIdx.x;
    if (t < lanes) atomicCAS((int*)c + t % addresses, 0, t);
}

__global__ void returned(unsigned long long* c, int* out, int addresses) {
    int t = threadIdx.x;
    out[t] = atomicAdd((int*)c + t % addresses, 1);
}
