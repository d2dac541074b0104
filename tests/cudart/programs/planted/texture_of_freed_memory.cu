// Finds: use_after_free
#include <cuda_runtime.h>
__global__ void sum(cudaTextureObject_t image, float* out) {
    out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);  // (bug)
}
int main() {
    float *values, *out;
    cudaMalloc(&values, 256);
    cudaMalloc(&out, 256);
    cudaMemset(values, 0, 256);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = values;
    what.res.linear.desc = cudaCreateChannelDesc<float>();
    what.res.linear.sizeInBytes = 256;
    cudaTextureDesc how = {};
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &what, &how, nullptr);
    cudaFree(values);
    sum<<<1, 64>>>(image, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaDestroyTextureObject(image);
    cudaFree(out);
}
