/*--- lanescope
title = "Structures, real numbers, text"
[buffers]
points = { type = "float2", count = "32", init = "iota" }
out = { type = "float4", count = "16" }
letters = { type = "char", text = "the quick brown fox jumps over it" }
[[launch]]
kernel = "mix"
grid = ["1"]
block = ["16"]
args = ["points", "out", "letters"]
---*/
__global__ void mix(const float2* points, float4* out, char* letters) {
    int t = threadIdx.x;
    float2 a = points[2 * t], b = points[2 * t + 1];
    out[t] = make_float4(a.x, a.y, b.x * 0.3f, b.y * 1e6f);
    letters[t] = letters[t] == ' ' ? '_' : letters[t];
}
