__global__ void one(int* a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] = i;
}
