#include "simt/machine/machine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>

#include "base/sizes.h"
#include "simt/inspect/names.h"
#include "simt/program/describe_launch.h"
#include "simt/program/layout.h"
#include "simt/schedule/parallel.h"
#include "simt/schedule/run_clock.h"
#include "simt/state/child_launches.h"
#include "simt/state/faults.h"
#include "simt/state/launch_check.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t buffer_guard_bytes = 4096;
constexpr std::uint64_t kernel_guard_bytes = 256;  // as allocate_for_thread() and ParameterBuffers have

std::string megabytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

struct Machine::State {
    State(std::shared_ptr<const Program> code, Limits bounds, Schedule order,
          std::shared_ptr<DeviceMemory> shared)
        : program(std::move(code)),
          limits(bounds),
          schedule(std::move(order)),
          listed(schedule.turns),
          memory(shared != nullptr ? std::move(shared)
                                   : std::make_shared<DeviceMemory>(holdable(bounds.memory_bytes))),
          problems(bounds.problems) {
        limits.memory_bytes = holdable(bounds.memory_bytes);
    }

    std::shared_ptr<const Program> program;
    Limits limits;
    Schedule schedule;
    ListedTurns listed;
    std::shared_ptr<DeviceMemory> memory;
    Budget& budget = memory->budget;
    Arena& global = memory->global;
    Arena& constant = memory->constant;
    Problems problems;
    std::string console;
    trace::Recorder* recorder = nullptr;
    std::uint32_t launches = 0;
    std::uint32_t device_allocations = 0;
    ParameterBuffers parameter_buffers;
    std::vector<trace::GridOrigin> origins;
    std::optional<RunClock> clock;  // from the first launch on
    std::uint64_t workspace = 0;    // of cooperative launches, made for the first one
    std::size_t problems_recorded = 0;
    std::map<std::uint32_t, std::string> labels;  // of launches by kernels that had problems
    bool variables_placed = true;

    void place_variables();
    Result<DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description,
                                   std::uint64_t guard_bytes);
    Region* region_at(std::uint64_t address, std::uint64_t size);
    bool make_workspace();
    void prepare(LaunchContext& run);
    Outcome refuse(const LaunchRequest& request, const std::string& message);
    void record_problems();

    struct Family;
    void run_grid(Family& family, const LaunchRequest& request, std::uint32_t level);
    LaunchRequest child_request(const Family& family, const ChildLaunch& child, const std::string& parent);
};

void Machine::State::place_variables() {
    for (const ModuleVariable& variable : program->variables) {
        Arena& arena = variable.window == Window::constant ? constant : global;
        Allocation* made =
            arena.allocate(variable.size_bytes, variable_guard_bytes, variable.description, budget);
        if (made == nullptr || made->region.base != variable.address) {
            variables_placed = false;
            return;
        }
        made->shown = variable.shown;
        const std::size_t given =
            static_cast<std::size_t>(std::min<std::uint64_t>(variable.contents.size(), variable.size_bytes));
        host_write(made->region, variable.address, {variable.contents.data(), given});
        host_zero(made->region, given);  // as CUDA does
    }
}

Region* Machine::State::region_at(std::uint64_t address, std::uint64_t size) {
    if (address + size < address) return nullptr;
    if (Region* region = global.region(address, address + size)) return region;
    return constant.region(address, address + size);
}

Machine::Machine(std::shared_ptr<const Program> program, Limits limits, Schedule schedule,
                 std::shared_ptr<DeviceMemory> memory)
    : state_(std::make_unique<State>(std::move(program), limits, std::move(schedule), std::move(memory))) {
    state_->place_variables();
}
Machine::~Machine() = default;

Result<DeviceAddress> Machine::State::allocate(std::uint64_t size_bytes, trace::Symbol description,
                                               std::uint64_t guard_bytes) {
    const std::string name = description.name;
    Allocation* made = global.allocate(size_bytes, guard_bytes, std::move(description), budget);
    if (made == nullptr)
        return error("buffer " + name + " of " + std::to_string(size_bytes) +
                     " bytes does not fit into the memory limit of " + megabytes(limits.memory_bytes));
    if (recorder != nullptr) recorder->add_symbol(made->symbol);
    return made->region.base;
}

