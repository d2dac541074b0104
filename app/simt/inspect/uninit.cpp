#include "simt/inspect/uninit.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ptx/register_use.h"
#include "simt/inspect/builtin.h"
#include "simt/inspect/uninit_summary.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using Harm = UninitUse::Harm;
using Rule = UninitUse::Rule;

namespace {

namespace op_flag = ptx::op_flag;

Rule rule_of(const Instruction& instruction) {
    switch (instruction.op) {
        case Op::and_:
            return Rule::conjunction;
        case Op::or_:
            return Rule::disjunction;
        case Op::selp:
            return Rule::selection;
        case Op::setp:
            return instruction.operands.size() == 4 ? Rule::comparison : Rule::combine;
        case Op::shfl:
            return Rule::shuffle;
        case Op::vote:
            return Rule::vote;
        case Op::call:
            return Rule::call;
        case Op::ret:
            return Rule::ret;
        default:
            return (ptx::info(instruction.op).flags & op_flag::warp_sync) ? Rule::collective : Rule::combine;
    }
}

// Returns the problem if a source other than an address is unset; nothing if the value only flows on.
std::optional<Harm> harm_of(const Instruction& instruction) {
    const unsigned flags = ptx::info(instruction.op).flags;
    if (flags & op_flag::atomic) return Harm::atomic;
    if (flags & (op_flag::store | op_flag::load)) return Harm::store;
    if (flags & op_flag::branch) return Harm::branch;
    if ((flags & op_flag::barrier) || instruction.op == Op::bar_warp_sync) return Harm::barrier;
    return std::nullopt;
}

std::optional<Harm> guard_harm(const Instruction& instruction) {
    const unsigned flags = ptx::info(instruction.op).flags;
    if (flags & (op_flag::store | op_flag::load)) return Harm::access;
    if (flags & (op_flag::branch | op_flag::ends | op_flag::barrier | op_flag::call | op_flag::warp_sync))
        return Harm::branch;
    return std::nullopt;
}

// A use that must examine a place.
struct Source {
    PlaceId place = no_place;
    std::optional<Harm> harm;
    bool guard = false;
};

class FunctionUses {
  public:
    FunctionUses(const ptx::Module& module, const UninitModule& flow, const UninitFunction& function,
                 const ptx::DebugFunction* debug, std::vector<std::string>& names)
        : module_(module), flow_(flow), function_(function), names_(names) {
        if (debug != nullptr)
            for (const ptx::DebugVariable& variable : debug->variables)
                if (variable.user_code && variable.home == ptx::DebugVariable::Home::registers)
                    for (const ptx::Binding& binding : variable.bindings)
                        variables_.try_emplace(binding.reg, variable.name);
    }

