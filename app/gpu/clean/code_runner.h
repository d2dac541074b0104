// The work of a gpu::Device in a context of this process: unchanged code, and memory that may be exported.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/clean/device.h"
#include "gpu/clean/loaded_code.h"
#include "gpu/driver/context.h"
#include "gpu/driver/shared_memory.h"
#include "gpu/driver/stream.h"

namespace lanescope::gpu {

// The context outlives it, and has to be current on the thread in every call.
class CodeRunner {
  public:
    explicit CodeRunner(const Context& context) : context_(context) {}

    Result<std::uint32_t> add(const DeviceCode& code);
    Result<void> remove(std::uint32_t code);
    Result<Place> variable(std::uint32_t code, const std::string& symbol) const;
    Result<Device::Exported> export_memory(std::uint64_t size_bytes);
    bool release_exported(std::uint64_t address);  // false: it is not such memory

    // Writes, and puts the steps into the context's stream. Returns an event for each mark. Errors: a step
    // that names nothing on the device; the driver's.
    Result<std::vector<Event>> enqueue(const DeviceWork& work);
    void forget();

  private:
    Result<void> enqueue(const DeviceWork::Step& step, std::vector<Event>& marks);

    const Context& context_;
    std::uint32_t added_ = 0;
    std::map<std::uint32_t, LoadedCode> codes_;
    std::map<std::uint64_t, SharedMemory> exported_;  // by address
};

// From the first event on; all have happened.
Result<std::vector<double>> times_of(const std::vector<Event>& marks);

}  // namespace lanescope::gpu
