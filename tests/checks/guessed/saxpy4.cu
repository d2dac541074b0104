__global__ void saxpy4(int n, float a, const float4* __restrict__ x, float4* __restrict__ y) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n / 4) {
        float4 v = x[idx], w = y[idx];
        w.x += a * v.x;
        w.y += a * v.y;
        w.z += a * v.z;
        w.w += a * v.w;
        y[idx] = w;
    }
}
