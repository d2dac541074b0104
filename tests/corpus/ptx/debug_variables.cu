// The source of debug_variables.ptx and debug_variables.aliased.ptx: homes and types of named variables.
struct Pair { int first; float second[2]; };
enum Mode { slow = -1, fast = 1 };
typedef unsigned int count_t;
union Bits { float f; int i; };
__constant__ float weights[2][3];
__device__ int counter;
__shared__ short at_file_scope[4];
extern __shared__ int dynamic[];
namespace ns { __device__ Pair pairs[2]; }

__device__ int reassigned(int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += i;
    return sum;
}

__device__ __forceinline__ float inlined(float x) {
    float twice = x + x;
    return twice * x;
}

template <class T, int N> __global__ void tiles(T* out, const Pair p, Mode mode) {
    __shared__ T tile[N][N + 1];
    __shared__ volatile int flag, *link;
    Pair local = p;
    count_t index = threadIdx.x;
    Bits bits;
    bits.f = 1.5f;
    const int four = 4;
    if (index < 2) {
        __shared__ float tile_inner;
        tile_inner = inlined(p.second[0]);
        out[0] = tile_inner;
    } else {
        __shared__ int tile_inner;
        tile_inner = 2;
        out[1] = tile_inner;
    }
    tile[index % N][0] = local.second[index & 1] + four;
    flag = mode;
    link = &flag;
    out[index] = tile[0][0] + bits.i + reassigned(local.first) + weights[1][2];
}
template __global__ void tiles<float, 8>(float*, const Pair, Mode);
template __global__ void tiles<double, 4>(double*, const Pair, Mode);

extern "C" __global__ void plain(int* out) {
    __shared__ int own[3];
    own[threadIdx.x] = counter;
    dynamic[threadIdx.x] = at_file_scope[0];
    auto lambda = [&](int a) { return a + own[0]; };
    out[0] = lambda(dynamic[1]) + ns::pairs[0].first;
}
