/*--- lanescope
title = "Convolution of an image whose rows are padded to a pitch"

[params]
rows  = { default = 8, min = 0, max = 16384 }
cols  = { default = 29, min = 0, max = 16384, label = "columns" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
align = { default = 32, choices = [4, 32, 128, 512], label = "alignment of a row in bytes" }

[buffers]
in     = { type = "int", shape = ["rows", "cols"], init = "random(0, 9)" }
mask   = { type = "int", shape = ["width", "width"], values = [
    1, 2, 3, 2, 1,
    2, 3, 4, 3, 2,
    3, 4, 5, 4, 3,
    2, 3, 4, 3, 2,
    1, 2, 3, 2, 1] }
image  = { type = "int", shape = ["rows", "ceil_div(cols * 4, align) * align / 4"] }
result = { type = "int", shape = ["rows", "ceil_div(cols * 4, align) * align / 4"] }
out    = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "copy_rows"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 8))"]
block  = ["32", "8"]
args   = ["in", "image", "cols * 4", "image.width * 4", "rows", "cols"]

[[launch]]
kernel = "convolve"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 8))"]
block  = ["32", "8"]
args   = ["image", "mask", "result", "image.width * 4", "rows", "cols", "width"]

[[launch]]
kernel = "copy_rows"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 8))"]
block  = ["32", "8"]
args   = ["result", "out", "image.width * 4", "cols * 4", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
// Each row begins `pitch` bytes after the row before.
template <class T>
__device__ T* row_at(T* start, int row, int pitch) {
    return (T*)((char*)start + (size_t)row * pitch);
}

__global__ void convolve(const int* in, const int* mask, int* out, int pitch, int rows, int cols, int width) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;

    int sum = 0;
    for (int y = 0; y < width; ++y) {
        int r = row + y - width / 2;
        if (r >= 0 && r < rows) {
            const int* from = row_at(in, r, pitch);
            for (int x = 0; x < width; ++x) {
                int c = col + x - width / 2;
                if (c >= 0 && c < cols)
                    sum += from[c] * mask[y * width + x];
            }
        }
    }
    row_at(out, row, pitch)[col] = sum;
}

// Copies rows of one pitch to rows of another, as cudaMemcpy2D does.
__global__ void copy_rows(const int* in, int* out, int in_pitch, int out_pitch, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        row_at(out, row, out_pitch)[col] = row_at(in, row, in_pitch)[col];
}
