// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int* values;
    cudaStream_t first, second;
    cudaEvent_t begun, done;
    cudaGraph_t graph;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&begun);
    cudaEventCreate(&done);
    cudaMalloc(&values, 256);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(begun, first);
    cudaStreamWaitEvent(second, begun, 0);
    fill<<<1, 64, 0, second>>>(values);
    cudaEventRecord(done, second);
    cudaStreamWaitEvent(first, done, 0);
    cudaStreamEndCapture(first, &graph);
    cudaFree(values);
}
