#include "gpu/programs/watcher.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "compile/compiler.h"
#include "cudart/image/fat_binary.h"
#include "gpu/driver/context.h"
#include "gpu/programs/real.h"
#include "gpu/programs/recording.h"
#include "gpu/traced/gpu_trace_device.h"
#include "gpu/traced/traced_memory.h"
#include "simt/inspect/names.h"

namespace lanescope::gpu {

namespace {

using cudart::RegisteredFunction;
using nlohmann::ordered_json;

constexpr std::size_t most_timed = 4096;  // launches whose end is not known

// The arrays of a program by the driver's handles, which are those of CUDA's runtime.
class DriverArrays : public ProgramArrays {
  public:
    // The context, that of the program, outlives this.
    explicit DriverArrays(const Context& context) : context_(context) {}
    Result<void> copy(std::uint64_t handle, const simt::Image& image, TraceDevice::Address memory,
                      bool back) override {
        const CurrentContext current(*context_.life());
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = back ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
        copy.dstMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
        (back ? copy.dstArray : copy.srcArray) = reinterpret_cast<CUarray>(handle);
        (back ? copy.srcDevice : copy.dstDevice) = memory;
        (back ? copy.srcPitch : copy.dstPitch) = image.row_bytes;
        (back ? copy.srcHeight : copy.dstHeight) = image.height;
        copy.WidthInBytes = image.row_bytes;
        copy.Height = image.height;
        copy.Depth = image.depth;
        const Driver& driver = context_.driver();
        CUresult status = driver.memcpy_3d_async(&copy, context_.stream());
        if (status == CUDA_SUCCESS) status = driver.stream_synchronize(context_.stream());
        return context_.check(status, "copying an array of the program");
    }