Result<DeviceAddress> Machine::allocate(std::uint64_t size_bytes, trace::Symbol description) {
    return state_->allocate(size_bytes, std::move(description), buffer_guard_bytes);
}

Result<DeviceAddress> Machine::allocate_for_kernel(std::uint64_t size_bytes, trace::Symbol description) {
    return state_->allocate(size_bytes, std::move(description), kernel_guard_bytes);
}

Result<Machine::SymbolAddress> Machine::symbol(std::string_view name) const {
    for (const ModuleVariable& variable : state_->program->variables)
        if (variable.name == name || variable.description.name == name)
            return SymbolAddress{variable.address, variable.size_bytes};
    for (const ModuleVariable& variable : state_->program->variables)
        if (plain_name(variable.name) == name) return SymbolAddress{variable.address, variable.size_bytes};
    return error("the module has no variable '" + std::string(name) + "' in device or constant memory");
}

std::uint64_t Machine::add_texture(const Texture& texture) {
    return state_->memory->images.add(texture);
}

Result<void> Machine::write(DeviceAddress address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};  // of a buffer without elements
    Region* region = state_->region_at(address, bytes.size());
    if (region == nullptr)
        return error("a write of " + std::to_string(bytes.size()) + " bytes does not fit into any buffer");
    host_write(*region, address, bytes);
    if (state_->recorder != nullptr) {
        const Window window = window_of(address);
        state_->recorder->host_write(space_of(window), address - window_start(window), bytes);
    }
    return {};
}

Result<void> Machine::read(DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set) const {
    if (bytes.empty()) return {};
    const Region* region = state_->region_at(address, bytes.size());
    if (region == nullptr)
        return error("a read of " + std::to_string(bytes.size()) + " bytes does not lie in any buffer");
    const std::uint64_t offset = address - region->base;
    std::memcpy(bytes.data(), region->data + offset, bytes.size());
    for (std::size_t i = 0; i < std::min(set.size(), bytes.size()); ++i)
        set[i] = (region->set[(offset + i) >> 6] >> ((offset + i) & 63) & 1) != 0;
    return {};
}

void Machine::replace_program(std::shared_ptr<const Program> program) {
    state_->program = std::move(program);
}

void Machine::record_into(trace::Recorder* recorder) {
    state_->recorder = recorder;
    if (recorder == nullptr) return;
    if (recorder->in_slices()) {
        recorder->restart();
    } else {
        recorder->set_program(state_->program->description);
        recorder->set_image(trace::Space::global, state_->global.bytes(), state_->global.set_words());
        recorder->set_image(trace::Space::constant, state_->constant.bytes(), state_->constant.set_words());
    }
    for (const Arena* arena : {&state_->global, &state_->constant})
        for (const auto& allocation : arena->allocations())
            if (allocation->shown && allocation->live) recorder->add_symbol(allocation->symbol);
}

void Machine::clear_findings() {
    state_->problems = Problems(state_->limits.problems);
    state_->problems_recorded = 0;
    state_->labels.clear();
    state_->console.clear();
}

const std::vector<trace::Problem>& Machine::problems() const {
    return state_->problems.all();
}
const std::string& Machine::console() const {
    return state_->console;
}

