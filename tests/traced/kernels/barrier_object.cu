/*--- lanescope
title = "An mbarrier object: states of its phases"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "64", init = "iota(1, 1)" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "phases"
grid   = ["2"]
block  = ["32"]
args   = ["in", "out"]
---*/
__device__ unsigned shared_place(const void* of) { return (unsigned)__cvta_generic_to_shared(of); }
__device__ unsigned long long arrive(unsigned long long* object, unsigned count) {
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(shared_place(object)), "r"(count) : "memory");
    return state;
}
__device__ bool complete(unsigned long long* object, unsigned long long state) {
    unsigned done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done) : "r"(shared_place(object)), "l"(state) : "memory");
    return done != 0;
}
__global__ void phases(const int* in, int* out) {
    __shared__ int values[32];
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_place(&full)), "r"(33) : "memory");
        arrive(&full, 1);
    }
    __syncthreads();
    values[t] = in[i] * 2;
    unsigned long long first = arrive(&full, 1);
    __syncwarp();
    bool done = complete(&full, first);
    out[i] = done ? values[31 - t] : -1;
    __syncthreads();
    if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_place(&full)) : "memory");
}
