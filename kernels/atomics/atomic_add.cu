/*--- lanescope
title = "An update that cannot be lost"

[buffers]
mem = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "add_one"
grid   = ["1"]
block  = ["2"]
args   = ["mem"]

[[expect]]
buffer = "mem"
values = [2]
---*/
// Each of two threads adds one, in one indivisible operation.
__global__ void add_one(int* mem)
{
    atomicAdd(mem, 1);
}
