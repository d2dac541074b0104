// The table of peers, and the border over which no exception goes.
#include <cub/version.cuh>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "peer.cuh"

namespace lanescope::peers {

std::string cub_version() {
    return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION);
}

bool is_element(const LanescopePeerRequest& request, const char* name) {
    return std::strcmp(request.element, name) == 0;
}

// "float4" is four floats.
static std::size_t bytes_of(const std::string& element) {
    const char last = element.back();
    const std::size_t width = last >= '2' && last <= '4' ? std::size_t(last - '0') : 1;
    const std::string one = width > 1 ? element.substr(0, element.size() - 1) : element;
    if (one == "char" || one == "uchar") return width;
    if (one == "short" || one == "ushort" || one == "half") return 2 * width;
    return (one == "long" || one == "ulong" || one == "double" ? 8 : 4) * width;
}

std::size_t element_bytes(const LanescopePeerRequest& request, std::initializer_list<const char*> allowed) {
    if (request.n == 0 || request.n > std::uint64_t(std::numeric_limits<int>::max()))
        throw Failure(std::string(request.name) + " takes 1 to 2147483647 elements");
    std::string list;
    for (const char* name : allowed) {
        if (is_element(request, name)) return bytes_of(name);
        list += (list.empty() ? "" : ", ") + std::string(name);
    }
    throw Failure(std::string(request.name) + " takes no elements of type " + request.element + " (only " +
                  list + ")");
}

namespace {

const Entry* const entries[] = {&copy_kernel_entry,    &memcpy_entry, &exclusive_scan_entry,
                                &histogram_entry,      &geam_entry,   &hgemm_entry,
                                &inclusive_scan_entry, &sgemm_entry,  &reduce_entry};
const char* const names[] = {"copy_kernel",        "copy_memcpy",  "cub_exclusive_scan",
                             "cub_histogram",      "cublas_geam",  "cublas_hgemm",
                             "cub_inclusive_scan", "cublas_sgemm", "cub_reduce"};

const Entry& entry_of(const LanescopePeerRequest& request) {
    for (const Entry* entry : entries)
        if (std::strcmp(entry->name, request.name) == 0) return *entry;
    throw Failure(std::string("there is no peer ") + request.name);
}

// Runs `work`; an exception becomes the error text and `otherwise`.
template <class Work, class Value>
Value guarded(char* error, std::size_t error_bytes, Value otherwise, const Work& work) {
    try {
        return work();
    } catch (const std::exception& failure) {
        std::snprintf(error, error_bytes, "%s", failure.what());
    } catch (...) {
        std::snprintf(error, error_bytes, "the library failed");
    }
    return otherwise;
}

std::uint64_t bytes_per_copy(const LanescopePeerRequest* request, char* error, std::size_t error_bytes) {
    return guarded(error, error_bytes, std::uint64_t(0),
                   [&] { return entry_of(*request).bytes_per_copy(*request); });
}

LanescopePeer* open(const LanescopePeerRequest* request, char* error, std::size_t error_bytes) {
    return guarded(error, error_bytes, static_cast<LanescopePeer*>(nullptr), [&] {
        const Entry& entry = entry_of(*request);
        entry.bytes_per_copy(*request);  // refuses what the peer does not take
        return entry.open(*request).release();
    });
}

bool launch(LanescopePeer* peer, std::uint64_t copy, char* error, std::size_t error_bytes) {
    return guarded(error, error_bytes, false, [&] { return peer->launch(copy), true; });
}

bool check(LanescopePeer* peer, char* error, std::size_t error_bytes) {
    return guarded(error, error_bytes, false, [&] { return peer->check(), true; });
}

std::uint64_t compulsory_bytes(const LanescopePeer* peer) {
    return peer->compulsory_bytes();
}

const char* library(const LanescopePeer* peer) {
    return peer->library.c_str();
}

void close(LanescopePeer* peer) {
    delete peer;
}

const LanescopePeers table{lanescope_peers_version,
                           names,
                           std::size(names),
                           bytes_per_copy,
                           open,
                           launch,
                           check,
                           compulsory_bytes,
                           library,
                           close};

}  // namespace
}  // namespace lanescope::peers

extern "C" __attribute__((visibility("default"))) const LanescopePeers* lanescope_peers() {
    return &lanescope::peers::table;
}
