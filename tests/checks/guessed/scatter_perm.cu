// Notes: race (a)
__global__ void permute(const int* src, const int* perm, int* dst, int n) {
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid >= n) return;
    dst[perm[tid]] = src[tid];  // (a)
}
