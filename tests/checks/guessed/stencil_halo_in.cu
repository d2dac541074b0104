__global__ void heat(const double* u, double* v, int n, double r) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1) v[i] = u[i] + r * (u[i + 1] - 2 * u[i] + u[i - 1]);
}
