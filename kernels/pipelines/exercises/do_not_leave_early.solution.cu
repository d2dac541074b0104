#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) swap_tiles(const int* in, int* out) {
    __shared__ int tile[32];
    auto cluster = cooperative_groups::this_cluster();
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
    unsigned other = 1 - cluster.block_rank();
    tile[t] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, other)[31 - t];
    cluster.sync();
}
