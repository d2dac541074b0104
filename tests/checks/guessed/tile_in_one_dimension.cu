const int B = 16;
__global__ void tile(const float* a, float* c, int n) {
    __shared__ float s[B][B];
    int t = threadIdx.x;
    int r = t / B, q = t % B;
    int row = blockIdx.y * B + r, col = blockIdx.x * B + q;
    s[r][q] = row < n && col < n ? a[row * n + col] : 0.0f;
    __syncthreads();
    if (row < n && col < n) c[row * n + col] = s[q][r];
}
