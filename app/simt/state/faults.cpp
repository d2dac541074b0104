#include "simt/state/faults.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "simt/state/block.h"
#include "simt/state/cluster.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

trace::Problem* Problems::note(trace::ProblemKind kind, std::uint32_t pc, bool remark) {
    const auto [found, added] = known_.try_emplace({kind, pc}, all_.size());
    if (!added) {
        if (found->second >= all_.size()) return nullptr;
        trace::Problem& known = all_[found->second];
        if (!known.note || remark) {
            ++known.occurrences;
            return nullptr;
        }
        known = {};
        known.kind = kind;
        return &known;
    }
    if (all_.size() >= limit_) {
        found->second = ~std::size_t{0};
        ++dropped_;
        return nullptr;
    }
    all_.emplace_back().kind = kind;
    return &all_.back();
}

std::uint32_t line_of(const Warp& warp, std::uint32_t pc) {
    const auto& rows = warp.run->program.description.code_rows;
    if (pc >= rows.size()) return 0;
    if (rows[pc].line != 0) return rows[pc].line;
    for (const Frame* frame = warp.frame; frame != nullptr && frame->parent != nullptr; frame = frame->parent)
        if (rows[frame->call_pc].line != 0) return rows[frame->call_pc].line;
    return 0;
}

std::string place_text(std::uint32_t line) {
    return line == 0 ? "" : " in line " + std::to_string(line);
}

namespace {

std::string line_prefix(std::uint32_t line) {
    return line == 0 ? "" : "line " + std::to_string(line) + ": ";
}

}  // namespace

