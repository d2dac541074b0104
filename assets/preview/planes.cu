/*--- lanescope
title = "From a picture to planes and back"

[params]
width    = { default = 20, min = 1, max = 8192 }
height   = { default = 12, min = 1, max = 8192 }
channels = { default = 3, choices = [1, 2, 3, 4] }
channel  = { default = 1, min = 0, max = 3 }
margin   = { default = 2, min = 0, max = 7 }
border   = { default = 1, choices = [0, 1, 2, 3], label = "zero, clamp, mirror, wrap" }
further  = { default = 0, choices = [0, 1], label = "of a second mask: the root of the sum of squares" }

[buffers]
samples = { type = "ushort", count = "width * height * channels", init = "random(0, 255)" }
plane   = { type = "float", count = "(width + 2 * margin) * (height + 2 * margin)" }
values  = { type = "float", count = "width * height", init = "random(0, 255)" }
levels  = { type = "ushort", count = "width * height * channels", init = "random(0, 255)" }
pixels  = { type = "uint", count = "width * height" }

[[launch]]
kernel = "split<float>"
grid   = ["ceil_div(width + 2 * margin, 32)", "ceil_div(height + 2 * margin, 8)"]
block  = ["32", "8"]
args   = ["samples", "plane", "width + 2 * margin", "width", "height", "channels", "channel", "margin", "border"]

[[launch]]
kernel = "merge<float>"
grid   = ["ceil_div(width, 32)", "ceil_div(height, 8)"]
block  = ["32", "8"]
args   = ["plane", "width + 2 * margin", "values", "levels", "width", "height", "channels", "channel", "margin", "1.0",
          "255.0", "further"]

[[launch]]
kernel = "show"
grid   = ["ceil_div(width, 32)", "ceil_div(height, 8)"]
block  = ["32", "8"]
args   = ["levels", "pixels", "width", "height", "channels", "0"]
---*/
// What the preview does on a GPU before and after a kernel: the picture never leaves the device in between.
// Launched with one thread a cell, x along rows.

// Which of `count` pixels counts for a position outside of them; -1: none.
__device__ long long source(long long at, long long count, int border) {
    if (at >= 0 && at < count) return at;
    if (border == 0) return -1;
    if (border == 1) return at < 0 ? 0 : count - 1;
    long long period = border == 3 ? count : count > 1 ? 2 * (count - 1) : 1;
    long long within = (at % period + period) % period;
    return within < count ? within : period - within;
}

// One channel of samples as the values of a kernel's image, `margin` more at each side; `pitch` values a row.
template <typename T>
__global__ void split(const unsigned short* samples, T* plane, long long pitch, int width, int height, int channels,
                      int channel, int margin, int border) {
    long long x = blockIdx.x * blockDim.x + threadIdx.x;
    long long y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width + 2 * margin || y >= height + 2 * margin) return;
    long long from_x = source(x - margin, width, border);
    long long from_y = source(y - margin, height, border);
    bool inside = from_x >= 0 && from_y >= 0;
    plane[y * pitch + x] = inside ? (T)samples[(from_y * width + from_x) * channels + channel] : (T)0;
}

// A kernel's result as values of the channel, without the margin, and as levels: rounded, halves to even, and limited.
// `unit`: what a value is multiplied by. With a second mask the value is the length of both.
template <typename T>
__global__ void merge(const T* plane, long long pitch, float* values, unsigned short* levels, int width, int height,
                      int channels, int channel, int margin, double unit, float max_level, int further) {
    long long x = blockIdx.x * blockDim.x + threadIdx.x;
    long long y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    T given = plane[(y + margin) * pitch + x + margin];
    float value = unit == 1.0 ? (float)given : (float)((double)given * unit);
    long long pixel = y * width + x;
    if (further) {
        double before = values[pixel];
        value = (float)sqrt(before * before + (double)value * value);
    }
    values[pixel] = value;
    levels[pixel * channels + channel] = (unsigned short)fminf(fmaxf(rintf(value), 0.0f), max_level);
}

// Levels as a screen shows them: opaque, red in the lowest byte, alpha over a chequered ground.
__global__ void show(const unsigned short* levels, unsigned* pixels, int width, int height, int channels, int shift) {
    long long x = blockIdx.x * blockDim.x + threadIdx.x;
    long long y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const unsigned short* level = levels + (y * width + x) * channels;
    unsigned alpha = channels % 2 == 0 ? level[channels - 1] >> shift : 255;
    unsigned ground = (x / 8 + y / 8) % 2 ? 60 : 90;
    unsigned pixel = 0xFF000000u;
    for (int i = 0; i < 3; ++i) {
        unsigned shown = level[channels < 3 ? 0 : i] >> shift;
        pixel |= (shown * alpha + ground * (255 - alpha)) / 255 << 8 * i;
    }
    pixels[y * width + x] = pixel;
}
