/*--- lanescope
title = "Vectors in rows whose length is a multiple of four"

[buffers]
in  = { type = "int", count = "128", init = "iota" }
out = { type = "int", count = "128" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    __shared__ alignas(16) int rows[8][20];
    int row = threadIdx.x / 4, column = 4 * (threadIdx.x % 4);
    *reinterpret_cast<int4*>(&rows[row][column]) = reinterpret_cast<const int4*>(in)[threadIdx.x];
    __syncwarp();
    for (int i = 0; i < 4; ++i)
        out[4 * threadIdx.x + i] = rows[7 - row][column + i];
}
