// Compiled to simt_kernels.ptx with: -arch=compute_75 -std=c++17 --device-debug -rdc=true
__device__ int total;
__constant__ int weights[4];
struct Point { int x; float y; };

__global__ void spin_lock(int* lock, int* count) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *(volatile int*)count = *(volatile int*)count + 1;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void ping_pong(volatile int* flag, int rounds) {
    int me = threadIdx.x / 32;
    for (int i = 0; i < rounds; ++i) {
        while (*flag % 2 != me) {
        }
        if (threadIdx.x % 32 == 0) *flag = *flag + 1;
        __syncwarp();
    }
}
__global__ void early_return(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    if (i >= n) return;
    tile[i] = in[i];
    __syncthreads();
    out[i] = tile[n - 1 - i];
}
__global__ void conditional_barrier(int* out) {
    if (threadIdx.x < 16) {
        __syncthreads();
        out[threadIdx.x] = 1;
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}
__global__ void skipped_barrier(int* out) {
    if (threadIdx.x < 16) __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}
__global__ void missed_barrier(int* out) {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");
    out[threadIdx.x] = 1;
}
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ int endless(int n) { return n + endless(n + 1); }
__global__ void recursion(int* out) { out[threadIdx.x] = factorial(threadIdx.x % 8); }
__global__ void stack_overflow(int* out) { out[threadIdx.x] = endless(0); }
__device__ Point shifted(Point p, int by) {
    p.x += by;
    p.y *= 2;
    return p;
}
__global__ void structures(Point p, int* x, float* y) {
    Point q = shifted(p, threadIdx.x);
    x[threadIdx.x] = q.x;
    y[threadIdx.x] = q.y;
}
__global__ void out_of_bounds(int* out, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = out[threadIdx.x];
    s[threadIdx.x + n] = 1;
    out[threadIdx.x + n] = 2;
}
__global__ void misaligned(char* bytes, int* out) { out[threadIdx.x] = *(int*)(bytes + 1); }
__global__ void uninitialised(int* out) {
    __shared__ int s[32];
    int local[4];
    if (threadIdx.x < 8) s[threadIdx.x] = 1;
    int* p = local;
    p[threadIdx.x % 2] = 5;
    out[threadIdx.x] = s[threadIdx.x] + p[2];
}
__global__ void null_pointer(int* out) { *out = 1; }
__global__ void check(const int* in) { assert(in[threadIdx.x] >= 0); }
__global__ void speak(int n) {
    printf("thread %2d of %d: %5.2f|%-4d|%x %s %c %%\n", threadIdx.x, n, threadIdx.x / 4.0, n, 255, "text", 'a' + threadIdx.x);
    printf("%lld %llu %e %g %p\n", -5000000000ll, 18446744073709551615ull, 12345.678, 0.0001, (void*)0);
}
__global__ void heap(int* out) {
    int* p = (int*)malloc(16);
    p[1] = threadIdx.x * 3;
    out[threadIdx.x] = p[1];
    free(p);
    if (threadIdx.x == 0) free(p);
}
__global__ void forever(int* out) {
    for (int i = 0; out[0] == 0; ++i) out[1] = i;
}
__global__ void add_up(const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i] * weights[i % 4]);
}
__global__ void warp_functions(int* out) {
    int lane = threadIdx.x % 32;
    int value = lane * lane;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    out[lane] = __shfl_sync(0xffffffffu, value, 0);
    out[32 + lane] = __ballot_sync(0xffffffffu, lane % 3 == 0);
    out[64 + lane] = __shfl_up_sync(0xffffffffu, lane, 1, 8);
    out[96 + lane] = __shfl_xor_sync(0xffffffffu, lane, 5);
    out[128 + lane] = __any_sync(0xffffffffu, lane == 31) + 2 * __all_sync(0xffffffffu, lane < 31);
    out[160 + lane] = __match_any_sync(0xffffffffu, lane / 10);
    out[192 + lane] = lane < 12 ? __activemask() : 0;
    if (lane < 16) out[224 + lane] = __shfl_sync(0xffffu, lane * 10, 15 - lane);
}
