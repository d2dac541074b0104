#include "gpu/clean_run.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace lanescope::gpu {

namespace {

// What was never written shows as something that no kernel computes.
constexpr std::byte unset_pattern{0xA5};

// Part of memory that a run may change, with what it held before the first run.
struct Place {
    CUdeviceptr address = 0;
    std::uint64_t size_bytes = 0;
};

struct LoadedLaunch {
    const CleanLaunch* spec = nullptr;
    CUfunction function = nullptr;
};

std::string extents_text(const std::array<std::uint32_t, 3>& extents) {
    return std::to_string(extents[0]) + " × " + std::to_string(extents[1]) + " × " +
           std::to_string(extents[2]);
}

}  // namespace

struct CleanRun::State {
    Context& context;
    const CleanProgram& program;
    std::shared_ptr<ContextLife> life;
    CUmodule module = nullptr;
    std::vector<LoadedLaunch> launches;
    std::size_t copies = 1, last = 0;
    std::uint64_t copy_bytes = 0;             // of the buffers that are copied
    std::vector<DeviceBuffer> memory;         // copies × buffers with memory of their own, in order
    std::vector<std::vector<Place>> buffers;  // of each copy: all buffers of the program
    std::vector<Place> variables;
    std::vector<DeviceBuffer>
        pristine;       // of each buffer, then of each variable, that a run changes; else empty
    HostBuffer window;  // through which memory is compared
    bool restores = false;

    State(Context& c, const CleanProgram& p) : context(c), program(p), life(c.life()) {}
    ~State() {
        if (const CurrentContext current(*life); current && module) life->driver->module_unload(module);
    }

    const Driver& driver() const { return context.driver(); }
    CUstream stream() const { return context.stream(); }

    Result<void> load();
    Result<void> load_kernel(const CleanLaunch& launch, std::map<std::string, CUfunction>& known);
    Result<void> check_cooperative(const CleanLaunch& launch, CUfunction function) const;
    Result<Place> find_variable(const std::string& symbol) const;
    Result<void> make_buffers();
    Result<void> make_copy();
    Result<void> set_contents(const Place& place, std::span<const std::byte> contents) const;
    Result<void> launch_all(std::size_t copy);
    Result<void> launch_one(const LoadedLaunch& launch, std::size_t copy) const;
    Result<void> find_changes(const MeasureOptions& options);
    Result<std::vector<std::byte>> read(const Place& place) const;
    Result<bool> changed(const Place& place, std::span<const std::byte> before);
    Result<void> keep_pristine(const Place& place, std::span<const std::byte> before);
    Result<void> restore(std::size_t copy) const;
};

Result<void> CleanRun::State::load() {
    const CUresult status = driver().module_load_data_ex(&module, program.cubin.data(), 0, nullptr, nullptr);
    if (Result<void> loaded = context.check(status, "loading the kernel's code"); !loaded) return loaded;
    std::map<std::string, CUfunction> known;
    for (const CleanLaunch& launch : program.launches)
        if (Result<void> loaded = load_kernel(launch, known); !loaded) return loaded;
    for (const std::string& symbol : program.variables) {
        const Result<Place> place = find_variable(symbol);
        // Code that does not use a variable does not hold it.
        if (place) variables.push_back(*place);
    }
    return {};
}

