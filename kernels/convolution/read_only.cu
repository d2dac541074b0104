/*--- lanescope
title = "A filter of three: what may be read once"

[params]
pairs = { default = 64, min = 1, max = 134217728, label = "pairs of elements" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in       = { type = "float", count = "2 * pairs", init = "random(0, 9)" }
weight   = { type = "float", count = "3", values = [0.25, 0.5, 0.25] }
plain    = { type = "float", count = "2 * pairs" }
promised = { type = "float", count = "2 * pairs" }

[[launch]]
kernel = "smooth"
grid   = ["ceil_div(pairs, block)"]
block  = ["block"]
args   = ["in", "weight", "plain", "in.count"]

[[launch]]
kernel = "smooth_restrict"
grid   = ["ceil_div(pairs, block)"]
block  = ["block"]
args   = ["in", "weight", "promised", "in.count"]

[[expect]]
buffer = "plain"
equals = "convolve(in, weight)"

[[expect]]
buffer = "promised"
equals = "convolve(in, weight)"
---*/
// Two outputs for each thread. The store of the first one may change weight or in, as far as the compiler knows.
__global__ void smooth(const float* in, const float* weight, float* out, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float left = i > 0 ? in[i - 1] : 0;
    float right = i + 2 < n ? in[i + 2] : 0;
    out[i] = weight[0] * left + weight[1] * in[i] + weight[2] * in[i + 1];
    out[i + 1] = weight[0] * in[i] + weight[1] * in[i + 1] + weight[2] * right;
}

// The same with the promise that no store of this kernel changes what it reads through the other pointers.
__global__ void smooth_restrict(const float* __restrict__ in, const float* __restrict__ weight,
                                float* __restrict__ out, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float left = i > 0 ? __ldg(in + i - 1) : 0;
    float right = i + 2 < n ? __ldg(in + i + 2) : 0;
    out[i] = weight[0] * left + weight[1] * in[i] + weight[2] * in[i + 1];
    out[i + 1] = weight[0] * in[i] + weight[1] * in[i + 1] + weight[2] * right;
}
