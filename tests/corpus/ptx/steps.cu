extern "C" __global__ void modulo(const int* in, int* out) {
    extern __shared__ int sdata[];
    int tid = threadIdx.x;
    sdata[tid] = in[tid];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

extern "C" __global__ void split_for(int* out, int n) {
    int sum = 0;
    for (int i = 0;
         i < n;
         ++i) {
        sum += i;
    }
    out[0] = sum;
}

extern "C" __global__ void one_line(const int* in, int* out, int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += in[i];
    while (s > 10) s -= 10;
    do s += 3; while (s < 20);
    out[0] = s;
}

extern "C" __global__ void ternary(const int* in, int* out) {
    int v = in[0];
    int w = v > 3 ? v * 2
                  : v + 1;
    out[0] = w > 4 ? w : -w;
}

extern "C" __global__ void early_return(const int* in, int* out, int n) {
    for (int i = 0; i < n; ++i) {
        if (in[i] == 7) {
            out[0] = i;
            return;
        }
    }
    out[0] = -1;
}

__device__ __noinline__ int collatz(int x) {
    int steps = 0;
    while (x != 1) {
        if (x % 2) x = 3 * x + 1;
        else x /= 2;
        ++steps;
    }
    return steps;
}

extern "C" __global__ void calls(const int* in, int* out, int n) {
    int kind = in[0] % 3;
    int r;
    switch (kind) {
        case 0: r = collatz(n); break;
        case 1: r = 5;
        default: r = n + 2;
    }
    for (int i = 0; i < n; ++i) {
        if (i == 1) continue;
        if (i == 3) break;
        r += i;
    }
    out[0] = r;
}
