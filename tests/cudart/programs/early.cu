// A host that accesses memory too early, or in time; and a grid that leaves elements out.
#include <cstdio>
#include <cstring>
__global__ void fill(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void publish(int* data, volatile int* flag) { data[0] = 7; __threadfence_system(); *flag = 1; }
__managed__ int total;
__global__ void add(int* a) { atomicAdd(&total, a[threadIdx.x]); total = 5; }
int main(int argc, char**) {
    const bool late = argc > 1;  // in time
    const int n = 3000, bytes = n * sizeof(int);
    int *device, *pinned, *managed, *flag, *host = new int[n];
    cudaMalloc(&device, bytes); cudaMallocHost(&pinned, bytes); cudaMallocManaged(&managed, bytes); cudaMallocManaged(&flag, 64);
    cudaStream_t stream; cudaStreamCreate(&stream);
    fill<<<12, 256, 0, stream>>>(device, n);
    cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream);
    if (late) cudaStreamSynchronize(stream);
    long sum = pinned[2000];
    fill<<<12, 256>>>(managed, n);
    if (late) cudaDeviceSynchronize();
    sum += managed[5];
    cudaDeviceSynchronize();
    fill<<<12, 256>>>(managed, n);
    cudaEvent_t event; cudaEventCreate(&event); cudaEventRecord(event);
    if (late) cudaEventSynchronize(event);
    memset(managed, 0, bytes);
    cudaDeviceSynchronize();
    add<<<1, 1>>>(device);
    if (late) cudaDeviceSynchronize();
    sum += total;
    cudaDeviceSynchronize();
    publish<<<1, 1>>>(managed, flag);  // the host waits for the flag
    while (*(volatile int*)flag == 0) {}
    sum += managed[0];
    cudaDeviceSynchronize();
    int* part; cudaMalloc(&part, bytes);
    fill<<<late ? (n + 255) / 256 : n / 256, 256>>>(part, n);
    cudaMemcpy(host, part, bytes, cudaMemcpyDeviceToHost);
    printf("%ld\n", sum);
    cudaFree(part); cudaFree(device); cudaFreeHost(pinned); cudaFree(managed); cudaFree(flag);
    cudaStreamDestroy(stream); cudaEventDestroy(event);
    delete[] host;
}
