// Finds: race (a)
__global__ void hist(const unsigned char* img, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[img[i]]++;  // (a)
}
