// The C interface between the program and liblanescope-peers.so, which nvcc builds and which is opened at run
// time: the program starts without CUDA's runtime, cuBLAS or a driver, and also where there was no nvcc to
// build the library with.
//
// Everything happens in the caller's context (the device's primary one, current on the calling thread) and is
// enqueued on the caller's stream. An `error` buffer holds one sentence after a call that failed.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

enum : std::uint32_t { lanescope_peers_version = 1 };

struct LanescopePeer;  // one algorithm on one input, uploaded and ready to be launched

struct LanescopePeerRequest {
    const char* name;             // one of LanescopePeers::names
    const char* element;          // "int", "float", "uchar", "char"
    std::uint64_t n;              // elements
    std::uint64_t rows, columns;  // of a matrix; 0 otherwise
    std::uint64_t results;        // bins of a histogram
    const void* input;            // n elements, on the host; not needed after open()
    std::uint64_t copies;         // rotating copies of input and output, at least 1
    void* stream;                 // CUstream
};

struct LanescopePeers {
    std::uint32_t version;  // lanescope_peers_version
    const char* const* names;
    std::uint32_t name_count;

    // Device memory that one copy of input and output takes; 0 when the request is refused.
    std::uint64_t (*bytes_per_copy)(const LanescopePeerRequest* request, char* error,
                                    std::size_t error_bytes);
    // Allocates, uploads. Null: see `error`.
    LanescopePeer* (*open)(const LanescopePeerRequest* request, char* error, std::size_t error_bytes);
    // One run on that copy. False: see `error`.
    bool (*launch)(LanescopePeer* peer, std::uint64_t copy, char* error, std::size_t error_bytes);
    // Waits, and compares the first copy's result with what the host computes from the input. False: see
    // `error`.
    bool (*check)(LanescopePeer* peer, char* error, std::size_t error_bytes);
    std::uint64_t (*compulsory_bytes)(const LanescopePeer* peer);  // read and written at least once by a run
    const char* (*library)(const LanescopePeer* peer);             // "CUB 3.0.1"
    void (*close)(LanescopePeer* peer);
};

// The only symbol of the library.
const LanescopePeers* lanescope_peers();

}  // extern "C"
