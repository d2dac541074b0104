/*--- lanescope
title = "Memory that threads allocate"

[buffers]
out = { type = "int", count = "8" }

[[launch]]
kernel = "lists"
grid   = ["2"]
block  = ["4"]
args   = ["out"]
---*/
__global__ void lists(int* out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int* list = (int*)malloc((t + 1) * sizeof(int));
    for (int i = 0; i <= t; ++i)
        list[i] = i * t;
    int sum = 0;
    for (int i = 0; i <= t; ++i)
        sum += list[i];
    free(list);
    out[t] = sum;
}
