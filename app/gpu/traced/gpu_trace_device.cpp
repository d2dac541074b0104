#include "gpu/traced/gpu_trace_device.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "compile/compiler.h"
#include "gpu/driver/captured_output.h"
#include "gpu/driver/stream.h"
#include "gpu/traced/traced_engine.h"

namespace lanescope::gpu {

using simt::Ending;

namespace {

// Records may take an eighth of the free memory, within these limits.
constexpr std::uint64_t least_record_bytes = 64ull << 20, max_record_bytes = 4ull << 30;

// The most registers of a thread: without launch bounds, with bounds of 1,024 and of 2,048 threads on a
// multiprocessor, which has 65,536 registers.
constexpr std::array<unsigned, 3> register_limits{255, 64, 32};

trace::ProblemKind fault_of(const std::string& message) {
    const auto names = [&](const char* name) { return message.find(name) != std::string::npos; };
    if (names("ILLEGAL_ADDRESS") || names("INVALID_ADDRESS_SPACE")) return trace::ProblemKind::out_of_bounds;
    return names("MISALIGNED_ADDRESS") ? trace::ProblemKind::misaligned : trace::ProblemKind::trap;
}

std::string target_of(const DeviceFacts& facts) {
    return "sm_" + std::to_string(facts.compute_capability);
}

}  // namespace

GpuTraceDevice::GpuTraceDevice(Context& context) : context_(context), runner_(context) {
    CUdevice device = 0;
    int khz = 0;
    const Driver& driver = context.driver();
    if (driver.device_get(&device, context.device().ordinal) == CUDA_SUCCESS &&
        driver.device_get_attribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device) == CUDA_SUCCESS && khz > 0)
        cycles_per_ns_ = khz * 1e-6;
}

GpuTraceDevice::~GpuTraceDevice() {
    forget();
}

void GpuTraceDevice::forget() {
    const CurrentContext current(*context_.life());
    if (module_ != nullptr && current) context_.driver().module_unload(module_);
    module_ = nullptr;
    runner_.forget();
    textures_.clear();
    buffers_.clear();
}

std::string GpuTraceDevice::code_target() const {
    return target_of(context_.device());
}

std::string GpuTraceDevice::driver() const {
    return context_.device().driver;
}

std::uint32_t GpuTraceDevice::multiprocessors() const {
    return static_cast<std::uint32_t>(context_.device().sm_count);
}

std::string GpuTraceDevice::name() const {
    return context_.device().name;
}

std::string GpuTraceDevice::newest_target() const {
    return "compute_" + std::to_string(std::min(90, context_.device().compute_capability));
}

std::uint64_t GpuTraceDevice::record_bytes() const {
    if (shared_.size_bytes() != 0) return shared_.size_bytes();
    const CurrentContext current(*context_.life());
    std::size_t free_bytes = 0, total = 0;
    if (context_.driver().mem_get_info(&free_bytes, &total) != CUDA_SUCCESS) return least_record_bytes;
    return std::clamp<std::uint64_t>((free_bytes + records_.size_bytes()) / 8, least_record_bytes,
                                     max_record_bytes);
}

Result<void> GpuTraceDevice::load(const std::string& instrumented_ptx) {
    forget();
    ++life_;
    const bool launches = instrumented_ptx.find(".extern .func") != std::string::npos &&
                          instrumented_ptx.find("__cudaCDP2LaunchDevice") != std::string::npos;
    // In a program's own process the driver decides alone, where it can.
    if (launches || (!context_.is_borrowed() && !context_.driver().older_than_toolkit().empty())) {
        const Result<std::string> code =
            compile::assemble(instrumented_ptx, target_of(context_.device()), launches);
        if (!code) return code.diagnostics();
        const CurrentContext current(*context_.life());
        return context_.check(
            context_.driver().module_load_data_ex(&module_, code->c_str(), 0, nullptr, nullptr),
            "loading the instrumented code");
    }
    const CurrentContext current(*context_.life());
    std::array<char, 4096> log{};
    CUresult status = CUDA_SUCCESS;
    for (const unsigned limit : register_limits) {
        log[0] = 0;
        status = link(instrumented_ptx, log, limit);
        // "Entry function … with max regcount of 64 calls function … with regcount of 76"
        if (std::string_view(log.data()).find("regcount") == std::string_view::npos) break;
    }
    return context_.check(status, std::string("loading the instrumented code: ") + log.data());
}

