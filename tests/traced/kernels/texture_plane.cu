/*--- lanescope
title = "A texture of two dimensions, filtered"

[buffers]
in     = { type = "float", shape = ["6", "8"], init = "iota(1, 1)" }
out    = { type = "float", shape = ["8", "8"] }
nearest = { type = "float", shape = ["8", "8"] }

[textures]
smooth = { buffer = "in", address = "mirror", filter = "linear", normalized = true }
sharp  = { buffer = "in" }

[[launch]]
kernel = "sample"
grid   = ["1"]
block  = ["8", "8"]
args   = ["smooth", "sharp", "out", "nearest"]
---*/
__global__ void sample(cudaTextureObject_t smooth, cudaTextureObject_t sharp, float* out, float* nearest) {
    int x = threadIdx.x, y = threadIdx.y;
    float u = (x - 1) / 6.0f, v = (y - 1) / 5.0f;
    out[y * 8 + x] = tex2D<float>(smooth, u, v);
    if (x != 3)
        nearest[y * 8 + x] = tex2D<float>(sharp, x - 0.5f, y + 0.5f);
}
