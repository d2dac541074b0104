struct __align__(64) Pair {
    unsigned tid, bid;
};
__global__ void fill(Pair* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i].tid = threadIdx.x;
    a[i].bid = blockIdx.x;
}
