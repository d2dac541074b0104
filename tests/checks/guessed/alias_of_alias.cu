__global__ void scan(int* a) {
    __shared__ int s[48];
    int i = threadIdx.x;
    int j = i;
    s[j] = a[j];
    __syncthreads();
    int v = j > 0 ? s[j - 1] : 0;
    __syncthreads();
    a[j] = s[j] + v;
}
