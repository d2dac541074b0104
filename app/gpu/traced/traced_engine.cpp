#include "gpu/traced/traced_engine.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "simt/program/describe_launch.h"
#include "simt/state/child_launches.h"
#include "simt/state/faults.h"
#include "simt/state/launch_check.h"

namespace lanescope::gpu {

using simt::Ending;

namespace {

// In CUDA's names of faults that no trap causes.
constexpr std::array<std::string_view, 4> other_faults{"ASSERT", "ILLEGAL_INSTRUCTION",
                                                       "HARDWARE_STACK_ERROR", "INVALID_PC"};

trace::ProblemKind kind_of(const TraceDevice::Ran& ran) {
    if (ran.ending == Ending::timeout) return trace::ProblemKind::timeout;
    return ran.ending == Ending::refused ? trace::ProblemKind::launch_config : ran.fault;
}

simt::LaunchRequest request_of(const DecodedChild& child, const simt::Kernel& parent,
                               const simt::LaunchRequest& ancestor) {
    simt::LaunchRequest request;
    request.kernel = child.kernel->info.symbol;
    request.label = child.kernel->info.name + " (from " + parent.info.name + ", block " +
                    std::to_string(child.parent_block) + ")";
    request.grid = child.grid;
    request.block = child.block;
    request.dynamic_shared_bytes = child.shared_bytes;
    request.resident_blocks = ancestor.resident_blocks;
    for (const std::uint32_t block : ancestor.recorded_blocks)
        if (block < child.grid.count()) request.recorded_blocks.push_back(block);
    if (request.recorded_blocks.empty() && !ancestor.recorded_blocks.empty()) request.recorded_blocks = {0};
    return request;
}

std::string in_hexadecimal(std::uint64_t address) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(address));
    return text.data();
}

}  // namespace

TracedEngine::TracedEngine(std::shared_ptr<const ptx::Module> module,
                           std::shared_ptr<const simt::Program> program, TraceDevice& device,
                           TracedLimits limits, Probes probes)
    : module_(std::move(module)),
      program_(program),
      device_(&device),
      probes_(std::move(probes)),
      memory_(std::make_unique<TracedMemory>(program, device, limits.memory_bytes)),
      recorder_(
          std::make_unique<LaunchRecorder>(std::move(program), device, limits, probes_.grids.has_value())) {}

Result<TracedEngine> TracedEngine::create(std::shared_ptr<const ptx::Module> module,
                                          std::shared_ptr<const simt::Program> program,
                                          const std::string& file, TraceDevice& device, TracedLimits limits,
                                          const std::string& kernel) {
    Result<Probes> probes = make_probes(*module, *program, file, kernel);
    if (!probes) return probes.diagnostics();
    const std::string text =
        ptx::instrument(*module, probes->functions, probes->grids ? &*probes->grids : nullptr,
                        device.checks_accesses() ? ptx::Checks::accesses : ptx::Checks::nothing);
    if (Result<void> loaded = device.load(text); !loaded) return loaded.diagnostics();
    TracedEngine made(std::move(module), std::move(program), device, limits, std::move(*probes));
    if (Result<void> found = made.recorder_->find_probe_state(); !found) return found.diagnostics();
    if (Result<void> found = made.memory_->find_variables(); !found) return found.diagnostics();
    return made;
}

Result<simt::DeviceAddress> TracedEngine::allocate(std::uint64_t size_bytes, trace::Symbol description) {
    return memory_->allocate(size_bytes, std::move(description));
}

Result<simt::Machine::SymbolAddress> TracedEngine::symbol(std::string_view name) const {
    return memory_->symbol(name);
}

Result<std::uint64_t> TracedEngine::add_texture(const simt::Texture& texture) {
    Result<std::uint64_t> handle = device_->texture(texture);
    if (!handle) return handle;
    simt::Texture in_trace = texture;
    in_trace.image.address = memory_->in_trace(texture.image.address);
    images_.textures[*handle] = in_trace;
    return handle;
}

bool TracedEngine::take_texture(std::uint64_t handle, simt::Texture texture) {
    if (!memory_->has(texture.image.address)) return false;
    texture.image.address = memory_->in_trace(texture.image.address);
    images_.textures[handle] = texture;
    return true;
}

bool TracedEngine::take_surface(std::uint64_t handle, simt::Image image) {
    if (!memory_->has(image.address)) return false;
    image.address = memory_->in_trace(image.address);
    images_.surfaces[handle] = image;
    return true;
}

