// A structure keeps the address of a buffer that was freed before the launch.
#include <cstdio>

struct View {
    int* values;
    int count;
};

__global__ void fill(View view) {
    if (threadIdx.x < view.count) view.values[threadIdx.x] = 1;  // (bug)
}

int main() {
    View view{nullptr, 64};
    int* other;
    cudaMalloc(&view.values, view.count * sizeof(int));
    cudaFree(view.values);
    cudaMalloc(&other, 16 * sizeof(int));
    fill<<<1, 64>>>(view);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(other);
}
