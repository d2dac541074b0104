#define W 8
__global__ void tile(const int* a, int* c) {
    __shared__ int s[W][W];
    int t = threadIdx.x, r = t / W, q = t % W;
    s[r][q] = a[t];
    __syncthreads();
    c[t] = s[q][r];
}
