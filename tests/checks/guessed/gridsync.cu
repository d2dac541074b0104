#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void two_phase(float* data, float* sums, int n) {
    cg::grid_group g = cg::this_grid();
    __shared__ float s[256];
    float v = 0;
    for (int i = g.thread_rank(); i < n; i += g.size())
        v += data[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
    g.sync();
    if (g.thread_rank() == 0) {
        float t = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            t += sums[b];
        data[0] = t;
    }
}