Result<void> TracedEngine::write(simt::DeviceAddress address, std::span<const std::byte> bytes) {
    return memory_->write(address, bytes, launches_ > 0 ? trace_ : nullptr);
}

Result<void> TracedEngine::read(simt::DeviceAddress address, std::span<std::byte> bytes,
                                std::span<bool> set) const {
    return memory_->read(address, bytes, set);
}

void TracedEngine::record_into(trace::Recorder* recorder) {
    trace_ = recorder;
    memory_->describe_to(*recorder);
    trace::Program description = program_->description;
    description.engine = device_->name();
    recorder->set_program(std::move(description));
}

// --- A launch ----------------------------------------------------------------------------------------------

// The parameters that the instrumentation added: a host's grid has the first slots.
simt::LaunchRequest TracedEngine::on_device(const simt::LaunchRequest& request,
                                            const simt::Kernel& kernel) const {
    simt::LaunchRequest sent = request;
    if (!probes_.grids) return sent;
    if (kernel.parameter_bytes < probes_.grids->offset_bytes)
        sent.arguments.emplace_back(probes_.grids->offset_bytes - kernel.parameter_bytes);
    sent.arguments.emplace_back(sizeof(std::uint64_t));
    return sent;
}

// A chosen block brings the others of its cluster.
void TracedEngine::take_whole_clusters(simt::LaunchRequest& request, const simt::Kernel& kernel) const {
    const trace::Dim3 cluster = simt::cluster_of(kernel, request);
    if (cluster.count() == 1) return;
    request.cluster = cluster;
    request.recorded_blocks = simt::describe_launch(*program_, kernel, request).recorded_blocks;
}

Result<void> TracedEngine::decode(const simt::LaunchRequest& request, const simt::Kernel& kernel,
                                  trace::RecordStreams streams, simt::Outcome* total, std::uint32_t level) {
    LaunchShape shape;
    shape.launch = simt::describe_launch(*program_, kernel, request);
    shape.launch.recorded_blocks.clear();
    if (streams.blocks.size() != request.grid.count()) shape.launch.recorded_blocks = streams.blocks;
    shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    const std::uint64_t first_turn = trace_->turn_count();
    trace_->begin_launch(shape.launch);
    LaunchDecoder decoder(*module_, *program_, probes_, kernel, memory_->global(), memory_->constant());
    if (request.cooperative && kernel.reads_workspace) shape.grid_barrier = memory_->grid_barrier();
    DeviceRecords& records = recorder_->records();
    decoded_ =
        decoder.decode(streams, shape, memory_->ranges(), images_, *memory_, records.clock_offsets, *trace_);
    records.turn_times = std::move(decoded_.turn_times);
    trace_->end_launch();
    if (!decoded_.damage.empty())
        return error("the records of " + device_->name() + " do not fit the program: " + decoded_.damage);
    if (total != nullptr) {
        total->warp_instructions += decoded_.warp_instructions;
        total->thread_instructions += decoded_.thread_instructions;
        if (knows_memory(request)) add_outside(shape.launch, first_turn);
    }
    note_launch(request, streams.blocks.size());
    all_traced_ = all_traced_ && streams.blocks.size() == request.grid.count();
    streams.launch = launches_;
    streams_.push_back(std::move(streams));
    const std::uint32_t parent = launches_++;
    std::vector<DecodedChild> children = std::move(decoded_.children);
    std::stable_partition(children.begin(), children.end(),
                          [](const DecodedChild& child) { return !child.tail; });
    for (const DecodedChild& child : children) {
        memory_->give_arguments(child.arguments, simt::parameter_buffer_bytes(*child.kernel));
        simt::LaunchRequest launched = request_of(child, kernel, request);
        if (level >= simt::max_nesting || !simt::shape_error(*program_, *child.kernel, launched).empty() ||
            !recorder_->take_slots(child.first_slot, child.grid.count() * child.block.count())) {
            ++missing_grids_;
            continue;
        }
        take_whole_clusters(launched, *child.kernel);
        if (!child.tail) origins_.push_back({launches_, parent, child.turn});
        trace::RecordStreams of_child = recorder_->grid_streams(child.first_slot, launched);
        Result<void> decoded = decode(launched, *child.kernel, std::move(of_child), total, level + 1);
        if (!decoded) return decoded;
    }
    return {};
}

