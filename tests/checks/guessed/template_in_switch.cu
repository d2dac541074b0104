template <int B, bool Z>
__global__ void red(const int* a, int* o, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    int i = blockIdx.x * B + t;
    s[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int d = B / 2; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = Z ? -s[0] : s[0];
}
void go(int threads, const int* a, int* o, int n) {
    switch (threads) {
        case 512:
            red<512, false><<<(n + 511) / 512, 512>>>(a, o, n);
            break;
        case 64:
            red<64, true><<<(n + 63) / 64, 64>>>(a, o, n);
            break;
    }
}
