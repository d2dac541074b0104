#include "gpu/driver/device_query.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace lanescope::gpu {

namespace {

// Abbreviates the table below.
#define ATTRIBUTE(name) CU_DEVICE_ATTRIBUTE_##name

const DeviceProperty properties[] = {
    {"multiprocessors", "Multiprocessors (SMs)", Unit::count, {ATTRIBUTE(MULTIPROCESSOR_COUNT)}},
    {"clock_khz", "GPU max clock rate", Unit::kilohertz, {ATTRIBUTE(CLOCK_RATE)}},
    {"memory_clock_khz", "Memory clock rate", Unit::kilohertz, {ATTRIBUTE(MEMORY_CLOCK_RATE)}},
    {"memory_bus_bits", "Memory bus width", Unit::bits, {ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH)}},
    {"l2_bytes", "L2 cache size", Unit::bytes, {ATTRIBUTE(L2_CACHE_SIZE)}},
    {"l2_persisting_bytes",
     "L2 cache that can be set aside",
     Unit::bytes,
     {ATTRIBUTE(MAX_PERSISTING_L2_CACHE_SIZE)}},
    {"max_texture_1d", "Max 1D texture", Unit::count, {ATTRIBUTE(MAXIMUM_TEXTURE1D_WIDTH)}},
    {"max_texture_2d",
     "Max 2D texture (x, y)",
     Unit::count,
     {ATTRIBUTE(MAXIMUM_TEXTURE2D_WIDTH), ATTRIBUTE(MAXIMUM_TEXTURE2D_HEIGHT)}},
    {"max_texture_3d",
     "Max 3D texture (x, y, z)",
     Unit::count,
     {ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH), ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT),
      ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH)}},
    {"max_layered_texture_1d",
     "Max layered 1D texture (x, layers)",
     Unit::count,
     {ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_WIDTH), ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_LAYERS)}},
    {"max_layered_texture_2d",
     "Max layered 2D texture (x, y, layers)",
     Unit::count,
     {ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH), ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
      ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS)}},
    {"constant_memory_bytes", "Constant memory", Unit::bytes, {ATTRIBUTE(TOTAL_CONSTANT_MEMORY)}},
    {"shared_memory_per_block_bytes",
     "Shared memory per block",
     Unit::bytes,
     {ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK)}},
    {"shared_memory_per_block_optin_bytes",
     "Shared memory per block, on request",
     Unit::bytes,
     {ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)}},
    {"shared_memory_per_multiprocessor_bytes",
     "Shared memory per SM",
     Unit::bytes,
     {ATTRIBUTE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)}},
    {"registers_per_block", "Registers per block", Unit::count, {ATTRIBUTE(MAX_REGISTERS_PER_BLOCK)}},
    {"registers_per_multiprocessor",
     "Registers per SM",
     Unit::count,
     {ATTRIBUTE(MAX_REGISTERS_PER_MULTIPROCESSOR)}},
    {"warp_size", "Warp size", Unit::count, {ATTRIBUTE(WARP_SIZE)}},
    {"max_threads_per_multiprocessor",
     "Max threads per SM",
     Unit::count,
     {ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR)}},
    {"max_blocks_per_multiprocessor",
     "Max blocks per SM",
     Unit::count,
     {ATTRIBUTE(MAX_BLOCKS_PER_MULTIPROCESSOR)}},
    {"max_threads_per_block", "Max threads per block", Unit::count, {ATTRIBUTE(MAX_THREADS_PER_BLOCK)}},
    {"max_block_dimensions",
     "Max block dimensions (x, y, z)",
     Unit::count,
     {ATTRIBUTE(MAX_BLOCK_DIM_X), ATTRIBUTE(MAX_BLOCK_DIM_Y), ATTRIBUTE(MAX_BLOCK_DIM_Z)}},
    {"max_grid_dimensions",
     "Max grid dimensions (x, y, z)",
     Unit::count,
     {ATTRIBUTE(MAX_GRID_DIM_X), ATTRIBUTE(MAX_GRID_DIM_Y), ATTRIBUTE(MAX_GRID_DIM_Z)}},
    {"max_memory_pitch_bytes", "Max memory pitch", Unit::bytes, {ATTRIBUTE(MAX_PITCH)}},
    {"texture_alignment_bytes", "Texture alignment", Unit::bytes, {ATTRIBUTE(TEXTURE_ALIGNMENT)}},
    {"concurrent_copy_and_execution", "Copies while kernels run", Unit::yes_no, {ATTRIBUTE(GPU_OVERLAP)}},
    {"copy_engines", "Copy engines", Unit::count, {ATTRIBUTE(ASYNC_ENGINE_COUNT)}},
    {"concurrent_kernels", "Several kernels at a time", Unit::yes_no, {ATTRIBUTE(CONCURRENT_KERNELS)}},
    {"kernel_time_limit", "Run time limit on kernels", Unit::yes_no, {ATTRIBUTE(KERNEL_EXEC_TIMEOUT)}},
    {"integrated", "Integrated, shares the host's memory", Unit::yes_no, {ATTRIBUTE(INTEGRATED)}},
    {"maps_host_memory", "Maps pinned host memory", Unit::yes_no, {ATTRIBUTE(CAN_MAP_HOST_MEMORY)}},
    {"surface_alignment_required",
     "Alignment requirement for surfaces",
     Unit::yes_no,
     {ATTRIBUTE(SURFACE_ALIGNMENT)}},
    {"ecc", "ECC", Unit::yes_no, {ATTRIBUTE(ECC_ENABLED)}},
    {"unified_addressing", "Unified addressing (UVA)", Unit::yes_no, {ATTRIBUTE(UNIFIED_ADDRESSING)}},
    {"managed_memory", "Managed memory", Unit::yes_no, {ATTRIBUTE(MANAGED_MEMORY)}},
    {"compute_preemption", "Compute preemption", Unit::yes_no, {ATTRIBUTE(COMPUTE_PREEMPTION_SUPPORTED)}},
    {"cooperative_launch", "Cooperative launch", Unit::yes_no, {ATTRIBUTE(COOPERATIVE_LAUNCH)}},
    {"cooperative_multi_device_launch",
     "Cooperative launch on several devices",
     Unit::yes_no,
     {ATTRIBUTE(COOPERATIVE_MULTI_DEVICE_LAUNCH)}},
    {"cluster_launch", "Cluster launch", Unit::yes_no, {ATTRIBUTE(CLUSTER_LAUNCH)}},
    {"compute_mode", "Compute mode", Unit::compute_mode, {ATTRIBUTE(COMPUTE_MODE)}},
};
#undef ATTRIBUTE

