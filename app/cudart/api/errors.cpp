#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

LANESCOPE_CUDA const char* cudaGetErrorName(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define LANESCOPE_CUDA_ERROR(code, name, text) \
    case code:                                 \
        return #name;
#include "simt/program/errors.def"
#undef LANESCOPE_CUDA_ERROR
        default:
            return "unrecognized error code";
    }
}

LANESCOPE_CUDA const char* cudaGetErrorString(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define LANESCOPE_CUDA_ERROR(code, name, text) \
    case code:                                 \
        return text;
#include "simt/program/errors.def"
#undef LANESCOPE_CUDA_ERROR
        default:
            return "unrecognized error code";
    }
}

LANESCOPE_CUDA cudaError_t cudaGetLastError() {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    return runtime.take_last_error(true);
}

LANESCOPE_CUDA cudaError_t cudaPeekAtLastError() {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    return runtime.take_last_error(false);
}

namespace lanescope::cudart {

// What a function of the interface answers that is not there; missing.cpp, which the build generates, calls
// it.
extern "C" int lanescope_cudart_missing(const char* function) {
    return call(function, [&](Runtime& runtime, Device&) {
        runtime.journal().refuse(std::string(function) +
                                 " is not supported: it returns cudaErrorNotSupported");
        return cudaErrorNotSupported;
    });
}

}  // namespace lanescope::cudart

namespace {

using Note = void (Journal::*)(const std::string& sentence);

void note_library_call(const char* function, const char* sentence, Note note) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    const Journal::Inside inside(runtime.journal(), function);
    runtime.journal().write_host({{"event", "library"}});
    (runtime.journal().*note)(sentence);
}

}  // namespace

// For the libraries beside this one (app/cudart/libraries): a call of theirs, and a sentence about it.
LANESCOPE_CUDA void __cudaLanescopeUnsupported(const char* function, const char* sentence) {
    note_library_call(function, sentence, &Journal::refuse);
}

LANESCOPE_CUDA void __cudaLanescopeLibraryCall(const char* function, const char* sentence) {
    note_library_call(function, sentence, &Journal::warn);
}
