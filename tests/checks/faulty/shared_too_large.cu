/*--- lanescope
title = "More shared memory than a block can have"

[buffers]
out = { type = "int", count = "64" }

[[launch]]
kernel = "fill"
grid   = ["1"]
block  = ["64"]
shared = "256 * 1024"
args   = ["out"]

[[expect]]
problems = ["launch_config"]
---*/
// Finds: launch_config
__global__ void fill(int* out) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[threadIdx.x];
}
