/*--- lanescope
title = "A tree in one launch, without barriers"

[params]
n = { default = 32, choices = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048], label = "leaves n" }

[buffers]
in      = { type = "float", count = "n", init = "constant(2)" }
product = { type = "float", count = "1" }
sum     = { type = "float", count = "1" }

[[launch]]
kernel = "reduce<Product>"
grid   = ["1"]
block  = ["n"]
shared = "2 * n * 4"
args   = ["in", "product"]

[[launch]]
kernel = "reduce<Sum>"
grid   = ["1"]
block  = ["n"]
shared = "2 * n * 4"
args   = ["in", "sum"]

[[expect]]
problems = ["race"]
---*/
struct Product {
    __device__ static float of(float a, float b) { return a * b; }
};
struct Sum {
    __device__ static float of(float a, float b) { return a + b; }
};

// tree[1] is the root; tree[2 * i] and tree[2 * i + 1] are the children of tree[i]; the last n cells are the leaves.
template <class Operator>
__global__ void reduce(const float* in, float* out) {
    extern __shared__ float tree[];
    unsigned t = threadIdx.x;
    tree[blockDim.x + t] = in[t];

    for (unsigned first = blockDim.x / 2; first >= 1; first /= 2) {
        if (t >= first && t < 2 * first)
            tree[t] = Operator::of(tree[2 * t], tree[2 * t + 1]);
    }

    if (t == 1)
        out[0] = tree[1];
}
