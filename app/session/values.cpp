// Named values of the current step: variables of the lanes, array elements by a lane's index, sentences about
// warps.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "session/source_lines.h"
#include "session/state.h"

namespace lanescope::session {

namespace {

using trace::LaneStatus;

std::uint32_t thread_of(std::uint32_t warp, std::uint32_t lane) {
    return warp * trace::warp_size + lane;
}

// The function of the pinned thread's innermost frame with user code; the first user function when it has
// none yet.
const trace::Function* function_of(const Session::State& s, std::uint32_t thread, std::uint32_t& depth) {
    const trace::Program& program = s.run->trace->program;
    const std::vector<std::uint32_t> frames =
        s.replay->frames(s.moment->step.launch, s.moment->step.block, thread);
    for (std::size_t i = frames.size(); i-- > 0;) {
        if (frames[i] >= program.functions.size() || !program.functions[frames[i]].user_code) continue;
        depth = static_cast<std::uint32_t>(i);
        return &program.functions[frames[i]];
    }
    return nullptr;
}

// The kernel's function of the current launch: its first turn begins in it.
const trace::Function* kernel_of(const Session::State& s) {
    const trace::Trace& trace = *s.run->trace;
    const trace::Launch& launch = *s.moment->launch;
    if (launch.first_turn >= launch.end_turn) return nullptr;
    const std::uint32_t pc = trace.turns[launch.first_turn].pc;
    if (pc >= trace.program.code_rows.size()) return nullptr;
    return &trace.program.functions[trace.program.code_rows[pc].function];
}

const trace::Variable* find_variable(const trace::Function& function, const std::string& name,
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

bool is_integer(const TypeTable& types, TypeId type) {
    const Scalar scalar = types[type].scalar;
    return types[type].kind == ValueType::Kind::scalar &&
           (scalar == Scalar::signed_int || scalar == Scalar::unsigned_int);
}

const trace::Symbol* find_array(const Session::State& s, const std::string& name) {
    for (const trace::Symbol& symbol : s.moment->launch->shared)
        if (symbol.name == name) return &symbol;
    for (const trace::Symbol& symbol : s.run->trace->symbols)
        if (symbol.name == name) return &symbol;
    return nullptr;
}

bool touched(const Session::State& s, trace::Space space, std::uint64_t offset, std::uint64_t size) {
    for (const trace::TurnDetail& turn : s.moment->details)
        for (const trace::Access& access : turn.accesses) {
            if (access.space != space || access.kind == trace::AccessKind::load) continue;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                if ((access.mask >> lane & 1) && access.offset[lane] < offset + size &&
                    offset < access.offset[lane] + access.width_bytes)
                    return true;
        }
    return false;
}

bool changed_slot(const Session::State& s, std::uint32_t slot, std::uint32_t warp, std::uint32_t lane) {
    for (const trace::TurnDetail& turn : s.moment->details) {
        if (s.run->trace->turns[turn.turn].warp != warp) continue;
        for (const trace::VariableChange& change : turn.changes)
            if (change.slot == slot && (change.mask >> lane & 1)) return true;
    }
    return false;
}

std::string lanes_word(int count) {
    return count == 1 ? "1 lane" : std::to_string(count) + " lanes";
}

}  // namespace

namespace {

// "t" of "unsigned t = threadIdx.x;"; empty when no such line is there.
std::string thread_index_name(std::string_view source) {
    constexpr std::string_view value = "threadIdx.x;";
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = source.find(value); at != std::string_view::npos; at = source.find(value, at + 1)) {
        std::size_t end = at;
        const auto skip_blanks = [&] {
            while (end > 0 && source[end - 1] == ' ')
                --end;
        };
        skip_blanks();
        if (end == 0 || source[end - 1] != '=') continue;
        --end;
        skip_blanks();
        std::size_t first = end;
        while (first > 0 && is_word(source[first - 1]))
            --first;
        if (first < end) return std::string(source.substr(first, end - first));
    }
    return {};
}

}  // namespace

std::string Session::State::default_label() const {
    // A shared array is best read by the thread that owns the cell.
    const std::string index_name = thread_index_name(run->source);
    for (const trace::Launch& launch : run->trace->launches)
        for (const trace::Symbol& symbol : launch.shared)
            if (!index_name.empty() && symbol.extents.size() == 1)
                return symbol.name + "[" + index_name + "]";
    const trace::Function* kernel = moment ? kernel_of(*this) : nullptr;
    if (!kernel) return {};
    // What a thread computes says more than which thread it is.
    const SourceLines lines(run->source);
    std::string fallback = index_name;
    for (const trace::Variable& variable : kernel->variables) {
        if (variable.parameter) continue;
        if (fallback.empty()) fallback = variable.name;
        const std::string_view declaration = lines[static_cast<std::uint32_t>(std::max(0, variable.line))];
        if (declaration.find("threadIdx") == std::string_view::npos) return variable.name;
    }
    return fallback;
}

std::vector<NamedVariable> Session::variables() const {
    std::vector<NamedVariable> found;
    const State& s = *state_;
    if (!s.moment) return found;
    std::uint32_t depth = 0;
    const trace::Function* inner = function_of(s, thread_of(s.selection.warp, s.selection.lane), depth);
    const trace::Function* kernel = kernel_of(s);
    const TypeTable& types = s.run->trace->program.types;
    std::vector<std::string> indices;
    auto add = [&](const trace::Function* function) {
        for (const trace::Variable& variable : function->variables) {
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const auto& v) { return v.name == variable.name; });
            if (known) continue;
            const bool shared = variable.home == trace::Variable::Home::shared;
            if (shared && types[variable.type].kind == ValueType::Kind::array) continue;
            found.push_back({variable.name, types[variable.type].name, !shared});
            if (!variable.parameter && is_integer(types, variable.type)) indices.push_back(variable.name);
        }
    };
    if (kernel) add(kernel);
    if (inner && inner != kernel) add(inner);
    for (const trace::Symbol& symbol : s.moment->launch->shared)
        for (const std::string& name : indices)
            if (symbol.extents.size() == 1)
                found.push_back({symbol.name + "[" + name + "]", types[symbol.element].name, true});
    return found;
}

