// Formats, cases, contents of arrays and coordinates of textures.cu.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static int points = 256;

// --- numbers that are the same everywhere
struct Random {
    uint64_t state;
    uint32_t bits() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(state >> 32);
    }
    float unit() { return (bits() >> 8) * 0x1p-24f; }
    int below(int n) { return static_cast<int>(bits() % static_cast<uint32_t>(n)); }
};

enum Shape { line, plane, solid, line_layers, plane_layers, cube, cube_layers, memory, pitched };
enum Fetch { plain, level, gradient, gather0, gather1, gather2, gather3, element };

// --- cases
struct Format {
    const char* name;
    cudaChannelFormatKind kind;
    int bits, channels;
    int bytes() const { return bits / 8 * channels; }
};
const Format f32x1{"f32x1", cudaChannelFormatKindFloat, 32, 1},
    f32x2{"f32x2", cudaChannelFormatKindFloat, 32, 2}, f32x4{"f32x4", cudaChannelFormatKindFloat, 32, 4},
    f16x1{"f16x1", cudaChannelFormatKindFloat, 16, 1}, f16x2{"f16x2", cudaChannelFormatKindFloat, 16, 2},
    f16x4{"f16x4", cudaChannelFormatKindFloat, 16, 4}, u8x1{"u8x1", cudaChannelFormatKindUnsigned, 8, 1},
    u8x2{"u8x2", cudaChannelFormatKindUnsigned, 8, 2}, u8x4{"u8x4", cudaChannelFormatKindUnsigned, 8, 4},
    s8x1{"s8x1", cudaChannelFormatKindSigned, 8, 1}, s8x4{"s8x4", cudaChannelFormatKindSigned, 8, 4},
    u16x1{"u16x1", cudaChannelFormatKindUnsigned, 16, 1},
    u16x4{"u16x4", cudaChannelFormatKindUnsigned, 16, 4}, s16x1{"s16x1", cudaChannelFormatKindSigned, 16, 1},
    s16x2{"s16x2", cudaChannelFormatKindSigned, 16, 2}, u32x1{"u32x1", cudaChannelFormatKindUnsigned, 32, 1},
    u32x4{"u32x4", cudaChannelFormatKindUnsigned, 32, 4}, s32x1{"s32x1", cudaChannelFormatKindSigned, 32, 1},
    s32x2{"s32x2", cudaChannelFormatKindSigned, 32, 2};

enum Contents { mixed, wide, odd, impulses };

struct Case {
    Format format = f32x1;
    Shape shape = plane;
    int width = 5, height = 3, depth = 1;  // depth or layers
    cudaTextureAddressMode mode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
    cudaTextureFilterMode filter = cudaFilterModePoint;
    bool normalized = false, as_float = false, srgb = false, border_colour = false;
    Fetch fetch = plain;
    Contents contents = mixed;
    std::string name() const {
        static const char* const shapes[] = {"1d",   "2d",    "3d",     "a1d",    "a2d",
                                             "cube", "acube", "memory", "pitched"};
        static const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
        static const char* const fetches[] = {"tex",     "level",   "grad",    "gather0",
                                              "gather1", "gather2", "gather3", "fetch"};
        static const char* const what[] = {"mixed", "wide", "odd", "impulses"};
        std::string text = std::string(fetches[fetch]) + " " + shapes[shape] + " " + format.name + " " +
                           std::to_string(width) + "x" + std::to_string(height) + "x" +
                           std::to_string(depth) + " " + modes[mode[0]];
        if (mode[1] != mode[0] || mode[2] != mode[0])
            text += std::string("/") + modes[mode[1]] + "/" + modes[mode[2]];
        text += filter == cudaFilterModeLinear ? " linear" : " point";
        if (normalized) text += " normalized";
        if (as_float) text += " as-float";
        if (srgb) text += " srgb";
        if (border_colour) text += " colour";
        return text + " " + what[contents];
    }
};

static uint32_t float_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
static uint32_t half_bits(float value) {  // a value of few bits
    const uint32_t bits = float_bits(value);
    const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
    return (bits >> 16 & 0x8000) | (value == 0 || exponent <= 0 ? 0 : exponent << 10 | (bits >> 13 & 1023));
}

