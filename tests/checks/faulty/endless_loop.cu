/*--- lanescope
title = "A loop that steps over its end"

[buffers]
out = { type = "uint", count = "32" }

[[launch]]
kernel = "count_down"
grid   = ["1"]
block  = ["32"]
args   = ["out"]

[[expect]]
problems = ["step_limit"]
---*/
// Finds: step_limit
// Arguments: --max-steps 100000
__global__ void count_down(unsigned* out) {
    unsigned rounds = 0;
    for (unsigned k = 2 * threadIdx.x + 1; k != 0; k -= 2) {
        rounds += k % 3;
        if (k == 1) k = 2 * threadIdx.x + 3;  // so the loop never ends
    }
    out[threadIdx.x] = rounds;
}
