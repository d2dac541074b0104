#include "cudart/runtime/device.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "cudart/runtime/problems.h"
#include "simt/inspect/fidelity.h"
#include "trace/io.h"

namespace lanescope::cudart {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t guard_bytes = 4096;
constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t device_alignment = 512;  // as cudaMalloc's, and more than the 256 that it promises
constexpr std::uint64_t most_output_bytes = 64ull << 20;

std::uint64_t default_memory() {
    constexpr std::uint64_t least = 1ull << 30, most = 80ull << 30;
    const std::uint64_t here = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                               static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return std::clamp(here / 4 * 3, least, most);
}

double number(const ordered_json& request, const char* key, double otherwise) {
    return request.contains(key) && request[key].is_number() ? request[key].get<double>() : otherwise;
}

simt::Limits limits_of(const ordered_json& request) {
    simt::Limits limits;
    limits.warp_instructions = static_cast<std::uint64_t>(number(request, "max_steps", 2e11));
    limits.seconds = number(request, "max_seconds", 3600);
    limits.launches = 1u << 30;
    limits.memory_bytes =
        static_cast<std::uint64_t>(number(request, "memory_bytes", static_cast<double>(default_memory())));
    limits.console_bytes = most_output_bytes;
    return limits;
}

// Round robin where the request names none; what writes the request has read the name.
simt::Schedule schedule_of(const ordered_json& request) {
    const Result<simt::Schedule> named = simt::parse_schedule(request.value("schedule", "rr"));
    return named ? *named : simt::Schedule{};
}

ordered_json json_of(const trace::Dim3& dims) {
    return {dims.x, dims.y, dims.z};
}

const char* ending_word(simt::Ending ending) {
    switch (ending) {
        case simt::Ending::finished:
            return "finished";
        case simt::Ending::faulted:
            return "faulted";
        case simt::Ending::step_limit:
            return "step_limit";
        case simt::Ending::timeout:
            return "timeout";
        case simt::Ending::deadlock:
            return "deadlock";
        case simt::Ending::cancelled:
            return "cancelled";
        case simt::Ending::refused:
            return "refused";
    }
    return "";
}

// The error that CUDA gives for what happened on the device.
cudaError_t fault_of(simt::Ending ending, const std::vector<trace::Problem>& problems) {
    if (ending == simt::Ending::finished) return cudaSuccess;
    if (ending != simt::Ending::faulted) return cudaErrorLaunchTimeout;
    for (const trace::Problem& problem : problems) {
        if (problem.note) continue;
        switch (problem.kind) {
            case trace::ProblemKind::out_of_bounds:
                return cudaErrorIllegalAddress;
            case trace::ProblemKind::misaligned:
                return cudaErrorMisalignedAddress;
            case trace::ProblemKind::trap:
                return problem.message.find("assert") != std::string::npos ? cudaErrorAssert
                                                                           : cudaErrorLaunchFailure;
            default:
                break;
        }
    }
    return cudaErrorLaunchFailure;
}

// A pointer to registered memory of the host becomes the device's.
void translate(std::vector<std::byte>& argument, const Registered& registered) {
    std::uint64_t address = 0;
    if (argument.size() != sizeof address) return;
    std::memcpy(&address, argument.data(), sizeof address);
    address = registered.to_device(address);
    std::memcpy(argument.data(), &address, sizeof address);
}

}  // namespace

const char* to_text(Block::Kind kind) {
    switch (kind) {
        case Block::Kind::device:
            return "device";
        case Block::Kind::managed:
            return "managed";
        case Block::Kind::pinned:
            return "pinned";
        case Block::Kind::array:
            return "array";
        case Block::Kind::registered:
            return "registered";
    }
    return "";
}

Device::Device(Registry& registry, Timeline& timeline)
    : registry_(registry),
      timeline_(timeline),
      journal_(timeline.journal()),
      limits_(limits_of(journal_.request())) {
    reset();
}

