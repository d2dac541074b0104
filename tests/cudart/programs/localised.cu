// A program that prints in its user's language.
#include <clocale>
#include <iostream>
#include <locale>

__global__ void half(double* values) {
    values[threadIdx.x] /= 2;
    if (threadIdx.x == 0) printf("device %.2f\n", values[0]);
}

int main() {
    std::setlocale(LC_ALL, "");
    std::locale::global(std::locale(""));
    std::cout.imbue(std::locale());
    double* values;
    double start[1024] = {2.5};
    cudaMalloc(&values, sizeof start);
    cudaMemcpy(values, start, sizeof start, cudaMemcpyHostToDevice);
    half<<<1, 1024>>>(values);
    cudaDeviceSynchronize();
    cudaFree(values);
    std::cout << "host " << 12345.5 << std::endl;
}
