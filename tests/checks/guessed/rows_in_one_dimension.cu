__global__ void rows(const float* m, float* sum, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float s = 0;
        for (int c = 0; c < cols; c++)
            s += m[r * cols + c];
        sum[r] = s;
    }
}
