/*--- lanescope
title = "Softmax of rows, a block a row, in three passes"

[params]
rows = { default = 8 }
cols = { default = 256 }
block = { default = 128 }

[buffers]
in = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "softmax"
grid   = ["rows"]
block  = ["block"]
args   = ["cols", "in", "out"]
---*/
__global__ void softmax(int cols, const float* in, float* out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    in += blockIdx.x * cols, out += blockIdx.x * cols;
    float most = -1e30f, sum = 0;
    for (int i = t; i < cols; i += blockDim.x)
        most = fmaxf(most, in[i]);
    s[t] = most;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    }
    __syncthreads();
    most = s[0];
    __syncthreads();
    for (int i = t; i < cols; i += blockDim.x)
        sum += __expf(in[i] - most);
    s[t] = sum;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] = s[t] + s[t + d];
    }
    __syncthreads();
    sum = s[0];
    for (int i = t; i < cols; i += blockDim.x)
        out[i] = __expf(in[i] - most) / sum;
}
