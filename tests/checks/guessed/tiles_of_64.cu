__global__ void __launch_bounds__(256) product(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float left[8][64], right[8][64];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sums[4][4] = {};
    for (int first = 0; first < k; first += 8) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            left[i / 64][i % 64] = a[(blockIdx.y * 64 + i % 64) * k + first + i / 64];
            right[i / 64][i % 64] = b[(first + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int i = 0; i < 8; ++i)
            for (int row = 0; row < 4; ++row)
                for (int column = 0; column < 4; ++column)
                    sums[row][column] += left[i][y * 4 + row] * right[i][x * 4 + column];
        __syncthreads();
    }
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column)
            c[(blockIdx.y * 64 + y * 4 + row) * n + blockIdx.x * 64 + x * 4 + column] = sums[row][column];  // (a)
}