// Code that is assembled for the linker calls functions as the ABI says. cuModuleLoadDataEx fits them into
// their kernel instead. Such code went wrong in 5 of 118 random programs on an H200 with CUDA 13.0: a lane
// used a wrong address of shared memory, or the kernel faulted.
CUresult GpuTraceDevice::link(const std::string& ptx, std::span<char> log, unsigned max_registers) {
    const Driver& driver = context_.driver();
    std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    CUlinkState linker{};
    CUresult status = driver.link_create(2, options.data(), values.data(), &linker);
    if (status != CUDA_SUCCESS) return status;
    void* code = nullptr;  // belongs to the linker
    std::size_t size = 0;
    std::string text = ptx;  // the driver takes no constant text
    CUjit_option limit = CU_JIT_MAX_REGISTERS;
    void* limit_value = reinterpret_cast<void*>(std::size_t{max_registers});
    status = driver.link_add_data(linker, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "instrumented code",
                                  max_registers < register_limits.front() ? 1 : 0, &limit, &limit_value);
    if (status == CUDA_SUCCESS) status = driver.link_complete(linker, &code, &size);
    if (status == CUDA_SUCCESS) status = driver.module_load_data_ex(&module_, code, 0, nullptr, nullptr);
    driver.link_destroy(linker);
    return status;
}

Result<gpu::TraceDevice::Address> GpuTraceDevice::allocate(std::uint64_t size_bytes) {
    const CurrentContext current(*context_.life());
    Result<DeviceBuffer> made = DeviceBuffer::allocate(context_, size_bytes);
    if (!made) return made.diagnostics();
    buffers_.push_back(std::move(*made));
    return static_cast<Address>(buffers_.back().address());
}

Result<void> GpuTraceDevice::release(Address memory) {
    const CurrentContext current(*context_.life());
    if (runner_.release_exported(memory)) return {};
    const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                    [&](const DeviceBuffer& each) { return each.address() == memory; });
    if (found == buffers_.end()) return error("the device has not allocated this memory");
    buffers_.erase(found);
    return {};
}

Result<gpu::Device::Exported> GpuTraceDevice::allocate_exported(std::uint64_t size_bytes) {
    return runner_.export_memory(size_bytes);
}

Result<void> GpuTraceDevice::write(Address to, std::span<const std::byte> bytes) {
    const CurrentContext current(*context_.life());
    if (bytes.empty()) return {};
    return context_.check(context_.driver().memcpy_htod(to, bytes.data(), bytes.size()),
                          "writing to the GPU");
}

Result<void> GpuTraceDevice::read(Address from, std::span<std::byte> bytes) {
    const CurrentContext current(*context_.life());
    if (bytes.empty()) return {};
    return context_.check(context_.driver().memcpy_dtoh(bytes.data(), from, bytes.size()),
                          "reading from the GPU");
}

Result<void> GpuTraceDevice::read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                       std::uint64_t rows, std::span<std::byte> bytes) {
    if (pitch_bytes == width_bytes) return read(from, bytes.first(width_bytes * rows));
    const CurrentContext current(*context_.life());
    CUDA_MEMCPY2D shape{};
    shape.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    shape.srcDevice = from;
    shape.srcPitch = pitch_bytes;
    shape.dstMemoryType = CU_MEMORYTYPE_HOST;
    shape.dstHost = bytes.data();
    shape.dstPitch = width_bytes;
    shape.WidthInBytes = width_bytes;
    shape.Height = rows;
    return context_.check(context_.driver().memcpy_2d(&shape), "reading records from the GPU");
}

Result<void> GpuTraceDevice::copy(Address to, Address from, std::uint64_t size_bytes) {
    const CurrentContext current(*context_.life());
    return context_.check(context_.driver().memcpy_dtod(to, from, size_bytes), "copying on the GPU");
}

Result<void> GpuTraceDevice::fill(Address at, std::uint64_t size_bytes, std::byte value) {
    const CurrentContext current(*context_.life());
    if (size_bytes == 0) return {};
    return context_.check(context_.driver().memset_d8(at, static_cast<unsigned char>(value), size_bytes),
                          "filling memory of the GPU");
}

