struct __align__(32) In {
    double x;
    char tag;
};
struct Out {
    In in;
    int n;
};
__global__ void k(Out* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        o[i].in.x = i;
        o[i].n = 1;
    }
}
