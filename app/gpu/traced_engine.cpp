#include "gpu/traced_engine.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "gpu/probes.h"
#include "ptx/instrument.h"
#include "simt/describe_launch.h"
#include "simt/launch_check.h"
#include "simt/memory.h"
#include "simt/names.h"

namespace lanescope::gpu {

using simt::Ending;

namespace {

struct Buffer {
    std::uint64_t address = 0, size_bytes = 0;  // on the device
    simt::DeviceAddress mirror = 0;             // where the CPU machine would have it: the trace's addresses
    std::uint64_t saved = 0;                    // its contents before the launch; 0: no room was made
    bool variable = false;                      // of the module, not allocated
    std::uint64_t cell_bytes = 1;               // written as a whole
};

// Calls visit(first, length) for the runs of places below `size` where `is` holds.
template <class Is, class Visit>
void for_runs(std::uint64_t size, Is is, Visit visit) {
    for (std::uint64_t at = 0; at < size;) {
        std::uint64_t end = at;
        while (end < size && is(end)) ++end;
        if (end > at) visit(at, end - at);
        at = end + 1;
    }
}

trace::ProblemKind kind_of(const TraceDevice::Ran& ran) {
    if (ran.ending == Ending::timeout) return trace::ProblemKind::timeout;
    return ran.ending == Ending::refused ? trace::ProblemKind::launch_config : ran.fault;
}

}  // namespace

struct TracedEngine::State {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const simt::Program> program;
    TraceDevice& device;
    TracedLimits limits;
    Probes probes;
    simt::Machine mirror;  // lays out memory and knows which bytes are set; nothing runs on it
    trace::Recorder* recorder = nullptr;
    std::vector<Buffer> buffers;
    MemoryImage global, constant;
    std::uint64_t probe_state = 0;  // address
    enum class Use : std::uint8_t { cursors, slots };
    std::map<std::pair<Use, std::uint64_t>, std::uint64_t> scratch;  // by use and size class
    DeviceRecords records;
    std::vector<std::uint32_t> traced;  // blocks of the last launch that are in the trace
    std::uint64_t grid_barrier = 0;     // in the mirror; made for the first cooperative launch
    trace::RecordStreams streams;
    DecodedLaunch decoded;
    bool narrowed_now = false;            // the last launch
    std::uint64_t unexplained_bytes = 0;  // of the last launch
    std::uint32_t launches = 0;
    bool memory_lost = false;  // with the device's context, after a fault or a kernel that does not end
    std::vector<trace::Problem> problems;
    std::vector<std::string> notes;
    std::string console;

    State(std::shared_ptr<const ptx::Module> the_module, std::shared_ptr<const simt::Program> the_program,
          TraceDevice& the_device, TracedLimits the_limits, Probes the_probes)
        : module(std::move(the_module)),
          program(the_program),
          device(the_device),
          limits(the_limits),
          probes(std::move(the_probes)),
          mirror(std::move(the_program), {.memory_bytes = the_limits.memory_bytes}, {}) {}

    Result<void> find_variables();
    const Buffer* find(std::uint64_t address, std::uint64_t size_bytes) const;
    MemoryImage& image(const Buffer& buffer) {
        return simt::window_of(buffer.mirror) == simt::Window::constant ? constant : global;
    }
    static std::uint64_t offset(const Buffer& buffer) {
        return buffer.mirror - simt::window_start(simt::window_of(buffer.mirror));
    }