// As NVIDIA's samples count them: the FP32 lanes of a multiprocessor.
int cores_of(int capability) {
    static constexpr std::array<std::array<int, 2>, 19> table{{
        {50, 128},  {52, 128},  {53, 128},  {60, 64},   {61, 128},  {62, 128}, {70, 64},
        {72, 64},   {75, 64},   {80, 64},   {86, 128},  {87, 128},  {89, 128}, {90, 128},
        {100, 128}, {103, 128}, {110, 128}, {120, 128}, {121, 128},
    }};
    for (const auto& [known, cores] : table)
        if (known == capability) return cores;
    return 0;
}

std::string uuid_text(const CUuuid& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

std::vector<int> peers_of(const Driver& driver, CUdevice device) {
    std::vector<int> reached;
    for (int other = 0; other < driver.device_count(); ++other) {
        CUdevice peer = 0;
        int can = 0;
        if (driver.device_get(&peer, other) == CUDA_SUCCESS && peer != device &&
            driver.device_can_access_peer(&can, device, peer) == CUDA_SUCCESS && can)
            reached.push_back(other);
    }
    return reached;
}

}  // namespace

std::span<const DeviceProperty> device_properties() {
    return properties;
}

int DeviceQuery::multiprocessors() const {
    return values.empty() || values[0].empty() ? 0 : values[0][0];
}

Result<DeviceQuery> query_device(const Driver& driver, int ordinal) {
    DeviceQuery query;
    query.ordinal = ordinal;
    CUdevice device = 0;
    std::array<char, 256> name{};
    std::array<char, 32> pci{};
    std::size_t total_bytes = 0;
    CUuuid uuid{};
    int major = 0, minor = 0;
    CUresult status = driver.device_get(&device, ordinal);
    const auto ask = [&](auto function, auto... arguments) {
        if (status == CUDA_SUCCESS) status = function(arguments...);
    };
    ask(driver.device_get_name, name.data(), static_cast<int>(name.size()), device);
    ask(driver.device_get_uuid, &uuid, device);
    ask(driver.device_get_pci_bus_id, pci.data(), static_cast<int>(pci.size()), device);
    ask(driver.device_total_mem, &total_bytes, device);
    ask(driver.device_get_attribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    ask(driver.device_get_attribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    if (const Result<void> answered = driver.check(status, "asking CUDA device " + std::to_string(ordinal));
        !answered)
        return answered.diagnostics();
    query.name = name.data();
    query.uuid = uuid_text(uuid);
    query.pci_bus_id = pci.data();
    query.total_memory_bytes = total_bytes;
    query.compute_capability = major * 10 + minor;
    query.cores_per_multiprocessor = cores_of(query.compute_capability);
    query.peers = peers_of(driver, device);
    for (const DeviceProperty& property : properties) {
        std::vector<int>& values = query.values.emplace_back();
        for (const CUdevice_attribute attribute : property.attributes) {
            int value = 0;
            if (driver.device_get_attribute(&value, attribute, device) == CUDA_SUCCESS)
                values.push_back(value);
        }
        if (values.size() != property.attributes.size()) values.clear();
    }
    return query;
}

std::string capability_text(int compute_capability) {
    return std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
}

std::string compute_mode_text(int mode) {
    switch (mode) {
        case CU_COMPUTEMODE_DEFAULT:
            return "default: several processes at a time";
        case CU_COMPUTEMODE_EXCLUSIVE_PROCESS:
            return "exclusive: one process at a time";
        case CU_COMPUTEMODE_PROHIBITED:
            return "prohibited: no process may use it";
        default:
            return "unknown (" + std::to_string(mode) + ")";
    }
}

}  // namespace lanescope::gpu
