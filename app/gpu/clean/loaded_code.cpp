#include "gpu/clean/loaded_code.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lanescope::gpu {

namespace {

std::string extents_text(const std::array<std::uint32_t, 3>& extents) {
    return std::to_string(extents[0]) + " × " + std::to_string(extents[1]) + " × " +
           std::to_string(extents[2]);
}

Result<MultiprocessorLimits> limits_of(const Context& context) {
    MultiprocessorLimits limits;
    limits.compute_capability = context.device().compute_capability;
    int shared = 0, reserved = 0;
    const std::pair<CUdevice_attribute, int*> asked[] = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &limits.threads},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &limits.blocks},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &limits.registers},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &shared},
        {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &reserved}};
    const Driver& driver = context.driver();
    CUdevice device = 0;
    if (Result<void> found = context.check(driver.device_get(&device, context.device().ordinal),
                                           "asking for the limits of a multiprocessor");
        !found)
        return found.diagnostics();
    for (const auto& [attribute, value] : asked)
        if (Result<void> answered = context.check(driver.device_get_attribute(value, attribute, device),
                                                  "asking for the limits of a multiprocessor");
            !answered)
            return answered.diagnostics();
    limits.shared_bytes = static_cast<std::uint64_t>(shared);
    limits.reserved_shared_bytes = static_cast<std::uint64_t>(reserved);
    return limits;
}

}  // namespace

void LoadedCode::release() {
    if (module_ && life_->releases())
        if (const CurrentContext current(*life_); current) life_->driver->module_unload(module_);
    module_ = nullptr;
    life_.reset();
    kernels_.clear();
}

LoadedCode::~LoadedCode() {
    release();
}

LoadedCode::LoadedCode(LoadedCode&& other) noexcept
    : context_(other.context_),
      life_(std::move(other.life_)),
      module_(std::exchange(other.module_, nullptr)),
      kernels_(std::move(other.kernels_)) {}

LoadedCode& LoadedCode::operator=(LoadedCode&& other) noexcept {
    if (this == &other) return *this;
    release();
    context_ = other.context_;
    life_ = std::move(other.life_);
    module_ = std::exchange(other.module_, nullptr);
    kernels_ = std::move(other.kernels_);
    return *this;
}

Result<LoadedCode> LoadedCode::load(const Context& context, std::span<const char> cubin) {
    LoadedCode code;
    code.context_ = &context;
    code.life_ = context.life();
    const CUresult status =
        context.driver().module_load_data_ex(&code.module_, cubin.data(), 0, nullptr, nullptr);
    if (const Result<void> loaded = context.check(status, "loading the kernel's code"); !loaded)
        return loaded.diagnostics();
    return code;
}

