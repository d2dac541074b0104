// Host code sizes the memory by two arrays, of which the second begins at blockDim.x.
extern __shared__ float both[];
__global__ void moments(const float* x, float* mean, float* deviation, int n) {
    float *sums = both, *squares = both + blockDim.x;
    int t = threadIdx.x;
    float sum = 0, square = 0;
    for (int i = t; i < n; i += blockDim.x) {
        sum += x[i];
        square += x[i] * x[i];
    }
    sums[t] = sum;
    squares[t] = square;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            squares[t] += squares[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        mean[0] = sums[0] / n;
        deviation[0] = squares[0] / n - mean[0] * mean[0];
    }
}
