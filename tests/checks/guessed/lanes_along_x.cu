__global__ void sums(const float* in, float* out) {
    extern __shared__ float parts[];
    int warp = threadIdx.z * blockDim.y + threadIdx.y;
    float value = in[(blockIdx.x * blockDim.y * blockDim.z + warp) * 32 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffff, value, d);
    if (threadIdx.x == 0) parts[warp] = value;
    __syncthreads();
    if (warp == 0 && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < blockDim.y * blockDim.z; ++i)
            sum += parts[i];
        out[blockIdx.x] = sum;
    }
}
