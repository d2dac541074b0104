#include "gpu/programs/recording.h"

#include <cstring>

#include "gpu/traced/traced_engine.h"
#include "trace/io.h"

namespace lanescope::gpu {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_memory = 4ull << 30;

const ProgramBlock* block_at(const RecordingRequest& request, std::uint64_t address) {
    const auto found = request.blocks.upper_bound(address);
    if (found == request.blocks.begin()) return nullptr;
    const ProgramBlock& block = std::prev(found)->second;
    return address - block.address < block.size_bytes ? &block : nullptr;
}

std::uint64_t address_in(const std::vector<std::byte>& argument) {
    std::uint64_t address = 0;
    if (argument.size() == sizeof address) std::memcpy(&address, argument.data(), sizeof address);
    return address;
}

// The blocks as the trace has them: a block to which an argument points has the type of its parameter.
std::map<std::uint64_t, trace::Symbol> symbols_of(const RecordingRequest& request, ordered_json& names) {
    std::map<std::uint64_t, trace::Symbol> symbols;
    for (const auto& [address, block] : request.blocks) {
        trace::Symbol symbol;
        symbol.name = std::string(block.kind) + " " + std::to_string(block.number);
        symbol.extents = {block.size_bytes};
        symbol.buffer = true;
        symbols.emplace(address, std::move(symbol));
    }
    names = ordered_json::object();
    const simt::Kernel& kernel = *request.code->program->find_kernel(request.launch.kernel);
    const TypeTable& types = request.code->debug.types;
    for (std::size_t i = 0; i < request.launch.arguments.size(); ++i) {
        const ptx::DebugVariable* variable = request.code->parameter(kernel, i);
        const ProgramBlock* block = block_at(request, address_in(request.launch.arguments[i]));
        if (variable == nullptr || block == nullptr) continue;
        const ValueType& type = types[variable->type];
        if (type.kind != ValueType::Kind::pointer) continue;
        names[std::to_string(block->number)] = variable->name;
        const std::uint32_t bytes = types[type.element].size_bytes;
        if (bytes == 0 || block->size_bytes % bytes != 0) continue;
        trace::Symbol& symbol = symbols[block->address];
        symbol.element = type.element;
        symbol.extents = {block->size_bytes / bytes};
    }
    return symbols;
}

// The instrumented module has variables of its own: they get the values of the program's.
Result<void> copy_variables(TracedEngine& engine, TraceDevice& device, const RecordingRequest& request) {
    for (const auto& [name, address] : request.variables) {
        const Result<simt::Machine::SymbolAddress> to = engine.symbol(name);
        if (!to) continue;  // no kernel uses it
        std::vector<std::byte> bytes(to->size_bytes);
        if (Result<void> read = device.read(address, bytes); !read) return read;
        if (Result<void> written = engine.write(to->address, bytes); !written) return written;
    }
    return {};
}

Result<void> take_memory(TracedEngine& engine, const RecordingRequest& request, ordered_json& names) {
    std::uint64_t bytes = 0;
    for (const auto& [address, block] : request.blocks)
        bytes += block.size_bytes;
    if (bytes > most_memory)
        return error("the program holds " + std::to_string(bytes >> 20) +
                         " MiB of the GPU's memory, and a recording copies at most " +
                         std::to_string(most_memory >> 20) + " MiB",
                     "run it with smaller data");
    for (auto& [address, symbol] : symbols_of(request, names))
        if (Result<void> taken = engine.take(address, request.blocks.at(address).size_bytes, symbol); !taken)
            return taken;
    return {};
}

// In the trace, pointers are the trace's own addresses.
trace::Program described(const TracedEngine& engine, const TraceDevice& device,
                         const RecordingRequest& request) {
    simt::LaunchRequest shown = request.launch;
    for (std::vector<std::byte>& argument : shown.arguments) {
        const std::uint64_t address = address_in(argument);
        if (block_at(request, address) == nullptr) continue;
        const std::uint64_t there = engine.in_trace(address);
        std::memcpy(argument.data(), &there, sizeof there);
    }
    trace::Program made = request.code->with_arguments(shown);
    made.engine = device.name();
    return made;
}

}  // namespace

Result<Recording> record_launch(TraceDevice& device, const RecordingRequest& request,
                                const std::filesystem::path& file) {
    cudart::DeviceCode& code = *request.code;
    code.show_file_of(request.launch.kernel);
    TracedLimits limits;
    limits.seconds = request.seconds;
    limits.memory_bytes = most_memory + (1ull << 30);
    Result<TracedEngine> engine =
        TracedEngine::create(std::make_shared<const ptx::Module>(code.module), code.program,
                             code.program->description.source.path, device, limits, request.launch.kernel);
    if (!engine) return engine.diagnostics();
    Recording made;
    if (const Result<void> taken = take_memory(*engine, request, made.parameters); !taken)
        return taken.diagnostics();
    if (const Result<void> copied = copy_variables(*engine, device, request); !copied)
        return copied.diagnostics();
    trace::Recorder recorder({request.trace_bytes});
    engine->record_into(&recorder);
    recorder.set_program(described(*engine, device, request));
    const Result<simt::Outcome> outcome = engine->launch(request.launch, nullptr);
    if (!outcome) return outcome.diagnostics();
    made.outcome = *outcome;
    made.problems = engine->problems();
    made.notes = engine->notes();
    if (outcome->ending != simt::Ending::finished) return made;  // the context is lost
    if (const Result<void> restored = engine->restore(); !restored) return restored.diagnostics();
    if (const Result<void> saved = trace::save(*recorder.finish(), file); !saved) return saved.diagnostics();
    return made;
}

}  // namespace lanescope::gpu
