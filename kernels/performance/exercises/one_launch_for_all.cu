/*--- lanescope
title = "One launch for all"
exercise = "performance/one_launch_for_all"

[params]
arrays = { default = 6, min = 1, max = 1000, label = "arrays" }
length = { default = 64, min = 1, max = 10000, label = "elements of each array" }

[buffers]
in  = { type = "int", shape = ["arrays", "length"], init = "random(0, 9)" }
out = { type = "int", count = "arrays" }

[[launch]]
kernel = "sums"
grid   = ["arrays"]
block  = ["32"]
args   = ["in", "out", "arrays", "length"]

[[expect]]
buffer = "out"
equals = "block_sums(in, length)"
---*/
// Adds up one array with one warp. The host called it for each array: in + a * length, out + a.
__device__ void sum_array(const int* in, int* out, int length) {
    int sum = 0;
    for (int k = threadIdx.x; k < length; k += 32)
        sum += in[k];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x == 0)
        *out = sum;
}

__global__ void sums(const int* in, int* out, int arrays, int length) {
    sum_array(in, out, length);
}
