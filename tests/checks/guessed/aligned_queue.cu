struct alignas(128) Q {
    int head;
    alignas(64) int tail;
};
__global__ void k(Q* q) {
    q[threadIdx.x].head = 1;
    q[threadIdx.x].tail = 2;
}
