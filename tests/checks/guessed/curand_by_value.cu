#include <curand_kernel.h>
__global__ void gen(curandState s, float* out) {
    int i = threadIdx.x;
    curandState t = s;
    out[i] = curand_uniform(&t);
}