Result<gpu::TraceDevice::Address> GpuTraceDevice::symbol(const std::string& mangled) {
    const CurrentContext current(*context_.life());
    CUdeviceptr address = 0;
    std::size_t size_bytes = 0;
    const CUresult status =
        context_.driver().module_get_global(&address, &size_bytes, module_, mangled.c_str());
    if (Result<void> found = context_.check(status, "finding the variable " + mangled); !found)
        return found.diagnostics();
    return static_cast<Address>(address);
}

Result<std::uint64_t> GpuTraceDevice::texture(const simt::Texture& texture) {
    Result<TextureObject> made = TextureObject::create(context_, texture);
    if (!made) return made.diagnostics();
    textures_.push_back(std::move(*made));
    return textures_.back().handle();
}

Result<gpu::TraceDevice::Address> GpuTraceDevice::records(std::uint64_t size_bytes) {
    if (size_bytes <= shared_.size_bytes()) return static_cast<Address>(shared_.address());
    if (size_bytes <= records_.size_bytes()) return static_cast<Address>(records_.address());
    const CurrentContext current(*context_.life());
    records_ = DeviceBuffer();
    Result<DeviceBuffer> made = DeviceBuffer::allocate(context_, size_bytes);
    if (!made) return made.diagnostics();
    records_ = std::move(*made);
    return static_cast<Address>(records_.address());
}

Result<ExportedMemory> GpuTraceDevice::share_records(std::uint64_t most_bytes) {
    ExportedMemory made;
    const Result<DeviceUuid> uuid = uuid_of(context_);
    if (!uuid) return uuid.diagnostics();
    made.device = *uuid;
    constexpr std::uint64_t unit_bytes = 2ull << 20;  // of CUDA's virtual memory, which rounds up
    const std::uint64_t wanted = std::min(record_bytes(), most_bytes) / unit_bytes * unit_bytes;
    Result<SharedMemory> memory = SharedMemory::create(context_, wanted);
    if (!memory) return memory.diagnostics();
    Result<Descriptor> descriptor = memory->descriptor();
    if (!descriptor) return descriptor.diagnostics();
    made.descriptor = std::move(*descriptor);
    made.size_bytes = memory->size_bytes();
    shared_ = std::move(*memory);
    return made;
}

Result<void> GpuTraceDevice::adopt_records(const ExportedMemory& records) {
    const Result<DeviceUuid> uuid = uuid_of(context_);
    if (!uuid) return uuid.diagnostics();
    if (*uuid != records.device) return error("the memory of the records is on another GPU");
    Result<SharedMemory> memory = SharedMemory::open(context_, records.descriptor, records.size_bytes);
    if (!memory) return memory.diagnostics();
    shared_ = std::move(*memory);
    return {};
}

Result<CUfunction> GpuTraceDevice::function_of(const simt::LaunchRequest& request) {
    CUfunction function = nullptr;
    const Driver& driver = context_.driver();
    CUresult status = driver.module_get_function(&function, module_, request.kernel.c_str());
    constexpr std::uint64_t without_asking = 48 << 10;
    if (status == CUDA_SUCCESS && request.dynamic_shared_bytes > without_asking)
        status = driver.func_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           static_cast<int>(request.dynamic_shared_bytes));
    constexpr std::uint64_t portable_cluster_blocks = 8;
    if (status == CUDA_SUCCESS && request.cluster && request.cluster->count() > portable_cluster_blocks)
        status = driver.func_set_attribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (Result<void> found = context_.check(status, "preparing the kernel " + request.label); !found)
        return found.diagnostics();
    return function;
}

Result<void> GpuTraceDevice::enqueue(const simt::LaunchRequest& request, CUfunction function) {
    std::vector<std::vector<std::byte>> arguments = request.arguments;
    std::vector<void*> pointers;
    for (std::vector<std::byte>& each : arguments)
        pointers.push_back(each.data());
    CUlaunchConfig configuration{};
    configuration.gridDimX = request.grid.x;
    configuration.gridDimY = request.grid.y;
    configuration.gridDimZ = request.grid.z;
    configuration.blockDimX = request.block.x;
    configuration.blockDimY = request.block.y;
    configuration.blockDimZ = request.block.z;
    configuration.sharedMemBytes = static_cast<unsigned>(request.dynamic_shared_bytes);
    configuration.hStream = context_.stream();
    std::array<CUlaunchAttribute, 2> attributes{};
    configuration.attrs = attributes.data();
    if (request.cooperative) {
        CUlaunchAttribute& together = attributes[configuration.numAttrs++];
        together.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        together.value.cooperative = 1;
    }
    if (request.cluster) {
        CUlaunchAttribute& cluster = attributes[configuration.numAttrs++];
        cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        cluster.value.clusterDim = {request.cluster->x, request.cluster->y, request.cluster->z};
    }
    const CUresult status =
        context_.driver().launch_kernel_ex(&configuration, function, pointers.data(), nullptr);
    return context_.check(status, "launching " + request.label);
}