Result<void> CleanRun::State::load_kernel(const CleanLaunch& launch,
                                          std::map<std::string, CUfunction>& known) {
    CUfunction& function = known[launch.kernel];
    if (!function) {
        const CUresult status = driver().module_get_function(&function, module, launch.kernel.c_str());
        if (Result<void> found = context.check(status, "kernel '" + launch.label + "'"); !found) return found;
    }
    launches.push_back({&launch, function});
    int most_threads = 0;
    driver().func_get_attribute(&most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    if (threads > static_cast<std::uint64_t>(most_threads))
        return error("'" + launch.label + "' with blocks of " + std::to_string(threads) +
                     " threads: this GPU runs " + std::to_string(most_threads) +
                     " at most with its registers");
    if (launch.shared_bytes > 0) {
        const auto bytes = static_cast<int>(std::min<std::uint64_t>(launch.shared_bytes, 1u << 30));
        const CUresult status =
            driver().func_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
        if (Result<void> set =
                context.check(status, "'" + launch.label + "' with " + std::to_string(launch.shared_bytes) +
                                          " bytes of dynamic shared memory");
            !set)
            return set;
    }
    return launch.cooperative ? check_cooperative(launch, function) : Result<void>();
}

Result<void> CleanRun::State::check_cooperative(const CleanLaunch& launch, CUfunction function) const {
    int blocks = 0;
    const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
    const CUresult status =
        driver().occupancy_max_active_blocks(&blocks, function, threads, launch.shared_bytes);
    if (Result<void> asked = context.check(status, "the occupancy of '" + launch.label + "'"); !asked)
        return asked;
    const std::uint64_t most =
        static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(context.device().sm_count);
    const std::uint64_t wanted = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    if (wanted <= most) return {};
    return error("'" + launch.label + "' is a cooperative launch of " + std::to_string(wanted) +
                     " blocks, all of which must be resident; " + context.device().name + " holds " +
                     std::to_string(most),
                 "a smaller grid or larger blocks");
}

Result<Place> CleanRun::State::find_variable(const std::string& symbol) const {
    Place place;
    std::size_t size = 0;
    const CUresult status = driver().module_get_global(&place.address, &size, module, symbol.c_str());
    if (Result<void> found = context.check(status, "the variable '" + symbol + "'"); !found)
        return found.diagnostics();
    place.size_bytes = size;
    return place;
}

Result<void> CleanRun::State::set_contents(const Place& place, std::span<const std::byte> contents) const {
    if (contents.empty() || place.size_bytes == 0) return {};
    return context.check(driver().memcpy_htod(place.address, contents.data(), contents.size()),
                         "copying to the GPU");
}

// One set of buffers. All sets after the first are copied from it, on the device.
Result<void> CleanRun::State::make_copy() {
    std::vector<Place> places;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const CleanBuffer& buffer = program.buffers[i];
        if (!buffer.symbol.empty()) {
            Result<Place> place = find_variable(buffer.symbol);
            if (!place) return place.diagnostics();
            place->size_bytes = std::min(place->size_bytes, buffer.size_bytes);
            places.push_back(*place);
            if (buffers.empty())
                if (Result<void> set = set_contents(*place, buffer.contents); !set) return set;
            continue;
        }
        // A kernel may be given a buffer without elements: it still has an address.
        Result<DeviceBuffer> allocated =
            DeviceBuffer::allocate(context, std::max<std::uint64_t>(buffer.size_bytes, 256));
        if (!allocated) return allocated.diagnostics();
        const Place place{allocated->address(), buffer.size_bytes};
        Result<void> set;
        if (buffer.contents.empty())
            set = allocated->fill(unset_pattern);
        else if (buffers.empty())
            set = set_contents(place, buffer.contents);
        else
            set = context.check(
                driver().memcpy_dtod_async(place.address, buffers[0][i].address, place.size_bytes, stream()),
                "copying on the GPU");
        if (!set) return set;
        places.push_back(place);
        memory.push_back(std::move(*allocated));
    }
    buffers.push_back(std::move(places));
    return {};
}

Result<void> CleanRun::State::make_buffers() {
    for (const CleanBuffer& buffer : program.buffers)
        if (buffer.symbol.empty()) copy_bytes += std::max<std::uint64_t>(buffer.size_bytes, 256);
    std::size_t free_bytes = 0, all_bytes = 0;
    if (Result<void> asked =
            context.check(driver().mem_get_info(&free_bytes, &all_bytes), "asking for free memory");
        !asked)
        return asked;
    // A fifth is left for what is put back, the cache's scratch and the driver.
    copies = rotating_copies(copy_bytes, context.device().l2_bytes, free_bytes / 5 * 4);
    for (std::size_t copy = 0; copy < copies; ++copy)
        if (Result<void> made = make_copy(); !made) return made;
    return context.check(driver().stream_synchronize(stream()), "copying on the GPU");
}

Result<void> CleanRun::State::launch_one(const LoadedLaunch& launch, std::size_t copy) const {
    const CleanLaunch& spec = *launch.spec;
    std::vector<CUdeviceptr> addresses(spec.arguments.size());
    std::vector<void*> values(spec.arguments.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const CleanArgument& argument = spec.arguments[i];
        values[i] = const_cast<std::byte*>(argument.bytes.data());  // the driver takes void*, and only reads
        if (argument.buffer < 0) continue;
        addresses[i] = buffers[copy][static_cast<std::size_t>(argument.buffer)].address;
        values[i] = &addresses[i];
    }
    const auto shared = static_cast<unsigned>(spec.shared_bytes);
    const CUresult status =
        spec.cooperative
            ? driver().launch_cooperative_kernel(launch.function, spec.grid[0], spec.grid[1], spec.grid[2],
                                                 spec.block[0], spec.block[1], spec.block[2], shared,
                                                 stream(), values.data())
            : driver().launch_kernel(launch.function, spec.grid[0], spec.grid[1], spec.grid[2], spec.block[0],
                                     spec.block[1], spec.block[2], shared, stream(), values.data(), nullptr);
    if (status == CUDA_SUCCESS) return {};
    return context.check(status, "launching '" + spec.label + "' with a grid of " + extents_text(spec.grid) +
                                     " blocks of " + extents_text(spec.block) + " threads");
}

Result<void> CleanRun::State::launch_all(std::size_t copy) {
    last = copy;
    for (const LoadedLaunch& launch : launches)
        if (Result<void> launched = launch_one(launch, copy); !launched) return launched;
    return {};
}

