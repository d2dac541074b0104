struct alignas(64) Line {
    int v;
};
__global__ void counters(Line* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i].v = i;
}
