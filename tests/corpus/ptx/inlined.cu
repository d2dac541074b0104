#include "tools.h"

__device__ __forceinline__ int scaled(int x, int by) {
    int product = x * by;
    return product + halve(product);
}

extern "C" __global__ void inlined(const int* in, int* out, int n) {
    int a = halve_twice(in[0]);
    out[0] = a;
    int b = scaled(in[1], n);
    out[1] = b;
    for (int i = 0; i < n; ++i)
        out[i + 2] = halve(in[i + 2]);
}
