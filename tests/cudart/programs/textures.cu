// What textures and surfaces give, bit by bit: every way of addressing and filtering over many formats and coordinates. For each case it
// prints the number of the samples and a checksum of their bits; with a file's name it also writes all coordinates and bits to this file. On
// a GPU this makes the recording with which the CPU machine is compared.
//
//     textures [POINTS [FILE]]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "texture_cases.h"

static std::FILE* dump = nullptr;

// --- kernels
template <class T, int shape, int fetch>
__global__ void sample(cudaTextureObject_t t, const float4* at, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = at[i].x, y = at[i].y, z = at[i].z, w = at[i].w;
    const int layer = static_cast<int>(w);
    if constexpr (fetch == element) {
        out[i] = tex1Dfetch<T>(t, static_cast<int>(x));
    } else if constexpr (fetch == plain) {
        if constexpr (shape == line) out[i] = tex1D<T>(t, x);
        if constexpr (shape == plane || shape == pitched) out[i] = tex2D<T>(t, x, y);
        if constexpr (shape == solid) out[i] = tex3D<T>(t, x, y, z);
        if constexpr (shape == line_layers) out[i] = tex1DLayered<T>(t, x, layer);
        if constexpr (shape == plane_layers) out[i] = tex2DLayered<T>(t, x, y, layer);
        if constexpr (shape == cube) out[i] = texCubemap<T>(t, x, y, z);
        if constexpr (shape == cube_layers) out[i] = texCubemapLayered<T>(t, x, y, z, layer);
    } else if constexpr (fetch == level) {
        if constexpr (shape == line) out[i] = tex1DLod<T>(t, x, w);
        if constexpr (shape == plane) out[i] = tex2DLod<T>(t, x, y, w);
        if constexpr (shape == solid) out[i] = tex3DLod<T>(t, x, y, z, w);
    } else if constexpr (fetch == gradient) {
        if constexpr (shape == plane) out[i] = tex2DGrad<T>(t, x, y, make_float2(w, 0), make_float2(0, w));
    } else {
        if constexpr (shape == plane) out[i] = tex2Dgather<T>(t, x, y, fetch - gather0);
    }
}

template <class T, cudaSurfaceBoundaryMode mode>
__global__ void read_surface(cudaSurfaceObject_t s, int shape, const float4* at, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int x = static_cast<int>(at[i].x), y = static_cast<int>(at[i].y), z = static_cast<int>(at[i].z);
    if (shape == line) surf1Dread(&out[i], s, x, mode);
    if (shape == plane) surf2Dread(&out[i], s, x, y, mode);
    if (shape == solid) surf3Dread(&out[i], s, x, y, z, mode);
    if (shape == line_layers) surf1DLayeredread(&out[i], s, x, z, mode);
    if (shape == plane_layers) surf2DLayeredread(&out[i], s, x, y, z, mode);
    if (shape == cube) surfCubemapread(&out[i], s, x, y, z, mode);
}

template <class T, cudaSurfaceBoundaryMode mode>
__global__ void write_surface(cudaSurfaceObject_t s, int shape, const float4* at, const T* in, int n) {
    for (int i = 0; i < n; ++i) {  // one after the other: places repeat
        const int x = static_cast<int>(at[i].x), y = static_cast<int>(at[i].y), z = static_cast<int>(at[i].z);
        if (shape == line) surf1Dwrite(in[i], s, x, mode);
        if (shape == plane) surf2Dwrite(in[i], s, x, y, mode);
        if (shape == solid) surf3Dwrite(in[i], s, x, y, z, mode);
        if (shape == plane_layers) surf2DLayeredwrite(in[i], s, x, y, z, mode);
    }
}

// --- runs
static bool wrong(const std::string& name, cudaError_t error) {
    if (error == cudaSuccess) return false;
    std::printf("%s: %s\n", name.c_str(), cudaGetErrorName(error));
    cudaGetLastError();
    return true;
}

