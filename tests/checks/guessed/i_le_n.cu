// Notes: out_of_bounds (a)
__global__ void scale(float* a, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) a[i] *= k;  // (a)
}
