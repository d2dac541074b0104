extern "C" __global__ void square(int* data, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= data[i];
}