namespace {

void fill_row(std::vector<std::uint64_t>& rows, LaunchRow row, std::uint32_t value) {
    auto* lanes = reinterpret_cast<std::uint32_t*>(rows.data()) + static_cast<std::size_t>(row) * warp_size;
    std::fill_n(lanes, warp_size, value);
}

void fill_launch_rows(LaunchContext& run) {
    run.launch_rows.assign(run.program.launch_row_bytes / 8, 0);
    const trace::Dim3 &block = run.request.block, &grid = run.request.grid;
    fill_row(run.launch_rows, LaunchRow::ntid_x, block.x);
    fill_row(run.launch_rows, LaunchRow::ntid_y, block.y);
    fill_row(run.launch_rows, LaunchRow::ntid_z, block.z);
    fill_row(run.launch_rows, LaunchRow::nctaid_x, grid.x);
    fill_row(run.launch_rows, LaunchRow::nctaid_y, grid.y);
    fill_row(run.launch_rows, LaunchRow::nctaid_z, grid.z);
    fill_row(run.launch_rows, LaunchRow::nwarpid,
             static_cast<std::uint32_t>((block.count() + warp_size - 1) / warp_size));
    fill_row(run.launch_rows, LaunchRow::nsmid, multiprocessors);
    fill_row(run.launch_rows, LaunchRow::dynamic_smem_size,
             static_cast<std::uint32_t>(run.request.dynamic_shared_bytes));
    fill_row(run.launch_rows, LaunchRow::total_smem_size, run.shared_bytes);
    fill_row(run.launch_rows, LaunchRow::one, 1);
    fill_row(run.launch_rows, LaunchRow::warp_sz, warp_size);
    fill_row(run.launch_rows, LaunchRow::nclusterid_x, grid.x / run.cluster.x);
    fill_row(run.launch_rows, LaunchRow::nclusterid_y, grid.y / run.cluster.y);
    fill_row(run.launch_rows, LaunchRow::nclusterid_z, grid.z / run.cluster.z);
    fill_row(run.launch_rows, LaunchRow::cluster_nctaid_x, run.cluster.x);
    fill_row(run.launch_rows, LaunchRow::cluster_nctaid_y, run.cluster.y);
    fill_row(run.launch_rows, LaunchRow::cluster_nctaid_z, run.cluster.z);
    fill_row(run.launch_rows, LaunchRow::cluster_nctarank, static_cast<std::uint32_t>(run.cluster.count()));
    const bool given = run.request.cluster.has_value() || run.kernel.required_cluster.count() != 0;
    fill_row(run.launch_rows, LaunchRow::is_explicit_cluster, given ? all_lanes : 0);
    fill_row(run.launch_rows, LaunchRow::workspace_high, static_cast<std::uint32_t>(run.workspace >> 32));
    fill_row(run.launch_rows, LaunchRow::workspace_low, static_cast<std::uint32_t>(run.workspace));
    std::fill_n(run.launch_rows.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(LaunchRow::gridid) * row4_bytes / 8),
                warp_size, run.launch + 1);
    for (const Kernel::Placed& placed : run.kernel.shared)
        std::fill_n(run.launch_rows.begin() + run.program.shared[placed.symbol].launch_row / 8, warp_size,
                    placed.offset);
}

void fill_warp_rows(LaunchContext& run) {
    const trace::Dim3 size = run.request.block;
    const auto warps = static_cast<std::uint32_t>((size.count() + warp_size - 1) / warp_size);
    run.warp_rows.assign(std::size_t{warps} * static_cast<std::size_t>(WarpRow::count) * row4_bytes / 8, 0);
    for (std::uint32_t thread = 0; thread < warps * warp_size; ++thread) {
        const unsigned lane = thread % warp_size;
        auto set = [&](WarpRow row, std::uint32_t value) {
            reinterpret_cast<std::uint32_t*>(run.warp_rows_of(thread / warp_size) +
                                             static_cast<std::size_t>(row) * row4_bytes)[lane] = value;
        };
        set(WarpRow::tid_x, thread % size.x);
        set(WarpRow::tid_y, thread / size.x % size.y);
        set(WarpRow::tid_z, thread / size.x / size.y);
        set(WarpRow::laneid, lane);
        set(WarpRow::warpid, thread / warp_size);
        const Mask self = lane_bit(lane), below = self - 1;
        set(WarpRow::lanemask_eq, self);
        set(WarpRow::lanemask_lt, below);
        set(WarpRow::lanemask_le, below | self);
        set(WarpRow::lanemask_ge, ~below);
        set(WarpRow::lanemask_gt, ~(below | self));
    }
}