// Facts that the trace does not contain.
void TracedEngine::note_launch(const simt::LaunchRequest& request, std::uint64_t traced) {
    const std::string launch = "launch " + std::to_string(launches_ + 1) + ": ";
    const std::uint64_t blocks = request.grid.count();
    if (recorder_->narrowed())
        notes_.push_back(launch + std::to_string(traced) + " of " + std::to_string(blocks) +
                         " blocks are in the trace; --record-blocks chooses others");
    if (decoded_.cut_threads > 0)
        notes_.push_back(launch + std::to_string(decoded_.cut_threads) +
                         " threads made more records than fit; their ends are missing");
    if (decoded_.out_of_order > 0)
        notes_.push_back(launch + std::to_string(decoded_.out_of_order) +
                         " loads found a value that no order of the recorded stores explains");
    std::uint64_t outside = decoded_.unmapped;
    for (const OutsideAccess& each : decoded_.outside_accesses)
        outside += each.count;
    if (outside > 0)
        notes_.push_back(launch + std::to_string(outside) +
                         " accesses went to memory outside of every buffer, and are left out");
    if (decoded_.in_other_blocks > 0)
        notes_.push_back(
            launch + std::to_string(decoded_.in_other_blocks) +
            " asynchronous copies or operations on mbarrier objects in the shared memory of other "
            "blocks are left out");
}

// Whether all memory that the launch may use is known. An allocator, grids of its own and the grid's
// workspace use memory of the driver's.
bool TracedEngine::knows_memory(const simt::LaunchRequest& request) const {
    return !probes_.allocates && !probes_.grids && !probes_.takes_addresses && !request.cooperative &&
           device_->checks_accesses();
}

// The GPU does not stop at an access beside a buffer, whose page may hold other memory.
void TracedEngine::add_outside(const trace::Launch& launch, std::uint64_t first_turn) {
    for (const OutsideAccess& each : decoded_.outside_accesses) {
        const simt::Window window = each.nearest.space == trace::Space::shared     ? simt::Window::shared
                                    : each.nearest.space == trace::Space::constant ? simt::Window::constant
                                                                                   : simt::Window::global;
        const std::uint64_t beside = simt::window_start(window) + each.nearest.offset;
        simt::Neighbour near;
        if (each.nearest.size_bytes != 0 && window == simt::Window::shared) {
            const auto found = std::find_if(
                launch.shared.begin(), launch.shared.end(),
                [&](const trace::Symbol& symbol) { return symbol.offset == each.nearest.offset; });
            if (found != launch.shared.end()) near = {&*found, beside};
        } else if (each.nearest.size_bytes != 0) {
            if (const simt::Allocation* found = memory_->nearest(beside))
                near = {&found->symbol, found->region.base, false, found->device};
        }
        simt::BadAccess bad;
        bad.kind = trace::ProblemKind::out_of_bounds;
        bad.access = each.kind;
        bad.window = window;
        bad.address = beside + (each.address - each.nearest.gpu_address);
        bad.width_bytes = each.width_bytes;
        const TypeTable& types = program_->description.types;
        trace::Problem problem;
        problem.kind = bad.kind;
        problem.space = each.nearest.space;
        problem.occurrences = each.count;
        problem.first.launch = launches_;
        problem.first.turn = first_turn + each.first.turn;
        problem.first.line = each.first.line;
        problem.first.block = each.first.block;
        problem.first.thread = each.first.thread;
        problem.first.pc = each.first.pc;
        problem.first.access = each.kind;
        problem.first.has_access = true;
        if (near.symbol != nullptr) {
            problem.variable = near.symbol->name;
            problem.index = simt::cell_index(types, near, bad.address);
        }
        problem.message = (each.first.line == 0 ? "" : "line " + std::to_string(each.first.line) + ": ") +
                          "t" + std::to_string(each.first.thread) + " of block " +
                          std::to_string(each.first.block) + " " +
                          simt::access_text(types, bad, window, near) + "; the GPU does not stop at it";
        problems_.push_back(problem);
        trace_->problem(problem);
    }
}

void TracedEngine::note_memory(std::uint32_t launch, std::uint64_t unexplained_bytes) {
    const std::string name = "launch " + std::to_string(launch + 1) + ": ";
    if (missing_grids_ > 0)
        notes_.push_back(
            name + std::to_string(missing_grids_) +
            " grids that kernels launched are not in the trace, because their records did not fit");
    if (all_traced_ && missing_grids_ == 0 && unexplained_bytes > 0)
        notes_.push_back(name + std::to_string(unexplained_bytes) +
                         " bytes hold another value in the end than the recorded order gives");
}

