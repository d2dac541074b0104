/*--- lanescope
title = "The order of the counts"
exercise = "sorting/order_of_the_counts"

[params]
n      = { default = 128, min = 0, max = 134217728, label = "elements n" }
bits   = { default = 2, choices = [1, 2, 4], label = "bits of a digit" }
passes = { default = 2, choices = [2, 4, 8], label = "digits of a key" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
a      = { type = "uint", count = "n", init = "random(0, pow2(passes * bits) - 1)" }
b      = { type = "uint", count = "n" }
counts = { type = "uint", shape = ["pow2(bits)", "max(1, ceil_div(n, block))"] }

[arrays]
counts = { axes = ["digit", "block"] }

[[launch]]
kernel = "count"
repeat = "p = 0; p < passes; p + 1"
grid   = ["counts.width"]
block  = ["block"]
shared = "pow2(bits) * 4"
args   = ["p % 2 ? b : a", "counts", "n", "p * bits", "pow2(bits)"]

[[launch]]
kernel = "scan"
together = true
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["counts", "counts.count"]

[[launch]]
kernel = "scatter"
together = true
grid   = ["counts.width"]
block  = ["block"]
shared = "block / 32 * pow2(bits) * 4"
args   = ["p % 2 ? b : a", "p % 2 ? a : b", "counts", "n", "p * bits", "pow2(bits)"]

[[expect]]
buffer = "a"
equals = "sort(a)"
---*/
// How often each digit occurs in each block: counts[digit][block].
__global__ void count(const unsigned* in, unsigned* counts, unsigned n, unsigned bit, unsigned digits) {
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < digits)
        s[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&s[in[i] >> bit & (digits - 1)], 1);
    __syncthreads();
    if (t < digits)
        counts[t * gridDim.x + blockIdx.x] = s[t];
}

// Replaces each count by the sum of those before it.
__global__ void scan(unsigned* counts, unsigned n) {
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned i = t; i - t < n; i += blockDim.x) {
        unsigned own = s[t] = i < n ? counts[i] : 0;
        for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
            __syncthreads();
            unsigned left = t >= stride ? s[t - stride] : 0;
            __syncthreads();
            s[t] += left;
        }
        __syncthreads();
        if (i < n)
            counts[i] = sum + s[t] - own;
        sum += s[blockDim.x - 1];
        __syncthreads();
    }
}

// Moves each key to the place of its digit and block, behind those of the same digit before it in the block.
__global__ void scatter(const unsigned* in, unsigned* out, const unsigned* counts, unsigned n, unsigned bit,
                        unsigned digits) {
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, warp = t / 32, lane = t % 32;
    unsigned key = i < n ? in[i] : 0;
    unsigned digit = i < n ? key >> bit & (digits - 1) : digits;
    unsigned same = __match_any_sync(0xffffffff, digit);
    unsigned rank = __popc(same & ((1u << lane) - 1));
    if (lane < digits)
        s[warp * digits + lane] = 0;
    __syncwarp();
    if (i < n && rank == 0)
        s[warp * digits + digit] = __popc(same);
    __syncthreads();

    if (t < digits) {
        unsigned place = counts[t * gridDim.x + blockIdx.x];
        for (unsigned w = 0; w < blockDim.x / 32; ++w) {
            unsigned here = s[w * digits + t];
            s[w * digits + t] = place;
            place += here;
        }
    }
    __syncthreads();
    if (i < n)
        out[s[warp * digits + digit] + rank] = key;
}