void Device::reset() {
    modules_.clear();
    blocks_.clear();
    images_ = {};
    registered_ = {};
    memory_ = std::make_shared<simt::DeviceMemory>(limits_.memory_bytes, simt::Backing::memory_file);
}

// --- memory ---------------------------------------------------------------------------------------------

std::optional<std::uint64_t> Device::allocate(std::uint64_t size_bytes, Block::Kind kind, unsigned flags) {
    const bool on_host = kind == Block::Kind::managed || kind == Block::Kind::pinned;
    const std::uint64_t number = allocations_;
    trace::Symbol symbol;
    symbol.name = std::string(to_text(kind)) + " " + std::to_string(number);
    symbol.extents = {size_bytes};
    symbol.buffer = true;
    simt::Allocation* made = memory_->global.allocate(
        size_bytes, guard_bytes, std::move(symbol), memory_->budget, on_host ? page_bytes : device_alignment);
    if (made == nullptr) return std::nullopt;
    const std::uint64_t address = made->region.base;
    if (on_host) {
        if (!memory_->global.map_for_host(*made)) {
            memory_->global.release(*made, memory_->budget);
            return std::nullopt;
        }
        simt::host_zero(made->region, 0);  // what the host writes there is not seen
        timeline_.share(address, size_bytes);
    }
    ++allocations_;
    blocks_.emplace(address, Block{address, size_bytes, kind, flags, number});
    timeline_.allocate(number, address, size_bytes, to_text(kind));
    return address;
}

bool Device::release(std::uint64_t address) {
    const auto found = blocks_.find(address);
    if (found == blocks_.end()) return false;
    timeline_.release(found->second.number, address, found->second.size_bytes);
    if (simt::Allocation* allocation = memory_->global.find(address))
        memory_->global.release(*allocation, memory_->budget);
    blocks_.erase(found);
    return true;
}

const Block* Device::find(std::uint64_t address, std::uint64_t size_bytes) const {
    auto found = blocks_.upper_bound(address);
    if (found == blocks_.begin()) return nullptr;
    const Block& block = std::prev(found)->second;
    const std::uint64_t offset = address - block.address;
    return offset <= block.size_bytes && size_bytes <= block.size_bytes - offset &&
                   (offset < block.size_bytes || size_bytes == 0)
               ? &block
               : nullptr;
}

simt::Region* Device::region(std::uint64_t address, std::uint64_t size_bytes) const {
    if (address + size_bytes < address) return nullptr;
    if (simt::Region* found = memory_->global.region(address, address + size_bytes)) return found;
    return memory_->constant.region(address, address + size_bytes);
}

bool Device::holds(std::uint64_t address, std::uint64_t size_bytes) const {
    return region(address, size_bytes) != nullptr;
}

void Device::write(std::uint64_t address, const void* from, std::uint64_t size_bytes) {
    if (size_bytes == 0) return;
    simt::host_write(*region(address, size_bytes), address,
                     {static_cast<const std::byte*>(from), static_cast<std::size_t>(size_bytes)});
}

void Device::read(void* to, std::uint64_t address, std::uint64_t size_bytes) const {
    if (size_bytes == 0) return;
    const simt::Region& from = *region(address, size_bytes);
    std::memcpy(to, from.data + (address - from.base), size_bytes);
}

void Device::move(std::uint64_t to, std::uint64_t from, std::uint64_t size_bytes) {
    if (size_bytes == 0) return;
    simt::Region& target = *region(to, size_bytes);
    const simt::Region& source = *region(from, size_bytes);
    const std::uint64_t target_offset = to - target.base, source_offset = from - source.base;
    std::memmove(target.data + target_offset, source.data + source_offset, size_bytes);
    const auto is_set = [&](std::uint64_t at) { return (source.set[at >> 6] >> (at & 63) & 1) != 0; };
    const bool backwards = &source == &target && from < to;
    if (source.uninit_bytes == 0) {
        target.uninit_bytes -= simt::count_uninit(target.set, target_offset, size_bytes);
        simt::mark_range(target.set, target_offset, size_bytes);
        return;
    }
    for (std::uint64_t step = 0; step < size_bytes; ++step) {
        const std::uint64_t i = backwards ? size_bytes - 1 - step : step;
        if (is_set(source_offset + i))
            simt::mark_range(target.set, target_offset + i, 1);
        else
            simt::clear_range(target.set, target_offset + i, 1);
    }
    target.uninit_bytes = simt::count_uninit(target.set, 0, target.size_bytes);
}

