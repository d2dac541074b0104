// Calls about arrays, textures and surfaces, good, bad and out of order, and what each returns: a line each. On a GPU with NVIDIA's
// runtime this makes the recording with which the CPU machine is compared. The word names a section.
#include <cstdint>
#include <cstdio>
#include <cstring>

static int calls = 0;
#define CALL(expression) std::printf("%3d %-10s %s\n", ++calls, short_name(expression), #expression)
#define SECTION(name) std::printf("%3d %-10s last error before: %s\n", ++calls, short_name(cudaGetLastError()), name)

static const char* short_name(cudaError_t error) {
    static char text[64];
    const char* name = cudaGetErrorName(error);
    std::snprintf(text, sizeof text, "%s", std::strncmp(name, "cudaError", 9) == 0 ? name + 9 : name + 4);
    return text;
}
static void tell(const char* what, long long value) {
    std::printf("%3d %-10lld %s\n", ++calls, value, what);
}

static const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const cudaChannelFormatDesc bytes4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};
static const cudaChannelFormatDesc words = {32, 0, 0, 0, cudaChannelFormatKindUnsigned};

__global__ void read_texture(cudaTextureObject_t t, float* out) {
    *out = tex2D<float>(t, 1.0f, 1.0f);
}
__global__ void read_line(cudaTextureObject_t t, float* out) {
    *out = tex1D<float>(t, 1.0f);
}
__global__ void read_element(cudaTextureObject_t t, float* out) {
    *out = tex1Dfetch<float>(t, 1);
}
__global__ void read_bits(cudaTextureObject_t t, unsigned* out) {
    *out = tex2D<unsigned>(t, 1.0f, 1.0f);
}
__global__ void read_surface(cudaSurfaceObject_t s, float* out, int x, int y) {
    *out = surf2Dread<float>(s, x, y);
}
__global__ void write_surface(cudaSurfaceObject_t s, int x, int y) {
    surf2Dwrite(1.0f, s, x, y);
}