namespace {

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

std::string bytes_text(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string who(const Warp& warp, Mask lanes) {
    return threads_text(lanes, warp.first_thread()) + " of block " + std::to_string(warp.block->index);
}

const char* verb(trace::AccessKind kind) {
    switch (kind) {
        case trace::AccessKind::load:
            return "reads";
        case trace::AccessKind::store:
            return "writes";
        case trace::AccessKind::atomic:
            return "updates";
    }
    return "touches";
}

Neighbour neighbour_in(const std::vector<trace::Symbol>& symbols, std::uint64_t start,
                       std::uint64_t address) {
    Neighbour best;
    std::uint64_t best_distance = ~0ull;
    for (const trace::Symbol& symbol : symbols) {
        const std::uint64_t begin = start + symbol.offset, end = begin + symbol.size_bytes;
        const std::uint64_t distance = address < begin  ? begin - address
                                       : address >= end ? address - end + 1
                                                        : 0;
        if (distance >= best_distance) continue;
        best = {&symbol, begin};
        best_distance = distance;
    }
    return best;
}

// A variable of the current frame that lies in local memory; `made` holds its description.
Neighbour local_neighbour(const Warp& warp, std::uint64_t address, trace::Symbol& made) {
    const trace::Program& description = warp.run->program.description;
    const std::uint64_t base = window::local + warp.frame->local_base;
    for (const trace::Variable& variable : description.functions[warp.frame->function].variables) {
        const std::uint64_t start = base + variable.offset,
                            size = description.types[variable.type].size_bytes;
        if (variable.home != trace::Variable::Home::local || address < start || address >= start + size)
            continue;
        made.name = variable.name;
        made.element = description.types.element_of(variable.type, made.extents);
        made.size_bytes = size;
        return {&made, start};
    }
    return {};
}

Neighbour neighbour(const Warp& warp, Window window, std::uint64_t address, trace::Symbol& made) {
    const LaunchContext& run = *warp.run;
    if (window == Window::local) return local_neighbour(warp, address, made);
    if (window == Window::shared) return neighbour_in(run.shared_symbols, window::shared, address);
    if (window != Window::global && window != Window::constant) return {};
    const Allocation* nearest = (window == Window::global ? run.global : run.constant).nearest(address);
    if (nearest == nullptr) return {};
    return {&nearest->symbol, nearest->region.base, !nearest->live, nearest->device};
}

std::uint64_t cell_bytes(const TypeTable& types, const trace::Symbol& symbol) {
    const std::uint32_t bytes = types[symbol.element].size_bytes;
    return bytes == 0 ? 1 : bytes;
}

const TypeTable& types_of(const Warp& warp) {
    return warp.run->program.description.types;
}

// Whether the byte belongs to a value. The others, of padding and of empty classes, have nothing to write.
bool holds_value(const TypeTable& types, TypeId id, std::uint64_t offset, int depth = 0) {
    constexpr int most_depth = 16;
    const ValueType& type = types[id];
    if (depth == most_depth) return true;
    if (type.kind == ValueType::Kind::array && types[type.element].size_bytes != 0)
        return holds_value(types, type.element, offset % types[type.element].size_bytes, depth + 1);
    if (type.kind != ValueType::Kind::structure) return true;
    if (type.members.empty()) return type.size_bytes != 1;  // an empty class has one byte
    return std::any_of(type.members.begin(), type.members.end(), [&](const TypeMember& each) {
        return offset >= each.offset_bytes && offset < each.offset_bytes + types[each.type].size_bytes &&
               holds_value(types, each.type, offset - each.offset_bytes, depth + 1);
    });
}

// Whether all bytes of an access to a variable of the current frame are such: debug code copies them.
bool copies_no_value(const Warp& warp, const BadAccess& bad) {
    trace::Symbol made;
    const Neighbour near = local_neighbour(warp, bad.address, made);
    if (near.symbol == nullptr || bad.address + bad.width_bytes > near.start + made.size_bytes) return false;
    const TypeTable& types = types_of(warp);
    const std::uint64_t cell = cell_bytes(types, made);
    for (std::uint64_t at = 0; at < bad.width_bytes; ++at)
        if (holds_value(types, made.element, (bad.address - near.start + at) % cell)) return false;
    return true;
}

std::int64_t cells_from(std::uint64_t start, std::uint64_t address, std::uint64_t cell) {
    const auto distance = static_cast<std::int64_t>(address - start);
    const auto size = static_cast<std::int64_t>(cell);
    return distance >= 0 ? distance / size : -((-distance + size - 1) / size);
}

std::string elements_text(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// "s[4]", or for memory without a type, such as that of malloc, "byte 4 of malloc#0"; "s" if it is one value.
std::string cell_text(const TypeTable& types, const Neighbour& near, std::uint64_t address) {
    const std::string index = std::to_string(cell_index(types, near, address));
    const bool single = near.symbol->size_bytes == cell_bytes(types, *near.symbol);
    if (single && index == "0" && !near.untyped) return near.symbol->name;
    return near.untyped ? "byte " + index + " of " + near.symbol->name
                        : near.symbol->name + "[" + index + "]";
}

// The member at an offset in a value of the type: ".y", ".corner[1].x"; empty: the value as a whole.
std::string member_text(const TypeTable& types, TypeId id, std::uint64_t offset, int depth = 0) {
    constexpr int most_depth = 16;
    const ValueType& type = types[id];
    if (depth == most_depth) return {};
    if (type.kind == ValueType::Kind::array && types[type.element].size_bytes != 0) {
        const std::uint64_t size = types[type.element].size_bytes;
        return "[" + std::to_string(offset / size) + "]" +
               member_text(types, type.element, offset % size, depth + 1);
    }
    for (const TypeMember& each : type.members)
        if (offset >= each.offset_bytes && offset < each.offset_bytes + types[each.type].size_bytes)
            return "." + each.name + member_text(types, each.type, offset - each.offset_bytes, depth + 1);
    return {};
}

// As cell_text(), with the member; a structure alone has no index.
std::string value_text(const TypeTable& types, const Neighbour& near, std::uint64_t address) {
    const trace::Symbol& symbol = *near.symbol;
    const bool inside = address >= near.start && address - near.start < symbol.size_bytes;
    const std::uint64_t cell = cell_bytes(types, symbol);
    if (near.untyped || !inside || types[symbol.element].kind != ValueType::Kind::structure)
        return cell_text(types, near, address);
    const std::string member = member_text(types, symbol.element, (address - near.start) % cell);
    const bool alone = symbol.size_bytes <= cell && !symbol.buffer && !member.empty();
    return (alone ? symbol.name : cell_text(types, near, address)) + member;
}

// "writes s[64], just past the end of s (64 elements)"
std::string outside_text(const TypeTable& types, const BadAccess& bad, const Neighbour& near) {
    const trace::Symbol& symbol = *near.symbol;
    const std::uint64_t cell = cell_bytes(types, symbol), end = near.start + symbol.size_bytes;
    std::string text = std::string(verb(bad.access)) + " " + cell_text(types, near, bad.address);
    if (near.freed) return text + ", which was freed";
    const bool inside = bad.address >= near.start && bad.address + bad.width_bytes <= end;
    if (inside && window_of(bad.address) == Window::constant)
        return text + ", but kernels cannot write constant memory";
    const std::string size =
        " (" + (near.untyped ? bytes_text(symbol.size_bytes) : elements_text(symbol.size_bytes / cell)) + ")";
    if (symbol.size_bytes == 0 && window_of(bad.address) == Window::shared)
        return text + ", but the launch gives " + symbol.name +
               " no dynamic shared memory; the third number in <<<…>>>, or shared in [[launch]], gives it "
               "some";
    if (bad.address < near.start)
        return text + ", " + bytes_text(near.start - bad.address) + " before the start of " + symbol.name +
               size;
    const std::string end_of = " past the end of " + symbol.name + size;
    if (bad.address == end) return text + ", just" + end_of;
    if (bad.address < end)
        return text + ", which reaches " + bytes_text(bad.address + bad.width_bytes - end) + end_of;
    return text + ", " + bytes_text(bad.address - end) + end_of;
}

// Returns which thread owns this local memory, as the thread's number in its block.
std::uint64_t owner_of(std::uint64_t address) {
    constexpr std::uint64_t block_threads = 1024;
    return ((address - window::local) / window::local_bytes - 1) % block_threads;
}

// "reads table[-5]: the index 4294967291 does not fit into an int"; empty: no index that wrapped leads there.
std::string overflow_text(const TypeTable& types, const BadAccess& bad, const Neighbour& near) {
    const std::int64_t index = cell_index(types, near, bad.address), meant = index + (std::int64_t{1} << 32);
    const auto count = static_cast<std::int64_t>(near.symbol->size_bytes / cell_bytes(types, *near.symbol));
    if (index >= 0 || near.untyped || near.freed || meant >= count) return {};
    return std::string(verb(bad.access)) + " " + cell_text(types, near, bad.address) + ": the index " +
           std::to_string(meant) + " does not fit into an int";
}

std::string stray_text(const BadAccess& bad, Window window, const Neighbour& near) {
    const std::string what = verb(bad.access);
    const bool has_start = bad.window != Window::none && window != Window::local;
    if (bad.address < 4096 || (has_start && bad.address - window_start(bad.window) < 64))
        return what + " through a null pointer (address " + hex(bad.address & 0xffffffff) + ")";
    if (window == Window::local && bad.address >= window::local + window::local_bytes)
        return what + " local memory of thread " + std::to_string(owner_of(bad.address)) +
               " through a pointer; only that thread can reach it";
    if (window == Window::local) return what + " local memory outside of its stack";
    if (bad.host)
        return what + " memory of the host (address " + hex(bad.address) +
               "); a kernel needs a pointer to memory of the device, as cudaMalloc() gives it";
    return what + " address " + hex(bad.address) + ", where there is no variable" +
           (near.symbol != nullptr ? "; the nearest is " + near.symbol->name : "");
}

}  // namespace

std::int64_t cell_index(const TypeTable& types, const Neighbour& near, std::uint64_t address) {
    return cells_from(near.start, address, cell_bytes(types, *near.symbol));
}

std::string access_text(const TypeTable& types, const BadAccess& bad, Window window, const Neighbour& near) {
    constexpr std::uint64_t far_bytes = 1 << 24;
    const bool close = near.symbol != nullptr && bad.address + far_bytes >= near.start &&
                       bad.address < near.start + near.symbol->size_bytes + far_bytes;
    switch (bad.kind) {
        case trace::ProblemKind::misaligned:
            return std::string(verb(bad.access)) + " " + bytes_text(bad.width_bytes) +
                   (near.symbol != nullptr ? " in " + cell_text(types, near, bad.address) : "") +
                   " at address " + hex(bad.address) + ", which is not a multiple of " +
                   std::to_string(bad.width_bytes);
        case trace::ProblemKind::uninitialised:
            if (near.symbol == nullptr)
                return std::string(verb(bad.access)) + " local memory that was never written";
            return std::string(verb(bad.access)) + " " + value_text(types, near, bad.address) +
                   ", which was never written";
        default:
            if (near.symbol == nullptr || (!close && bad.object == 0)) return stray_text(bad, window, near);
            if (const std::string overflow = overflow_text(types, bad, near); !overflow.empty())
                return overflow;
            return outside_text(types, bad, near);
    }
}

std::string place_name(const Warp& warp, std::uint64_t address) {
    trace::Symbol local;
    const Neighbour near = neighbour(warp, window_of(address), address, local);
    if (near.symbol == nullptr || address < near.start || address >= near.start + near.symbol->size_bytes)
        return "address " + hex(address);
    if (near.symbol->size_bytes <= cell_bytes(types_of(warp), *near.symbol)) return near.symbol->name;
    return near.symbol->name + "[" + std::to_string(cell_index(types_of(warp), near, address)) + "]";
}

trace::ProblemSite site_of(const Warp& warp, std::uint32_t pc, unsigned lane) {
    trace::ProblemSite site;
    const LaunchContext& run = *warp.run;
    if (run.recorder != nullptr && warp.block->recorded && run.recorder->turn_count() > 0)
        site.turn = run.recorder->turn_count() - 1;
    site.launch = run.launch;
    site.line = line_of(warp, pc);
    site.block = warp.block->index;
    site.thread = warp.first_thread() + lane;
    site.pc = pc;
    return site;
}

namespace {

bool ends_kernel_on_hardware(trace::ProblemKind kind) {
    return kind == trace::ProblemKind::out_of_bounds || kind == trace::ProblemKind::misaligned ||
           kind == trace::ProblemKind::trap || kind == trace::ProblemKind::unsupported;
}

}  // namespace

namespace {

// Code of headers copies structures with their padding and unused members. Functions without any source
// position come from headers too, when there is a source at all.
bool in_library(const LaunchContext& run, std::uint32_t pc) {
    const trace::Program& description = run.program.description;
    return run.program.library[pc] || (!description.source.text.empty() &&
                                       !description.functions[run.program.function_of(pc)].user_code);
}

}  // namespace

namespace {

// The window of an address, or the one right behind it: a negative index of its first variable leads out of
// it.
Window meant_window(const BadAccess& bad) {
    constexpr std::uint64_t near_bytes = 1 << 20;
    if (bad.window != Window::none) return bad.window;
    for (const Window window : {Window::shared, Window::global})
        if (bad.address < window_start(window) && bad.address + near_bytes >= window_start(window))
            return window;
    return window_of(bad.address);
}

// The variable that an unsigned index below 0 leads away from: it is 2^32 elements too large.
Neighbour wrapped_neighbour(const Warp& warp, const BadAccess& bad, trace::Symbol& local) {
    constexpr std::uint64_t near_bytes = 1 << 20;
    for (const std::uint64_t cell : {4ull, 8ull, 1ull, 2ull, 16ull}) {
        if (bad.address < cell << 32) continue;
        BadAccess meant = bad;
        meant.address -= cell << 32;
        const Neighbour near = neighbour(warp, meant_window(meant), meant.address, local);
        if (near.symbol != nullptr && !near.freed && cell_bytes(types_of(warp), *near.symbol) == cell &&
            meant.address < near.start && meant.address + near_bytes >= near.start)
            return near;
    }
    return {};
}

// The variable in global memory whose address was added to others: the operand of the latest instruction that
// made the address is still in its register.
Neighbour pointed_at(const Warp& warp, const Decoded& decoded, unsigned lane, const BadAccess& bad) {
    const LaunchContext& run = *warp.run;
    const DecodedFunction& function = run.program.functions[warp.frame->function];
    const auto value_of = [&](Ref ref) -> std::uint64_t {
        constexpr std::uint32_t row_bytes = warp_size * sizeof(std::uint64_t);
        if (ref == no_ref || ref_base(ref) != static_cast<std::uint32_t>(Base::frame) ||
            ref_offset(ref) + row_bytes > function.frame_bytes)
            return 0;
        return warp.row<std::uint64_t>(ref)[lane];
    };
    if (decoded.narrow_address ||
        value_of(decoded.a) + static_cast<std::uint64_t>(decoded.imm) != bad.address)
        return {};
    if (const Allocation* found = run.global.find(value_of(decoded.a)); found != nullptr)
        return {&found->symbol, found->region.base, !found->live, found->device};
    Ref made = decoded.a;
    for (std::uint32_t pc = run.pc_of(decoded); pc > function.first_pc;) {
        const Decoded& earlier = run.program.code[--pc];
        if (earlier.dst != made) continue;
        for (const Ref operand : {earlier.a, earlier.b, earlier.c})
            if (const Allocation* found = run.global.find(value_of(operand)); found != nullptr)
                return {&found->symbol, found->region.base, !found->live, found->device};
        if (value_of(earlier.a) != value_of(made)) return {};
        made = earlier.a;  // a move
    }
    return {};
}

// "reads in[4294967295]: the index is -1 as an unsigned number"
std::string wrapped_text(const TypeTable& types, const BadAccess& bad, const Neighbour& near) {
    const std::uint64_t meant = bad.address - (cell_bytes(types, *near.symbol) << 32);
    return std::string(verb(bad.access)) + " " + cell_text(types, near, bad.address) + ": the index is " +
           std::to_string(cell_index(types, near, meant)) + " as an unsigned number";
}

}  // namespace

void report_access(Warp& warp, const Decoded& decoded, unsigned lane, const BadAccess& found) {
    LaunchContext& run = *warp.run;
    BadAccess bad = found;
    const Block* owner = warp.block;
    if (is_mapped(found.address)) {
        const SharedPlace place = shared_place(warp, found.address);
        bad.address = place.address;
        owner = place.block;
    }
    // Far from a thread's own memory, addresses are not mapped to it.
    const bool far_off = bad.address - window::local + window::local_bytes / 2 >= 3 * window::local_bytes / 2;
    if (bad.window == Window::none && window_of(bad.object) == Window::local && far_off)
        bad.address -= warp.local_start + lane * window::local_bytes - window::local;
    if (ends_kernel_on_hardware(bad.kind) && !bad.lands) run.fatal = true;
    const std::uint32_t pc = run.pc_of(decoded);
    // An index may lead out of the window of its variable.
    const Window window = bad.object != 0 ? window_of(bad.object) : meant_window(bad);
    if (bad.kind == trace::ProblemKind::uninitialised && window == Window::local &&
        (in_library(run, pc) || copies_no_value(warp, bad)))
        return;
    trace::Problem* problem = run.problems.note(bad.kind, pc);
    if (problem == nullptr) return;
    trace::Symbol local;
    const bool outside = bad.kind == trace::ProblemKind::out_of_bounds;
    const bool in_global = window == Window::global || (window == Window::none && bad.window == Window::none);
    Neighbour pointed =
        outside && in_global && bad.object == 0 ? pointed_at(warp, decoded, lane, bad) : Neighbour{};
    const Neighbour wrapped =
        bad.kind == trace::ProblemKind::out_of_bounds ? wrapped_neighbour(warp, bad, local) : Neighbour{};
    if (pointed.symbol != nullptr) bad.object = pointed.start;
    bad.host = outside && pointed.symbol == nullptr && in_global && run.global.host_has(bad.address);
    const Neighbour near = wrapped.symbol != nullptr   ? wrapped
                           : pointed.symbol != nullptr ? pointed
                           : bad.host
                               ? Neighbour{}
                               : neighbour(warp, window, bad.object != 0 ? bad.object : bad.address, local);
    problem->space = space_of(window);
    if (near.symbol != nullptr) {
        problem->variable = near.symbol->name;
        problem->index = cell_index(types_of(warp), near, bad.address);
    }
    problem->first = site_of(warp, pc, lane);
    problem->first.access = bad.access;
    problem->first.has_access = true;
    problem->message = line_prefix(problem->first.line) + who(warp, lane_bit(lane)) + " " +
                       (wrapped.symbol != nullptr ? wrapped_text(types_of(warp), bad, near)
                                                  : access_text(types_of(warp), bad, window, near));
    if (bad.lands)
        if (const std::string hit = place_name(warp, bad.address); !hit.starts_with("address"))
            problem->message += ", in " + hit;
    if (owner != warp.block && owner != nullptr)
        problem->message += ", in the shared memory of block " + std::to_string(owner->index);
}

void report(Warp& warp, trace::ProblemKind kind, std::uint32_t pc, Mask lanes, std::string message,
            const trace::ProblemSite* second, bool remark) {
    LaunchContext& run = *warp.run;
    if (ends_kernel_on_hardware(kind)) run.fatal = true;
    trace::Problem* problem = run.problems.note(kind, pc, remark);
    if (problem == nullptr) return;
    problem->note = remark;
    problem->first = site_of(warp, pc, first_lane(lanes));
    problem->message = line_prefix(problem->first.line) + who(warp, lanes) + " " + message;
    if (second != nullptr) problem->second = *second;
}

namespace {

const char* harm_text(UninitUse::Harm harm) {
    switch (harm) {
        case UninitUse::Harm::store:
            return "stores ";
        case UninitUse::Harm::address:
            return "takes an address from ";
        case UninitUse::Harm::atomic:
            return "updates memory with ";
        case UninitUse::Harm::branch:
            return "branches on ";
        case UninitUse::Harm::access:
            return "decides whether to access memory by ";
        case UninitUse::Harm::barrier:
            return "chooses a barrier or its threads by ";
        case UninitUse::Harm::reduction:
            return "gives a barrier's reduction ";
        case UninitUse::Harm::call:
            return "calls the function at ";
        case UninitUse::Harm::argument:
            return "passes to the runtime ";
    }
    return "uses ";
}

}  // namespace

void report_uninit(Warp& warp, std::uint32_t pc, Mask lanes, const UninitUse::Check& check) {
    LaunchContext& run = *warp.run;
    if (check.harm == UninitUse::Harm::store && in_library(run, pc)) return;
    for_each_lane(lanes, [&](unsigned lane) {
        trace::Problem* problem = run.problems.note(trace::ProblemKind::uninitialised, pc);
        if (problem == nullptr) return;
        if (check.name != UninitUse::nothing) problem->variable = run.program.uninit.names[check.name];
        problem->first = site_of(warp, pc, lane);
        const std::string what = problem->variable.empty() ? "a value that"
                                 : check.own_name          ? problem->variable + ", which"
                                                           : "a value of " + problem->variable + ", which";
        problem->message = line_prefix(problem->first.line) + who(warp, lane_bit(lane)) + " " +
                           harm_text(check.harm) + what + " was never set";
    });
}

void report_launch(LaunchContext& run, trace::ProblemKind kind, std::string message) {
    trace::Problem* problem = run.problems.note(kind, trace::none);
    if (problem == nullptr) return;
    problem->first.launch = run.launch;
    problem->message = std::move(message);
}

}  // namespace lanescope::simt
