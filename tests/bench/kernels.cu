// The kernels that bench_simt and peers.py run; kernels.cl holds the same algorithms in OpenCL C.

// 5x5 convolution; outside of the image the nearest border pixel is used.
__global__ void convolve(const float* in, const float* mask, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            int column = min(max(x + dx, 0), width - 1);
            int row = min(max(y + dy, 0), height - 1);
            sum += mask[(dy + 2) * 5 + dx + 2] * in[row * width + column];
        }
    out[y * width + x] = sum;
}

// Tree reduction with the modulo test, the most divergent variant, in blocks of 256 threads.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void count_values(const int* in, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[in[i] * 29 % 256], 1);
}