// The context is lost with all that was in it. Where the driver refuses a new one, the next call says so.
gpu::TraceDevice::Ran GpuTraceDevice::ended(const std::string& why, Ending how) {
    module_ = nullptr;
    ++life_;
    (void)context_.rebuild();
    runner_.forget();
    textures_.clear();
    shared_ = SharedMemory();
    buffers_.clear();
    records_ = DeviceBuffer();
    return Ran{how, why, fault_of(why)};
}

gpu::TraceDevice::Ran GpuTraceDevice::wait(double seconds, const std::atomic<bool>* cancel) {
    const Result<Waited> waited = context_.wait(context_.stream(), {seconds, cancel});
    if (!waited) return ended(waited.diagnostics().front().message, Ending::faulted);
    if (*waited == Waited::timed_out)
        return ended("it did not end within " + seconds_text(seconds) +
                         "; CUDA cannot stop a kernel, so its context was given up",
                     Ending::timeout);
    return *waited == Waited::cancelled ? ended("cancelled", Ending::cancelled) : Ran{};
}

Result<std::uint32_t> GpuTraceDevice::add_code(const DeviceCode& code) {
    const CurrentContext current(*context_.life());
    return runner_.add(code);
}

Result<void> GpuTraceDevice::remove_code(std::uint32_t code) {
    return runner_.remove(code);
}

Result<Place> GpuTraceDevice::variable(std::uint32_t code, const std::string& symbol) {
    const CurrentContext current(*context_.life());
    return runner_.variable(code, symbol);
}

// What was enqueued before a refused step runs to its end.
Result<gpu::Device::Worked> GpuTraceDevice::run(const DeviceWork& work, double seconds,
                                                const std::atomic<bool>* cancel) {
    const CurrentContext current(*context_.life());
    const Result<std::vector<Event>> marks = runner_.enqueue(work);
    Worked worked;
    worked.ran = wait(seconds, cancel);
    if (worked.ran.ending != Ending::finished) return worked;
    if (!marks) return marks.diagnostics();
    Result<std::vector<double>> times_ms = times_of(*marks);
    if (!times_ms) return times_ms.diagnostics();
    worked.marks_ms = std::move(*times_ms);
    return worked;
}

Result<gpu::TraceDevice::Ran> GpuTraceDevice::launch(const simt::LaunchRequest& request, double seconds,
                                                     const std::atomic<bool>* cancel, std::string& console) {
    const CurrentContext current(*context_.life());
    const Result<CUfunction> function = function_of(request);
    if (!function) return Ran{Ending::refused, function.diagnostics().front().message};
    Result<Event> begin = Event::create(context_), end = Event::create(context_);
    if (!begin) return begin.diagnostics();
    if (!end) return end.diagnostics();
    for (const TextureObject& texture : textures_)
        if (Result<void> copied = texture.refresh(context_.stream()); !copied) return copied.diagnostics();
    CapturedOutput output;
    if (Result<void> marked = begin->record(context_.stream()); !marked) return marked.diagnostics();
    if (Result<void> launched = enqueue(request, *function); !launched)
        return Ran{Ending::refused, launched.diagnostics().front().message};
    if (Result<void> marked = end->record(context_.stream()); !marked) return marked.diagnostics();
    Ran ran = wait(seconds, cancel);
    if (ran.ending != Ending::finished) return ran;
    context_.driver().ctx_synchronize();  // prints what the kernel printed
    console += output.take();
    if (const Result<double> ms = end->milliseconds_since(*begin)) last_ms_ = *ms;
    return ran;
}

}  // namespace lanescope::gpu