void place_parameters(LaunchContext& run) {
    run.parameters.assign((run.kernel.parameter_bytes + 15) / 16 * 16, std::byte{0});
    for (std::size_t i = 0; i < run.request.arguments.size(); ++i)
        std::copy(run.request.arguments[i].begin(), run.request.arguments[i].end(),
                  run.parameters.begin() + run.kernel.parameter_offsets[i]);
    run.parameter_region = {window::parameter, run.kernel.parameter_bytes, run.parameters.data(), nullptr, 0};
}

}  // namespace

// What %envreg1 and %envreg2 point to: cooperative_groups/details/driver_abi.h, grid_workspace.
bool Machine::State::make_workspace() {
    constexpr std::uint64_t size_bytes = 8;  // its size, the barrier
    if (workspace == 0) {
        trace::Symbol symbol;
        symbol.name = "grid barrier";
        symbol.extents = {size_bytes};
        Allocation* made = global.allocate(size_bytes, buffer_guard_bytes, std::move(symbol), budget);
        if (made == nullptr) return false;
        workspace = made->region.base;
        if (recorder != nullptr) recorder->add_symbol(made->symbol);
    }
    const std::array<std::byte, size_bytes> contents{std::byte{size_bytes}};
    host_write(*region_at(workspace, size_bytes), workspace, contents);
    if (recorder != nullptr) recorder->host_write(trace::Space::global, workspace - window::global, contents);
    return true;
}

void Machine::State::prepare(LaunchContext& run) {
    run.recorder = recorder;
    if (schedule.kind == Schedule::Kind::threads)
        run.chooser = schedule.chooser != nullptr ? schedule.chooser : &listed;
    run.traced = recorder != nullptr || run.by_thread();  // the traced code reports its accesses
    run.launch = launches;
    run.end_block = run.request.grid.count();
    run.cluster = cluster_of(run.kernel, run.request);
    run.device_allocations = device_allocations;
    if (run.request.cooperative) run.workspace = workspace;
    trace::Launch described = describe_launch(run.program, run.kernel, run.request);
    run.shared_bytes = described.shared_bytes;
    run.shared_symbols = std::move(described.shared);
    place_parameters(run);
    fill_launch_rows(run);
    fill_warp_rows(run);
}

Outcome Machine::State::refuse(const LaunchRequest& request, const std::string& message) {
    trace::Problem* problem = problems.note(trace::ProblemKind::launch_config, trace::none - 1 - launches);
    if (problem != nullptr) {
        problem->first.launch = launches;
        problem->message =
            "launch of " + (request.label.empty() ? request.kernel : request.label) + ": " + message;
    }
    record_problems();
    Outcome outcome;
    outcome.ending = Ending::refused;
    return outcome;
}

void Machine::State::record_problems() {
    if (recorder == nullptr) return;
    for (; problems_recorded < problems.all().size(); ++problems_recorded)
        recorder->problem(problems.all()[problems_recorded]);
}

// State that a launch by the host shares with the grids that descend from it.
struct Machine::State::Family {
    const LaunchRequest& ancestor;
    const std::atomic<bool>* cancel;
    const std::function<void(std::uint64_t)>& progress;
    Outcome total = {};
    std::size_t pending = 0;  // launched, not yet begun
};

