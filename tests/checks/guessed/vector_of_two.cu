// Notes: out_of_bounds (a)
__global__ void copy2(const int* in, int* out, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (i < n)  // an odd n leads one element too far
        *reinterpret_cast<int2*>(out + i) = *reinterpret_cast<const int2*>(in + i);  // (a)
}