static void arrays() {
    SECTION("arrays");
    cudaArray_t a = nullptr, b = nullptr, solid = nullptr, layers = nullptr, bad = nullptr;
    CALL(cudaMallocArray(&a, &floats, 16, 8));
    CALL(cudaMallocArray(&b, &floats, 16, 0));
    CALL(cudaMallocArray(&bad, &floats, 0, 8));
    CALL(cudaMallocArray(&bad, &floats, 0, 0));
    CALL(cudaMallocArray(nullptr, &floats, 16, 8));
    CALL(cudaMallocArray(&bad, nullptr, 16, 8));
    CALL(cudaMallocArray(&bad, &floats, 1 << 18, 0));
    CALL(cudaMallocArray(&bad, &floats, 131073, 1));
    CALL(cudaMallocArray(&bad, &floats, 16, 65537));
    CALL(cudaMallocArray(&bad, &floats, 16, 65536));
    CALL(cudaFreeArray(bad));
    CALL(cudaMallocArray(&bad, &floats, 16, 8, cudaArrayLayered));
    CALL(cudaMallocArray(&bad, &floats, 16, 8, 0x1000));
    CALL(cudaMallocArray(&bad, &floats, 16, 8, cudaArrayTextureGather));
    CALL(cudaFreeArray(bad));
    cudaChannelFormatDesc odd = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    odd = {8, 0, 0, 0, cudaChannelFormatKindFloat};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    odd = {8, 16, 0, 0, cudaChannelFormatKindUnsigned};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    odd = {0, 0, 0, 0, cudaChannelFormatKindUnsigned};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    odd = {64, 0, 0, 0, cudaChannelFormatKindUnsigned};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    odd = {32, 0, 0, 0, cudaChannelFormatKindNone};
    CALL(cudaMallocArray(&bad, &odd, 16, 8));
    CALL(cudaMalloc3DArray(&solid, &floats, make_cudaExtent(4, 5, 6), 0));
    CALL(cudaMalloc3DArray(&layers, &floats, make_cudaExtent(4, 5, 3), cudaArrayLayered));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 0, 6), 0));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 0, 3), cudaArrayLayered));
    CALL(cudaFreeArray(bad));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 5, 6), cudaArrayCubemap));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 4, 5), cudaArrayCubemap));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    CALL(cudaFreeArray(bad));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 4, 13), cudaArrayCubemap | cudaArrayLayered));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered));
    CALL(cudaFreeArray(bad));
    CALL(cudaMalloc3DArray(&bad, &floats, make_cudaExtent(4, 5, 3000), cudaArrayLayered));
    cudaChannelFormatDesc got = {};
    cudaExtent extent = {};
    unsigned flags = 77;
    CALL(cudaGetChannelDesc(&got, a));
    tell("x", got.x);
    tell("y", got.y);
    tell("kind", got.f);
    CALL(cudaGetChannelDesc(nullptr, a));
    CALL(cudaGetChannelDesc(&got, nullptr));
    CALL(cudaArrayGetInfo(&got, &extent, &flags, a));
    tell("width", extent.width);
    tell("height", extent.height);
    tell("depth", extent.depth);
    tell("flags", flags);
    CALL(cudaArrayGetInfo(&got, &extent, &flags, b));
    tell("height", extent.height);
    CALL(cudaArrayGetInfo(nullptr, nullptr, nullptr, layers));
    CALL(cudaArrayGetInfo(&got, &extent, &flags, layers));
    tell("depth", extent.depth);
    tell("flags", flags);
    CALL(cudaArrayGetInfo(&got, &extent, &flags, nullptr));

    float host[256] = {}, back[256] = {};
    float* linear = nullptr;
    for (int i = 0; i < 256; ++i) host[i] = i;
    CALL(cudaMalloc(&linear, sizeof host));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 8, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
    tell("last", static_cast<int>(back[127]));
    CALL(cudaMemcpy2DToArray(a, 8, 2, host, 64, 16, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
    tell("element (2, 3)", static_cast<int>(back[3 * 16 + 2]));
    CALL(cudaMemcpy2DToArray(a, 2, 0, host, 64, 16, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 15, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 68, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 7, host, 64, 64, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 32, 64, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 0, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(nullptr, 0, 0, host, 64, 64, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, nullptr, 64, 64, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 2, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 2, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 2, cudaMemcpyDefault));
    CALL(cudaMemcpy2DToArray(a, 0, 0, linear, 64, 64, 2, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy2DToArray(a, 0, 0, linear, 64, 64, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 64, 8, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DFromArray(linear, 64, a, 0, 0, 64, 8, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpyToArray(a, 0, 0, host, 512, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyFromArray(back, a, 0, 0, 512, cudaMemcpyDeviceToHost));
    tell("last", static_cast<int>(back[127]));
    CALL(cudaMemcpyToArray(a, 4, 0, host, 512, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyToArray(a, 4, 1, host, 100, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyFromArray(back, a, 0, 0, 512, cudaMemcpyDeviceToHost));
    tell("element (0, 2)", static_cast<int>(back[32]));
    CALL(cudaMemcpy2DToArrayAsync(a, 0, 0, host, 64, 64, 8, cudaMemcpyHostToDevice, nullptr));
    cudaArray_t other = nullptr;
    CALL(cudaMallocArray(&other, &floats, 16, 8));
    CALL(cudaMemcpy2DArrayToArray(other, 0, 0, a, 0, 0, 64, 8, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy2DArrayToArray(other, 0, 1, a, 0, 0, 64, 8, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy2DArrayToArray(other, 0, 0, a, 0, 0, 64, 8, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 5);
    copy.dstArray = solid;
    copy.extent = make_cudaExtent(4, 5, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    copy.extent.depth = 7;
    CALL(cudaMemcpy3D(&copy));
    copy.extent.depth = 6;
    copy.dstPos.x = 1;
    CALL(cudaMemcpy3D(&copy));
    copy.extent.width = 3;
    CALL(cudaMemcpy3D(&copy));
    copy.dstPtr = make_cudaPitchedPtr(linear, 16, 4, 5);
    CALL(cudaMemcpy3D(&copy));
    copy = {};
    copy.srcArray = solid;
    copy.dstPtr = make_cudaPitchedPtr(back, 16, 4, 5);
    copy.extent = make_cudaExtent(4, 5, 6);
    copy.kind = cudaMemcpyDeviceToHost;
    CALL(cudaMemcpy3D(&copy));
    tell("element", static_cast<int>(back[4 * 5 + 1]));
    copy.dstArray = a;
    CALL(cudaMemcpy3D(&copy));
    copy = {};
    copy.extent = make_cudaExtent(4, 5, 6);
    CALL(cudaMemcpy3D(&copy));
    CALL(cudaMemcpy3D(nullptr));
    CALL(cudaFreeArray(other));
    CALL(cudaFreeArray(nullptr));
    CALL(cudaFreeArray(a));
    CALL(cudaFreeArray(b));
    CALL(cudaFreeArray(solid));
    CALL(cudaFreeArray(layers));
    CALL(cudaFree(linear));
    SECTION("end");
}

static cudaResourceDesc array_of(cudaArray_t array) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}
static cudaResourceDesc linear_of(void* pointer, size_t bytes, cudaChannelFormatDesc format = floats) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = pointer;
    r.res.linear.sizeInBytes = bytes;
    r.res.linear.desc = format;
    return r;
}
static cudaResourceDesc pitched_of(void* pointer, size_t width, size_t height, size_t pitch, cudaChannelFormatDesc format = floats) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = pointer;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    r.res.pitch2D.desc = format;
    return r;
}

static void objects() {
    SECTION("objects");
    cudaArray_t a = nullptr, w = nullptr, s = nullptr;
    char* p = nullptr;
    static float host[64];
    CALL(cudaMallocArray(&a, &floats, 16, 8));
    CALL(cudaMallocArray(&w, &words, 16, 8));
    CALL(cudaMallocArray(&s, &floats, 16, 8, cudaArraySurfaceLoadStore));
    CALL(cudaMalloc(&p, 1 << 16));
    cudaResourceDesc r = array_of(a);
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 0, u = 0;
    CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
    tell("the object is not 0", t != 0);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    tell("objects differ", t != u);
    CALL(cudaDestroyTextureObject(u));
    CALL(cudaDestroyTextureObject(u));
    CALL(cudaDestroyTextureObject(0));
    CALL(cudaDestroyTextureObject(12345));
    CALL(cudaCreateTextureObject(nullptr, &r, &d, nullptr));
    CALL(cudaCreateTextureObject(&u, nullptr, &d, nullptr));
    CALL(cudaCreateTextureObject(&u, &r, nullptr, nullptr));
    cudaResourceDesc got = {};
    cudaTextureDesc how = {};
    CALL(cudaGetTextureObjectResourceDesc(&got, t));
    tell("type", got.resType);
    tell("array", got.res.array.array == a);
    CALL(cudaGetTextureObjectTextureDesc(&how, t));
    tell("normalized", how.normalizedCoords);
    cudaResourceViewDesc view = {};
    CALL(cudaGetTextureObjectResourceViewDesc(&view, t));
    CALL(cudaGetTextureObjectResourceDesc(&got, 12345));
    CALL(cudaGetTextureObjectResourceDesc(nullptr, t));
    CALL(cudaGetTextureObjectTextureDesc(&how, 0));
    r = array_of(nullptr);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = array_of(a);
    d.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.filterMode = static_cast<cudaTextureFilterMode>(9);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.readMode = cudaReadModeNormalizedFloat;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = array_of(w);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.filterMode = cudaFilterModeLinear;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.sRGB = 1;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = array_of(a);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.addressMode[0] = cudaAddressModeWrap;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d.addressMode[0] = cudaAddressModeMirror;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.maxAnisotropy = 16;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d.maxAnisotropy = 17;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    r = linear_of(p, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p + 256, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p + 512, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p + 32, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p + 4, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p + 1, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, 0);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, 3);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, 4095);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, size_t{1} << 31);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, size_t{1} << 20);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(nullptr, 4096);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(host, 256);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, 4096, {32, 32, 32, 0, cudaChannelFormatKindFloat});
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = linear_of(p, 4096);
    d.filterMode = cudaFilterModeLinear;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    d.normalizedCoords = 1;
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    d = {};
    r = pitched_of(p, 16, 8, 512);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 8, 64);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 8, 32);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 8, 96);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 8, 80);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 0, 8, 64);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 0, 64);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p + 64, 16, 8, 64);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 200000, 1, 800000);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = pitched_of(p, 16, 70000, 64);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    r = {};
    r.resType = static_cast<cudaResourceType>(9);
    CALL(cudaCreateTextureObject(&u, &r, &d, nullptr));
    cudaSurfaceObject_t surface = 0;
    r = array_of(s);
    CALL(cudaCreateSurfaceObject(&surface, &r));
    CALL(cudaGetSurfaceObjectResourceDesc(&got, surface));
    tell("array", got.res.array.array == s);
    CALL(cudaDestroySurfaceObject(surface));
    CALL(cudaDestroySurfaceObject(surface));
    CALL(cudaDestroySurfaceObject(0));
    r = array_of(a);
    CALL(cudaCreateSurfaceObject(&surface, &r));
    CALL(cudaCreateSurfaceObject(nullptr, &r));
    CALL(cudaCreateSurfaceObject(&surface, nullptr));
    r = array_of(nullptr);
    CALL(cudaCreateSurfaceObject(&surface, &r));
    r = linear_of(p, 4096);
    CALL(cudaCreateSurfaceObject(&surface, &r));
    size_t width = 0;
    CALL(cudaDeviceGetTexture1DLinearMaxWidth(&width, &floats, 0));
    tell("widest", width);
    tell("x of cudaCreateChannelDesc<short2>()", cudaCreateChannelDesc<short2>().x);
    CALL(cudaDestroyTextureObject(t));
    CALL(cudaFreeArray(a));
    SECTION("end");
}