static void put(const std::string& name, const std::vector<float4>& at, const void* results, size_t bytes, size_t stride) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const unsigned char*>(results)[i]) * 16777619u;
    std::printf("%s: %zu %08x\n", name.c_str(), bytes / stride, hash);
    if (dump == nullptr) return;
    const uint32_t sizes[3] = {static_cast<uint32_t>(name.size()), static_cast<uint32_t>(at.size()), static_cast<uint32_t>(bytes)};
    std::fwrite(sizes, 4, 3, dump);
    std::fwrite(name.data(), 1, name.size(), dump);
    std::fwrite(at.data(), sizeof(float4), at.size(), dump);
    std::fwrite(results, 1, bytes, dump);
}

template <class T, int shape, int fetch>
static cudaError_t fetch_all(cudaTextureObject_t t, const std::vector<float4>& at, std::vector<unsigned char>& out) {
    float4* where = nullptr;
    T* results = nullptr;
    const int n = static_cast<int>(at.size());
    out.resize(n * sizeof(T));
    cudaMalloc(&where, n * sizeof(float4));
    cudaMalloc(&results, n * sizeof(T));
    cudaMemcpy(where, at.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    sample<T, shape, fetch><<<(n + 127) / 128, 128>>>(t, where, results, n);
    const cudaError_t error = cudaMemcpy(out.data(), results, out.size(), cudaMemcpyDeviceToHost);
    cudaFree(where);
    cudaFree(results);
    return error;
}

template <class T>
static cudaError_t fetch_typed(const Case& c, cudaTextureObject_t t, const std::vector<float4>& at, std::vector<unsigned char>& out) {
    switch (c.fetch) {
        case element: return fetch_all<T, memory, element>(t, at, out);
        case level:
            return c.shape == line    ? fetch_all<T, line, level>(t, at, out)
                   : c.shape == plane ? fetch_all<T, plane, level>(t, at, out)
                                      : fetch_all<T, solid, level>(t, at, out);
        case gradient: return fetch_all<T, plane, gradient>(t, at, out);
        case gather0: return fetch_all<T, plane, gather0>(t, at, out);
        case gather1: return fetch_all<T, plane, gather1>(t, at, out);
        case gather2: return fetch_all<T, plane, gather2>(t, at, out);
        case gather3: return fetch_all<T, plane, gather3>(t, at, out);
        default: break;
    }
    switch (c.shape) {
        case line: return fetch_all<T, line, plain>(t, at, out);
        case solid: return fetch_all<T, solid, plain>(t, at, out);
        case line_layers: return fetch_all<T, line_layers, plain>(t, at, out);
        case plane_layers: return fetch_all<T, plane_layers, plain>(t, at, out);
        case cube: return fetch_all<T, cube, plain>(t, at, out);
        case cube_layers: return fetch_all<T, cube_layers, plain>(t, at, out);
        default: return fetch_all<T, plane, plain>(t, at, out);
    }
}

static cudaChannelFormatDesc description(const Format& f) {
    return cudaCreateChannelDesc(f.bits, f.channels > 1 ? f.bits : 0, f.channels > 2 ? f.bits : 0, f.channels > 3 ? f.bits : 0, f.kind);
}

static cudaExtent extent_of(const Case& c) {
    switch (c.shape) {
        case line: return make_cudaExtent(c.width, 0, 0);
        case plane: return make_cudaExtent(c.width, c.height, 0);
        case line_layers: return make_cudaExtent(c.width, 0, c.depth);
        default: return make_cudaExtent(c.width, c.height, c.depth);
    }
}
static int texels_of(const Case& c) {
    const cudaExtent e = extent_of(c);
    return static_cast<int>(e.width * (e.height ? e.height : 1) * (e.depth ? e.depth : 1));
}

static cudaError_t make_array(const Case& c, unsigned more, cudaArray_t* array) {
    unsigned flags = more;
    if (c.shape == line_layers || c.shape == plane_layers || c.shape == cube_layers) flags |= cudaArrayLayered;
    if (c.shape == cube || c.shape == cube_layers) flags |= cudaArrayCubemap;
    const cudaChannelFormatDesc format = description(c.format);
    const cudaError_t error = cudaMalloc3DArray(array, &format, extent_of(c), flags);
    if (error != cudaSuccess) return error;
    const std::vector<unsigned char> bytes = contents_of(c, texels_of(c));
    const cudaExtent e = extent_of(c);
    cudaMemcpy3DParms copy{};
    const size_t row = e.width * c.format.bytes(), rows = e.height ? e.height : 1;
    copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(bytes.data()), row, e.width, rows);
    copy.dstArray = *array;
    copy.extent = make_cudaExtent(e.width, rows, e.depth ? e.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    return cudaMemcpy3D(&copy);
}

static void run(const Case& c) {
    const std::string name = c.name();
    cudaResourceDesc resource{};
    cudaArray_t array = nullptr;
    void* linear = nullptr;
    if (c.shape == memory || c.shape == pitched) {
        const std::vector<unsigned char> bytes = contents_of(c, texels_of(c));
        size_t pitch = 0;
        const size_t row = static_cast<size_t>(c.width) * c.format.bytes();
        if (wrong(name, cudaMallocPitch(&linear, &pitch, row, c.height))) return;
        cudaMemcpy2D(linear, pitch, bytes.data(), row, row, c.height, cudaMemcpyHostToDevice);
        if (c.shape == memory) {
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = linear;
            resource.res.linear.desc = description(c.format);
            resource.res.linear.sizeInBytes = row;
        } else {
            resource.resType = cudaResourceTypePitch2D;
            resource.res.pitch2D.devPtr = linear;
            resource.res.pitch2D.desc = description(c.format);
            resource.res.pitch2D.width = c.width;
            resource.res.pitch2D.height = c.height;
            resource.res.pitch2D.pitchInBytes = pitch;
        }
    } else {
        if (wrong(name, make_array(c, c.fetch >= gather0 && c.fetch <= gather3 ? cudaArrayTextureGather : 0, &array))) return;
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureDesc how{};
    for (int k = 0; k < 3; ++k) how.addressMode[k] = c.mode[k];
    how.filterMode = c.filter;
    how.readMode = c.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = c.normalized;
    how.sRGB = c.srgb;
    if (c.border_colour) {
        const float colour[4] = {0.3f, -0.7f, 1.5f, 300.0f};
        std::memcpy(how.borderColor, colour, sizeof colour);
    }
    cudaTextureObject_t texture = 0;
    if (!wrong(name, cudaCreateTextureObject(&texture, &resource, &how, nullptr))) {
        const std::vector<float4> at = coordinates(c);
        std::vector<unsigned char> out;
        const bool floats = c.as_float || c.format.kind == cudaChannelFormatKindFloat;
        const cudaError_t error = floats                                            ? fetch_typed<float4>(c, texture, at, out)
                                  : c.format.kind == cudaChannelFormatKindSigned ? fetch_typed<int4>(c, texture, at, out)
                                                                                    : fetch_typed<uint4>(c, texture, at, out);
        if (!wrong(name, error)) put(name, at, out.data(), out.size(), 16);
        wrong(name, cudaDestroyTextureObject(texture));
    }
    if (array != nullptr) wrong(name, cudaFreeArray(array));
    if (linear != nullptr) wrong(name, cudaFree(linear));
}

template <class T, cudaSurfaceBoundaryMode mode>
static void run_surface(Case c, const char* what, const char* mode_name) {
    const std::string name = std::string("surface ") + what + " " + mode_name + " " + std::to_string(sizeof(T)) + " " + c.name();
    cudaArray_t array = nullptr;
    if (wrong(name, make_array(c, cudaArraySurfaceLoadStore, &array))) return;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    if (wrong(name, cudaCreateSurfaceObject(&surface, &resource))) return;
    const bool outside = mode != cudaBoundaryModeTrap, writes = *what == 'w';
    Random random{static_cast<uint64_t>(c.width)};
    std::vector<float4> at;
    const int n = writes ? 16 : points / 4;
    for (int i = 0; i < n; ++i) {
        const int margin = outside ? 2 : 0;
        const auto place = [&](int size) { return random.below(size + 2 * margin) - margin; };
        const int last = c.shape == cube || c.shape == line_layers || c.shape == plane_layers ? random.below(c.depth) : place(c.depth);
        const int x = place(c.width * c.format.bytes() / static_cast<int>(sizeof(T))), y = place(c.height), unit = static_cast<int>(sizeof(T));
        at.push_back(make_float4(static_cast<float>(x * unit), static_cast<float>(y), static_cast<float>(last), 0));
    }
    float4* where = nullptr;
    T* values = nullptr;
    std::vector<T> host(n);
    for (T& value : host)
        for (size_t k = 0; k < sizeof(T); ++k) reinterpret_cast<unsigned char*>(&value)[k] = static_cast<unsigned char>(random.bits());
    cudaMalloc(&where, n * sizeof(float4));
    cudaMalloc(&values, n * sizeof(T));
    cudaMemcpy(where, at.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(values, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    if (writes) {
        write_surface<T, mode><<<1, 1>>>(surface, c.shape, where, values, n);
        const cudaExtent e = extent_of(c);
        std::vector<unsigned char> bytes(static_cast<size_t>(texels_of(c)) * c.format.bytes());
        cudaMemcpy3DParms copy{};
        const size_t rows = e.height ? e.height : 1;
        copy.srcArray = array;
        copy.dstPtr = make_cudaPitchedPtr(bytes.data(), e.width * c.format.bytes(), e.width, rows);
        copy.extent = make_cudaExtent(e.width, rows, e.depth ? e.depth : 1);
        copy.kind = cudaMemcpyDeviceToHost;
        if (!wrong(name, cudaMemcpy3D(&copy))) put(name, at, bytes.data(), bytes.size(), 1);
    } else {
        read_surface<T, mode><<<(n + 127) / 128, 128>>>(surface, c.shape, where, values, n);
        if (!wrong(name, cudaMemcpy(host.data(), values, n * sizeof(T), cudaMemcpyDeviceToHost)))
            put(name, at, host.data(), n * sizeof(T), sizeof(T));
    }
    cudaFree(where);
    cudaFree(values);
    wrong(name, cudaDestroySurfaceObject(surface));
    wrong(name, cudaFreeArray(array));
}

template <class T>
static void surfaces(const Case& c) {
    for (const char* what : {"read", "write"}) {
        if (*what == 'w' && (c.shape == cube || c.shape == line_layers)) continue;
        run_surface<T, cudaBoundaryModeTrap>(c, what, "trap");
        run_surface<T, cudaBoundaryModeClamp>(c, what, "clamp");
        run_surface<T, cudaBoundaryModeZero>(c, what, "zero");
    }
}

static void all_modes(Case c) {
    for (const cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
        for (const bool normalized : {false, true})
            for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
                c.mode[0] = c.mode[1] = c.mode[2] = mode;
                c.normalized = normalized;
                c.filter = filter;
                if (filter == cudaFilterModeLinear && c.format.kind != cudaChannelFormatKindFloat && !c.as_float) continue;
                run(c);
            }
}

static Case shaped(Shape shape, Format format, int width, int height, int depth) {
    Case c;
    c.shape = shape;
    c.format = format;
    c.width = width;
    c.height = height;
    c.depth = depth;
    return c;
}

static void shapes() {
    all_modes(shaped(line, f32x1, 7, 1, 1));
    all_modes(shaped(line, f32x1, 64, 1, 1));
    all_modes(shaped(line, f32x1, 1, 1, 1));
    all_modes(shaped(line, f32x1, 1000, 1, 1));
    all_modes(shaped(plane, f32x1, 5, 3, 1));
    all_modes(shaped(plane, f32x1, 64, 48, 1));
    all_modes(shaped(pitched, f32x1, 33, 17, 1));
    all_modes(shaped(solid, f32x1, 4, 5, 6));
    all_modes(shaped(line_layers, f32x1, 9, 1, 3));
    all_modes(shaped(plane_layers, f32x1, 6, 5, 4));
    all_modes(shaped(cube, f32x1, 4, 4, 6));
    all_modes(shaped(cube, f32x1, 5, 5, 6));
    all_modes(shaped(cube_layers, f32x1, 3, 3, 12));
    Case three = shaped(solid, f32x1, 4, 5, 6);
    three.normalized = true;
    three.mode[0] = cudaAddressModeMirror;
    three.mode[1] = cudaAddressModeWrap;
    three.mode[2] = cudaAddressModeBorder;
    run(three);
    three.filter = cudaFilterModeLinear;
    run(three);
}

static void formats() {
    for (const Format& f : {f32x1, f32x2, f32x4, f16x1, f16x2, f16x4, u8x1, u8x2, u8x4, s8x1, s8x4, u16x1, u16x4, s16x1, s16x2, u32x1, u32x4, s32x1, s32x2}) {
        const bool is_float = f.kind == cudaChannelFormatKindFloat;
        for (const bool as_float : {false, true}) {
            if (as_float && (is_float || f.bits == 32)) continue;
            for (const Shape shape : {line, plane, solid, pitched}) {
                Case c = shaped(shape, f, 16, shape == line ? 1 : 8, shape == solid ? 4 : 1);
                c.as_float = as_float;
                for (const Contents contents : {mixed, wide, odd, impulses})
                    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
                        if (filter == cudaFilterModeLinear && !is_float && !as_float) continue;
                        if (!is_float && (contents == wide || contents == odd)) continue;
                        if (shape == pitched && contents != mixed) continue;
                        c.contents = contents;
                        c.filter = filter;
                        run(c);
                        if (contents != mixed || shape != plane) continue;
                        Case border = c;
                        border.mode[0] = border.mode[1] = cudaAddressModeBorder;
                        border.normalized = border.border_colour = true;
                        run(border);
                    }
            }
            Case fetched = shaped(memory, f, 19, 1, 1);
            fetched.as_float = as_float;
            fetched.fetch = element;
            run(fetched);
            fetched.width = 256;
            run(fetched);
        }
    }
    Case c = shaped(plane, u8x4, 16, 16, 1);
    c.as_float = c.srgb = c.normalized = true;
    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        c.filter = filter;
        run(c);
    }
}

static void other_fetches() {
    for (const Fetch fetch : {gather0, gather1, gather2, gather3, level, gradient})
        for (const Format& f : {f32x1, f32x4, u8x4, u32x1}) {
            Case c = shaped(plane, f, 8, 6, 1);
            c.fetch = fetch;
            if (fetch >= level && fetch <= gradient && f.kind != cudaChannelFormatKindFloat) continue;
            for (const cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
                for (const bool normalized : {false, true})
                    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
                        if (filter == cudaFilterModeLinear && f.kind != cudaChannelFormatKindFloat) continue;
                        c.mode[0] = c.mode[1] = mode;
                        c.normalized = normalized;
                        c.filter = filter;
                        run(c);
                    }
        }
    Case c = shaped(line, f32x1, 7, 1, 1);
    c.fetch = level;
    c.normalized = true;
    c.filter = cudaFilterModeLinear;
    run(c);
    c = shaped(solid, f32x1, 4, 5, 6);
    c.fetch = level;
    c.normalized = true;
    c.filter = cudaFilterModeLinear;
    run(c);
}

int main(int count, char** words) {
    if (count > 1) points = std::atoi(words[1]);
    if (count > 2) dump = std::fopen(words[2], "wb");
    shapes();
    formats();
    other_fetches();
    surfaces<float>(shaped(line, f32x1, 9, 1, 1));
    surfaces<float>(shaped(plane, f32x1, 9, 5, 1));
    surfaces<float>(shaped(solid, f32x1, 4, 3, 5));
    surfaces<float>(shaped(line_layers, f32x1, 9, 1, 3));
    surfaces<float>(shaped(plane_layers, f32x1, 6, 4, 3));
    surfaces<float>(shaped(cube, f32x1, 4, 4, 6));
    surfaces<unsigned char>(shaped(plane, u8x1, 9, 5, 1));
    surfaces<uchar4>(shaped(plane, u8x4, 9, 5, 1));
    surfaces<short2>(shaped(plane, s16x2, 9, 5, 1));
    surfaces<float4>(shaped(plane, f32x4, 9, 5, 1));
    surfaces<int2>(shaped(plane, s32x2, 9, 5, 1));
    surfaces<ushort1>(shaped(plane, f16x1, 9, 5, 1));
    surfaces<unsigned char>(shaped(plane, u8x4, 36, 5, 1));
    surfaces<float4>(shaped(plane, f32x1, 16, 5, 1));
    if (dump != nullptr) std::fclose(dump);
}
