// A texture that filters a row, a surface that copies it, the array freed too early, and an instruction that is not supported.
#include <cstdio>

__global__ void smooth(float* out, int n, cudaTextureObject_t row, cudaSurfaceObject_t copied) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float left = tex1D<float>(row, (i - 0.5f) / n);
    const float between = tex1D<float>(row, (i + 1.0f) / n);
    out[i] = left + between;
    surf1Dwrite(left, copied, i * 4);
}
__global__ void query(unsigned long long row, int* out) {
    asm volatile("{ .reg .b32 w; txq.width.b32 w, [%1]; st.global.b32 [%0], w; }" ::"l"(out), "l"(row));
}

int main() {
    constexpr int n = 40;
    float host[n], *d;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&d, sizeof host);
    cudaArray_t source, copy;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&source, &format, n);
    cudaMallocArray(&copy, &format, n);
    cudaMemcpy2DToArray(source, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = source;
    cudaTextureDesc how{};
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.addressMode[0] = cudaAddressModeMirror;
    cudaTextureObject_t row;
    cudaCreateTextureObject(&row, &resource, &how, nullptr);
    resource.res.array.array = copy;
    cudaSurfaceObject_t copied;
    cudaCreateSurfaceObject(&copied, &resource);
    smooth<<<1, n>>>(d, n, row, copied);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g %g %g\n", host[0], host[1], host[n - 1]);
    query<<<1, 1>>>(row, reinterpret_cast<int*>(d));
    cudaFreeArray(source);
    smooth<<<1, n>>>(d, n, row, copied);
}
