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
// Two threads add one each, in one operation that nobody can come between.
__global__ void add_one(int* mem)
{
    atomicAdd(mem, 1);
}
