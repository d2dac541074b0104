__global__ void pass(const int* in, int* out, volatile int* flag) {
    if (blockIdx.x == 0) {
        out[0] = in[0] + 1;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        out[blockIdx.x] = out[0];
    }
}
