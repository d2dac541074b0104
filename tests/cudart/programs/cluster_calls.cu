// Launches in clusters, good and bad, what each call returns, and what the kernels compute: a line each. On a
// GPU with NVIDIA's runtime this makes the recording with which the CPU machine is compared. The word names a
// section.
#include <cstdio>
#include <cstring>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static int calls = 0;
#define CALL(expression) std::printf("%3d %-10s %s\n", ++calls, short_name(expression), #expression)
#define SECTION(name) \
    std::printf("%3d %-10s last error before: %s\n", ++calls, short_name(cudaGetLastError()), name)

static const char* short_name(cudaError_t error) {
    static char text[64];
    const char* name = cudaGetErrorName(error);
    std::snprintf(text, sizeof text, "%s", std::strncmp(name, "cudaError", 9) == 0 ? name + 9 : name + 4);
    return text;
}
static void tell(const char* what, long long value) {
    std::printf("%3d %-10lld %s\n", ++calls, value, what);
}

// What a block knows of its cluster: 16 numbers each.
__global__ void places(int* out) {
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x != 0) return;
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* mine = out + 16 * block;
    mine[0] = cluster.block_rank();
    mine[1] = cluster.num_blocks();
    mine[2] = cluster.block_index().x;
    mine[3] = cluster.block_index().y;
    mine[4] = cluster.block_index().z;
    mine[5] = cluster.dim_blocks().x;
    mine[6] = cluster.dim_blocks().y;
    mine[7] = cluster.dim_blocks().z;
    int x, y, z, nx, ny, nz;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nx));
    asm("mov.u32 %0, %%nclusterid.y;" : "=r"(ny));
    asm("mov.u32 %0, %%nclusterid.z;" : "=r"(nz));
    mine[8] = x;
    mine[9] = y;
    mine[10] = z;
    mine[11] = nx;
    mine[12] = ny;
    mine[13] = nz;
    int is_explicit;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p; }" : "=r"(is_explicit));
    mine[14] = is_explicit;
    mine[15] = cluster.thread_rank();
}

// Every block adds to the shared memory of every block of its cluster, and reads its neighbour's.
__global__ void exchange(int* out) {
    __shared__ int sum, value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        sum = 0;
        value = 100 + blockIdx.x;
    }
    cluster.sync();
    if (threadIdx.x < cluster.num_blocks())
        atomicAdd(cluster.map_shared_rank(&sum, threadIdx.x), static_cast<int>(blockIdx.x) + 1);
    const int neighbour = *cluster.map_shared_rank(&value, (cluster.block_rank() + 1) % cluster.num_blocks());
    cluster.sync();
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = sum;
        out[2 * blockIdx.x + 1] = neighbour;
    }
}

__global__ void __cluster_dims__(2, 1, 1) fixed(int* out) {
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) value = 10 * blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
    cluster.sync();
}

__global__ void plain(int* out) {
    if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}