void Machine::State::run_grid(Family& family, const LaunchRequest& request, std::uint32_t level) {
    const Kernel& kernel = *program->find_kernel(request.kernel);
    std::vector<ChildLaunch> launched;
    std::uint32_t parent = 0;
    {
        ChildLaunches children(parameter_buffers, level, family.pending);
        LaunchContext run{*program,       kernel, request,      limits,   global, constant,
                          memory->images, budget, memory->heap, problems, console};
        prepare(run);
        if (request.part) {
            run.end_block = std::min(request.part->end, run.end_block);
            run.first_block = std::min(request.part->first, run.end_block);
        }
        if (launches >= limits.launches) {
            report_launch(
                run, trace::ProblemKind::step_limit,
                "stopped after " + std::to_string(launches) + " launches; kernels may launch for ever");
            family.total.ending = Ending::step_limit;
            return record_problems();
        }
        run.children = &children;
        run.earlier_instructions = family.total.warp_instructions;
        if (level == 0) clock->begin_launch();
        if (recorder != nullptr)
            recorder->begin_launch(describe_launch(run.program, run.kernel, run.request));
        family.total.ending = run_blocks(run, schedule, family.cancel, family.progress, *clock);
        if (family.total.ending == Ending::finished && run.fatal) family.total.ending = Ending::faulted;
        family.total.warp_instructions += run.warp_instructions;
        family.total.thread_instructions += run.thread_instructions;
        device_allocations = run.device_allocations;
        if (recorder != nullptr) recorder->end_launch();
        record_problems();
        if (level != 0 && !problems.all().empty()) labels[launches] = request.label;
        parent = launches++;
        launched = children.in_order();
    }
    family.pending += launched.size();
    for (const ChildLaunch& child : launched) {
        --family.pending;
        if (family.total.ending != Ending::finished) continue;
        const LaunchRequest wanted = child_request(family, child, kernel.info.name);
        parameter_buffers.give(child.buffer, parameter_buffer_bytes(*child.kernel));
        if (const Diagnostics& unsupported = child.kernel->info.unsupported; !unsupported.empty()) {
            family.total.ending = refuse(wanted, unsupported.front().message).ending;
            continue;
        }
        if (!child.tail && child.turn != ~0ull) origins.push_back({launches, parent, child.turn});
        run_grid(family, wanted, level + 1);
    }
}

LaunchRequest Machine::State::child_request(const Family& family, const ChildLaunch& child,
                                            const std::string& parent) {
    LaunchRequest request;
    request.kernel = child.kernel->info.symbol;
    request.label =
        child.kernel->info.name + " (from " + parent + ", block " + std::to_string(child.parent_block) + ")";
    request.grid = child.grid;
    request.block = child.block;
    request.dynamic_shared_bytes = child.shared_bytes;
    request.resident_blocks = family.ancestor.resident_blocks;
    for (const std::uint32_t block : family.ancestor.recorded_blocks)
        if (block < child.grid.count()) request.recorded_blocks.push_back(block);
    if (request.recorded_blocks.empty() && !family.ancestor.recorded_blocks.empty())
        request.recorded_blocks = {0};
    const Region& buffer = *region_at(child.buffer, parameter_buffer_bytes(*child.kernel));
    for (std::size_t i = 0; i < child.kernel->info.parameters.size(); ++i) {
        const std::byte* first = buffer.data + child.kernel->parameter_offsets[i];
        request.arguments.emplace_back(first, first + child.kernel->info.parameters[i].size_bytes());
    }
    return request;
}

Outcome Machine::launch(const LaunchRequest& request, const std::atomic<bool>* cancel,
                        const std::function<void(std::uint64_t)>& progress) {
    State& state = *state_;
    const Kernel* kernel = state.program->find_kernel(request.kernel);
    if (kernel == nullptr) return state.refuse(request, "there is no kernel of this name");
    if (!state.variables_placed)
        return state.refuse(request, "the module's variables do not fit into the memory limit of " +
                                         megabytes(state.limits.memory_bytes));
    if (!kernel->info.unsupported.empty())
        return state.refuse(request, kernel->info.unsupported.front().message);
    if (const std::string wrong = launch_error(*state.program, *kernel, request); !wrong.empty())
        return state.refuse(request, wrong);
    if (request.cooperative && !state.make_workspace())
        return state.refuse(request, "the grid's barrier does not fit into the memory limit of " +
                                         megabytes(state.limits.memory_bytes));
    if (!state.clock) state.clock.emplace();
    State::Family family{request, cancel, progress};
    state.run_grid(family, request, 0);
    return family.total;
}

const std::vector<trace::GridOrigin>& Machine::origins() const {
    return state_->origins;
}

std::string Machine::label_of(std::uint32_t launch) const {
    const auto known = state_->labels.find(launch);
    return known == state_->labels.end() ? "" : known->second;
}

std::uint64_t Machine::turns_left() const {
    return state_->listed.left();
}

std::uint32_t Machine::launch_count() const {
    return state_->launches;
}

}  // namespace lanescope::simt
