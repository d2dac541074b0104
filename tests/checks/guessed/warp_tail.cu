// Finds: unsynced_lanes (a) (b); unsynced_lanes (b); unsynced_lanes (b) (c); unsynced_lanes (c)
// Finds: unsynced_lanes (c) (d); unsynced_lanes (d); unsynced_lanes (d) (e); unsynced_lanes (e)
// Finds: unsynced_lanes (e) (f); unsynced_lanes (f)
__global__ void reduce(int* g) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int k = 128; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];  // (a)
        s[t] += s[t + 16];  // (b)
        s[t] += s[t + 8];   // (c)
        s[t] += s[t + 4];   // (d)
        s[t] += s[t + 2];   // (e)
        s[t] += s[t + 1];   // (f)
    }
    if (t == 0) g[0] = s[0];
}