namespace {

LaneValue value_of_variable(const Session::State& s, const std::string& name, std::uint32_t warp,
                            std::uint32_t lane, std::int64_t* as_index = nullptr) {
    LaneValue value;
    const trace::Trace& trace = *s.run->trace;
    const trace::Step& step = s.moment->step;
    std::uint32_t depth = 0;
    const std::uint32_t thread = thread_of(warp, lane);
    const trace::Function* function = function_of(s, thread, depth);
    if (!function) return value;
    const std::uint32_t pc = s.moment->warps[warp][lane].pc;
    const trace::Variable* variable = find_variable(*function, name, pc);
    if (!variable && depth > 0) {
        // The kernel's own variables stay known while a lane is inside a function that it called.
        const std::vector<std::uint32_t> frames = s.replay->frames(step.launch, step.block, thread);
        variable = find_variable(trace.program.functions[frames[0]], name, pc);
        depth = 0;
    }
    if (!variable) return value;
    value.visible = true;
    const std::vector<std::byte> bytes =
        s.replay->variable(step.launch, step.block, thread, depth, *variable);
    if (bytes.empty()) return value;
    value.set = true;
    value.text = format_value(trace.program.types, variable->type, bytes);
    value.number = numeric_value(trace.program.types, variable->type, bytes);
    if (variable->home == trace::Variable::Home::slot)
        value.changed = changed_slot(s, variable->slot, warp, lane);
    if (as_index && is_integer(trace.program.types, variable->type))
        *as_index = static_cast<std::int64_t>(value.number);
    return value;
}

}  // namespace

