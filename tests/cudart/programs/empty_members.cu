// Objects with members of empty classes: debug code copies their byte, which nothing writes.
struct Empty {};
struct Part {
    Empty tag;
    int value;
};
struct Whole {
    Part part;
    Empty tag;
};

__global__ void copies(int* out) {
    Whole whole;
    whole.part.value = threadIdx.x;
    Whole copy = whole;
    out[threadIdx.x] = copy.part.value;
}

__global__ void forgets(int* out) {
    Part part;
    out[threadIdx.x] = part.value;
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    copies<<<1, 32>>>(out);
    forgets<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
