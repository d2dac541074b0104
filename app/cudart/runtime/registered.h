// Memory of the host that the program registered. Kernels see a buffer of the device in its place: the host's
// bytes are copied into it before each launch, and those that the kernel changed are copied back after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::cudart {

class Device;

class Registered {
  public:
    struct Range {
        std::byte* host = nullptr;
        std::uint64_t size_bytes = 0;
        std::uint64_t address = 0;  // the device's
        std::uint64_t block = 0;    // where the buffer begins
        unsigned flags = 0;
        std::vector<std::byte> before;  // what was copied in, while a kernel runs
    };
    // False: the device has no memory. The caller has checked that nothing overlaps.
    bool add(Device& device, void* host, std::uint64_t size_bytes, unsigned flags);
    bool remove(Device& device, const void* host);  // false: none begins there
    bool overlaps(const void* host, std::uint64_t size_bytes) const;
    // The range that holds all of these bytes, by the host's address or the device's; null: none does.
    const Range* find(std::uint64_t address, std::uint64_t size_bytes = 1) const;
    // The same place for the host and for the device; other addresses are returned as they are.
    std::uint64_t to_host(std::uint64_t address) const;
    std::uint64_t to_device(std::uint64_t address) const;

    void copy_in(Device& device);
    void copy_out(Device& device);

  private:
    std::map<std::uint64_t, Range> ranges_;  // by the host's address
};

}  // namespace lanescope::cudart
