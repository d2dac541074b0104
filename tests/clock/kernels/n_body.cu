/*--- lanescope
title = "Forces between all pairs, with tiles; n is a multiple of the block"

[params]
n = { default = 512 }
block = { default = 256 }

[buffers]
body = { type = "float4", count = "n", init = "random(0.0, 1.0)" }
force = { type = "float4", count = "n" }

[[launch]]
kernel = "forces"
grid   = ["n / block"]
block  = ["block"]
args   = ["n", "body", "force"]
---*/
__global__ void forces(int n, const float4* body, float4* force) {
    __shared__ float4 s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i], sum = make_float4(0, 0, 0, 0);
    for (int first = 0; first < n; first += blockDim.x) {
        s[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; ++k) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = s[k].w * inverse * inverse * inverse;
            sum.x += dx * f, sum.y += dy * f, sum.z += dz * f;
        }
        __syncthreads();
    }
    force[i] = sum;
}
