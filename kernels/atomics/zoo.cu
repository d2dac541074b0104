/*--- lanescope
title = "The atomic operations"

[buffers]
mem = { type = "uint", values = [7, 7, 7, 7, 7, 8, 9, 1, 0, 7, 8] }
old = { type = "uint", count = "mem.count" }

[[launch]]
kernel = "zoo"
grid   = ["1"]
block  = ["1"]
args   = ["mem", "old"]

[[expect]]
buffer = "mem"
values = [12, 2, 5, 5, 7, 9, 0, 0, 9, 5, 8]

[[expect]]
buffer = "old"
values = [7, 7, 7, 7, 7, 8, 9, 1, 0, 7, 8]
---*/
// Each operation changes one cell and returns what was there before.
__global__ void zoo(unsigned* mem, unsigned* old)
{
    old[0] = atomicAdd(&mem[0], 5);
    old[1] = atomicSub(&mem[1], 5);
    old[2] = atomicExch(&mem[2], 5);
    old[3] = atomicMin(&mem[3], 5);
    old[4] = atomicMax(&mem[4], 5);
    old[5] = atomicInc(&mem[5], 9);
    old[6] = atomicInc(&mem[6], 9);  // 9 is followed by 0
    old[7] = atomicDec(&mem[7], 9);
    old[8] = atomicDec(&mem[8], 9);  // 0 is followed by 9
    old[9] = atomicCAS(&mem[9], 7, 5);
    old[10] = atomicCAS(&mem[10], 7, 5);  // the cell does not hold 7 and keeps its value
}
