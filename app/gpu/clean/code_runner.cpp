#include "gpu/clean/code_runner.h"

#include <utility>

namespace lanescope::gpu {

namespace {

Diagnostic no_code(std::uint32_t code) {
    return error("the device has no code " + std::to_string(code));
}

}  // namespace

Result<std::uint32_t> CodeRunner::add(const DeviceCode& code) {
    Result<LoadedCode> loaded = LoadedCode::load(context_, code.cubin);
    if (!loaded) return loaded.diagnostics();
    codes_.emplace(++added_, std::move(*loaded));
    return added_;
}

Result<void> CodeRunner::remove(std::uint32_t code) {
    return codes_.erase(code) == 1 ? Result<void>() : no_code(code);
}

Result<Place> CodeRunner::variable(std::uint32_t code, const std::string& symbol) const {
    const auto found = codes_.find(code);
    return found == codes_.end() ? Result<Place>(no_code(code)) : found->second.variable(symbol);
}

Result<Device::Exported> CodeRunner::export_memory(std::uint64_t size_bytes) {
    const Result<DeviceUuid> uuid = uuid_of(context_);
    if (!uuid) return uuid.diagnostics();
    Result<SharedMemory> memory = SharedMemory::create(context_, size_bytes);
    if (!memory) return memory.diagnostics();
    Result<Descriptor> descriptor = memory->descriptor();
    if (!descriptor) return descriptor.diagnostics();
    Device::Exported made{memory->address(), {std::move(*descriptor), memory->size_bytes(), *uuid}};
    exported_.emplace(made.address, std::move(*memory));
    return made;
}

bool CodeRunner::release_exported(std::uint64_t address) {
    return exported_.erase(address) == 1;
}

Result<void> CodeRunner::enqueue(const DeviceWork::Step& step, std::vector<Event>& marks) {
    using Kind = DeviceWork::Step::Kind;
    if (step.kind == Kind::mark) {
        Result<Event> event = Event::create(context_);
        if (!event) return event.diagnostics();
        marks.push_back(std::move(*event));
        return marks.back().record(context_.stream());
    }
    if (step.kind == Kind::copy)
        return context_.check(
            context_.driver().memcpy_dtod_async(step.to, step.from, step.size_bytes, context_.stream()),
            "copying on the GPU");
    const auto code = codes_.find(step.code);
    if (code == codes_.end()) return no_code(step.code);
    if (Result<void> prepared = code->second.prepare(step.launch); !prepared) return prepared;
    return code->second.launch(step.launch, {});
}

Result<std::vector<Event>> CodeRunner::enqueue(const DeviceWork& work) {
    for (const DeviceWork::Write& each : work.writes)
        if (Result<void> written =
                context_.check(context_.driver().memcpy_htod(each.to, each.bytes.data(), each.bytes.size()),
                               "writing to the GPU");
            !written)
            return written.diagnostics();
    std::vector<Event> marks;
    for (const DeviceWork::Step& each : work.steps)
        if (Result<void> enqueued = enqueue(each, marks); !enqueued) return enqueued.diagnostics();
    return marks;
}

void CodeRunner::forget() {
    codes_.clear();
    exported_.clear();
}

Result<std::vector<double>> times_of(const std::vector<Event>& marks) {
    std::vector<double> times_ms;
    for (const Event& each : marks) {
        const Result<double> time_ms = each.milliseconds_since(marks.front());
        if (!time_ms) return time_ms.diagnostics();
        times_ms.push_back(*time_ms);
    }
    return times_ms;
}

}  // namespace lanescope::gpu
