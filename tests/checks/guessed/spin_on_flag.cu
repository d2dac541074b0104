// Notes: deadlock (a)
__global__ void spin(volatile int* flag, int* out) {
    while (*flag == 0) {  // (a)
    }
    out[threadIdx.x] = 1;
}