void Device::fill(std::uint64_t address, int value, std::uint64_t size_bytes) {
    if (size_bytes == 0) return;
    simt::Region& target = *region(address, size_bytes);
    const std::uint64_t offset = address - target.base;
    std::memset(target.data + offset, value, size_bytes);
    target.uninit_bytes -= simt::count_uninit(target.set, offset, size_bytes);
    simt::mark_range(target.set, offset, size_bytes);
}

std::string Device::variable_name(std::uint64_t address) const {
    for (const simt::Arena* arena : {&memory_->global, &memory_->constant})
        if (const simt::Allocation* found = arena->find(address); found != nullptr && !found->symbol.buffer)
            return found->symbol.name;
    return {};
}

std::string Device::freed_name(std::uint64_t address) const {
    const simt::Allocation* found = memory_->global.find(address);
    return found != nullptr && !found->live ? found->symbol.name : "";
}

bool Device::in_range(std::uint64_t address) const {
    return (address >= simt::window::global && address < memory_->global.end()) ||
           (address >= simt::window::constant && address < memory_->constant.end());
}

std::optional<Device::Unwritten> Device::unwritten(const Rows& rows) const {
    const Block* block = find(rows.address);
    const simt::Region* from = block == nullptr ? nullptr : region(block->address, block->size_bytes);
    if (from == nullptr || from->uninit_bytes == 0 || block->kind != Block::Kind::device) return std::nullopt;
    const std::vector<std::uint64_t>& extents = memory_->global.find(block->address)->symbol.extents;
    constexpr std::uint64_t unknown_bytes = 16;
    const std::uint64_t typed = extents.size() == 1 && extents[0] != 0 ? block->size_bytes / extents[0] : 1;
    const std::uint64_t bytes = typed == 1 ? unknown_bytes : typed;
    Unwritten made{block->number, 0, 0, 0, {}};
    for (std::uint64_t row = 0; row < rows.count * rows.slices; ++row) {
        const std::uint64_t begin = rows.row(row) - block->address, end = begin + rows.width_bytes;
        if (end > block->size_bytes) return std::nullopt;
        for (std::uint64_t at = (begin + bytes - 1) / bytes * bytes; at + bytes <= end; at += bytes) {
            ++made.of;
            if (simt::count_uninit(from->set, at, bytes) != bytes) continue;
            if (made.count++ == 0) made.first = at / bytes;
        }
    }
    if (made.count == 0) return std::nullopt;
    if (typed == 1) made.first *= bytes, made.count *= bytes, made.of *= bytes;
    if (block->filled_by) made.writer = {*block->filled_by, block->filled_bytes / typed};
    return made;
}

std::uint64_t Device::total_bytes() const {
    return memory_->budget.limit();
}

std::uint64_t Device::free_bytes() const {
    return memory_->budget.limit() - memory_->budget.used();
}

namespace {

// How far the results of a module's instructions may be trusted.
void tell_fidelity(const std::string& ptx, Journal& journal) {
    if (!journal.kept()) return;
    simt::InexactInstructions inexact;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);)
        inexact.add(line, 0);
    for (const simt::InexactInstruction& each : inexact.found())
        journal.write({{"event", "inexact"},
                       {"instruction", each.instruction},
                       {"kind", simt::to_text(each.fidelity.kind)},
                       {"why", simt::words_of(each.fidelity)}});
}

}  // namespace

// --- code -----------------------------------------------------------------------------------------------

