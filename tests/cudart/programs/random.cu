// Random numbers of cuRAND's interface for the host, as a kernel sees them.
#include <cstdio>

#include <curand.h>

__global__ void twice(float* values) {
    values[threadIdx.x] *= 2;
}

void show(curandRngType_t type) {
    const int count = 8;
    unsigned *d_bits, bits[count];
    float *d_values, values[count];
    cudaMalloc(&d_bits, sizeof bits);
    cudaMalloc(&d_values, sizeof values);
    curandGenerator_t generator;
    int status = curandCreateGenerator(&generator, type);
    status += curandSetPseudoRandomGeneratorSeed(generator, 1234);
    const int integers = curandGenerate(generator, d_bits, count);
    status += curandGenerateUniform(generator, d_values, count);
    twice<<<1, count>>>(d_values);
    cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
    status += curandDestroyGenerator(generator);
    cudaFree(d_bits);
    cudaFree(d_values);
    printf("%d: %d %d, %u %u %u, %.6f %.6f\n", type, status, integers, bits[0], bits[1], bits[7], values[0], values[7]);
}

int main() {
    show(CURAND_RNG_PSEUDO_XORWOW);
    show(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    float value = 0;
    curandGenerator_t generator;
    curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MRG32K3A);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    printf("host: %d", curandGenerateUniform(generator, &value, 1));
    curandDiscreteDistribution_t table = nullptr;
    printf(" %.6f, absent %d\n", value, curandCreatePoissonDistribution(3, &table));
    curandDestroyGenerator(generator);
}
