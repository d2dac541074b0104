// Finds: unsynced_lanes (a) (c); race (b) (c)
#define TILE 16
__global__ void mm(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0;
    for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
        sa[ty][tx] = row < n && t * TILE + tx < n ? a[row * n + t * TILE + tx] : 0;    // (a)
        sb[ty][tx] = col < n && t * TILE + ty < n ? b[(t * TILE + ty) * n + col] : 0;  // (b)
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += sa[ty][k] * sb[k][tx];  // (c)
    }                                      // missing barrier
    if (row < n && col < n) c[row * n + col] = acc;
}
