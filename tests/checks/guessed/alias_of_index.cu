__global__ void k(float* a) {
    __shared__ float s[32];
    const unsigned lane = threadIdx.x;
    s[lane] = a[lane];
    __syncthreads();
    a[lane] = s[lane ^ 1];
}
