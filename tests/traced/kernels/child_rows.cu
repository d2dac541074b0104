/*--- lanescope
title = "Kernels that launch kernels"

[params]
rows  = { default = 5, min = 1, max = 1024, label = "rows" }
block = { default = 4, min = 1, max = 1024, label = "block size of a child" }

[buffers]
in  = { type = "int", count = "rows * rows", init = "random(0, 9)" }
out = { type = "int", count = "rows * rows" }

[[launch]]
kernel = "parent"
grid   = ["1"]
block  = ["rows"]
args   = ["in", "out", "block"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void child(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

// Row r has 2r + 1 elements and begins at element r * r. (nvcc needs -rdc=true)
__global__ void parent(const int* in, int* out, unsigned block) {
    unsigned r = threadIdx.x;
    unsigned n = 2 * r + 1;
    child<<<(n + block - 1) / block, block>>>(in + r * r, out + r * r, n);
}
