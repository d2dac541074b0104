#include "gpu.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace lanescope::parity {

struct Gpu::Api {
    using Address = unsigned long long;
    void* library = nullptr;
    void* context = nullptr;
    int (*init)(unsigned) = nullptr;
    int (*device_get)(int*, int) = nullptr;
    int (*device_name)(char*, int, int) = nullptr;
    int (*driver_version)(int*) = nullptr;
    int (*retain)(void**, int) = nullptr;
    int (*reset)(int) = nullptr;
    int (*set_current)(void*) = nullptr;
    int (*synchronize)() = nullptr;
    int (*load)(void**, const void*, unsigned, int*, void**) = nullptr;
    int (*unload)(void*) = nullptr;
    int (*function)(void**, void*, const char*) = nullptr;
    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*release)(Address) = nullptr;
    int (*to_device)(Address, const void*, std::size_t) = nullptr;
    int (*from_device)(void*, Address, std::size_t) = nullptr;
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) = nullptr;
    int (*error_text)(int, const char**) = nullptr;

    bool bind() {
        return get(init, "cuInit") && get(device_get, "cuDeviceGet") && get(device_name, "cuDeviceGetName") &&
               get(driver_version, "cuDriverGetVersion") && get(retain, "cuDevicePrimaryCtxRetain") &&
               get(reset, "cuDevicePrimaryCtxReset_v2") && get(set_current, "cuCtxSetCurrent") &&
               get(synchronize, "cuCtxSynchronize") && get(load, "cuModuleLoadDataEx") && get(unload, "cuModuleUnload") &&
               get(function, "cuModuleGetFunction") && get(allocate, "cuMemAlloc_v2") && get(release, "cuMemFree_v2") &&
               get(to_device, "cuMemcpyHtoD_v2") && get(from_device, "cuMemcpyDtoH_v2") && get(launch, "cuLaunchKernel") &&
               get(error_text, "cuGetErrorString");
    }

  private:
    template <class F>
    bool get(F& function_pointer, const char* name) {
        function_pointer = reinterpret_cast<F>(dlsym(library, name));
        return function_pointer != nullptr;
    }
};

Result<void> Gpu::check(int status, const char* what) const {
    if (status == 0) return {};
    const char* text = nullptr;
    api_->error_text(status, &text);
    return error(std::string(what) + ": " + (text == nullptr ? std::to_string(status) : text));
}

Result<std::unique_ptr<Gpu>> Gpu::open() {
    std::unique_ptr<Gpu> gpu(new Gpu);
    gpu->api_ = std::make_unique<Api>();
    gpu->api_->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (gpu->api_->library == nullptr || !gpu->api_->bind()) return error("there is no CUDA driver");
    Api& api = *gpu->api_;
    if (api.init(0) != 0 || api.device_get(&gpu->number_, 0) != 0) return error("there is no CUDA device");
    std::array<char, 256> name{};
    int version = 0;
    api.device_name(name.data(), static_cast<int>(name.size()), gpu->number_);
    api.driver_version(&version);
    gpu->device_ = name.data();
    gpu->driver_ = "CUDA driver " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    if (auto made = gpu->make_context(); !made.ok()) return made.diagnostics();
    return gpu;
}

Gpu::~Gpu() {
    if (api_ != nullptr && api_->context != nullptr) api_->reset(number_);
}

Result<void> Gpu::make_context() {
    if (auto made = check(api_->retain(&api_->context, number_), "context"); !made.ok()) return made;
    return check(api_->set_current(api_->context), "context");
}

Result<void> Gpu::run(const std::string& ptx, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                      Buffers& buffers) {
    void* module = nullptr;
    std::array<char, 4096> log{};
    std::array<int, 2> options{5, 6};  // error log, its size
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    if (const int status = api_->load(&module, ptx.c_str(), 2, options.data(), values.data()); status != 0)
        return error("the driver does not load it: " + std::string(log.data()));
    if (auto done = launch(module, kernel, blocks, threads, buffers); !done.ok()) return done;
    return check(api_->unload(module), "unload");
}

Result<void> Gpu::launch(void* module, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                         Buffers& buffers) {
    void* function = nullptr;
    if (auto got = check(api_->function(&function, module, kernel.c_str()), "kernel"); !got.ok()) return got;
    std::array<std::vector<std::byte>*, 3> host{&buffers.inputs, &buffers.memory, &buffers.outputs};
    std::array<Api::Address, 3> device{};
    for (std::size_t i = 0; i < host.size(); ++i) {
        if (auto got = check(api_->allocate(&device[i], std::max<std::size_t>(host[i]->size(), 16)), "memory"); !got.ok())
            return got;
        if (auto got = check(api_->to_device(device[i], host[i]->data(), host[i]->size()), "copy"); !got.ok()) return got;
    }
    std::array<void*, 3> arguments{&device[0], &device[1], &device[2]};
    if (auto ran = check(api_->launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(), nullptr), "launch");
        !ran.ok())
        return ran;
    if (auto ran = check(api_->synchronize(), "run"); !ran.ok()) return ran;
    for (std::size_t i = 1; i < host.size(); ++i)
        if (auto got = check(api_->from_device(host[i]->data(), device[i], host[i]->size()), "copy"); !got.ok()) return got;
    for (const Api::Address address : device)
        api_->release(address);
    return {};
}

}  // namespace lanescope::parity
