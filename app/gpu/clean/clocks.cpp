#include "gpu/clean/clocks.h"

#include <dlfcn.h>

#include <array>

namespace lanescope::gpu {

namespace {

// nvml.h comes with a package of its own: these are its functions and numbers.
struct Nvml {
    using Device = void*;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*by_pci)(const char*, Device*) = nullptr;
    int (*clock)(Device, int, unsigned*) = nullptr;
    int (*most)(Device, int, unsigned*) = nullptr;

    bool open() {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return false;
        const auto find = [&](const char* name, auto& function) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            return function != nullptr;
        };
        return find("nvmlInit_v2", init) && find("nvmlShutdown", shutdown) &&
               find("nvmlDeviceGetHandleByPciBusId_v2", by_pci) && find("nvmlDeviceGetClockInfo", clock) &&
               find("nvmlDeviceGetMaxClockInfo", most) && init() == 0;
    }
};

constexpr int sm_clock = 1, memory_clock = 2;

bool from_nvml(const Context& context, Clocks& clocks) {
    CUdevice device = 0;
    std::array<char, 32> bus{};
    const Driver& driver = context.driver();
    Nvml nvml;
    if (driver.device_get(&device, context.device().ordinal) != CUDA_SUCCESS ||
        driver.device_get_pci_bus_id(bus.data(), static_cast<int>(bus.size()), device) != CUDA_SUCCESS ||
        !nvml.open())
        return false;
    Nvml::Device handle = nullptr;
    const bool found = nvml.by_pci(bus.data(), &handle) == 0;
    const auto read = [&](auto function, int which) {
        unsigned mhz = 0;
        return found && function(handle, which, &mhz) == 0 ? static_cast<int>(mhz) : 0;
    };
    clocks = {read(nvml.clock, sm_clock), read(nvml.clock, memory_clock), read(nvml.most, sm_clock),
              read(nvml.most, memory_clock), "NVML"};
    nvml.shutdown();
    return found && clocks.max_sm_mhz != 0;
}

}  // namespace

Clocks read_clocks(const Context& context) {
    Clocks clocks;
    if (from_nvml(context, clocks)) return clocks;
    CUdevice device = 0;
    const Driver& driver = context.driver();
    const auto attribute = [&](CUdevice_attribute which) {
        int khz = 0;
        return driver.device_get_attribute(&khz, which, device) == CUDA_SUCCESS ? khz / 1000 : 0;
    };
    clocks = {};
    if (driver.device_get(&device, context.device().ordinal) != CUDA_SUCCESS) return clocks;
    clocks.max_sm_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    clocks.max_memory_mhz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    clocks.source = "CUDA";
    return clocks;
}

}  // namespace lanescope::gpu
