/*--- lanescope
title = "Arithmetic on floats, doubles and integers, by part of the lanes"

[buffers]
x = { type = "float", count = "64", init = "iota" }
y = { type = "float", count = "64", init = "zero" }
d = { type = "double", count = "64", init = "iota" }
i = { type = "int", count = "64", init = "iota" }

[[launch]]
kernel = "serial_scan"
grid   = ["1"]
block  = ["1"]
args   = ["x", "y", "64"]

[[launch]]
kernel = "parallel_scan"
grid   = ["1"]
block  = ["64"]
args   = ["x", "y"]

[[launch]]
kernel = "polynomial"
grid   = ["1"]
block  = ["64"]
args   = ["x", "y", "27"]

[[launch]]
kernel = "doubles"
grid   = ["1"]
block  = ["64"]
args   = ["d", "27"]

[[launch]]
kernel = "integers"
grid   = ["1"]
block  = ["64"]
args   = ["i", "27"]
---*/
__global__ void serial_scan(const float* x, float* y, int n) {
    float sum = x[0];
    y[0] = sum;
    for (int i = 1; i < n; ++i) {
        sum += x[i];
        y[i] = sum;
    }
}

__global__ void parallel_scan(const float* x, float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int stride = 1; stride < 64; stride *= 2) {
        float left = 0;
        if (t >= stride) left = s[t - stride];
        __syncthreads();
        if (t >= stride) s[t] = left + s[t];
        __syncthreads();
    }
    y[t] = s[t];
}

__global__ void polynomial(const float* x, float* y, int n) {
    int t = threadIdx.x;
    if (t < n) y[t] = (x[t] * 3.0f - 1.0f) * x[t] + 2.0f;
}

__global__ void doubles(double* d, int n) {
    int t = threadIdx.x;
    if (t < n) d[t] = d[t] * d[t] + 1.0;
}

__global__ void integers(int* i, int n) {
    int t = threadIdx.x;
    if (t < n) i[t] = i[t] * i[t] + 3 * i[t];
}
