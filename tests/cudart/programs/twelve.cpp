// What nvcc of CUDA 12 makes of a program: calls of that runtime, whose structures and parameters differ from
// CUDA 13's. It is declared here, so that no headers of CUDA 12 are needed. KERNEL: the file of a fat binary.
#include <cstdio>
#include <cstring>
#include <vector>

struct Dim3 {
    unsigned x, y, z;
};

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, void*,
                            void*, void*, void*, int*);
int cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                     void* stream);
int cudaGetDeviceProperties_v2(void* made, int device);
int cudaGetDeviceProperties(void* made, int device);
int cudaRuntimeGetVersion(int* number);
int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
int cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, void* stream);
int cudaMemAdvise(const void* pointer, size_t bytes, int advice, int device);
int cudaMemPrefetchAsync_v2_ptsz(const void* pointer, size_t bytes, long location, unsigned flags,
                                 void* stream);
int cudaDeviceSynchronize();
int cudaFree(void* pointer);
}

asm(".section .rodata\n.balign 16\nfat_binary: .incbin \"" KERNEL "\"\n.previous");
extern "C" const char fat_binary[];
static struct {
    int magic, version;
    const void* data;
    void* prelinked;
} wrapper{0x466243b1, 1, fat_binary, nullptr};

static void square_stub() {}

int main() {
    void** handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, reinterpret_cast<const char*>(&square_stub), nullptr, "square", -1,
                           nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFatBinaryEnd(handle);

    // The offsets of CUDA 12.9's cudaDeviceProp and, up to its end at 728 bytes, of CUDA 11's.
    std::vector<char> properties(1032 + 64, 0x55), old(728 + 64, 0x55);
    const int errors[]{cudaGetDeviceProperties_v2(properties.data(), 0),
                       cudaGetDeviceProperties(old.data(), 0)};
    const auto field = [](const std::vector<char>& from, size_t at) {
        int value;
        std::memcpy(&value, from.data() + at, sizeof value);
        return value;
    };
    std::printf("%d %d: %d.%d, %d multiprocessors, %d threads, L2 %d, %d blocks, pools %d\n", errors[0],
                errors[1], field(properties, 360), field(properties, 364), field(properties, 388),
                field(properties, 320), field(properties, 616), field(properties, 712),
                field(properties, 744));
    const bool whole = properties[1032] == 0x55 && properties[1031] == 0 && old[727] == 0 && old[728] == 0x55;
    std::printf("sizes %s, old ones %s\n", whole ? "fit" : "are wrong",
                std::memcmp(properties.data(), old.data(), 728) == 0 ? "agree" : "differ");

    int version = 0, count = 100;
    cudaRuntimeGetVersion(&version);
    int* data = nullptr;
    const int made = cudaMallocManaged(reinterpret_cast<void**>(&data), 400, 1);
    for (int i = 0; i < count; ++i)
        data[i] = i;
    const int advised = cudaMemAdvise(data, 400, 1, 0), fetched = cudaMemPrefetchAsync(data, 400, 0, nullptr);
    void* arguments[]{&data, &count};
    const int launched = cudaLaunchKernel(reinterpret_cast<const void*>(&square_stub), {1, 1, 1}, {128, 1, 1},
                                          arguments, 0, nullptr);
    const int waited = cudaDeviceSynchronize();
    std::printf("%d %d %d %d %d %d: 9 * 9 = %d\n", version, made, advised, fetched, launched, waited,
                data[9]);
    return cudaFree(data);
}
