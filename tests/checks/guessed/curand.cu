#include <curand_kernel.h>
__global__ void setup(curandState* state, unsigned long seed) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &state[id]);
}
__global__ void pi(curandState* state, int* hits, int n) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = state[id];
    int c = 0;
    for (int i = 0; i < n; i++) {
        float x = curand_uniform(&local), y = curand_uniform(&local);
        if (x * x + y * y <= 1) c++;
    }
    hits[id] = c;
    state[id] = local;
}
