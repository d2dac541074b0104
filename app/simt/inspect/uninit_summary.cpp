#include "simt/inspect/uninit_summary.h"

#include <algorithm>

#include "ptx/register_use.h"
#include "simt/inspect/liveness.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;

bool PlaceSet::add(const PlaceSet& other) {
    bool added = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        added = added || (other.words_[i] & ~words_[i]) != 0;
        words_[i] |= other.words_[i];
    }
    return added;
}

bool PlaceSet::empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

namespace {

// Code larger than any compiler makes is not analysed, and nothing is reported in it.
constexpr std::size_t max_words = 1 << 22;

bool too_large(const UninitPlaces& places, const ptx::Cfg& cfg) {
    return (places.count() / 64 + 1) * cfg.blocks.size() > max_words;
}

}  // namespace

UninitFunction::UninitFunction(const ptx::Function& code)
    : function(code), places(code), cfg(ptx::build_cfg(code)), entry(places.count()) {
    if (too_large(places, cfg)) return;
    for (std::uint32_t reg = 0; reg < places.result_registers(); ++reg)
        entry.set(reg, true);
    const std::vector<bool> first_read = read_before_written(code);
    for (std::uint32_t reg = 0; reg < first_read.size(); ++reg)
        if (first_read[reg] && !places.is_parameter_register(reg)) entry.set(reg, true);
}

UninitModule::UninitModule(const ptx::Module& module) {
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
        const ptx::Function& function = module.functions[i];
        functions_.push_back(function.has_body ? std::make_unique<UninitFunction>(function) : nullptr);
        if (function.has_body && function.kind == ptx::Function::Kind::func) addressable_.push_back(i);
    }
}

UninitModule::Call UninitModule::parts(const Instruction& call) {
    Call made;
    std::size_t at = 0;
    const auto next = [&](bool list) -> const Operand* {
        if (at >= call.operands.size() || (call.operands[at].kind == Operand::Kind::list) != list)
            return nullptr;
        return &call.operands[at++];
    };
    made.results = next(true);
    made.callee = next(false);
    made.arguments = next(true);
    return made;
}

std::vector<std::uint32_t> UninitModule::callees(const Instruction& call) const {
    const Operand* callee = parts(call).callee;
    if (callee == nullptr) return {};
    if (callee->kind == Operand::Kind::reg) return addressable_;
    if (callee->refers.kind != ptx::Reference::Kind::function) return {};
    return {callee->refers.index};
}

void UninitModule::apply_call(const UninitFunction& function, const Instruction& call,
                              PlaceSet& state) const {
    const Operand* results = parts(call).results;
    if (results == nullptr) return;
    for (std::uint32_t item = 0; item < results->elements.size(); ++item) {
        for (const UninitPlaces::Piece& piece : function.places.pieces_of(results->elements[item])) {
            bool uninit = call.guard != ptx::no_index && state.has(piece.place);
            for (const std::uint32_t callee : callees(call))
                uninit = uninit ||
                         (functions_[callee] && functions_[callee]->results.contains({item, piece.offset}));
            state.set(piece.place, uninit);
        }
    }
}

void UninitModule::apply(const UninitFunction& function, std::uint32_t index, PlaceSet& state) const {
    const Instruction& instruction = function.function.instructions[index];
    if (instruction.op == Op::call) return apply_call(function, instruction, state);
    const bool guarded = instruction.guard != ptx::no_index,
               guard_uninit = guarded && state.has(instruction.guard);
    std::vector<bool> uninit;
    for (const UninitEffect::Flow& flow : function.effects[index].flows)
        uninit.push_back(guard_uninit || (guarded && state.has(flow.target)) ||
                         std::any_of(flow.sources.begin(), flow.sources.end(),
                                     [&](PlaceId source) { return state.has(source); }));
    for (std::size_t i = 0; i < uninit.size(); ++i)
        state.set(function.effects[index].flows[i].target, uninit[i]);
}

