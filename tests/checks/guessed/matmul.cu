template <int BS>
__global__ void matmul(const float* A, const float* B, float* C, int wA, int wB) {
    __shared__ float As[BS][BS], Bs[BS][BS];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BS * by, aEnd = aBegin + wA - 1, bBegin = BS * bx;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += BS, b += BS * wB) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < BS; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BS * by + BS * bx + wB * ty + tx] = Csub;
}
void run(bool big, float* a, float* b, float* c, int w) {
    dim3 grid(w / 32, w / 32);
    if (big) {
        dim3 t(32, 32);
        matmul<32><<<grid, t>>>(a, b, c, w, w);
    } else {
        dim3 t(16, 16);
        matmul<16><<<grid, t>>>(a, b, c, w, w);
    }
}