  private:
    const Context& context_;
};

ordered_json json_of(const dim3& dims) {
    return {dims.x, dims.y, dims.z};
}

trace::Dim3 dims_of(const dim3& dims) {
    return {dims.x, dims.y, dims.z};
}

const char* kind_of(cudaError_t error) {
    if (error == cudaErrorIllegalAddress) return to_text(trace::ProblemKind::out_of_bounds);
    if (error == cudaErrorMisalignedAddress) return to_text(trace::ProblemKind::misaligned);
    return to_text(trace::ProblemKind::trap);
}

ordered_json json_of(const trace::Problem& problem) {
    return {{"kind", to_text(problem.kind)}, {"message", problem.message}, {"occurrences", 1}};
}

int current_device() {
    int ordinal = 0;
    LANESCOPE_REAL(cudaGetDevice)(&ordinal);
    return ordinal;
}

unsigned capability_of(int ordinal) {
    int major = 0, minor = 0;
    LANESCOPE_REAL(cudaDeviceGetAttribute)(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
    LANESCOPE_REAL(cudaDeviceGetAttribute)(&minor, cudaDevAttrComputeCapabilityMinor, ordinal);
    return static_cast<unsigned>(major * 10 + minor);
}

// The structure differs between versions of CUDA; it begins with the name, and none is this large.
std::string device_name(int ordinal) {
    alignas(cudaDeviceProp) std::array<char, 16384> room{};
    LANESCOPE_REAL(cudaGetDeviceProperties)(reinterpret_cast<cudaDeviceProp*>(room.data()), ordinal);
    return room.data();
}

// Code is loaded when it is first used; its time is not that of the launch. The structure grows with
// versions.
void load(const void* function) {
    alignas(cudaFuncAttributes) std::array<char, 4096> room{};
    LANESCOPE_REAL(cudaFuncGetAttributes)(reinterpret_cast<cudaFuncAttributes*>(room.data()), function);
}

// The blocks of a cluster, if the launch has clusters: as given, or as compiled or set for the kernel.
std::optional<trace::Dim3> cluster_of(const AskedLaunch& asked) {
    if (asked.cluster) return asked.cluster;
    alignas(cudaFuncAttributes) std::array<char, 4096> room{};
    auto* const attributes = reinterpret_cast<cudaFuncAttributes*>(room.data());
    if (LANESCOPE_REAL(cudaFuncGetAttributes)(attributes, asked.function) != cudaSuccess) return std::nullopt;
    const trace::Dim3 set{static_cast<std::uint32_t>(attributes->requiredClusterWidth),
                          static_cast<std::uint32_t>(attributes->requiredClusterHeight),
                          static_cast<std::uint32_t>(attributes->requiredClusterDepth)};
    return set.count() == 0 ? std::nullopt : std::optional(set);
}

std::string line_of(const Diagnostic& problem) {
    return problem.line == 0 ? problem.message
                             : "line " + std::to_string(problem.line) + ": " + problem.message;
}

void release(cudaEvent_t begin, cudaEvent_t end) {
    if (begin != nullptr) LANESCOPE_REAL(cudaEventDestroy)(begin);
    if (end != nullptr) LANESCOPE_REAL(cudaEventDestroy)(end);
}

}  // namespace

// Never destroyed: the program may call the runtime until its very end.
Watcher& Watcher::instance() {
    static Watcher* const made = new Watcher;
    return *made;
}

void Watcher::begin() {
    if (std::exchange(begun_, true)) return;
    journal_.write({{"event", "device"}, {"name", device_name(current_device())}}, true);
    compile::set_worker(journal_.request().value("compiler", ""));
    std::atexit([] { instance().end(); });
}

void Watcher::end() {
    const std::scoped_lock lock(mutex_);
    // What still runs is not waited for longer than this: the program does not wait either.
    for (int i = 0; i < 500 && !timed_.empty(); ++i) {
        settle();
        if (!timed_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ordered_json leaks = ordered_json::array();
    for (const auto& [address, block] : host_.memory().blocks())
        leaks.push_back({{"number", block.number}, {"bytes", block.size_bytes}});
    for (const auto& [handle, array] : host_.memory().arrays())
        leaks.push_back({{"number", array.number}, {"bytes", array.size_bytes()}});
    journal_.write({{"event", "end"}, {"leaks", std::move(leaks)}, {"lost_fault", lost_fault_}}, true);
}

// --- registration -----------------------------------------------------------------------------------------

void Watcher::add_module(void** handle, const void* wrapper) {
    modules_[handle] = cudart::add_module(registry_, wrapper);
}

void Watcher::add_function(void** handle, const void* host, const char* symbol) {
    registry_.functions[host] = {modules_[handle], symbol};
}

void Watcher::add_variable(void** handle, const void* host, const char* symbol, std::size_t size_bytes,
                           bool constant) {
    registry_.variables[host] = {modules_[handle], symbol, size_bytes, constant, nullptr};
}

const void* Watcher::function_of(cudaKernel_t kernel) const {
    const auto known = kernels_.find(kernel);
    return known == kernels_.end() ? nullptr : known->second;
}

std::string Watcher::variable_name(const void* host) const {
    const auto known = registry_.variables.find(host);
    return known == registry_.variables.end() ? "" : simt::plain_name(known->second.symbol);
}

std::string Watcher::name_of(const void* function) const {
    const auto known = registry_.functions.find(function);
    return known == registry_.functions.end() ? "unknown kernel" : simt::plain_name(known->second.symbol);
}

// --- what the host does -----------------------------------------------------------------------------------

WatchedHost& Watcher::host() {
    begin();
    return host_;
}

void Watcher::note_variable(const void* host, const void* place) {
    const auto known = registry_.variables.find(host);
    if (known != registry_.variables.end())
        host_.memory().add_variable(reinterpret_cast<std::uint64_t>(place), known->second.size_bytes,
                                    variable_name(host));
}

void Watcher::reset() {
    timed_.clear();
    host_.reset();
}

cudaError_t Watcher::returned(cudaError_t error) {
    if (error == cudaSuccess || error == cudaErrorNotReady) return error;
    if (lost_fault_ == LANESCOPE_REAL(cudaGetErrorName)(error)) lost_fault_.clear();
    journal_.write_host({{"event", "error"},
                         {"code", static_cast<int>(error)},
                         {"name", LANESCOPE_REAL(cudaGetErrorName)(error)}},
                        true);
    return error;
}

// --- times ------------------------------------------------------------------------------------------------

// After a fault nothing tells which of the launches that had not ended it was.
void Watcher::note_fault(cudaError_t error) {
    const std::uint64_t first = timed_.front().launch, last = timed_.back().launch;
    lost_fault_ = LANESCOPE_REAL(cudaGetErrorName)(error);
    std::string message = LANESCOPE_REAL(cudaGetErrorString)(error);
    if (first != last) message += ", in this launch or one of those after it, up to " + std::to_string(last);
    journal_.write({{"event", "fault"},
                    {"launch", first},
                    {"kind", kind_of(error)},
                    {"message", message + "; --engine cpu names the thread and the line"}},
                   true);
    timed_.clear();
}

void Watcher::settle() {
    std::deque<Timed> running;
    while (!timed_.empty()) {
        const Timed each = timed_.front();
        const cudaError_t state = LANESCOPE_REAL(cudaEventQuery)(each.end);
        float ms = 0;
        if (state == cudaErrorNotReady) {
            running.push_back(each);
        } else if (state != cudaSuccess) {
            timed_.insert(timed_.begin(), running.begin(), running.end());
            note_fault(state);
            return;
        } else {
            if (LANESCOPE_REAL(cudaEventElapsedTime)(&ms, each.begin, each.end) == cudaSuccess)
                journal_.write(
                    {{"event", "time"}, {"launch", each.launch}, {"us", static_cast<double>(ms) * 1e3}});
            release(each.begin, each.end);
        }
        timed_.pop_front();
    }
    timed_ = std::move(running);
}

bool Watcher::is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return LANESCOPE_REAL(cudaStreamIsCapturing)(stream, &status) != cudaSuccess ||
           status != cudaStreamCaptureStatusNone;
}

cudaError_t Watcher::timed(const AskedLaunch& asked, const std::function<cudaError_t()>& submit) {
    Timed made{launches_, nullptr, nullptr};
    const bool events = LANESCOPE_REAL(cudaEventCreate)(&made.begin) == cudaSuccess &&
                        LANESCOPE_REAL(cudaEventCreate)(&made.end) == cudaSuccess &&
                        LANESCOPE_REAL(cudaEventRecord)(made.begin, asked.stream) == cudaSuccess;
    const cudaError_t error = submit();
    if (events && error == cudaSuccess &&
        LANESCOPE_REAL(cudaEventRecord)(made.end, asked.stream) == cudaSuccess)
        timed_.push_back(made);
    else
        release(made.begin, made.end);
    if (timed_.size() > most_timed) settle();
    return error;
}

// --- launches ---------------------------------------------------------------------------------------------

cudaError_t Watcher::launch(const AskedLaunch& asked, const std::function<cudaError_t()>& submit) {
    begin();
    const std::uint64_t stream = host_.stream(asked.stream);
    const double began_ms = journal_.now_ms();
    const std::string name = name_of(asked.function);
    const auto known = registry_.functions.find(asked.function);
    const std::uint64_t of_kernel = kernel_launches_[name]++;
    const bool capturing = is_capturing(asked.stream);
    if (of_kernel == 0 && known != registry_.functions.end()) {
        note_debug_code(known->second.module);
        load(asked.function);
    }
    ordered_json event{{"event", "launch"},
                       {"number", launches_},
                       {"kernel", name},
                       {"symbol", known == registry_.functions.end() ? "" : known->second.symbol},
                       {"of_kernel", of_kernel},
                       {"grid", json_of(asked.grid)},
                       {"block", json_of(asked.block)},
                       {"shared", asked.shared_bytes},
                       {"stream", stream},
                       {"ending", "finished"}};
    if (const auto cluster = capturing ? std::nullopt : cluster_of(asked))
        event["cluster"] = {cluster->x, cluster->y, cluster->z};
    const bool wanted = journal_.kept() && cudart::is_wanted(journal_.request(), name, launches_, of_kernel);
    if (capturing)
        journal_.warn("launches that are captured into graphs are neither timed nor recorded on a GPU");
    const bool ran = wanted && !capturing && known != registry_.functions.end() && record(asked, event);
    const cudaError_t error = ran ? cudaSuccess : capturing ? submit() : timed(asked, submit);
    if (error != cudaSuccess) {
        event["ending"] = "refused";
        event["problems"] = ordered_json::array(
            {{{"kind", to_text(trace::ProblemKind::launch_config)},
              {"message", "launch of " + name + ": " + LANESCOPE_REAL(cudaGetErrorString)(error)}}});
    }
    journal_.write_host(event, event.contains("problems"), began_ms);
    ++launches_;
    return returned(error);
}

void Watcher::note_debug_code(std::size_t module) {
    for (const void* fat_binary : registry_.modules[module]->fat_binaries)
        if (cudart::has_debug_code(fat_binary))
            journal_.warn("device code was built with -G: the times are not those of optimised code");
}

cudart::DeviceCode* Watcher::code_of(std::size_t module) {
    std::unique_ptr<cudart::DeviceCode>& known = codes_[module];
    if (known != nullptr) return known.get();
    auto made = std::make_unique<cudart::DeviceCode>();
    Result<void> read = made->read(*registry_.modules[module], capability_of(current_device()), journal_);
    if (read) read = made->describe();
    if (!read) {
        journal_.warn(line_of(read.diagnostics().front()));
        return nullptr;
    }
    return (known = std::move(made)).get();
}

// What the launch would do, by instrumented code; afterwards memory is as before. True: the recording was the
// launch, and it must not run again.
bool Watcher::record(const AskedLaunch& asked, ordered_json& event) {
    const RegisteredFunction& function = registry_.functions.at(asked.function);
    const std::string which = "launch " + std::to_string(launches_) + " cannot be recorded on the GPU: ";
    // Earlier work ends, and what it printed appears, before the recording begins.
    const auto refuse = [&](const std::string& why) {
        journal_.warn(which + why);
        return false;
    };
    if (LANESCOPE_REAL(cudaDeviceSynchronize)() != cudaSuccess) return false;
    settle();
    RecordingRequest request;
    request.code = code_of(function.module);
    if (request.code == nullptr) return false;
    const simt::Kernel* kernel = request.code->program->find_kernel(function.symbol);
    if (kernel == nullptr) return refuse("the module has no kernel " + function.symbol);
    request.launch.kernel = function.symbol;
    request.launch.label = kernel->info.name;
    request.launch.grid = dims_of(asked.grid);
    request.launch.block = dims_of(asked.block);
    request.launch.dynamic_shared_bytes = asked.shared_bytes;
    request.launch.cooperative = asked.cooperative;
    request.launch.cluster = cluster_of(asked);
    for (std::size_t i = 0; i < kernel->info.parameters.size(); ++i) {
        const auto* const first = static_cast<const std::byte*>(asked.arguments[i]);
        request.launch.arguments.emplace_back(first, first + kernel->info.parameters[i].size_bytes());
    }
    request.memory = &host_.memory();
    for (const auto& [host, variable] : registry_.variables) {
        void* place = nullptr;
        if (variable.module == function.module &&
            LANESCOPE_REAL(cudaGetSymbolAddress)(&place, host) == cudaSuccess)
            request.variables.emplace_back(variable.symbol, reinterpret_cast<std::uint64_t>(place));
    }
    request.seconds = journal_.request().value("max_seconds", request.seconds);
    const Result<std::shared_ptr<const Driver>> driver = Driver::open();
    if (!driver) return refuse(driver.diagnostics().front().message);
    Result<Context> context = Context::borrow(*driver, current_device());
    if (!context) return refuse(context.diagnostics().front().message);
    GpuTraceDevice device(*context);
    DriverArrays arrays(*context);
    const std::filesystem::path file = journal_.folder() / ("launch-" + std::to_string(launches_) + ".trace");
    const Result<Recording> made = record_launch(device, arrays, request, file);
    if (!made) return refuse(line_of(made.diagnostics().front()));
    for (const std::string& note : made->notes)
        journal_.warn(note);
    for (const trace::Problem& problem : made->problems)
        event["problems"].push_back(json_of(problem));
    if (made->outcome.ending == simt::Ending::timeout) {
        journal_.write_host(event, true);
        journal_.warn(which + "CUDA cannot stop a kernel: the program was ended");
        std::fflush(nullptr);
        _exit(1);
    }
    if (made->outcome.ending != simt::Ending::finished) return false;
    if (made->kept) {
        journal_.warn("launch " + std::to_string(launches_) +
                      " allocates memory in its kernel: the recording was its run, and it has no time");
        std::fputs(made->console.c_str(), stdout);
    }
    event["shared"] = kernel->info.static_shared_bytes + asked.shared_bytes;
    event["warp_instructions"] = made->outcome.warp_instructions;
    event["thread_instructions"] = made->outcome.thread_instructions;
    journal_.write({{"event", "trace"},
                    {"launch", launches_},
                    {"file", file.filename().string()},
                    {"parameters", made->parameters}},
                   true);
    return made->kept;
}

}  // namespace lanescope::gpu
