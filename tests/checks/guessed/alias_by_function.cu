__device__ int me() {
    return threadIdx.x;
}
__global__ void rot(int* a) {
    __shared__ int s[128];
    int t = me();
    s[t] = a[t];
    __syncthreads();
    a[t] = s[(t + 1) % 128];
}
