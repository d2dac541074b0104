// Finds: out_of_bounds
#include <cuda_runtime.h>
__global__ void lists(int* out) {
    int sum = 0;
    for (int i = 0; i < 10; ++i) {
        int* list = (int*)malloc(1 << 20);
        list[i] = i;  // (bug)
        sum += list == nullptr ? 0 : list[i];
    }
    out[0] = sum;
}
int main() {
    int* out;
    cudaMalloc(&out, 4);
    lists<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(out);
}
