// Notes: race (a)
__global__ void count(const int* a, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    if (i < n && a[i] > 3) atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) *total += s;  // (a)
}
