__global__ void reverse(int* a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    a[t] = s[31 - t];
}
