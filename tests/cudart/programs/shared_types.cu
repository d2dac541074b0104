// Shared arrays of many types, for which nvcc writes no debug information.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct Pair { float v; int i; };
enum Colour { red, green = 5 };
template <typename T> __global__ void tk(const T* in, T* out) {
    __shared__ T tile[4][8];
    int t = threadIdx.x;
    tile[t / 8][t % 8] = in[t];
    __syncthreads();
    out[t] = tile[t % 4][t / 4];
}
__global__ void k(const float* in, float* out) {
    __shared__ double d[32];
    __shared__ Pair p[32];
    __shared__ __half h[32];
    __shared__ __nv_bfloat16 bf[32];
    __shared__ bool b[32];
    __shared__ char c[32];
    __shared__ long long l[32];
    __shared__ Colour e[32];
    __shared__ float4 f4[32];
    __shared__ unsigned u[32];
    __shared__ int n[32];
    int t = threadIdx.x;
    d[t] = in[t] / 3;
    p[t] = {in[t], t};
    h[t] = __float2half(in[t]);
    bf[t] = __float2bfloat16(in[t]);
    b[t] = t & 1;
    c[t] = 'a' + t % 26;
    l[t] = -(1ll << 40) * t;
    e[t] = t & 1 ? green : red;
    f4[t] = make_float4(t, 1, 2, in[t]);
    u[t] = 4000000000u + t;
    n[t] = -t;
    __syncthreads();
    out[t] = d[31 - t] + p[t].v + __half2float(h[t]) + __bfloat162float(bf[t]) + b[t] + c[t] + l[t] + e[t] + f4[t].w + u[t] + n[t];
}
int main() {
    float h[32], *a, *b;
    for (int i = 0; i < 32; ++i) h[i] = i + 0.5f;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(a, b);
    tk<float><<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
}
