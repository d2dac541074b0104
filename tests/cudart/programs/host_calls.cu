// One call of every kind that the list of what the host does tells.
#include <cstdio>
#include <vector>

namespace tables {
__constant__ int factors[4];
__device__ int counts[4];
}  // namespace tables

__global__ void add_one(int* values) {
    values[threadIdx.x] += 1;
}

int main() {
    constexpr int n = 64, rows = 4;
    const size_t bytes = n * sizeof(int);
    std::vector<int> plain(n * rows * 2, 3);
    int *device, *again, *managed, *pinned, *pitched;
    size_t pitch;
    cudaPitchedPtr box;
    cudaMalloc(&device, bytes * rows);
    cudaMallocManaged(&managed, bytes);
    cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault);
    cudaMallocPitch(&pitched, &pitch, bytes, rows);
    cudaMalloc3D(&box, make_cudaExtent(bytes, rows, 2));
    cudaHostRegister(plain.data(), plain.size() * sizeof(int), cudaHostRegisterDefault);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t plane, solid;
    cudaMallocArray(&plane, &format, n, rows);
    cudaMalloc3DArray(&solid, &format, make_cudaExtent(n, rows, 2));

    cudaStream_t first, second;
    cudaEvent_t begin, end;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithPriority(&second, cudaStreamDefault, 0);
    cudaEventCreate(&begin);
    cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
    cudaMallocAsync(&again, bytes, first);

    // Copies of bytes, rows and boxes, with every direction, and of variables.
    cudaMemcpy(device, plain.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device + n, pinned, bytes, cudaMemcpyDefault);
    cudaMemcpyAsync(again, device, bytes, cudaMemcpyDeviceToDevice, first);
    cudaMemcpyAsync(managed, again, bytes, cudaMemcpyDefault, second);
    cudaMemcpy(plain.data() + n, plain.data(), bytes, cudaMemcpyHostToHost);
    cudaMemcpy2D(pitched, pitch, plain.data(), bytes, bytes, rows, cudaMemcpyHostToDevice);
    cudaMemcpy2DAsync(plain.data(), bytes, pitched + 1, pitch, bytes - sizeof(int), 2, cudaMemcpyDeviceToHost, first);
    cudaMemcpyToSymbol(tables::factors, plain.data(), 2 * sizeof(int), sizeof(int));
    cudaMemcpyToSymbolAsync(tables::counts, plain.data(), sizeof tables::counts, 0, cudaMemcpyHostToDevice, second);
    cudaMemcpyFromSymbol(plain.data(), tables::counts, sizeof(int));
    cudaMemcpyFromSymbolAsync(plain.data(), tables::factors, sizeof(int), 0, cudaMemcpyDeviceToHost, first);
    void* counts = nullptr;
    cudaGetSymbolAddress(&counts, tables::counts);
    cudaMemcpy(counts, plain.data(), sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(plane, 0, 1, plain.data(), bytes, bytes, 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArrayAsync(plain.data(), bytes, plane, sizeof(int), 2, bytes / 2, 1, cudaMemcpyDeviceToHost, second);
    cudaMemcpy2DArrayToArray(plane, 0, 0, plane, 0, 2, bytes, 1, cudaMemcpyDeviceToDevice);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(plain.data(), bytes, n, rows);
    copy.dstArray = solid;
    copy.extent = make_cudaExtent(n, rows, 2);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaMemcpy3DParms out{};
    out.srcArray = solid;
    out.srcPos = make_cudaPos(1, 2, 1);
    out.dstPtr = box;
    out.extent = make_cudaExtent(n - 1, 2, 1);
    out.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&out, first);

    cudaMemset(device, 0, bytes);
    cudaMemsetAsync(managed, 258, bytes, second);
    cudaMemset2D(pitched, pitch, 1, bytes, rows);
    cudaMemset2DAsync(pitched, pitch, 2, bytes / 2, 2, first);
    cudaMemset3D(box, 3, make_cudaExtent(bytes, rows, 2));

    // Streams, events and waits.
    cudaEventRecord(begin, first);
    cudaStreamWaitEvent(second, begin, 0);
    add_one<<<1, n, 0, second>>>(device);
    cudaEventRecordWithFlags(end, second, cudaEventRecordDefault);
    cudaLaunchHostFunc(first, [](void*) {}, nullptr);
    cudaEventSynchronize(end);
    cudaEventQuery(begin);
    cudaStreamSynchronize(first);
    cudaStreamQuery(second);
    cudaStreamSynchronize(nullptr);
    add_one<<<1, n, 0, cudaStreamPerThread>>>(device);
    cudaStreamSynchronize(cudaStreamPerThread);

    // What is captured is not done: the graph does it.
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(device, 0, bytes, first);
    cudaMemcpyAsync(again, device, bytes, cudaMemcpyDeviceToDevice, first);
    cudaEventRecord(begin, first);
    cudaStreamEndCapture(first, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, first);
    cudaDeviceSynchronize();

    cudaFreeAsync(again, first);
    cudaHostUnregister(plain.data());
    cudaEventDestroy(begin), cudaEventDestroy(end);
    cudaStreamDestroy(first), cudaStreamDestroy(second);
    cudaFreeArray(plane), cudaFreeArray(solid);
    cudaFree(device), cudaFree(managed), cudaFree(pitched), cudaFree(box.ptr), cudaFreeHost(pinned);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
