#include "gpu.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace lanescope::parity {

struct Gpu::Api {
    void* library = nullptr;
    void* context = nullptr;
    int (*init)(unsigned) = nullptr;
    int (*device_get)(int*, int) = nullptr;
    int (*device_name)(char*, int, int) = nullptr;
    int (*driver_version)(int*) = nullptr;
    int (*retain)(void**, int) = nullptr;
    int (*reset)(int) = nullptr;
    int (*get_global)(Address*, std::size_t*, void*, const char*) = nullptr;
    int (*launch_together)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                           void**) = nullptr;
    int (*link_create)(unsigned, int*, void**, void**) = nullptr;
    int (*link_data)(void*, int, void*, std::size_t, const char*, unsigned, int*, void**) = nullptr;
    int (*link_file)(void*, int, const char*, unsigned, int*, void**) = nullptr;
    int (*link_complete)(void*, void**, std::size_t*) = nullptr;
    int (*set_current)(void*) = nullptr;
    int (*synchronize)() = nullptr;
    int (*load)(void**, const void*, unsigned, int*, void**) = nullptr;
    int (*unload)(void*) = nullptr;
    int (*function)(void**, void*, const char*) = nullptr;
    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*release)(Address) = nullptr;
    int (*to_device)(Address, const void*, std::size_t) = nullptr;
    int (*from_device)(void*, Address, std::size_t) = nullptr;
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                  void**) = nullptr;
    int (*error_text)(int, const char**) = nullptr;

    bool bind() {
        return get(init, "cuInit") && get(device_get, "cuDeviceGet") && get(device_name, "cuDeviceGetName") &&
               get(driver_version, "cuDriverGetVersion") && get(retain, "cuDevicePrimaryCtxRetain") &&
               get(get_global, "cuModuleGetGlobal_v2") && get(launch_together, "cuLaunchCooperativeKernel") &&
               get(link_create, "cuLinkCreate_v2") && get(link_data, "cuLinkAddData_v2") &&
               get(link_file, "cuLinkAddFile_v2") && get(link_complete, "cuLinkComplete") &&
               get(reset, "cuDevicePrimaryCtxReset_v2") && get(set_current, "cuCtxSetCurrent") &&
               get(synchronize, "cuCtxSynchronize") && get(load, "cuModuleLoadDataEx") &&
               get(unload, "cuModuleUnload") && get(function, "cuModuleGetFunction") &&
               get(allocate, "cuMemAlloc_v2") && get(release, "cuMemFree_v2") &&
               get(to_device, "cuMemcpyHtoD_v2") && get(from_device, "cuMemcpyDtoH_v2") &&
               get(launch, "cuLaunchKernel") && get(error_text, "cuGetErrorString");
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
    if (gpu->api_->library == nullptr || !gpu->api_->bind()) return error("cannot load the CUDA driver");
    Api& api = *gpu->api_;
    if (api.init(0) != 0 || api.device_get(&gpu->number_, 0) != 0)
        return error("the CUDA driver finds no device");
    std::array<char, 256> name{};
    int version = 0;
    api.device_name(name.data(), static_cast<int>(name.size()), gpu->number_);
    api.driver_version(&version);
    gpu->device_ = name.data();
    gpu->driver_ =
        "CUDA driver " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    if (auto made = gpu->check(api.retain(&api.context, gpu->number_), "context"); !made.ok())
        return made.diagnostics();
    if (auto made = gpu->check(api.set_current(api.context), "context"); !made.ok())
        return made.diagnostics();
    return gpu;
}

Gpu::~Gpu() {
    if (api_ != nullptr && api_->context != nullptr) api_->reset(number_);
}

Result<Gpu::Module> Gpu::load(const std::string& ptx) {
    if (ptx.find("cudaCDP2") != std::string::npos) return link(ptx);
    Module module = nullptr;
    std::array<char, 4096> log{};
    std::array<int, 2> options{5, 6};  // CU_JIT_ERROR_LOG_BUFFER and its size
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    if (api_->load(&module, ptx.c_str(), 2, options.data(), values.data()) == 0) return module;
    return error("the driver cannot load the module: " + std::string(log.data()));
}