Result<void> LoadedCode::prepare(const CleanLaunch& launch) {
    const Driver& driver = context_->driver();
    CUfunction& function = kernels_[launch.kernel];
    if (!function) {
        const CUresult status = driver.module_get_function(&function, module_, launch.kernel.c_str());
        if (Result<void> found = context_->check(status, "kernel '" + launch.label + "'"); !found)
            return found;
    }
    int max_threads = 0;
    driver.func_get_attribute(&max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    if (threads > static_cast<std::uint64_t>(max_threads))
        return error("'" + launch.label + "' with blocks of " + std::to_string(threads) +
                     " threads: this GPU runs " + std::to_string(max_threads) +
                     " at most with its registers");
    if (launch.shared_bytes > 0) {
        const auto bytes = static_cast<int>(std::min<std::uint64_t>(launch.shared_bytes, 1u << 30));
        const CUresult status =
            driver.func_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
        if (Result<void> set =
                context_->check(status, "'" + launch.label + "' with " + std::to_string(launch.shared_bytes) +
                                            " bytes of dynamic shared memory");
            !set)
            return set;
    }
    return launch.cooperative ? check_cooperative(launch, function) : Result<void>();
}

Result<void> LoadedCode::check_cooperative(const CleanLaunch& launch, CUfunction function) const {
    int blocks = 0;
    const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
    const CUresult status =
        context_->driver().occupancy_max_active_blocks(&blocks, function, threads, launch.shared_bytes);
    if (Result<void> asked = context_->check(status, "the occupancy of '" + launch.label + "'"); !asked)
        return asked;
    const std::uint64_t most =
        static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(context_->device().sm_count);
    const std::uint64_t wanted = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    if (wanted <= most) return {};
    return error("'" + launch.label + "' is a cooperative launch of " + std::to_string(wanted) +
                     " blocks, all of which must be resident; " + context_->device().name + " holds " +
                     std::to_string(most),
                 "a smaller grid or larger blocks");
}

Result<LaunchOccupancy> LoadedCode::occupancy(const CleanLaunch& launch) const {
    const auto function = kernels_.find(launch.kernel);
    if (function == kernels_.end()) return error("'" + launch.label + "' was not prepared");
    const Result<MultiprocessorLimits> limits = limits_of(*context_);
    if (!limits) return limits.diagnostics();
    LaunchOccupancy found;
    found.kernel = launch.label;
    found.block.threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
    const Driver& driver = context_->driver();
    int shared = 0, blocks = 0;
    CUresult status = driver.func_get_attribute(&found.block.registers_per_thread, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                                function->second);
    if (status == CUDA_SUCCESS)
        status = driver.func_get_attribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->second);
    if (status == CUDA_SUCCESS)
        status = driver.occupancy_max_active_blocks(&blocks, function->second, found.block.threads,
                                                    launch.shared_bytes);
    if (Result<void> asked = context_->check(status, "the occupancy of '" + launch.label + "'"); !asked)
        return asked.diagnostics();
    found.block.shared_bytes = static_cast<std::uint64_t>(shared) + launch.shared_bytes;
    found.occupancy = occupancy_of(*limits, found.block);
    if (found.occupancy.blocks_per_sm == blocks) return found;
    // Something that is not calculated here, such as the barriers of a multiprocessor.
    const int calculated = found.occupancy.blocks_per_sm;
    found.occupancy.warps = calculated > 0 ? found.occupancy.warps / calculated * blocks : 0;
    found.occupancy.blocks_per_sm = blocks;
    found.occupancy.limiter = "other";
    return found;
}

Result<Place> LoadedCode::variable(const std::string& symbol) const {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    const CUresult status = context_->driver().module_get_global(&address, &size, module_, symbol.c_str());
    if (Result<void> found = context_->check(status, "the variable '" + symbol + "'"); !found)
        return found.diagnostics();
    return Place{address, size};
}

Result<void> LoadedCode::launch(const CleanLaunch& launch, std::span<const Place> buffers) const {
    const auto function = kernels_.find(launch.kernel);
    if (function == kernels_.end()) return error("'" + launch.label + "' was not prepared");
    std::vector<CUdeviceptr> addresses(launch.arguments.size());
    std::vector<void*> values(launch.arguments.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const CleanArgument& argument = launch.arguments[i];
        values[i] = const_cast<std::byte*>(argument.bytes.data());  // the driver takes void*, and only reads
        if (argument.buffer < 0) continue;
        addresses[i] = buffers[static_cast<std::size_t>(argument.buffer)].address + argument.offset_bytes;
        values[i] = &addresses[i];
    }
    const auto shared = static_cast<unsigned>(launch.shared_bytes);
    const Driver& driver = context_->driver();
    const CUstream stream = context_->stream();
    const auto& [gx, gy, gz] = launch.grid;
    const auto& [bx, by, bz] = launch.block;
    const CUresult status = launch.cooperative
                                ? driver.launch_cooperative_kernel(function->second, gx, gy, gz, bx, by, bz,
                                                                   shared, stream, values.data())
                                : driver.launch_kernel(function->second, gx, gy, gz, bx, by, bz, shared,
                                                       stream, values.data(), nullptr);
    if (status == CUDA_SUCCESS) return {};
    return context_->check(status, "launching '" + launch.label + "' with a grid of " +
                                       extents_text(launch.grid) + " blocks of " +
                                       extents_text(launch.block) + " threads");
}

}  // namespace lanescope::gpu
