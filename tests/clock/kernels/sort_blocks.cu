/*--- lanescope
title = "Odd-even sort of 512 elements in each block"

[params]
n = { default = 1024 }

[buffers]
a = { type = "int", count = "n", init = "random(0, 9999)" }

[[launch]]
kernel = "sort"
grid   = ["n / 512"]
block  = ["256"]
args   = ["a"]
---*/
__global__ void sort(int* a) {
    __shared__ int s[512];
    int t = threadIdx.x, first = blockIdx.x * 512;
    s[t] = a[first + t], s[t + 256] = a[first + t + 256];
    for (int round = 0; round < 512; ++round) {
        __syncthreads();
        int i = 2 * t + round % 2;
        if (i + 1 < 512 && s[i] > s[i + 1]) {
            int x = s[i];
            s[i] = s[i + 1], s[i + 1] = x;
        }
    }
    __syncthreads();
    a[first + t] = s[t], a[first + t + 256] = s[t + 256];
}