Result<Gpu::Module> Gpu::link(const std::string& ptx) {
    constexpr int is_ptx = 1, is_library = 4;
    const char* given = std::getenv("LANESCOPE_CUDADEVRT");
    const char* library = given != nullptr ? given : "/usr/local/cuda/lib64/libcudadevrt.a";
    void *state = nullptr, *image = nullptr;
    Module module = nullptr;
    std::string text = ptx;
    if (auto done = check(api_->link_create(0, nullptr, nullptr, &state), "link"); !done.ok())
        return done.diagnostics();
    if (auto done =
            check(api_->link_data(state, is_ptx, text.data(), text.size() + 1, "kernel", 0, nullptr, nullptr),
                  "link");
        !done.ok())
        return done.diagnostics();
    if (auto done = check(api_->link_file(state, is_library, library, 0, nullptr, nullptr), library);
        !done.ok())
        return done.diagnostics();
    if (auto done = check(api_->link_complete(state, &image, nullptr), "link"); !done.ok())
        return done.diagnostics();
    if (auto done = check(api_->load(&module, image, 0, nullptr, nullptr), "module"); !done.ok())
        return done.diagnostics();
    return module;
}

Result<void> Gpu::unload(Module module) {
    return check(api_->unload(module), "unload");
}

Result<Gpu::Address> Gpu::allocate(std::size_t size_bytes) {
    Address address = 0;
    if (auto got = check(api_->allocate(&address, std::max<std::size_t>(size_bytes, 16)), "memory");
        !got.ok())
        return got.diagnostics();
    return address;
}

Result<Gpu::Address> Gpu::symbol(Module module, const std::string& name) {
    Address address = 0;
    std::size_t size_bytes = 0;
    if (auto got = check(api_->get_global(&address, &size_bytes, module, name.c_str()), name.c_str());
        !got.ok())
        return got.diagnostics();
    return address;
}

Result<void> Gpu::write(Address to, const std::vector<std::byte>& bytes) {
    return bytes.empty() ? Result<void>{} : check(api_->to_device(to, bytes.data(), bytes.size()), "copy");
}
Result<void> Gpu::read(Address from, std::vector<std::byte>& bytes) {
    return bytes.empty() ? Result<void>{}
                         : check(api_->from_device(bytes.data(), from, bytes.size()), "copy");
}
void Gpu::release(Address address) {
    api_->release(address);
}

Result<void> Gpu::launch(Module module, Launch launch) {
    void* function = nullptr;
    if (auto got = check(api_->function(&function, module, launch.kernel.c_str()), launch.kernel.c_str());
        !got.ok())
        return got;
    std::vector<void*> arguments;
    for (auto& argument : launch.arguments)
        arguments.push_back(argument.data());
    const auto &g = launch.grid, &b = launch.block;
    const int status = launch.cooperative
                           ? api_->launch_together(function, g[0], g[1], g[2], b[0], b[1], b[2],
                                                   launch.shared_bytes, nullptr, arguments.data())
                           : api_->launch(function, g[0], g[1], g[2], b[0], b[1], b[2], launch.shared_bytes,
                                          nullptr, arguments.data(), nullptr);
    if (auto started = check(status, "launch"); !started.ok()) return started;
    return check(api_->synchronize(), "run");
}

Result<void> Gpu::run(const std::string& ptx, std::uint32_t blocks, std::uint32_t threads, Buffers& buffers) {
    auto module = load(ptx);
    if (!module.ok()) return module.diagnostics();
    if (auto done = run_loaded(*module, blocks, threads, buffers); !done.ok()) return done;
    return unload(*module);
}

Result<void> Gpu::run_loaded(Module module, std::uint32_t blocks, std::uint32_t threads, Buffers& buffers) {
    const std::array<std::vector<std::byte>*, 3> host{&buffers.inputs, &buffers.memory, &buffers.outputs};
    std::array<Address, 3> device{};
    Launch request;
    request.kernel = "k0";
    request.grid[0] = blocks;
    request.block[0] = threads;
    for (std::size_t i = 0; i < host.size(); ++i) {
        auto address = allocate(host[i]->size());
        if (!address.ok()) return address.diagnostics();
        device[i] = *address;
        if (auto written = write(*address, *host[i]); !written.ok()) return written;
        const auto bytes = std::as_bytes(std::span(&device[i], 1));
        request.arguments.emplace_back(bytes.begin(), bytes.end());
    }
    if (auto ran = launch(module, std::move(request)); !ran.ok()) return ran;
    for (std::size_t i = 1; i < host.size(); ++i)
        if (auto got = read(device[i], *host[i]); !got.ok()) return got;
    for (const Address address : device)
        release(address);
    return {};
}

}  // namespace lanescope::parity
