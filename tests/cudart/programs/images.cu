// Textures over an array, linear memory and memory with a pitch; surfaces of two and three dimensions.
#include <cstdio>
#include <vector>

__global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float sum = tex2D<float>(from, x + 0.5f, y + 0.5f) + tex2D<float>(from, x + 1.0f, y + 0.5f);
    surf2Dwrite(sum / 2, to, x * sizeof(float), y);
}

__global__ void gather(cudaTextureObject_t line, cudaTextureObject_t rows, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(line, n - 1 - i) + tex2D<float>(rows, i % 8, i / 8);
}

__global__ void rotate(cudaSurfaceObject_t solid, int size) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    uchar4 value;
    surf3Dread(&value, solid, x * sizeof(uchar4), y, z);
    value.x += 1, value.w = z;
    surf3Dwrite(value, solid, x * sizeof(uchar4), y, z);
    surf3Dread(&value, solid, (size + x) * sizeof(uchar4), y, z, cudaBoundaryModeClamp);
    value.y += value.w;
    surf3Dwrite(value, solid, (size + x) * sizeof(uchar4), y, z, cudaBoundaryModeZero);
}

int main() {
    const int width = 16, height = 8, n = 64, size = 4;
    std::vector<float> h_values(width * height), h_out(n);
    for (int i = 0; i < width * height; ++i)
        h_values[i] = float(i % 7);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), bytes = cudaCreateChannelDesc<uchar4>();
    cudaArray_t source, target, box;
    cudaMallocArray(&source, &floats, width, height);
    cudaMallocArray(&target, &floats, width, height, cudaArraySurfaceLoadStore);
    cudaMalloc3DArray(&box, &bytes, make_cudaExtent(size, size, size), cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(source, 0, 0, h_values.data(), width * sizeof(float), width * sizeof(float), height,
                        cudaMemcpyHostToDevice);
    std::vector<uchar4> h_box(size * size * size, make_uchar4(1, 2, 3, 4));
    cudaMemcpy3DParms fill{};
    fill.srcPtr = make_cudaPitchedPtr(h_box.data(), size * sizeof(uchar4), size, size);
    fill.dstArray = box, fill.extent = make_cudaExtent(size, size, size), fill.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&fill);
    float *d_line, *d_rows, *d_out;
    size_t pitch;
    cudaMalloc(&d_line, n * sizeof(float)), cudaMalloc(&d_out, n * sizeof(float));
    cudaMallocPitch(&d_rows, &pitch, 8 * sizeof(float), 8);
    cudaMemcpy(d_line, h_values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy2D(d_rows, pitch, h_values.data(), 8 * sizeof(float), 8 * sizeof(float), 8, cudaMemcpyHostToDevice);

    cudaResourceDesc from{}, to{}, solid{}, line{}, rows{};
    from.resType = to.resType = solid.resType = cudaResourceTypeArray;
    from.res.array.array = source, to.res.array.array = target, solid.res.array.array = box;
    line.resType = cudaResourceTypeLinear;
    line.res.linear = {d_line, floats, n * sizeof(float)};
    rows.resType = cudaResourceTypePitch2D;
    rows.res.pitch2D = {d_rows, floats, 8, 8, pitch};
    cudaTextureDesc smooth{}, plain{};
    smooth.addressMode[0] = smooth.addressMode[1] = cudaAddressModeClamp;
    smooth.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t image, strip, table;
    cudaSurfaceObject_t drawn, cube;
    cudaCreateTextureObject(&image, &from, &smooth, nullptr);
    cudaCreateTextureObject(&strip, &line, &plain, nullptr);
    cudaCreateTextureObject(&table, &rows, &plain, nullptr);
    cudaCreateSurfaceObject(&drawn, &to);
    cudaCreateSurfaceObject(&cube, &solid);
    blur<<<dim3(2, 1), dim3(8, 8)>>>(image, drawn, width, height);
    gather<<<2, 32>>>(strip, table, d_out, n);
    rotate<<<size, dim3(size, size)>>>(cube, size);
    cudaMemcpy2DFromArray(h_values.data(), width * sizeof(float), target, 0, 0, width * sizeof(float), height,
                          cudaMemcpyDeviceToHost);
    cudaMemcpy(h_out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy3DParms back{};
    back.srcArray = box, back.dstPtr = fill.srcPtr, back.extent = fill.extent, back.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&back);
    double sum = 0, far = 0, all = 0;
    for (float each : h_values) sum += each;
    for (float each : h_out) far += each;
    for (uchar4 each : h_box) all += each.x + 2 * each.y + 3 * each.z + 5 * each.w;
    printf("%g %g %g %s\n", sum, far, all, cudaGetErrorName(cudaGetLastError()));
    cudaDestroyTextureObject(image), cudaDestroyTextureObject(strip), cudaDestroyTextureObject(table);
    cudaDestroySurfaceObject(drawn), cudaDestroySurfaceObject(cube);
    cudaFreeArray(source), cudaFreeArray(target), cudaFreeArray(box);
    cudaFree(d_line), cudaFree(d_rows), cudaFree(d_out);
    return 0;
}
