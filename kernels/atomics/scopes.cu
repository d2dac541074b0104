/*--- lanescope
title = "Scopes"

[params]
blocks = { default = 4, min = 1, max = 65536, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in_block  = { type = "uint", count = "blocks", init = "zero" }
in_device = { type = "uint", count = "1", init = "zero" }
in_system = { type = "uint", count = "1", init = "zero" }

[[launch]]
kernel = "arrive"
grid   = ["blocks"]
block  = ["block"]
args   = ["in_block", "in_device", "in_system"]

[[expect]]
buffer = "in_block"
equals = "constant(block)"

[[expect]]
buffer = "in_device"
equals = "constant(blocks)"

[[expect]]
buffer = "in_system"
equals = "constant(1)"
---*/
// Each counter has a wider scope: the threads of a block, the blocks of a grid, all processors of the machine.
__global__ void arrive(unsigned* in_block, unsigned* in_device, unsigned* in_system)
{
    unsigned before = atomicAdd_block(&in_block[blockIdx.x], 1);
    if (before == blockDim.x - 1) {  // the last thread of its block
        before = atomicAdd(in_device, 1);
        if (before == gridDim.x - 1)  // the last block of the grid
            atomicAdd_system(in_system, 1);
    }
}
