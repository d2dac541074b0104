/*--- lanescope
title = "The price of options"

[params]
n = { default = 1000 }
block = { default = 128 }

[buffers]
price = { type = "float", count = "n", init = "random(5.0, 30.0)" }
strike = { type = "float", count = "n", init = "random(1.0, 100.0)" }
years = { type = "float", count = "n", init = "random(0.25, 10.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "call"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "price", "strike", "years", "out"]
---*/
__global__ void call(int n, const float* price, const float* strike, const float* years, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float root = sqrtf(years[i]), d1 = (logf(price[i] / strike[i]) + 0.065f * years[i]) / (0.3f * root);
    float d2 = d1 - 0.3f * root;
    out[i] = price[i] * normcdff(d1) - strike[i] * expf(-0.02f * years[i]) * normcdff(d2);
}