static std::vector<unsigned char> contents_of(const Case& c, int texels) {
    std::vector<unsigned char> bytes(static_cast<size_t>(texels) * c.format.bytes());
    Random random{static_cast<uint64_t>(c.format.bits * 8 + c.contents)};
    const int size = c.format.bits / 8;
    static const uint32_t odd_floats[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                          0x80000000, 0x7f7fffff, 0x00400000, 0x807fffff,
                                          0x3f800000, 0xff7fffff, 0x00800000, 0};
    for (size_t i = 0; i < bytes.size() / size; ++i) {
        uint32_t value = random.bits();
        if (c.format.kind == cudaChannelFormatKindFloat) {
            const int step = static_cast<int>(i % 17);
            float number = c.contents == impulses ? static_cast<float>(step == 0) : random.unit() * 4 - 2;
            if (c.contents == wide) number = std::ldexp(number, random.below(24) - 12);
            value = size == 4 ? float_bits(number) : half_bits(number);
            if (c.contents == odd && size == 4) value = odd_floats[value % 12];
            if (c.contents == odd && size == 2) value = value & 0xffff;
        } else if (c.contents == impulses) {
            value = i % 17 == 0
                        ? (c.format.kind == cudaChannelFormatKindSigned ? 0x7fffffffu >> (32 - c.format.bits)
                                                                        : ~0u)
                        : 0;
        }
        std::memcpy(bytes.data() + i * size, &value, size);
    }
    return bytes;
}

static const float special[] = {
    0.0f,           -0.0f,          0.5f,         1.0f,           1.5f,          2.0f,          -0.5f,
    -1.0f,          -1.5f,          1e-45f,       -1e-45f,        1e-38f,        -1e-38f,       1e-10f,
    -1e-10f,        0.0009765625f,  0.001953125f, 0.00390625f,    -0.001953125f, -0.00390625f,  0.49999997f,
    0.50000006f,    0.99999994f,    1.0000001f,   0.9980469f,     0.998046f,     0.99805f,      1.9999999f,
    2.0000002f,     2.9999998f,     3.0f,         3.0000002f,     4.9999995f,    5.0f,          5.0000005f,
    4.998f,         4.999f,         6.0f,         7.0f,           8.0f,          100.25f,       1000.5f,
    65535.5f,       65536.0f,       8388607.5f,   8388608.0f,     16777216.0f,   2147483648.0f, 4294967296.0f,
    1e10f,          1e20f,          1e30f,        3.4028235e38f,  -100.25f,      -65536.5f,     -16777217.0f,
    -2147483648.0f, -4294967296.0f, -1e20f,       -3.4028235e38f, INFINITY,      -INFINITY,     NAN,
    0.33333334f,    0.6666667f,     0.2f,         0.4f,           0.6f,          0.8f,          0.1f,
    0.3f,           0.7f,           0.9f,         0.123456f,      0.987654f};

static std::vector<float4> coordinates(const Case& c) {
    std::vector<float4> at;
    const int size[3] = {c.width, c.height, c.depth};
    Random random{static_cast<uint64_t>(c.width * 64 + c.height * 8 + c.depth)};
    const bool direction = c.shape == cube || c.shape == cube_layers;
    const int layers =
        c.shape == line_layers || c.shape == plane_layers || c.shape == cube_layers ? c.depth : 4;
    const int used = c.shape == line || c.shape == line_layers || c.shape == memory ? 1
                     : c.shape == solid || direction                                ? 3
                                                                                    : 2;
    const int specials = sizeof special / sizeof *special;
    for (int i = 0; i < points; ++i) {
        float v[3] = {};
        for (int k = 0; k < 3; ++k) {
            const float extent = static_cast<float>(size[k]);
            if (direction) {
                v[k] = i % 2 ? random.unit() * 2 - 1 : static_cast<float>(random.below(9) - 4) / 4;
            } else if (i % 3 == 2) {
                v[k] = (random.unit() * 4 - 1.5f) * (c.normalized ? 1 : extent);
            } else {  // at multiples of 1/512 of a texel
                v[k] = static_cast<float>(random.below(size[k] * 512 * 2) - size[k] * 256) / 512;
                if (c.normalized) v[k] /= extent;
            }
        }
        if (i < specials * used && !direction) v[i % used] = special[i / used];
        if (direction && i < 64) v[i % 3] = special[i];
        const float last = c.fetch == level || c.fetch == gradient
                               ? random.unit() * 8 - 4
                               : static_cast<float>(random.below(layers + 4) - 2);
        at.push_back(make_float4(v[0], v[1], v[2], last));
    }
    if (c.fetch == element)
        for (int i = 0; i < points; ++i)
            at[i].x = static_cast<float>(i < 8 ? i - 4 : random.below(c.width * 2) - c.width / 2);
    return at;
}
