__global__ void mm(const float* A, const float* B, float* C, int N) {
    const int BS = 32;
    int row = blockIdx.x * BS + threadIdx.x / BS, col = blockIdx.y * BS + threadIdx.x % BS;
    if (row < N && col < N) {
        float s = 0;
        for (int k = 0; k < N; ++k)
            s += A[row * N + k] * B[k * N + col];
        C[row * N + col] = s;
    }
}