Result<std::vector<std::byte>> CleanRun::State::read(const Place& place) const {
    std::vector<std::byte> bytes(place.size_bytes);
    if (bytes.empty()) return bytes;
    const CUresult status = driver().memcpy_dtoh(bytes.data(), place.address, bytes.size());
    if (Result<void> done = context.check(status, "copying from the GPU"); !done) return done.diagnostics();
    return bytes;
}

// Whether memory holds other bytes now.
Result<bool> CleanRun::State::changed(const Place& place, std::span<const std::byte> before) {
    constexpr std::size_t chunk = 64u << 20;
    const std::size_t count = std::min<std::uint64_t>(place.size_bytes, before.size());
    if (count == 0) return false;
    if (window.size_bytes() == 0) {
        Result<HostBuffer> made = HostBuffer::allocate(context, chunk);
        if (!made) return made.diagnostics();
        window = std::move(*made);
    }
    for (std::size_t at = 0; at < count; at += chunk) {
        const std::size_t bytes = std::min(chunk, count - at);
        const CUresult status = driver().memcpy_dtoh(window.data(), place.address + at, bytes);
        if (Result<void> done = context.check(status, "copying from the GPU"); !done)
            return done.diagnostics();
        if (std::memcmp(window.data(), before.data() + at, bytes) != 0) return true;
    }
    return false;
}

Result<void> CleanRun::State::keep_pristine(const Place& place, std::span<const std::byte> before) {
    pristine.emplace_back();
    const Result<bool> differs = changed(place, before);
    if (!differs) return differs.diagnostics();
    if (!*differs) return {};
    Result<DeviceBuffer> kept = DeviceBuffer::allocate(context, before.size());
    if (!kept) return kept.diagnostics();
    if (Result<void> written = kept->write(before); !written) return written;
    pristine.back() = std::move(*kept);
    restores = true;
    return {};
}

// One run, after which the contents of everything that had some are compared with what they were.
Result<void> CleanRun::State::find_changes(const MeasureOptions& options) {
    std::vector<std::vector<std::byte>> before;
    for (const Place& variable : variables) {
        Result<std::vector<std::byte>> bytes = read(variable);
        if (!bytes) return bytes.diagnostics();
        before.push_back(std::move(*bytes));
    }
    if (Result<void> launched = launch_all(0); !launched) return launched;
    if (Result<void> ended = wait_for_runs(context, options.run_limit_s, options); !ended) return ended;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (Result<void> kept = keep_pristine(buffers[0][i], program.buffers[i].contents); !kept) return kept;
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (Result<void> kept = keep_pristine(variables[i], before[i]); !kept) return kept;
    return restore(0);
}

Result<void> CleanRun::State::restore(std::size_t copy) const {
    for (std::size_t i = 0; i < pristine.size(); ++i) {
        if (pristine[i].size_bytes() == 0) continue;
        const std::size_t count = program.buffers.size();
        const Place& place = i < count ? buffers[copy][i] : variables[i - count];
        const std::uint64_t bytes = std::min<std::uint64_t>(place.size_bytes, pristine[i].size_bytes());
        const CUresult status =
            driver().memcpy_dtod_async(place.address, pristine[i].address(), bytes, stream());
        if (Result<void> copied = context.check(status, "restoring a buffer"); !copied) return copied;
    }
    return {};
}

CleanRun::CleanRun(std::unique_ptr<State> state, std::size_t copies)
    : state_(std::move(state)), copies_(copies) {}
CleanRun::CleanRun(CleanRun&&) noexcept = default;
CleanRun::~CleanRun() = default;

Result<CleanRun> CleanRun::make(Context& context, const CleanProgram& program) {
    if (Result<void> current = context.make_current(); !current) return current.diagnostics();
    auto state = std::make_unique<State>(context, program);
    if (Result<void> loaded = state->load(); !loaded) return loaded.diagnostics();
    if (Result<void> made = state->make_buffers(); !made) return made.diagnostics();
    const std::size_t copies = state->copies;
    return CleanRun(std::move(state), copies);
}

Result<Timing> CleanRun::measure(const MeasureOptions& options) {
    State& state = *state_;
    if (Result<void> found = state.find_changes(options); !found) return found.diagnostics();
    Work work;
    work.copies = state.copies;
    work.copy_bytes = state.copy_bytes;
    work.launch = [&](std::size_t copy) { return state.launch_all(copy); };
    if (state.restores) work.restore = [&](std::size_t copy) { return state.restore(copy); };
    return gpu::measure(state.context, work, options);
}

Result<std::vector<std::byte>> CleanRun::result(std::size_t buffer) const {
    return state_->read(state_->buffers[state_->last].at(buffer));
}

bool CleanRun::restores() const {
    return state_->restores;
}

}  // namespace lanescope::gpu
