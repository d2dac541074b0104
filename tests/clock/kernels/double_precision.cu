/*--- lanescope
title = "Horner's rule in double precision"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
in = { type = "double", count = "n", init = "random(0.0, 1.0)" }
out = { type = "double", count = "n" }

[[launch]]
kernel = "horner"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void horner(int n, const double* in, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = in[i], sum = 1;
    for (int k = 20; k > 0; --k)
        sum = sum * x / k + 1;
    out[i] = sum;
}