    Result<std::uint64_t> room(Use use, std::uint64_t size_bytes);
    Result<void> fill_images();
    Result<void> read_variables();
    void note_launch(const simt::LaunchRequest& request);
    Result<void> save(bool back);
    Result<void> set_probe_state(const ptx::ProbeState& value);
    Result<TraceDevice::Ran> run(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    Result<TraceDevice::Ran> count(const simt::LaunchRequest& request, const std::atomic<bool>* cancel,
                                   std::vector<std::uint32_t>& counts);
    static std::vector<std::uint32_t> blocks_that_fit(const std::vector<std::uint32_t>& wanted,
                                                      const std::vector<std::uint32_t>& counts,
                                                      std::uint32_t block_threads, std::uint64_t room_for,
                                                      std::uint32_t& capacity);
    Result<void> read_starts();
    void find_clock_offsets();
    void describe_registers();
    Result<void> read_streams();
    Result<void> make_grid_barrier();
    void choose_blocks(const simt::LaunchRequest& request, const std::vector<std::uint32_t>& counts);
    Result<TraceDevice::Ran> record(const simt::LaunchRequest& request, const std::atomic<bool>* cancel);
    Result<void> decode(const simt::LaunchRequest& request, const simt::Kernel& kernel);
    Result<void> adopt_memory();
    void note(trace::ProblemKind kind, const simt::LaunchRequest& request, const std::string& message);
};

TracedEngine::TracedEngine(std::unique_ptr<State> state) : state_(std::move(state)) {}
TracedEngine::TracedEngine(TracedEngine&&) noexcept = default;
TracedEngine::~TracedEngine() = default;

Result<TracedEngine> TracedEngine::create(std::shared_ptr<const ptx::Module> module,
                                          std::shared_ptr<const simt::Program> program, const std::string& file,
                                          TraceDevice& device, TracedLimits limits) {
    Result<Probes> probes = make_probes(*module, *program, file);
    if (!probes) return probes.diagnostics();
    const std::string text = ptx::instrument(*module, probes->functions);
    if (Result<void> loaded = device.load(text); !loaded) return loaded.diagnostics();
    auto state = std::make_unique<State>(std::move(module), std::move(program), device, limits, std::move(*probes));
    if (Result<void> found = state->find_variables(); !found) return found.diagnostics();
    return TracedEngine(std::move(state));
}

Result<void> TracedEngine::State::find_variables() {
    Result<TraceDevice::Address> found = device.symbol(ptx::ProbeState::symbol);
    if (!found) return found.diagnostics();
    probe_state = *found;
    for (const simt::ModuleVariable& variable : program->variables) {
        if (variable.size_bytes == 0) continue;
        const Result<TraceDevice::Address> address = device.symbol(variable.name);
        if (!address) continue;  // the assembler dropped what no code names
        buffers.push_back({*address, variable.size_bytes, variable.address, 0, true});
    }
    return {};
}

const Buffer* TracedEngine::State::find(std::uint64_t address, std::uint64_t size_bytes) const {
    for (const Buffer& buffer : buffers)
        if (address >= buffer.address && address + size_bytes <= buffer.address + buffer.size_bytes) return &buffer;
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
    if (Result<void> filled = state.device.fill(*made, size_bytes, unset_pattern); !filled) return filled.diagnostics();
    state.buffers.push_back({*made, size_bytes, *mirror, 0, false, std::max<std::uint64_t>(1, cell)});
    return *made;
}

Result<simt::Machine::SymbolAddress> TracedEngine::symbol(std::string_view name) const {
    Result<simt::Machine::SymbolAddress> known = state_->mirror.symbol(name);
    if (!known) return known;
    for (const Buffer& buffer : state_->buffers)
        if (buffer.variable && buffer.mirror == known->address)
            return simt::Machine::SymbolAddress{buffer.address, known->size_bytes};
    return error("no kernel uses the variable '" + std::string(name) + "'");
}

Result<void> TracedEngine::write(simt::DeviceAddress address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    State& state = *state_;
    const Buffer* buffer = state.find(address, bytes.size());
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

Result<void> TracedEngine::read(simt::DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set) const {
    if (bytes.empty()) return {};
    const Buffer* buffer = state_->find(address, bytes.size());
    if (buffer == nullptr) return error("a read does not lie in any buffer");
    if (state_->memory_lost) {
        std::fill(bytes.begin(), bytes.end(), std::byte{});
        std::fill(set.begin(), set.end(), false);
        return {};
    }
    std::vector<std::byte> mirrored(bytes.size());
    const std::unique_ptr<bool[]> known(new bool[bytes.size()]());
    const std::span<bool> flags(known.get(), bytes.size());
    if (Result<void> read = state_->mirror.read(buffer->mirror + (address - buffer->address), mirrored, flags); !read)
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

// --- A launch ---------------------------------------------------------------------------------------------------

Result<std::uint64_t> TracedEngine::State::room(Use use, std::uint64_t size_bytes) {
    std::uint64_t rounded = 4096;
    while (rounded < size_bytes) rounded *= 2;
    std::uint64_t& known = scratch[{use, rounded}];
    if (known != 0) return known;
    Result<TraceDevice::Address> made = device.allocate(rounded);
    if (!made) return made.diagnostics();
    return known = *made;
}

Result<void> TracedEngine::State::save(bool back) {
    for (Buffer& buffer : buffers) {
        if (buffer.size_bytes == 0 || simt::window_of(buffer.mirror) == simt::Window::constant) continue;
        if (buffer.saved == 0) {
            Result<TraceDevice::Address> made = device.allocate(buffer.size_bytes);
            if (!made) return made.diagnostics();
            buffer.saved = *made;
        }
        Result<void> copied = back ? device.copy(buffer.address, buffer.saved, buffer.size_bytes)
                                   : device.copy(buffer.saved, buffer.address, buffer.size_bytes);
        if (!copied) return copied;
    }
    return {};
}

Result<void> TracedEngine::State::set_probe_state(const ptx::ProbeState& value) {
    return device.write(probe_state, std::as_bytes(std::span(&value, 1)));
}

Result<TraceDevice::Ran> TracedEngine::State::run(const simt::LaunchRequest& request,
                                                  const std::atomic<bool>* cancel) {
    return device.launch(request, limits.seconds, cancel, console);
}

Result<TraceDevice::Ran> TracedEngine::State::count(const simt::LaunchRequest& request,
                                                    const std::atomic<bool>* cancel,
                                                    std::vector<std::uint32_t>& counts) {
    const std::uint64_t threads = request.grid.count() * request.block.count();
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    if (Result<void> cleared = device.fill(*cursors, threads * 8, std::byte{0}); !cleared) return cleared.diagnostics();
    // Every cursor counts in steps of one; nothing lies before the end of the buffer.
    if (Result<void> set = set_probe_state({*cursors, 0, 1, 0, 0}); !set) return set.diagnostics();
    const std::string before = console;
    Result<TraceDevice::Ran> ran = run(request, cancel);
    console = before;
    if (!ran || ran->ending != Ending::finished) return ran;
    std::vector<std::uint64_t> read(threads);
    if (Result<void> got = device.read(*cursors, std::as_writable_bytes(std::span(read))); !got)
        return got.diagnostics();
    counts.resize(threads);
    std::transform(read.begin(), read.end(), counts.begin(), [](std::uint64_t each) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(each, trace::none));
    });
    return ran;
}

// The wanted blocks, from the first on, as many as fit into so many records; every thread gets as many as the longest
// needs.
std::vector<std::uint32_t> TracedEngine::State::blocks_that_fit(const std::vector<std::uint32_t>& wanted,
                                                                const std::vector<std::uint32_t>& counts,
                                                                std::uint32_t block_threads, std::uint64_t room_for,
                                                                std::uint32_t& capacity) {
    std::vector<std::uint32_t> fitting;
    capacity = 0;
    for (const std::uint32_t block : wanted) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(std::uint64_t{block} * block_threads);
        // Threads that wait for others may go round more often the next time.
        const std::uint32_t most = *std::max_element(first, first + block_threads);
        const std::uint32_t longest = std::max(capacity, most + most / 8 + 16);
        if (std::uint64_t{longest} * block_threads * (fitting.size() + 1) > room_for && !fitting.empty()) break;
        capacity = longest;
        fitting.push_back(block);
    }
    // Even a single block may be too long: then its threads are cut off.
    const std::uint64_t room_each = room_for / std::max<std::uint64_t>(1, fitting.size() * block_threads);
    capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, std::max<std::uint64_t>(1, room_each)));
    return fitting;
}