void TracedEngine::add_problem(trace::ProblemKind kind, const simt::LaunchRequest& request,
                               const std::string& message, const trace::ProblemSite& site) {
    trace::Problem problem;
    problem.kind = kind;
    problem.first = site;
    problem.message =
        "launch of " + (request.label.empty() ? request.kernel : request.label) + ": " + message;
    problems_.push_back(problem);
    if (trace_ != nullptr) trace_->problem(problem);
}

// Twice, where that does the same: then the records of every thread are counted first. Memory that threads
// allocated is not restored.
Result<TraceDevice::Ran> TracedEngine::run(const simt::LaunchRequest& request,
                                           const std::atomic<bool>* cancel) {
    if (probes_.allocates) {
        recorder_->choose_blocks(request, launches_, recorder_->assumed_counts(request));
        return recorder_->record(request, cancel, console_);
    }
    std::vector<std::uint32_t> counts;
    Result<TraceDevice::Ran> ran = recorder_->count(request, cancel, counts);
    if (!ran || ran->ending != Ending::finished) return ran;
    recorder_->choose_blocks(request, launches_, counts);
    if (Result<void> restored = memory_->restore(); !restored) return restored.diagnostics();
    return recorder_->record(request, cancel, console_);
}

// Puts what the threads recorded before a launch was stopped into the trace. False: nothing was kept.
bool TracedEngine::recover(const simt::LaunchRequest& request, const simt::Kernel& kernel, Ending ending) {
    if (trace_ == nullptr || !recorder_->recover(request, launches_, ending)) return false;
    notes_.push_back("launch " + std::to_string(launches_ + 1) +
                     ": it was stopped; the trace holds what its threads recorded until then");
    streams_.clear();
    // Records that end in the middle of an instruction are damage here, not a mistake.
    if (!decode(request, kernel, std::exchange(recorder_->streams(), {}), nullptr)) ++launches_;
    return true;
}

// The access before which the launch was stopped.
std::optional<Stop> TracedEngine::judged_stop(const simt::LaunchRequest& request) const {
    const ptx::Verdict& verdict = recorder_->verdict();
    const std::uint32_t pc = verdict.head & trace::record_pc_mask;
    if (verdict.why == ptx::Verdict::Why::none || pc >= program_->code.size()) return std::nullopt;
    const std::uint64_t slot = recorder_->verdict_slot();
    const auto block = static_cast<std::uint32_t>(slot / request.block.count());
    const auto thread = static_cast<std::uint32_t>(slot % request.block.count());
    const auto found = std::find_if(decoded_.stops.begin(), decoded_.stops.end(), [&](const Stop& each) {
        return each.block == block && each.thread == thread;
    });
    if (found == decoded_.stops.end()) return std::nullopt;
    Stop stop = *found;
    stop.pc = pc;
    if (program_->code[pc].line != 0) stop.line = program_->code[pc].line;
    return stop;
}