Result<void> Device::decode(std::size_t module, LoadedModule& loaded) {
    const Result<void> read = loaded.code.read(*registry_.modules[module], compute_capability, journal_);
    if (!read) return read;
    loaded.code.placement = simt::placement_behind(*memory_);
    if (const Result<void> described = loaded.code.describe(); !described) return described;
    loaded.machine = std::make_unique<simt::Machine>(loaded.code.program, limits_,
                                                     schedule_of(journal_.request()), memory_);
    return {};
}

Device::LoadedModule& Device::load(std::size_t module) {
    const auto known = modules_.find(module);
    if (known != modules_.end()) return known->second;
    LoadedModule& loaded = modules_[module];
    if (const Result<void> decoded = decode(module, loaded); !decoded) {
        loaded.problems = decoded.diagnostics();
        for (const Diagnostic& problem : loaded.problems)
            journal_.warn(to_text(problem));
    } else {
        tell_fidelity(loaded.code.text, journal_);
    }
    for (const auto& [host, variable] : registry_.variables) {
        if (variable.module != module || variable.managed == nullptr || loaded.machine == nullptr) continue;
        const auto place = loaded.machine->symbol(variable.symbol);
        if (!place) continue;
        simt::Allocation* allocation = memory_->global.find(place->address);
        if (allocation == nullptr || !memory_->global.map_for_host(*allocation)) continue;
        *variable.managed = reinterpret_cast<void*>(place->address);
        timeline_.share(place->address, variable.size_bytes);
    }
    return loaded;
}

void Device::place_managed_variables(std::size_t module) {
    load(module);
}

Result<std::uint64_t> Device::variable_address(const RegisteredVariable& variable) {
    LoadedModule& loaded = load(variable.module);
    if (!loaded.problems.empty()) return loaded.problems;
    const auto place = loaded.machine->symbol(variable.symbol);
    if (!place) return place.diagnostics();
    return place->address;
}

Result<const simt::Kernel*> Device::kernel(const RegisteredFunction& function) {
    LoadedModule& loaded = load(function.module);
    if (!loaded.problems.empty()) return loaded.problems;
    const simt::Kernel* found = loaded.code.program->find_kernel(function.symbol);
    if (found == nullptr) return error("the module has no kernel '" + function.symbol + "'");
    return found;
}

std::uint64_t Device::local_bytes(const RegisteredFunction& function) {
    const Result<const simt::Kernel*> found = kernel(function);
    return found ? load(function.module).code.program->functions[(*found)->function].local_bytes : 0;
}

// --- launches -------------------------------------------------------------------------------------------

bool Device::is_recorded(const std::string& kernel) {
    return journal_.kept() && is_wanted(journal_.request(), kernel, launches_, kernel_launches_[kernel]);
}

std::vector<std::uint64_t> Device::unset_bytes() const {
    std::vector<std::uint64_t> made;
    for (const auto& [address, block] : blocks_)
        made.push_back(region(address, block.size_bytes)->uninit_bytes);
    return made;
}

void Device::note_writer(const std::vector<std::uint64_t>& unset_before) {
    auto before = unset_before.begin();
    for (auto& [address, block] : blocks_) {
        const std::uint64_t now = region(address, block.size_bytes)->uninit_bytes;
        if (now < *before) block.filled_by = launches_, block.filled_bytes = *before - now;
        ++before;
    }
}

ordered_json Device::describe_blocks(const LoadedModule& loaded, const simt::LaunchRequest& request) {
    ordered_json names = ordered_json::object();
    const simt::Kernel& kernel = *loaded.code.program->find_kernel(request.kernel);
    const TypeTable& types = loaded.code.debug.types;
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const ptx::DebugVariable* variable = loaded.code.parameter(kernel, i);
        if (variable == nullptr || request.arguments[i].size() != sizeof(std::uint64_t)) continue;
        const ValueType& type = types[variable->type];
        std::uint64_t address = 0;
        std::memcpy(&address, request.arguments[i].data(), sizeof address);
        const Block* block = find(address);
        if (type.kind != ValueType::Kind::pointer || block == nullptr) continue;
        names[std::to_string(block->number)] = variable->name;
        const std::uint32_t bytes = types[type.element].size_bytes;
        if (bytes == 0 || block->size_bytes % bytes != 0) continue;
        trace::Symbol& symbol = memory_->global.find(block->address)->symbol;
        symbol.element = type.element;
        symbol.extents = {block->size_bytes / bytes};
    }
    return names;
}

