__device__ int offset = 5;
static __device__ int scale = 2;

__device__ int twice(int x) {
    return scale * x;
}
