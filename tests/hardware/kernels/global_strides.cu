/*--- lanescope
title = "Global loads and stores of 4 bytes at many strides and starts"

[buffers]
a = { type = "int", count = "1100", init = "iota" }
b = { type = "int", count = "1100", init = "zero" }

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "0", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "2", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "3", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "4", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "7", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "8", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "16", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "31", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "32", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "33", "0"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "1"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "5"]

[[launch]]
kernel = "load"
grid   = ["1"]
block  = ["32"]
args   = ["a", "b", "1", "8"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "0", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "1", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "2", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "3", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "4", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "7", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "8", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "16", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "31", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "32", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "33", "0"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "1", "1"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "1", "5"]

[[launch]]
kernel = "store"
grid   = ["1"]
block  = ["32"]
args   = ["b", "1", "8"]
---*/
__global__ void load(const int* a, int* b, int stride, int start) {
    b[threadIdx.x] = a[start + threadIdx.x * stride];
}

__global__ void store(int* b, int stride, int start) {
    b[start + threadIdx.x * stride] = 7;
}