// On the device as many blocks as its buffer takes; in the trace those of them that were asked for, up to a limit.
void TracedEngine::State::choose_blocks(const simt::LaunchRequest& request,
                                        const std::vector<std::uint32_t>& counts) {
    records = {};
    records.launch = launches;
    records.block_threads = static_cast<std::uint32_t>(request.block.count());
    std::vector<std::uint32_t> all(request.grid.count());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::uint32_t> wanted = request.recorded_blocks.empty() ? all : request.recorded_blocks;
    std::sort(wanted.begin(), wanted.end());
    const std::uint64_t on_device = device.record_bytes() / sizeof(trace::Record);
    std::uint32_t capacity = 0;
    traced = blocks_that_fit(wanted, counts, records.block_threads, std::min(on_device, limits.decoded_records),
                             capacity);
    records.capacity = capacity;
    records.blocks = traced;
    std::uint32_t for_all = 0;
    std::vector<std::uint32_t> more = blocks_that_fit(all, counts, records.block_threads, on_device, for_all);
    // The map shows more of the grid than the trace holds.
    if (more.size() > traced.size() && std::includes(more.begin(), more.end(), traced.begin(), traced.end())) {
        records.capacity = std::max(for_all, 1u);
        records.blocks = std::move(more);
    }
    describe_registers();
    narrowed_now = traced.size() < wanted.size();
}

