#include "gpu/programs/recording.h"

#include <cstring>
#include <optional>

#include "cudart/runtime/images.h"
#include "gpu/traced/traced_engine.h"
#include "trace/io.h"

namespace lanescope::gpu {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_memory = 4ull << 30;

const ProgramBlock* block_at(const RecordingRequest& request, std::uint64_t address) {
    const auto& blocks = request.memory->blocks();
    const auto found = blocks.upper_bound(address);
    if (found == blocks.begin()) return nullptr;
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
    for (const auto& [address, block] : request.memory->blocks()) {
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

// The instrumented module has variables of its own: they get the values of the program's, or give them
// `back`.
Result<void> copy_variables(TracedEngine& engine, TraceDevice& device, const RecordingRequest& request,
                            bool back) {
    for (const auto& [name, address] : request.variables) {
        const Result<simt::Machine::SymbolAddress> own = engine.symbol(name);
        if (!own) continue;  // no kernel uses it
        std::vector<std::byte> bytes(own->size_bytes);
        if (Result<void> read = device.read(back ? own->address : address, bytes); !read) return read;
        if (Result<void> written = back ? device.write(address, bytes) : engine.write(own->address, bytes);
            !written)
            return written;
    }
    return {};
}

// Elements of an array in the trace: rows, and slices.
trace::Symbol symbol_of(const ProgramArray& array, const simt::Image& image, const TypeTable& known) {
    trace::Symbol symbol;
    symbol.name = "array " + std::to_string(array.number);
    symbol.buffer = true;
    symbol.extents = {image.slice_bytes * image.depth};
    TypeTable types = known;
    const TypeId element = types.named(cudart::element_name(image.format));
    if (element == 0 || element >= known.size()) return symbol;
    symbol.element = element;
    symbol.extents = {image.width};
    if (image.height > 1) symbol.extents.insert(symbol.extents.begin(), image.height);
    if (image.depth > 1) symbol.extents.insert(symbol.extents.begin(), image.depth);
    return symbol;
}

// The arrays, texture objects and surface objects of a program, as the engine knows them.
class ImageTaker {
  public:
    ImageTaker(TracedEngine& engine, ProgramArrays& arrays, const RecordingRequest& request)
        : engine_(engine), arrays_(arrays), request_(request) {}

    Result<void> take_all() {
        for (const auto& [handle, array] : request_.memory->arrays())
            if (Result<void> taken = take(handle, array); !taken) return taken;
        for (const auto& [handle, texture] : request_.memory->textures())
            missing_ = !take(handle, texture) || missing_;
        for (const auto& [handle, resource] : request_.memory->surfaces()) {
            const auto image = array_image(resource);
            missing_ = !image || !engine_.take_surface(handle, *image) || missing_;
        }
        return {};
    }
    bool missing() const { return missing_; }  // some object is not known to the engine

  private:
    Result<void> take(cudaArray_const_t handle, const ProgramArray& array) {
        const auto format = cudart::texel_format(array.format);
        if (!format) return {};
        simt::Image image = cudart::image_of(*format, array.extent, array.flags);
        const Result<std::uint64_t> elements =
            engine_.take_array(arrays_, reinterpret_cast<std::uint64_t>(handle), image,
                               (array.flags & cudaArraySurfaceLoadStore) != 0,
                               symbol_of(array, image, request_.code->debug.types));
        if (!elements) return elements.diagnostics();
        image.address = *elements;
        images_.emplace(handle, image);
        return {};
    }

    std::optional<simt::Image> array_image(const cudaResourceDesc& resource) const {
        if (resource.resType != cudaResourceTypeArray) return std::nullopt;
        const auto known = images_.find(resource.res.array.array);
        return known == images_.end() ? std::nullopt : std::optional(known->second);
    }

    std::optional<simt::Image> image_of(const cudaResourceDesc& resource) const {
        if (resource.resType == cudaResourceTypeLinear) {
            const auto format = cudart::texel_format(resource.res.linear.desc);
            return format ? std::optional(cudart::linear_image(*format, resource)) : std::nullopt;
        }
        if (resource.resType == cudaResourceTypePitch2D) {
            const auto format = cudart::texel_format(resource.res.pitch2D.desc);
            return format ? std::optional(cudart::pitched_image(*format, resource)) : std::nullopt;
        }
        return array_image(resource);
    }

    bool take(cudaTextureObject_t handle, const ProgramTexture& texture) {
        const auto image = image_of(texture.resource);
        return image && !texture.viewed &&
               engine_.take_texture(handle, cudart::texture_of(*image, texture.how));
    }

    TracedEngine& engine_;
    ProgramArrays& arrays_;
    const RecordingRequest& request_;
    std::map<cudaArray_const_t, simt::Image> images_;
    bool missing_ = false;
};

Result<void> take_memory(TracedEngine& engine, const RecordingRequest& request, ordered_json& names) {
    std::uint64_t bytes = 0;
    for (const auto& [address, block] : request.memory->blocks())
        bytes += block.size_bytes;
    for (const auto& [handle, array] : request.memory->arrays())
        bytes += array.size_bytes();
    if (bytes > most_memory)
        return error("the program holds " + std::to_string(bytes >> 20) +
                         " MiB of the GPU's memory, and a recording copies at most " +
                         std::to_string(most_memory >> 20) + " MiB",
                     "run it with smaller data");
    for (auto& [address, symbol] : symbols_of(request, names))
        if (Result<void> taken =
                engine.take(address, request.memory->blocks().at(address).size_bytes, symbol);
            !taken)
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

Result<Recording> record_launch(TraceDevice& device, ProgramArrays& arrays, const RecordingRequest& request,
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
    ImageTaker images(*engine, arrays, request);
    if (const Result<void> taken = images.take_all(); !taken) return taken.diagnostics();
    if (const Result<void> copied = copy_variables(*engine, device, request, false); !copied)
        return copied.diagnostics();
    trace::Recorder recorder({request.trace_bytes});
    engine->record_into(&recorder);
    recorder.set_program(described(*engine, device, request));
    const Result<simt::Outcome> outcome = engine->launch(request.launch, nullptr);
    if (!outcome) return outcome.diagnostics();
    made.outcome = *outcome;
    made.problems = engine->problems();
    made.notes = engine->notes();
    made.console = engine->console();
    if (images.missing() && !made.notes.empty())
        made.notes.push_back(
            "textures of mipmapped arrays, and those with a resource view, are not in the trace");
    if (outcome->ending != simt::Ending::finished) return made;  // the context is lost
    made.kept = engine->runs_once();
    if (const Result<void> done =
            made.kept ? copy_variables(*engine, device, request, true) : engine->restore();
        !done)
        return done.diagnostics();
    if (const Result<void> saved = trace::save(*recorder.finish(), file); !saved) return saved.diagnostics();
    return made;
}

}  // namespace lanescope::gpu
