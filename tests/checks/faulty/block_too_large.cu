/*--- lanescope
title = "A block of 2048 threads"

[buffers]
out = { type = "int", count = "2048" }

[[launch]]
kernel = "fill"
grid   = ["1"]
block  = ["2048"]
args   = ["out"]

[[expect]]
problems = ["launch_config"]
---*/
// Finds: launch_config
__global__ void fill(int* out) {
    out[threadIdx.x] = 1;
}
