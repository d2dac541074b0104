// Arguments: --no-host-code
__global__ void scale(float* x, int channels, int groups) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x + channels * groups];
    s[threadIdx.x + blockDim.x] = groups;
    __syncthreads();
    x[threadIdx.x] = s[0] * s[blockDim.x];
}

int main() {
    int channels = 16, groups = 2;
    int size = channels / groups;
    int threads = (size < 128) ? size : 128;
    size_t bytes = threads * 2 * sizeof(float);
    float* x;
    cudaMalloc(&x, 1024);
    scale<<<1, threads, bytes>>>(x, channels, groups);
}
