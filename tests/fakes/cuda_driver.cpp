// A driver with one GPU that computes nothing. $LANESCOPE_FAKE names what is wrong: no_device, stub,
// mismatch, not_ready, broken, old_driver, older (than the toolkit), old_gpu, full (memory), bad_ptx, bounds
// (of a launch, which leave few registers), fault (in the next kernel), endless (kernels).
#ifdef LANESCOPE_FAKE_WITHOUT_LAUNCHES
#define cuLaunchKernel cuLaunchKernel_of_a_later_version
#endif
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr int success = 0, out_of_memory = 2, not_ready = 600, illegal_address = 700;
constexpr std::size_t total_bytes = 8ull << 30;

bool plays(std::string_view fault) {
    const char* chosen = std::getenv("LANESCOPE_FAKE");
    return chosen && fault == chosen;
}

int contexts_destroyed = 0, buffers_freed = 0, links = 0;
char* link_log = nullptr;
bool faulted = false;
char place;  // all handles point to it

}  // namespace

extern "C" {

int fake_contexts_destroyed() {
    return contexts_destroyed;
}
int fake_buffers_freed() {
    return buffers_freed;
}
int fake_links() {
    return links;
}
void fake_restart() {
    contexts_destroyed = buffers_freed = links = 0, faulted = false;
}

int cuInit(unsigned) {
    if (plays("no_device")) return 100;
    if (plays("stub")) return 34;
    if (plays("mismatch")) return 803;
    if (plays("not_ready")) return 802;
    return plays("broken") ? 999 : success;
}

int cuDriverGetVersion(int* version) {
    *version = plays("old_driver") ? 11040 : plays("older") ? 12040 : 13000;
    return success;
}

int cuGetErrorName(int status, const char** name) {
    *name = status == illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : status == 801           ? "CUDA_ERROR_NOT_SUPPORTED"
                                      : "CUDA_ERROR_OF_A_FAKE";
    return success;
}

int cuGetErrorString(int status, const char** words) {
    *words = status == illegal_address ? "an illegal memory access was encountered" : "it is a fake";
    return success;
}

int cuDeviceGetCount(int* count) {
    return *count = 1, success;
}
int cuDeviceGet(int* device, int ordinal) {
    return *device = ordinal, success;
}

int cuDeviceGetName(char* name, int size, int) {
    std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU");
    return success;
}

int cuDeviceGetUuid_v2(void* uuid, int) {
    return std::memset(uuid, 0xab, 16), success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    return *bytes = total_bytes, success;
}

int cuDeviceGetPCIBusId(char* id, int size, int) {
    std::snprintf(id, static_cast<std::size_t>(size), "0000:01:00.0");
    return success;
}

// Attributes have their numbers of cuda.h; a later driver added `clusters`.
int cuDeviceGetAttribute(int* value, int attribute, int) {
    constexpr int multiprocessors = 16, compute_mode = 20, major = 75, minor = 76, l2 = 38, clusters = 120;
    if (attribute == clusters) return 1;
    *value = attribute == major             ? (plays("old_gpu") ? 6 : 9)
             : attribute == minor           ? (plays("old_gpu") ? 1 : 0)
             : attribute == multiprocessors ? 20
             : attribute == compute_mode    ? 0
             : attribute == l2              ? 2 << 20
                                            : attribute;
    return success;
}

int cuCtxCreate_v2(void** context, unsigned, int) {
    if (faulted) return illegal_address;
    return *context = &place, success;
}
int cuCtxDestroy_v2(void*) {
    return ++contexts_destroyed, success;
}
int cuCtxPushCurrent_v2(void*) {
    return success;
}
int cuCtxPopCurrent_v2(void** context) {
    return *context = &place, success;
}
int cuCtxSetCurrent(void*) {
    return success;
}
int cuStreamCreate(void** stream, unsigned) {
    return *stream = &place, success;
}

int cuStreamQuery(void*) {
    if (plays("endless")) return not_ready;
    faulted = faulted || plays("fault");
    return faulted ? illegal_address : success;
}

int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* all_bytes) {
    *free_bytes = plays("full") ? 3 << 20 : total_bytes / 2;
    *all_bytes = total_bytes;
    return success;
}

int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
    if (faulted) return 201;  // no context
    if (plays("full") && bytes > 3u << 20) return out_of_memory;
    return *address = 0x1000, success;
}
int cuMemcpyHtoD_v2(unsigned long long, const void*, std::size_t) {
    return faulted ? 201 : success;
}
int cuModuleLoadDataEx(void** module, const void*, unsigned, int*, void**) {
    return *module = &place, success;
}
int cuLinkCreate_v2(unsigned, int*, void** values, void** linker) {
    ++links;
    link_log = static_cast<char*>(values[0]);  // the only caller gives the buffer for errors first
    return *linker = &place, success;
}
int cuLinkAddData_v2(void*, int, void*, std::size_t, const char*, unsigned count, int* options,
                     void** values) {
    constexpr int invalid_ptx = 218, max_registers = 0;
    const bool limited =
        count == 1 && *options == max_registers && reinterpret_cast<std::size_t>(*values) <= 64;
    if (plays("bounds") && !limited)
        std::strcpy(link_log,
                    "Entry function 'k' with max regcount of 64 calls function 'f' with regcount of 76");
    else if (plays("bad_ptx"))
        std::strcpy(link_log, "unknown instruction");
    else
        return success;
    return invalid_ptx;
}
int cuLinkComplete(void*, void** code, std::size_t* size) {
    return *code = &place, *size = 1, success;
}
int cuLinkDestroy(void*) {
    return success;
}
// Enough for a traced run and a filter up to their first kernel, for those that play a kernel's faults.
int cuModuleGetGlobal_v2(unsigned long long* address, std::size_t* bytes, void*, const char*) {
    constexpr int not_supported = 801;
    if (!plays("fault") && !plays("endless")) return not_supported;
    *bytes = 64;
    return *address = 0x2000, success;
}
int cuMemsetD8_v2(unsigned long long, unsigned char, std::size_t) {
    constexpr int not_supported = 801;
    return plays("fault") || plays("endless") ? success : not_supported;
}
int cuMemcpyDtoD_v2(unsigned long long, unsigned long long, std::size_t) {
    constexpr int not_supported = 801;
    return plays("fault") || plays("endless") ? success : not_supported;
}
int cuModuleUnload(void*) {
    return success;
}
int cuModuleGetFunction(void** function, void*, const char*) {
    return *function = &place, success;
}
int cuFuncGetAttribute(int* value, int, void*) {
    return *value = 1024, success;
}
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) {
    return success;
}
int cuLaunchKernelEx(const void*, void*, void**, void**) {
    return success;
}
int cuEventCreate(void** event, unsigned) {
    return *event = &place, success;
}
int cuEventDestroy_v2(void*) {
    return success;
}
int cuEventRecord(void*, void*) {
    return success;
}
int cuMemFree_v2(unsigned long long) {
    return ++buffers_freed, success;
}

}  // extern "C"
