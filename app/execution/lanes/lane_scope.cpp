#include "execution/lanes/lane_scope.h"

#include <algorithm>
#include <memory>

#include "simt/memory/memory.h"

namespace lanescope::execution {

namespace {

using trace::Space;
using trace::Variable;

constexpr std::uint64_t largest_object = 1 << 20;

const trace::Variable* variable_of(const trace::Function& function, const std::string& name,
                                   std::uint32_t pc) {
    const trace::Variable* found = nullptr;
    for (const trace::Variable& variable : function.variables) {
        if (variable.name != name) continue;
        // An inner scope's variable hides an outer one of the same name.
        if (pc >= variable.scope_begin_pc && pc < variable.scope_end_pc) found = &variable;
        if (!found) found = &variable;
    }
    return found;
}

std::uint32_t part_of(const trace::Dim3& size, char part) {
    return part == 'x' ? size.x : part == 'y' ? size.y : size.z;
}

trace::Dim3 place_in(const trace::Dim3& size, std::uint64_t number) {
    const std::uint64_t x = std::max(size.x, 1u), y = std::max(size.y, 1u);
    return {static_cast<std::uint32_t>(number % x), static_cast<std::uint32_t>(number / x % y),
            static_cast<std::uint32_t>(number / x / y)};
}

bool overlaps(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

}  // namespace

// Looks first in the function of the lane's pc, then in the user's functions from the innermost, then in the
// kernel.
const trace::Variable* LaneScope::find_variable(const std::string& name, std::uint32_t& depth) const {
    const trace::Program& program = trace_.program;
    const std::vector<std::uint32_t> frames = replay_.frames(place_.launch, place_.block, place_.thread());
    const std::uint32_t here =
        place_.pc < program.code_rows.size() ? program.code_rows[place_.pc].function : trace::none;
    const auto look = [&](std::size_t at) -> const trace::Variable* {
        if (frames[at] >= program.functions.size()) return nullptr;
        depth = static_cast<std::uint32_t>(at);
        return variable_of(program.functions[frames[at]], name, place_.pc);
    };
    for (std::size_t at = frames.size(); at-- > 0;)
        if (frames[at] == here) {
            if (const trace::Variable* found = look(at)) return found;
            break;
        }
    for (std::size_t at = frames.size(); at-- > 0;) {
        const bool users = frames[at] < program.functions.size() && program.functions[frames[at]].user_code;
        if (!users && at != 0) continue;
        if (const trace::Variable* found = look(at)) return found;
    }
    return nullptr;
}

std::optional<Number> LaneScope::thread_number(const std::string& name) const {
    if (name == "lane") return whole_number(Number::Kind::i32, place_.lane);
    if (name == "warp") return whole_number(Number::Kind::i32, place_.warp);
    if (name == "warpSize") return whole_number(Number::Kind::i32, trace::warp_size);
    if (!is_thread_name(name)) return std::nullopt;
    const trace::Launch& launch = trace_.launches[place_.launch];
    const char part = name.back();
    trace::Dim3 triple = name.starts_with("gridDim") ? launch.grid : launch.block;
    if (name.starts_with("threadIdx")) triple = place_in(launch.block, place_.thread());
    if (name.starts_with("blockIdx")) triple = place_in(launch.grid, place_.block);
    return whole_number(Number::Kind::u32, part_of(triple, part));
}

const trace::Symbol* LaneScope::find_symbol(const std::string& name) const {
    const auto named = [&](const trace::Symbol& symbol) { return symbol.name == name; };
    const std::vector<trace::Symbol>& shared = trace_.launches[place_.launch].shared;
    if (const auto at = std::find_if(shared.begin(), shared.end(), named); at != shared.end()) return &*at;
    const auto at = std::find_if(trace_.symbols.begin(), trace_.symbols.end(), named);
    return at == trace_.symbols.end() ? nullptr : &*at;
}

LaneObject LaneScope::object_of(const trace::Symbol& symbol) const {
    LaneObject object;
    object.type = symbol.element;
    object.extents = symbol.extents;
    object.in_memory = true;
    object.space = symbol.space;
    object.instance = symbol.space == Space::shared ? place_.block : 0;
    object.offset = symbol.offset;
    return object;
}

LaneOutcome LaneScope::find(const std::string& name, int column) const {
    std::uint32_t depth = 0;
    const trace::Variable* variable = find_variable(name, depth);
    const trace::Symbol* symbol = find_symbol(name);
    // An array's symbol has its size, even where the declaration leaves it open.
    if (symbol && (!variable || variable->home == Variable::Home::shared)) return object_of(*symbol);
    if (!variable) {
        if (const std::optional<Number> number = thread_number(name)) return *number;
        return LaneFailure{LaneFailure::Kind::hidden, "'" + name + "' is not visible in this lane", column};
    }
    LaneObject object;
    object.type = variable->type;
    const bool shared = variable->home == Variable::Home::shared;
    if (shared || variable->home == Variable::Home::global ||
        variable->home == Variable::Home::constant_space) {
        object.in_memory = true;
        object.space = shared                                     ? Space::shared
                       : variable->home == Variable::Home::global ? Space::global
                                                                  : Space::constant;
        object.instance = shared ? place_.block : 0;
        object.offset = variable->offset;
        return object;
    }
    object.bytes = replay_.variable(place_.launch, place_.block, place_.thread(), depth, *variable);
    if (variable->home == Variable::Home::slot) note_slot(depth, variable->slot);
    if (object.bytes.empty())
        return LaneFailure{LaneFailure::Kind::unset, "'" + name + "' has no value yet", column};
    return object;
}

std::optional<std::vector<std::byte>> LaneScope::read(const LaneObject& object,
                                                      std::uint64_t size_bytes) const {
    if (size_bytes == 0 || size_bytes > largest_object) return std::nullopt;
    if (!object.in_memory) {
        if (object.bytes.size() < size_bytes) return std::nullopt;
        return std::vector<std::byte>(object.bytes.begin(),
                                      object.bytes.begin() + static_cast<std::ptrdiff_t>(size_bytes));
    }
    std::vector<std::byte> bytes(size_bytes);
    const std::unique_ptr<bool[]> set(new bool[bytes.size()]());
    replay_.read(object.space, place_.launch, object.instance, object.offset, bytes,
                 {set.get(), bytes.size()});
    note_memory(object.space, object.offset, size_bytes);
    if (!std::all_of(set.get(), set.get() + size_bytes, [](bool each) { return each; })) return std::nullopt;
    return bytes;
}

std::optional<LaneObject> LaneScope::at_address(std::uint64_t address, TypeId type) const {
    LaneObject object;
    object.type = type;
    object.in_memory = true;
    const simt::Window window = simt::window_of(address);
    switch (window) {
        case simt::Window::shared:
            object.space = Space::shared;
            object.instance = place_.block;
            break;
        case simt::Window::local:
            object.space = Space::local;
            object.instance = place_.block * trace_.launches[place_.launch].block.count() + place_.thread();
            break;
        case simt::Window::constant:
            object.space = Space::constant;
            break;
        case simt::Window::global:
            object.space = Space::global;
            break;
        case simt::Window::none:
        case simt::Window::parameter:
        case simt::Window::function:
            return std::nullopt;
    }
    object.offset = address - simt::window_start(window);
    if (window == simt::Window::local && object.offset >= simt::window::local_bytes) {
        object.offset = address - simt::window::local_of(place_.block, place_.thread());
        if (object.offset >= simt::window::local_bytes) return std::nullopt;  // another thread's
    }
    return object;
}

void LaneScope::note_slot(std::uint32_t depth, std::uint32_t slot) const {
    if (!step_) return;
    for (const trace::TurnDetail& turn : *step_) {
        if (trace_.turns[turn.turn].warp != place_.warp) continue;
        for (const trace::VariableChange& change : turn.changes)
            if (change.slot == slot && change.depth == depth && (change.mask >> place_.lane & 1) != 0)
                changed_ = true;
    }
}

void LaneScope::note_memory(Space space, std::uint64_t offset, std::uint64_t size) const {
    if (!step_ || changed_) return;
    for (const trace::TurnDetail& turn : *step_)
        for (const trace::Access& access : turn.accesses) {
            const bool other = access.space != space || access.owner != trace::none;
            if (other || access.kind == trace::AccessKind::load) continue;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                if ((access.mask >> lane & 1) != 0 &&
                    overlaps(access.offset[lane], access.width_bytes, offset, size))
                    changed_ = true;
        }
}

// --- Outcomes as text --------------------------------------------------------------------------------------

LaneOutcome loaded(LaneOutcome outcome, const LaneScope& scope, int column) {
    const LaneObject* object = std::get_if<LaneObject>(&outcome);
    if (!object || !object->extents.empty()) return outcome;
    const ValueType& type = scope.types()[object->type];
    const std::optional<Number::Kind> kind = number_kind(type);
    if (!kind) return outcome;
    const auto bytes = scope.read(*object, type.size_bytes);
    if (!bytes) return LaneFailure{LaneFailure::Kind::unset, "no value was written there yet", column};
    const double number = numeric_value(scope.types(), object->type, *bytes);
    if (*kind >= Number::Kind::f32) return real_number(*kind, number);
    std::uint64_t bits = 0;  // a double does not hold every 64-bit number
    for (std::size_t i = bytes->size(); i-- > 0;)
        bits = bits << 8 | std::to_integer<std::uint64_t>((*bytes)[i]);
    const bool negative = type.scalar == Scalar::signed_int || type.scalar == Scalar::character;
    if (negative && bytes->size() < 8 && (bits >> (8 * bytes->size() - 1) & 1) != 0)
        bits |= ~std::uint64_t{0} << (8 * bytes->size());
    return whole_number(*kind, bits);
}

LaneText text_of(const LaneOutcome& outcome, const LaneScope& scope) {
    LaneText text;
    if (const LaneFailure* failure = std::get_if<LaneFailure>(&outcome)) {
        if (failure->kind == LaneFailure::Kind::wrong) text.failure = failure->message;
        return text;
    }
    if (const Number* number = std::get_if<Number>(&outcome)) {
        text.set = true;
        text.text = number->text();
        text.number = number->as_real();
        return text;
    }
    const LaneObject& object = std::get<LaneObject>(outcome);
    if (!object.extents.empty()) {
        text.failure = "an array: choose an element with [ ]";
        return text;
    }
    const auto bytes = scope.read(object, scope.types()[object.type].size_bytes);
    if (!bytes) return text;
    text.set = true;
    text.text = format_value(scope.types(), object.type, *bytes);
    text.number = numeric_value(scope.types(), object.type, *bytes);
    return text;
}

bool is_true(const LaneOutcome& outcome, const LaneScope& scope) {
    const LaneOutcome value = loaded(outcome, scope, 0);
    if (const Number* number = std::get_if<Number>(&value)) return number->truth();
    const LaneObject* object = std::get_if<LaneObject>(&value);  // a pointer that is not null
    if (!object || !object->extents.empty()) return false;
    const ValueType& type = scope.types()[object->type];
    if (type.kind != ValueType::Kind::pointer) return false;
    const auto bytes = scope.read(*object, type.size_bytes);
    return bytes && std::any_of(bytes->begin(), bytes->end(), [](std::byte b) { return b != std::byte{0}; });
}

}  // namespace lanescope::execution