// Arrays have the type of their elements, and rows.
void Device::describe_arrays(const LoadedModule& loaded) {
    TypeTable types = loaded.code.debug.types;
    for (const auto& [handle, array] : images_.arrays) {
        const TypeId element = types.named(element_name(array->image.format));
        trace::Symbol& symbol = memory_->global.find(array->image.address)->symbol;
        if (element == 0 || element >= loaded.code.debug.types.size()) continue;
        symbol.element = element;
        symbol.extents = {array->image.width};
        if (array->image.height > 1) symbol.extents.insert(symbol.extents.begin(), array->image.height);
        if (array->image.depth > 1) symbol.extents.insert(symbol.extents.begin(), array->image.depth);
    }
}

simt::Outcome Device::record(LoadedModule& loaded, const simt::LaunchRequest& request,
                             const ordered_json& names) {
    trace::Recorder recorder(
        {static_cast<std::uint64_t>(number(journal_.request(), "trace_bytes", 1ull << 30))});
    loaded.machine->record_into(&recorder);
    recorder.set_program(loaded.code.with_arguments(request));
    const simt::Outcome outcome = loaded.machine->launch(request);
    loaded.machine->record_into(nullptr);
    const std::shared_ptr<trace::Trace> made = recorder.finish();
    const std::filesystem::path path = journal_.folder() / ("launch-" + std::to_string(launches_) + ".trace");
    if (const Result<void> saved = trace::save(*made, path); !saved)
        journal_.warn(to_text(saved.diagnostics()));
    else
        journal_.write({{"event", "trace"},
                        {"launch", launches_},
                        {"file", path.filename().string()},
                        {"parameters", names}},
                       true);
    return outcome;
}

cudaError_t Device::launch(const Launch& launch, cudaError_t& fault) {
    fault = cudaSuccess;
    const Result<const simt::Kernel*> kernel = this->kernel(*launch.function);
    if (!kernel) {
        journal_.warn("kernel " + launch.function->symbol + " cannot run: " + to_text(kernel.diagnostics()));
        return cudaErrorInvalidDeviceFunction;
    }
    LoadedModule& loaded = load(launch.function->module);
    // The program may be loaded again, for the steps of another file.
    const simt::KernelInfo info = (*kernel)->info;
    const std::string& name = info.name;
    simt::LaunchRequest request;
    request.kernel = info.symbol;
    request.label = info.name;
    request.grid = launch.grid;
    request.block = launch.block;
    request.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    request.cooperative = launch.cooperative;
    request.cluster = launch.cluster;
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        const auto* const first = static_cast<const std::byte*>(launch.arguments[i]);
        std::vector<std::byte>& value =
            request.arguments.emplace_back(first, first + info.parameters[i].size_bytes());
        translate(value, registered_);
    }
    registered_.copy_in(*this);
    const double began_ms = journal_.now_ms();
    loaded.machine->clear_findings();
    const bool recorded = is_recorded(name);
    const bool checked = timeline_.checks();
    constexpr std::uint64_t most_files = 50;  // a check decodes code again to know lines of another file
    if ((recorded || (checked && loaded.file_changes < most_files)) &&
        loaded.code.show_file_of(request.kernel))
        ++loaded.file_changes, loaded.machine->replace_program(loaded.code.program);
    const ordered_json names = describe_blocks(loaded, request);
    describe_arrays(loaded);
    ordered_json event = describe(launch, info);
    event["at_ms"] = began_ms;
    journal_.set_running(event);
    LaunchCheck::Findings found;
    const std::vector<std::uint64_t> unset = unset_bytes();
    if (recorded)
        found.outcome = record(loaded, request, names);
    else if (checked)
        found = check(loaded, request);
    else
        found.outcome = loaded.machine->launch(request);
    registered_.copy_out(*this);
    note_writer(unset);
    const simt::Outcome& outcome = found.outcome;
    const std::vector<trace::Problem>& problems = loaded.machine->problems();
    output_ += loaded.machine->console();
    steps_ += std::max<std::uint64_t>(outcome.warp_instructions, 1);
    event["buffers"] = ordered_json::array();
    for (const auto& [block, parameter] : names.items())
        event["buffers"].push_back(std::stoull(block));
    note_launch(std::move(event), launch, info, loaded, found);
    journal_.set_running(nullptr);
    timeline_.launch(*this, launches_, launch.stream, std::move(found.touched));
    ++kernel_launches_[info.name];
    ++launches_;
    if (outcome.ending == simt::Ending::refused) {
        return info.unsupported.empty() ? cudaErrorInvalidValue : cudaErrorNotSupported;
    }
    fault = fault_of(outcome.ending, problems);
    return cudaSuccess;
}

