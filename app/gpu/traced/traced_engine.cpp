#include "gpu/traced/traced_engine.h"

#include <algorithm>

#include "gpu/traced/traced_state.h"
#include "simt/program/describe_launch.h"
#include "simt/state/launch_check.h"

namespace lanescope::gpu {

using simt::Ending;

namespace {

trace::ProblemKind kind_of(const TraceDevice::Ran& ran) {
    if (ran.ending == Ending::timeout) return trace::ProblemKind::timeout;
    return ran.ending == Ending::refused ? trace::ProblemKind::launch_config : ran.fault;
}

}  // namespace

TracedEngine::TracedEngine(std::unique_ptr<State> state) : state_(std::move(state)) {}
TracedEngine::TracedEngine(TracedEngine&&) noexcept = default;
TracedEngine::~TracedEngine() = default;

Result<TracedEngine> TracedEngine::create(std::shared_ptr<const ptx::Module> module,
                                          std::shared_ptr<const simt::Program> program,
                                          const std::string& file, TraceDevice& device, TracedLimits limits) {
    Result<Probes> probes = make_probes(*module, *program, file);
    if (!probes) return probes.diagnostics();
    const std::string text = ptx::instrument(*module, probes->functions);
    if (Result<void> loaded = device.load(text); !loaded) return loaded.diagnostics();
    auto state =
        std::make_unique<State>(std::move(module), std::move(program), device, limits, std::move(*probes));
    if (Result<void> found = state->find_variables(); !found) return found.diagnostics();
    return TracedEngine(std::move(state));
}

const TracedBuffer* TracedEngine::State::find(std::uint64_t address, std::uint64_t size_bytes) const {
    for (const TracedBuffer& buffer : buffers)
        if (address >= buffer.address && address + size_bytes <= buffer.address + buffer.size_bytes)
            return &buffer;
    return nullptr;
}

Result<simt::DeviceAddress> TracedEngine::allocate(std::uint64_t size_bytes, trace::Symbol description) {
    State& state = *state_;
    const std::uint64_t cell = state.program->description.types[description.element].size_bytes;
    Result<simt::DeviceAddress> mirror = state.mirror.allocate(size_bytes, std::move(description));
    if (!mirror) return mirror.diagnostics();
    Result<TraceDevice::Address> made = state.device.allocate(std::max<std::uint64_t>(size_bytes, 1));
    if (!made) return made.diagnostics();
    // What is never written keeps a pattern, so that a write can be told from what was there before.
    constexpr std::byte unset_pattern{0xA5};
    if (Result<void> filled = state.device.fill(*made, size_bytes, unset_pattern); !filled)
        return filled.diagnostics();
    state.buffers.push_back({*made, size_bytes, *mirror, 0, false, std::max<std::uint64_t>(1, cell)});
    return *made;
}

Result<simt::Machine::SymbolAddress> TracedEngine::symbol(std::string_view name) const {
    Result<simt::Machine::SymbolAddress> known = state_->mirror.symbol(name);
    if (!known) return known;
    for (const TracedBuffer& buffer : state_->buffers)
        if (buffer.variable && buffer.mirror == known->address)
            return simt::Machine::SymbolAddress{buffer.address, known->size_bytes};
    return error("no kernel uses the variable '" + std::string(name) + "'");
}

Result<void> TracedEngine::write(simt::DeviceAddress address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    State& state = *state_;
    const TracedBuffer* buffer = state.find(address, bytes.size());
    if (buffer == nullptr) return error("a write does not fit into any buffer");
    const std::uint64_t mirrored = buffer->mirror + (address - buffer->address);
    if (Result<void> written = state.mirror.write(mirrored, bytes); !written) return written;
    if (state.launches > 0) {
        const std::uint64_t at = State::offset(*buffer) + (address - buffer->address);
        state.image(*buffer).write(at, bytes);
        state.recorder->host_write(simt::space_of(simt::window_of(mirrored)), at, bytes);
    }
    return state.device.write(address, bytes);
}

Result<void> TracedEngine::read(simt::DeviceAddress address, std::span<std::byte> bytes,
                                std::span<bool> set) const {
    if (bytes.empty()) return {};
    const TracedBuffer* buffer = state_->find(address, bytes.size());
    if (buffer == nullptr) return error("a read does not lie in any buffer");
    if (state_->memory_lost) {
        std::fill(bytes.begin(), bytes.end(), std::byte{});
        std::fill(set.begin(), set.end(), false);
        return {};
    }
    std::vector<std::byte> mirrored(bytes.size());
    const std::unique_ptr<bool[]> known(new bool[bytes.size()]());
    const std::span<bool> flags(known.get(), bytes.size());
    if (Result<void> read =
            state_->mirror.read(buffer->mirror + (address - buffer->address), mirrored, flags);
        !read)
        return read;
    if (Result<void> read = state_->device.read(address, bytes); !read) return read;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (!flags[i]) bytes[i] = std::byte{0};
    std::copy_n(flags.begin(), std::min(set.size(), flags.size()), set.begin());
    return {};
}

void TracedEngine::record_into(trace::Recorder* recorder) {
    State& state = *state_;
    state.recorder = recorder;
    state.mirror.record_into(recorder);
    state.mirror.record_into(nullptr);
    trace::Program description = state.program->description;
    description.engine = state.device.name();
    recorder->set_program(std::move(description));
}
std::uint32_t TracedEngine::launch_count() const {
    return state_->launches;
}
const std::vector<trace::Problem>& TracedEngine::problems() const {
    return state_->problems;
}
const std::string& TracedEngine::console() const {
    return state_->console;
}
const trace::RecordStreams& TracedEngine::streams() const {
    return state_->streams;
}
const DeviceRecords& TracedEngine::records() const {
    return state_->records;
}
const DecodedLaunch& TracedEngine::decoded() const {
    return state_->decoded;
}
const std::vector<std::string>& TracedEngine::notes() const {
    return state_->notes;
}

// --- A launch ----------------------------------------------------------------------------------------------

Result<std::uint64_t> TracedEngine::State::room(Use use, std::uint64_t size_bytes) {
    std::uint64_t rounded = 4096;
    while (rounded < size_bytes)
        rounded *= 2;
    std::uint64_t& known = scratch[{use, rounded}];
    if (known != 0) return known;
    Result<TraceDevice::Address> made = device.allocate(rounded);
    if (!made) return made.diagnostics();
    return known = *made;
}

Result<void> TracedEngine::State::decode(const simt::LaunchRequest& request, const simt::Kernel& kernel) {
    trace::Launch launch = simt::describe_launch(*program, kernel, request);
    launch.recorded_blocks.clear();
    if (streams.blocks.size() != request.grid.count()) launch.recorded_blocks = streams.blocks;
    recorder->begin_launch(std::move(launch));
    std::vector<MappedRange> ranges;
    for (const TracedBuffer& buffer : buffers)
        if (!buffer.variable)
            ranges.push_back({buffer.address, buffer.size_bytes, trace::Space::global, offset(buffer)});
    LaunchDecoder decoder(*module, *program, probes, kernel, global, constant);
    LaunchShape shape{request.grid, request.block, request.dynamic_shared_bytes, trace::none};
    if (request.cooperative && kernel.reads_workspace)
        shape.grid_barrier = grid_barrier - simt::window::global;
    decoded = decoder.decode(streams, shape, ranges, records.clock_offsets, *recorder);
    records.turn_times = decoded.turn_times;
    recorder->end_launch();
    if (!decoded.damage.empty())
        return error("the records of " + device.name() + " do not fit the program: " + decoded.damage);
    return {};
}

// Facts that the trace alone does not tell.
void TracedEngine::State::note_launch(const simt::LaunchRequest& request) {
    const std::string launch = "launch " + std::to_string(launches + 1) + ": ";
    const std::uint64_t blocks = request.grid.count();
    const bool all = traced.size() == blocks;
    if (narrowed_now)
        notes.push_back(launch + std::to_string(traced.size()) + " of " + std::to_string(blocks) +
                        " blocks are in the trace; --record-blocks chooses others");
    if (decoded.cut_threads > 0)
        notes.push_back(launch + std::to_string(decoded.cut_threads) +
                        " threads made more records than fit; their ends are missing");
    if (decoded.out_of_order > 0)
        notes.push_back(launch + std::to_string(decoded.out_of_order) +
                        " loads found a value that no order of the recorded stores explains");
    if (decoded.unmapped > 0)
        notes.push_back(launch + std::to_string(decoded.unmapped) +
                        " accesses went to memory that is no buffer, and are left out");
    if (all && unexplained_bytes > 0)
        notes.push_back(launch + std::to_string(unexplained_bytes) +
                        " bytes hold another value in the end than the recorded order gives");
}

void TracedEngine::State::note(trace::ProblemKind kind, const simt::LaunchRequest& request,
                               const std::string& message) {
    trace::Problem problem;
    problem.kind = kind;
    problem.first.launch = launches;
    problem.message =
        "launch of " + (request.label.empty() ? request.kernel : request.label) + ": " + message;
    problems.push_back(problem);
    if (recorder != nullptr) recorder->problem(problem);
}

Result<simt::Outcome> TracedEngine::launch(const simt::LaunchRequest& request,
                                           const std::atomic<bool>* cancel) {
    State& s = *state_;
    simt::Outcome outcome;
    const simt::Kernel* kernel = s.program->find_kernel(request.kernel);
    const std::string wrong = kernel == nullptr ? "there is no kernel of this name"
                                                : simt::launch_error(*s.program, *kernel, request);
    if (!wrong.empty()) {
        s.note(trace::ProblemKind::launch_config, request, wrong);
        outcome.ending = Ending::refused;
        return outcome;
    }
    if (s.launches == 0)
        if (Result<void> filled = s.fill_images(); !filled) return filled.diagnostics();
    if (request.cooperative && kernel->reads_workspace)
        if (Result<void> made = s.make_grid_barrier(); !made) return made.diagnostics();
    if (Result<void> saved = s.save(false); !saved) return saved.diagnostics();
    std::vector<std::uint32_t> counts;
    Result<TraceDevice::Ran> ran = s.count(request, cancel, counts);
    if (ran && ran->ending == Ending::finished) {
        s.choose_blocks(request, counts);
        if (Result<void> restored = s.save(true); !restored) return restored.diagnostics();
        ran = s.record(request, cancel);
    }
    if (!ran) return ran.diagnostics();
    outcome.ending = ran->ending;
    if (ran->ending != Ending::finished) {
        s.memory_lost = ran->ending != Ending::refused;
        if (ran->ending != Ending::cancelled) s.note(kind_of(*ran), request, ran->message);
        return outcome;
    }
    if (Result<void> decoded = s.decode(request, *kernel); !decoded) return decoded.diagnostics();
    s.unexplained_bytes = 0;
    if (Result<void> adopted = s.adopt_memory(); !adopted) return adopted.diagnostics();
    s.note_launch(request);
    ++s.launches;
    outcome.warp_instructions = s.decoded.warp_instructions;
    outcome.thread_instructions = s.decoded.thread_instructions;
    return outcome;
}

}  // namespace lanescope::gpu
