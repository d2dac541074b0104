__global__ void rotate(const int* in, int* out) {
    __shared__ int cells[48];
    int lane = threadIdx.x;
    cells[lane] = in[lane];
    if (lane < 16) cells[lane + 32] = 0;
    __syncwarp();
    out[lane] = cells[lane + 16];
}
