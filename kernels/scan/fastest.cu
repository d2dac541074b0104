/*--- lanescope
title = "Single pass with decoupled look-back"

[params]
n     = { default = 4096, min = 0, max = 268435456, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512], label = "block size" }
rows  = { default = 8, choices = [8, 16, 24], label = "rows of a tile" }

[buffers]
in     = { type = "int", count = "n", values = [3, 1, 7, 0, 4, 1, 6, 3] }
out    = { type = "int", count = "n" }
ticket = { type = "uint", count = "1", init = "zero" }
state  = { type = "ulong", count = "max(1, ceil_div(n, 4 * rows * block))", init = "zero" }

[[launch]]
kernel = "scan<8>"
repeat = "r = rows; r == 8; 0"
grid   = ["state.count"]
block  = ["block"]
args   = ["in", "out", "n", "ticket", "state"]

[[launch]]
kernel = "scan<16>"
repeat = "r = rows; r == 16; 0"
grid   = ["state.count"]
block  = ["block"]
args   = ["in", "out", "n", "ticket", "state"]

[[launch]]
kernel = "scan<24>"
repeat = "r = rows; r == 24; 0"
grid   = ["state.count"]
block  = ["block"]
args   = ["in", "out", "n", "ticket", "state"]

[[expect]]
buffer = "out"
equals = "prefix_inclusive(in)"
---*/
// What a tile announces: its own sum, or the sum of everything up to its end.
// One word holds both parts, so a thread that sees the flag also sees the sum.
using State = unsigned long long;
constexpr State aggregate = 1ull << 32, prefix = 2ull << 32;
constexpr unsigned whole_warp = 0xffffffff;

// Every element is read once and written once: __ldcs and __stcs tell the caches not to keep it.
__device__ int4 load(const int* in, unsigned i, unsigned n) {
    if (i + 4 <= n)
        return __ldcs((const int4*)(in + i));
    return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ void store(int* out, unsigned i, unsigned n, int4 v) {
    if (i + 4 <= n) {
        __stcs((int4*)(out + i), v);
    } else {
        if (i < n) out[i] = v.x;
        if (i + 1 < n) out[i + 1] = v.y;
        if (i + 2 < n) out[i + 2] = v.z;
    }
}

__device__ int sum_of(int4 v) {
    return v.x + v.y + v.z + v.w;
}

__device__ int warp_scan(int sum) {
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        int left = __shfl_up_sync(whole_warp, sum, stride);
        if (threadIdx.x % 32 >= stride)
            sum += left;
    }
    return sum;
}

// Returns the sum of all tiles before this one. A warp reads 32 of them at a time until one has the sum up to its end.
__device__ int look_back(volatile State* state, int tile) {
    int before = 0;
    for (int k = tile - 1 - int(threadIdx.x); ; k -= 32) {
        State seen = prefix;
        do {
            if (k >= 0)
                seen = state[k];
        } while (__any_sync(whole_warp, seen == 0));

        unsigned known = __ballot_sync(whole_warp, seen >= prefix);
        bool counts = int(threadIdx.x) < __ffs(known) || known == 0;
        before += __shfl_sync(whole_warp, warp_scan(counts ? int(seen) : 0), 31);
        if (known != 0)
            return before;
    }
}

// In a block of 512 threads each thread can have 128 registers; with 24 rows, 96 of them hold its elements.
template <unsigned rows>
__global__ void __launch_bounds__(512) scan(const int* in, int* out, unsigned n, unsigned* ticket, volatile State* state) {
    __shared__ int s[32];
    __shared__ int tile, before;
    unsigned t = threadIdx.x;
    unsigned lane = t % 32;
    unsigned warp = t / 32;
    if (t == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();

    unsigned first = (tile * blockDim.x + 32 * warp) * 4 * rows + 4 * lane;
    int4 v[rows];  // in registers, because every index is known when the loops are unrolled
#pragma unroll
    for (unsigned r = 0; r < rows; ++r)
        v[r] = load(in, first + 128 * r, n);

    // The announcement needs only the sum of the tile; the scan of its elements can wait.
    int mine = 0;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r)
        mine += sum_of(v[r]);
    mine = warp_scan(mine);
    if (lane == 31)
        s[warp] = mine;
    __syncthreads();

    int all = 0;
    if (warp == 0) {
        int upto = warp_scan(lane < blockDim.x / 32 ? s[lane] : 0);
        s[lane] = upto;
        all = __shfl_sync(whole_warp, upto, 31);
        if (lane == 0)
            state[tile] = (tile == 0 ? prefix : aggregate) | unsigned(all);
    }

    int sum = 0;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
        int4& a = v[r];
        int own = sum_of(a);
        int upto = sum + warp_scan(own);
        sum = __shfl_sync(whole_warp, upto, 31);
        a.x += upto - own;
        a.y += a.x;
        a.z += a.y;
        a.w += a.z;
    }

    if (warp == 0) {
        int left = tile == 0 ? 0 : look_back(state, tile);
        if (lane == 0) {
            state[tile] = prefix | unsigned(left + all);
            before = left;
        }
    }
    __syncthreads();

    int left = before + (warp > 0 ? s[warp - 1] : 0);
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
        int4 a = v[r];
        store(out, first + 128 * r, n, {a.x + left, a.y + left, a.z + left, a.w + left});
    }
}