__global__ void dynamic(int* out) {
    extern __shared__ int room[];
    room[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = room[1];
}

static int* memory;
static int host[1024];

struct Configuration {
    cudaLaunchAttribute attribute[2] = {};
    cudaLaunchConfig_t made{};
    Configuration(dim3 grid, dim3 block, dim3 cluster, size_t shared = 0) {
        attribute[0].id = cudaLaunchAttributeClusterDimension;
        attribute[0].val.clusterDim.x = cluster.x;
        attribute[0].val.clusterDim.y = cluster.y;
        attribute[0].val.clusterDim.z = cluster.z;
        made.gridDim = grid;
        made.blockDim = block;
        made.dynamicSmemBytes = shared;
        made.attrs = attribute;
        made.numAttrs = 1;
    }
};

template <class Kernel>
static cudaError_t start(Kernel* kernel, dim3 grid, dim3 block, dim3 cluster, size_t shared = 0) {
    const Configuration configuration(grid, block, cluster, shared);
    void* arguments[] = {&memory};
    return cudaLaunchKernelExC(&configuration.made, reinterpret_cast<void*>(kernel), arguments);
}

static void fetch() {
    CALL(cudaDeviceSynchronize());
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(memory, 0, sizeof host);
}

static void show_places(int blocks) {
    fetch();
    for (int block = 0; block < blocks; ++block) {
        std::printf("    block %d:", block);
        for (int i = 0; i < 16; ++i)
            std::printf(" %d", host[16 * block + i]);
        std::printf("\n");
    }
}

static void show(int count) {
    fetch();
    std::printf("   ");
    for (int i = 0; i < count; ++i)
        std::printf(" %d", host[i]);
    std::printf("\n");
}

static void launches() {
    SECTION("launches");
    CALL(start(places, dim3(8), dim3(32), dim3(2)));
    show_places(8);
    CALL(start(places, dim3(4, 4), dim3(32), dim3(2, 2)));
    show_places(16);
    CALL(start(places, dim3(2, 2, 4), dim3(32), dim3(1, 2, 2)));
    show_places(16);
    CALL(start(places, dim3(3), dim3(32), dim3(1)));
    show_places(3);
    places<<<2, 32>>>(memory);
    show_places(2);
    CALL(start(exchange, dim3(8), dim3(64), dim3(4)));
    show(16);
    CALL(start(exchange, dim3(8), dim3(64), dim3(8)));
    show(16);
    CALL(start(exchange, dim3(6), dim3(64), dim3(2)));
    show(12);
    fixed<<<4, 32>>>(memory);
    show(4);
    CALL(start(fixed, dim3(4), dim3(32), dim3(2)));
    show(4);
}

static void refusals() {
    SECTION("refusals");
    CALL(start(plain, dim3(7), dim3(32), dim3(2)));
    CALL(start(plain, dim3(8), dim3(32), dim3(16)));
    CALL(start(plain, dim3(16), dim3(32), dim3(16)));
    CALL(start(plain, dim3(9), dim3(32), dim3(9)));
    CALL(start(plain, dim3(9), dim3(32), dim3(3)));
    CALL(start(plain, dim3(8), dim3(32), dim3(0)));
    CALL(start(plain, dim3(8), dim3(32), dim3(2, 0, 1)));
    CALL(start(plain, dim3(8), dim3(32), dim3(0, 0, 0)));
    CALL(start(plain, dim3(8, 2), dim3(32), dim3(2, 3)));
    CALL(start(plain, dim3(8), dim3(2048), dim3(2)));
    CALL(start(plain, dim3(0), dim3(32), dim3(2)));
    CALL(start(fixed, dim3(4), dim3(32), dim3(4)));
    CALL(start(fixed, dim3(4), dim3(32), dim3(1)));
    fixed<<<3, 32>>>(memory);
    CALL(cudaGetLastError());
    CALL(start(dynamic, dim3(4), dim3(32), dim3(2), 100000));
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    CALL(start(dynamic, dim3(4), dim3(32), dim3(2), 200000));
    show(4);
    CALL(start(dynamic, dim3(8), dim3(32), dim3(8), 200000));
    show(8);
}

static void attributes() {
    SECTION("attributes");
    cudaFuncAttributes found{};
    CALL(cudaFuncGetAttributes(&found, plain));
    tell("must be set", found.clusterDimMustBeSet);
    tell("width", found.requiredClusterWidth);
    tell("non-portable", found.nonPortableClusterSizeAllowed);
    CALL(cudaFuncGetAttributes(&found, fixed));
    tell("must be set", found.clusterDimMustBeSet);
    tell("width", found.requiredClusterWidth);
    tell("height", found.requiredClusterHeight);
    tell("depth", found.requiredClusterDepth);
    tell("policy", found.clusterSchedulingPolicyPreference);
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CALL(cudaFuncGetAttributes(&found, plain));
    tell("non-portable", found.nonPortableClusterSizeAllowed);
    CALL(start(plain, dim3(16), dim3(32), dim3(16)));
    show(16);
    CALL(start(plain, dim3(32), dim3(32), dim3(32)));
    CALL(start(plain, dim3(12), dim3(32), dim3(12)));
    CALL(cudaGetLastError());
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2));
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 1));
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterDepth, 1));
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeClusterSchedulingPolicyPreference,
                              cudaClusterSchedulingPolicySpread));
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 9));
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 7));
    CALL(cudaFuncGetAttributes(&found, plain));
    tell("must be set", found.clusterDimMustBeSet);
    tell("width", found.requiredClusterWidth);
    tell("policy", found.clusterSchedulingPolicyPreference);
    plain<<<4, 32>>>(memory);
    show(4);
    CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributeRequiredClusterWidth, 4));
    int launch = -1;
    CALL(cudaDeviceGetAttribute(&launch, cudaDevAttrClusterLaunch, 0));
    tell("cluster launch", launch);
}

static void occupancy() {
    SECTION("occupancy");
    int count = -1;
    const Configuration one(dim3(8), dim3(32), dim3(1)), two(dim3(8), dim3(128), dim3(2)),
        eight(dim3(8), dim3(1024), dim3(8)), sixteen(dim3(16), dim3(32), dim3(16)),
        three(dim3(9), dim3(32), dim3(3)), uneven(dim3(7), dim3(32), dim3(2)),
        large(dim3(8), dim3(32), dim3(2), 100000), none(dim3(8), dim3(0), dim3(2));
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, plain, &one.made));
    tell("largest", count);
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, plain, &eight.made));
    tell("largest with 1024 threads", count);
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, fixed, &one.made));
    tell("largest of a fixed one", count);
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, dynamic, &large.made));
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, dynamic, &large.made));
    tell("largest with much shared memory", count);
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, plain, &none.made));
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &one.made));
    tell("of one block", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &two.made));
    tell("of two blocks", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &eight.made));
    tell("of eight blocks", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &three.made));
    tell("of three blocks", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &sixteen.made));
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &uneven.made));
    tell("of an uneven grid", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, dynamic, &large.made));
    tell("with much shared memory", count);
    CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CALL(cudaOccupancyMaxPotentialClusterSize(&count, plain, &one.made));
    tell("largest, non-portable", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, plain, &sixteen.made));
    tell("of sixteen blocks", count);
    CALL(cudaOccupancyMaxActiveClusters(&count, fixed, &two.made));
    tell("of a fixed one", count);
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (unsigned size = 1; size <= 16; ++size) {  // one block, then several, on a multiprocessor
        const Configuration alone(dim3(16 * size), dim3(32), dim3(size), 150000), several(dim3(16 * size), dim3(512), dim3(size));
        count = -1;
        const cudaError_t first = cudaOccupancyMaxActiveClusters(&count, dynamic, &alone.made);
        std::printf("    %u: %d %d", size, first, count);
        count = -1;
        const cudaError_t second = cudaOccupancyMaxActiveClusters(&count, plain, &several.made);
        std::printf(", %d %d\n", second, count);
    }
}

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    cudaMalloc(&memory, sizeof host);
    cudaMemset(memory, 0, sizeof host);
    const char* wanted = argc > 1 ? argv[1] : "launches";
    if (!std::strcmp(wanted, "launches")) launches();
    if (!std::strcmp(wanted, "refusals")) refusals();
    if (!std::strcmp(wanted, "attributes")) attributes();
    if (!std::strcmp(wanted, "occupancy")) occupancy();
}
