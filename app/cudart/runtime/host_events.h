// What the host of a program does, as events of the journal. The CPU machine's runtime writes them, and so
// does the library that watches CUDA's own runtime on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cudart/runtime/journal.h"

namespace lanescope::cudart {

// One end of a copy or a fill: bytes of a buffer, a variable of the device, or else the host's own memory.
struct HostEnd {
    std::optional<std::uint64_t> buffer;  // its number
    std::uint64_t offset_bytes = 0;       // in the buffer
    std::string variable;
    bool on_device() const { return buffer.has_value() || !variable.empty(); }
};
nlohmann::ordered_json json_of(const HostEnd& end);  // null: the host's memory

// The direction of a copy between two ends of which it is known whether they are the device's.
cudaMemcpyKind direction_between(bool from_device, bool to_device);
const char* direction_name(cudaMemcpyKind kind);  // "host to device"

class HostEvents {
  public:
    explicit HostEvents(Journal& journal) : journal_(journal) {}

    void allocate(std::uint64_t number, std::uint64_t address, std::uint64_t bytes, const char* kind);
    void free(std::uint64_t buffer, std::uint64_t stream);
    // `began_ms`: when the call began (Journal::now_ms); it ends now.
    void copy(std::uint64_t stream, std::uint64_t bytes, const char* direction, const HostEnd& to,
              const HostEnd& from, double began_ms);
    void fill(std::uint64_t stream, std::uint64_t bytes, int value, const HostEnd& to, double began_ms);
    void host_function(std::uint64_t stream);
    void launch_graph(std::uint64_t stream);

    void create_stream(std::uint64_t stream, unsigned flags, int priority);
    void destroy_stream(std::uint64_t stream);
    void record_event(std::uint64_t event, std::uint64_t stream);
    void wait_for_event(std::uint64_t event, std::uint64_t stream);
    // Without `began_ms` the wait takes no time.
    void host_waits_for_device(std::optional<double> began_ms = {});
    void host_waits_for_stream(std::uint64_t stream, std::optional<double> began_ms = {});
    void host_waits_for_event(std::uint64_t event, std::optional<double> began_ms = {});

  private:
    void wait(nlohmann::ordered_json event, std::optional<double> began_ms);

    Journal& journal_;
};

}  // namespace lanescope::cudart
