// Launches that CUDA refuses, and others at the limits: what the call returned, the last error, and what waiting returned. On a GPU
// with NVIDIA's runtime this makes the recording with which the CPU machine is compared.
#include <cooperative_groups.h>
#include <cstdio>
__global__ void plain(int* a) { if (a) a[threadIdx.x] = 1; }
__global__ void dynamic(int* a) { extern __shared__ int s[]; if (a) { s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; } }
__global__ void big(int* a) { __shared__ int s[10000]; if (a) { s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; } }
__global__ void __launch_bounds__(128) bounded(int* a) { if (a) a[threadIdx.x] = 1; }
__global__ void together(int* a) { cooperative_groups::this_grid().sync(); if (a) a[0] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int* a) { if (a) a[0] = 1; }
__global__ void any_cluster(int* a) { if (a) a[0] = 1; }
void tell(const char* what) {
    const cudaError_t last = cudaGetLastError(), later = cudaDeviceSynchronize();
    std::printf("%-28s %s %s\n", what, cudaGetErrorName(last), cudaGetErrorName(later));
}
void tell(const char* what, cudaError_t returned) {
    const cudaError_t last = cudaGetLastError(), later = cudaDeviceSynchronize();
    std::printf("%-28s %s %s %s\n", what, cudaGetErrorName(returned), cudaGetErrorName(last), cudaGetErrorName(later));
}
void cluster(const char* what, dim3 grid, dim3 block, dim3 size) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {size.x, size.y, size.z};
    config.attrs = &attribute, config.numAttrs = 1;
    tell(what, cudaLaunchKernelEx(&config, any_cluster, static_cast<int*>(nullptr)));
}
int main() {
    int* a = nullptr;
    plain<<<1, 1025>>>(a), tell("block 1025");
    plain<<<1, dim3(1, 1, 65)>>>(a), tell("block z 65");
    plain<<<1, dim3(32, 33)>>>(a), tell("block 32x33");
    plain<<<1, 0>>>(a), tell("block 0");
    plain<<<1, dim3(32, 0)>>>(a), tell("block 32x0");
    plain<<<0, 32>>>(a), tell("grid 0");
    plain<<<dim3(1, 65536), 32>>>(a), tell("grid y 65536");
    plain<<<dim3(1, 1, 65536), 32>>>(a), tell("grid z 65536");
    plain<<<dim3(2147483648u), 1>>>(a), tell("grid x 2^31");
    dynamic<<<1, 32, 48 * 1024>>>(a), tell("shared 48 KiB");
    dynamic<<<1, 32, 48 * 1024 + 1>>>(a), tell("shared 48 KiB + 1");
    dynamic<<<1, 32, 300 * 1024>>>(a), tell("shared 300 KiB");
    big<<<1, 32, 16 * 1024>>>(a), tell("static 40000 + 16 KiB");
    tell("attribute 228 KiB", cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024));
    tell("attribute 227 KiB", cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    dynamic<<<1, 32, 227 * 1024>>>(a), tell("shared 227 KiB allowed");
    dynamic<<<1, 32, 227 * 1024 + 4>>>(a), tell("shared 227 KiB + 4");
    bounded<<<1, 129>>>(a), tell("launch bounds 128, 129");
    void* none[] = {&a};
    tell("cooperative 1e6 blocks", cudaLaunchCooperativeKernel((const void*)together, 1000000, 32, none, 0, nullptr));
    tell("cooperative 0 blocks", cudaLaunchCooperativeKernel((const void*)together, 0, 32, none, 0, nullptr));
    tell("cooperative block 2000", cudaLaunchCooperativeKernel((const void*)together, 1, 2000, none, 0, nullptr));
    tell("null kernel", cudaLaunchKernel((const void*)nullptr, 1, 32, none, 0, nullptr));
    tell("a host function", cudaLaunchKernel((const void*)&cluster, 1, 32, none, 0, nullptr));
    clustered<<<3, 32>>>(a), tell("cluster of 2, grid 3");
    cluster("cluster 16", 16, 32, 16);
    cluster("cluster 3 of grid 4", 4, 32, 3);
    cluster("cluster 8 of grid 8", 8, 32, 8);
    cluster("cluster 0", 8, 32, 0);
    cluster("cluster 4, block 1025", 4, 1025, 4);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    tell("shared 1 MiB", cudaLaunchKernel((const void*)dynamic, 1, 32, none, 1 << 20, stream));
    int blocks = 0;
    tell("occupancy block 0", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0));
    tell("occupancy block 2000", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 2000, 0));
    tell("attribute -1", cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
}
