// The part of the CUDA driver that a recording needs, loaded at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::parity {

class Gpu {
  public:
    static Result<std::unique_ptr<Gpu>> open();  // fails without a driver or a device
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const std::string& device() const { return device_; }
    const std::string& driver() const { return driver_; }

    using Address = unsigned long long;
    using Module = void*;
    // Loads a module. A module whose kernels launch kernels is linked with the
    // toolkit's device runtime library.
    Result<Module> load(const std::string& ptx);
    Result<void> unload(Module module);
    Result<Address> allocate(std::size_t size_bytes);
    Result<Address> symbol(Module module, const std::string& name);
    Result<void> write(Address to, const std::vector<std::byte>& bytes);
    Result<void> read(Address from, std::vector<std::byte>& bytes);
    void release(Address address);
    // A launch, whose end is awaited. An error of a kernel stays in the context, so nothing can run after it.
    struct Launch {
        std::string kernel;
        unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
        unsigned shared_bytes = 0;
        bool cooperative = false;
        std::vector<std::vector<std::byte>> arguments;
    };
    Result<void> launch(Module module, Launch launch);

    // Runs kernel k0 of the module on three buffers. The kernel reads inputs, changes
    // memory and writes outputs.
    struct Buffers {
        std::vector<std::byte> inputs, memory, outputs;
    };
    Result<void> run(const std::string& ptx, std::uint32_t blocks, std::uint32_t threads, Buffers& buffers);

  private:
    Gpu() = default;
    struct Api;
    Result<void> check(int status, const char* what) const;
    Result<Module> link(const std::string& ptx);
    Result<void> run_loaded(Module module, std::uint32_t blocks, std::uint32_t threads, Buffers& buffers);

    std::unique_ptr<Api> api_;
    int number_ = 0;
    std::string device_, driver_;
};

}  // namespace lanescope::parity
