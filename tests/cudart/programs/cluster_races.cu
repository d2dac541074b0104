// Blocks of clusters read each other's shared memory: without a barrier of the cluster, after one, and from a
// block that does not wait for its readers.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void too_early(int* out) {
    __shared__ int mine[32];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = *cluster.map_shared_rank(&mine[threadIdx.x], cluster.block_rank() ^ 1);
    cluster.sync();
}

__global__ void in_order(int* out) {
    __shared__ int mine[32];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = *cluster.map_shared_rank(&mine[threadIdx.x], cluster.block_rank() ^ 1);
    cluster.sync();
}

__global__ void __cluster_dims__(2) ends_early(int* out) {
    __shared__ int mine[32];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = *cluster.map_shared_rank(&mine[threadIdx.x], cluster.block_rank() ^ 1);
}

template <class Kernel>
static void start(Kernel* kernel, int* out) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = dim3(4);
    configuration.blockDim = dim3(32);
    configuration.attrs = &cluster;
    configuration.numAttrs = 1;
    cudaLaunchKernelEx(&configuration, kernel, out);
}

int main() {
    int* out;
    cudaMalloc(&out, 128 * sizeof(int));
    start(too_early, out);
    start(in_order, out);
    ends_early<<<4, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