Result<TraceDevice::Ran> TracedEngine::State::record(const simt::LaunchRequest& request,
                                                     const std::atomic<bool>* cancel) {
    const std::uint64_t threads = records.threads(), blocks = request.grid.count();
    const std::uint64_t bytes = threads * records.capacity * sizeof(trace::Record);
    const Result<TraceDevice::Address> place = device.records(std::max<std::uint64_t>(bytes, 16));
    if (!place) return place.diagnostics();
    records.address = *place;
    const Result<std::uint64_t> cursors = room(Use::cursors, threads * 8);
    if (!cursors) return cursors.diagnostics();
    std::vector<std::uint64_t> next(threads);
    for (std::uint64_t i = 0; i < threads; ++i) next[i] = *place + i * sizeof(trace::Record);
    if (Result<void> written = device.write(*cursors, std::as_bytes(std::span(next))); !written)
        return written.diagnostics();
    ptx::ProbeState state{*cursors, 0, threads * sizeof(trace::Record), *place + bytes, 0};
    if (records.blocks.size() != blocks) {
        std::vector<std::uint32_t> slots(blocks, trace::none);
        for (std::uint32_t i = 0; i < records.blocks.size(); ++i) slots[records.blocks[i]] = i;
        const Result<std::uint64_t> table = room(Use::slots, blocks * 4);
        if (!table) return table.diagnostics();
        if (Result<void> written = device.write(*table, std::as_bytes(std::span(slots))); !written)
            return written.diagnostics();
        state.slots = *table;
    }
    if (Result<void> set = set_probe_state(state); !set) return set.diagnostics();
    Result<TraceDevice::Ran> ran = run(request, cancel);
    if (!ran || ran->ending != Ending::finished) return ran;
    if (Result<void> got = device.read(*cursors, std::as_writable_bytes(std::span(next))); !got)
        return got.diagnostics();
    records.counts.resize(threads);
    for (std::uint64_t i = 0; i < threads; ++i)
        records.counts[i] = static_cast<std::uint32_t>((next[i] - *place) / sizeof(trace::Record) / threads);
    if (Result<void> got = read_starts(); !got) return got.diagnostics();
    if (Result<void> got = read_streams(); !got) return got.diagnostics();
    return ran;
}

// When and where each thread began: its first record, and its first point some records later.
Result<void> TracedEngine::State::read_starts() {
    const std::uint64_t threads = records.threads(), row = threads * sizeof(trace::Record);
    records.begins.resize(threads);
    records.clocks.assign(threads, 0);
    if (Result<void> got = device.read(records.address, std::as_writable_bytes(std::span(records.begins))); !got)
        return got;
    std::vector<trace::Record> next(threads);
    std::uint64_t missing = threads;
    constexpr std::uint32_t furthest = 64;  // address records lie in between
    for (std::uint32_t k = 1; k < std::min(records.capacity, furthest) && missing > 0; ++k) {
        if (Result<void> got = device.read(records.address + k * row, std::as_writable_bytes(std::span(next))); !got)
            return got;
        for (std::uint64_t i = 0; i < threads; ++i) {
            if (records.clocks[i] != 0 || kind_of(next[i]) != trace::RecordKind::point) continue;
            records.clocks[i] = next[i].value;
            --missing;
        }
    }
    find_clock_offsets();
    return {};
}

// %globaltimer is common to all SMs, but coarse: the least that an SM's threads tell is the nearest.
void TracedEngine::State::find_clock_offsets() {
    std::uint64_t first = ~0ull;
    for (const trace::Record& begin : records.begins)
        if (kind_of(begin) == trace::RecordKind::begin) first = std::min(first, begin.value);
    for (std::size_t i = 0; i < records.begins.size(); ++i) {
        const trace::Record& begin = records.begins[i];
        constexpr std::uint32_t most_sms = 65536;
        if (kind_of(begin) != trace::RecordKind::begin || records.clocks[i] == 0 || begin.extra >= most_sms) continue;
        if (begin.extra >= records.clock_offsets.size()) records.clock_offsets.resize(begin.extra + 1, ~0ull);
        const double since = static_cast<double>(begin.value - first) * device.cycles_per_ns();
        const auto cycles = std::min(static_cast<std::uint64_t>(since), records.clocks[i]);
        records.clock_offsets[begin.extra] = std::min(records.clock_offsets[begin.extra], records.clocks[i] - cycles);
    }
}