// Most functions have nothing unset in them, and nothing that they call returns such a value.
bool UninitModule::interesting(const UninitFunction& function) const {
    if (too_large(function.places, function.cfg) || function.cfg.blocks.empty()) return false;
    if (!function.entry.empty() || !function.parameters.empty()) return true;
    return std::any_of(function.function.instructions.begin(), function.function.instructions.end(),
                       [&](const Instruction& instruction) {
                           if (instruction.op != Op::call) return false;
                           for (const std::uint32_t callee : callees(instruction))
                               if (functions_[callee] && !functions_[callee]->results.empty()) return true;
                           return false;
                       });
}

void UninitModule::flow(UninitFunction& function) {
    if (function.effects.empty())
        for (const Instruction& instruction : function.function.instructions)
            function.effects.push_back(effect_of(instruction, function.places));
    PlaceSet entry = function.entry;
    for (const auto& [item, offset] : function.parameters)
        for (const UninitPlaces::Piece& piece : function.places.pieces_of_parameter(item))
            if (piece.offset == offset) entry.set(piece.place, true);
    function.before.assign(function.cfg.blocks.size(), PlaceSet(function.places.count()));
    std::vector<bool> reached(function.cfg.blocks.size(), false);
    std::set<std::uint32_t> todo{0};
    function.before[0] = entry;
    reached[0] = true;
    while (!todo.empty()) {
        const std::uint32_t block = *todo.begin();
        todo.erase(todo.begin());
        PlaceSet state = function.before[block];
        for (std::uint32_t i = function.cfg.blocks[block].first; i < function.cfg.blocks[block].end; ++i)
            apply(function, i, state);
        for (const std::uint32_t next : function.cfg.blocks[block].successors) {
            if (!function.before[next].add(state) && reached[next]) continue;
            reached[next] = true;
            todo.insert(next);
        }
    }
}

bool UninitModule::pass_arguments(const UninitFunction& function, const Instruction& call,
                                  const PlaceSet& state) {
    const Operand* arguments = parts(call).arguments;
    if (arguments == nullptr) return false;
    bool added = false;
    for (std::uint32_t item = 0; item < arguments->elements.size(); ++item)
        for (const UninitPlaces::Piece& piece : function.places.pieces_of(arguments->elements[item])) {
            if (!state.has(piece.place)) continue;
            for (const std::uint32_t callee : callees(call))
                if (functions_[callee] && item < functions_[callee]->function.parameters.size())
                    added = functions_[callee]->parameters.insert({item, piece.offset}).second || added;
        }
    return added;
}

// Passes the function's values to others. Returns whether any of them is new.
bool UninitModule::summarise(UninitFunction& function) {
    bool added = false;
    const auto results = [&](const PlaceSet& state) {
        if (function.function.kind != ptx::Function::Kind::func) return;
        for (std::uint32_t item = 0; item < function.function.results.size(); ++item)
            for (const UninitPlaces::Piece& piece : function.places.pieces_of_result(item))
                if (state.has(piece.place))
                    added = function.results.insert({item, piece.offset}).second || added;
    };
    walk(function, [&](std::uint32_t index, const PlaceSet& state) {
        const Instruction& instruction = function.function.instructions[index];
        if (instruction.op == Op::call) added = pass_arguments(function, instruction, state) || added;
        if (instruction.op == Op::ret) results(state);
    });
    return added;
}

void UninitModule::solve() {
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& function : functions_) {
            if (!function || !interesting(*function)) continue;
            flow(*function);
            changed = summarise(*function) || changed;
        }
    }
}

void UninitModule::walk(const UninitFunction& function, const Visit& visit) const {
    for (std::size_t block = 0; block < function.before.size(); ++block) {
        PlaceSet state = function.before[block];
        for (std::uint32_t i = function.cfg.blocks[block].first; i < function.cfg.blocks[block].end; ++i) {
            visit(i, state);
            apply(function, i, state);
        }
    }
}

}  // namespace lanescope::simt
