/*--- lanescope
title = "An mbarrier object: one warp waits for two others"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "64", init = "iota(1, 1)" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "bring"
grid   = ["1"]
block  = ["96"]
args   = ["in", "out"]
---*/
__device__ unsigned shared_place(const void* of) { return (unsigned)__cvta_generic_to_shared(of); }
__device__ void arrive(unsigned long long* object) {
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared::cta.b64 state, [%0];\n\t}" ::"r"(shared_place(object)) : "memory");
}
__device__ bool complete(unsigned long long* object, unsigned parity) {
    unsigned done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done) : "r"(shared_place(object)), "r"(parity) : "memory");
    return done != 0;
}
__global__ void bring(const int* in, int* out) {
    __shared__ int values[64];
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_place(&full)), "r"(64) : "memory");
    __syncthreads();
    if (t < 64) {
        values[t] = in[t] * 2;
        arrive(&full);
    } else {
        while (!complete(&full, 0)) {}
        out[t - 64] = values[t - 64] + values[t - 32];
    }
    __syncthreads();
    if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_place(&full)) : "memory");
}
