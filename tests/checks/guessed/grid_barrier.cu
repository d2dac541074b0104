#include <cooperative_groups.h>
__global__ void shift(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = a[i + 1];
    cooperative_groups::this_grid().sync();
    a[i] = v;
}
