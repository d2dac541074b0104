// cuRAND's interface for the host on the CPU machine: cuRAND's own generators on the host, of the toolkit's
// library, which is opened at run time, give the numbers, and CUDA's runtime copies them to the device.
//
// Inaccuracy: against an H200, 32-bit integers and uniform numbers of all types have the same bits, normal
// and log-normal ones differ in the last bits, and about one Poisson number of 300,000 by one. The order
// CURAND_ORDERING_PSEUDO_DYNAMIC is another one on a GPU and is refused.
#include <cuda_runtime_api.h>
#include <curand.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#define LANESCOPE_CURAND extern "C" __attribute__((visibility("default"))) curandStatus_t CURANDAPI

// The runtime's library has it: notes a call of another library, and once a sentence about it.
extern "C" void __cudaLanescopeLibraryCall(const char* function, const char* sentence);
extern "C" void __cudaLanescopeUnsupported(const char* function, const char* sentence);  // refuses it

struct curandGenerator_st {
    curandGenerator_t own = nullptr;  // of NVIDIA's library
    bool on_host = false;             // the program asked for numbers in the host's memory
    cudaStream_t stream = nullptr;
};

namespace lanescope::cudart {

namespace {

namespace fs = std::filesystem;

// The toolkit's library; this one has the same name, so that only a whole path finds the other.
void* open_curand() {
    Dl_info self{};
    dladdr(reinterpret_cast<const void*>(&open_curand), &self);
    const char* searched = std::getenv("LD_LIBRARY_PATH");
    std::istringstream folders(std::string(searched == nullptr ? "" : searched) +
                               ":/usr/local/cuda/lib64:" + "/opt/cuda/lib64:/usr/lib/x86_64-linux-gnu");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path file = fs::path(folder) / "libcurand.so.10";
        std::error_code failed;
        if (!fs::exists(file, failed) || fs::equivalent(file, self.dli_fname, failed)) continue;
        if (void* opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) return opened;
    }
    return nullptr;
}

void* curand_function(const char* name) {
    static void* const library = open_curand();
    return library == nullptr ? nullptr : dlsym(library, name);
}

curandStatus_t refuse(const char* function, const char* why) {
    __cudaLanescopeUnsupported(function, (std::string(function) + " is not supported: " + why).c_str());
    return CURAND_STATUS_INTERNAL_ERROR;
}

// Calls NVIDIA's function of this name.
template <class... Arguments>
curandStatus_t forward(const char* function, Arguments... arguments) {
    auto* const known = reinterpret_cast<curandStatus_t (*)(Arguments...)>(curand_function(function));
    if (known == nullptr)
        return refuse(function,
                      "it needs libcurand.so.10 of the CUDA Toolkit; put its folder into LD_LIBRARY_PATH");
    return known(arguments...);
}

// `count` numbers of the generator, in its stream.
template <class T, class... Arguments>
curandStatus_t generate(const char* function, curandGenerator_t generator, T* to, std::size_t count,
                        Arguments... arguments) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->on_host) return forward(function, generator->own, to, count, arguments...);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(generator->stream, &capture) != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    if (capture != cudaStreamCaptureStatusNone) return refuse(function, "it cannot be captured into a graph");
    __cudaLanescopeLibraryCall(function,
                               "numbers of cuRAND come from its generators on the host; normal and Poisson "
                               "numbers differ from a GPU's in the last bits");
    std::vector<T> numbers(count);
    if (const curandStatus_t failed = forward(function, generator->own, numbers.data(), count, arguments...);
        failed != CURAND_STATUS_SUCCESS)
        return failed;
    return cudaMemcpyAsync(to, numbers.data(), count * sizeof(T), cudaMemcpyDefault, generator->stream) ==
                   cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    auto made = std::make_unique<curandGenerator_st>();
    made->on_host = on_host;
    const curandStatus_t status = forward("curandCreateGeneratorHost", &made->own, type);
    if (status == CURAND_STATUS_SUCCESS) *generator = made.release();
    return status;
}

template <class... Arguments>
curandStatus_t set(const char* function, curandGenerator_t generator, Arguments... arguments) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    return forward(function, generator->own, arguments...);
}

}  // namespace

}  // namespace lanescope::cudart

using namespace lanescope::cudart;

LANESCOPE_CURAND curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
LANESCOPE_CURAND curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
LANESCOPE_CURAND curandDestroyGenerator(curandGenerator_t generator) {
    const std::unique_ptr<curandGenerator_st> ended(generator);
    return set("curandDestroyGenerator", generator);
}
LANESCOPE_CURAND curandGetVersion(int* version) {
    return forward("curandGetVersion", version);
}
LANESCOPE_CURAND curandGetProperty(libraryPropertyType type, int* value) {
    return forward("curandGetProperty", type, value);
}
LANESCOPE_CURAND curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
LANESCOPE_CURAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return set("curandSetPseudoRandomGeneratorSeed", generator, seed);
}
LANESCOPE_CURAND curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return set("curandSetGeneratorOffset", generator, offset);
}
LANESCOPE_CURAND curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (generator != nullptr && !generator->on_host && order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        return refuse("curandSetGeneratorOrdering", "CURAND_ORDERING_PSEUDO_DYNAMIC depends on the GPU");
    return set("curandSetGeneratorOrdering", generator, order);
}
LANESCOPE_CURAND curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
    return set("curandSetQuasiRandomGeneratorDimensions", generator, dimensions);
}
LANESCOPE_CURAND curandGenerateSeeds(curandGenerator_t generator) {
    return set("curandGenerateSeeds", generator);
}
LANESCOPE_CURAND curandGenerate(curandGenerator_t generator, unsigned* to, std::size_t count) {
    return generate("curandGenerate", generator, to, count);
}
LANESCOPE_CURAND curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to,
                                        std::size_t count) {
    return generate("curandGenerateLongLong", generator, to, count);
}
LANESCOPE_CURAND curandGenerateUniform(curandGenerator_t generator, float* to, std::size_t count) {
    return generate("curandGenerateUniform", generator, to, count);
}
LANESCOPE_CURAND curandGenerateUniformDouble(curandGenerator_t generator, double* to, std::size_t count) {
    return generate("curandGenerateUniformDouble", generator, to, count);
}
LANESCOPE_CURAND curandGenerateNormal(curandGenerator_t generator, float* to, std::size_t count, float mean,
                                      float deviation) {
    return generate("curandGenerateNormal", generator, to, count, mean, deviation);
}
LANESCOPE_CURAND curandGenerateNormalDouble(curandGenerator_t generator, double* to, std::size_t count,
                                            double mean, double deviation) {
    return generate("curandGenerateNormalDouble", generator, to, count, mean, deviation);
}
LANESCOPE_CURAND curandGenerateLogNormal(curandGenerator_t generator, float* to, std::size_t count,
                                         float mean, float deviation) {
    return generate("curandGenerateLogNormal", generator, to, count, mean, deviation);
}
LANESCOPE_CURAND curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, std::size_t count,
                                               double mean, double deviation) {
    return generate("curandGenerateLogNormalDouble", generator, to, count, mean, deviation);
}
LANESCOPE_CURAND curandGeneratePoisson(curandGenerator_t generator, unsigned* to, std::size_t count,
                                       double lambda) {
    return generate("curandGeneratePoisson", generator, to, count, lambda);
}
