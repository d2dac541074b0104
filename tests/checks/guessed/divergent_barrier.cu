// Finds: barrier_divergence (a) (b)
__global__ void reduce(const int* in, int* out, int n) {
    extern __shared__ int sdata[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            __syncthreads();  // (a)
            sdata[tid] += sdata[tid + s];
        }
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}  // (b)