    FunctionUninit run() {
        find_tracked();
        if (rows_.empty()) return {};
        FunctionUninit made;
        made.frame = frame();
        flow_.walk(function_, [&](std::uint32_t index, const PlaceSet& state) {
            UninitUse use = use_of(index, state);
            if (!use.flows.empty() || !use.checks.empty() || !use.arguments.empty() || !use.results.empty() ||
                (use.rule == Rule::ret && !made.frame.results.empty()))
                made.uses.emplace_back(index, std::move(use));
        });
        std::sort(made.uses.begin(), made.uses.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        return made;
    }

  private:
    const Instruction& instruction(std::uint32_t index) const {
        return function_.function.instructions[index];
    }

    // Adds the uses of operands, except those that only flow on.
    std::vector<Source> sources(std::uint32_t index) const {
        const Instruction& code = instruction(index);
        const UninitEffect& effect = function_.effects[index];
        std::vector<Source> found;
        if (code.guard != ptx::no_index) found.push_back({code.guard, guard_harm(code), true});
        for (const PlaceId place : effect.addresses)
            found.push_back({place, Harm::address});
        for (const PlaceId place : effect.values)
            found.push_back({place, harm_of(code)});
        if ((code.op == Op::bar_red || code.op == Op::barrier_red) && !effect.values.empty() &&
            code.operands.back().reg == effect.values.back())
            found.back().harm = Harm::reduction;
        if (code.op == Op::call) call_sources(code, found);
        return found;
    }

    void call_sources(const Instruction& code, std::vector<Source>& found) const {
        const UninitModule::Call call = UninitModule::parts(code);
        if (call.callee != nullptr && call.callee->kind == Operand::Kind::reg)
            found.push_back({call.callee->reg, Harm::call});
        const bool builtin = call.callee != nullptr &&
                             call.callee->refers.kind == ptx::Reference::Kind::function &&
                             builtin_of(module_.functions[call.callee->refers.index]) != Builtin::none;
        if (call.arguments == nullptr) return;
        for (const Operand& argument : call.arguments->elements)
            for (const UninitPlaces::Piece& piece : function_.places.pieces_of(argument))
                found.push_back({piece.place, builtin ? std::optional(Harm::argument) : std::nullopt});
    }

    // A place needs a mask if a use examines it where it may be unset.
    void find_tracked() {
        std::vector<PlaceId> tracked;
        const auto look = [&](PlaceId place, const PlaceSet& state) {
            if (place != no_place && state.has(place)) tracked.push_back(place);
        };
        flow_.walk(function_, [&](std::uint32_t index, const PlaceSet& state) {
            for (const Source& source : sources(index))
                look(source.place, state);
            for (const UninitEffect::Flow& flow : function_.effects[index].flows)
                for (const PlaceId place : flow.sources)
                    look(place, state);
            if (instruction(index).op == Op::ret)
                for (std::uint32_t item = 0; item < function_.function.results.size(); ++item)
                    for (const UninitPlaces::Piece& piece : function_.places.pieces_of_result(item))
                        look(piece.place, state);
        });
        std::sort(tracked.begin(), tracked.end());
        tracked.erase(std::unique(tracked.begin(), tracked.end()), tracked.end());
        std::stable_partition(tracked.begin(), tracked.end(),
                              [&](PlaceId place) { return function_.entry.has(place); });
        for (const PlaceId place : tracked)
            rows_.emplace(place, static_cast<std::uint32_t>(rows_.size()));
    }

    UninitFrame frame() const {
        UninitFrame made;
        made.masks = static_cast<std::uint32_t>(rows_.size());
        for (const auto& [place, row] : rows_)
            made.uninit_at_entry += function_.entry.has(place) ? 1 : 0;
        if (function_.function.kind != ptx::Function::Kind::func) return made;
        for (std::uint32_t item = 0; item < function_.function.parameters.size(); ++item)
            add_pieces(function_.places.pieces_of_parameter(item), item, made.parameters);
        for (std::uint32_t item = 0; item < function_.function.results.size(); ++item)
            add_pieces(function_.places.pieces_of_result(item), item, made.results);
        return made;
    }

    std::uint32_t row(PlaceId place) const {
        const auto found = rows_.find(place);
        return found == rows_.end() ? UninitUse::nothing : found->second;
    }

    void add_pieces(const std::vector<UninitPlaces::Piece>& pieces, std::uint32_t item,
                    std::vector<UninitPiece>& to) const {
        for (const UninitPlaces::Piece& piece : pieces)
            if (row(piece.place) != UninitUse::nothing) to.push_back({item, piece.offset, row(piece.place)});
    }

    UninitUse use_of(std::uint32_t index, const PlaceSet& state) {
        const Instruction& code = instruction(index);
        UninitUse use;
        use.rule = rule_of(code);
        use.width = static_cast<std::uint8_t>(ptx::size_bytes(code.type()));
        for (const Source& source : sources(index)) {
            if (!state.has(source.place)) continue;
            if (source.harm)
                use.checks.push_back(check(source));
            else if (source.guard)
                use.guard = row(source.place);
        }
        for (std::size_t i = 0, at = ptx::first_source(code); i < 3 && at + i < code.operands.size(); ++i) {
            const Operand& operand = code.operands[at + i];
            if (operand.kind == Operand::Kind::reg && state.has(operand.reg))
                use.operand[i] = row(operand.reg);
        }
        for (const UninitEffect::Flow& flow : function_.effects[index].flows) {
            if (row(flow.target) == UninitUse::nothing) continue;
            use.flows.push_back({row(flow.target), {}});
            for (const PlaceId place : flow.sources)
                if (state.has(place)) use.flows.back().sources.push_back(row(place));
        }
        if (code.op == Op::call) add_call(code, use);
        if (use.flows.empty() && use.checks.empty()) use.guard = UninitUse::nothing;
        return use;
    }

    void add_call(const Instruction& code, UninitUse& use) const {
        const UninitModule::Call call = UninitModule::parts(code);
        const auto add = [&](const Operand* list, std::vector<UninitPiece>& to) {
            for (std::uint32_t item = 0; list != nullptr && item < list->elements.size(); ++item)
                add_pieces(function_.places.pieces_of(list->elements[item]), item, to);
        };
        add(call.arguments, use.arguments);
        add(call.results, use.results);
    }

    UninitUse::Check check(const Source& source) {
        UninitUse::Check made;
        made.row = row(source.place);
        made.harm = *source.harm;
        made.guard = source.guard;
        std::string name = own_name(source.place);
        made.own_name = !name.empty();
        if (name.empty()) name = origin(source.place);
        if (name.empty()) return made;
        made.name = static_cast<std::uint32_t>(names_.size());
        names_.push_back(std::move(name));
        return made;
    }

    std::string own_name(PlaceId place) const {
        const auto found = variables_.find(place);
        return found == variables_.end() ? "" : found->second;
    }

    // The one variable that the value of a register may come from; empty when there are none or several.
    std::string origin(PlaceId from) {
        if (variables_.empty()) return "";
        if (writers_.empty())
            for (const UninitEffect& effect : function_.effects)
                for (const UninitEffect::Flow& flow : effect.flows)
                    for (const PlaceId source : flow.sources)
                        if (row(source) != UninitUse::nothing) writers_[flow.target].push_back(source);
        std::string name;
        std::vector<PlaceId> todo{from};
        std::vector<bool> seen(function_.places.count(), false);
        seen[from] = true;
        while (!todo.empty()) {
            const PlaceId place = todo.back();
            todo.pop_back();
            for (const PlaceId source : writers_[place]) {
                if (seen[source]) continue;
                seen[source] = true;
                const std::string found = own_name(source);
                if (found.empty()) {
                    todo.push_back(source);
                } else {
                    if (!name.empty() && name != found) return "";
                    name = found;
                }
            }
        }
        return name;
    }

    const ptx::Module& module_;
    const UninitModule& flow_;
    const UninitFunction& function_;
    std::vector<std::string>& names_;
    std::unordered_map<PlaceId, std::string> variables_;
    std::unordered_map<PlaceId, std::uint32_t> rows_;
    std::unordered_map<PlaceId, std::vector<PlaceId>> writers_;
};

}  // namespace

UninitProgram find_uninit(const ptx::Module& module, const ptx::DebugInfo& debug) {
    UninitModule flow(module);
    flow.solve();
    UninitProgram made;
    made.functions.resize(flow.count());
    for (std::uint32_t i = 0; i < flow.count(); ++i) {
        const UninitFunction* function = flow.function(i);
        if (function == nullptr || function->before.empty()) continue;
        made.functions[i] = FunctionUses(module, flow, *function, debug.find_function(i), made.names).run();
    }
    return made;
}

}  // namespace lanescope::simt
