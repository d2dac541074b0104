#pragma once
__device__ __forceinline__ int halve(int x) {
    if (x & 1) x = 3 * x + 1;
    return x / 2;
}

__device__ __forceinline__ int halve_twice(int x) {
    int once = halve(x);
    return halve(once) ^ 5;
}
