// Finds: out_of_bounds (a)
#define N 64
__global__ void shift(int* d) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t < N) {
        s[t] = d[t];
        __syncthreads();
        d[t] = s[t + 1];  // (a)
    }
}
