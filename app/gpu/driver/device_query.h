// The properties of a CUDA device: the fields of NVIDIA's deviceQuery, and some more.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/driver/driver.h"

namespace lanescope::gpu {

enum class Unit { count, bytes, kilohertz, bits, yes_no, compute_mode };

struct DeviceProperty {
    const char* key;  // in JSON, with its unit
    const char* label;
    Unit unit;
    std::vector<CUdevice_attribute> attributes;  // more than one: x, y, z
};
std::span<const DeviceProperty> device_properties();  // in the order of deviceQuery

struct DeviceQuery {
    int ordinal = 0;
    std::string name;
    std::string uuid;            // "GPU-4ba2d6c1-…"
    std::string pci_bus_id;      // domain:bus:device.function
    int compute_capability = 0;  // 90: 9.0
    std::uint64_t total_memory_bytes = 0;
    int cores_per_multiprocessor = 0;  // NVIDIA's number for this capability; 0: not known here
    // For each of device_properties(); empty where this driver does not know the attribute.
    std::vector<std::vector<int>> values;
    std::vector<int> peers;  // other devices whose memory this one reaches

    int multiprocessors() const;
};

// Error: the driver answers no question about this device.
Result<DeviceQuery> query_device(const Driver& driver, int ordinal);

std::string capability_text(int compute_capability);  // 90: "9.0"
std::string compute_mode_text(int mode);

}  // namespace lanescope::gpu
