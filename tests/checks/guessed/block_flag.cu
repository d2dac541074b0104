// Finds: race (a)
__global__ void maxval(const int* a, int* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        if (a[i] > *result) *result = a[i];  // (a)
}