LaneValue Session::value(const std::string& name, std::uint32_t warp, std::uint32_t lane) const {
    const State& s = *state_;
    if (!s.moment || warp >= s.moment->warps.size() || lane >= trace::warp_size || name.empty()) return {};
    if (s.moment->warps[warp][lane].status == LaneStatus::absent) return {};
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos || name.back() != ']') return value_of_variable(s, name, warp, lane);

    const trace::Symbol* array = find_array(s, name.substr(0, bracket));
    std::int64_t cell = -1;
    const LaneValue index =
        value_of_variable(s, name.substr(bracket + 1, name.size() - bracket - 2), warp, lane, &cell);
    LaneValue value;
    value.visible = array && index.visible;
    if (!array || !index.set) return value;
    const trace::Trace& trace = *s.run->trace;
    const std::uint64_t size = trace.program.types[array->element].size_bytes;
    if (size == 0 || cell < 0 || static_cast<std::uint64_t>(cell) >= array->size_bytes / size) return value;
    std::vector<std::byte> bytes(size);
    const std::unique_ptr<bool[]> set(new bool[size]());
    const std::uint64_t offset = array->offset + static_cast<std::uint64_t>(cell) * size;
    const std::uint64_t instance = array->space == trace::Space::shared ? s.moment->step.block : 0;
    s.replay->read(array->space, s.moment->step.launch, instance, offset, bytes, {set.get(), size});
    if (!std::all_of(set.get(), set.get() + size, [](bool b) { return b; })) return value;
    value.set = true;
    value.text = format_value(trace.program.types, array->element, bytes);
    value.number = numeric_value(trace.program.types, array->element, bytes);
    value.changed = touched(s, array->space, offset, size);
    return value;
}

std::string Session::explain_warp(std::uint32_t warp) const {
    const State& s = *state_;
    if (!s.moment || warp >= s.moment->warps.size()) return {};
    struct Group {
        int lanes = 0;
        std::uint32_t split_line = 0;
    };
    std::map<std::pair<LaneStatus, std::uint32_t>, Group> groups;
    int present = 0;
    for (const trace::LaneInfo& lane : s.moment->warps[warp]) {
        if (lane.status == LaneStatus::absent) continue;
        ++present;
        const bool placed = lane.status == LaneStatus::diverged || lane.status == LaneStatus::at_barrier ||
                            lane.status == LaneStatus::at_warp_sync || lane.status == LaneStatus::ready;
        Group& group = groups[{lane.status, placed ? lane.line : 0}];
        ++group.lanes;
        group.split_line = lane.split_line;
    }
    std::string text;
    for (const auto& [key, group] : groups) {
        const auto [status, line] = key;
        const std::string who = group.lanes == present ? "all lanes" : lanes_word(group.lanes);
        const bool one = group.lanes == 1 && present != 1;
        std::string sentence;
        switch (status) {
            case LaneStatus::diverged:
                sentence = who + (one ? " waits" : " wait") + " for line " + std::to_string(line);
                if (group.split_line)
                    sentence +=
                        ": the branch on line " + std::to_string(group.split_line) + " split this warp";
                break;
            case LaneStatus::at_barrier:
                sentence =
                    who + (one ? " waits" : " wait") + " at the barrier on line " + std::to_string(line);
                break;
            case LaneStatus::at_warp_sync:
                sentence =
                    who + (one ? " waits" : " wait") + " for other lanes on line " + std::to_string(line);
                break;
            case LaneStatus::finished:
                sentence = who + (one ? " has finished" : " have finished");
                break;
            case LaneStatus::unstarted:
                sentence = who + (one ? " has not started" : " have not started");
                break;
            case LaneStatus::faulted:
                sentence = who + " stopped by a problem";
                break;
            case LaneStatus::ready:
                if (line) sentence = who + (one ? " goes" : " go") + " on at line " + std::to_string(line);
                break;
            case LaneStatus::active:
            case LaneStatus::absent:
                break;
        }
        if (!sentence.empty()) text += (text.empty() ? "" : " · ") + sentence;
    }
    return text;
}

}  // namespace lanescope::session
