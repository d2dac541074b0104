/*--- lanescope
title = "A lost update"

[buffers]
mem = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "lost_update"
grid   = ["1"]
block  = ["2"]
args   = ["mem"]

[[expect]]
problems = ["race"]
---*/
// Each of two threads adds one: read, add, write.
__global__ void lost_update(int* mem)
{
    int old = *mem;
    int next = old + 1;
    *mem = next;
}
