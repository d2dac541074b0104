/*--- lanescope
title = "Bulk copies into and out of shared memory"
arch = "sm_90"

[buffers]
in  = { type = "int", count = "64", init = "iota(1, 1)" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "move"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
__device__ unsigned shared_place(const void* of) { return (unsigned)__cvta_generic_to_shared(of); }
__device__ bool complete(unsigned long long* object, unsigned parity) {
    unsigned done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done) : "r"(shared_place(object)), "r"(parity) : "memory");
    return done != 0;
}
__global__ void move(const int* in, int* out) {
    __shared__ alignas(16) int tile[64];
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_place(&full)), "r"(1) : "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_place(&full)), "r"(256) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_place(tile)),
                     "l"(in), "r"(256), "r"(shared_place(&full)) : "memory");
        while (!complete(&full, 0)) {}
    }
    __syncthreads();
    tile[t] = tile[t] * 3;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_place(tile)), "r"(256) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