void TracedEngine::State::describe_registers() {
    for (const simt::DecodedFunction& function : program->functions) {
        auto& slots = records.slot_registers.emplace_back();
        for (const std::vector<std::uint32_t>& pairs : function.slot_homes) {
            auto& registers = slots.emplace_back();
            for (const std::uint32_t pair : pairs) registers.push_back(function.homes[pair].reg);
        }
    }
}

// The streams of the blocks that go into the trace: runs of neighbouring slots at a time.
Result<void> TracedEngine::State::read_streams() {
    streams = {};
    streams.launch = records.launch;
    streams.blocks = traced;
    streams.block_threads = records.block_threads;
    streams.capacity = records.capacity;
    streams.records.resize(std::uint64_t{streams.capacity} * streams.threads());
    const std::uint64_t pitch = std::uint64_t{records.threads()} * sizeof(trace::Record);
    for (std::size_t first = 0; first < traced.size();) {
        const auto at = std::lower_bound(records.blocks.begin(), records.blocks.end(), traced[first]);
        const auto slot = static_cast<std::uint64_t>(at - records.blocks.begin()) * records.block_threads;
        std::size_t end = first + 1;
        while (end < traced.size() && at + static_cast<std::ptrdiff_t>(end - first) < records.blocks.end() &&
               at[static_cast<std::ptrdiff_t>(end - first)] == traced[end])
            ++end;
        const std::uint64_t count = (end - first) * records.block_threads;
        std::vector<trace::Record> rows(count * streams.capacity);
        if (Result<void> got = device.read_rows(records.address + slot * sizeof(trace::Record), pitch,
                                                count * sizeof(trace::Record), streams.capacity,
                                                std::as_writable_bytes(std::span(rows)));
            !got)
            return got;
        for (std::uint64_t k = 0; k < streams.capacity; ++k)
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(k * count), count,
                        streams.records.begin() +
                            static_cast<std::ptrdiff_t>(k * streams.threads() + first * records.block_threads));
        streams.counts.insert(streams.counts.end(), records.counts.begin() + static_cast<std::ptrdiff_t>(slot),
                              records.counts.begin() + static_cast<std::ptrdiff_t>(slot + count));
        first = end;
    }
    return {};
}

Result<void> TracedEngine::State::decode(const simt::LaunchRequest& request, const simt::Kernel& kernel) {
    trace::Launch launch = simt::describe_launch(*program, kernel, request);
    launch.recorded_blocks.clear();
    if (streams.blocks.size() != request.grid.count()) launch.recorded_blocks = streams.blocks;
    recorder->begin_launch(std::move(launch));
    std::vector<MappedRange> ranges;
    for (const Buffer& buffer : buffers)
        if (!buffer.variable)
            ranges.push_back({buffer.address, buffer.size_bytes, trace::Space::global, offset(buffer)});
    LaunchDecoder decoder(*module, *program, probes, kernel, global, constant);
    LaunchShape shape{request.grid, request.block, request.dynamic_shared_bytes, trace::none};
    if (request.cooperative && kernel.reads_workspace) shape.grid_barrier = grid_barrier - simt::window::global;
    decoded = decoder.decode(streams, shape, ranges, records.clock_offsets, *recorder);
    records.turn_times = decoded.turn_times;
    recorder->end_launch();
    if (!decoded.damage.empty())
        return error("the records of " + device.name() + " do not fit the program: " + decoded.damage);
    return {};
}

// As the CPU machine has it, at the same place: see Machine::State::make_workspace.
Result<void> TracedEngine::State::make_grid_barrier() {
    if (grid_barrier == 0) {
        trace::Symbol symbol;
        symbol.name = "grid barrier";
        symbol.size_bytes = grid_barrier_bytes;
        symbol.extents = {grid_barrier_bytes};
        const Result<simt::DeviceAddress> made = mirror.allocate(grid_barrier_bytes, symbol);
        if (!made) return made.diagnostics();
        grid_barrier = *made;
        symbol.offset = grid_barrier - simt::window::global;
        recorder->add_symbol(symbol);
    }
    const std::array<std::byte, grid_barrier_bytes> contents{std::byte{grid_barrier_bytes}};
    if (Result<void> written = mirror.write(grid_barrier, contents); !written) return written;
    global.write(grid_barrier - simt::window::global, contents);
    recorder->host_write(trace::Space::global, grid_barrier - simt::window::global, contents);
    return {};
}

