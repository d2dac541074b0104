// Notes: out_of_bounds (a)
__global__ void add(int n, float* x, float* y) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = index; i <= n; i += stride)
        y[i] = x[i] + y[i];  // (a)
}