// A launch that did not end. After a fault the thread that stopped first is the likely one; a kernel that
// goes on shows where.
void TracedEngine::add_ending(const TraceDevice::Ran& ran, const simt::LaunchRequest& request,
                              const simt::Kernel& kernel) {
    const bool stopped = ran.ending == Ending::faulted || ran.ending == Ending::timeout;
    const bool access = ran.ending == Ending::faulted && ran.fault != trace::ProblemKind::trap;
    trace::ProblemSite site;
    site.launch = launches_;
    site.turn = trace_ != nullptr ? trace_->turn_count() : 0;
    const bool recovered = stopped && recover(request, kernel, ran.ending);
    const std::optional<Stop> judged = recovered ? judged_stop(request) : std::nullopt;
    const bool outside = access && decoded_.outside;
    const std::optional<Stop>& stop = judged    ? judged
                                      : outside ? decoded_.outside
                                      : access  ? decoded_.first_stop
                                                : decoded_.last_stop;
    // A trap that no line of the program has is the check of accesses; without records it has no line.
    const bool names_another =
        std::any_of(other_faults.begin(), other_faults.end(),
                    [&](std::string_view name) { return ran.message.find(name) != std::string::npos; });
    const bool checked = ran.ending == Ending::faulted && ran.fault == trace::ProblemKind::trap &&
                         device_->checks_accesses() && !probes_.traps && !names_another;
    if (!recovered || !stop) {
        site.turn = trace::ProblemSite().turn;
        if (!checked) return add_problem(kind_of(ran), request, ran.message, site);
        return add_problem(trace::ProblemKind::out_of_bounds, request,
                           std::string("a thread accesses memory that is not there, or at an address that is "
                                       "not a multiple of the size") +
                               std::string(ask_the_cpu),
                           site);
    }
    site.turn += stop->turn;
    site.line = stop->line;
    site.block = stop->block;
    site.thread = stop->thread;
    site.pc = stop->pc;
    const std::string thread =
        "thread " + std::to_string(stop->thread) + " of block " + std::to_string(stop->block);
    const std::string at_line = stop->line == 0 ? "" : ", at line " + std::to_string(stop->line);
    if (judged) {
        const ptx::Verdict& verdict = recorder_->verdict();
        const bool misaligned = verdict.why == ptx::Verdict::Why::misaligned;
        if (verdict.why == ptx::Verdict::Why::not_a_function)
            return add_problem(trace::ProblemKind::trap, request,
                               "stopped before a fault: " + thread + " calls address " +
                                   in_hexadecimal(verdict.address) + ", which is not a function" + at_line,
                               site);
        return add_problem(
            misaligned ? trace::ProblemKind::misaligned : trace::ProblemKind::out_of_bounds, request,
            "stopped before a fault: " + thread + " accesses address " + in_hexadecimal(verdict.address) +
                (misaligned ? ", which is not a multiple of the access's size"
                 : verdict.why == ptx::Verdict::Why::outside_shared ? ", beyond a block's shared memory"
                                                                    : ", where there is no buffer") +
                at_line,
            site);
    }
    const bool cut = decoded_.cut_threads > 0;
    std::string says =
        (cut ? "; the last record that fits is that of " : "; the last record is that of ") + thread;
    if (access) says = "; by its records " + thread + " was the first to stop";
    if (outside)
        says = "; by its records " + thread + " accesses address " +
               in_hexadecimal(decoded_.outside_address) + ", where there is no buffer";
    add_problem(kind_of(ran), request, ran.message.substr(0, ran.message.find(ask_the_cpu)) + says + at_line,
                site);
}

Result<simt::Outcome> TracedEngine::launch(const simt::LaunchRequest& asked,
                                           const std::atomic<bool>* cancel) {
    simt::Outcome outcome;
    simt::LaunchRequest request = asked;
    const simt::Kernel* kernel = program_->find_kernel(request.kernel);
    const std::string wrong = kernel == nullptr ? "there is no kernel of this name"
                                                : simt::launch_error(*program_, *kernel, request);
    if (!wrong.empty()) {
        trace::ProblemSite site;
        site.launch = launches_;
        add_problem(trace::ProblemKind::launch_config, request, wrong, site);
        outcome.ending = Ending::refused;
        return outcome;
    }
    take_whole_clusters(request, *kernel);
    if (launches_ == 0)
        if (Result<void> filled = memory_->fill_images(*trace_); !filled) return filled.diagnostics();
    if (request.cooperative && kernel->reads_workspace)
        if (Result<void> made = memory_->make_grid_barrier(*trace_); !made) return made.diagnostics();
    if (Result<void> saved = memory_->save(); !saved) return saved.diagnostics();
    if (Result<void> set = recorder_->set_ranges(
            knows_memory(request) ? memory_->reachable()
                                  : std::vector<std::pair<std::uint64_t, std::uint64_t>>());
        !set)
        return set.diagnostics();
    const Result<TraceDevice::Ran> ran = run(on_device(request, *kernel), cancel);
    if (!ran) return ran.diagnostics();
    outcome.ending = ran->ending;
    if (ran->ending != Ending::finished) {
        if (ran->ending != Ending::refused) memory_->lose();
        if (ran->ending != Ending::cancelled) add_ending(*ran, request, *kernel);
        return outcome;
    }
    streams_.clear();
    all_traced_ = true;
    missing_grids_ = 0;
    const std::uint32_t first = launches_;
    if (Result<void> decoded = decode(request, *kernel, std::exchange(recorder_->streams(), {}), &outcome);
        !decoded)
        return decoded.diagnostics();
    const Result<std::uint64_t> unexplained_bytes = memory_->adopt(*trace_);
    if (!unexplained_bytes) return unexplained_bytes.diagnostics();
    note_memory(first, *unexplained_bytes);
    return outcome;
}

}  // namespace lanescope::gpu