// The module's own variables hold what the device put there: addresses of functions, for example.
Result<void> TracedEngine::State::read_variables() {
    for (const Buffer& buffer : buffers) {
        if (!buffer.variable) continue;
        std::vector<std::byte> now(buffer.size_bytes), known(buffer.size_bytes);
        if (Result<void> read = device.read(buffer.address, now); !read) return read;
        if (Result<void> read = mirror.read(buffer.mirror, known); !read) return read;
        if (now == known) continue;
        if (Result<void> written = mirror.write(buffer.mirror, now); !written) return written;
        recorder->host_write(simt::space_of(simt::window_of(buffer.mirror)), offset(buffer), now);
    }
    return {};
}

// What the mirror knows before the first launch.
Result<void> TracedEngine::State::fill_images() {
    if (Result<void> read = read_variables(); !read) return read;
    for (const Buffer& buffer : buffers) {
        std::vector<std::byte> bytes(buffer.size_bytes);
        const std::unique_ptr<bool[]> set(new bool[buffer.size_bytes + 1]());
        if (Result<void> read = mirror.read(buffer.mirror, bytes, {set.get(), buffer.size_bytes}); !read) return read;
        for_runs(buffer.size_bytes, [&](std::uint64_t at) { return set[at]; },
                 [&](std::uint64_t at, std::uint64_t size) {
                     image(buffer).write(offset(buffer) + at, std::span(bytes).subspan(at, size));
                 });
    }
    return {};
}

// What memory holds after a launch goes into the mirror and, where the recorded blocks do not explain it, into the trace.
Result<void> TracedEngine::State::adopt_memory() {
    for (const Buffer& buffer : buffers) {
        if (buffer.size_bytes == 0 || simt::window_of(buffer.mirror) == simt::Window::constant) continue;
        const std::uint64_t size = buffer.size_bytes, start = offset(buffer);
        std::vector<std::byte> now(size), before(size), known(size);
        if (Result<void> read = device.read(buffer.address, now); !read) return read;
        if (Result<void> read = device.read(buffer.saved, before); !read) return read;
        std::vector<bool> set(size), foreign(size);
        for (std::uint64_t at = 0; at < size; at += 16) {
            const std::uint64_t piece = std::min<std::uint64_t>(16, size - at);
            const std::uint16_t bits = image(buffer).read(start + at, std::span(known).subspan(at, piece));
            for (std::uint64_t i = at; i < at + piece; ++i) {
                const bool explained = (bits >> (i - at) & 1) != 0;
                foreign[i] = explained ? known[i] != now[i] : before[i] != now[i];
                set[i] = explained || foreign[i];
            }
        }
        // A byte may be written with what was there before; the others of its cell tell.
        for (std::uint64_t first = 0; first < size; first += buffer.cell_bytes) {
            const std::uint64_t end = std::min(size, first + buffer.cell_bytes);
            bool any = false;
            for (std::uint64_t i = first; i < end; ++i) any = any || foreign[i];
            for (std::uint64_t i = first; any && i < end; ++i) {
                foreign[i] = foreign[i] || !set[i];
                set[i] = true;
            }
        }
        for_runs(size, [&](std::uint64_t at) { return foreign[at]; },
                 [&](std::uint64_t at, std::uint64_t length) {
                     const auto bytes = std::span(std::as_const(now)).subspan(at, length);
                     image(buffer).write(start + at, bytes);
                     recorder->host_write(trace::Space::global, start + at, bytes);
                     unexplained_bytes += length;
                 });
        Result<void> adopted;
        for_runs(size, [&](std::uint64_t at) { return set[at]; },
                 [&](std::uint64_t at, std::uint64_t length) {
                     if (adopted)
                         adopted = mirror.write(buffer.mirror + at, std::span(std::as_const(now)).subspan(at, length));
                 });
        if (!adopted) return adopted;
    }
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
        notes.push_back(launch + std::to_string(decoded.cut_threads) + " threads made more records than fit; their ends are missing");
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
    problem.message = "launch of " + (request.label.empty() ? request.kernel : request.label) + ": " + message;
    problems.push_back(problem);
    if (recorder != nullptr) recorder->problem(problem);
}

Result<simt::Outcome> TracedEngine::launch(const simt::LaunchRequest& request, const std::atomic<bool>* cancel) {
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