// What a kernel finds where the object and the fetch do not fit.
static void misuse(int which) {
    cudaArray_t a = nullptr, line = nullptr, s = nullptr;
    float *out = nullptr, result = -1, host[128];
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMallocArray(&a, &floats, 16, 8);
    cudaMallocArray(&line, &floats, 16, 0);
    cudaMallocArray(&s, &floats, 16, 8, cudaArraySurfaceLoadStore);
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 8, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(s, 0, 0, host, 64, 64, 8, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(line, 0, 0, host, 64, 64, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc of_a = array_of(a), of_line = array_of(line), of_s = array_of(s);
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 0, t_line = 0;
    cudaSurfaceObject_t surface = 0;
    CALL(cudaCreateTextureObject(&t, &of_a, &d, nullptr));
    CALL(cudaCreateTextureObject(&t_line, &of_line, &d, nullptr));
    CALL(cudaCreateSurfaceObject(&surface, &of_s));
    switch (which) {
        case 0: read_texture<<<1, 1>>>(0, out); break;
        case 1: read_texture<<<1, 1>>>(123456789, out); break;
        case 2: cudaDestroyTextureObject(t); read_texture<<<1, 1>>>(t, out); break;
        case 3: cudaFreeArray(a); read_texture<<<1, 1>>>(t, out); break;
        case 4: read_texture<<<1, 1>>>(t_line, out); break;
        case 5: read_line<<<1, 1>>>(t, out); break;
        case 6: read_element<<<1, 1>>>(t, out); break;
        case 7: read_bits<<<1, 1>>>(t, (unsigned*)out); break;
        case 8: read_surface<<<1, 1>>>(surface, out, 64, 0); break;
        case 9: read_surface<<<1, 1>>>(surface, out, 0, 8); break;
        case 10: read_surface<<<1, 1>>>(surface, out, 2, 0); break;
        case 11: write_surface<<<1, 1>>>(surface, -4, 0); break;
        case 12: read_surface<<<1, 1>>>(0, out, 0, 0); break;
        case 13: read_surface<<<1, 1>>>(t, out, 4, 0); break;
        case 14: read_texture<<<1, 1>>>(surface, out); break;
        case 15: read_texture<<<1, 1>>>(~0ull, out); break;
        case 16: write_surface<<<1, 1>>>(surface, 6, 0); break;
    }
    tell("case", which);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost));
    std::printf("    result %g\n", result);
}

int main(int count, char** words_) {
    const char* section = count > 1 ? words_[1] : "arrays";
    if (std::strcmp(section, "arrays") == 0) arrays();
    else if (std::strcmp(section, "objects") == 0) objects();
    else misuse(section[0] - 'a');
}
