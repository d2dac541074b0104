__global__ void copy_vec(const int* in, int* out, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < N / 4; k += blockDim.x * gridDim.x)
        reinterpret_cast<int4*>(out)[k] = reinterpret_cast<const int4*>(in)[k];
    int rem = N % 4;
    if (i == N / 4)
        while (rem) {
            int id = N - rem--;
            out[id] = in[id];
        }
}
