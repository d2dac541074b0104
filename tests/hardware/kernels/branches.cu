/*--- lanescope
title = "Branches: uniform and divergent, loops, early returns"

[buffers]
a = { type = "int", count = "64", init = "iota" }

[[launch]]
kernel = "none"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "uniform"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "by_warp"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "odd"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "lower_half"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "two_sides"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "loop_same"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "loop_each"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "early"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "nested"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "either"
grid   = ["1"]
block  = ["64"]
args   = ["a"]

[[launch]]
kernel = "choose"
grid   = ["1"]
block  = ["64"]
args   = ["a"]
---*/
__global__ void none(int* a) { a[threadIdx.x] = 1; }

__global__ void uniform(int* a) {
    if (blockDim.x == 64) a[threadIdx.x] = 1;
}

__global__ void by_warp(int* a) {
    if (threadIdx.x < 32) a[threadIdx.x] = 1;
}

__global__ void odd(int* a) {
    if (threadIdx.x % 2) a[threadIdx.x] = 1;
}

__global__ void lower_half(int* a) {
    if (threadIdx.x % 32 < 16) a[threadIdx.x] = 1;
}

__global__ void two_sides(int* a) {
    if (threadIdx.x % 2)
        a[threadIdx.x] = 1;
    else
        a[threadIdx.x] = 2;
}

__global__ void loop_same(int* a) {
    for (int i = 0; i < 5; ++i) a[threadIdx.x] += i;
}

__global__ void loop_each(int* a) {
    for (unsigned i = 0; i < threadIdx.x % 4; ++i) a[threadIdx.x] += i;
}

__global__ void early(int* a) {
    if (threadIdx.x % 32 > 20) return;
    a[threadIdx.x] = 1;
}

__global__ void nested(int* a) {
    if (threadIdx.x % 2)
        if (threadIdx.x % 4 == 1) a[threadIdx.x] = 1;
}

__global__ void either(int* a) {
    if (threadIdx.x % 2 || threadIdx.x % 3) a[threadIdx.x] = 1;
}

__global__ void choose(int* a) {
    switch (threadIdx.x % 4) {
        case 0: a[threadIdx.x] = 5; break;
        case 1: a[threadIdx.x] = 7; break;
        case 2: a[threadIdx.x] = 9; break;
    }
}
