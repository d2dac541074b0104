/*--- lanescope
title = "ldmatrix and stmatrix"
arch = "sm_90"

[buffers]
in  = { type = "ushort", shape = ["8", "16"], init = "iota(1, 1)" }
out = { type = "ushort", shape = ["8", "16"] }

[[launch]]
kernel = "turn"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
__device__ unsigned shared_place(const void* of) { return (unsigned)__cvta_generic_to_shared(of); }
__global__ void turn(const unsigned short* in, unsigned short* out) {
    __shared__ alignas(16) unsigned short from[128], to[128];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 32)
        from[i] = in[i];
    __syncthreads();
    unsigned a, b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(shared_place(&from[t % 16 * 8])) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(shared_place(&to[t % 16 * 8])), "r"(a), "r"(b) : "memory");
    __syncthreads();
    for (int i = t; i < 128; i += 32)
        out[i] = to[i];
}
