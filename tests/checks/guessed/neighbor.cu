// Notes: out_of_bounds (a)
__global__ void diff(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];  // (a)
}