LaunchCheck::Findings Device::check(LoadedModule& loaded, const simt::LaunchRequest& request) {
    if (loaded.check == nullptr || loaded.check->program() != loaded.code.program)
        loaded.check = std::make_unique<LaunchCheck>(loaded.code.program, CheckLimits{});
    return loaded.check->run(*loaded.machine, request, timeline_.checks_order());
}

ordered_json Device::describe(const Launch& launch, const simt::KernelInfo& kernel) {
    ordered_json event{{"event", "launch"},
                       {"number", launches_},
                       {"kernel", kernel.name},
                       {"symbol", kernel.symbol},
                       {"of_kernel", kernel_launches_[kernel.name]},
                       {"grid", json_of(launch.grid)},
                       {"block", json_of(launch.block)},
                       {"shared", kernel.static_shared_bytes + launch.dynamic_shared_bytes},
                       {"stream", launch.stream}};
    if (launch.cluster) event["cluster"] = json_of(*launch.cluster);
    return event;
}

void Device::note_launch(ordered_json event, const Launch& launch, const simt::KernelInfo& kernel,
                         const LoadedModule& loaded, const LaunchCheck::Findings& findings) {
    const simt::Outcome& outcome = findings.outcome;
    const std::string& file = loaded.code.program->description.source.path;
    ordered_json found = ordered_json::array();
    for (const trace::Problem& problem : loaded.machine->problems()) {
        found.push_back(json_of(problem, loaded.machine->label_of(problem.first.launch), file));
        if (const std::string text = assertion_text(problem, file, launch.grid, launch.block); !text.empty())
            std::fprintf(stderr, "%s\n", text.c_str());
        if (journal_.kept() || problem.note) continue;
        journal_.warn(kernel.name + ": " + problem.message);
    }
    for (const trace::Problem& race : findings.races)
        found.push_back(
            json_of(race, race.first.launch == 0 ? "" : findings.labels[race.first.launch], file));
    if (!findings.incomplete.empty()) journal_.warn(kernel.name + ": " + findings.incomplete);
    const bool important = !found.empty();
    const double began_ms = event["at_ms"];
    event["ending"] = ending_word(outcome.ending);
    event["warp_instructions"] = outcome.warp_instructions;
    event["thread_instructions"] = outcome.thread_instructions;
    event["ms"] = journal_.now_ms() - began_ms;
    event["problems"] = std::move(found);
    journal_.write_host(std::move(event), important, began_ms);
}

void Device::flush_output() {
    if (output_.empty()) return;
    std::fwrite(output_.data(), 1, output_.size(), stdout);
    std::fflush(stdout);
    output_.clear();
}

}  // namespace lanescope::cudart
