// Finds: race (a)
__global__ void prefix(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i];
    __syncthreads();
    if (i > 0) out[i] += out[i - 1];  // (a)
}
