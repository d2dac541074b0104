#include "gpu/clean/clean_run.h"

#include <algorithm>
#include <cstring>

#include "gpu/clean/loaded_code.h"
#include "gpu/driver/texture_object.h"

namespace lanescope::gpu {

namespace {

// A pattern that no kernel computes, so that unwritten bytes are visible.
constexpr std::byte unset_pattern{0xA5};

}  // namespace

struct CleanRun::State {
    Context& context;
    const CleanProgram& program;
    std::shared_ptr<ContextLife> life;
    LoadedCode code;
    std::size_t copies = 1, last = 0;
    std::uint64_t copy_bytes = 0;      // of the buffers that are copied
    std::vector<DeviceBuffer> memory;  // copies × buffers with memory of their own, in order
    // A list for each copy: all buffers of the program, then its textures, whose address is a handle.
    std::vector<std::vector<Place>> buffers;
    std::vector<TextureObject> textures;  // of all copies
    std::vector<Place> variables;
    std::vector<DeviceBuffer>
        pristine;       // of each buffer, then of each variable, that a run changes; else empty
    HostBuffer window;  // through which memory is compared
    bool restores = false;

    State(Context& c, const CleanProgram& p) : context(c), program(p), life(c.life()) {}

    const Driver& driver() const { return context.driver(); }
    CUstream stream() const { return context.stream(); }

    Result<void> load();
    Result<void> make_buffers();
    Result<void> make_copy();
    Result<void> make_textures();
    Result<void> check_textures() const;
    Result<void> set_contents(const Place& place, std::span<const std::byte> contents) const;
    Result<void> launch_all(std::size_t copy);
    Result<void> find_changes(const MeasureOptions& options);
    Result<std::vector<std::byte>> read(const Place& place) const;
    Result<bool> changed(const Place& place, std::span<const std::byte> before);
    Result<void> keep_pristine(const Place& place, std::span<const std::byte> before);
    Result<void> restore(std::size_t copy) const;
};

Result<void> CleanRun::State::load() {
    Result<LoadedCode> loaded = LoadedCode::load(context, program.cubin);
    if (!loaded) return loaded.diagnostics();
    code = std::move(*loaded);
    for (const CleanLaunch& launch : program.launches)
        if (Result<void> prepared = code.prepare(launch); !prepared) return prepared;
    for (const std::string& symbol : program.variables) {
        const Result<Place> place = code.variable(symbol);
        // Code that does not use a variable does not hold it.
        if (place) variables.push_back(*place);
    }
    return {};
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
            Result<Place> place = code.variable(buffer.symbol);
            if (!place) return place.diagnostics();
            place->size_bytes = std::min(place->size_bytes, buffer.size_bytes);
            places.push_back(*place);
            if (buffers.empty())
                if (Result<void> set = set_contents(*place, buffer.contents); !set) return set;
            continue;
        }
        // A buffer without elements still has an address.
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
    // A fifth is left for the restored contents, the cache's scratch and the driver.
    copies = rotating_copies(copy_bytes, context.device().l2_bytes, free_bytes / 5 * 4);
    for (std::size_t copy = 0; copy < copies; ++copy)
        if (Result<void> made = make_copy(); !made) return made;
    if (Result<void> made = make_textures(); !made) return made;
    return context.check(driver().stream_synchronize(stream()), "copying on the GPU");
}

Result<void> CleanRun::State::make_textures() {
    for (std::vector<Place>& copy : buffers)
        for (const CleanTexture& each : program.textures) {
            simt::Texture texture = each.texture;
            texture.image.address = copy[static_cast<std::size_t>(each.buffer)].address;
            Result<TextureObject> made = TextureObject::create(context, texture);
            if (!made) return made.diagnostics();
            if (Result<void> filled = made->refresh(stream()); !filled) return filled;
            copy.push_back({made->handle(), 0});
            textures.push_back(std::move(*made));
        }
    return {};
}

// A texture holds a copy of its elements, which a timed run does not refresh.
Result<void> CleanRun::State::check_textures() const {
    for (const CleanTexture& each : program.textures)
        if (pristine[static_cast<std::size_t>(each.buffer)].size_bytes() != 0)
            return error("a launch changes '" + program.buffers[static_cast<std::size_t>(each.buffer)].name +
                             "', which the texture '" + each.name + "' reads; this has no times",
                         "let the kernel write another buffer");
    return {};
}

Result<void> CleanRun::State::launch_all(std::size_t copy) {
    last = copy;
    for (const CleanLaunch& launch : program.launches)
        if (Result<void> launched = code.launch(launch, buffers[copy]); !launched) return launched;
    return {};
}

Result<std::vector<std::byte>> CleanRun::State::read(const Place& place) const {
    std::vector<std::byte> bytes(place.size_bytes);
    if (bytes.empty()) return bytes;
    const CUresult status = driver().memcpy_dtoh(bytes.data(), place.address, bytes.size());
    if (Result<void> done = context.check(status, "copying from the GPU"); !done) return done.diagnostics();
    return bytes;
}

// Whether the memory's contents changed.
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

// Runs once and finds which initialised memory changed.
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
    if (Result<void> unchanged = check_textures(); !unchanged) return unchanged;
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

Result<void> CleanRun::run_once(const MeasureOptions& options) {
    if (Result<void> launched = state_->launch_all(0); !launched) return launched;
    return wait_for_runs(state_->context, options.run_limit_s, options);
}

Result<std::vector<LaunchOccupancy>> CleanRun::occupancy() const {
    std::vector<LaunchOccupancy> all;
    for (const CleanLaunch& launch : state_->program.launches) {
        Result<LaunchOccupancy> found = state_->code.occupancy(launch);
        if (!found) return found.diagnostics();
        add_launch(all, std::move(*found));
    }
    return all;
}

Result<std::vector<std::byte>> CleanRun::result(std::size_t buffer) const {
    return state_->read(state_->buffers[state_->last].at(buffer));
}

bool CleanRun::restores() const {
    return state_->restores;
}

}  // namespace lanescope::gpu
