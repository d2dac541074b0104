/*--- lanescope
title = "Weight the values"
exercise = "attention/weight_the_values"

[params]
n = { default = 16, min = 0, max = 16384, label = "queries, keys and values n" }
d = { default = 8, min = 1, max = 1024, label = "columns d" }

[buffers]
q      = { type = "float", shape = ["n", "d"], init = "random(-1, 1)" }
k      = { type = "float", shape = ["n", "d"], init = "random(-1, 1)" }
v      = { type = "float", shape = ["n", "d"], init = "random(0, 9)" }
scores = { type = "float", shape = ["n", "n"] }
p      = { type = "float", shape = ["n", "n"] }
out    = { type = "float", shape = ["n", "d"] }

[[launch]]
kernel = "multiply_by_keys"
grid   = ["max(1, ceil_div(n, 16))", "max(1, ceil_div(n, 16))"]
block  = ["16", "16"]
args   = ["q", "k", "scores", "n", "d"]

[[launch]]
kernel = "softmax"
grid   = ["max(1, ceil_div(n, 8))"]
block  = ["256"]
args   = ["scores", "p", "n"]

[[launch]]
kernel = "multiply_by_values"
grid   = ["ceil_div(d, 16)", "max(1, ceil_div(n, 16))"]
block  = ["16", "16"]
args   = ["p", "v", "out", "n", "d"]

[[expect]]
buffer = "out"
equals = "attention(q, k, v)"
---*/
const unsigned whole_warp = 0xffffffff;

__global__ void multiply_by_keys(const float* q, const float* k, float* scores, int n, int d) {
    int key = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || key >= n)
        return;
    float sum = 0;
    for (int i = 0; i < d; ++i)
        sum += q[(size_t)row * d + i] * k[(size_t)key * d + i];
    scores[(size_t)row * n + key] = sum / sqrtf(d);
}

__global__ void softmax(const float* scores, float* p, int n) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;  // one warp a row
    int lane = threadIdx.x % 32;
    if (row >= n)
        return;
    scores += (size_t)row * n;
    p += (size_t)row * n;

    float m = -3.402823e38f, l = 0;
    for (int i = lane; i < n; i += 32)
        m = fmaxf(m, scores[i]);
    for (int stride = 16; stride >= 1; stride /= 2)
        m = fmaxf(m, __shfl_xor_sync(whole_warp, m, stride));
    for (int i = lane; i < n; i += 32)
        l += expf(scores[i] - m);
    for (int stride = 16; stride >= 1; stride /= 2)
        l += __shfl_xor_sync(whole_warp, l, stride);
    for (int i = lane; i < n; i += 32)
        p[i] = expf(scores[i] - m) / l;
}

__global__ void multiply_by_values(const float* p, const float* v, float* out, int n, int d) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= d)
        return;
    float sum = 0;
    for (int key = 0; key < n; ++key)
        sum += p[(size_t)row * n + key] * v[(size_t)key * d + col];
    out[(size_t)row * d + col] = sum;
}
